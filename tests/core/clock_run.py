"""A clock without its box: presses, commands and power cuts with their stamps, in the order a box hands them over in.

A step is a list `[what, ms after the step before, ...]`, as tests/vectors/clock_runs.json holds them:

    ["configure", ms, game, kind of settings]   ["wait", ms]   ["press", ms, contact, held 0/1, desk in contact 0/1]
    ["order", ms, command, argument, ...]       ["cut", ms]    power cut: the next boot's uptime begins at 0

Whatever is played, the clock's own tables are held to what they say: no state follows that a row does not name.
"""

from moveclock import facts as k
from moveclock import settings as rules
from moveclock.clock import ORDERS, PRESSES, RESTARTS, TIMERS, Clock
from vectors import of_hex

NEXT: dict[tuple[int, str], tuple[int, ...]] = {}  # state and action -> the states that can be next
for row in PRESSES + TIMERS + RESTARTS:
    assert NEXT.get((row[0], row[-1]), row[-2]) == row[-2], row
    NEXT[row[0], row[-1]] = row[-2]
for _, states, after, action in ORDERS:
    for state in states:
        NEXT[state, action] = after


class ClockRun:
    """`clock` at the stamp `now`; `facts` is everything that happened, over all boots."""

    def __init__(self, settings: rules.Settings | None = None, kostka: bool = True, shared: bool = False) -> None:
        self.now = 0
        self.boots = 1
        self._state = k.IDLE
        self._acting = False
        self.taken: list[tuple[int, str, int]] = []  # state, action of the clock's tables, next state
        self.clock = self._observed(Clock(settings or rules.Settings(), kostka, shared))
        self.facts = self.clock.facts
        self._told = 0

    def configure(self, at: int, game: int = 1, settings: rules.Settings | None = None) -> None:
        """Ready for a game; only where the clock rests."""
        self.wait(at)
        self.clock.order(k.C_CONFIGURE, at, (game, settings or self.clock.settings, k.DESK))
        self._expect_taken()

    def wait(self, at: int) -> None:
        """Nothing comes in up to and at the stamp `at`, but what is due falls."""
        while True:
            due = self.clock.deadline()
            if due is None or due > at:
                break
            self.clock.expire(due)
            self._expect_taken()
        self.now = at

    def press(self, contact: int, at: int, held: bool = False, desk: bool = False) -> None:
        """A press decided to be a tap or a hold, with its down stamp."""
        self.wait(at)
        self.clock.press(contact, held, at, desk)
        self._expect_taken()
        self.wait(at)

    def order(self, command: int, at: int, *arguments: int) -> int:
        """A desk's command; 0 or why it is refused."""
        self.wait(at)
        refused = self.clock.order(command, at, arguments)
        self._expect_taken()
        self.wait(at)
        return refused

    def cut(self, at: int) -> None:
        """Power is lost right after a checkpoint; the box comes back at uptime 0."""
        self.wait(at)
        old = self.clock
        self.clock = self._observed(Clock(old.settings, old.kostka, old.shared))
        self.clock.facts = self.facts
        assert self.clock.restore(old.snapshot(at), 0)
        self._state = self.clock.state
        self.clock.lose_power(0)
        self._expect_taken()
        self.now = 0
        self.boots += 1

    def step(self, step: list) -> int:  # type: ignore[type-arg]  # as JSON holds it
        """One step of a run; not 0 if it was an order that is refused."""
        what, at = step[0], self.now + step[1]
        if what == "configure":
            self.configure(at, step[2], rules.unpack(of_hex(step[3])))
        elif what == "wait":
            self.wait(at)
        elif what == "press":
            self.press(step[2], at, bool(step[3]), bool(step[4]))
        elif what == "order":
            return self.order(step[2], at, *step[3:])
        else:
            assert what == "cut", what
            self.cut(at)
        return 0

    def told(self, *kinds: int) -> list[tuple[int, ...]]:
        """The facts since it was last asked; with `kinds` only those."""
        new = self.facts[self._told :]
        self._told = len(self.facts)
        return [fact for fact in new if not kinds or fact[0] in kinds]

    def _observed(self, clock: Clock) -> Clock:
        """The clock, whose actions leave a note and are held to their rows."""
        self._state = clock.state
        self._acting = False
        for action in {action for _, action in NEXT}:
            setattr(clock, action, self._noting(clock, action))
        return clock

    def _noting(self, clock: Clock, action: str) -> object:
        does = getattr(clock, action)

        def noted(*arguments: object) -> object:
            if self._acting:  # one action is a step of another
                return does(*arguments)
            before, self._acting = clock.state, True
            answer = does(*arguments)
            self._acting = False
            if answer is None or bool(answer) != action.startswith("order_"):  # timers; presses say True, orders 0
                assert clock.state in NEXT[before, action], (before, action, clock.state)
                self.taken.append((before, action, clock.state))
                self._state = clock.state
            return answer

        return noted

    def _expect_taken(self) -> None:
        """The state is the one that the last row has led to: nothing else changes it."""
        assert self.clock.state == self._state, (self._state, self.clock.state)


def juz(seat: int) -> int:
    return 2 * seat


def dalej(seat: int) -> int:
    return 2 * seat + 1


def table(first: int = k.SEAT_A, kostka: int = True, shared: int = False, **values: int) -> ClockRun:
    """A table that is ready; `values` are settings. Its facts so far are told."""
    settings = rules.Settings()
    settings.first = first
    for name, value in values.items():
        assert hasattr(settings, name), name
        setattr(settings, name, value)
    assert rules.fault_in(settings) == "", rules.fault_in(settings)
    run = ClockRun(settings, bool(kostka), bool(shared))
    run.configure(0)
    run.told()
    return run


def started(first: int = k.SEAT_A, kostka: int = True, shared: int = False, **values: int) -> ClockRun:
    """A table whose first seat runs since stamp 0."""
    run = table(first, kostka, shared, **values)
    assert run.order(k.C_START, 0) == 0
    run.told()
    return run
