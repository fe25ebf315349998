"""A simulated hall in real time: it lives while nobody looks, and a screen may play its tables.

The world's clock follows the real one, so many times as fast; what a finger does is timed in the world's time, as the
box measures it. A laptop that slept is not caught up with.
"""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field
from typing import Final

from dalej.clock import Clock
from dalej.errors import Refused
from dalej.link.sim import SimBox
from dalej.live.control import Wish
from dalej.live.messages import Face, Finger, Power, Reach, Speed, Take, Tap
from dalej.simulated.hall import Hall, SimTable
from dalej.simulated.inside import Told, inside
from dalej.simulated.players import Habits
from dalej.words import N_
from moveclock import facts as k
from moveclock import view

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
