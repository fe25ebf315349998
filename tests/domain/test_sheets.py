"""Score sheets as JSON: both ways, and what cannot be read."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dalej.domain.rules.rulesets import Ruleset
from dalej.domain.scoring.points import Rack, Sheet, score
from dalej.domain.scoring.sheets import rack_to, racks_from, sheet_from, sheet_to
from dalej.errors import WrongInput
from tests.domain.score_sheets import rulesets, sheets

RULED = st.fixed_dictionaries(
    {}, optional={"small": st.integers(-9, 9), "ruled_small": st.integers(-9, 9), "ruled_place": st.integers(1, 2)}
)


@given(sheets(), RULED, st.text(), st.booleans())
def test_a_sheet_comes_back_as_it_was_written(game: Sheet, ruled: dict[str, Any], text: str, counted: bool) -> None:
    racks = tuple(
        replace(rack, name=text, points=sum(rack.tiles or ()), tiles=None if counted else rack.tiles, **ruled)
        for rack in game.racks
    )
    game = replace(game, racks=racks, ruling=text)

    assert sheet_from(sheet_to(game), "here") == game


@given(sheets(), rulesets())
def test_a_sheet_that_comes_back_is_scored_the_same(game: Sheet, ruleset: Ruleset) -> None:
    assert score(sheet_from(sheet_to(game), "here"), ruleset) == score(game, ruleset)


def test_the_ledger_keeps_racks_with_players_and_what_a_result_belongs_to() -> None:
    body = {
        "stage": "league", "round": 2, "table": 1, "game": 4, "ended": "went_out", "started": 4, "ruling": "",
        "racks": [{"seat": "A", "player": 7, "points": 0}, {"seat": "B", "player": 3, "points": 12, "jokers": 1}],
    }  # fmt: skip

    assert sheet_from(body, "result 12") == Sheet(
        "went_out", (Rack(seat="A", points=0), Rack(seat="B", points=12, jokers=1)), started=4
    )


def test_jokers_among_the_tiles_are_counted_apart() -> None:
    (rack,) = racks_from([{"seat": "A", "tiles": [12, "joker", 7]}], "here")

    assert (rack.tiles, rack.points, rack.jokers) == ((12, 7), 19, 1)
    assert rack_to(rack) == {"seat": "A", "tiles": [12, 7, "joker"]}


def test_null_is_the_same_as_nothing() -> None:
    told = {"seat": "A", "name": None, "tiles": None, "points": 3, "jokers": None, "opened": None, "small": None}

    assert racks_from([told], "here") == (Rack(seat="A", points=3),)


def test_a_seat_that_never_opened_may_leave_tiles_out() -> None:
    assert racks_from([{"seat": "A", "opened": False}], "here") == (Rack(seat="A", opened=False),)


UNREADABLE: dict[str, tuple[Any, str]] = {
    "seat missing": ({"points": 3}, "here, player 1: seat is missing"),
    "seat no letter": ({"seat": 1}, "here, player 1: seat is 1, expected one of A, B, C, D"),
    "no rack": (7, "here, player 1: is 7, expected an object in braces"),
    "unknown key": (
        {"seat": "C", "could_have_open": True},
        'here, seat C: "could_have_open" is unknown, expected one of seat, name, player, tiles, points, jokers',
    ),
    "points a text": (
        {"seat": "C", "points": "12"},
        'here, seat C: points is "12", expected a whole number, 0 or more',
    ),
    "points a boolean": (
        {"seat": "C", "points": True},
        "here, seat C: points is true, expected a whole number, 0 or more",
    ),
    "points a fraction": (
        {"seat": "C", "points": 1.5},
        "here, seat C: points is 1.5, expected a whole number, 0 or more",
    ),
    "points below 0": ({"seat": "C", "points": -1}, "here, seat C: points is -1, expected a whole number, 0 or more"),
    "jokers a list": ({"seat": "C", "jokers": [1]}, "here, seat C: jokers is […], expected a whole number, 0 or more"),
    "a ruled text": ({"seat": "C", "ruled_small": "x"}, 'here, seat C: ruled_small is "x", expected a whole number'),
    "tiles a number": ({"seat": "C", "tiles": 7}, 'here, seat C: tiles is 7, expected a list of numbers and "joker"'),
    "a tile a text as long as is shown": (
        {"seat": "C", "tiles": ["x" * 38]},
        f'here, seat C: tiles holds "{"x" * 38}", expected whole numbers and "joker"',
    ),
    "a tile a longer text": (
        {"seat": "C", "tiles": ["x" * 39]},
        f'here, seat C: tiles holds "{"x" * 38}…, expected whole numbers and "joker"',
    ),
    "a tile a text": (
        {"seat": "C", "tiles": [7, "jolly"]},
        'here, seat C: tiles holds "jolly", expected whole numbers and "joker"',
    ),
    "a tile a boolean": (
        {"seat": "C", "tiles": [True]},
        'here, seat C: tiles holds true, expected whole numbers and "joker"',
    ),
    "a tile null": (
        {"seat": "C", "tiles": [None]},
        'here, seat C: tiles holds null, expected whole numbers and "joker"',
    ),
    "opened a number": ({"seat": "C", "opened": 1}, "here, seat C: opened is 1, expected true or false"),
    "name a number": ({"seat": "C", "name": 5}, "here, seat C: name is 5, expected text"),
    "jokers counted wrongly": (
        {"seat": "C", "tiles": ["joker", 5], "jokers": 2},
        "here, seat C: jokers says 2, but there are 1 among the tiles: a difference of 1",
    ),
}


@pytest.mark.parametrize(("rack", "sentence"), UNREADABLE.values(), ids=UNREADABLE)
def test_a_rack_that_cannot_be_read_is_named_by_seat_key_and_value(rack: object, sentence: str) -> None:
    with pytest.raises(WrongInput) as refused:
        racks_from([rack], "here")

    assert str(refused.value).startswith(sentence)


WRONG_SHEETS: dict[str, tuple[dict[str, Any], str]] = {
    "no ending": ({"players": []}, "here: ended is missing"),
    "another ending": (
        {"ended": "won", "players": []},
        'here: ended is "won", expected one of went_out, bank_empty, round_time, last_seat',
    ),
    "no players": ({"ended": "went_out"}, "here: expected one list of players"),
    "two lists": ({"ended": "went_out", "players": [], "racks": []}, "here: expected one list of players"),
    "players no list": ({"ended": "went_out", "players": {}}, "here: the players are {…}, expected a list of racks"),
    "unknown key": (
        {"ended": "went_out", "players": [], "jokers": 2},
        'here: "jokers" is unknown, expected one of ended, players, racks, started, ruling, ruleset, stage, round',
    ),
    "started a text": (
        {"ended": "went_out", "players": [], "started": "4"},
        'here: started is "4", expected a whole number, 0 or more',
    ),
    "ruling a number": ({"ended": "went_out", "players": [], "ruling": 1}, "here: ruling is 1, expected text"),
}


@pytest.mark.parametrize(("data", "sentence"), WRONG_SHEETS.values(), ids=WRONG_SHEETS)
def test_a_sheet_that_cannot_be_read_is_named_by_key_and_value(data: dict[str, Any], sentence: str) -> None:
    with pytest.raises(WrongInput) as refused:
        sheet_from(data, "here")

    assert str(refused.value).startswith(sentence)


ANY_JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=5,
)
RACK_KEYS = ("seat", "name", "tiles", "points", "jokers", "opened", "withdrawn", "ruled_place", "small")


@given(st.dictionaries(st.sampled_from(RACK_KEYS), ANY_JSON), ANY_JSON)
def test_whatever_is_written_is_read_or_refused_in_a_sentence(rack: dict[str, Any], ended: object) -> None:
    for data in ({"ended": "went_out", "players": [{"seat": "A"} | rack]}, {"ended": ended, "players": [rack]}):
        with suppress(WrongInput):
            assert isinstance(sheet_from(data, "here"), Sheet)
