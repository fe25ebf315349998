"""A long event: what one table's box tells in some hours of play, told by the box of every table of a hall."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from dalej.clock import ManualClock
from dalej.event import eventlog
from dalej.event.ledger import Entry, Ledger, Reported
from dalej.rulesets.rulebook import load
from dalej.simulator.hall import Hall

NOON_MS = 1_795_262_400_000
STEP_MS = 600_000


def one_table(folder: Path, facts: int) -> list[Reported]:
    """What is recorded of a table, so many facts and a few more, in the order in which a lossy link brought them."""
    with Ledger.create(folder / "one.dalej") as ledger:
        eventlog.choose_ruleset(ledger, "school-league", who="test", when_ms=NOON_MS)
        hall = Hall(ledger, load("school-league"), ManualClock(NOON_MS), tables=1, moves=None, seed=1)
        at_ms = 0
        while ledger.head() < facts:
            at_ms += STEP_MS
            hall.world.run_until(at_ms)
        hall.desk.close()
        return [entry for entry in ledger.since(0, ledger.head()) if isinstance(entry, Reported)]


class LongLedger:
    """The same of so many tables, fact by fact in turn, as a ledger gives it. `read`: entries given so far."""

    def __init__(self, one: list[Reported], tables: int) -> None:
        self.count = len(one) * tables
        self.read = 0
        self._one = one
        self._tables = tables

    def since(self, cursor: int, limit: int) -> list[Entry]:
        """The next ones after that cursor."""
        self.read = max(self.read, min(cursor + limit, self.count))
        return [self._entry(place) for place in range(cursor, min(cursor + limit, self.count))]

    def _entry(self, place: int) -> Entry:
        told, table = divmod(place, self._tables)
        reported = self._one[told]
        return replace(reported, cursor=place + 1, fact=replace(reported.fact, box=f"{table + 1:012x}"))
