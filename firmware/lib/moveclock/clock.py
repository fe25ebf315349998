"""The per-move clock of one table: this file holds the state machine, and `PRESSES`, `TIMERS`, `ORDERS` hold all of it.

    idle -> ready -> running(seat) -> ... -> over, and expired(seat), stopped(reason)

Rules that hold everywhere:
- Every input carries its stamp in ms of uptime and takes effect at it; inputs arrive in the order of their stamps.
- A limit falls at its exact instant. A press stamped before it wins; at the instant itself the limit wins.
- Exactly one seat runs, or none. Stopping gives back what it interrupted, to the ms: a move or an open verdict.
- "The first 5 s of a move" and the like count played time: while the clock stands no right runs out.
- What is in no table changes nothing and is recorded as `stray_tap`.

What happens is appended to `facts` as tuples (see `moveclock.facts`). The actions named in the tables are the methods
of `Clock` and, for the desk's commands, of its base `Orders`.
"""

from moveclock import facts as k
from moveclock.orders import Orders
from moveclock.settings import ADVANCE, DRAW_BLOCK, DRAW_FLAG, DRAW_OFF, HOLD_TABLE, Settings

# Kinds of contact.
JUZ = 0
DALEJ = 1
KOSTKA = 2
SEDZIA = 3

# Gestures: how long a contact must be down; 0 is a tap.
TAPPED = 0
HELD = 1000
HELD_LONG = 2000

# Who pressed.
ACTIVE = 0  # the seat whose move runs
NEXT = 1  # the seat that moves after the late one
STARTER = 2  # the seat that starts, or any seat in play while none is named
ANYONE = 3
OTHER = 4

PRESSES = (
    # state      contact  gesture    who      action
    (k.RUNNING, JUZ, TAPPED, ACTIVE, "laid"),  # move over, tiles laid
    (k.RUNNING, DALEJ, TAPPED, ACTIVE, "passed"),  # move over, passed; `block`: refused if no tile was taken
    (k.RUNNING, KOSTKA, TAPPED, ANYONE, "tile_taken"),  # a tile was taken in this move, or still in the one before
    (k.RUNNING, DALEJ, HELD, ACTIVE, "announced"),  # „Wyłożę się w następnej rundzie”
    (k.RUNNING, JUZ, HELD, ACTIVE, "rack_emptied"),  # empty rack shown: the game ends at the instant the hold began
    (k.RUNNING, SEDZIA, TAPPED, ANYONE, "disputed"),  # a dispute or a claim; again within 3 s: call withdrawn
    (k.RUNNING, SEDZIA, HELD, ANYONE, "stopped_by_table"),  # stop now
    (k.EXPIRED, JUZ, TAPPED, NEXT, "late_move_stands"),  # the next seat's move starts
    (k.EXPIRED, DALEJ, TAPPED, NEXT, "late_move_undone"),  # with a penalty tile; the next seat's move starts
    (k.STOPPED, SEDZIA, HELD_LONG, ANYONE, "resumed_by_table"),  # after 3-2-1; not what a desk in contact stopped
    (k.OVER, SEDZIA, HELD_LONG, ANYONE, "next_game_by_table"),  # number + 1, bank refilled, next starter
    (k.READY, SEDZIA, TAPPED, ANYONE, "referee_called"),  # no clock changes
    (k.EXPIRED, SEDZIA, TAPPED, ANYONE, "referee_called"),
    (k.OVER, SEDZIA, TAPPED, ANYONE, "referee_called"),
    # what "States", "Again within 3 s" and "The bank" add
    (k.READY, JUZ, TAPPED, STARTER, "named_or_started"),  # the starter starts; with none, the first tap names the seat
    (k.READY, DALEJ, TAPPED, STARTER, "named_or_started"),
    (k.STOPPED, SEDZIA, TAPPED, ANYONE, "call_withdrawn"),  # within 3 s of the call that stopped the clock
    (k.STOPPED, KOSTKA, TAPPED, ANYONE, "owed_tile_taken"),  # only a tile of the move before
    (k.EXPIRED, KOSTKA, TAPPED, ANYONE, "penalty_tile_taken"),  # of the late seat, counted once
)

TIMERS = (
    # state      action           at which instant: see Clock.deadline
    (k.RUNNING, "time_ran_out"),  # the limit; a pending dispute stops the clock here
    (k.EXPIRED, "grace_over"),  # limit + grace, only with `advance`
    (k.STOPPED, "countdown_over"),  # the end of 3-2-1
)

