"""Standings: big points, then small ones; who is level shares a place until the head referee decides."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise
from random import Random

from hypothesis import given
from hypothesis import strategies as st

from dalej.domain.tournament.standings import Line, Ranking, Total, rank

RANKINGS: st.SearchStrategy[Ranking] = st.sampled_from(("big_then_small", "small"))
POINTS = st.tuples(st.integers(0, 3), st.integers(-3, 3))


@st.composite
def totals(draw: st.DrawFn, least: int = 0) -> list[Total]:
    points = draw(st.lists(POINTS, min_size=least, max_size=32))
    numbers = draw(st.permutations(range(1, len(points) + 1)))
    return [Total(number, big, small, 4) for number, (big, small) in zip(numbers, points, strict=True)]


def worth(line: Line | Total, ranking: Ranking) -> tuple[int, int]:
    return (line.big or 0 if ranking == "big_then_small" else 0, line.small)


def places(lines: list[Line]) -> dict[int, tuple[int, bool]]:
    return {line.player: (line.place, line.level) for line in lines}


def test_10_the_sum_of_big_points_comes_first_and_small_points_second() -> None:
    lines = rank([Total(1, 3, 900), Total(2, 4, -50), Total(3, 4, 20), Total(4, 0, 0)], "big_then_small", "league")

    assert [line.player for line in lines] == [3, 2, 1, 4]
    assert [line.place for line in lines] == [1, 2, 3, 4]
    assert {line.stage for line in lines} == {"league"}
    assert not any(line.level for line in lines)


def test_it_classic_ranks_by_small_points_alone() -> None:
    lines = rank([Total(1, None, -4), Total(2, None, 31), Total(3, None, 7)], "small")

    assert [(line.player, line.big) for line in lines] == [(2, None), (3, None), (1, None)]
    assert [line.player for line in rank([Total(1, 9, 0), Total(2, 0, 1)], "small")] == [2, 1]


def test_a_line_says_of_whom_it_is_and_of_which_stage_and_who_stands_last_is_level_with_nobody_else() -> None:
    lines = rank(
        [Total(4, 1, 5, 3), Total(7, 1, 5, absent=True, last=True), Total(9, 3, 0, absent=True, last=True)],
        "big_then_small", "final",
    )  # fmt: skip

    assert lines == [
        Line(1, 4, 1, 5, 3, "final"),
        Line(2, 9, 3, 0, 0, "final", level=False, absent=True, last=True),
        Line(3, 7, 1, 5, 0, "final", level=False, absent=True, last=True),
    ]
    assert rank([Total(4, None, 5, absent=True)], "small") == [Line(1, 4, None, 5, 0, "", absent=True)]


def test_players_level_share_the_place_and_the_next_is_skipped() -> None:
    lines = rank([Total(4, 1, 5), Total(2, 1, 5), Total(3, 0, 0), Total(1, 2, -9)], "big_then_small")

    assert places(lines) == {1: (1, False), 2: (2, True), 4: (2, True), 3: (4, False)}


@given(totals(), RANKINGS)
def test_a_place_is_one_more_than_there_are_better_players(everybody: list[Total], ranking: Ranking) -> None:
    lines = rank(everybody, ranking)

    assert sorted(line.player for line in lines) == sorted(total.player for total in everybody)
    for line in lines:
        assert line.place == 1 + sum(worth(other, ranking) > worth(line, ranking) for other in everybody)
        assert line.level == (sum(worth(other, ranking) == worth(line, ranking) for other in everybody) > 1)
    assert [(line.place, line.player) for line in lines] == sorted((line.place, line.player) for line in lines)


@given(totals(), RANKINGS, st.randoms(use_true_random=False))
def test_the_order_in_which_totals_are_told_changes_nothing(
    everybody: list[Total], ranking: Ranking, shuffled: Random
) -> None:
    told = list(everybody)
    shuffled.shuffle(told)

    assert rank(told, ranking) == rank(everybody, ranking)


@given(totals(), RANKINGS, st.lists(st.permutations(range(1, 9)).map(lambda order: order[:4]), max_size=4))
def test_a_decision_moves_nobody_past_a_player_who_is_not_level(
    everybody: list[Total], ranking: Ranking, decided: list[list[int]]
) -> None:
    lines = rank(everybody, ranking, decided=decided)

    assert [worth(line, ranking) for line in lines] == sorted((worth(one, ranking) for one in everybody), reverse=True)
    for place, line in enumerate(lines, 1):
        shared = [other for other in lines if other.place == line.place]
        assert line.level == (len(shared) > 1)
        assert line.place <= place < line.place + len(shared)


@given(totals(least=2), RANKINGS, st.randoms(use_true_random=False))
def test_a_decision_on_everybody_leaves_nobody_level(everybody: list[Total], ranking: Ranking, referee: Random) -> None:
    order = [total.player for total in everybody]
    referee.shuffle(order)

    lines = rank(everybody, ranking, decided=[order])

    assert [line.place for line in lines] == list(range(1, len(lines) + 1))
    assert not any(line.level for line in lines)
    for one, other in pairwise(lines):
        level = worth(one, ranking) == worth(other, ranking)
        assert not level or order.index(one.player) < order.index(other.player)


THREE_LEVEL = [Total(3, 1, 5), Total(8, 1, 5), Total(9, 1, 5), Total(5, 0, 0)]


def test_the_head_referee_decides_among_players_who_are_level() -> None:
    lines = rank(THREE_LEVEL, "big_then_small", decided=[(9, 3, 8)])

    assert places(lines) == {9: (1, False), 3: (2, False), 8: (3, False), 5: (4, False)}


def test_an_order_that_names_others_too_counts_among_those_who_are_level() -> None:
    lines = rank(THREE_LEVEL, "big_then_small", decided=[(5, 8, 9, 77, 3)])

    assert places(lines) == {8: (1, False), 9: (2, False), 3: (3, False), 5: (4, False)}


def test_whom_an_order_does_not_name_stands_behind_those_it_names() -> None:
    assert places(rank(THREE_LEVEL, "big_then_small", decided=[(8, 3)])) == {
        8: (1, False), 3: (2, False), 9: (3, False), 5: (4, False),
    }  # fmt: skip
    fourth = [*THREE_LEVEL, Total(1, 1, 5)]
    assert places(rank(fourth, "big_then_small", decided=[(8, 3)])) == {
        8: (1, False), 3: (2, False), 1: (3, True), 9: (3, True), 5: (5, False),
    }  # fmt: skip


def test_an_order_of_whom_only_one_is_still_level_decides_nothing() -> None:
    corrected = [replace(total, small=6) if total.player == 3 else total for total in THREE_LEVEL]

    lines = rank(corrected, "big_then_small", decided=[(8, 3)])

    assert places(lines) == {3: (1, False), 8: (2, True), 9: (2, True), 5: (4, False)}


def test_of_two_decisions_the_later_counts() -> None:
    lines = rank(THREE_LEVEL, "big_then_small", decided=[(3, 8, 9), (9, 8, 3)])

    assert [line.player for line in lines] == [9, 8, 3, 5]
