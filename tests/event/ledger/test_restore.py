"""A copy takes the place of its event whole and checked, or nothing changes; what was there before is kept."""

from __future__ import annotations

from pathlib import Path

import pytest

from dalej import drafts
from dalej.errors import Damaged, Refused, Unreachable, WrongInput
from dalej.event.ledger import Ledger
from tests.event.ledger import process
from tests.event.ledger.keeping import IN_A_FILE
from tests.event.ledger.making import BOX, EPOCH, NOON, raw, reports, seqs
from tests.processes import WITHIN_S, bounded

PLACES = (IN_A_FILE,)

KEPT = "event.replaced-1.backup.dalej"


@pytest.fixture
def copy(event: Path, tmp_path: Path) -> Path:
    """Of an event that has gone on since, and nobody has it open."""
    (tmp_path / "stick").mkdir()
    copy = tmp_path / "stick" / "copy.dalej"
    with Ledger.create(event) as ledger:
        ledger.decide("note", {}, who="Anna", when_ms=NOON, why="begun")
        ledger.record(reports(range(1, 50)))
        ledger.backup(copy)
        ledger.record(reports(range(50, 60)))
    return copy


def everything(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir() if path.is_file()}


def test_the_event_is_as_the_copy_and_what_was_there_is_kept(event: Path, copy: Path, tmp_path: Path) -> None:
    kept = Ledger.restore(copy, event)

    assert kept == tmp_path / KEPT
    with Ledger.open(event) as restored, Ledger.open(kept) as before:
        assert seqs(restored) == list(range(1, 50))
        assert seqs(before) == list(range(1, 60))
        assert restored.record(reports([50])).contiguous == {(BOX, EPOCH): 50}
    assert sorted(everything(tmp_path)) == ["event.dalej", KEPT]
    assert sorted(everything(copy.parent)) == ["copy.dalej"]


def test_what_was_kept_can_be_put_back_in_turn(event: Path, copy: Path, tmp_path: Path) -> None:
    kept = Ledger.restore(copy, event)
    assert kept is not None

    assert Ledger.restore(kept, event) == tmp_path / "event.replaced-2.backup.dalej"
    with Ledger.open(event) as again:
        assert seqs(again) == list(range(1, 60))


def test_where_nothing_is_the_copy_becomes_the_event(copy: Path, tmp_path: Path) -> None:
    assert Ledger.restore(copy, tmp_path / "new.dalej") is None
    with Ledger.open(tmp_path / "new.dalej") as new:
        assert seqs(new) == list(range(1, 50))


@pytest.mark.parametrize("left", [0, 30, 4_096, 60_000])
def test_an_event_that_cannot_be_read_any_more_is_replaced_and_kept_byte_by_byte(
    event: Path, copy: Path, tmp_path: Path, left: int
) -> None:
    broken = event.read_bytes()[:left] + b"\xff" * 5_000
    event.write_bytes(broken)
    journal = event.with_name(f"{event.name}-wal")
    journal.write_bytes(b"what was not moved yet")

    kept = Ledger.restore(copy, event)

    with Ledger.open(event) as restored:
        assert seqs(restored) == list(range(1, 50))
        restored.expect_whole()
    assert kept is not None
    assert kept.read_bytes() == broken
    assert sorted(set(everything(tmp_path)) - {KEPT, f"{KEPT}-wal"}) == ["event.dalej"]


@pytest.mark.parametrize("at", [0, 100, 5_000, 40_000])
def test_a_damaged_copy_changes_nothing(event: Path, copy: Path, tmp_path: Path, at: int) -> None:
    whole = copy.read_bytes()
    copy.write_bytes(whole[:at] + b"\xff" * (len(whole) - at))
    before = everything(tmp_path)

    with pytest.raises((Damaged, WrongInput), match=r"copy\.dalej"):
        Ledger.restore(copy, event)
    assert everything(tmp_path) == before


def test_a_copy_whose_entries_are_not_all_there_changes_nothing(event: Path, copy: Path, tmp_path: Path) -> None:
    with Ledger.open(copy) as less:
        for trigger in ("facts_stay_on_DELETE",):
            raw(less).execute(f"DROP TRIGGER {trigger}")
        raw(less).execute("DELETE FROM facts WHERE seq = 20")
    before = everything(tmp_path)

    with pytest.raises(Damaged, match=r"copy\.dalej is damaged: entries are missing"):
        Ledger.restore(copy, event)
    assert everything(tmp_path) == before


def test_an_event_that_another_program_has_open_stays(event: Path, copy: Path, tmp_path: Path) -> None:
    holder = process.start("hold", event, "desk 1")
    try:
        assert holder.stdout is not None
        with bounded(holder):
            holder.stdout.readline()
        with pytest.raises(Refused, match=r"event\.dalej is in use"):
            Ledger.restore(copy, event)
        with Ledger.open(event) as there:
            assert seqs(there) == list(range(1, 60))
        assert not (tmp_path / KEPT).exists()
    finally:
        holder.kill()
        holder.communicate(timeout=WITHIN_S)
    assert Ledger.restore(copy, event) == tmp_path / KEPT  # a desk that was killed holds nothing


def test_another_event_is_not_replaced_by_it(copy: Path, tmp_path: Path) -> None:
    other = tmp_path / "other.dalej"
    with Ledger.create(other) as ledger:
        ledger.decide("note", {}, who="Anna", when_ms=NOON + 1, why="begun")
    before = other.read_bytes()

    with pytest.raises(Refused, match=r"other\.dalej is another event than .*copy\.dalej"):
        Ledger.restore(copy, other)
    with pytest.raises(WrongInput, match="is the event itself"):
        Ledger.restore(copy, copy)
    for nowhere in (tmp_path, tmp_path / "gone" / "event.dalej"):
        with pytest.raises(WrongInput, match="expected a file name in an existing folder"):
            Ledger.restore(copy, nowhere)
    assert other.read_bytes() == before


def test_a_disk_that_takes_no_more_leaves_everything(
    event: Path, copy: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    put = drafts.Draft.put

    def full(draft: drafts.Draft, *, replace: bool = True) -> None:
        if replace:
            raise OSError(28, "No space left on device")
        put(draft, replace=replace)

    monkeypatch.setattr(drafts.Draft, "put", full)
    with pytest.raises(Unreachable, match=r"event\.dalej cannot be written: the disk is full"):
        Ledger.restore(copy, event)
    assert list(everything(tmp_path)) == ["event.dalej"]
    with Ledger.open(event) as there:
        assert seqs(there) == list(range(1, 60))


def test_a_copy_on_a_stick_that_is_write_protected_can_be_put_back(event: Path, copy: Path) -> None:
    copy.chmod(0o400)
    copy.parent.chmod(0o500)
    try:
        Ledger.restore(copy, event)
    finally:
        copy.parent.chmod(0o700)
    with Ledger.open(event) as restored:
        assert seqs(restored) == list(range(1, 50))
