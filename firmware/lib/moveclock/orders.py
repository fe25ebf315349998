"""What the desk may command of a table: the actions of `moveclock.clock.ORDERS`.

Each takes the stamp and a tuple of ints, and returns 0 or the `R_` number of why it is refused; a refused command has
changed nothing. Values are absolute, so that a command carried out twice does no harm.
"""

from moveclock import facts as k
from moveclock.settings import count
from moveclock.table import Table

LONGEST_MS = 3600000
COUNTED_MOST = 65535  # games and moves are u16 on flash


class Orders(Table):
    """A table that obeys a desk."""

    def order_start(self, at: int, arguments: tuple) -> int:
        if self.starter == k.NOBODY:
            return k.R_SEAT
        self.start(at, k.DESK)
        return 0

    def order_stop(self, at: int, arguments: tuple) -> int:
        if not arguments or arguments[0] >= k.BOX_LOST_POWER:
            return k.R_ARGUMENT
        self.stop(at, arguments[0], k.DESK)
        return 0

    def order_resume(self, at: int, arguments: tuple) -> int:
        self.resume(at, k.DESK)
        return 0

    def order_restart_move(self, at: int, arguments: tuple) -> int:
        if not self.in_play(self.seat):
            return k.R_SEAT
        self.take_up_move()
        self.watch.wind(self.settings.limit_ms)
        self.emit(k.MOVE_RESTARTED, at, k.DESK, self.watch.allowed, seat=self.seat)
        return 0

    def order_set_remaining(self, at: int, arguments: tuple) -> int:
        if not arguments or arguments[0] > LONGEST_MS:
            return k.R_ARGUMENT
        if not self.in_play(self.seat):
            return k.R_SEAT
        if arguments[0] or not self.late:
            self.take_up_move()
        self.watch.leave(arguments[0])
        self.emit(k.TIME_CORRECTED, at, 0, arguments[0], seat=self.seat)
        return 0

    def order_give_time(self, at: int, arguments: tuple) -> int:
        if not arguments or not 0 < arguments[0] <= LONGEST_MS:
            return k.R_ARGUMENT
        if not self.in_play(self.seat):
            return k.R_SEAT
        self.take_up_move()
        self.watch.leave(self.watch.remaining(at) + arguments[0])
        self.emit(k.EXTRA_TIME_GIVEN, at, 0, self.watch.remaining(at), arguments[0], seat=self.seat)
        return 0

    def order_set_seat(self, at: int, arguments: tuple) -> int:
        if not arguments or not self.in_play(arguments[0]):
            return k.R_SEAT
        if self.state == k.READY:
            self.named = False
            self.name_starter(at, arguments[0])
            return 0
        self.emit(k.SEAT_CHANGED, at, 0, self.seat, seat=arguments[0])
        self.seat = arguments[0]
        self.claim = self.claimable = False
        if self.late:
            self.late = False
            self.begin_move(at)
        return 0

    def order_set_bank(self, at: int, arguments: tuple) -> int:
        if not arguments or arguments[0] > self.settings.tiles:
            return k.R_ARGUMENT
        before, self.bank = self.bank, arguments[0]
        self.emit(k.BANK_CORRECTED, at, 0, before, 0, self.bank)
        if self.bank and self.lap_reason == k.BANK_EMPTY:
            self.lap_reason = k.NOBODY  # there are tiles: no lap after all
            self.lap_waits = False
        self.bank_changed(at)
        return 0

    def order_withdraw(self, at: int, arguments: tuple) -> int:
        if not arguments or not self.in_play(arguments[0]):
            return k.R_SEAT
        self.withdraw(at, arguments[0])
        return 0

    def order_deny_claim(self, at: int, arguments: tuple) -> int:
        if not self.claim:
            return k.R_STATE
        self.claim = self.claimable = False
        self.emit(k.CLAIM_DENIED, at, seat=self.seat)
        return 0

    def order_final_lap(self, at: int, arguments: tuple) -> int:
        if not arguments or arguments[0] not in (k.BANK_EMPTY, k.ROUND_TIME):
            return k.R_ARGUMENT
        if self.lap_reason != k.NOBODY:
            return k.R_STATE
        self.begin_lap(at, arguments[0])
        return 0

    def order_reopen(self, at: int, arguments: tuple) -> int:
        how = arguments[0] if arguments else k.SAME_SEAT
        if how > k.NEXT_SEAT:
            return k.R_ARGUMENT
        return 0 if self.reopen(at, how) else k.R_STATE

    def order_redeal(self, at: int, arguments: tuple) -> int:
        return 0 if self.redeal(at) else k.R_LATE

    def order_next_game(self, at: int, arguments: tuple) -> int:
        return 0 if self.next_game(at, k.DESK) else k.R_STATE

    def order_end_game(self, at: int, arguments: tuple) -> int:
        if self.state == k.EXPIRED:
            self.late = True  # a verdict is open; reopening gives it back
            self.stopped_at = at
        is_open = not self.late
        if is_open:
            self.end_move(at, k.BY_DESK)
        self.end_game(at, k.DESK_ENDED, k.NOBODY, is_open)
        return 0

    def order_take_over(self, at: int, arguments: tuple) -> int:
        """A spare box goes on where another stopped: game, move, seat, remaining ms, bank, mask of withdrawn, more.

        `more` may be left out. Bits 0-3: mask of the seats that still move in the final lap, 4-7: why there is one (0:
        there is none), 8: the move does not count in it yet; 9: a tile was taken in the move, 10: one was taken after
        its time; 11: its time is over and the table has not said what becomes of it. Then 0-3 and 8 are as they were
        before the time was over, and no time remains.
        """
        if len(arguments) != 6 and len(arguments) != 7:
            return k.R_ARGUMENT
        game, move, seat, remaining, bank, out = arguments[:6]
        more = arguments[6] if len(arguments) == 7 else 0
        if not 0 < game <= COUNTED_MOST or not 0 < move <= COUNTED_MOST:
            return k.R_ARGUMENT
        if remaining > LONGEST_MS or bank > self.settings.tiles or out > 15:
            return k.R_ARGUMENT
        if more > 4095 or more >> 4 & 15 > k.ROUND_TIME:
            return k.R_ARGUMENT
        playing = self.settings.seats & ~out
        if seat > k.SEAT_D or not playing >> seat & 1 or count(playing) < 2:
            return k.R_SEAT
        self.take_over(at, game, move, seat, remaining, bank, out, more)
        return 0
