"""The five regulations that ship: what they say, and that every value says where it comes from."""

from __future__ import annotations

import re
from string import ascii_lowercase

import pytest

from dalej.domain.rules.rulesets import Ruleset, schema
from dalej.domain.rules.values import inconsistent, plain, value_of
from dalej.errors import WrongInput
from dalej.rulesets import rulebook
from tools import words

POLISH = {
    "CEL GRY", "PRZYGOTOWANIE GRY", "UKŁADY KOSTEK", "OTWARCIE", "MANIPULACJE", "JOKER", "LIMIT CZASU",
    "ZAKOŃCZENIE GRY", "PUNKTACJA",
}  # fmt: skip

# What the clauses of each text are called there.
CLAUSES = {
    "pl-championship": POLISH,
    "pl-eliminations": POLISH | {f"ORGANIZACJA {point}" for point in range(1, 16)},
    "wejherowo-championship": POLISH,
    "school-league": {str(point) for point in (*range(1, 7), *range(10, 19))}
    | {f"6{letter}" for letter in ascii_lowercase[: ascii_lowercase.index("w") + 1]},
    "it-classic": {
        "Componenti del gioco", "Oggetto del gioco", "Setup", "Gioco", "Aggiungere carte", "Riorganizzare", "Il Jolly",
        "Tempo limite", "Punteggio", "Fine del gioco",
    },
}  # fmt: skip

SHIPPED = sorted(CLAUSES)


@pytest.fixture(params=SHIPPED)
def ruleset(request: pytest.FixtureRequest) -> Ruleset:
    return rulebook.load(request.param)


def test_the_five_regulations_are_available() -> None:
    assert rulebook.available() == SHIPPED


def test_a_file_is_named_after_its_ruleset(ruleset: Ruleset) -> None:
    assert ruleset.id in SHIPPED
    assert rulebook.load(ruleset.id) == ruleset


def test_a_report_that_shows_a_ruleset_does_not_show_its_whole_text(ruleset: Ruleset) -> None:
    # From 30 kB on Hypothesis warns of its own report, instead of saying what has failed.
    assert len(repr(ruleset)) < 5_000


def test_every_value_cites_a_clause_of_its_regulation(ruleset: Ruleset) -> None:
    assert {rule.key: rule.clause for rule in ruleset.rules if rule.clause not in CLAUSES[ruleset.id]} == {}


def test_every_value_is_there_once_and_is_the_attribute(ruleset: Ruleset) -> None:
    assert [rule.key for rule in ruleset.rules] == list(schema())
    assert [getattr(ruleset, rule.key) for rule in ruleset.rules] == [rule.value for rule in ruleset.rules]


def test_what_is_ours_has_one_sentence_and_what_is_the_texts_has_none(ruleset: Ruleset) -> None:
    for rule in ruleset.rules:
        assert bool(rule.why) == rule.ours
    assert all(re.fullmatch(r"[A-Z][^.]+\.", sentence) for sentence in ruleset.sentences.values())


def test_what_is_ours_can_be_said_in_every_language() -> None:
    collected = {message.id for message in words.collected()}
    assert {sentence for name in SHIPPED for sentence in rulebook.load(name).sentences.values()} <= collected


def test_other_values_that_a_text_permits_are_values_dalej_accepts(ruleset: Ruleset) -> None:
    for rule in ruleset.rules:
        shape = schema()[rule.key]
        assert all(value_of(rule.key, plain(value, shape), shape) == value for value in rule.allows)


def test_all_values_go_together(ruleset: Ruleset) -> None:
    assert inconsistent({rule.key: rule.value for rule in ruleset.rules}) == []


def test_decisions_that_are_ours_in_every_regulation(ruleset: Ruleset) -> None:
    windows = (
        ruleset.grace_ms, ruleset.guard_ms, ruleset.shared_guard_ms, ruleset.claim_window_ms, ruleset.dispute_window_ms,
        ruleset.withdraw_window_ms, ruleset.late_tile_window_ms, ruleset.alert_after_ms, ruleset.countdown_ms,
    )  # fmt: skip
    assert windows == (10_000, 300, 1_000, 10_000, 5_000, 3_000, 5_000, 20_000, 3_000)
    assert ruleset.on_expiry == "hold"
    assert {"on_expiry", "grace_ms", "guard_ms", "claim_window_ms", "default_ruling_drawn"} <= ruleset.sentences.keys()


