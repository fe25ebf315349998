"""An onlooker with a stopwatch and a pencil: reads the facts of one table and knows the rules from the design alone.

What it works out for itself from stamps (played and stopped time, the bank, whose turn it is, who still moves in the
final lap) must be what every fact says. An AssertionError names the fact that contradicts the ones before it.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import NamedTuple

from dalej.domain.game.facts import NAMES
from moveclock import facts as k
from moveclock import settings as rules


class Fact(NamedTuple):
    """A fact as the core says it; `code`, `a`, `b`, `c` as the kind's line in `moveclock.facts` says."""

    kind: int
    at: int
    game: int
    move: int
    seat: int
    code: int
    a: int
    b: int
    c: int


ABOUT_OTHER_MOVES = (k.TILE_DRAWN, k.CLICKED_BEFORE_DRAWING, k.DISPUTE_RAISED, k.CALL_WITHDRAWN)
MAKES_GAME_OR_MOVE = (k.CONFIGURED, k.MOVE_STARTED, k.GAME_REDEALT)
ONLY_STOPPED = (k.MOVE_RESTARTED, k.TIME_CORRECTED, k.EXTRA_TIME_GIVEN, k.SEAT_WITHDRAWN, k.BANK_CORRECTED)


@dataclass
class Lap:
    """Who still moves before the game is over; `waits`: the running move comes first and counts for nobody."""

    reason: int
    left: set[int]
    waits: bool
    before: tuple[set[int], bool]

    @property
    def over(self) -> bool:
        return not (self.left or self.waits)


