"""Places and big points: 6p, PUNKTACJA."""

from __future__ import annotations

import pytest

from dalej.domain.scoring.points import score
from tests.domain.score_sheets import EVERY, FOUR_TWO_ONE, OUT, big, places, regulation, sheet

FOUR = sheet("went_out", {"points": 5}, {"points": 9}, OUT, {"points": 7})
THREE = sheet("went_out", {"points": 9}, OUT, {"points": 7})
TWO = sheet("went_out", OUT, {"points": 5})


@pytest.mark.parametrize("name", FOUR_TWO_ONE)
def test_punktacja_four_seats_get_4_2_1_0_three_get_4_2_0(name: str) -> None:
    assert big(FOUR, regulation(name)) == [2, 0, 4, 1]
    assert big(THREE, regulation(name)) == [0, 4, 2]
    assert big(TWO, regulation(name)) == [4, 0]


@pytest.mark.parametrize("name", ["school-league", "pl-eliminations"])
def test_6p_punktacja_the_win_gets_1_whoever_else_0(name: str) -> None:
    assert big(FOUR, regulation(name)) == [0, 0, 1, 0]
    assert big(THREE, regulation(name)) == [0, 1, 0]
    assert big(TWO, regulation(name)) == [1, 0]


def test_fine_del_gioco_knows_no_big_points() -> None:
    assert big(FOUR, regulation("it-classic")) == [None] * 4
    assert places(FOUR, regulation("it-classic")) == [2, 4, 1, 3]


@pytest.mark.parametrize("name", FOUR_TWO_ONE)
def test_punktacja_two_on_minus_9_at_a_table_of_four_get_2_each_and_the_fourth_0(name: str) -> None:
    game = sheet("went_out", OUT, {"points": 9}, {"tiles": (4, 5)}, {"points": 20})

    assert [(one.small, one.place, one.big) for one in score(game, regulation(name))] == [
        (38, 1, 4), (-9, 2, 2), (-9, 2, 2), (-20, 4, 0),
    ]  # fmt: skip


@pytest.mark.parametrize("name", FOUR_TWO_ONE)
def test_punktacja_a_tie_for_third_and_fourth_gives_1_each(name: str) -> None:
    assert big(sheet("went_out", OUT, {"points": 9}, {"points": 3}, {"points": 9}), regulation(name)) == [4, 1, 2, 1]


@pytest.mark.parametrize("name", FOUR_TWO_ONE)
def test_punktacja_three_level_share_second_place(name: str) -> None:
    game = sheet("went_out", OUT, {"points": 9}, {"points": 9}, {"points": 9})

    assert big(game, regulation(name)) == [4, 2, 2, 2]
    assert places(game, regulation(name)) == [1, 2, 2, 2]


@pytest.mark.parametrize("name", FOUR_TWO_ONE)
def test_punktacja_a_tie_for_second_at_a_table_of_three_gives_2_each(name: str) -> None:
    assert big(sheet("went_out", {"points": 9}, OUT, {"points": 9}), regulation(name)) == [2, 4, 2]


@pytest.mark.parametrize("name", EVERY)
def test_punktacja_places_follow_small_points_penalties_included(name: str) -> None:
    game = sheet("went_out", {"points": 99}, OUT, {"points": 120, "opened": False}, {"points": 3})

    assert places(game, regulation(name)) == [3, 1, 4, 2]


def test_the_table_as_it_started_chooses_the_scale() -> None:
    left_in_an_earlier_game = sheet("went_out", {"points": 9}, OUT, {"points": 12}, started=4)

    assert big(left_in_an_earlier_game, regulation("pl-championship")) == [2, 4, 1]


def test_who_shares_a_place_is_told_so_with_the_clause() -> None:
    game = sheet("went_out", OUT, {"points": 9}, {"points": 9})

    _, second, _ = score(game, regulation("pl-championship"))

    assert any("level in place 2" in one.sentence and one.clause == "PUNKTACJA" for one in second.reasons)


def test_6p_every_score_of_the_league_quotes_the_clause_of_big_points() -> None:
    for one in score(FOUR, regulation()):
        assert "[6p: Graczowi wygrywającemu zapisujemy 1 duży punkt za zwycięstwo." in one.reasons[-1].sentence


@pytest.mark.parametrize("name", FOUR_TWO_ONE)
def test_punktacja_level_seats_get_the_lower_place_if_the_organiser_says_so(name: str) -> None:
    ruleset = regulation(name, level_big_points="lower")
    game = sheet("went_out", OUT, {"points": 9}, {"points": 9}, {"points": 20})

    assert big(game, ruleset) == [4, 1, 1, 0]
    assert places(game, ruleset) == [1, 2, 2, 4]


def test_6p_seats_level_behind_the_winner_are_not_told_what_6o_says_of_winners() -> None:
    game = sheet("went_out", OUT, {"points": 5}, {"points": 9}, {"points": 9})

    level = [reason for reason in score(game, regulation())[2].reasons if "level" in reason.template]

    assert [reason.clause for reason in level] == ["6p"]
    assert "remisujące" not in level[0].quote
