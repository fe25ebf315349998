"""What the regulations say of scoring, format and paper, clause by clause, as rules.md reads them."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import pytest

from dalej.domain.game.tablesettings import Choices, settings_for
from dalej.domain.rules.options import option, with_option, with_options
from dalej.domain.rules.rulesets import TOPICS, Rule, Ruleset, Stage
from dalej.rulesets import rulebook

CHAMPIONSHIPS = ["pl-championship", "wejherowo-championship"]
POLISH = [*CHAMPIONSHIPS, "pl-eliminations", "school-league"]
ALL = [*POLISH, "it-classic"]
REGULATIONS = Path(__file__).parents[3] / "shared" / "regulations"


def rule(name: str, key: str) -> Rule:
    return rulebook.load(name).rule(key)


def words(text: str) -> str:
    """Without emphasis, and with single blanks."""
    return " ".join(text.replace("**", "").split())


@pytest.fixture(params=ALL)
def ruleset(request: pytest.FixtureRequest) -> Ruleset:
    return rulebook.load(request.param)


# --- wording ---


if REGULATIONS.is_dir():  # the originals are not ours to hand on, so a clone elsewhere does not have this test

    def test_every_quotation_is_in_the_regulation_word_for_word(ruleset: Ruleset) -> None:
        lines = (REGULATIONS / f"{ruleset.id}.txt").read_text(encoding="utf-8").splitlines()
        regulation = words("\n".join(line for line in lines if line != ruleset.title))  # a page's running head
        quoted = [text.quote for text in ruleset.texts]
        quoted += [quote for rule in ruleset.rules for quote in (rule.quote, rule.allows_quote) if quote]
        assert [quote for quote in quoted if words(quote) not in regulation] == []


def test_what_is_not_ours_is_quoted(ruleset: Ruleset) -> None:
    assert [rule.key for rule in ruleset.rules if not rule.ours and not rule.quote] == []


def test_no_passage_is_there_twice(ruleset: Ruleset) -> None:
    assert len({(text.topic, text.quote) for text in ruleset.texts}) == len(ruleset.texts)


@pytest.mark.parametrize("name", ALL)
@pytest.mark.parametrize(
    "topic", ["deal", "starting", "opening", "opening_move", "joker", "time_limit", "time_out", "end",
              "bank_empty", "scoring", "stages", "form", "drawing"],
)  # fmt: skip
def test_the_referee_can_quote_every_regulation_on(name: str, topic: str) -> None:
    assert topic in TOPICS
    assert any(text.topic == topic for text in rulebook.load(name).texts)


@pytest.mark.parametrize(
    ("clause", "topic", "part"),
    [
        ("6b", "redeal", "co najmniej 3 dublety"),
        ("6g", "spectators", "1,5 metrów"),
        ("6h", "gaps", "pół wysokości kostki"),
        ("6h", "drawing", "żądać zatrzymania czasu"),
        ("6h", "click", "pokazanie pustej podstawki"),
        ("6j", "direction", "rosnących i malejących"),
        ("6k", "touching", "w kierunku środka stołu"),
        ("6l", "stack", "tylko aktywny gracz"),
        ("6l", "click", "„Już” lub „Dalej”"),
        ("6n", "announcement", "przed kliknięciem stopera"),
        ("6n", "never_opened", "Joker liczą się"),
        ("6o", "bank_empty", "po 1 ruchu"),
        ("6r", "joker", "kostką wziętą ze stołu"),
        ("6s", "dispute", "po zakończeniu ruchu"),
        ("6t", "rack_count", "jest jawna"),
        ("6u", "conduct", "po wcześniejszym upomnieniu"),
        ("12", "seating", "na końcu tabeli"),
    ],
)
def test_the_referee_can_quote_the_school_league_on(clause: str, topic: str, part: str) -> None:
    texts = rulebook.load("school-league").texts
    assert any((text.clause, text.topic) == (clause, topic) and part in text.quote for text in texts)


def test_il_jolly_is_replaced_from_the_rack_in_italy_and_from_the_table_in_poland() -> None:
    italian = [text.quote for text in rulebook.load("it-classic").texts if text.topic == "joker"]
    assert any("dal rack di un giocatore e non dal tavolo" in quote for quote in italian)
    for name in POLISH:
        assert any(
            "kostką wziętą ze stołu" in text.quote for text in rulebook.load(name).texts if text.topic == "joker"
        )


# --- scoring ---


@pytest.mark.parametrize(("name", "points"), [*((name, 30) for name in POLISH), ("it-classic", 40)])
def test_otwarcie_the_opening_meld(name: str, points: int) -> None:
    assert rulebook.load(name).opening_points == points
    assert not rule(name, "opening_points").ours


@pytest.mark.parametrize("name", POLISH)
def test_a_joker_left_on_a_polish_rack_costs_50(name: str) -> None:
    assert rulebook.load(name).joker_points == 50


def test_il_jolly_the_italian_text_says_25_twice_and_30_once() -> None:
    joker = rule("it-classic", "joker_points")
    assert (joker.value, joker.allows, joker.ours) == (25, (30,), True)


@pytest.mark.parametrize("name", POLISH)
def test_never_opened_costs_100_and_200_if_one_could_have(name: str) -> None:
    ruleset = rulebook.load(name)
    assert (ruleset.never_opened_points, ruleset.could_have_opened_points) == (100, 200)
    assert ruleset.never_opened_counts == "instead"
    assert ruleset.announcement_lifts
    assert {"never_opened_counts", "announcement_lifts"} <= ruleset.sentences.keys()


def test_punteggio_never_opened_is_the_plain_rack_in_italy() -> None:
    ruleset = rulebook.load("it-classic")
    assert (ruleset.never_opened_points, ruleset.could_have_opened_points) == (None, None)
    assert not ruleset.announcement_lifts


def test_decisions_on_scoring_that_are_ours(ruleset: Ruleset) -> None:
    assert ruleset.winner_takes_penalties
    assert not ruleset.penalties_without_winner
    assert (ruleset.level_big_points, ruleset.withdrawn_ranks) == ("higher", "last")
    assert (ruleset.several_lowest, ruleset.odd_points) == (
        "split" if ruleset.id == "it-classic" else "full",
        "first_seat",
    )
    assert {"penalties_without_winner", "odd_points", "withdrawn_ranks"} <= ruleset.sentences.keys()


def test_punteggio_that_level_lowest_racks_share_is_the_italian_texts_own_word() -> None:
    shared = rule("it-classic", "several_lowest")
    assert (shared.clause, shared.ours) == ("Punteggio", False)
    assert "in ogni round e nel conteggio finale" in shared.quote
    assert all(rule(name, "several_lowest").ours for name in POLISH)


def test_il_jolly_gioco_which_of_two_sentences_on_a_joker_in_the_opening_an_event_plays_is_an_option() -> None:
    joker = rule("it-classic", "opening_joker_points")
    assert (joker.value, joker.allows, joker.ours) == (None, (25,), True)
    assert (joker.clause, joker.allows_clause) == ("Il Jolly", "Gioco")
    quotes = [text.quote for text in rulebook.load("it-classic").texts if text.topic == "joker"]
    assert joker.quote in quotes
    assert any(joker.allows_quote in quote for quote in quotes)
    set_so = with_option(
        rulebook.load("it-classic"), *option(rulebook.load("it-classic"), "opening_joker_points", "25")
    )
    assert set_so.opening_joker_points == 25
    assert set_so.rule("opening_joker_points").citation == ("Gioco", joker.allows_quote)


@pytest.mark.parametrize(
    ("key", "value"), [("opening_joker_points", 30), ("joker_points", 50), ("jokers", 3), ("several_lowest", "full")]
)
def test_where_the_italian_text_says_two_things_a_third_is_against_both(key: str, value: int | str) -> None:
    assert not with_option(rulebook.load("it-classic"), key, value).rule(key).permitted


@pytest.mark.parametrize("name", POLISH)
def test_joker_6i_a_joker_in_the_opening_counts_as_the_tile_it_stands_for(name: str) -> None:
    joker = rule(name, "opening_joker_points")
    assert (joker.value, joker.ours) == (None, False)
    assert "kostka, którą zastępuje" in joker.quote


@pytest.mark.parametrize("jokers", [2, 4])
def test_componenti_del_gioco_the_jokers_are_among_the_106_tiles(jokers: int) -> None:
    ruleset = with_option(rulebook.load("it-classic"), "jokers", jokers)
    assert (ruleset.jokers, ruleset.tiles, ruleset.bank(4), ruleset.bank(2)) == (jokers, 106, 50, 78)
    assert settings_for(ruleset, Choices()).tiles == 106
    assert ruleset.rule("jokers").citation[0] == ("Il Jolly" if jokers == 2 else "Componenti del gioco")


def test_a_set_with_two_jokers_more_than_the_usual_one_is_told_of_by_its_tiles() -> None:
    ruleset = with_options(rulebook.load("school-league"), {"jokers": 4, "tiles": 108})
    assert ruleset.bank(4) == 52


@pytest.mark.parametrize("name", [*CHAMPIONSHIPS, "pl-eliminations"])
@pytest.mark.parametrize(
    ("clause", "topic", "part"),
    [
        ("JOKER", "joker", "grupa złożona z dwóch kostek i jokera"),
        ("JOKER", "joker", "Joker ma taką samą wartość, jak kostka, którą zastępuje."),
        ("OTWARCIE", "opening", "wszystkich posiadanych grup i serii"),
    ],
)
def test_joker_otwarcie_what_a_referee_of_a_championship_is_asked_for_is_quotable(
    name: str, clause: str, topic: str, part: str
) -> None:
    found = [text for text in rulebook.load(name).texts if part in text.quote]
    assert [(text.clause, text.topic) for text in found] == [(clause, topic)]


@pytest.mark.parametrize(
    ("name", "value", "clause", "ours"),
    [
        ("school-league", "after_warning", "6u", False), ("pl-eliminations", "outright", "ORGANIZACJA 14", False),
        ("pl-championship", "outright", "PUNKTACJA", True), ("wejherowo-championship", "outright", "PUNKTACJA", True),
        ("it-classic", "outright", "Fine del gioco", True),
    ],
)  # fmt: skip
def test_6u_organizacja_14_only_the_league_asks_for_a_warning_before_an_exclusion(
    name: str, value: str, clause: str, ours: bool
) -> None:
    exclusion = rule(name, "exclusion")
    assert (exclusion.value, exclusion.clause, exclusion.ours) == (value, clause, ours)


def test_limit_czasu_the_sentence_that_grants_40_s_is_the_one_that_is_cited() -> None:
    grant = "Organizator eliminacji może zmniejszyć czas do 40 sekund"
    eliminations = rulebook.load("pl-eliminations")
    assert with_option(eliminations, "limit_ms", 40_000).rule("limit_ms").citation == ("LIMIT CZASU", grant)
    older = replace(eliminations.rule("limit_ms"), value=40_000, organiser=True, original=60_000, allows_quote="")
    assert older.citation == ("LIMIT CZASU", ""), "a file that does not tell the sentence quotes no other one"
    raised = with_option(eliminations, "limit_ms", 70_000).rule("limit_ms")
    assert not raised.permitted
    assert raised.citation[1] != grant


@pytest.mark.parametrize("name", CHAMPIONSHIPS)
def test_punktacja_championships_score_4_2_1_0_and_4_2_0(name: str) -> None:
    ruleset = rulebook.load(name)
    assert (ruleset.big_points_4, ruleset.big_points_3) == ((4, 2, 1, 0), (4, 2, 0))
    assert not rule(name, "big_points_4").ours
    assert rule(name, "big_points_2").ours


@pytest.mark.parametrize("name", ["pl-eliminations", "school-league"])
def test_punktacja_6p_one_big_point_for_the_win(name: str) -> None:
    ruleset = rulebook.load(name)
    assert (ruleset.big_points_4, ruleset.big_points_3, ruleset.big_points_2) == ((1, 0, 0, 0), (1, 0, 0), (1, 0))


def test_italy_knows_small_points_only() -> None:
    ruleset = rulebook.load("it-classic")
    assert {ruleset.big_points_4, ruleset.big_points_3, ruleset.big_points_2} == {None}
    assert ruleset.ranking == "small"


def test_6o_level_winners_get_the_big_point_by_the_text_in_the_school_league_only() -> None:
    assert {name for name in ALL if rule(name, "several_lowest").clause == "6o"} == {"school-league"}


# --- rulings ---


def test_6k_goes_before_6h_where_tiles_are_touched_after_time() -> None:
    touched = rule("school-league", "touched_ruling")
    assert (touched.value, touched.clause, touched.ours) == ("undone", "6k", True)
    assert rulebook.load("it-classic").touched_ruling == "takes_invalid"


def test_6h_whoever_laid_nothing_takes_a_tile(ruleset: Ruleset) -> None:
    assert ruleset.nothing_laid_tiles == 1


def test_limit_czasu_invalid_tiles_are_taken_instead_of_the_penalty_tile() -> None:
    for name in POLISH:
        assert re.search("instead of the penalty tile", rulebook.load(name).sentences["takes_invalid_tiles"])


# --- format ---


@pytest.mark.parametrize(
    ("name", "shape"),
    [*((name, "championship") for name in CHAMPIONSHIPS), ("pl-eliminations", "eliminations"),
     ("school-league", "league"), ("it-classic", "series")],
)  # fmt: skip
def test_the_shape_of_a_tournament(name: str, shape: str) -> None:
    assert rulebook.load(name).shape == shape


def test_14_the_league_plays_six_rounds_of_four_games() -> None:
    assert rulebook.load("school-league").stages == (Stage(id="league", rounds=6, games=4, first="lot", later="rank"),)


@pytest.mark.parametrize("name", ["pl-eliminations", *CHAMPIONSHIPS])
def test_organizacja_7_two_rounds_of_two_games_semifinal_and_final_of_four(name: str) -> None:
    ruleset = rulebook.load(name)
    assert [(stage.id, stage.rounds, stage.games) for stage in ruleset.stages] == [
        ("preliminaries", 2, 2), ("semifinal", 1, 2), ("final", 1, 2)
    ]  # fmt: skip
    assert (ruleset.stages[0].later, ruleset.stages[1].first) == ("fresh_lot", "snake")
    assert (ruleset.stages[2].takes, ruleset.stages[2].by) == (4, "table")
    assert rule(name, "stages").ours
    assert (ruleset.semifinal_small, ruleset.semifinal_large, ruleset.semifinal_small_up_to) == (8, 16, 24)


def test_organizacja_7_with_24_players_the_organiser_chooses() -> None:
    up_to = rule("pl-eliminations", "semifinal_small_up_to")
    assert (up_to.value, up_to.allows, up_to.ours) == (24, (23,), True)


@pytest.mark.parametrize(
    ("name", "least", "closed", "most"),
    [("pl-eliminations", 16, 32, None), ("school-league", 20, None, 32), ("pl-championship", None, None, None),
     ("wejherowo-championship", None, None, None), ("it-classic", None, None, None)],
)  # fmt: skip
def test_organizacja_4_5_and_1_18_how_many_may_play(
    name: str, least: int | None, closed: int | None, most: int | None
) -> None:
    ruleset = rulebook.load(name)
    assert (ruleset.players_min, ruleset.closed_players_min, ruleset.players_max) == (least, closed, most)


def test_organizacja_4_the_warning_quotes_who_may_call_it_off() -> None:
    assert rule("pl-eliminations", "players_min").quote.endswith("może zostać odwołany decyzją Organizatora.")


@pytest.mark.parametrize("name", POLISH)
def test_big_points_rank_before_small_ones(name: str) -> None:
    assert rulebook.load(name).ranking == "big_then_small"
    assert rule(name, "ranking").ours == (name in CHAMPIONSHIPS)


def test_decisions_on_the_format_that_are_ours(ruleset: Ruleset) -> None:
    assert (ruleset.stage_points, ruleset.level_seating, ruleset.absent_points) == ("fresh", "lot", 0)
    assert (ruleset.round_time_ms, ruleset.no_new_game_ms) == (None, 0)
    assert {"stage_points", "level_seating", "absent_points", "round_time_ms", "no_new_game_ms"} <= (
        ruleset.sentences.keys()
    )
    assert ruleset.rule("round_time_ms").modifiable


# --- paper ---


def test_organizacja_10_only_eliminations_ask_for_a_final_form_of_four_within_two_working_days() -> None:
    forms = {name: (rulebook.load(name).form_players, rulebook.load(name).form_working_days) for name in ALL}
    assert forms.pop("pl-eliminations") == (4, 2)
    assert set(forms.values()) == {(None, None)}


def test_6q_a_second_person_may_check(ruleset: Ruleset) -> None:
    assert (ruleset.check_results, ruleset.rule("check_results").ours) == ("advised", True)
