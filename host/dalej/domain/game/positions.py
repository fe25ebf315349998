"""Where a table stands after the facts of its box: whose move it is, how much is left of it, how many tiles.

A fold over one journal in the order of the box. It says what the clock of the box said after each fact. What no fact
tells is None: how long a time-out had waited when the box lost its power, or how the clock stood before the first fact.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Final

from dalej.domain.game.commands import MidGame, told_by
from dalej.domain.game.facts import Fact
from moveclock import facts as k

_UPTIME: Final = 0xFFFFFFFF
_RUNS: Final = (k.RUNNING, k.EXPIRED, k.STOPPED)

# kind -> the method that follows it
_FOLLOW: Final[Mapping[int, str]] = {
    k.BOOTED: "booted",
    k.CONFIGURED: "configured",
    k.GAME_STARTED: "game_started",
    k.MOVE_STARTED: "move_started",
    k.TILE_DRAWN: "tile_drawn",
    k.MOVE_ENDED: "move_ended",
    k.TIME_RAN_OUT: "time_ran_out",
    k.TABLE_RESTORED: "table_restored",
    k.MOVE_RESTARTED: "move_restarted",
    k.CLOCK_STOPPED: "clock_stopped",
    k.CLOCK_RESUMED: "clock_resumed",
    k.TIME_CORRECTED: "time_corrected",
    k.EXTRA_TIME_GIVEN: "extra_time_given",
    k.SEAT_CHANGED: "seat_changed",
    k.SEAT_WITHDRAWN: "seat_withdrawn",
    k.BANK_CORRECTED: "bank_corrected",
    k.FINAL_LAP_BEGUN: "final_lap_begun",
    k.GAME_ENDED: "game_ended",
    k.GAME_REOPENED: "game_reopened",
    k.GAME_REDEALT: "game_redealt",
}


class Position:
    """One table. States, seats and reasons are the numbers of `moveclock`; durations in ms; None: not known.

    `left_ms` was left of the move at uptime `at_ms` of boot `boot`, and falls since then if `runs`; in `expired`, and
    in a stop that interrupts an open verdict (`late`), `over_ms` is how long the move was over then, and `runs` says
    whether that grows. `reason` is why the clock stands or the game is over. `seats` were dealt to, `out` of them have
    withdrawn. `dealt_seq`: the fact by which the tiles were dealt; facts before it are of another game or deal.
    `drawn`: a tile was taken in the move, `penalty`: one was taken after its time. Of the final lap of `lap_reason`:
    `lap_mask` are the seats that still move, `lap_waits`: the running move does not count yet, `lap_before`: both
    before the last move was over. Facts do not say whether a game ends without a lap: then nobody moves, whatever the
    mask says.
    """

    __slots__ = (
        "at_ms", "bank", "boot", "dealt_seq", "drawn", "epoch", "game", "lap_before", "lap_mask", "lap_reason",
        "lap_waits", "late", "left_ms", "limit_ms", "move", "out", "over_ms", "penalty", "reason", "restored", "runs",
        "seat", "seats", "seats_before", "seq", "starter", "state", "was_open",
    )  # fmt: skip

    def __init__(self) -> None:
        self.epoch = 0
        self.seq = 0
        self.boot = 0
        self.at_ms = 0
        self.dealt_seq = 0
        self.state: int | None = None
        self.reason: int | None = None
        self.seat = k.NOBODY
        self.starter = k.NOBODY
        self.game = 0
        self.move = 0
        self.bank: int | None = None
        self.limit_ms: int | None = None
        self.left_ms: int | None = None
        self.over_ms: int | None = None
        self.runs = False
        self.late: bool | None = None
        self.seats = 0
        self.out = 0
        self.seats_before = 0  # as they were dealt to before the box was set up last
        self.lap_reason: int | None = None
        self.lap_mask = 0
        self.lap_waits = False
        self.lap_before = (0, False)
        self.drawn = False
        self.penalty = False
        self.restored = False  # the table has spoken, and the next move has not begun
        self.was_open = False  # the game ended within a move

    def take(self, fact: Fact) -> None:
        """The next fact of the box."""
        if self.seq and fact.seq != self.seq + 1:
            self.late = None  # facts are missing: the clock may have been resumed
        self.epoch, self.seq = fact.epoch, fact.seq
        follow = _FOLLOW.get(fact.kind)
        if follow is not None:
            getattr(self, follow)(fact)

    @property
    def mid_game(self) -> MidGame:
        """What a box that takes over here has to know of the move and of the final lap."""
        late = self.state == k.EXPIRED or (self.state == k.STOPPED and bool(self.late))
        move = MidGame(late, self.drawn, late and self.penalty)
        if self.lap_reason is None:
            return move
        mask, waits = self.lap_before if late else (self.lap_mask, self.lap_waits)
        return replace(move, lap_reason=self.lap_reason, lap_mask=mask & ~self.out, lap_waits=waits)

    def left_at(self, uptime_ms: int) -> int | None:
        """What is left at that uptime of the same boot, never below 0; minus the overrun in `expired`."""
        passed = (uptime_ms - self.at_ms) & _UPTIME if self.runs else 0
        if passed > _UPTIME >> 1:
            passed = 0  # asked about an instant before the fact
        if self.state == k.EXPIRED or (self.state == k.STOPPED and self.late):
            return None if self.over_ms is None else -self.over_ms - passed
        return None if self.left_ms is None else max(0, self.left_ms - passed)

    def _stamp(self, fact: Fact, runs: bool) -> None:
        """Times that run are brought to the fact's stamp, and run on or stand from there."""
        if self.runs:
            passed = (fact.uptime_ms - self.at_ms) & _UPTIME if fact.boot == self.boot else None
            if self.state == k.EXPIRED:
                self.over_ms = None if self.over_ms is None or passed is None else self.over_ms + passed
            else:
                self.left_ms = None if self.left_ms is None or passed is None else max(0, self.left_ms - passed)
        self.boot, self.at_ms, self.runs = fact.boot, fact.uptime_ms, runs

    # --- what each fact does to the table -----

    def booted(self, fact: Fact) -> None:
        self._stamp(fact, False)
        if not fact.game:
            self._clear(k.IDLE, fact)
            self.limit_ms = None
        elif self.state is None:
            self.game, self.move, self.bank = fact.game, fact.move, fact.c
        elif self.state in _RUNS:
            self._interrupt()
            self.state, self.reason = k.STOPPED, k.BOX_LOST_POWER

    def _clear(self, state: int, fact: Fact) -> None:
        self.state, self.reason, self.seat, self.move = state, None, k.NOBODY, 0
        self.game, self.bank = fact.game, fact.c
        self.left_ms = self.over_ms = self.lap_reason = None
        self.lap_waits = self.drawn = self.penalty = self.restored = self.was_open = False
        self.dealt_seq = fact.seq

    def configured(self, fact: Fact) -> None:
        self._stamp(fact, False)
        self.seats_before = self.seats
        if fact.b != self.seats & ~self.out:
            self.seats, self.out = fact.b, 0
        self._clear(k.READY, fact)
        self.limit_ms, self.starter = fact.a, fact.seat

    def game_redealt(self, fact: Fact) -> None:
        self._stamp(fact, False)
        self._clear(k.READY, fact)

    def game_started(self, fact: Fact) -> None:
        self._stamp(fact, False)
        self.state, self.limit_ms, self.starter, self.bank = k.RUNNING, fact.a, fact.seat, fact.c
        self.game = fact.game

    def move_started(self, fact: Fact) -> None:
        stands = self.state == k.STOPPED and self.late is not None
        if self.state == k.READY:
            self._goes_on_here()
        self._stamp(fact, not stands)
        if not stands:
            self.state, self.reason = k.RUNNING, None
        self.late, self.over_ms, self.restored = False, None, False
        self.game, self.move, self.seat = fact.game, fact.move, fact.seat
        self.left_ms, self.bank = fact.a, fact.c
        self._taken_over(told_by(fact))

    def _goes_on_here(self) -> None:
        """The box was set up with those who play still; who was dealt to was said before that."""
        if not self.out and self.seats_before & self.seats == self.seats:
            self.seats, self.out = self.seats_before, self.seats_before & ~self.seats

    def _taken_over(self, before: MidGame) -> None:
        """How it stood at the box before; a move that began here begins with nothing."""
        self.drawn, self.penalty = before.drawn, before.penalty
        if before.lap_reason is not None:
            self.lap_reason, self.lap_mask, self.lap_waits = before.lap_reason, before.lap_mask, before.lap_waits
        if before.late:
            self.state, self.over_ms = k.EXPIRED, 0
            self._lap_move_over()

    def tile_drawn(self, fact: Fact) -> None:
        self.bank = fact.c
        if fact.move == self.move and (self.state == k.EXPIRED or self.late):
            self.penalty = self.penalty or fact.code == 1
        elif fact.move == self.move:
            self.drawn = True

    def move_ended(self, fact: Fact) -> None:
        self._stamp(fact, False)
        self.drawn = fact.b == 1
        self.seat = fact.seat
        self._lap_move_over()
        self.bank, self.game, self.move, self.seat = fact.c, fact.game, fact.move, fact.seat
        if fact.code == k.BY_TIMEOUT:
            self.state, self.reason, self.runs = k.EXPIRED, None, True
            self.left_ms = self.over_ms = 0
        elif fact.code in (k.BY_JUZ, k.BY_DALEJ, k.BY_EMPTY_RACK):
            self.state, self.reason = k.RUNNING, None

    def time_ran_out(self, fact: Fact) -> None:
        self._stamp(fact, True)
        self.state, self.reason = k.EXPIRED, None
        self.bank, self.game, self.move, self.seat = fact.c, fact.game, fact.move, fact.seat
        self.left_ms = self.over_ms = 0
        self.drawn, self.penalty = fact.b == 1, False

    def _lap_move_over(self) -> None:
        self.lap_before = (self.lap_mask, self.lap_waits)
        if self.lap_waits:
            self.lap_waits = False
        else:
            self.lap_mask &= ~(1 << self.seat)

    def _undo_lap_move(self) -> None:
        self.lap_mask, self.lap_waits = self.lap_before
        self.lap_mask &= ~self.out

    def _taken_up(self) -> None:
        """The referee gives the move time; one whose time was over goes on after all, with the one tile of it."""
        if self.late:
            self.drawn = self.drawn or self.penalty
            self._undo_lap_move()
        self.late, self.over_ms = False, None

    def table_restored(self, fact: Fact) -> None:
        self._stamp(fact, False)
        self.state, self.bank, self.restored = k.RUNNING, fact.c, True

    def move_restarted(self, fact: Fact) -> None:
        self._taken_up()
        self.left_ms = fact.a

    def _interrupt(self) -> None:
        """The clock stands; one that stood before still interrupts the same."""
        if self.state is not None and self.state != k.STOPPED and self.late is not None:
            self.late = self.state == k.EXPIRED

    def clock_stopped(self, fact: Fact) -> None:
        self._stamp(fact, False)
        self._interrupt()
        if self.late is None and fact.a:
            self.late = False
        self.state, self.reason = k.STOPPED, fact.code
        self.left_ms = fact.a
        self.game, self.move, self.seat = fact.game, fact.move, fact.seat

    def clock_resumed(self, fact: Fact) -> None:
        self._stamp(fact, True)
        waits = not fact.b if self.late is None else self.late
        self.state, self.reason = (k.EXPIRED if waits else k.RUNNING), None
        self.left_ms, self.late = fact.b, False
        self.game, self.move, self.seat = fact.game, fact.move, fact.seat

    def time_corrected(self, fact: Fact) -> None:
        self.left_ms = fact.a
        if fact.a:
            self._taken_up()

    def extra_time_given(self, fact: Fact) -> None:
        self._taken_up()
        self.left_ms = fact.a

    def seat_changed(self, fact: Fact) -> None:
        if self.state == k.READY:
            self.starter = fact.seat
        else:
            self.seat = fact.seat

    def seat_withdrawn(self, fact: Fact) -> None:
        self.out |= 1 << fact.seat
        self.lap_mask &= ~(1 << fact.seat)

    def bank_corrected(self, fact: Fact) -> None:
        self.bank = fact.c
        if fact.c and self.lap_reason == k.BANK_EMPTY:
            self.lap_reason = None

    def final_lap_begun(self, fact: Fact) -> None:
        self.lap_reason = fact.code
        self.lap_mask = self.seats & ~self.out
        self.lap_waits = not self.restored and (self.state == k.RUNNING or (self.state == k.STOPPED and not self.late))
        self.lap_before = (self.lap_mask, True)

    def game_ended(self, fact: Fact) -> None:
        self._stamp(fact, False)
        if self.state == k.EXPIRED:
            self.late = fact.code == k.DESK_ENDED  # else the last time-out of the final lap, which nobody judges
        self.was_open = not self.late and fact.code in (k.WENT_OUT, k.LAST_SEAT, k.DESK_ENDED)
        self.state, self.reason = k.OVER, fact.code

    def game_reopened(self, fact: Fact) -> None:
        self._stamp(fact, False)
        if fact.code == k.SAME_SEAT and self.reason in (k.BANK_EMPTY, k.ROUND_TIME):
            self.lap_reason = None  # the final lap was over, and the game goes on after it
        if fact.code == k.SAME_SEAT and self.was_open:
            self._undo_lap_move()
        self.state, self.reason = k.STOPPED, k.REFEREE
        self.game, self.move, self.seat = fact.game, fact.move, fact.seat
        if fact.code == k.NEXT_SEAT or fact.a:
            self.late = False
        self.left_ms = fact.a


def position(facts: Iterable[Fact]) -> Position:
    """Where the table stands after these facts of one journal, in whatever order and however often they are given."""
    fold = Position()
    for fact in sorted({fact.seq: fact for fact in facts}.values(), key=lambda fact: fact.seq):
        fold.take(fact)
    return fold
