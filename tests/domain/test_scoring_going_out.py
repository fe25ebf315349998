"""Small points where somebody went out; each test is named after the clause it reads."""

from __future__ import annotations

import pytest

from dalej.domain.rules.options import with_option
from dalej.domain.scoring.points import score
from tests.domain.score_sheets import EVERY, OUT, POLISH, clauses, regulation, sheet, small

CANNOT_OPEN = {"opened": False}
COULD_HAVE = {"opened": False, "could_have_opened": True}
ANNOUNCED = {"opened": False, "could_have_opened": True, "announced": True}


@pytest.mark.parametrize("name", EVERY)
def test_6q_zakonczenie_punteggio_the_others_lose_their_racks_and_the_winner_gains_the_sum(name: str) -> None:
    game = sheet("went_out", {"points": 12}, OUT, {"tiles": (13, 13, 4)}, {"points": 1})

    assert small(game, regulation(name)) == [-12, 43, -30, -1]


@pytest.mark.parametrize("name", POLISH)
def test_6m_zakonczenie_a_joker_on_the_rack_is_minus_50(name: str) -> None:
    game = sheet("went_out", {"tiles": (12, 7), "jokers": 1}, OUT, {"points": 3, "jokers": 1})

    assert small(game, regulation(name)) == [-69, 122, -53]


def test_fine_del_gioco_a_joker_on_the_rack_is_minus_25() -> None:
    assert small(sheet("went_out", {"points": 0, "jokers": 2}, OUT), regulation("it-classic")) == [-50, 50]


def test_il_jolly_a_joker_on_the_rack_is_minus_30_if_the_organiser_says_so() -> None:
    ruleset = regulation("it-classic", joker_points=30)

    assert small(sheet("went_out", {"points": 5, "jokers": 1}, OUT), ruleset) == [-35, 35]


@pytest.mark.parametrize("name", POLISH)
def test_6n_zakonczenie_who_never_opened_loses_100_in_place_of_rack_and_jokers(name: str) -> None:
    game = sheet("went_out", OUT, CANNOT_OPEN, {**CANNOT_OPEN, "points": 160, "jokers": 2})

    assert small(game, regulation(name)) == [200, -100, -100]


@pytest.mark.parametrize("name", POLISH)
def test_6n_zakonczenie_who_could_have_opened_loses_200(name: str) -> None:
    assert small(sheet("went_out", OUT, COULD_HAVE, {"points": 9}), regulation(name)) == [209, -200, -9]


@pytest.mark.parametrize("name", POLISH)
def test_6n_zakonczenie_who_announced_the_opening_falls_back_to_100(name: str) -> None:
    assert small(sheet("went_out", OUT, ANNOUNCED, {"points": 9}), regulation(name)) == [109, -100, -9]


def test_6n_an_announcement_lifts_nothing_if_the_organiser_says_so() -> None:
    ruleset = regulation(announcement_lifts=False)

    assert small(sheet("went_out", OUT, ANNOUNCED, {"points": 9}), ruleset) == [209, -200, -9]


def test_6n_an_announcement_by_who_could_not_have_opened_changes_nothing() -> None:
    game = sheet("went_out", OUT, {"opened": False, "announced": True}, {"points": 9, "announced": True})

    assert small(game, regulation()) == [109, -100, -9]


def test_6n_the_penalty_comes_on_top_of_the_rack_if_the_organiser_says_so() -> None:
    ruleset = regulation(never_opened_counts="on_top")
    game = sheet("went_out", OUT, {**CANNOT_OPEN, "points": 60, "jokers": 1}, {**COULD_HAVE, "points": 7})

    assert small(game, ruleset) == [417, -210, -207]


def test_6q_penalties_go_to_nobody_if_the_organiser_says_so() -> None:
    game = sheet("went_out", OUT, {**COULD_HAVE, "points": 60}, {"points": 7})

    assert small(game, regulation(winner_takes_penalties=False)) == [7, -200, -7]
    on_top = regulation(winner_takes_penalties=False, never_opened_counts="on_top")
    assert small(game, on_top) == [67, -260, -7]


@pytest.mark.parametrize("never", [CANNOT_OPEN, COULD_HAVE, ANNOUNCED], ids=["cannot", "could", "announced"])
def test_punteggio_who_never_opened_loses_the_plain_rack(never: dict[str, bool]) -> None:
    game = sheet("went_out", OUT, {**never, "points": 70, "jokers": 1}, {"points": 9})

    assert small(game, regulation("it-classic")) == [104, -95, -9]


def test_tiles_and_their_points_are_worth_the_same() -> None:
    told = sheet("went_out", OUT, {"tiles": (13, 1, 1), "jokers": 1})
    summed = sheet("went_out", OUT, {"points": 15, "jokers": 1})

    assert small(told, regulation()) == small(summed, regulation()) == [65, -65]


def test_where_the_organiser_has_set_another_value_the_text_is_not_quoted_for_it() -> None:
    ruleset = with_option(regulation(), "joker_points", 30)

    _, joker = score(sheet("went_out", OUT, {"points": 2, "jokers": 1}), ruleset)

    assert "jokers on the rack: 1, each -30 [6m]" in [reason.sentence for reason in joker.reasons]


def test_every_score_says_by_which_clause() -> None:
    game = sheet("went_out", OUT, {"points": 2, "jokers": 1}, COULD_HAVE, ANNOUNCED)

    winner, joker, could_have, announced = score(game, regulation())

    assert clauses(winner) == {"6q", "6p"}
    assert {"6m", "6p"} <= clauses(joker)
    assert {"6n", "6p"} <= clauses(could_have)
    assert any("announced" in reason.sentence and "zapowiedział" in reason.sentence for reason in announced.reasons)
    assert any("-200" in reason.sentence and "minus 200 punktów" in reason.sentence for reason in could_have.reasons)
