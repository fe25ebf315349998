"""Four simulated players at one box, and the referee who comes when they call. They see what the box shows, no more.

They differ in speed, forget to click, click before drawing, quarrel, leave, and empty their racks; each does so by
chance, from one seed, so a hall plays the same evening again.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from random import Random
from typing import Final

from dalej.simulator.box import SimBox
from dalej.simulator.world import World
from moveclock import facts as k

TAP_MS: Final = (60, 220)
HOLD_MS: Final = (1100, 1800)
LONG_HOLD_MS: Final = (2100, 2600)
LOOK_AGAIN_MS: Final = 1000
WATCHED_MS: Final = 3_000  # after the last look of a person
PATIENCE_MS: Final = 180_000  # then somebody tries again: the box may have been without power when they pressed

Ask = Callable[[str, dict[str, int | str]], bool]
Begins = Callable[[int], bool]


def always(_game: int) -> bool:
    """At a table without an end any game may begin."""
    return True


@dataclass(frozen=True, slots=True)
class Habits:
    """Chances from 0 to 1 per move, and how fast people are: the share of the limit that a usual move takes."""

    pace: float = 0.3
    lays: float = 0.55
    early_click: float = 0.04
    forgets_the_tile: float = 0.02
    claims: float = 0.7
    overtime: float = 0.05
    announces: float = 0.03
    disputes: float = 0.02
    changes_mind: float = 0.3
    stray: float = 0.02
    withdraws: float = 0.003
    denies: float = 0.2


class Players:
    """The people of one table. `ask(command, args)` is the referee at the desk, False: the box was not even asked;
    `quota` moves and they go home. `begins(game)`: whether the game of that number may begin; while it may not, or one
    player alone is left, they are `resting`, and look up again when the table shows something new, or now and then.

    While their `hands_off` is set somebody else plays the table, and the referee leaves it alone too. A clock that a
    person at the desk has stopped stands until a person lets it go on.
    """

    def __init__(
        self,
        world: World,
        box: SimBox,
        random: Random,
        ask: Ask,
        quota: int,
        habits: Habits | None = None,
        begins: Begins = always,
    ) -> None:
        self.moves = 0
        self.gone_home = False
        self.resting = False
        self.hands_off = False
        self._watched_ms = -WATCHED_MS
        self._mind = 0  # what was planned in an earlier state of mind is forgotten
        self._world = world
        self._box = box
        self._random = random
        self._ask = ask
        self._quota = quota
        self._begins = begins
        self._habits = habits or Habits()
        self._speed = [random.uniform(0.5, 1.7) for _ in range(4)]
        self._racks = [14] * 4
        self._seen: tuple[int, int, int, int] | None = None
        self._planned_ms = 0
        self._counted = (0, 0)

    def sit_down(self) -> None:
        """Begin to look at the box."""
        self._world.after(self._random.randint(500, 4000), self._look)

    def lift_hands(self) -> None:
        """Let somebody else play: what they had in mind is forgotten; a finger that is down comes up as it would."""
        self.hands_off = True
        self._mind += 1

    def play_on(self) -> None:
        """Take the table back as it is now."""
        self.hands_off = False
        self._seen = None

    def be_watched(self) -> None:
        """A person at a screen looks at this table: what waits for a referee is left to them for a while."""
        self._watched_ms = self._world.now_ms

    # --- looking and planning -----

    def _look(self) -> None:
        """See what the box shows; if that is new, plan what somebody does about it."""
        if self.gone_home:
            return
        box = self._box.box
        if box is not None and not self.hands_off:
            clock = box.clock
            seen = (clock.state, clock.game, clock.move, clock.stopped_at if clock.state == k.STOPPED else 0)
            if seen != self._seen or self._world.now_ms - self._planned_ms > PATIENCE_MS:
                self._seen = seen
                self._planned_ms = self._world.now_ms
                self.resting = False
                self._plan(clock.state, clock.game)
        self._world.after(LOOK_AGAIN_MS, self._look)

    def _plan(self, state: int, game: int) -> None:
        if state == k.READY:
            self._racks = [14] * 4
            if self.moves >= self._quota:
                self.gone_home = True
            elif not self._rests(game):
                self._act(self._between(1000, 5000), self._start)
        elif state == k.RUNNING:
            self._plan_move()
        elif state == k.EXPIRED:
            self._act(self._between(1500, 25_000), self._judge_late_move)
        elif state == k.STOPPED:
            if self._box.box is not None and self._box.box.clock.stopped_by == k.DESK:
                return
            self._act(self._between(5000, 40_000), self._referee_comes)
        elif state == k.OVER and self.moves < self._quota and not self._rests(game + 1):
            if len(self._in_play()) < 2:
                self.resting = True  # the others have left
                return
            self._act(self._between(10_000, 60_000), self._next_game)

    def _plan_move(self) -> None:
        box = self._box.box
        if box is None:
            return
        clock, habits, random = box.clock, self._habits, self._random
        if (clock.game, clock.move) != self._counted:
            self._counted = (clock.game, clock.move)
            self.moves += 1
        limit = clock.settings.limit_ms
        usual = habits.pace * self._speed[clock.seat & 3] * limit
        thinks = int(min(limit * 0.97, max(900, random.gauss(usual, usual / 3))))
        if self.moves >= self._quota:
            self._after(thinks, self._end_evening)
            return
        if random.random() < habits.overtime:
            thinks = limit + self._between(500, 3000)
        if random.random() < habits.stray:
            self._act(self._between(400, 2000), lambda: self._tap(2 * random.randrange(4) + random.randrange(2)))
        if clock.claimable and random.random() < habits.claims:
            self._act(self._between(800, 5000), lambda: self._tap(k.SEDZIA))
        elif random.random() < habits.disputes:
            self._act(self._between(600, max(700, thinks)), self._quarrel)
        self._act(thinks, self._finish_move)

    def _act(self, delay_ms: int, what: Callable[[], None]) -> None:
        """Do it then, if the table still shows what it showed when it was planned."""
        seen = self._seen
        self._after(delay_ms, lambda: what() if self._seen == seen and not self.gone_home else None)

    # --- what people do -----

    def _start(self) -> None:
        box = self._box.box
        if box is None or self._rests(box.clock.game):
            return
        clock = box.clock
        if clock.starter == k.NOBODY:
            self._tap(2 * clock.seat_after(self._random.randrange(4)))
            self._seen = None
        else:
            self._tap(2 * clock.starter)

    def _finish_move(self) -> None:
        box = self._box.box
        if box is None or box.clock.state != k.RUNNING:
            return
        clock, habits, random = box.clock, self._habits, self._random
        seat = clock.seat
        if random.random() < habits.lays:
            laid = random.randint(1, 4)
            if laid >= self._racks[seat]:
                self._press(2 * seat, self._between(*HOLD_MS))
                return
            self._racks[seat] -= laid
            self._tap(2 * seat)
            return
        if random.random() < habits.announces:
            self._press(2 * seat + 1, self._between(*HOLD_MS))
            self._after(2500, lambda: self._pass(seat))
        else:
            self._pass(seat)

    def _pass(self, seat: int) -> None:
        random, habits = self._random, self._habits
        self._racks[seat] += 1
        chance = random.random()
        if chance < habits.forgets_the_tile:
            self._tap(2 * seat + 1)
        elif chance < habits.forgets_the_tile + habits.early_click:
            self._tap(2 * seat + 1)
            self._after(self._between(400, 3500), lambda: self._tap(k.KOSTKA))
        else:
            self._tap(k.KOSTKA)
            self._after(self._between(400, 1500), lambda: self._tap(2 * seat + 1))

    def _quarrel(self) -> None:
        self._tap(k.SEDZIA)
        if self._random.random() < self._habits.changes_mind:
            self._after(self._between(900, 2500), lambda: self._tap(k.SEDZIA))

    def _judge_late_move(self) -> None:
        box = self._box.box
        if box is None or self._is_left_to_a_person(self._judge_late_move):
            return
        following = box.clock.next_seat()
        if self._random.random() < 0.4:
            self._tap(2 * following)
        else:
            self._racks[box.clock.seat & 3] += 1
            self._tap(2 * following + 1)
            self._after(self._between(800, 3000), lambda: self._tap(k.KOSTKA))

    def _referee_comes(self) -> None:
        box = self._box.box
        if box is None or self._is_left_to_a_person(self._referee_comes):
            return
        clock, random = box.clock, self._random
        seats = self._in_play()
        if clock.claim and random.random() < self._habits.denies:
            self._ask("deny_claim", {})
        if len(seats) > 2 and random.random() < self._habits.withdraws * 20:
            self._ask("withdraw", {"seat": "ABCD"[random.choice(seats)]})
        if random.random() < 0.1:
            self._ask("give_time", {"ms": 10_000})
        self._after(1500, self._go_on)

    def _is_left_to_a_person(self, what: Callable[[], None]) -> bool:
        """Whether somebody reads what waits here; `what` is done later then."""
        now_ms = self._world.now_ms
        left = now_ms - self._watched_ms < WATCHED_MS and now_ms - self._planned_ms < PATIENCE_MS - LOOK_AGAIN_MS
        if left:
            self._act(LOOK_AGAIN_MS, what)
        return left

    def _go_on(self) -> None:
        box = self._box.box
        if box is None or box.clock.state != k.STOPPED:
            return
        if self._random.random() < 0.5 or not self._ask("resume", {}):
            self._press(k.SEDZIA, self._between(*LONG_HOLD_MS))
        # if that did not help, somebody tries again
        self._seen = None

    def _end_evening(self) -> None:
        """The last move of the evening: the desk ends the game in it, as soon as it has a link."""
        box = self._box.box
        if box is not None and box.clock.state == k.OVER:
            self.gone_home = True
        else:
            if box is not None and box.clock.state != k.IDLE:
                self._ask("end_game", {})
            self._after(LOOK_AGAIN_MS, self._end_evening)

    def _in_play(self) -> list[int]:
        box = self._box.box
        return [] if box is None else [seat for seat in range(4) if box.clock.in_play(seat)]

    def _next_game(self) -> None:
        box = self._box.box
        if box is None or self._rests(box.clock.game + 1):
            return
        self._press(k.SEDZIA, self._between(*LONG_HOLD_MS))

    def _rests(self, game: int) -> bool:
        """Whether that game may not begin now; then there is nothing to do."""
        self.resting = not self._begins(game)
        return self.resting

    # --- fingers -----

    def _tap(self, contact: int) -> None:
        self._press(contact, self._between(*TAP_MS))

    def _press(self, contact: int, for_ms: int) -> None:
        world = self._world
        self._box.edge(contact, True)
        if self._random.random() < 0.3:  # contacts bounce
            world.after(2, lambda: self._box.edge(contact, False))
            world.after(5, lambda: self._box.edge(contact, True))
        world.after(for_ms, lambda: self._box.edge(contact, False))

    def _between(self, low: int, high: int) -> int:
        return self._random.randint(low, max(low, high))

    def _after(self, delay_ms: int, what: Callable[[], None]) -> None:
        mind = self._mind
        self._world.after(delay_ms, lambda: what() if self._mind == mind else None)
