"""What an organiser sets otherwise: typed, kept, taken back."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from dalej.domain.rules.options import format_value, keys, option, option_value, value_text, with_option, with_options
from dalej.domain.rules.rulesets import BY, METHODS, OneOf, Ruleset, Scale, Shape, Stage, Stages, Value, Whole, schema
from dalej.domain.rules.values import duration, inconsistent, plain, spoken, value_of
from dalej.errors import WrongInput
from dalej.event.eventlog import choose_ruleset, ruleset_of
from dalej.event.ledger import Ledger
from dalej.event.reading import read
from dalej.rulesets import rulebook

LEAGUE = rulebook.load("school-league")
RULESETS = st.sampled_from([rulebook.load(name) for name in rulebook.available()])


def fixed(found: list[Any]) -> Value:
    return tuple(found)


def stages() -> st.SearchStrategy[Value]:
    ids = st.from_regex("[a-z][a-z0-9]{0,8}(-[a-z0-9]{1,8})?", fullmatch=True)
    one = st.builds(
        Stage, id=ids, rounds=st.integers(1, 50), games=st.integers(1, 20), first=st.sampled_from(METHODS),
        later=st.sampled_from(METHODS), takes=st.none() | st.integers(1, 5_000), by=st.sampled_from(BY),
    )  # fmt: skip
    return st.lists(one, min_size=1, max_size=9, unique_by=lambda stage: stage.id).map(fixed)


def values(shape: Shape) -> st.SearchStrategy[Value]:
    match shape:
        case Whole():
            counts: st.SearchStrategy[Value] = st.integers(shape.low, shape.high)
            return counts | st.none() if shape.word else counts
        case OneOf():
            return st.sampled_from(shape.words)
        case Scale():
            scale = st.lists(st.integers(0, shape.high), min_size=shape.seats, max_size=shape.seats)
            return st.none() | scale.map(lambda points: fixed(sorted(points, reverse=True)))
        case Stages():
            return stages()
        case _:
            return st.booleans()


def refusal(key: str, text: str, ruleset: Ruleset = LEAGUE) -> str:
    with pytest.raises(WrongInput) as refused:
        option(ruleset, key, text)
    return str(refused.value)


@given(st.sampled_from(list(schema())), st.data())
def test_what_is_shown_can_be_typed_again(key: str, data: st.DataObject) -> None:
    shape = schema()[key]
    value = data.draw(values(shape))
    assert value_of(key, option_value(key, value_text(key, value)), shape) == value


@given(st.sampled_from(list(schema())), st.data())
def test_what_a_file_holds_is_read_again(key: str, data: st.DataObject) -> None:
    shape = schema()[key]
    value = data.draw(values(shape))
    assert value_of(key, plain(value, shape), shape) == value


@given(RULESETS, st.sampled_from(list(schema())), st.data())
def test_an_option_changes_its_value_and_nothing_else_and_can_be_taken_back(
    ruleset: Ruleset, key: str, data: st.DataObject
) -> None:
    wanted = data.draw(values(schema()[key]))
    assume(not inconsistent({rule.key: rule.value for rule in ruleset.rules} | {key: wanted}))
    changed = with_option(ruleset, key, plain(wanted, schema()[key]))
    assert getattr(changed, key) == changed.rule(key).value == wanted
    assert changed.rule(key).organiser == (wanted != ruleset.rule(key).value)
    assert changed.rule(key).clause == ruleset.rule(key).clause
    assert with_option(changed, key, None) == ruleset


@given(st.sampled_from(keys()), st.text(max_size=40))
def test_whatever_is_typed_is_a_value_or_refused_in_one_sentence(key: str, text: str) -> None:
    said = ""
    try:
        with_option(LEAGUE, *option(LEAGUE, key, text))
    except WrongInput as refused:
        said = str(refused)
    assert "\n" not in said


@pytest.mark.parametrize(
    ("found", "shown"),
    [
        (True, "true"),
        (False, "false"),
        ({"ms": 1}, "{…}"),
        ([40_000], "[…]"),
        (40.5, "40.5"),
        ("40\n\t s", '"40 s"'),
        ("x" * 58, f'"{"x" * 58}"'),
        ("x" * 59, f'"{"x" * 58}…'),
        ("x" * 500, f'"{"x" * 58}…'),
    ],
)
def test_a_wrong_value_is_shown_as_a_file_would_write_it_on_one_line_and_not_too_long(
    found: object, shown: str
) -> None:
    with pytest.raises(WrongInput) as refused:
        value_of("limit_ms", found, schema()["limit_ms"])

    assert str(refused.value) == f"limit_ms is {shown}, expected a whole number from 5000 to 3600000"


@given(st.integers(0, 40_000_000))
def test_a_time_is_read_as_it_is_spoken(ms: int) -> None:
    assert duration(spoken(ms)) == ms


@pytest.mark.parametrize(
    ("text", "ms"),
    [("40s", 40_000), ("40 s", 40_000), ("40 sek.", 40_000), ("1 min", 60_000), ("90 min", 5_400_000),
     ("1 h 30 min", 5_400_000), ("1,5 min", 90_000), ("0.3 s", 300), ("45000", 45_000), ("300 ms", 300), ("0", 0),
     ("45_000", 45_000), ("300.", 300)],
)  # fmt: skip
def test_times_as_people_type_them(text: str, ms: int) -> None:
    assert duration(text) == ms


@pytest.mark.parametrize("text", ["", "s", "40 x", "-40 s", "1:30", "40 50", "4 0 s", "soon", "40.5", "1e3 s"])
def test_what_is_no_time(text: str) -> None:
    assert duration(text) is None


@pytest.mark.parametrize(
    ("key", "text", "wanted"),
    [
        ("limit", "45 s", ("limit_ms", 45_000)),
        ("LIMIT-MS", "45 s", ("limit_ms", 45_000)),
        ("round-time", "90 min", ("round_time_ms", 5_400_000)),
        (" Round time ", "10 h", ("round_time_ms", 36_000_000)),
        ("round_time", "none", ("round_time_ms", "none")),
        ("players_max", "NONE", ("players_max", "none")),
        ("never_opened_points", "rack", ("never_opened_points", "rack")),
        ("takes_invalid_tiles", "unknown", ("takes_invalid_tiles", "unknown")),
        ("announcement_lifts", "nie", ("announcement_lifts", False)),
        ("redeal_allowed", "sì", ("redeal_allowed", True)),
        ("big_points_4", "4, 2, 1, 0", ("big_points_4", [4, 2, 1, 0])),
        ("big_points_4", "[4; 2; 1; 0]", ("big_points_4", [4, 2, 1, 0])),
        ("could_have_opened_points", " 1_000 ", ("could_have_opened_points", 1_000)),
        ("absent_points", "-1_0", ("absent_points", -10)),
        ("on_bank_empty", "Play on", ("on_bank_empty", "play_on")),
        ("on_round_time", "end-at-once", ("on_round_time", "end_at_once")),
        ("several_lowest", "Split", ("several_lowest", "split")),
    ],
)
def test_an_option_as_it_is_typed(key: str, text: str, wanted: tuple[str, object]) -> None:
    assert option(LEAGUE, key, text) == wanted


def test_rounds_and_games_are_those_of_the_first_stage() -> None:
    key, value = option(LEAGUE, "rounds", "4")
    assert with_option(LEAGUE, key, value).stages == (Stage(id="league", rounds=4, games=4),)
    key, value = option(rulebook.load("it-classic"), "games", "7")
    assert with_option(rulebook.load("it-classic"), key, value).stages[0].games == 7


def test_stages_on_one_line() -> None:
    text = "preliminaries 3x2 lot/fresh_lot; semifinal 1x2 snake takes 8; 3 1 x 2 takes 4 by table ; "
    ruleset = with_option(LEAGUE, *option(LEAGUE, "stages", text))
    assert ruleset.stages == (
        Stage(id="preliminaries", rounds=3, games=2, first="lot", later="fresh_lot"),
        Stage(id="semifinal", rounds=1, games=2, first="snake", later="snake", takes=8),
        Stage(id="3", rounds=1, games=2, first="lot", later="rank", takes=4, by="table"),
    )
    assert plain(ruleset.stages, schema()["stages"])[1:] == [
        {"id": "semifinal", "rounds": 1, "games": 2, "first": "snake", "later": "snake", "takes": 8, "by": "rank"},
        {"id": "3", "rounds": 1, "games": 2, "first": "lot", "later": "rank", "takes": 4, "by": "table"},
    ]
    assert format_value(ruleset.rule("stages")) == (
        "preliminaries 3x2 lot/fresh_lot; semifinal 1x2 snake takes 8; 3 1x2 lot/rank takes 4 by table"
    )


@pytest.mark.parametrize(
    ("key", "text", "said"),
    [
        ("limit", "45", "limit is 45, expected a time from 5 s to 1 h, such as 45 s"),
        ("limit", "70", "limit is 70, expected a time from 5 s to 1 h, such as 70 s"),
        ("limit", "2", "limit is 2, expected a time from 5 s to 1 h, such as 2 min"),
        ("limit", "5", "limit is 5, expected a time from 5 s to 1 h, such as 5 s"),
        ("limit", "3600", "limit is 3600, expected a time from 5 s to 1 h, such as 3600 s"),
        ("limit", "2 min\n7", 'limit is "2 min 7", expected a time from 5 s to 1 h, such as 45 s'),
        ("guard", "5,5 s", "guard is 5 s 500 ms, expected a time from 0 s to 5 s, such as 5 s"),
        ("limit", "soon", 'limit is "soon", expected a time from 5 s to 1 h, such as 45 s'),
        ("round_time", "10 s", 'round_time is 10 s, expected a time from 1 min to 10 h, such as 5 min, or "none"'),
        ("jokers", "nine", 'jokers is "nine", expected a whole number from 0 to 8'),
        ("redeal_allowed", "maybe", 'redeal_allowed is "maybe", expected yes or no'),
        ("draw", "warn", 'draw is "warn", expected one of off, flag, block'),
        ("big_points_3", "4,2", 'big_points_3 is […], expected 3 whole numbers from 0 to 100, or "none"'),
        (
            "big_points_4",
            "1,2,3,4",
            "big_points_4 is 1,2,3,4: place 2 would earn 2, more than the 1 of the place before it",
        ),
        ("games", "21", "games is 21, expected a whole number from 1 to 20"),
        ("seats_min", "5", "seats_min is 5, expected a whole number from 2 to 4"),
        ("seats_max", "2", "seats_min is 3, expected no more than seats_max, which is 2"),
        ("limt", "40 s", '"limt" is no value of a ruleset, expected one of limit'),
        (
            "players",
            "20",
            (
                '"players" is no value of a ruleset, expected one of players_min, players_max, form_players, '
                "players_counted, closed_players_min"
            ),
        ),
        ("stages", "a 1x99", "games of stage 1 in stages is 99, expected a whole number from 1 to 20"),
        ("stages", "a 1x1; a 1x1", 'id of stage 2 in stages is "a", expected one that no stage before has'),
    ],
)
def test_what_is_refused_names_key_value_and_what_is_allowed(key: str, text: str, said: str) -> None:
    assert refusal(key, text) == said


def test_a_stage_that_cannot_be_read_is_shown() -> None:
    assert refusal("stages", "a 1x1; final two games") == (
        'stages: "final two games" is no stage, expected the like of preliminaries 2x2 lot/fresh_lot; '
        "final 1x2 rank takes 4 by table"
    )


def test_6h_the_school_league_permits_another_limit_and_the_championship_does_not() -> None:
    assert with_option(LEAGUE, "limit_ms", 45_000).rule("limit_ms").permitted
    assert not with_option(rulebook.load("pl-championship"), "limit_ms", 45_000).rule("limit_ms").permitted
    eliminations = rulebook.load("pl-eliminations")
    assert with_option(eliminations, "limit_ms", 40_000).rule("limit_ms").permitted
    assert not with_option(eliminations, "limit_ms", 45_000).rule("limit_ms").permitted


def test_options_that_only_go_together_are_set_together() -> None:
    changed = with_options(LEAGUE, {"seats_max": 2, "seats_min": 2})
    assert (changed.seats_min, changed.seats_max) == (2, 2)


def test_a_value_is_shown_as_people_type_it() -> None:
    some = ("limit_ms", "guard_ms", "big_points_3", "redeal_allowed", "taps_only")
    shown = {key: format_value(LEAGUE.rule(key)) for key in some}
    assert shown == {
        "limit_ms": "40 s", "guard_ms": "300 ms", "big_points_3": "1,0,0", "redeal_allowed": "yes", "taps_only": "no",
    }  # fmt: skip


def test_the_latest_standing_option_of_an_event_counts(tmp_path: Path) -> None:
    with Ledger.create(tmp_path / "event.dalej") as ledger:
        choose_ruleset(ledger, "school-league", who="Lis", when_ms=1)
        assert ruleset_of(read(ledger)) == LEAGUE
        first = decide(ledger, 45_000, None)
        last = decide(ledger, 50_000, first)
        assert ruleset_of(read(ledger)).limit_ms == 50_000
        ledger.decide("revoke", {}, who="Lis", when_ms=4, why="a slip", revokes=last)
        assert ruleset_of(read(ledger)).limit_ms == 45_000


def test_null_is_what_the_ruleset_says(tmp_path: Path) -> None:
    with Ledger.create(tmp_path / "event.dalej") as ledger:
        choose_ruleset(ledger, "school-league", who="Lis", when_ms=1)
        decide(ledger, None, decide(ledger, 45_000, None))
        assert ruleset_of(read(ledger)) == LEAGUE


def decide(ledger: Ledger, limit_ms: int | None, expects: int | None) -> int:
    body = {"key": "limit_ms", "value": limit_ms}
    made = ledger.decide(
        "option", body, who="Lis", when_ms=2, why="tired pupils", subject="option:limit_ms", expects=expects
    )  # fmt: skip
    return made.cursor