@pytest.mark.parametrize(
    ("name", "limit_ms", "clause"),
    [
        ("pl-championship", 60_000, "LIMIT CZASU"),
        ("pl-eliminations", 60_000, "LIMIT CZASU"),
        ("wejherowo-championship", 60_000, "LIMIT CZASU"),
        ("school-league", 40_000, "6h"),
        ("it-classic", 120_000, "Tempo limite"),
    ],
)
def test_the_move_limit(name: str, limit_ms: int, clause: str) -> None:
    ruleset = rulebook.load(name)
    assert ruleset.limit_ms == limit_ms
    assert ruleset.clause("limit_ms") == clause
    assert not ruleset.rule("limit_ms").ours


def test_limit_czasu_the_organiser_of_eliminations_may_shorten_to_40_s() -> None:
    assert rulebook.load("pl-eliminations").rule("limit_ms").allows == (40_000,)


def test_6h_the_school_league_may_modify_its_limit() -> None:
    assert rulebook.load("school-league").rule("limit_ms").modifiable


@pytest.mark.parametrize(
    ("name", "seats"),
    [
        ("pl-championship", (3, 4)),
        ("pl-eliminations", (2, 4)),
        ("wejherowo-championship", (3, 4)),
        ("school-league", (3, 4)),
        ("it-classic", (2, 4)),
    ],
)
def test_seats_at_a_table(name: str, seats: tuple[int, int]) -> None:
    ruleset = rulebook.load(name)
    assert (ruleset.seats_min, ruleset.seats_max) == seats


def test_6h_only_the_school_league_flags_a_click_before_the_tile() -> None:
    assert {name: rulebook.load(name).draw for name in SHIPPED if rulebook.load(name).draw != "off"} == {
        "school-league": "flag"
    }


def test_6o_the_last_lap_is_the_school_leagues_own_and_ours_elsewhere() -> None:
    for name in SHIPPED:
        ruleset = rulebook.load(name)
        assert (ruleset.on_bank_empty, ruleset.on_round_time) == ("final_lap", "final_lap")
        assert ruleset.rule("on_bank_empty").ours == (name != "school-league")


def test_106_tiles_of_which_a_full_table_leaves_50_in_the_bank(ruleset: Ruleset) -> None:
    assert (ruleset.tiles, ruleset.hand, ruleset.jokers) == (106, 14, 2)
    assert ruleset.bank(4) == 50
    with pytest.raises(WrongInput, match="not by 5"):
        ruleset.bank(5)


def test_il_jolly_the_italian_text_says_two_and_four() -> None:
    jokers = rulebook.load("it-classic").rule("jokers")
    assert (jokers.value, jokers.allows, jokers.ours) == (2, (4,), True)


def test_who_starts_the_first_game_and_the_next() -> None:
    starters = {name: (rulebook.load(name).first_starter, rulebook.load(name).next_starter) for name in SHIPPED}
    assert starters == {
        "pl-championship": ("highest_tile", "clockwise"),
        "pl-eliminations": ("highest_tile", "clockwise"),
        "wejherowo-championship": ("highest_tile", "clockwise"),
        "school-league": ("seat_a", "clockwise"),
        "it-classic": ("table", "table"),
    }


def test_three_doublets_allow_a_redeal_but_not_in_italy() -> None:
    assert [name for name in SHIPPED if not rulebook.load(name).redeal_allowed] == ["it-classic"]


def test_time_out_defaults() -> None:
    for name in SHIPPED:
        ruleset = rulebook.load(name)
        assert ruleset.default_ruling_drawn == "stands"
        assert ruleset.default_ruling == ("takes_invalid" if name == "it-classic" else "undone")
        assert ruleset.tiles_of("stands") == 0
        assert ruleset.tiles_of("undone") == 1
        assert ruleset.tiles_of("takes_invalid") is None
        assert ruleset.clause_of("undone") == ruleset.clause("limit_ms")
