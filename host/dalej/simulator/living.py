"""A simulated hall in real time: it lives while nobody looks, and a screen may play its tables, and is told what a
simulated box knows and does not show.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

from dalej.clock import Clock
from dalej.desk.feed.messages import Face, Finger, Inside, Power, Reach, Speed, Take, Tap
from dalej.desk.feed.server import Wish
from dalej.errors import Refused
from dalej.simulator.box import SimBox
from dalej.simulator.hall import Hall, SimTable
from dalej.simulator.players import Habits
from dalej.words import N_
from moveclock import facts as k
from moveclock import view
from moveclock.clock import Clock as CoreClock
from moveclock.journal import Journal
from moveclock.wire import unpack_record

BACK: Final = 200  # facts to read when nobody has looked for long: more than a move has
HOLD_STEP_MS: Final = 100  # of what is said of a hold
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


def inside(clock: CoreClock, now: int, told: Told, held: Mapping[int, tuple[int, int]], *, in_contact: bool) -> Inside:
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
            (
                (contact, ms // HOLD_STEP_MS * HOLD_STEP_MS, needs)
                for contact, (ms, needs) in held.items()
                if ms < needs
            ),
            _NO_HOLD,
        ),
        stray=told.stray,
    )


def _end(clock: CoreClock, told: Told) -> tuple[int, int]:
    """Why the game is over and who has won; what is no longer in the journal is worked out, or not known."""
    game, reason, winner = told.ended
    if game == clock.game:
        return reason, winner
    if clock.lap_over():
        return clock.lap_reason, k.NOBODY
    return (k.LAST_SEAT if clock.seat_after(clock.seat) == clock.seat else k.NOBODY), k.NOBODY


def _withdraw_s(clock: CoreClock, now: int) -> int:
    stands = clock.state == k.STOPPED and clock.stopped_by == k.TABLE and clock.reason in (k.DISPUTE, k.EARLY_CLICK)
    if not stands and not (clock.state == k.RUNNING and clock.pending):
        return 0
    return _begun(clock.settings.withdraw_ms - (now - clock.called_at))


def _begun(ms: int) -> int:
    return max(0, -(-ms // 1_000))


CATCH_UP_MS: Final = 2_000  # real time that is made up for at most
STEP_MS: Final = 1_000  # simulated time in one go: between them the process does other things
SLEEP_MOST_MS: Final = 40
SPEEDS: Final = (0.1, 100.0)
TAP_MS: Final = 120
HOLD_MS: Final = 1_300
HOLD_SEDZIA_MS: Final = 2_400  # as long as the longest hold of the design needs, and a little
RINGS_MS: Final = 600  # for how long a sound is shown
WARM_UP_MS: Final = 300_000
WARM_UP_MOST_MS: Final = 600_000
PATIENCE_MS: Final = 2_000  # real time that a visitor waits for the first minutes of a big hall
_DARK: Final = ("    ",) * 4
# More happens at these tables than at most, so that somebody who looks for a minute sees what can happen.
LIVELY: Final = Habits(overtime=0.12, early_click=0.2, claims=0.8, disputes=0.08)


@dataclass(slots=True)
class _Seen:
    """What screens do with one table.

    `taken_by`: the screen that plays it; `cut_by`: the last that changed its power or reach; `fingers`: contact ->
    since when it is down, and for how long it must be; `rang`: the last sound, and when.
    """

    table: SimTable
    taken_by: int | None = None
    cut_by: int | None = None
    fingers: dict[int, tuple[int, int]] = field(default_factory=dict)
    told: Told = field(default_factory=Told)
    rang: tuple[int, int] = (0, 0)
    drained_ms: int = 0


class Living:
    """A `live.control.Control`. `clock`: the real one; `speed`: the hall's ms in one of ours, 0.1 to 100."""

    simulated = True

    def __init__(self, hall: Hall, clock: Clock, *, speed: float = 1.0) -> None:
        self.speed = speed
        self._hall = hall
        self._world = hall.world
        self._clock = clock
        self._then_ms = clock.now_ms()  # when the hall's time was last worked out
        self._due_ms: float = self._world.now_ms  # where it should be now
        self._seen = {number: _Seen(table) for number, table in hall.tables.items()}

    def warm_up(self) -> None:
        """Play the first minutes, until some table waits for a person; then the hall is as a visitor finds it."""
        world, begun_ms = self._world, self._clock.now_ms()
        while world.now_ms < WARM_UP_MOST_MS and self._clock.now_ms() - begun_ms < PATIENCE_MS:
            if world.now_ms >= WARM_UP_MS and any(_waits(table.box) for table in self._hall.tables.values()):
                break
            world.run_until(world.now_ms + STEP_MS)
        self._due_ms = world.now_ms
        self._then_ms = self._clock.now_ms()

    async def run(self) -> None:
        """Let the hall live until cancelled."""
        world = self._world
        while True:
            self._count()
            while world.now_ms < int(self._due_ms):
                self._step()
                await asyncio.sleep(0)
            due = world.next_ms()
            wait_ms = SLEEP_MOST_MS if due is None else (due - self._due_ms) / self.speed
            await asyncio.sleep(min(max(1, wait_ms), SLEEP_MOST_MS) / 1000)

    def _count(self) -> None:
        """How far the hall should be."""
        now_ms = self._clock.now_ms()
        self._due_ms += min(now_ms - self._then_ms, CATCH_UP_MS) * self.speed
        self._then_ms = now_ms

    def _step(self) -> None:
        world = self._world
        world.run_until(min(int(self._due_ms), world.now_ms + STEP_MS))

    # --- what screens wish -----

    def wish(self, screen: int, wish: Wish) -> None:
        """Carry it out at this instant of the hall."""
        self._count()
        self._step()
        if isinstance(wish, Speed):
            low, high = SPEEDS
            if not low <= wish.times <= high:
                raise Refused(N_("the hall runs 0.1 to 100 times as fast as life"))
            self.speed = wish.times
            return
        seen = self._table(wish.table)
        if seen.taken_by not in (None, screen):
            raise Refused(N_("table {table} is played from another screen"), table=wish.table)
        match wish:
            case Take(on=on):
                self._take(seen, screen if on else None)
            case Reach(on=on):
                seen.cut_by = screen
                seen.table.set_reach(on)
            case Power(on=on):
                seen.cut_by = screen
                seen.table.set_power(on)
            case Finger(contact=contact, down=down):
                self._expect_taken(seen, contact)
                self._finger(seen, contact, down)
            case Tap(contact=contact, held=held):
                self._expect_taken(seen, contact)
                self._tap(seen, contact, held)

    def gone(self, screen: int) -> None:
        """Its tables go back to their players, and what it had cut comes back."""
        for seen in self._seen.values():
            if seen.taken_by == screen:
                self._take(seen, None)
            elif seen.cut_by == screen:
                self._mend(seen)

    def face(self, screen: int, table: int) -> Face:
        """What the box shows, by its own `view`."""
        seen = self._table(table)
        seen.table.players.be_watched()
        box = seen.table.box
        in_reach = self._hall.radio.in_reach(box.uid)
        taken, mine, down = seen.taken_by is not None, seen.taken_by == screen, box.down()
        if box.box is None:
            dark = (view.DARK, 0, k.NOBODY)
            return Face(table, False, in_reach, _DARK, dark, 0, 0, down, 0, taken, mine)
        now, world_ms = box.box.uptime.date(box.raw()), self._world.now_ms
        shown = box.box.view(now)
        held = {contact: (world_ms - since_ms, needs_ms) for contact, (since_ms, needs_ms) in seen.fingers.items()}
        seen.told.read_on(box.box.journal)
        known = inside(box.box.clock, now, seen.told, held, in_contact=box.box.links.desk(now) is not None)
        return Face(
            table, True, in_reach, shown.displays, shown.ring, shown.lit, shown.blinking, down, self._sound(seen),
            taken, mine, known,
        )  # fmt: skip

    # --- hands -----

    def _table(self, number: int) -> _Seen:
        seen = self._seen.get(number)
        if seen is None:
            raise Refused(N_("there is no table {table} in this hall"), table=number)
        return seen

    def _expect_taken(self, seen: _Seen, contact: int) -> None:
        if seen.taken_by is None:
            raise Refused(N_("take over table {table} before you play it"), table=seen.table.number)
        if not 0 <= contact <= k.SEDZIA:
            raise Refused(N_("a box has no contact {contact}"), contact=contact)

    def _take(self, seen: _Seen, screen: int | None) -> None:
        if screen == seen.taken_by:
            return
        seen.taken_by = screen
        if screen is not None:
            seen.table.players.lift_hands()
            seen.table.end_outages()
            return
        for contact in tuple(seen.fingers):
            self._finger(seen, contact, False)
        self._mend(seen)
        seen.table.players.play_on()

    def _mend(self, seen: _Seen) -> None:
        """Nobody else would bring the box back."""
        seen.cut_by = None
        seen.table.set_power(True)
        seen.table.set_reach(True)

    def _finger(self, seen: _Seen, contact: int, down: bool) -> None:
        if down == (contact in seen.fingers):
            return
        box = seen.table.box
        if down:
            seen.fingers[contact] = (self._world.now_ms, 0 if box.box is None else box.box.clock.hold_ms(contact))
        else:
            del seen.fingers[contact]
        box.edge(contact, down)

    def _tap(self, seen: _Seen, contact: int, held: bool) -> None:
        """A finger that is down already is not put down again: keys repeat."""
        if contact in seen.fingers:
            return
        for_ms = TAP_MS
        if held:
            for_ms = HOLD_SEDZIA_MS if contact == k.SEDZIA else HOLD_MS
        self._finger(seen, contact, True)
        self._world.after(for_ms, lambda: self._finger(seen, contact, False))

    def _sound(self, seen: _Seen) -> int:
        """The last sound as long as it rings; one that nobody was there to hear has died away."""
        now_ms, box = self._world.now_ms, seen.table.box.box
        sounds: list[int] = [] if box is None else box.sounds
        if sounds:
            if now_ms - seen.drained_ms <= RINGS_MS * self.speed:
                told = [sound for sound in sounds if sound != view.CLICK]
                seen.rang = (told[-1] if told else view.CLICK, now_ms)
            sounds.clear()
        seen.drained_ms = now_ms
        return seen.rang[0] if now_ms - seen.rang[1] <= RINGS_MS * self.speed else 0


def _waits(box: SimBox) -> bool:
    """Whether the table waits for somebody."""
    return box.box is not None and (box.box.clock.state == k.EXPIRED or box.box.clock.alarm(box.box.uptime.now) > 0)
