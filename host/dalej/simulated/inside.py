"""What a simulated box knows and does not show: its clock's state, and what its last facts say that no clock keeps."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from dalej.live.messages import Inside
from moveclock import facts as k
from moveclock.clock import Clock
from moveclock.journal import Journal
from moveclock.wire import unpack_record

BACK: Final = 200  # facts to read when nobody has looked for long: more than a move has
STEP_MS: Final = 100  # of what is said of a hold
_NO_HOLD: Final = (k.NOBODY, 0, 0)


@dataclass(slots=True)
class Told:
    """Read on in the box's journal whenever somebody looks. `ended`: game, reason and winner."""

    epoch: int = 0
    read: int = 0
    move: int = 0
    tiles: int = 0
    announced: bool = False
    called: bool = False
    overtaken: bool = False  # a referee was called, and then a move began
    ended: tuple[int, int, int] = (0, k.NOBODY, k.NOBODY)
    stray: tuple[int, int, int] = (0, k.NOBODY, 0)

    def read_on(self, journal: Journal) -> None:
        """Up to the journal's head."""
        if journal.epoch != self.epoch or journal.head < self.read:
            self.epoch, self.read = journal.epoch, 0
        for seq in range(max(self.read + 1, journal.oldest, journal.head - BACK), journal.head + 1):
            record = journal.record(seq)
            if record is not None:
                self.take(seq, unpack_record(record)[2])
        self.read = journal.head

    def take(self, seq: int, fact: tuple[int, ...]) -> None:
        """The next fact, as the core has it."""
        kind, _at, game, move, seat, code = fact[:6]
        if kind == k.MOVE_STARTED:
            self.move, self.tiles, self.announced = move, 0, False
            self.called, self.overtaken = False, self.called
        elif kind == k.TILE_DRAWN and move == self.move:
            self.tiles += 1
        elif kind == k.OPENING_ANNOUNCED:
            self.announced = True
        elif kind == k.REFEREE_CALLED:
            self.called = True
        elif kind == k.CLOCK_STOPPED:
            self.called = self.overtaken = False
        elif kind == k.GAME_ENDED:
            self.ended = (game, code, seat)
        elif kind == k.STRAY_TAP:
            self.stray = (seq, code, kind)
        elif kind == k.DALEJ_REFUSED:
            self.stray = (seq, 2 * seat + 1, kind)


def inside(clock: Clock, now: int, told: Told, held: Mapping[int, tuple[int, int]], *, in_contact: bool) -> Inside:
    """At uptime `now`.

    `held`: contacts with how long they have been down and must be, in ms; `in_contact`: a desk is on the line.
    """
    runs, over = clock.state == k.RUNNING, clock.state == k.OVER
    reason, winner = _end(clock, told) if over else (clock.reason, k.NOBODY)
    return Inside(
        state=clock.state,
        seat=clock.seat,
        following=clock.starter if clock.state == k.READY else k.NOBODY if over else clock.next_seat(),
        playing=clock.settings.seats & ~clock.out,
        game=clock.game,
        bank=clock.bank,
        reason=reason if over or clock.state == k.STOPPED else k.NOBODY,
        by_desk=clock.state == k.STOPPED and clock.stopped_by == k.DESK and in_contact,
        about=winner if over else clock.ended_seat if clock.ended_move else clock.seat,
        drawn=clock.drawn,
        further=told.tiles > 1 and told.move == clock.move,
        clicked=clock.claimable,
        pending=clock.pending,
        called=told.overtaken if runs else clock.called,
        announced=told.announced and told.move == clock.move and runs,
        final_lap=clock.lap_reason != k.NOBODY,
        claim_s=_begun(clock.settings.claim_ms - clock.watch.elapsed(now)) if runs and clock.claimable else 0,
        withdraw_s=_withdraw_s(clock, now),
        holds=next(
            ((contact, ms // STEP_MS * STEP_MS, needs) for contact, (ms, needs) in held.items() if ms < needs), _NO_HOLD
        ),
        stray=told.stray,
    )


def _end(clock: Clock, told: Told) -> tuple[int, int]:
    """Why the game is over and who has won; what is no longer in the journal is worked out, or not known."""
    game, reason, winner = told.ended
    if game == clock.game:
        return reason, winner
    if clock.lap_over():
        return clock.lap_reason, k.NOBODY
    return (k.LAST_SEAT if clock.seat_after(clock.seat) == clock.seat else k.NOBODY), k.NOBODY


def _withdraw_s(clock: Clock, now: int) -> int:
    stands = clock.state == k.STOPPED and clock.stopped_by == k.TABLE and clock.reason in (k.DISPUTE, k.EARLY_CLICK)
    if not stands and not (clock.state == k.RUNNING and clock.pending):
        return 0
    return _begun(clock.settings.withdraw_ms - (now - clock.called_at))


def _begun(ms: int) -> int:
    return max(0, -(-ms // 1_000))