@dataclass
class Watcher:
    """One table, seen from its facts. `kostka`: a tile is what its contact says, else what a Dalej says."""

    settings: rules.Settings
    kostka: bool
    at: int = 0
    game: int = 0
    move: int = 0
    seat: int = k.NOBODY
    in_play: set[int] = field(default_factory=set)
    bank: int = 0
    allowed: int = 0
    played: int = 0
    running_since: int | None = None
    stopped_since: int | None = None
    open: bool = False  # a move is on, running or stopped
    late: bool = False  # a verdict is
    drawn: bool = False
    counted: set[int] = field(default_factory=set)  # moves whose one tile was counted
    lap: Lap | None = None
    due: int | None = None  # whose move starts next, if it is not simply the next seat's
    ended_in: str = ""  # what the end of the game, or of the move before, interrupted

    def remaining(self, now: int) -> int:
        """What the display should show."""
        return max(0, self.allowed - self.played_by(now))

    def played_by(self, now: int) -> int:
        """Ms of the move that were played, stops apart."""
        return self.played + (0 if self.running_since is None else now - self.running_since)

    def power_cut(self, at: int) -> None:
        """What was played is played; stamps begin again at 0."""
        self._halt(at)
        self.stopped_since = None if self.stopped_since is None else 0
        self.at = 0

    def see(self, values: tuple[int, ...]) -> None:
        """The next fact."""
        fact = Fact(*values)
        assert fact.at >= self.at, f"{fact}: a stamp before {self.at}"
        self.at = fact.at
        if fact.kind != k.CONFIGURED:
            assert fact.game == self.game, f"{fact}: this is game {self.game}"
        if fact.kind not in ABOUT_OTHER_MOVES + MAKES_GAME_OR_MOVE:
            assert fact.move == self.move, f"{fact}: this is move {self.move}"
        if fact.kind in ONLY_STOPPED and not (fact.kind == k.MOVE_RESTARTED and fact.code == k.TABLE):
            assert self.stopped_since is not None, f"{fact}: the clock is not stopped"
        reader = getattr(self, f"saw_{NAMES[fact.kind]}", None)
        if reader is not None:
            reader(fact)

    # --- games ---

    def saw_configured(self, fact: Fact) -> None:
        assert not self.open, f"{fact}: in the middle of a move"
        assert not self.late, f"{fact}: while a verdict is open"
        assert fact.a == self.settings.limit_ms, fact
        self.game = fact.game
        self.in_play = {seat for seat in range(4) if fact.b >> seat & 1}
        self._deal(fact)

    def saw_game_redealt(self, fact: Fact) -> None:
        self._deal(fact)

    def _deal(self, fact: Fact) -> None:
        self.bank = self.settings.tiles - self.settings.hand * len(self.in_play)
        assert fact.c == self.bank, f"{fact}: the bank is not full"
        self.move = self.allowed = self.played = 0
        self.seat = k.NOBODY
        self.open = self.late = False
        self.lap = self.due = self.running_since = self.stopped_since = None
        self.counted = set()

    def saw_game_started(self, fact: Fact) -> None:
        assert self.move == 0, fact
        assert (fact.a, fact.c) == (self.settings.limit_ms, self.bank), fact
        self.due = fact.seat

    def saw_game_ended(self, fact: Fact) -> None:
        assert not self.open, f"{fact}: its move has not ended"
        self._halt(fact.at)
        if fact.code in (k.BANK_EMPTY, k.ROUND_TIME):
            assert self.lap is not None, f"{fact}: there was no lap"
            assert fact.code == self.lap.reason, fact
            assert self.lap.over, f"{fact}: {self.lap.left} had no move in the lap"
            self.ended_in = ""
        elif self.late:
            self.ended_in = "verdict"
        if fact.code == k.LAST_SEAT:
            assert self.in_play == {fact.seat}, fact
        self.late = False
        self.stopped_since = None

    def saw_game_reopened(self, fact: Fact) -> None:
        assert fact.seat == self.seat, fact
        self.stopped_since = fact.at
        if fact.code == k.SAME_SEAT:
            self.open, self.late = self.ended_in == "move", self.ended_in == "verdict"
        if self.open:
            assert fact.a == self.remaining(fact.at), fact
            self._undo_lap_move()
        elif fact.code == k.SAME_SEAT and not self.late and self.lap is not None and self.lap.over:
            self.lap = None  # nothing was interrupted: the desk wants the game to go on after its lap
        self.ended_in = ""

    # --- moves ---

    def saw_move_started(self, fact: Fact) -> None:
        assert not self.open, f"{fact}: move {self.move} of seat {self.seat} is not over"
        if self.move == 0 and self.due is None:  # a spare box takes over
            self.bank = fact.c
        else:
            assert fact.move == self.move + 1, fact
            assert fact.seat == self._next_seat(), f"{fact}: it is the turn of seat {self._next_seat()}"
            assert fact.a == self.settings.limit_ms, fact
            assert fact.c == self.bank, fact
        assert fact.seat in self.in_play, fact
        self.move, self.seat, self.allowed = fact.move, fact.seat, fact.a
        self.played = 0
        self.open, self.late, self.drawn = True, False, False
        self.due, self.ended_in = None, ""
        if self.stopped_since is None:
            self.running_since = fact.at
        self._taken_over(fact)

    def _taken_over(self, fact: Fact) -> None:
        """What the box before has told of the move stands in the bits of `b`."""
        bit = [fact.b >> place & 1 == 1 for place in range(12)]
        reason = fact.b >> 4 & 15
        assert fact.code == bit[11], fact
        self.drawn = bit[9]
        if bit[9] or bit[10]:
            self.counted.add(fact.move)
        if reason:
            ends_at_once = self._policy(reason) == rules.END_WITH_MOVE
            left = set() if ends_at_once else {seat for seat in self.in_play if bit[seat]}
            self.lap = Lap(reason, left, bit[8], (set(left), bit[8]))
        if bit[11]:
            assert fact.a == 0, fact
            self.open, self.late, self.running_since = False, True, None
            self._lap_move_over(fact.seat)

    def _next_seat(self) -> int:
        """Clockwise among the seats in play, in the lap among those that still have their move."""
        if self.due is not None:
            return self.due
        among = self.in_play
        if self.lap is not None and not self.lap.waits:
            among = self.lap.left
        clockwise = [(self.seat + step) % 4 for step in range(1, 5)]
        return next((seat for seat in clockwise if seat in among), k.NOBODY)

    def saw_move_ended(self, fact: Fact) -> None:
        assert self.open, f"{fact}: no move is on"
        assert fact.seat == self.seat, fact
        if fact.code == k.BY_DALEJ and fact.b and not (self.kostka or self.drawn):
            self._count_tile(fact)
            self.drawn = True
        self._halt(fact.at)
        assert fact.a == self.played, f"{fact}: the stopwatch says {self.played}"
        assert fact.a <= self.allowed, fact
        assert bool(fact.b) == self.drawn, fact
        assert fact.c == self.bank, fact
        self.open = False
        self.late = fact.code == k.BY_TIMEOUT
        self.ended_in = "" if self.late else "move"
        self._lap_move_over(fact.seat)

    def _lap_move_over(self, seat: int) -> None:
        if self.lap is not None:
            self.lap.before = (set(self.lap.left), self.lap.waits)
            if not self.lap.waits:
                self.lap.left.discard(seat)
            self.lap.waits = False

    def saw_time_ran_out(self, fact: Fact) -> None:
        assert self.running_since is not None, f"{fact}: the clock stood"
        assert fact.a == self.played_by(fact.at) == self.allowed, fact
        assert bool(fact.b) == self.drawn, fact

    def saw_table_restored(self, fact: Fact) -> None:
        assert self.late, f"{fact}: no verdict is open"
        assert self.stopped_since is None, f"{fact}: the clock is stopped"
        assert fact.seat == self.seat, fact
        assert fact.b <= (fact.code == k.UNDONE), fact
        if fact.b and fact.move not in self.counted:
            self._count_tile(fact)
        assert fact.c == self.bank, fact
        self.late = False

    # --- the clock stands ---

    def _halt(self, at: int) -> None:
        if self.running_since is not None:
            self.played += at - self.running_since
            self.running_since = None

    def saw_clock_stopped(self, fact: Fact) -> None:
        assert self.open or self.late, f"{fact}: nothing to stop"
        assert fact.seat == self.seat, fact
        self._halt(fact.at)
        if self.stopped_since is None:
            self.stopped_since = fact.at
        assert fact.a == (0 if self.late else self.remaining(fact.at)), fact

    def saw_clock_resumed(self, fact: Fact) -> None:
        assert self.stopped_since is not None, f"{fact}: the clock was not stopped"
        assert fact.a == fact.at - self.stopped_since, fact
        assert fact.b == (0 if self.late else self.remaining(fact.at)), fact
        assert fact.seat == self.seat, fact
        self.stopped_since = None
        if self.open:
            self.running_since = fact.at

    def saw_move_restarted(self, fact: Fact) -> None:
        assert fact.a == self.settings.limit_ms, fact
        self.allowed, self.played = fact.a, 0
        self._go_on()

    def saw_time_corrected(self, fact: Fact) -> None:
        self.allowed = self.played + fact.a
        if fact.a:
            self._go_on()

    def saw_extra_time_given(self, fact: Fact) -> None:
        assert fact.a == self.remaining(fact.at) + fact.b, fact
        self.allowed = self.played + fact.a
        self._go_on()

    def _go_on(self) -> None:
        """A late move that is given time goes on."""
        if self.late:
            self.open, self.late = True, False
            self.drawn = self.drawn or self.move in self.counted
            self._undo_lap_move()

    def _undo_lap_move(self) -> None:
        if self.lap is not None:
            left, self.lap.waits = self.lap.before
            self.lap.left = left & self.in_play

    # --- seats, tiles, the lap ---

    def saw_seat_changed(self, fact: Fact) -> None:
        assert fact.seat in self.in_play, fact
        if self.open or self.late:
            assert self.stopped_since is not None, f"{fact}: the clock is not stopped"
            assert fact.a == self.seat, fact
            self.seat = fact.seat
            self.due = fact.seat if self.late else None

    def saw_seat_withdrawn(self, fact: Fact) -> None:
        self.in_play.remove(fact.seat)
        if self.lap is not None:
            self.lap.left.discard(fact.seat)

    def saw_tile_drawn(self, fact: Fact) -> None:
        assert fact.move <= self.move, f"{fact}: a tile of a move to come"
        if fact.code:
            self._count_tile(fact)
        if fact.move == self.move and self.open:
            self.drawn = True
        assert fact.c == self.bank, fact

    def _count_tile(self, fact: Fact) -> None:
        assert fact.move not in self.counted, f"{fact}: a second tile of this move is counted"
        self.counted.add(fact.move)
        self.bank -= 1
        assert self.bank >= 0, f"{fact}: the bank is negative"

    def saw_bank_corrected(self, fact: Fact) -> None:
        assert fact.a == self.bank, fact
        self.bank = fact.c
        if self.bank and self.lap is not None and self.lap.reason == k.BANK_EMPTY:
            self.lap = None

    def saw_final_lap_begun(self, fact: Fact) -> None:
        assert fact.code in (k.BANK_EMPTY, k.ROUND_TIME), fact
        assert self.lap is None, f"{fact}: a second lap"
        left = set() if self._policy(fact.code) == rules.END_WITH_MOVE else set(self.in_play)
        self.lap = Lap(fact.code, left, self.open, (set(left), True))

    def _policy(self, reason: int) -> int:
        return self.settings.on_bank_empty if reason == k.BANK_EMPTY else self.settings.on_round_time
