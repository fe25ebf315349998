"""A model that is brought up to a ledger without waiting for it."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from dalej.errors import DalejError, Damaged, Unreachable
from dalej.event.ledger import Entry, Ledger
from dalej.rulesets.rulebook import load
from dalej.views.following import SLICE_AHEAD, LedgerReader
from dalej.views.hall import HallModel

RULES = load("school-league")


class Counted:
    """A ledger; `readers` are the threads that read it, `fails` is how the next reading fails."""

    def __init__(self, ledger: Ledger) -> None:
        self.ledger = ledger
        self.readers: list[int] = []
        self.fails: DalejError | None = None

    def since(self, cursor: int, limit: int) -> list[Entry]:
        self.readers.append(threading.get_ident())
        if self.fails is not None:
            fails, self.fails = self.fails, None
            raise fails
        return self.ledger.since(cursor, limit)


@pytest.fixture
def entries(tmp_path: Path) -> Iterator[Counted]:
    """Three slices of decisions, and a little more."""
    with Ledger.create(tmp_path / "event.dalej") as ledger:
        for _again in range(3 * SLICE_AHEAD + 7):
            ledger.decide("note", {"table": 1}, who="desk", when_ms=0, why="to fill a ledger")
        yield Counted(ledger)


def read_all(reader: LedgerReader) -> list[set[int]]:
    async def read() -> list[set[int]]:
        found = []
        while (tables := await reader.read_on()) is not None:
            found.append(tables)
        return found

    return asyncio.run(read())


def test_a_long_ledger_is_read_slice_by_slice_in_another_thread(entries: Counted) -> None:
    reader = LedgerReader(entries, HallModel(RULES))

    assert len(read_all(reader)) == 4
    assert threading.get_ident() not in entries.readers
    assert read_all(reader) == []


@pytest.mark.parametrize("how", [Unreachable("locked"), Damaged("torn")], ids=str)
def test_a_reading_that_fails_is_said_and_nothing_is_read_twice(entries: Counted, how: DalejError) -> None:
    reader = LedgerReader(entries, HallModel(RULES))
    asyncio.run(reader.read_on())
    entries.fails = how

    with pytest.raises(type(how)):
        read_all(reader)

    assert len(read_all(reader)) == 3
    assert reader.new_troubles() == []


def test_a_file_restored_from_an_older_state_is_read_anew_and_told(entries: Counted, tmp_path: Path) -> None:
    reader = LedgerReader(entries, HallModel(RULES))
    read_all(reader)
    entries.ledger.close()
    with Ledger.create(tmp_path / "older.dalej") as entries.ledger:
        entries.ledger.decide("note", {}, who="desk", when_ms=0, why="drawn by lot")

        read_all(reader)

        assert [trouble.template for trouble in reader.new_troubles()]
        assert reader.new_troubles() == []
        assert read_all(reader) == []
