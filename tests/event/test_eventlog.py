"""The turn log of an event over several evenings."""

from __future__ import annotations

from pathlib import Path

from dalej.event import eventlog
from dalej.event.ledger import Baseline, Ledger, Report
from dalej.event.reading import read
from moveclock import facts as k
from tests.domain.tables import BOX, Journal

NOON = 1_760_000_000_000
OTHER = "b1b1b1b1b1b1"
FIRST_EVENING, SECOND_EVENING = 900, 7  # a journal's epoch is random


def test_a_box_that_stands_elsewhere_on_the_second_evening_keeps_its_turns_of_the_first(tmp_path: Path) -> None:
    """design, Journal: an epoch is random, so it says nothing of what came first."""
    evenings = [Journal(box=BOX, epoch=FIRST_EVENING), Journal(box=BOX, epoch=SECOND_EVENING)]
    with Ledger.create(tmp_path / "league.dalej") as ledger:
        eventlog.choose_ruleset(ledger, "school-league", who="Sowa", when_ms=NOON)
        for table, journal in zip((3, 1), evenings, strict=True):
            ledger.assign(Baseline(table, BOX, journal.epoch, 0), who="Sowa", when_ms=NOON, why="put there")
            journal.play(seat=0, move=1, start=0, elapsed=5_000, how=k.BY_JUZ)
            ledger.record([Report(fact, NOON) for fact in journal.facts])
        moved = Journal(box=OTHER, epoch=1)
        moved.play(seat=1, move=1, start=0, elapsed=5_000, how=k.BY_JUZ)
        ledger.assign(Baseline(3, OTHER, 1, 0), who="Sowa", when_ms=NOON, why="put there")
        ledger.record([Report(fact, NOON) for fact in moved.facts])

        told = [(turn.table, turn.turn.box, turn.turn.epoch) for turn in eventlog.turns(read(ledger))]

    assert told == [(1, BOX, SECOND_EVENING), (3, BOX, FIRST_EVENING), (3, OTHER, 1)]


def test_evenings_at_one_table_come_in_the_order_they_were_played(tmp_path: Path) -> None:
    with Ledger.create(tmp_path / "league.dalej") as ledger:
        eventlog.choose_ruleset(ledger, "school-league", who="Sowa", when_ms=NOON)
        for epoch in (FIRST_EVENING, SECOND_EVENING):
            journal = Journal(box=BOX, epoch=epoch)
            journal.play(seat=0, move=1, start=0, elapsed=5_000, how=k.BY_JUZ)
            ledger.record([Report(fact, NOON) for fact in journal.facts])

        assert [turn.turn.epoch for turn in eventlog.turns(read(ledger))] == [FIRST_EVENING, SECOND_EVENING]
