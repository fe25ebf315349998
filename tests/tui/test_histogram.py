"""The picture of move times: every line as wide as the others, and no move without something to be seen of it."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from dalej.tui.screens.times import LEAST_HIGH, LEAST_WIDE, Piece, histogram, in_order
from dalej.views.movetimes import MoveTime, MoveTimes, Whose, spread
from tests.views.timed import MOVES, times_of


def text(line: list[Piece]) -> str:
    return "".join(words for words, _look in line)


@given(MOVES, st.integers(1, 160), st.integers(1, 40))
def test_the_picture_keeps_to_its_room(moves: list[MoveTime], width: int, height: int) -> None:
    lines = histogram(MoveTimes(Whose("Lis"), tuple(moves)), width, height)

    if not moves or width < LEAST_WIDE or height < LEAST_HIGH:
        assert lines == []
        return
    assert len(lines) == height
    assert len({len(text(line)) for line in lines}) == 1
    assert len(text(lines[0])) <= width


@given(MOVES, st.integers(LEAST_WIDE, 160), st.integers(LEAST_HIGH, 40))
def test_one_move_among_many_is_seen(moves: list[MoveTime], width: int, height: int) -> None:
    times = MoveTimes(Whose("Lis"), tuple(moves))
    lines = histogram(times, width, height)
    if not lines:
        return

    lowest = lines[-4]
    bars = next(words for words, look in lowest if look == "bar")
    assert (bars.strip() != "") == (sum(spread(times, 24).counts) > 0)
    assert (lowest[-1][0].strip() != "") == (times.time_outs > 0)


def test_a_picture_looks_as_it_was_meant() -> None:
    times = times_of(*[3_000] * 2, *[11_000] * 4, *[13_000] * 2, 39_000, late=1)

    lines = [text(line) for line in histogram(times, 44, 8)]

    assert lines == [
        " 4┤     █                   ",
        "  │     █                   ",
        "  │ ▄   █▄                  ",
        "  │ █   ██            ▂  ▂▂▂",
        "  │ █   ██            █  ▓▓▓",
        "  └────────────────────  ───",
        "        ▲             △   × ",
        "   0    10   20    40 s   1 ",
    ]


@given(MOVES, st.integers(0, 60))
def test_the_latest_moves_stand_in_their_order(moves: list[MoveTime], width: int) -> None:
    shown = in_order(moves, width)

    assert len(shown) == min(width, len(moves))
    assert all(words.strip() for words, _look in shown)
