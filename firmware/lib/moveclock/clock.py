"""The per-move clock of one table: this file holds the state machine, and its four tables hold every change of state.

    idle -> ready -> running(seat) -> ... -> over, and expired(seat), stopped(reason)

`PRESSES`, `TIMERS`, `ORDERS`, `RESTARTS`: in which state something counts, the states that can be next (the usual one
first), and the method of `Clock` that does it. What changes nothing after all leaves the state as it is. That each row
leads where it says, and nowhere else, is played in tests/core/test_transitions.py.

Rules that hold everywhere:
- Every input carries its stamp in ms of uptime and takes effect at it; inputs arrive in the order of their stamps.
- A limit falls at its exact instant. A press stamped before it wins; at the instant itself the limit wins.
- Exactly one seat runs, or none. Stopping gives back what it interrupted, to the ms: a move or an open verdict.
- "The first 5 s of a move" and the like count played time: while the clock stands no right runs out.
- A press that is in no table changes nothing and is recorded as `stray_tap`.

What happens is appended to `facts` as tuples (see `moveclock.facts`).
"""

import struct

from moveclock import facts as k
from moveclock.settings import (
    ADVANCE,
    CLOCKWISE,
    DRAW_BLOCK,
    DRAW_FLAG,
    DRAW_OFF,
    END_WITH_MOVE,
    HOLD_TABLE,
    PLAY_ON,
    Settings,
    count,
)
from moveclock.stopwatch import Stopwatch

LONGEST_MS = 3600000
COUNTED_MOST = 65535  # games and moves are u16 on flash

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

# States that can be next.
_READY = (k.READY,)
_RUNNING = (k.RUNNING,)
_EXPIRED = (k.EXPIRED,)
_STOPPED = (k.STOPPED,)
_OVER = (k.OVER,)
_NEXT_MOVE = (k.RUNNING, k.OVER)  # over: that was the last move of the final lap
_MOVE_ENDS = (k.RUNNING, k.OVER, k.STOPPED)  # the same; stopped: a dispute waited for that
_GOES_ON = (k.RUNNING, k.EXPIRED)  # with what was interrupted

PRESSES = (
    # state      contact  gesture    who      next         action
    (k.RUNNING, JUZ, TAPPED, ACTIVE, _MOVE_ENDS, "laid"),  # move over, tiles laid
    (
        k.RUNNING,
        DALEJ,
        TAPPED,
        ACTIVE,
        _MOVE_ENDS,
        "passed",
    ),  # move over, passed; `block`: refused if no tile was taken
    (k.RUNNING, KOSTKA, TAPPED, ANYONE, _RUNNING, "tile_taken"),  # in this move, or still in the one before
    (k.RUNNING, DALEJ, HELD, ACTIVE, _RUNNING, "announced"),  # „Wyłożę się w następnej rundzie”
    (k.RUNNING, JUZ, HELD, ACTIVE, _OVER, "rack_emptied"),  # empty rack shown: it ends at the instant the hold began
    (k.RUNNING, SEDZIA, TAPPED, ANYONE, (k.RUNNING, k.STOPPED), "disputed"),  # or claimed; again within 3 s: withdrawn
    (k.RUNNING, SEDZIA, HELD, ANYONE, _STOPPED, "stopped_by_table"),  # stop now
    (k.EXPIRED, JUZ, TAPPED, NEXT, _NEXT_MOVE, "late_move_stands"),  # the next seat's move starts
    (
        k.EXPIRED,
        DALEJ,
        TAPPED,
        NEXT,
        _NEXT_MOVE,
        "late_move_undone",
    ),  # with a penalty tile; the next seat's move starts
    (k.STOPPED, SEDZIA, HELD_LONG, ANYONE, _STOPPED, "resumed_by_table"),  # 3-2-1; not what a desk in contact stopped
    (k.OVER, SEDZIA, HELD_LONG, ANYONE, _READY, "next_game_by_table"),  # number + 1, bank refilled, next starter
    (k.READY, SEDZIA, TAPPED, ANYONE, _READY, "referee_called"),  # no clock changes
    (k.EXPIRED, SEDZIA, TAPPED, ANYONE, _EXPIRED, "referee_called"),
    (k.OVER, SEDZIA, TAPPED, ANYONE, _OVER, "referee_called"),
    # what "States", "Again within 3 s" and "The bank" add
    (k.READY, JUZ, TAPPED, STARTER, (k.RUNNING, k.READY), "named_or_started"),  # with no starter the first tap names it
    (k.READY, DALEJ, TAPPED, STARTER, (k.RUNNING, k.READY), "named_or_started"),
    (k.STOPPED, SEDZIA, TAPPED, ANYONE, _GOES_ON, "call_withdrawn"),  # within 3 s of the call that stopped the clock
    (k.STOPPED, KOSTKA, TAPPED, ANYONE, _STOPPED, "owed_tile_taken"),  # only a tile of the move before
    (k.EXPIRED, KOSTKA, TAPPED, ANYONE, _EXPIRED, "penalty_tile_taken"),  # of the late seat, counted once
)

