"""Small and big points where bank or round time ended the game: 6o, ZAKOŃCZENIE GRY, Punteggio."""

from __future__ import annotations

import pytest

from dalej.domain.scoring.points import Ended, score
from tests.domain.score_sheets import EVERY, FOUR_TWO_ONE, big, places, regulation, sheet, small

BOTH: list[Ended] = ["bank_empty", "round_time"]


@pytest.mark.parametrize("ended", BOTH)
@pytest.mark.parametrize("name", EVERY)
def test_6o_zakonczenie_punteggio_the_lowest_rack_wins_and_the_others_lose_the_difference(
    name: str, ended: Ended
) -> None:
    game = sheet(ended, {"points": 20}, {"points": 14}, {"points": 45}, {"points": 15})

    assert small(game, regulation(name)) == [-6, 38, -31, -1]
    assert places(game, regulation(name)) == [3, 1, 4, 2]


def test_6o_6m_a_joker_counts_50_for_the_lowest_rack_too() -> None:
    game = sheet("bank_empty", {"points": 1, "jokers": 1}, {"points": 40}, {"points": 2, "jokers": 1})

    assert small(game, regulation()) == [-11, 23, -12]


def test_fine_del_gioco_a_joker_counts_25_for_the_lowest_rack_too() -> None:
    assert small(sheet("bank_empty", {"points": 1, "jokers": 1}, {"points": 40}), regulation("it-classic")) == [14, -14]


@pytest.mark.parametrize("name", EVERY)
def test_6n_zakonczenie_nobody_went_out_so_who_never_opened_loses_as_any_other(name: str) -> None:
    game = sheet("bank_empty", {"points": 90, "opened": False, "could_have_opened": True}, {"points": 30})

    assert small(game, regulation(name)) == [-60, 60]


def test_6n_never_opened_costs_100_even_though_nobody_went_out_if_the_organiser_says_so() -> None:
    game = sheet("bank_empty", {"points": 90, "opened": False}, {"points": 30}, {"points": 33})

    assert small(game, regulation(penalties_without_winner=True)) == [-100, 103, -3]
    on_top = regulation(penalties_without_winner=True, never_opened_counts="on_top")
    assert small(game, on_top) == [-160, 163, -3]


def test_6o_level_lowest_racks_win_one_big_point_each_and_the_full_sum() -> None:
    game = sheet("round_time", {"points": 8}, {"points": 20}, {"points": 8}, {"points": 11})

    assert small(game, regulation()) == [15, -12, 15, -3]
    assert big(game, regulation()) == [1, 0, 1, 0]
    assert places(game, regulation()) == [1, 4, 1, 3]


@pytest.mark.parametrize("name", FOUR_TWO_ONE)
def test_punktacja_level_lowest_racks_win_four_each_and_second_place_is_skipped(name: str) -> None:
    game = sheet("bank_empty", {"points": 8}, {"points": 20}, {"points": 8}, {"points": 11})

    assert big(game, regulation(name)) == [4, 0, 4, 1]


def test_punteggio_two_level_lowest_racks_share_what_the_third_loses() -> None:
    game = sheet("bank_empty", {"points": 10}, {"points": 10}, {"points": 14})

    assert small(game, regulation("it-classic")) == [2, 2, -4]


@pytest.mark.parametrize(("odd", "points"), [("first_seat", [-13, 7, 6]), ("last_seat", [-13, 6, 7])])
def test_punteggio_an_odd_point_goes_to_the_winner_whose_seat_comes_first_and_is_never_lost(
    odd: str, points: list[int]
) -> None:
    game = sheet("bank_empty", {"points": 21}, {"points": 8}, {"points": 8})

    assert small(game, regulation("it-classic", odd_points=odd)) == points
    assert regulation("it-classic").odd_points == "first_seat"


def test_punteggio_two_points_left_over_go_to_two_of_three_winners_by_seat_not_by_line_of_the_sheet() -> None:
    level = [{"seat": seat, "points": 8} for seat in "DBC"]
    game = sheet("round_time", *level, {"seat": "A", "points": 16})

    assert small(game, regulation("it-classic")) == [2, 3, 3, -8]


def test_punteggio_the_odd_point_says_why() -> None:
    game = sheet("bank_empty", {"points": 8}, {"points": 21}, {"points": 8})

    told = [reason.sentence for reason in score(game, regulation("it-classic"))[0].reasons]

    assert any(one.startswith("lowest racks: 2; they share +13") and "il punteggio in più" in one for one in told)
    assert "it does not divide: a point left over goes to the seat that comes first [Punteggio]" in told


def test_6o_level_lowest_racks_share_the_sum_if_the_organiser_says_so_and_no_point_is_lost() -> None:
    ruleset = regulation(several_lowest="split")

    assert small(sheet("bank_empty", {"points": 8}, {"points": 20}, {"points": 8}), ruleset) == [6, -12, 6]
    assert small(sheet("bank_empty", {"points": 8}, {"points": 21}, {"points": 8}), ruleset) == [7, -13, 6]


@pytest.mark.parametrize("name", EVERY)
def test_6o_if_all_racks_are_level_everybody_wins_nothing(name: str) -> None:
    game = sheet("bank_empty", {"points": 8}, {"points": 8}, {"points": 8})

    assert small(game, regulation(name)) == [0, 0, 0]
    assert places(game, regulation(name)) == [1, 1, 1]


def test_6o_the_lowest_rack_wins_even_if_it_never_opened() -> None:
    assert small(sheet("bank_empty", {"points": 20, "opened": False}, {"points": 30}), regulation()) == [10, -10]