_RUNS = (k.RUNNING, k.EXPIRED, k.STOPPED)
_RESTS = (k.IDLE, k.READY, k.OVER)
ORDERS = (
    # command            allowed in            action; each takes (at, arguments) and returns 0 or why it is refused
    (k.C_START, (k.READY,), "order_start"),  # with a starter set
    (k.C_STOP, _RUNS, "order_stop"),  # a clock that stands takes the new reason
    (k.C_RESUME, (k.STOPPED,), "order_resume"),  # at once; a claim restarts its move
    (k.C_SET_REMAINING, (k.STOPPED,), "order_set_remaining"),  # these three answer a claim, and take up a late move
    (k.C_GIVE_TIME, (k.STOPPED,), "order_give_time"),
    (k.C_RESTART_MOVE, (k.STOPPED,), "order_restart_move"),
    (k.C_SET_SEAT, (k.READY, k.STOPPED), "order_set_seat"),  # ready: names the starter
    (k.C_SET_BANK, (k.STOPPED,), "order_set_bank"),  # 0 begins the final lap, more ends the one of an empty bank
    (k.C_WITHDRAW, (k.STOPPED,), "order_withdraw"),  # skipped from now on; one seat left ends the game
    (k.C_DENY_CLAIM, (k.STOPPED,), "order_deny_claim"),
    (k.C_REDEAL, (k.READY, k.STOPPED), "order_redeal"),  # in the first round: ready, same number, bank refilled
    (k.C_FINAL_LAP, _RUNS, "order_final_lap"),  # the running move is completed, then every seat moves once
    (k.C_END_GAME, _RUNS, "order_end_game"),
    (k.C_REOPEN, (k.OVER,), "order_reopen"),  # into stopped: same seat and remaining, or ruled late and the next seat
    (k.C_NEXT_GAME, (k.OVER,), "order_next_game"),  # as by hold Sędzia
    (k.C_TAKE_OVER, _RESTS, "order_take_over"),  # a spare box, into stopped
)

# What a referee should see from afar, most urgent last.
QUIET = 0
POWER_LOST = 1
TIME_OUT_WAITS = 2
CALLED = 3
DISPUTED = 4
CLAIMED = 5


