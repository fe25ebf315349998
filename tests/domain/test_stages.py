"""Stages: how many play the semifinal and the final, what the organiser is told, who goes on."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dalej.domain.rules.rulesets import Stage
from dalej.domain.tournament.seating import by_rank, sizes, snake
from dalej.domain.tournament.stages import advancing, corrections, plan, remarks, round_name, stage_name
from dalej.domain.tournament.standings import Line, Total, rank
from dalej.errors import Refused
from dalej.rulesets.rulebook import available, load
from dalej.words import speaking
from tests.domain.deciding import Decided

RULESETS = {ruleset: load(ruleset) for ruleset in available()}
ELIMINATIONS = RULESETS["pl-eliminations"]
LEAGUE = RULESETS["school-league"]
PRELIMINARIES, SEMIFINAL, FINAL = plan(ELIMINATIONS, 24)
NOBODY = frozenset[int]()


def shape(players: int) -> list[tuple[str, int | None, str]]:
    return [(stage.id, stage.takes, stage.by) for stage in plan(ELIMINATIONS, players)]


def standing(points: Iterable[int], stage: str = "preliminaries") -> list[Line]:
    """Player 1 has the first of these big points, player 2 the second, …"""
    return rank([Total(player, big, 0) for player, big in enumerate(points, 1)], "big_then_small", stage)


def best_first(players: int) -> list[Line]:
    return standing(range(players, 0, -1))


@pytest.mark.parametrize(
    ("players", "semifinalists"), [(16, 8), (23, 8), (24, 8), (25, 16), (28, 16), (32, 16), (33, 16)]
)
def test_organizacja_7_eight_or_sixteen_play_the_semifinal_and_four_the_final(players: int, semifinalists: int) -> None:
    assert shape(players) == [
        ("preliminaries", None, "rank"),
        ("semifinal", semifinalists, "rank"),
        ("final", 4, "table"),
    ]


def test_organizacja_7_of_twenty_four_sixteen_go_on_if_the_organiser_chooses() -> None:
    chosen = replace(ELIMINATIONS, semifinal_small_up_to=23)

    assert [stage.takes for stage in plan(chosen, 24)] == [None, 16, 4]
    assert [stage.takes for stage in plan(chosen, 23)] == [None, 8, 4]


@pytest.mark.parametrize("players", [9, 13])
def test_nine_players_and_more_have_a_semifinal(players: int) -> None:
    assert [stage.takes for stage in plan(ELIMINATIONS, players)] == [None, 8, 4]


@pytest.mark.parametrize("players", [5, 6, 8])
def test_up_to_eight_players_go_to_the_final_as_they_stand_after_the_preliminaries(players: int) -> None:
    assert shape(players) == [("preliminaries", None, "rank"), ("final", 4, "rank")]


@pytest.mark.parametrize("players", [1, 2, 3, 4])
def test_up_to_four_players_play_their_four_games_and_no_final(players: int) -> None:
    assert shape(players) == [("preliminaries", None, "rank")]


def test_before_anybody_has_signed_up_all_stages_are_planned() -> None:
    assert [stage.id for stage in plan(ELIMINATIONS, 0)] == ["preliminaries", "semifinal", "final"]


@pytest.mark.parametrize(
    ("small", "large", "semifinalists"), [(8, 16, 16), (8, None, 8), (None, 16, 16), (None, None, None)]
)
def test_where_a_ruleset_knows_one_size_of_a_semifinal_that_is_played(
    small: int | None, large: int | None, semifinalists: int | None
) -> None:
    ruleset = replace(ELIMINATIONS, semifinal_small=small, semifinal_large=large)

    assert [stage.takes for stage in plan(ruleset, 30)] == [None, semifinalists, 4]


def test_a_final_for_as_many_as_play_the_semifinal_is_not_played_and_the_stage_behind_it_takes_of_the_semifinal() -> (
    None
):
    eight = replace(FINAL, id="quarter", takes=8)
    ruleset = replace(ELIMINATIONS, stages=(PRELIMINARIES, SEMIFINAL, eight, FINAL))

    assert [(stage.id, stage.takes, stage.by) for stage in plan(ruleset, 24)] == [
        ("preliminaries", None, "rank"),
        ("semifinal", 8, "rank"),
        ("final", 4, "rank"),
    ]


def test_14_a_league_is_one_stage_for_every_number_of_players() -> None:
    for players in (0, 1, 3, 20, 32, 40):
        assert plan(LEAGUE, players) == LEAGUE.stages


@given(st.sampled_from(sorted(RULESETS)), st.integers(1, 200))
def test_every_later_stage_leaves_somebody_out(ruleset: str, players: int) -> None:
    first, *later = plan(RULESETS[ruleset], players)

    come_in = players
    assert first.takes is None
    for stage in later:
        assert stage.takes is not None
        assert stage.takes < come_in
        come_in = stage.takes


def test_organizacja_4_fewer_than_sixteen_players_are_remarked_on_with_the_clause() -> None:
    (remark,) = remarks(ELIMINATIONS, 15, closed=False)

    assert remark.data == {"players": 15, "least": 16}
    assert remark.clause == "ORGANIZACJA 4"
    assert "nie może wziąć udział mniej niż 16 osób" in remark.quote
    assert "players here: 15, expected at least 16" in remark.sentence
    assert not remarks(ELIMINATIONS, 16, closed=False)


def test_organizacja_5_a_closed_event_of_fewer_than_thirty_two_is_remarked_on() -> None:
    assert [(one.clause, one.data["least"]) for one in remarks(ELIMINATIONS, 31, closed=True)] == [
        ("ORGANIZACJA 5", 32)
    ]
    assert [one.clause for one in remarks(ELIMINATIONS, 15, closed=True)] == ["ORGANIZACJA 4", "ORGANIZACJA 5"]
    assert not remarks(ELIMINATIONS, 32, closed=True)


def test_1_and_18_a_league_of_fewer_than_twenty_or_more_than_thirty_two_is_remarked_on() -> None:
    assert [one.clause for one in remarks(LEAGUE, 19, closed=False)] == ["1"]
    assert [(one.clause, one.data["most"]) for one in remarks(LEAGUE, 33, closed=False)] == [("18", 32)]
    assert not [
        one for players in (20, 32) for closed in (False, True) for one in remarks(LEAGUE, players, closed=closed)
    ]


def test_the_organiser_reads_what_is_too_few_or_too_many_and_who_is_counted() -> None:
    here = replace(ELIMINATIONS, players_max=40, tables_max=10)
    signed_up = replace(here, players_counted="signed_up")

    for ruleset, counted in ((here, "here"), (signed_up, "signed up")):
        told = [remark.template.format(**remark.data) for remark in remarks(ruleset, 15, closed=True)]
        assert told == [
            f"players {counted}: 15, expected at least 16; going on is the organiser's decision",
            f"players {counted}: 15, expected at least 32 in a closed event; going on is the organiser's decision",
        ]
        told = [remark.template.format(**remark.data) for remark in remarks(ruleset, 41, closed=True)]
        assert told == [
            f"players {counted}: 41, expected at most 40; going on is the organiser's decision",
            "players: 41, who need 11 tables, expected at most 10; going on is the organiser's decision",
        ]
        assert not remarks(ruleset, 40, closed=True)


def test_tables_are_counted_up_to_the_most_and_the_remark_cites_its_own_clause() -> None:
    series = RULESETS["it-classic"]
    assert series.tables_max == 1
    assert not [one for one in remarks(series, 4, closed=False) if "tables" in one.data]

    (remark,) = [one for one in remarks(series, 5, closed=False) if "tables" in one.data]

    assert remark.data == {"players": 5, "tables": 2, "most": 1}
    assert (remark.clause, remark.quote) == (series.rule("tables_max").clause, series.rule("tables_max").quote)


@pytest.mark.parametrize("ruleset", ["pl-championship", "wejherowo-championship"])
def test_where_the_text_sets_no_numbers_there_is_nothing_to_remark(ruleset: str) -> None:
    assert not [one for players in (1, 500) for one in remarks(RULESETS[ruleset], players, closed=True)]


@pytest.mark.parametrize("players", [16, 23, 24, 25, 28, 32, 33])
def test_organizacja_7_from_preliminaries_to_final(players: int) -> None:
    _, semifinal, final = plan(ELIMINATIONS, players)
    last_round = by_rank(range(1, players + 1), sizes(players, 2, 4))
    assert semifinal.takes is not None

    in_semifinal = advancing(PRELIMINARIES, semifinal, best_first(players), last_round, NOBODY)
    tables = snake(in_semifinal, sizes(len(in_semifinal), 2, 4))
    in_final = advancing(semifinal, final, best_first(semifinal.takes), tables, NOBODY)

    assert in_semifinal == list(range(1, semifinal.takes + 1))
    assert len(tables) == semifinal.takes // 4
    assert in_final == [1, 2, 3, 4]


def test_organizacja_7_the_best_two_of_each_table_go_to_the_final_and_not_the_best_four() -> None:
    lines = best_first(8)

    assert advancing(SEMIFINAL, FINAL, lines, ((1, 2, 3, 4), (8, 7, 6, 5)), NOBODY) == [1, 2, 5, 6]


def test_organizacja_7_the_best_one_of_each_of_four_tables_goes_to_the_final() -> None:
    tables = by_rank(range(1, 17), (4, 4, 4, 4))

    assert advancing(SEMIFINAL, FINAL, best_first(16), tables, NOBODY) == [1, 5, 9, 13]


def test_organizacja_15_whoever_withdraws_before_the_semifinal_makes_room_for_the_next() -> None:
    gone = frozenset((2, 8, 11))

    assert advancing(PRELIMINARIES, SEMIFINAL, best_first(16), (), gone) == [1, 3, 4, 5, 6, 7, 9, 10]


def test_organizacja_15_whoever_withdraws_before_the_final_makes_room_for_the_next_of_the_same_table() -> None:
    tables = ((1, 2, 3, 4), (5, 6, 7, 8))

    assert advancing(SEMIFINAL, FINAL, best_first(8), tables, frozenset((1, 5))) == [2, 3, 6, 7]


def test_organizacja_15_a_table_that_has_nobody_left_makes_room_for_the_best_of_all_others() -> None:
    tables = ((1, 2, 3, 4), (5, 6, 7, 8))

    assert advancing(SEMIFINAL, FINAL, best_first(8), tables, frozenset((5, 6, 7))) == [1, 2, 3, 8]


def test_if_fewer_are_left_than_may_go_on_all_of_them_do() -> None:
    assert advancing(SEMIFINAL, FINAL, best_first(5), ((1, 2, 3), (4, 5)), frozenset((1, 4))) == [2, 3, 5]


def test_places_that_tables_cannot_share_out_equally_go_to_the_best_of_all_others() -> None:
    assert advancing(SEMIFINAL, FINAL, best_first(9), by_rank(range(1, 10), (3, 3, 3)), NOBODY) == [1, 2, 4, 7]
    assert advancing(SEMIFINAL, FINAL, best_first(20), by_rank(range(1, 21), (4,) * 5), NOBODY) == [1, 2, 3, 4]


def test_whoever_has_not_played_goes_on_after_everybody_who_has_unless_points_alone_decide() -> None:
    totals = [Total(1, 9, 0, absent=True), *(Total(player, 9 - player, 0) for player in range(2, 7))]
    lines = rank(totals, "big_then_small", "semifinal")
    into = replace(FINAL, by="rank")

    assert advancing(SEMIFINAL, into, lines, (), NOBODY) == [2, 3, 4, 5]
    assert advancing(SEMIFINAL, into, lines, (), frozenset((5, 6))) == [1, 2, 3, 4]
    assert advancing(SEMIFINAL, into, lines, (), NOBODY, unplayed_last=False) == [1, 2, 3, 4]


def test_who_goes_on_of_a_table_may_be_ranked_among_those_who_sit_there() -> None:
    worst_first = {player: place for place, player in enumerate(range(8, 0, -1), 1)}

    def among(players: Collection[int]) -> list[Line]:
        return rank([Total(player, worst_first[player] * -1, 0) for player in players], "big_then_small")

    tables = ((1, 2, 3, 4), (5, 6, 7, 8))

    assert advancing(SEMIFINAL, FINAL, best_first(8), tables, NOBODY, among) == [3, 4, 7, 8]


def test_a_stage_for_everybody_takes_all_who_have_not_left_level_or_not() -> None:
    assert advancing(PRELIMINARIES, Stage(id="stage-2"), standing([5, 5, 5, 1]), (), frozenset((2,))) == [1, 3, 4]


def test_a_tie_at_the_cut_is_refused_and_says_who_is_level() -> None:
    lines = standing([9, 8, 7, 6, 6, 6, 1])

    with pytest.raises(Refused, match=r"Semifinal: players 4, 5, 6 are level .* in Final") as refused:
        advancing(SEMIFINAL, replace(FINAL, by="rank"), lines, (), NOBODY)

    assert refused.value.data["players"] == (4, 5, 6)


def test_a_tie_at_the_cut_of_a_table_is_refused_and_names_only_that_table() -> None:
    lines = standing([9, 6, 6, 1, 8, 6, 2, 1])

    with pytest.raises(Refused) as refused:
        advancing(SEMIFINAL, FINAL, lines, ((1, 2, 3, 4), (5, 6, 7, 8)), NOBODY)

    assert refused.value.data["players"] == (2, 3)


def test_the_head_referee_decides_a_tie_at_the_cut() -> None:
    totals = [Total(player, big, 0) for player, big in enumerate([9, 6, 6, 1, 8, 6, 2, 1], 1)]
    lines = rank(totals, "big_then_small", "semifinal", decided=[(3, 2)])

    assert advancing(SEMIFINAL, FINAL, lines, ((1, 2, 3, 4), (5, 6, 7, 8)), NOBODY) == [1, 5, 3, 6]


@pytest.mark.parametrize("points", [[9, 9, 9, 9, 8, 7], [9, 9, 8, 7, 1, 1, 1]])
def test_a_tie_wholly_above_or_below_the_cut_is_nobodys_concern(points: list[int]) -> None:
    assert advancing(SEMIFINAL, replace(FINAL, by="rank"), standing(points), (), NOBODY) == [1, 2, 3, 4]


def test_a_tie_with_a_player_who_has_left_is_none() -> None:
    lines = standing([9, 8, 7, 6, 6, 1])

    assert advancing(SEMIFINAL, replace(FINAL, by="rank"), lines, (), frozenset((4,))) == [1, 2, 3, 5]


def test_a_tie_at_the_cut_of_a_table_does_not_matter_if_both_go_on() -> None:
    lines = standing([9, 9, 3, 8, 2, 1, 7, 5, 4])

    assert advancing(SEMIFINAL, FINAL, lines, ((1, 2, 3), (4, 5, 6), (7, 8, 9)), NOBODY) == [1, 2, 4, 7]


@given(st.lists(st.integers(0, 6), min_size=4, max_size=24), st.data())
def test_whoever_is_left_out_was_behind_everybody_of_the_table_who_goes_on(
    points: list[int], data: st.DataObject
) -> None:
    lines = standing(points)
    players = data.draw(st.permutations(range(1, len(points) + 1)))
    tables = by_rank(players, sizes(len(points), 2, 4))
    gone = frozenset(data.draw(st.sets(st.sampled_from(players), max_size=len(points))))
    into = replace(FINAL, by=data.draw(st.sampled_from(("rank", "table"))))
    place = {line.player: line.place for line in lines}
    try:
        chosen = advancing(SEMIFINAL, into, lines, tables, gone)
    except Refused as refused:
        told = refused.data["players"]
        assert isinstance(told, tuple)
        level = [player for player in told if isinstance(player, int)]
        assert len(level) == len(told)
        assert len(level) > 1
        assert len({place[player] for player in level}) == 1
        assert gone.isdisjoint(level)
        return

    assert len(chosen) == len(set(chosen)) == min(4, len(points) - len(gone))
    assert gone.isdisjoint(chosen)
    assert [place[player] for player in chosen] == sorted(place[player] for player in chosen)
    groups = tables if into.by == "table" else (tuple(players),)
    for group in groups:
        out = [place[player] for player in group if player not in chosen and player not in gone]
        assert all(place[player] < min(out, default=99) for player in group if player in chosen)


def test_stages_and_rounds_are_called_as_people_call_them_and_an_organisers_own_keeps_its_name() -> None:
    names = [stage_name(stage) for stage in ("league", "preliminaries", "semifinal", "final", "series", "night {3}")]
    assert names == ["League", "Preliminaries", "Semifinal", "Final", "Series", "night {3}"]
    assert (round_name("semifinal", 2), round_name("night", 1)) == ("Semifinal, round 2", "night, round 1")

    with speaking("pl"):
        assert round_name("semifinal", 2) == "Półfinał, runda 2"


def test_a_round_that_counts_otherwise_than_when_it_was_closed_says_which_games() -> None:
    four = (1, 2, 3, 4)
    event = Decided(players=4)
    for number in (1, 2, 3):
        event.seat(number, four)
        event.result(number, 1, 1, four, (0, 10, 20, 30))
        event.close(number)
    for number, game in ((1, 2), (1, 1), (3, 4)):
        event.result(number, 1, game, four, (0, 1, 2, 3))
    state = event.state()

    assert corrections(state, None) == [
        "League, round 1 was corrected after it was closed: table 1, game 1, table 1, game 2.",
        "League, round 3 was corrected after it was closed: table 1, game 4.",
    ]
    assert corrections(state, "league") == corrections(state, None)
    assert corrections(state, "final") == []
