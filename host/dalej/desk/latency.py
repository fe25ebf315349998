"""From a press at a box to its row in an event file: the stamp of the press by the box's clock, brought to the desk's
by round trips, against the instant at which the file had the row on the disk.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from dalej.clock import Clock
from dalej.desk.hearing import Line
from dalej.event.ledger import Ledger, Recorded, Report
from dalej.event.ledger.sqlitefile import SqliteStore
from dalej.event.ledger.store import Store
from moveclock import facts as k

# What a box writes down at once when somebody presses; whichever it is, its stamp is that of the finger.
OF_A_FINGER: Final = (
    k.STRAY_TAP, k.REFEREE_CALLED, k.MOVE_ENDED, k.TILE_DRAWN, k.GAME_STARTED, k.DALEJ_REFUSED, k.DISPUTE_RAISED,
)  # fmt: skip
OLD_MS: Final = 5_000  # such a fact waited for a link: that is not what is measured


@dataclass(frozen=True, slots=True)
class Press:
    """`took_ms`: from the finger to the disk, good to `error_ms`."""

    took_ms: int
    error_ms: int


class TimedLedger(Ledger):
    """A ledger that remembers when each fact was on the disk, by the desk's clock."""

    def __init__(self, store: Store, clock: Clock) -> None:
        super().__init__(store)
        self.committed: list[tuple[int, Recorded]] = []
        self._clock = clock

    @classmethod
    def make(cls, path: Path, clock: Clock, busy_ms: int) -> TimedLedger:
        """A new event file."""
        return cls(SqliteStore.create(path, busy_ms), clock)

    def record(self, reports: Iterable[Report], *, token: int | None = None) -> Recorded:
        recorded = super().record(reports, token=token)
        self.committed.append((self._clock.now_ms(), recorded))
        return recorded


def presses(ledger: TimedLedger, line: Line) -> list[Press]:
    """What was measured since the last time; of one press the first fact counts."""
    found: dict[tuple[int, int, int], Press] = {}
    for at_ms, recorded in ledger.committed:
        for fact in recorded.new:
            boot = (fact.epoch, fact.boot)
            made_ms, error_ms = line.uptimes.desk_ms(boot, fact.uptime_ms), line.uptimes.error_ms(boot)
            if fact.kind in OF_A_FINGER and made_ms is not None and error_ms is not None and at_ms - made_ms <= OLD_MS:
                found.setdefault((*boot, fact.uptime_ms), Press(max(0, at_ms - made_ms), error_ms))
    ledger.committed.clear()
    return list(found.values())