class Clock(Orders):
    """One table's clock. `kostka`: the box has a tile contact; `shared`: one Już and one Dalej serve all seats."""

    def __init__(self, settings: Settings, kostka: bool = True, shared: bool = False) -> None:
        super().__init__(settings)
        self.kostka = kostka
        self.shared = shared

    # --- what the box asks -----

    def hold_ms(self, contact: int) -> int:
        """How long `contact` must be down now to be a hold; 0 if a hold means nothing here."""
        row = self._row(contact, True)
        return 0 if row is None else row[2]

    def press(self, contact: int, held: bool, at: int, desk_in_contact: bool = False) -> None:
        """A decided press with its down stamp. `desk_in_contact`: an authenticated desk is on the line."""
        kind, seat = _what(contact)
        row = self._row(contact, held)
        if row is None or self._guarded(kind, at) or not getattr(self, row[4])(at, contact, desk_in_contact):
            self.emit(k.STRAY_TAP, at, contact, int(held), seat=k.NOBODY if seat is None else seat)

    def dated(self, contact: int, since: int, seen: int) -> int:
        """The stamp that counts of a press that came after `since`, at `seen` at the latest.

        In a running move the first, so that nobody loses time; after its guard time, if more of the span lies there.
        Where no move runs the last: a press can begin one there, and must not begin it too early.
        """
        if self.state != k.RUNNING:
            return seen
        guarded = self.began_at + self.guard_ms()
        if since < guarded and seen - guarded >= guarded - since and _what(contact)[0] < KOSTKA:
            return guarded
        return since

    def deadline(self) -> int | None:
        """The stamp at which `expire` must be called, None if nothing is due."""
        if self.state == k.RUNNING:
            return self.watch.deadline
        if self.state == k.EXPIRED and self.settings.on_expiry == ADVANCE:
            return self.expired_at + self.settings.grace_ms
        if self.state == k.STOPPED:
            return self.resume_at
        return None

    def expire(self, at: int) -> None:
        """The deadline `at` has come."""
        for state, action in TIMERS:
            if state == self.state:
                getattr(self, action)(at)
                return

    def may_stall(self, now: int) -> bool:
        """Whether flash, collection or lamps may take over 2 ms now: not in the last 300 ms before a deadline."""
        due = self.deadline()
        return due is None or now < due - 300

    def turned_at(self, contact: int, down: int) -> int:
        """The stamp since which the guard time of the running move lasts; or of the next one, if `contact`, down since
        `down`, is about to end this move.
        """
        kind, seat = _what(contact)
        return down if self._who(kind, seat) == ACTIVE and not self._guarded(kind, down) else self.began_at

    def order(self, command: int, at: int, arguments: tuple) -> int:
        """Carry out a desk's command with its arguments (ints); 0, or the `R_` number of why it is refused."""
        for known, states, action in ORDERS:
            if known == command:
                if self.state not in states:
                    return k.R_STATE
                return int(getattr(self, action)(at, arguments))
        return k.R_UNKNOWN

    def alarm(self, now: int) -> int:
        """What a referee should know at `now`, the most urgent of it."""
        if self.claim:
            return CLAIMED
        if self.pending or (self.state == k.STOPPED and self.reason == k.DISPUTE):
            return DISPUTED
        if self.called:
            return CALLED
        alert_at = self.alert_at()
        if alert_at is not None and now >= alert_at:
            return TIME_OUT_WAITS
        if self.state == k.STOPPED and self.reason == k.BOX_LOST_POWER:
            return POWER_LOST
        return QUIET

    def alert_at(self) -> int | None:
        """The stamp from which a table that waits for its verdict is an alarm."""
        if self.state == k.EXPIRED and self.settings.on_expiry == HOLD_TABLE:
            return self.expired_at + self.settings.alert_ms
        return None

    # --- who pressed what -----

    def _row(self, contact: int, held: bool) -> tuple | None:
        kind, seat = _what(contact)
        if held and self.settings.taps_only and kind < KOSTKA:
            return None
        who = self._who(kind, seat)
        for row in PRESSES:
            if row[0] == self.state and row[1] == kind and row[3] == who and (row[2] != TAPPED) == held:
                return row
        return None

    def _who(self, kind: int, seat: int | None) -> int:
        if kind >= KOSTKA:
            return ANYONE
        if self.state == k.RUNNING:
            return ACTIVE if seat is None or seat == self.seat else OTHER
        if self.state == k.EXPIRED:
            return NEXT if seat is None or seat == self.next_seat() else OTHER
        if self.state == k.READY and (seat is None or self.in_play(seat)):
            return STARTER if seat is None or self.starter == k.NOBODY or self.named or seat == self.starter else OTHER
        return OTHER

    def _guarded(self, kind: int, at: int) -> bool:
        """A tap right after a move began was meant for the one before (or slipped)."""
        if kind >= KOSTKA:
            return False
        if self.state == k.RUNNING:
            return at - self.began_at < self.guard_ms()
        return self.state == k.EXPIRED and self.shared and at - self.expired_at < self.settings.shared_guard_ms

    def guard_ms(self) -> int:
        return self.settings.shared_guard_ms if self.shared else self.settings.guard_ms

    # --- presses: each returns False if the press changes nothing after all -----

    def laid(self, at: int, contact: int, desk: bool) -> bool:
        self.end_move(at, k.BY_JUZ)
        self.claimable = False
        self.go_on(at)
        return True

    def passed(self, at: int, contact: int, desk: bool) -> bool:
        draw = self.settings.draw
        missing = self.bank > 0 and not self.drawn
        if missing and self.kostka and draw == DRAW_BLOCK:
            self.emit(k.DALEJ_REFUSED, at, seat=self.seat)
            return True
        if missing and not self.kostka:
            self.drawn = True
            self.take_tile(at)
        seat, move = self.seat, self.move
        self.end_move(at, k.BY_DALEJ)
        if missing and self.kostka:
            self.owe(seat, move, True)
            if draw == DRAW_FLAG:
                self.emit(k.CLICKED_BEFORE_DRAWING, at, seat=seat, move=move)
        self.claimable = missing and draw != DRAW_OFF
        self.go_on(at)
        return True

    def tile_taken(self, at: int, contact: int, desk: bool) -> bool:
        if self.owed_tile_taken(at, contact, desk):
            return True
        counted = not self.drawn and self.bank > 0
        self.tile(at, self.seat, self.move, counted)
        self.drawn = True
        return True

    def owed_tile_taken(self, at: int, contact: int, desk: bool) -> bool:
        """The tile of the seat that passed without one, or the penalty tile that a verdict has counted already."""
        if self.late and self.state == k.STOPPED:
            return self.penalty_tile_taken(at, contact, desk)
        in_time = self.watch.elapsed(at) < self.settings.late_tile_ms
        asked_for = self.state == k.STOPPED and self.reason == k.EARLY_CLICK
        if self.owing == k.NOBODY or not (in_time or asked_for):
            return False
        seat, self.owing = self.owing, k.NOBODY
        self.tile(at, seat, self.owing_move, self.owing_counts and self.bank > 0)
        return True

    def penalty_tile_taken(self, at: int, contact: int, desk: bool) -> bool:
        counted = not self.drawn and not self.penalty and self.bank > 0
        self.penalty = self.penalty or counted
        self.tile(at, self.seat, self.move, counted)
        return True

    def announced(self, at: int, contact: int, desk: bool) -> bool:
        self.emit(k.OPENING_ANNOUNCED, at, seat=self.seat)
        return True

    def rack_emptied(self, at: int, contact: int, desk: bool) -> bool:
        seat = self.seat
        self.end_move(at, k.BY_EMPTY_RACK)
        self.end_game(at, k.WENT_OUT, seat, True)
        return True

    def disputed(self, at: int, contact: int, desk: bool) -> bool:
        played = self.watch.elapsed(at)
        if self.pending and at - self.called_at <= self.settings.withdraw_ms:
            self.pending = False
            self.emit(k.CALL_WITHDRAWN, at, seat=self.seat)
            return True
        if not self.pending:  # calling again gives no new time to withdraw a call that stands
            self.called_at = at
        if self.claimable and played < self.settings.claim_ms:
            self.claim = True
            self.emit(k.RESTART_CLAIMED, at, seat=self.seat)
            self.stop(at, k.EARLY_CLICK, k.TABLE)
        elif played < self.settings.dispute_ms:
            seat, move = self._disputed_move()
            self.emit(k.DISPUTE_RAISED, at, 1, seat=seat, move=move)
            self.stop(at, k.DISPUTE, k.TABLE)
        else:
            self.pending = True
            self.emit(k.DISPUTE_RAISED, at, 0, seat=self.seat)
        return True

    def stopped_by_table(self, at: int, contact: int, desk: bool) -> bool:
        self.called = True
        self.called_at = at - self.settings.withdraw_ms - 1  # a stop now is not withdrawn by a tap
        self.stop(at, k.REFEREE, k.TABLE)
        return True

    def call_withdrawn(self, at: int, contact: int, desk: bool) -> bool:
        if self.stopped_by != k.TABLE or at - self.called_at > self.settings.withdraw_ms:
            return False
        seat, move = (self.seat, self.move) if self.claim else self._disputed_move()
        self.claim = False
        self.emit(k.CALL_WITHDRAWN, at, seat=seat, move=move)
        self.resume(at, k.TABLE)
        return True

    def _disputed_move(self) -> tuple:
        """Seat and number of the move just ended; in the first move of a game, of that one."""
        return (self.ended_seat, self.ended_move) if self.ended_move else (self.seat, self.move)

    def resumed_by_table(self, at: int, contact: int, desk: bool) -> bool:
        if (self.stopped_by == k.DESK and desk) or self.resume_at is not None:
            return False
        self.resume_at = at + self.settings.countdown_ms
        return True

    def late_move_stands(self, at: int, contact: int, desk: bool) -> bool:
        self.restored(at, k.STANDS, 0)
        return True

    def late_move_undone(self, at: int, contact: int, desk: bool) -> bool:
        tiles = 0
        if self.penalty:
            tiles = 1
        elif not self.drawn and self.bank > 0:
            tiles = 1
            self.bank -= 1
            self.owe(self.seat, self.move, False)
        self.restored(at, k.UNDONE, tiles)
        return True

    def referee_called(self, at: int, contact: int, desk: bool) -> bool:
        self.called = True
        self.emit(k.REFEREE_CALLED, at, seat=self.seat if self.state == k.EXPIRED else k.NOBODY)
        return True

    def named_or_started(self, at: int, contact: int, desk: bool) -> bool:
        kind, seat = _what(contact)
        if seat is None and self.named and kind == DALEJ:
            seat = self.seat_after(self.starter)
        elif seat is None:
            seat = self.seat_after(k.SEAT_D) if self.starter == k.NOBODY else self.starter
        if seat == self.starter:
            self.start(at, k.TABLE)
        else:
            self.named = True
            self.name_starter(at, seat)
        return True

    def next_game_by_table(self, at: int, contact: int, desk: bool) -> bool:
        return self.next_game(at, k.TABLE)

    # --- timers -----

    def time_ran_out(self, at: int) -> None:
        self.watch.halt(at)
        self.emit(k.TIME_RAN_OUT, at, 0, self.watch.played, int(self.drawn), self.bank, seat=self.seat)
        self.end_move(at, k.BY_TIMEOUT)
        self.claimable = False
        self.penalty = False
        self.state = k.EXPIRED
        self.expired_at = at
        if self.pending:
            self.stop(at, k.DISPUTE, k.TABLE)

    def grace_over(self, at: int) -> None:
        self.go_on(at)

    def countdown_over(self, at: int) -> None:
        self.resume(at, k.TABLE)


def _what(contact: int) -> tuple:
    """Kind of a contact and its seat, None where it belongs to no seat."""
    if contact < k.KOSTKA:
        return contact & 1, contact >> 1
    if contact < k.SHARED_JUZ:
        return KOSTKA + contact - k.KOSTKA, None
    return contact - k.SHARED_JUZ, None
