"""A game at one box that another box takes over."""

from __future__ import annotations

from dataclasses import dataclass

from hypothesis import strategies as st

from dalej.domain.game.facts import Fact
from dalej.domain.game.positions import position
from moveclock import facts as k
from moveclock import settings as rules
from tests.domain.tables import BOX, GAPS, STEPS, A, PlayedTable, Step, do, settings

SPARE = "b0b1c2d3e4f5"
LIMIT = 40_000
PLAYED = ("juz", "dalej", "kostka", "next_juz", "next_dalej", "stop", "resume", "give_time")


def table(box: str = BOX) -> PlayedTable:
    new = rules.Settings()
    new.limit_ms, new.first = LIMIT, A
    return PlayedTable(new, box=box)


def late() -> PlayedTable:
    """A's time is over for 2 s, and B has not said what becomes of the move."""
    first = table()
    first.press(2 * A)
    first.wait(LIMIT + 2_000)
    return first


def takes_over(first: PlayedTable, box: str = SPARE) -> PlayedTable:
    """Another box goes on where the facts of the first one say that the table stands."""
    at, clock = position(first.facts), first.clock
    assert at.bank is not None
    spare = PlayedTable(clock.settings, kostka=clock.kostka, shared=clock.shared, box=box)
    left = clock.watch.remaining(first.now)
    assert spare.order(k.C_TAKE_OVER, at.game, at.move, at.seat, left, at.bank, at.out, at.mid_game.number) == 0
    return spare


@dataclass(frozen=True)
class Both:
    """The same game: at one box from beginning to end, and at two."""

    alone: list[Fact]
    first: list[Fact]
    spare: list[Fact]


@st.composite
def both(draw: st.DrawFn) -> Both | None:
    """None if the table was in no game then, or people had asked for something that they must ask for again."""
    new = draw(settings())
    kostka, shared = draw(st.booleans()), draw(st.booleans())
    first = PlayedTable(new, kostka=kostka, shared=shared)
    starter = next(seat for seat in range(4) if first.clock.in_play(seat))
    steps: list[Step] = [(1_000, "other", 2 * starter), (1_000, "other", 2 * starter), *draw(STEPS)]
    for gap, doing, number in steps:
        first.wait(gap)
        do(first, doing, number)
    clock = first.clock
    if clock.state not in (k.RUNNING, k.EXPIRED, k.STOPPED) or not clock.in_play(clock.seat):
        return None
    if clock.claim or clock.claimable or clock.pending or clock.owing != k.NOBODY:
        return None
    if new.on_expiry == rules.ADVANCE and position(first.facts).mid_game.late:
        return None  # the spare gives the grace time anew
    if clock.state != k.STOPPED:
        first.order(k.C_STOP, k.REFEREE)
    heard = list(first.facts)
    spare = takes_over(first)
    for one in (first, spare):
        one.order(k.C_RESUME)
        one.wait(1_000)
    for gap, doing, number in draw(st.lists(st.tuples(GAPS, st.sampled_from(PLAYED), st.integers(0, 7)))):
        for one in (first, spare):
            one.wait(gap)
            do(one, doing, number)
    return Both(first.facts, heard, spare.facts)