TIMERS = (
    # state      next         action           at which instant: see Clock.deadline
    (k.RUNNING, (k.EXPIRED, k.STOPPED), "time_ran_out"),  # the limit; a pending dispute stops the clock here
    (k.EXPIRED, _NEXT_MOVE, "grace_over"),  # limit + grace, only with `advance`
    (k.STOPPED, _GOES_ON, "countdown_over"),  # the end of 3-2-1
)

_PLAYS = (k.RUNNING, k.EXPIRED, k.STOPPED)
_RESTS = (k.IDLE, k.READY, k.OVER)
ORDERS = (
    # command            allowed in  next       action; each takes (at, arguments) and returns 0 or why it is refused
    (k.C_CONFIGURE, _RESTS, _READY, "order_configure"),  # a table is set up for a game
    (k.C_START, _READY, _RUNNING, "order_start"),  # with a starter set
    (k.C_STOP, _PLAYS, _STOPPED, "order_stop"),  # a clock that stands takes the new reason
    (k.C_RESUME, _STOPPED, _GOES_ON, "order_resume"),  # at once; a claim restarts its move
    (
        k.C_SET_REMAINING,
        _STOPPED,
        _STOPPED,
        "order_set_remaining",
    ),  # these three answer a claim, and take up a late move
    (k.C_GIVE_TIME, _STOPPED, _STOPPED, "order_give_time"),
    (k.C_RESTART_MOVE, _STOPPED, _STOPPED, "order_restart_move"),
    (k.C_SET_SEAT, _READY, _READY, "order_set_seat"),  # names the starter
    (k.C_SET_SEAT, _STOPPED, _STOPPED, "order_set_seat"),
    (k.C_SET_BANK, _STOPPED, _STOPPED, "order_set_bank"),  # 0 begins the final lap, more ends the one of an empty bank
    (k.C_WITHDRAW, _STOPPED, (k.STOPPED, k.OVER), "order_withdraw"),  # skipped from now on; one seat left ends the game
    (k.C_DENY_CLAIM, _STOPPED, _STOPPED, "order_deny_claim"),
    (k.C_REDEAL, (k.READY, k.STOPPED), _READY, "order_redeal"),  # in the first round: same number, bank refilled
    (k.C_FINAL_LAP, _RUNNING, _RUNNING, "order_final_lap"),  # the move is completed, then every seat moves once
    (k.C_FINAL_LAP, _EXPIRED, _EXPIRED, "order_final_lap"),
    (k.C_FINAL_LAP, _STOPPED, _STOPPED, "order_final_lap"),
    (k.C_END_GAME, _PLAYS, _OVER, "order_end_game"),
    (
        k.C_REOPEN,
        _OVER,
        (k.STOPPED, k.OVER),
        "order_reopen",
    ),  # same seat and remaining, or ruled late and the next seat
    (k.C_NEXT_GAME, _OVER, _READY, "order_next_game"),  # as by hold Sędzia
    (k.C_TAKE_OVER, _RESTS, _STOPPED, "order_take_over"),  # a spare box
)

