"""A simulated hall that lives by a clock which the test moves, on a ledger of its own."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from dalej.clock import ManualClock
from dalej.desk.feed.messages import Speed, Take
from dalej.domain.game.facts import Fact
from dalej.event import eventlog
from dalej.event.ledger import Ledger
from dalej.event.reading import read
from dalej.simulator.box import Faults
from dalej.simulator.hall import WHO, Hall
from dalej.simulator.living import Living
from dalej.simulator.players import Habits

RULESET = "school-league"
SET_UP = ("booted", "command_applied", "configured")
SET_UP_MS = 2_000  # by then every box has its settings
ME, SOMEBODY = 1, 2
A_JUZ, B_JUZ = 0, 2


@dataclass
class Life:
    """A hall, who controls it, and both clocks: the real one and the hall's."""

    ledger: Ledger
    hall: Hall
    living: Living
    clock: ManualClock
    simulated: ManualClock

    def passes(self, ms: int) -> None:
        """Real time passes."""
        end_ms = self.clock.time_ms + ms
        while self.clock.time_ms < end_ms:
            self.clock.time_ms = min(end_ms, self.clock.time_ms + 10)
            self.living.wish(0, Speed(self.living.speed))

    def facts(self, table: int) -> list[Fact]:
        box = self.hall.tables[table].uid.hex()
        return [reported.fact for reported in read(self.ledger).facts() if reported.fact.box == box]

    def names(self, table: int) -> list[str]:
        """What happened at the table, without what the desk did to set it up."""
        return [fact.name for fact in self.facts(table) if fact.name not in SET_UP]


@contextmanager
def lively(
    event: Path, *, tables: int = 1, seed: int = 1, speed: float = 1.0, habits: Habits | None = None
) -> Iterator[Life]:
    """The hall at its first instant, nothing lost on the air."""
    clock, simulated = ManualClock(1_000_000), ManualClock(2_000_000)
    with Ledger.create(event) as ledger:
        rules = eventlog.choose_ruleset(ledger, RULESET, who=WHO, when_ms=0)
        hall = Hall(
            ledger, rules, simulated, tables=tables, moves=None, seed=seed, faults=Faults(), habits=habits
        )  # fmt: skip
        yield Life(ledger, hall, Living(hall, clock, speed=speed), clock, simulated)
        hall.desk.close()


def taken(life: Life) -> None:
    """Table 1 is mine, and ready."""
    life.living.wish(ME, Take(1, True))
    life.passes(SET_UP_MS)
