"""Sheets that cannot be right: each is refused with the seat and the difference, and none is ever scored."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dalej.domain.rules.rulesets import Ruleset
from dalej.domain.scoring.points import Ended, Rack, Sheet, contradictions, points_said, score
from dalej.errors import WrongInput
from tests.domain.score_sheets import OUT, regulation, rulesets, sheet, sheets

TOO_FEW = "expected at least 2; a game that one player is left for is not played"
NEVER = {"opened": False}
LEFT = {"withdrawn": True}

CANNOT_BE_RIGHT = {
    "no empty rack where somebody went out": (
        sheet("went_out", {"points": 5}, {"points": 3}, {"points": 9, "jokers": 1}),
        "somebody went out, but no rack is empty: the smallest, of seat B, should be 0 and is 3",
    ),
    "no empty rack, and a joker on each": (
        sheet("went_out", {"points": 1, "jokers": 1}, {"points": 0, "jokers": 1}),
        (
            "somebody went out, but no rack is empty: the smallest, of seat B, should be empty and holds jokers: 1, "
            "points besides: 0"
        ),
    ),
    "nobody counted an empty rack where somebody went out": (
        sheet("went_out", NEVER, NEVER),
        "somebody went out, but no rack is empty",
    ),
    "two empty racks": (
        sheet("went_out", OUT, {"points": 5}, {"tiles": ()}),
        "racks that are empty: those of seats A, C; only one can go out, so 1 too many",
    ),
    "three empty racks": (
        sheet("went_out", OUT, OUT, OUT),
        "racks that are empty: those of seats A, B, C; only one can go out, so 2 too many",
    ),
    "a winner who never opened": (
        sheet("went_out", {**OUT, **NEVER}, {"points": 4}),
        "seat A: the rack is empty, but it never opened; nobody goes out without opening",
    ),
    "a lone joker is no empty rack": (
        sheet("went_out", {"points": 0, "jokers": 1}, {"points": 4}),
        "somebody went out, but no rack is empty: the smallest, of seat B, should be 0 and is 4",
    ),
    "an empty rack at an empty bank": (
        sheet("bank_empty", {"points": 4}, OUT),
        "seat B: the rack is empty, but nobody went out; expected at least one tile on it",
    ),
    "an empty rack at the end of the round time": (
        sheet("round_time", OUT, {"points": 4}),
        "seat A: the rack is empty, but nobody went out; expected at least one tile on it",
    ),
    "who left had an empty rack": (
        sheet("went_out", OUT, {"points": 4}, {**OUT, **LEFT}),
        (
            "seat C: left the game with an empty rack, expected at least one tile on it, or w alone if it did not play "
            "this game"
        ),
    ),
    "a tile 14": (
        sheet("went_out", OUT, {"tiles": (13, 14)}),
        "seat B: there is no tile 14, expected 1 to 13",
    ),
    "a tile 0": (
        sheet("went_out", OUT, {"tiles": (0,)}),
        "seat B: there is no tile 0, expected 1 to 13",
    ),
    "nine sevens": (
        sheet("went_out", OUT, {"tiles": (7, 7, 7, 7)}, {"tiles": (7, 7, 7, 7, 7)}, {"points": 1}),
        "tiles 7 on the racks of seats B, C: 9, the set holds 8: 1 too many",
    ),
    "three jokers": (
        sheet("went_out", OUT, {"points": 1, "jokers": 2}, {"points": 2, "jokers": 1}),
        "jokers on the racks of seats B, C: 3, the set holds 2: 1 too many",
    ),
    "more points than the tiles hold": (
        sheet("went_out", OUT, {"points": 700}, {"points": 30}),
        "points on the racks of seats B, C: 730, all tiles of the set hold 728: 2 too many",
    ),
    "a seat twice": (
        sheet("went_out", OUT, {"points": 4, "seat": "A"}),
        "seat A is on the sheet 2 times, expected once",
    ),
    "a seat that is not at the table": (
        sheet("went_out", OUT, {"points": 4, "seat": "E"}),
        "seat E is not at the table, expected one of A, B, C, D",
    ),
    "two seats under one letter": (
        sheet("went_out", OUT, {"points": 4, "seat": "AB"}),
        "seat AB is not at the table, expected one of A, B, C, D",
    ),
    "one rack": (sheet("went_out", OUT), f"racks on the sheet: 1, {TOO_FEW}"),
    "no rack": (sheet("went_out"), f"racks on the sheet: 0, {TOO_FEW}"),
    "five racks": (
        sheet("went_out", OUT, *[{"points": 4}] * 4),
        "racks on the sheet: 5, expected at most 4: 1 too many",
    ),
    "more racks than the table had seats": (
        sheet("went_out", OUT, *[{"points": 4}] * 3, started=3),
        "racks on the sheet: 4, but the table started with 3 seats: 1 too many",
    ),
    "a table of seven": (
        sheet("went_out", OUT, {"points": 4}, started=7),
        "the table started with 7 seats, expected 2 to 4",
    ),
    "opened, and never opened though it could have": (
        sheet("went_out", OUT, {"points": 4, "could_have_opened": True}),
        "seat B: opened, and never opened though it could have; expected one of the two",
    ),
    "one seat left, but two": (
        sheet("last_seat", {"points": 4}, {"points": 4}, {"points": 4, **LEFT}),
        "seats that have not left the game: A, B; expected one, so 1 too many",
    ),
    "nobody left": (
        sheet("last_seat", {"points": 4, **LEFT}, {"points": 4, **LEFT}),
        "every seat has left the game, expected one that has won it",
    ),
    "points too many for the tiles": (
        sheet("went_out", OUT, {"points": 25, "tiles": (12, 12)}),
        "seat B: points says 25, the tiles add up to 24: 1 too many",
    ),
    "points too few for the tiles": (
        sheet("went_out", OUT, {"points": 20, "tiles": (12, 12)}),
        "seat B: points says 20, the tiles add up to 24: 4 too few",
    ),
    "the players' own sum too high": (
        sheet("went_out", {**OUT, "small": 20}, {"points": 12}),
        "seat A: +20 is written down, the racks make +12: 8 too many",
    ),
    "the players' own sum too low": (
        sheet("went_out", {**OUT, "small": 12}, {"points": 12, "small": -21}),
        "seat B: −21 is written down, the racks make −12: 9 too few",
    ),
    "a rack that opened and nobody counted": (
        sheet("went_out", OUT, {}),
        "seat B: the rack is not counted, expected its tiles or points (none of them, 0: it is empty)",
    ),
    "a rack that never opened and nobody counted, where it counts": (
        sheet("bank_empty", {"points": 3}, NEVER),
        (
            "seat B: never opened, but here the rack counts all the same: expected its tiles or points, "
            "typed as -:30 for 30 points"
        ),
    ),
    "points below 0": (sheet("went_out", OUT, {"points": -3}), "seat B: points is -3, expected 0 or more"),
    "jokers below 0": (
        sheet("went_out", OUT, {"points": 3, "jokers": -1}),
        "seat B: jokers is -1, expected 0 or more",
    ),
    "a ruled place that is none": (
        sheet("went_out", OUT, {"points": 3, "ruled_place": 3}),
        "seat B: ruled place 3, expected 1 to 2",
    ),
}


@pytest.mark.parametrize(("wrong", "sentence"), CANNOT_BE_RIGHT.values(), ids=CANNOT_BE_RIGHT)
def test_a_sheet_that_cannot_be_right_is_refused_with_the_seat_and_the_difference(wrong: Sheet, sentence: str) -> None:
    with pytest.raises(WrongInput) as refused:
        score(wrong, regulation())

    assert str(refused.value) == sentence
    assert str(contradictions(wrong, regulation())[0]) == sentence


def test_all_contradictions_are_told_worst_first() -> None:
    wrong = sheet("went_out", OUT, {"tiles": (14,), "jokers": 3}, OUT)

    said = [str(one) for one in contradictions(wrong, regulation())]

    assert [sentence.split(":")[0] for sentence in said] == [
        "seat B", "racks that are empty", "jokers on the racks of seats B",
    ]  # fmt: skip


def test_who_announced_and_then_opened_has_contradicted_nothing() -> None:
    assert contradictions(sheet("went_out", OUT, {"points": 4, "announced": True}), regulation()) == []


ALL = tuple(range(1, 14)) * 4


@pytest.mark.parametrize(
    "game",
    [
        sheet("went_out", OUT, {"tiles": ALL, "jokers": 1}, {"tiles": ALL, "jokers": 1}, started=3),
        sheet("went_out", OUT, {"points": 364, "jokers": 2}, {"points": 300}, {"points": 64}, started=4),
        sheet("went_out", {**OUT, "ruled_place": 1}, {"points": 5, "ruled_place": 2}, started=2),
    ],
)
def test_a_rack_may_hold_all_that_there_is_and_a_table_may_have_two_seats_and_four(game: Sheet) -> None:
    assert contradictions(game, regulation()) == []


def test_il_jolly_a_set_of_four_jokers_holds_four() -> None:
    game = sheet("went_out", OUT, {"points": 4, "jokers": 4})

    assert contradictions(game, regulation("it-classic", jokers=4)) == []
    assert contradictions(game, regulation("it-classic"))


def test_where_the_plain_rack_counts_it_must_be_counted() -> None:
    game = sheet("went_out", OUT, NEVER)

    assert contradictions(game, regulation()) == []
    assert contradictions(game, regulation("it-classic"))
    assert contradictions(game, regulation(never_opened_counts="on_top"))


@given(sheets(), rulesets())
def test_a_game_that_can_end_so_contradicts_nothing(game: Sheet, ruleset: Ruleset) -> None:
    assert contradictions(game, ruleset) == []


@st.composite
def anything(draw: st.DrawFn) -> Sheet:
    """Whatever somebody may write on a sheet."""
    few = st.none() | st.integers(-1, 5)
    told: dict[str, st.SearchStrategy[Any]] = {
        "seat": st.sampled_from("ABCDE"), "points": few | st.just(400), "jokers": st.integers(-1, 3),
        "tiles": st.none() | st.lists(st.integers(0, 14), max_size=5).map(tuple), "opened": st.booleans(),
        "could_have_opened": st.booleans(), "announced": st.booleans(), "withdrawn": st.booleans(),
        "ruled_small": few, "ruled_place": few, "small": few,
    }  # fmt: skip
    racks = draw(st.lists(st.fixed_dictionaries(told).map(lambda rack: Rack(**rack)), max_size=5))
    ended: Ended = draw(st.sampled_from(["went_out", "bank_empty", "round_time", "last_seat"]))
    return Sheet(ended, tuple(racks), draw(st.integers(0, 5)), draw(st.sampled_from(["", "as the referee saw it"])))


@given(anything(), rulesets())
def test_what_is_refused_is_never_scored_and_what_is_scored_needs_no_ruling_or_has_one(
    written: Sheet, ruleset: Ruleset
) -> None:
    found = contradictions(written, ruleset)

    try:
        scores = score(written, ruleset)
    except WrongInput:
        assert found
    else:
        assert not found or written.ruling
        assert len(scores) == len(written.racks)


def test_points_in_a_sentence_are_called_by_their_names_with_the_minus_that_people_write() -> None:
    assert str(points_said(3, -55)) == "big points 3, small points −55"
    assert str(points_said(None, -55)) == "−55"
