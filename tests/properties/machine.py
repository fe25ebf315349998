"""A table that is pressed, ordered about and cut from power at random, under a watcher's eyes."""

from __future__ import annotations

from typing import ClassVar

from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, precondition, rule

from moveclock import facts as k
from moveclock import settings as rules
from moveclock.clock import Clock
from tests.properties.watched import WatchedClock

WINDOWS = (0, 1, 299, 300, 999, 1000, 1999, 2000, 2999, 3000, 3001, 4999, 5000, 5001, 9999, 10000, 19999, 20000)
NUMBERS = (0, 1, 2, 3, 4, 5, 9, 60, 106, 107, 255, 256, 1000, 30000, 65535, 65536, 3600000, 3600001, 2**32 - 1)
MORE: st.SearchStrategy[int] = st.builds(  # of `take_over`: a lap, tiles, a time that is over
    lambda lap, rest: rest | lap,
    st.one_of(st.just(0), st.integers(1, 2).map(lambda reason: reason << 4)),
    st.one_of(st.just(0), st.integers(0, 255).map(lambda bits: (bits & 15) | (bits >> 4) << 8)),
)
USUAL: dict[int, st.SearchStrategy[tuple[int, ...]]] = {
    k.C_STOP: st.tuples(st.integers(0, k.BOX_LOST_POWER)),
    k.C_SET_REMAINING: st.tuples(st.sampled_from((0, 1, 500, 5000, 30000, 90000))),
    k.C_GIVE_TIME: st.tuples(st.sampled_from((1, 500, 30000))),
    k.C_SET_SEAT: st.tuples(st.integers(0, 3)),
    k.C_SET_BANK: st.tuples(st.integers(0, 3)),
    k.C_WITHDRAW: st.tuples(st.integers(0, 3)),
    k.C_FINAL_LAP: st.tuples(st.sampled_from((k.BANK_EMPTY, k.ROUND_TIME))),
    k.C_REOPEN: st.tuples(st.integers(0, 1)),
    k.C_TAKE_OVER: st.builds(
        lambda position, more: position + more,
        st.tuples(
            st.integers(1, 9), st.integers(1, 40), st.integers(0, 3), st.integers(0, 60000), st.integers(0, 4),
            st.sampled_from((0, 1, 2, 4, 8)),
        ),
        st.one_of(st.just(()), st.tuples(MORE)),
    ),
}  # fmt: skip
SOMETIMES = (k.C_WITHDRAW, k.C_END_GAME, k.C_REDEAL, k.C_TAKE_OVER)  # each ends much of what could still happen
DELAYS = st.one_of(st.sampled_from(WINDOWS), st.integers(0, 70000))
CONTACT = st.integers(0, k.CONTACTS - 1)


@st.composite
def settings(draw: st.DrawFn) -> rules.Settings:
    """Any table, with few tiles on the stack so that it runs out."""
    new = rules.Settings()
    new.limit_ms = draw(st.sampled_from((5000, 12000, 40000, 60000)))
    new.grace_ms = draw(st.sampled_from((0, 1000, 10000)))
    new.guard_ms = draw(st.sampled_from((0, 300, 1000)))
    new.claim_ms = draw(st.sampled_from((0, 10000)))
    new.dispute_ms = draw(st.sampled_from((0, 5000, 65535)))
    new.late_tile_ms = draw(st.sampled_from((0, 5000)))
    new.countdown_ms = draw(st.sampled_from((0, 3000)))
    new.seats = draw(st.sampled_from((15, 15, 7, 11, 13, 14, 3, 5, 9, 10)))
    new.first = draw(st.sampled_from([k.NOBODY, *(seat for seat in range(4) if new.seats >> seat & 1)]))
    new.draw = draw(st.integers(0, rules.DRAW_BLOCK))
    new.on_expiry = draw(st.integers(0, rules.ADVANCE))
    new.on_bank_empty = draw(st.integers(0, rules.END_WITH_MOVE))
    new.on_round_time = draw(st.integers(0, rules.END_WITH_MOVE))
    new.next_starter = draw(st.integers(0, rules.TABLE_NAMES))
    new.hand = draw(st.sampled_from((14, 13, 0)))
    new.tiles = new.hand * rules.count(new.seats) + draw(st.sampled_from((0, 1, 2, 3, 50)))
    new.taps_only = draw(st.booleans())
    assert rules.fault_in(new) == ""
    return new


