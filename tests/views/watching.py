"""A simulated hall and a screen's model of it, side by side, so that every row can be held against its real box."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Final

from dalej.clock import ManualClock
from dalej.domain.game.facts import STATES
from dalej.domain.game.heard import Heard
from dalej.event import eventlog
from dalej.event.ledger import Ledger
from dalej.simulator.box import Faults
from dalej.simulator.hall import Hall
from dalej.simulator.players import Habits
from dalej.views.following import Follower
from dalej.views.hall import HallModel
from dalej.views.rows import Row
from moveclock import facts as k
from moveclock.box import Box

NOON: Final = 1_760_000_000_000
NEAR_MS: Final = 100
LIVELY: Final = Habits(
    pace=0.4, early_click=0.2, forgets_the_tile=0.1, overtime=0.2, announces=0.2, disputes=0.2, stray=0.3,
    withdraws=0.02,
)  # fmt: skip
SWIFT: Final = Faults(delay_ms=(5, 30))
_TIMED: Final = (k.RUNNING, k.EXPIRED, k.STOPPED)


class Watched:
    """A hall whose evening has no end, with its ledger, and what a screen makes of it."""

    def __init__(self, path: Path, seed: int, *, tables: int = 4, ruleset: str = "school-league") -> None:
        self.clock = ManualClock(NOON)
        self.ledger = Ledger.create(path)
        self.ruleset = eventlog.choose_ruleset(self.ledger, ruleset, who="test", when_ms=NOON)
        self.hall = Hall(
            self.ledger, self.ruleset, self.clock, tables=tables, moves=None, seed=seed, habits=LIVELY, faults=SWIFT
        )
        self.model = HallModel(self.ruleset)
        self.follower = Follower(self.ledger, self.model)
        self.heard: dict[str, Heard] = {}
        self._version = 0

    def close(self) -> None:
        self.hall.desk.close()
        self.ledger.close()

    @property
    def now_ms(self) -> int:
        return self.hall.world.now_ms

    def run(self, ms: int) -> None:
        self.hall.world.run_until(self.now_ms + ms)

    def advertise(self, table: int) -> None:
        """The desk's scanner hears the box of this table, if it has power."""
        box = self.hall.tables[table].box.box
        if box is not None:
            self.hall.desk.advertised(box.advertisement(), self.now_ms)

    def out_of_reach(self, table: int, away: bool = True) -> None:
        """No link to the box of this table from now on, or again."""
        self.hall.radio.set_reach(self.hall.tables[table].uid, not away)

    def run_apart(self, table: int, ms: int) -> None:
        """Time passes while nothing is heard of this table's box, whatever the simulated radio does by itself."""
        end = self.now_ms + ms
        while self.now_ms < end:
            self.out_of_reach(table)
            self.run(min(100, end - self.now_ms))

    def look(self) -> list[Row]:
        """All that a live desk says and the ledger holds now, and the rows that come of it."""
        for heard in reversed(self.hall.desk.heard_since(self._version)):
            self.heard[heard.box] = heard
            self.model.heard(heard)
        self._version = self.hall.desk.version
        return self._rows()

    def told_anew(self) -> list[Row]:
        """What a screen shows that starts now and is told the same."""
        self.model = HallModel(self.ruleset)
        self.follower = Follower(self.ledger, self.model, slice_size=37)
        for heard in self.heard.values():
            self.model.heard(heard)
        return self._rows()

    def _rows(self) -> list[Row]:
        self.follower.catch_up()
        self.model.pulse(self.now_ms, self.clock.wall_ms())
        return self.model.rows(self.now_ms)

    def known(self, row: Row) -> Box | None:
        """The box on the row's table, if it has power, has nothing under way and the desk knows its latest fact."""
        box = self.hall.tables[row.table].box.box
        if box is None or not box.settled():
            return None
        told = self.hall.desk.lines[box.uid].told
        logged = self.ledger.contiguous(row.box, box.journal.epoch) == box.journal.head
        heard = told is not None and (told.epoch, told.head) == (box.journal.epoch, box.journal.head)
        return box if logged or heard else None

    def expect_agreement(self, rows: list[Row]) -> Counter[str]:
        """Every row whose box is known says what that box says; how many there were of each state."""
        held: Counter[str] = Counter()
        for row in rows:
            box = self.known(row)
            if box is not None:
                told = self.hall.desk.lines[box.uid].told
                never_met = told is None or told.uptime_ms is None
                now = box.uptime.date(self.hall.tables[row.table].box.raw())
                expect_agreement(row, box, now, never_met)
                held[row.state] += 1
        return held


def expect_agreement(row: Row, box: Box, now: int, never_met: bool) -> None:
    """The row says what the clock of its box says at its uptime `now`; `left` may be off by what a link takes.

    How much is left cannot be known of a boot that the desk has never met (`never_met`), and how long a time-out had
    waited before a power cut only from the box itself.
    """
    clock = box.clock
    assert row.state == STATES[clock.state]
    assert row.seat == clock.seat
    if row.lag and clock.state == k.READY:
        assert (row.move, row.bank) == (0, None) or (row.game, row.bank) == (clock.game, clock.bank)
    elif row.move_at_least:
        assert row.move <= clock.move or row.game < clock.game
    else:
        assert (row.game, row.move, row.bank) == (clock.game, clock.move, clock.bank)
    if clock.state not in _TIMED:
        assert row.left_ms is None
    elif row.stale:
        assert not row.moves_on
    elif row.left_ms is None:
        assert never_met or clock.state == k.EXPIRED
    else:
        left = clock.expired_at - now if clock.state == k.EXPIRED else 0 if clock.late else clock.watch.remaining(now)
        assert abs(row.left_ms - left) <= NEAR_MS, f"{row} but {left} ms are left"