RESTARTS = (
    # state      next      action: a box that lost its power never goes on by itself
    (k.RUNNING, _STOPPED, "power_lost"),
    (k.EXPIRED, _STOPPED, "power_lost"),
    (k.STOPPED, _STOPPED, "power_lost_in_stop"),  # still by whom it was stopped
)

# What a referee should see from afar, most urgent last.
QUIET = 0
POWER_LOST = 1
TIME_OUT_WAITS = 2
CALLED = 3
DISPUTED = 4
CLAIMED = 5

_SNAPSHOT = "<BHHBBBBHBBBHBBHBBIII"


class Clock:
    """One table's clock. Seats 0..3, `NOBODY` for none; stamps and durations in ms.

    `kostka`: the box has a tile contact; `shared`: one Już and one Dalej serve all seats.
    """

    def __init__(self, settings: Settings, kostka: bool = True, shared: bool = False) -> None:
        self.settings = settings
        self.kostka = kostka
        self.shared = shared
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

    # --- what the box asks -----

    def hold_ms(self, contact: int) -> int:
        """How long `contact` must be down now to be a hold; 0 if a hold means nothing here."""
        row = self._row(contact, True)
        return 0 if row is None else row[2]

    def press(self, contact: int, held: bool, at: int, desk_in_contact: bool = False) -> None:
        """A decided press with its down stamp. `desk_in_contact`: an authenticated desk is on the line."""
        kind, seat = _what(contact)
        row = self._row(contact, held)
        if row is None or self._guarded(kind, at) or not getattr(self, row[5])(at, contact, desk_in_contact):
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
        self._happen(TIMERS, at)

    def lose_power(self, at: int) -> None:
        """The box has restarted: what was running or expired stands still until somebody resumes it."""
        self._happen(RESTARTS, at)

    def _happen(self, table: tuple, at: int) -> None:
        for state, _, action in table:
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
        """Carry out a desk's command with its arguments; 0, or the `R_` number of why it is refused."""
        refused = k.R_UNKNOWN
        for known, states, _, action in ORDERS:
            if known == command:
                if self.state in states:
                    return int(getattr(self, action)(at, arguments))
                refused = k.R_STATE
        return refused

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

    # --- commands: each returns 0, or why it is refused and has changed nothing; values are absolute, so that a command
    # carried out twice does no harm -----

    def order_configure(self, at: int, arguments: tuple) -> int:
        """A table is set up: number of the game, `Settings`, by whom. Of all other commands the arguments are ints."""
        if not arguments or not arguments[0]:
            return k.R_ARGUMENT
        game, self.settings, by = arguments
        self.out = 0
        self.prepare(at, game, self.settings.first, by)
        return 0

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
        seat = arguments[0]
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
        if count(self.settings.seats & ~self.out) < 2:
            return k.R_STATE
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
                return 0
        self.emit(k.CLOCK_STOPPED, at, k.REFEREE, self._left(at), k.DESK, seat=self.seat)
        return 0

    def order_redeal(self, at: int, arguments: tuple) -> int:
        if self.move > count(self.dealt):
            return k.R_LATE
        self.move = 0
        self._rest(k.READY)
        self.fill_bank()
        self.emit(k.GAME_REDEALT, at, c=self.bank)
        if self.starter != k.NOBODY and not self.in_play(self.starter):
            self.name_starter(at, self.seat_after(self.starter))
        return 0

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
        return 0

    # --- restarts -----

    def power_lost(self, at: int) -> None:
        self.stop(at, k.BOX_LOST_POWER, k.BOX)

    def power_lost_in_stop(self, at: int) -> None:
        self.called = self.called or self.reason == k.DISPUTE  # whoever was called has not been here yet
        self.stop(at, k.BOX_LOST_POWER, self.stopped_by)

    # --- steps that several of these share: seats -----

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


def _what(contact: int) -> tuple:
    """Kind of a contact and its seat, None where it belongs to no seat."""
    if contact < k.KOSTKA:
        return contact & 1, contact >> 1
    if contact < k.SHARED_JUZ:
        return KOSTKA + contact - k.KOSTKA, None
    return contact - k.SHARED_JUZ, None
