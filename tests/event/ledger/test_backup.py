"""A backup is one whole file, taken while the event goes on."""

from __future__ import annotations

from pathlib import Path

import pytest

from dalej.errors import Damaged, Refused, WrongInput
from dalej.event.ledger import Ledger
from tests.event.ledger import process
from tests.event.ledger.making import BOX, EPOCH, NOON, reports, seqs
from tests.processes import WITHIN_S, bounded


def files_in(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


@pytest.fixture
def shelf(tmp_path: Path) -> Path:
    """A folder of their own for backups."""
    (tmp_path / "shelf").mkdir()
    return tmp_path / "shelf"


def test_a_backup_is_an_event_file_of_its_own(ledger: Ledger, shelf: Path) -> None:
    ledger.record(reports(range(1, 100)))
    ledger.decide("note", {}, who="Anna", when_ms=NOON, why="round 1 is over")
    ledger.backup(shelf / "round1.dalej")
    assert files_in(shelf) == ["round1.dalej"]
    ledger.record(reports([100]))

    with Ledger.open(shelf / "round1.dalej") as restored:
        assert restored.since(0) == ledger.since(0, 100)
        assert restored.contiguous(BOX, EPOCH) == 99
        restored.expect_whole()
        assert restored.record(reports([100])).contiguous == {(BOX, EPOCH): 100}


def test_a_backup_does_not_replace_a_file_unless_told(ledger: Ledger, shelf: Path) -> None:
    target = shelf / "notes.txt"
    target.write_text("bring spare batteries")
    with pytest.raises(Refused, match=r"notes\.txt already exists"):
        ledger.backup(target)
    assert target.read_text() == "bring spare batteries"
    ledger.backup(target, overwrite=True)
    with Ledger.open(target) as copy:
        assert copy.head() == 0
    assert files_in(shelf) == ["notes.txt"]


def test_a_backup_goes_neither_onto_its_own_event_nor_where_no_file_can_be(ledger: Ledger, shelf: Path) -> None:
    with pytest.raises(Refused, match="already exists"):
        ledger.backup(ledger.path, overwrite=True)
    for nowhere in (shelf, shelf / "gone" / "round1.dalej"):
        with pytest.raises(WrongInput, match="expected a file name in an existing folder"):
            ledger.backup(nowhere, overwrite=True)
    assert files_in(shelf) == []


def test_a_backup_does_not_slip_under_the_journal_of_an_open_event(ledger: Ledger, shelf: Path) -> None:
    with Ledger.create(shelf / "other.dalej") as other:
        other.record(reports([1]))
        with pytest.raises(Refused, match="is in use or was not closed"):
            ledger.backup(shelf / "other.dalej", overwrite=True)
        assert seqs(other) == [1]


def test_a_damaged_event_does_not_replace_a_good_backup(event: Path, shelf: Path) -> None:
    with Ledger.create(event) as good:
        good.record(reports(range(1, 2_000)))
        good.backup(shelf / "good.dalej")
    content = bytearray(event.read_bytes())
    content[4096 * 40 :] = bytes(len(content) - 4096 * 40)
    event.write_bytes(content)

    with Ledger.open(event) as broken, pytest.raises(Damaged):
        broken.backup(shelf / "good.dalej", overwrite=True)
    assert files_in(shelf) == ["good.dalej"]
    with Ledger.open(shelf / "good.dalej") as copy:
        copy.expect_whole()


def test_backups_while_another_process_writes_are_whole_and_hold_what_was_acknowledged(
    ledger: Ledger, shelf: Path
) -> None:
    writer = process.start("record", ledger.path, BOX, 1, 10**9)
    assert writer.stdout is not None
    try:
        for number in range(5):
            with bounded(writer):
                acknowledged = int(writer.stdout.readline())
            ledger.backup(shelf / f"{number}.dalej")
            with Ledger.open(shelf / f"{number}.dalej") as copy:
                copy.expect_whole()
                assert copy.contiguous(BOX, EPOCH) >= acknowledged
                assert seqs(copy) == list(range(1, copy.contiguous(BOX, EPOCH) + 1))
        assert writer.poll() is None
    finally:
        writer.kill()
        writer.communicate(timeout=WITHIN_S)