class ClockMachine(RuleBasedStateMachine):
    """Random legal and illegal inputs; `played` collects every table of this process, the newest last."""

    played: ClassVar[list[WatchedClock]] = []

    def __init__(self) -> None:
        super().__init__()
        self.table = WatchedClock()
        self.sound = True

    @initialize(kostka=st.integers(0, 2), shared=st.integers(0, 2), new=settings())
    def build(self, kostka: int, shared: int, new: rules.Settings) -> None:
        self.table = WatchedClock(kostka < 2, shared == 2)
        self.played.append(self.table)
        self.configure(new, 0, 1)

    def do(self, *step: object) -> None:
        self.sound = False
        self.table.do(list(step))
        self.sound = True

    @property
    def clock(self) -> Clock:
        return self.table.clock

    # --- what happens at a table ---

    @precondition(lambda self: self.clock.state in (k.IDLE, k.READY, k.OVER))
    @rule(new=settings(), delay=DELAYS, game=st.integers(1, 9))
    def configure(self, new: rules.Settings, delay: int, game: int) -> None:
        self.do("configure", delay, game, new.pack().hex())

    @rule(delay=DELAYS)
    def wait(self, delay: int) -> None:
        self.do("wait", delay)

    @precondition(lambda self: self.clock.state == k.READY)
    @rule(delay=DELAYS, seat=st.integers(0, 3), by_desk=st.booleans())
    def start(self, delay: int, seat: int, by_desk: bool) -> None:
        if by_desk:
            self.do("order", delay, k.C_START)
        else:
            self.do("press", delay, self.table.button(seat, False), 0, 0)

    @precondition(lambda self: self.clock.state == k.RUNNING)
    @rule(delay=DELAYS, passes=st.booleans(), draws=st.booleans(), held=st.sampled_from((0,) * 6 + (1,)))
    def move(self, delay: int, passes: bool, draws: bool, held: int) -> None:
        """The active seat does what it is there for, in its time."""
        delay = min(delay, max(0, self.clock.watch.remaining(self.table.run.now) - 1))
        if draws:
            self.do("press", delay // 2, k.KOSTKA, 0, 0)
            delay -= delay // 2
        self.do("press", delay, self.table.button(self.clock.seat, passes), held, 0)

    @precondition(lambda self: self.clock.state == k.EXPIRED)
    @rule(delay=DELAYS, undone=st.booleans(), draws=st.booleans())
    def verdict(self, delay: int, undone: bool, draws: bool) -> None:
        """The next seat says what became of the late move."""
        if draws:
            self.do("press", delay // 2, k.KOSTKA, 0, 0)
        self.do("press", delay, self.table.button(self.clock.next_seat(), undone), 0, 0)

    @rule(delay=DELAYS, contact=CONTACT, held=st.integers(0, 1), desk=st.integers(0, 1))
    def press(self, delay: int, contact: int, held: int, desk: int) -> None:
        """Anybody presses anything."""
        self.do("press", delay, contact, held, desk)

    @rule(delay=DELAYS, held=st.integers(0, 1), desk=st.integers(0, 1))
    def call(self, delay: int, held: int, desk: int) -> None:
        self.do("press", delay, k.SEDZIA, held, desk)

    @precondition(lambda self: self.clock.deadline() is not None)
    @rule(contact=CONTACT, off=st.integers(-1, 1), held=st.integers(0, 1))
    def press_at_the_limit(self, contact: int, off: int, held: int) -> None:
        """A press stamped before the limit wins; at the instant itself the limit does."""
        run = self.table.run
        due = self.clock.deadline()
        assert due is not None
        if due + off < run.now:
            return
        running, seen = self.clock.state == k.RUNNING, len(run.facts)
        self.do("press", due + off - run.now, contact, held, 0)
        fell = any(fact[0] == k.TIME_RAN_OUT for fact in run.facts[seen:])
        assert not running or fell == (off >= 0), "a press before the limit, or a limit before a press, was lost"

    # --- what a desk orders, and what nobody did ---

    @rule(delay=DELAYS, command=st.integers(k.C_START, k.C_TAKE_OVER), data=st.data())
    def order(self, delay: int, command: int, data: st.DataObject) -> None:
        """Any command, mostly with arguments that make sense."""
        if command in SOMETIMES and not data.draw(st.booleans(), "really"):
            return
        anything = st.lists(st.sampled_from(NUMBERS), max_size=8).map(tuple)
        usual = USUAL.get(command, st.just(()))
        arguments = data.draw(st.one_of(usual, usual, usual, anything), "arguments")
        self.do("order", delay, command, *arguments)

    @precondition(lambda self: self.clock.state == k.STOPPED)
    @rule(delay=DELAYS)
    def resume(self, delay: int) -> None:
        self.do("order", delay, k.C_RESUME)

    @rule(delay=DELAYS)
    def cut_power(self, delay: int) -> None:
        self.do("cut", delay)

    def teardown(self) -> None:
        if self.sound:
            self.table.finish()
