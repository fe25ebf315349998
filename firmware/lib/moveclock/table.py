"""A table between two inputs: who sits there, whose move it is, how many tiles are left, who moves in the final lap.

`Table` holds the state and the steps that several transitions share; which input leads to which step stands in
`moveclock.clock`. Whatever happens is appended to `facts`.
"""

import struct

from moveclock import facts as k
from moveclock.settings import CLOCKWISE, END_WITH_MOVE, PLAY_ON, Settings, count
from moveclock.stopwatch import Stopwatch

_SNAPSHOT = "<BHHBBBBHBBBHBBHBBIII"


class Table:
    """State of one table. Seats 0..3, `NOBODY` for none; stamps and durations in ms."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self.facts: list = []
        self.state = k.IDLE
        self.game = 0
        self.move = 0
        self.seat = k.NOBODY  # whose move it is, was last, or in `expired` was late
        self.starter = k.NOBODY
        self.named = False  # the starter was named by a tap and may be named anew
        self.out = 0  # mask of withdrawn seats
        self.dealt = 0  # mask of the seats that this game was dealt to
        self.bank = 0
        self.watch = Stopwatch()
        self.began_at = 0
        self.expired_at = 0
        self.drawn = False  # a tile was taken in this move
        self.penalty = False  # a tile was taken after its time ran out
        self.owing = k.NOBODY  # passed without a tile, or was ruled one that is still on the stack
        self.owing_move = 0
        self.owing_counts = False
        self.ended_seat = k.NOBODY  # the move before this one
        self.ended_move = 0
        self.claimable = False  # the move before this one ended with a click before the tile
        self.claim = False
        self.pending = False  # a dispute about the running move
        self.called = False
        self.called_at = 0
        self.reason = k.REFEREE
        self.stopped_by = k.TABLE
        self.stopped_at = 0
        self.late = False  # the stop interrupted an open verdict, not a move
        self.resume_at: int | None = None
        self.lap_reason = k.NOBODY
        self.lap_mask = 0  # seats that still move
        self.lap_waits = False  # the running move does not count yet
        self.lap_before = (0, False)
        self.was_open = False  # the game ended within a move

    def emit(
        self,
        kind: int,
        at: int,
        code: int = 0,
        a: int = 0,
        b: int = 0,
        c: int = 0,
        *,
        seat: int = k.NOBODY,
        move: int | None = None,
    ) -> None:
        self.facts.append((kind, at, self.game, self.move if move is None else move, seat, code, a, b, c))

    # --- seats -----

    def in_play(self, seat: int) -> bool:
        return seat <= k.SEAT_D and (self.settings.seats & ~self.out) >> seat & 1 == 1

    def seat_after(self, seat: int, among: int = 15) -> int:
        """The next seat clockwise that is in play and in the mask `among`; NOBODY if there is none."""
        for step in range(1, 5):
            candidate = (seat + step) & 3
            if among >> candidate & 1 and self.in_play(candidate):
                return candidate
        return k.NOBODY

    def next_seat(self) -> int:
        """Who moves after the current seat, in the final lap only seats that still have their move."""
        if self.lap_reason != k.NOBODY and not self.lap_waits and self.lap_mask:
            return self.seat_after(self.seat, self.lap_mask)
        return self.seat_after(self.seat)

    def name_starter(self, at: int, seat: int) -> None:
        self.emit(k.SEAT_CHANGED, at, 0, self.starter, seat=seat)
        self.starter = seat

    # --- games -----

    def prepare(self, at: int, game: int, starter: int, by: int) -> None:
        """Ready for the first move of `game`: bank filled, nobody has moved."""
        self.game = game
        self.move = 0
        self.starter = starter
        self.named = False
        self._rest(k.READY)
        self.fill_bank()
        self.emit(k.CONFIGURED, at, by, self.settings.limit_ms, self.dealt, self.bank, seat=starter)

    def next_game(self, at: int, by: int) -> bool:
        if count(self.settings.seats & ~self.out) < 2:
            return False
        starter = k.NOBODY
        if self.settings.next_starter == CLOCKWISE and self.starter != k.NOBODY:
            starter = self.seat_after(self.starter)
        self.prepare(at, self.game + 1, starter, by)
        return True

    def start(self, at: int, by: int) -> None:
        self.emit(k.GAME_STARTED, at, by, self.settings.limit_ms, 0, self.bank, seat=self.starter)
        self.seat = self.starter
        self.named = False
        self.begin_move(at)
        self._run(at)

    def end_game(self, at: int, reason: int, winner: int, was_open: bool) -> None:
        self.was_open = was_open
        self.emit(k.GAME_ENDED, at, reason, seat=winner)
        self.state = k.OVER
        self.resume_at = None
        self.called = self.pending  # an unanswered dispute still wants a referee
        self.claim = self.claimable = self.pending = False

    def redeal(self, at: int) -> bool:
        if self.move > count(self.dealt):
            return False
        self.move = 0
        self._rest(k.READY)
        self.fill_bank()
        self.emit(k.GAME_REDEALT, at, c=self.bank)
        if self.starter != k.NOBODY and not self.in_play(self.starter):
            self.name_starter(at, self.seat_after(self.starter))
        return True

    def reopen(self, at: int, how: int) -> bool:
        if count(self.settings.seats & ~self.out) < 2:
            return False
        same = how == k.SAME_SEAT and (self.was_open or self.late)
        self.state = k.STOPPED
        self.reason = k.REFEREE
        self.stopped_by = k.DESK
        if self.late:
            self.expired_at += at - self.stopped_at
        self.stopped_at = at
        if same and self.was_open:
            self._undo_lap_move()
        self.emit(k.GAME_REOPENED, at, how, self._left(at) if same else 0, seat=self.seat)
        if not same:
            if how == k.NEXT_SEAT and not (self.drawn or self.penalty):
                self.owe(self.seat, self.move, True)
            if how == k.SAME_SEAT and self.lap_over():
                self.lap_reason = k.NOBODY  # the desk wants the game to go on after its final lap
            self.late = False
            if not self.next_move(at):
                return True
        self.emit(k.CLOCK_STOPPED, at, k.REFEREE, self._left(at), k.DESK, seat=self.seat)
        return True

    def take_over(
        self, at: int, game: int, move: int, seat: int, remaining: int, bank: int, out: int, more: int
    ) -> None:
        """Go on in the middle of a game of another box; `more` as `Orders.order_take_over` says."""
        self.out = out
        self.prepare(at, game, self.starter, k.DESK)
        self.bank = bank
        self.seat = seat
        self.move = move
        self.drawn = more & 512 > 0
        self.penalty = more & 1024 > 0
        self.lap_reason = more >> 4 & 15 or k.NOBODY
        self.lap_mask = more & self._lap_seats(self.lap_reason)
        self.lap_waits = more & 256 > 0
        self.began_at = self.expired_at = at
        self.state = k.RUNNING
        if more & 2048:
            remaining = 0
            self.state = k.EXPIRED
            self._moved()
        self.watch.wind(remaining)
        self.emit(k.MOVE_STARTED, at, more >> 11, remaining, more, bank, seat=seat)
        self.stop(at, k.BOX_LOST_POWER, k.BOX)  # the box before did, or might have: the table itself may go on

    def _rest(self, state: int) -> None:
        self.state = state
        self.seat = self.ended_seat = self.owing = self.lap_reason = k.NOBODY
        self.ended_move = 0
        self.drawn = self.penalty = self.late = self.lap_waits = self.was_open = False
        self.claim = self.claimable = self.pending = self.called = False
        self.resume_at = None
        self.watch.wind(0)

    # --- moves -----

    def begin_move(self, at: int) -> None:
        """The next move, of `seat`, with its full limit; the clock is not running yet."""
        self.move += 1
        self.began_at = at
        self.drawn = self.penalty = False
        self.watch.wind(self.settings.limit_ms)
        self.emit(k.MOVE_STARTED, at, 0, self.watch.allowed, 0, self.bank, seat=self.seat)

    def end_move(self, at: int, how: int) -> None:
        self.watch.halt(at)
        self.emit(k.MOVE_ENDED, at, how, self.watch.played, int(self.drawn), self.bank, seat=self.seat)
        self._moved()

    def _moved(self) -> None:
        """The move of `seat` is over, and counts in the final lap."""
        self.ended_seat = self.seat
        self.ended_move = self.move
        self.owing = k.NOBODY
        self.lap_before = (self.lap_mask, self.lap_waits)
        if self.lap_waits:
            self.lap_waits = False
        else:
            self.lap_mask &= ~(1 << self.seat)

    def next_move(self, at: int) -> bool:
        """A move is over and settled: the next seat's begins (True), or the game ends with its final lap."""
        if self.lap_over():
            self.end_game(at, self.lap_reason, k.NOBODY, False)
            return False
        self.seat = self.next_seat()
        self.begin_move(at)
        return True

    def go_on(self, at: int) -> None:
        """The same, and the clock runs, unless a dispute waited for the end of the move."""
        if self.next_move(at):
            self._run(at)
            if self.pending:
                self.stop(at, k.DISPUTE, k.TABLE)

    def restored(self, at: int, verdict: int, tiles: int) -> None:
        """The table says what became of the late move."""
        self.emit(k.TABLE_RESTORED, at, verdict, at - self.expired_at, tiles, self.bank, seat=self.seat)
        self.bank_changed(at)
        self.go_on(at)

    def take_up_move(self) -> None:
        """The referee gives the move time: that answers a claim, and a move whose verdict is open goes on after all."""
        self.claim = self.claimable = False
        if self.late:
            self.late = False
            self.drawn = self.drawn or self.penalty  # the tile taken after its time is the one tile of this move
            self._undo_lap_move()

    def withdraw(self, at: int, seat: int) -> None:
        self.out |= 1 << seat
        self.lap_mask &= ~(1 << seat)
        self.emit(k.SEAT_WITHDRAWN, at, seat=seat)
        alone = count(self.settings.seats & ~self.out) < 2
        if not self.late and (alone or seat == self.seat):
            self.end_move(at, k.BY_WITHDRAWAL if seat == self.seat else k.BY_DESK)
            self.claim = self.claimable = False
            if alone:
                self.end_game(at, k.LAST_SEAT, self.seat_after(seat), True)
            elif self.next_move(at) and self.pending:
                self.stop(at, k.DISPUTE, k.TABLE)
        elif alone:
            self.end_game(at, k.LAST_SEAT, self.seat_after(seat), False)

    # --- stopping -----

    def stop(self, at: int, reason: int, by: int) -> None:
        """The clock stops and keeps what it interrupts; a clock that stands already takes the new reason.

        A stop that brings a referee settles a pending dispute; any other leaves it to the end of the move.
        """
        if self.state != k.STOPPED:
            self.late = self.state == k.EXPIRED
            self.watch.halt(at)
            self.stopped_at = at
            self.state = k.STOPPED
        self.reason = reason
        self.stopped_by = by
        self.pending = self.pending and reason not in (k.REFEREE, k.DISPUTE)
        self.resume_at = None
        self.emit(k.CLOCK_STOPPED, at, reason, self._left(at), by, seat=self.seat)

    def resume(self, at: int, by: int) -> None:
        if self.claim:
            self.claim = self.claimable = False
            self.owing = k.NOBODY
            self.watch.wind(self.settings.limit_ms)
            self.emit(k.MOVE_RESTARTED, at, k.TABLE, self.watch.allowed, seat=self.seat)
        stopped = at - self.stopped_at
        self.emit(k.CLOCK_RESUMED, at, by, stopped, self._left(at), seat=self.seat)
        self.called = False
        self.resume_at = None
        if self.late:
            self.late = False
            self.expired_at += stopped
            self.state = k.EXPIRED
        else:
            self._run(at)

    def lose_power(self, at: int) -> None:
        """After a restart: what was running or expired stands still until somebody resumes it."""
        if self.state == k.STOPPED:
            self.called = self.called or self.reason == k.DISPUTE  # whoever was called has not been here yet
            self.stop(at, k.BOX_LOST_POWER, self.stopped_by)
        elif self.state in (k.RUNNING, k.EXPIRED):
            self.stop(at, k.BOX_LOST_POWER, k.BOX)

    def _run(self, at: int) -> None:
        self.state = k.RUNNING
        self.called = False
        self.watch.run(at)

    def _left(self, at: int) -> int:
        return 0 if self.late else self.watch.remaining(at)

    # --- tiles -----

    def fill_bank(self) -> None:
        self.dealt = self.settings.seats & ~self.out
        self.bank = self.settings.tiles - self.settings.hand * count(self.dealt)

    def owe(self, seat: int, move: int, counts: bool) -> None:
        """A tile of `seat` is still on the stack; `counts`: the bank has not counted it yet."""
        self.owing = seat
        self.owing_move = move
        self.owing_counts = counts

    def tile(self, at: int, seat: int, move: int, counted: bool) -> None:
        if counted:
            self.bank -= 1
        self.emit(k.TILE_DRAWN, at, int(counted), self.watch.elapsed(at), 0, self.bank, seat=seat, move=move)
        if counted:
            self.bank_changed(at)

    def take_tile(self, at: int) -> None:
        """Dalej itself counts as the tile, at a box without a tile contact."""
        self.bank -= 1
        self.bank_changed(at)

    # --- the final lap -----

    def bank_changed(self, at: int) -> None:
        if not self.bank and self.lap_reason == k.NOBODY and self.settings.on_bank_empty != PLAY_ON:
            self.begin_lap(at, k.BANK_EMPTY)

    def lap_over(self) -> bool:
        return self.lap_reason != k.NOBODY and not self.lap_waits and not self.lap_mask

    def begin_lap(self, at: int, reason: int) -> None:
        """The running move is completed, then every seat moves once; or none does, if the game ends with that move."""
        self.lap_reason = reason
        self.lap_mask = self._lap_seats(reason)
        self.lap_waits = self.state == k.RUNNING or (self.state == k.STOPPED and not self.late)
        self.lap_before = (self.lap_mask, True)  # a late move that is taken up runs, and is the one to complete
        self.emit(k.FINAL_LAP_BEGUN, at, reason)

    def _lap_seats(self, reason: int) -> int:
        """Who moves in a final lap of that reason: everybody, or nobody if the game ends with the running move."""
        policy = self.settings.on_bank_empty if reason == k.BANK_EMPTY else self.settings.on_round_time
        return 0 if policy == END_WITH_MOVE else self.settings.seats & ~self.out

    def _undo_lap_move(self) -> None:
        """The move that has ended goes on: it has not been anybody's move of the lap."""
        self.lap_mask, self.lap_waits = self.lap_before
        self.lap_mask &= ~self.out

    # --- surviving a power cut -----

    def snapshot(self, now: int) -> bytes:
        """All that a restart needs to stop where this table is at `now`."""
        late_until = now if self.state == k.EXPIRED else self.stopped_at
        bits = (
            self.named, self.drawn, self.penalty, self.owing_counts, self.claimable, self.claim, self.pending,
            self.called, self.late, self.lap_waits, self.was_open, self.lap_before[1],
        )  # fmt: skip
        flags = self.dealt << 12
        for place in range(len(bits)):
            if bits[place]:
                flags |= 1 << place
        return struct.pack(
            _SNAPSHOT, self.state, self.game, self.move, self.seat, self.starter, self.out, self.bank, flags,
            self.lap_reason, self.lap_mask, self.owing, self.owing_move, self.ended_seat, self.reason, self.ended_move,
            self.stopped_by, self.lap_before[0], self.watch.allowed,
            min(self.watch.elapsed(now), self.watch.allowed),
            late_until - self.expired_at if self.state == k.EXPIRED or self.late else 0,
        )  # fmt: skip

    def restore(self, data: bytes, at: int) -> bool:
        """Take up a snapshot at uptime `at` of a new boot; False, and nothing changed, if it is not one."""
        if len(data) != struct.calcsize(_SNAPSHOT):
            return False
        (
            self.state, self.game, self.move, self.seat, self.starter, self.out, self.bank, flags, self.lap_reason,
            self.lap_mask, self.owing, self.owing_move, self.ended_seat, self.reason, self.ended_move, self.stopped_by,
            before, self.watch.allowed, self.watch.played, overrun,
        ) = struct.unpack(_SNAPSHOT, data)  # fmt: skip
        self.watch.since = None
        self.named = flags & 1 > 0
        self.drawn = flags & 2 > 0
        self.penalty = flags & 4 > 0
        self.owing_counts = flags & 8 > 0
        self.claimable = flags & 16 > 0
        self.claim = flags & 32 > 0
        self.pending = flags & 64 > 0
        self.called = flags & 128 > 0
        self.late = flags & 256 > 0
        self.lap_waits = flags & 512 > 0
        self.was_open = flags & 1024 > 0
        self.lap_before = (before, flags & 2048 > 0)
        self.dealt = flags >> 12
        self.began_at = self.stopped_at = at
        self.expired_at = at - overrun
        self.called_at = at - self.settings.withdraw_ms - 1
        return True
