"""Screens follow the one order of entries and see each of them exactly once."""

from __future__ import annotations

import tempfile
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dalej.event.ledger import Conflict, Decision, Entry, Gap, Ledger, OlderFile, Outcome, Reported, Request
from tests.event.ledger import process
from tests.event.ledger.keeping import Keeping
from tests.event.ledger.making import BOX, EPOCH, NOON, OTHER, report, reports


def test_everything_is_an_entry_in_one_order(ledger: Ledger, second: Ledger) -> None:
    held = ledger.lease.acquire("desk", NOON, 10_000)
    ledger.record(reports([1, 2]))
    ruling = second.decide("ruling", {}, who="Anna", when_ms=NOON, why="seen")
    asked = ledger.request(1, "stop", who="Ewa", at_ms=NOON)
    ledger.record([report(3), report(1, a=7), report(4)])
    ledger.lost(BOX, EPOCH, 5, 9, "compacted", NOON)
    sent = ledger.outcome(asked.id, "sent", at_ms=NOON, token=held.token)

    entries = second.since(0)
    assert [entry.cursor for entry in entries] == list(range(1, 10))
    assert [type(entry) for entry in entries] == [
        Reported, Reported, Decision, Request, Reported, Conflict, Reported, Gap, Outcome,
    ]  # fmt: skip
    assert entries[2] == ruling
    assert entries[3] == asked
    assert entries[7] == Gap(8, BOX, EPOCH, 5, 9, "compacted", NOON)
    assert entries[8] == sent
    assert second.since(9) == []


def test_a_cursor_from_a_longer_ledger_is_not_followed(ledger: Ledger) -> None:
    ledger.record(reports([1]))
    with pytest.raises(OlderFile, match="is older than what has been read from it"):
        ledger.since(2)


def test_a_fact_that_several_have_read_is_there_once_until_another_file_takes_its_place(tmp_path: Path) -> None:
    """Given connections of one program, whose readings are all kept."""
    event, copy, told = tmp_path / "event.dalej", tmp_path / "copy.dalej", dict[int, Reported]()
    with Ledger.create(event) as ledger:
        ledger.record(reports(range(1, 11)))
        ledger.backup(copy)
        ledger.record(reports(range(11, 21)))
    with Ledger.open(event, told=told) as first, Ledger.open(event, read_only=True, told=told) as second:
        before = first.since(0)
        assert all(one is same for one, same in zip(before, second.others_between(0, 20), strict=True))

    Ledger.restore(copy, event)
    with Ledger.open(event, told=told) as first, Ledger.open(event, read_only=True, told=told) as second:
        first.record([report(seq, a=7) for seq in range(11, 16)])
        with Ledger.open(event, read_only=True) as plain:
            expected = plain.since(0)
        found = second.since(0)
        assert found == expected != before[:15]
        assert all(one is same for one, same in zip(found, first.since(0), strict=True))
        assert [one is same for one, same in zip(before, found, strict=False)] == [True] * 10 + [False] * 5


@given(st.lists(st.sampled_from(["facts", "again", "conflict", "decision", "request", "gap"]), max_size=25), st.data())
def test_read_in_steps_of_any_size_the_order_is_the_same(
    keeping: Keeping, kinds: list[str], data: st.DataObject
) -> None:
    with tempfile.TemporaryDirectory() as folder, keeping.create(Path(folder) / "event.dalej") as ledger:
        for number, kind in enumerate(kinds, start=1):
            match kind:
                case "facts":
                    ledger.record(reports(range(3 * number, 3 * number + 3)))
                case "again":
                    ledger.record(reports(range(1, 9)))
                case "conflict":
                    ledger.record([report(1), report(1, a=number)])
                case "decision":
                    ledger.decide("note", {"n": number}, who="Anna", when_ms=number, why="seen")
                case "request":
                    ledger.request(number, "stop", who="Anna", at_ms=number)
                case "gap":
                    ledger.lost(BOX, EPOCH, number, number + 1, "compacted", number)
        everything = ledger.since(0, 10_000)
        assert [entry.cursor for entry in everything] == list(range(1, ledger.head() + 1))
        followed: list[Entry] = []
        while step := ledger.since(len(followed), data.draw(st.integers(1, 7))):
            followed += step
        assert followed == everything
        ledger.expect_whole()


def test_another_process_sees_everything_exactly_once_while_two_write(ledger: Ledger) -> None:
    count = 2_000
    writers = [process.start("record", ledger.path, box, 1, count) for box in (BOX, OTHER)]
    seen: list[Entry] = []
    while len(seen) < 2 * count:
        seen += ledger.since(len(seen), 300)
        assert any(writer.poll() is None for writer in writers) or ledger.head() == 2 * count
    for writer in writers:
        writer.communicate(timeout=60)

    assert [entry.cursor for entry in seen] == list(range(1, 2 * count + 1))
    for box in (BOX, OTHER):
        mine = [entry.fact.seq for entry in seen if isinstance(entry, Reported) and entry.fact.box == box]
        assert mine == list(range(1, count + 1))
