"""Who leaves in the middle of a game: ORGANIZACJA 15 of the eliminations, ours elsewhere."""

from __future__ import annotations

import pytest

from dalej.domain.scoring.points import score
from tests.domain.score_sheets import EVERY, OUT, POLISH, big, clauses, places, regulation, sheet, small

LEFT = {"withdrawn": True}


@pytest.mark.parametrize("name", EVERY)
def test_15_who_left_loses_the_own_rack_and_ranks_last(name: str) -> None:
    game = sheet("went_out", {"points": 3, **LEFT}, OUT, {"points": 40})

    assert small(game, regulation(name)) == [-3, 43, -40]
    assert places(game, regulation(name)) == [3, 1, 2]


@pytest.mark.parametrize("name", POLISH)
def test_15_who_left_without_having_opened_loses_100_and_the_rack_need_not_be_counted(name: str) -> None:
    game = sheet("went_out", {"opened": False, **LEFT}, OUT, {"points": 140})

    assert small(game, regulation(name)) == [-100, 240, -140]
    assert places(game, regulation(name)) == [3, 1, 2]


def test_15_who_left_may_rank_by_points_if_the_organiser_says_so() -> None:
    game = sheet("went_out", {"points": 3, **LEFT}, OUT, {"points": 40})

    assert places(game, regulation(withdrawn_ranks="by_points")) == [2, 1, 3]


def test_15_who_left_cannot_have_the_lowest_rack() -> None:
    game = sheet("bank_empty", {"points": 3, **LEFT}, {"points": 10}, {"points": 40})

    assert small(game, regulation()) == [-3, 33, -30]
    assert places(game, regulation()) == [3, 1, 2]


def test_15_the_scale_stays_that_of_the_table_as_it_started() -> None:
    game = sheet("went_out", {"points": 3, **LEFT}, OUT, {"points": 40}, {"points": 5})

    assert big(game, regulation("pl-championship")) == [0, 4, 1, 2]


def test_15_two_who_left_are_ranked_between_themselves() -> None:
    game = sheet("went_out", {"points": 9, **LEFT}, OUT, {"points": 4, **LEFT}, {"points": 50})

    assert places(game, regulation()) == [4, 1, 3, 2]
    level = sheet("went_out", {"points": 9, **LEFT}, OUT, {"points": 9, **LEFT}, {"points": 50})
    assert big(level, regulation("pl-championship")) == [1, 4, 1, 2]


@pytest.mark.parametrize("name", EVERY)
def test_15_one_seat_left_wins_and_takes_what_the_others_lose(name: str) -> None:
    game = sheet("last_seat", {"points": 13, **LEFT}, {}, {"points": 5, **LEFT})

    assert small(game, regulation(name)) == [-13, 18, -5]
    assert places(game, regulation(name)) == [3, 1, 2]


@pytest.mark.parametrize("name", POLISH)
def test_15_the_seat_left_wins_even_if_nobody_has_opened(name: str) -> None:
    game = sheet("last_seat", {"opened": False}, {"opened": False, **LEFT})

    assert small(game, regulation(name)) == [100, -100]


def test_15_who_left_is_told_so_with_the_clause() -> None:
    game = sheet("went_out", {"points": 3, **LEFT}, OUT)

    left, _ = score(game, regulation("pl-eliminations"))

    assert "ORGANIZACJA 15" in clauses(left)
    assert any("Uczestnik może w dowolnej chwili zrezygnować" in one.quote for one in left.reasons)
