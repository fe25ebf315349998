"""Standings of an event: sums of a stage, of the whole event by the last stage reached, and who has met whom."""

from __future__ import annotations

import random
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dalej.domain.tournament import tournament as kinds
from dalej.domain.tournament.fold import met, standings, tournament
from dalej.errors import Refused
from dalej.event.ledger import Decision
from tests.domain.deciding import Decided

FOUR = (1, 2, 3, 4)


def first_round(players: int = 4) -> Decided:
    """A first round in which 1 won three games and 2 one, not closed."""
    event = Decided(players=players)
    event.seat(1, FOUR)
    for game, racks in enumerate(((0, 10, 20, 30), (0, 5, 5, 5), (0, 1, 2, 3), (40, 0, 20, 10)), start=1):
        event.result(1, 1, game, FOUR, racks)
    return event


def test_6_standings_are_the_sum_of_big_then_of_small_points() -> None:
    assert first_round().table_of() == [(1, 1, 3, 41), (2, 2, 1, 54), (3, 3, 0, -47), (4, 4, 0, -48)]


def test_results_of_a_round_under_way_count_and_through_leaves_later_rounds_out() -> None:
    event = first_round()
    event.close(1)
    event.seat(2, (4, 3, 2, 1))
    event.result(2, 1, 1, (4, 3, 2, 1), (0, 30, 30, 30))

    assert event.table_of()[1] == (2, 4, 1, 42)
    assert event.table_of("league", through=1) == first_round().table_of()


def test_10_whoever_has_no_game_yet_stands_above_points_lost_where_the_event_says_so() -> None:
    event = first_round(players=5)
    event.option("not_played_stands", "by_points")

    assert event.table_of()[2:] == [(3, 5, 0, 0), (4, 3, 0, -47), (5, 4, 0, -48)]
    event.close(1)
    assert event.table_of()[2] == (3, 5, 0, 0)


def test_whoever_has_no_game_yet_stands_behind_everybody_who_played_and_lost() -> None:
    event = first_round(players=5)

    assert event.table_of()[2:] == [(3, 3, 0, -47), (4, 4, 0, -48), (5, 5, 0, 0)]


def test_15_whoever_has_left_without_a_game_stands_last_whatever_the_points() -> None:
    event = first_round(players=5)
    event.seat(2, (2, 3, 4, 5))
    event.gone(5)

    assert event.table_of()[-1] == (5, 5, 0, 0)


def test_whoever_was_absent_once_keeps_the_points_and_the_place_they_have() -> None:
    event = first_round(players=5)
    event.close(1)
    event.seat(2, (2, 3, 4, 5))
    event.result(2, 1, 1, (2, 3, 4, 5), (0, 1, 1, 1))
    event.close(2)

    assert (1, 1, 3, 41) in event.table_of()


def test_whoever_left_after_a_round_missed_it_and_whoever_left_before_did_not() -> None:
    event = first_round(players=6)
    event.option("absent_points", -25)
    event.gone(6)
    event.close(1)
    left = event.gone(5)
    event.seat(2, (5, 6))
    small = {player: small for _, player, _, small in event.table_of()}

    assert (small[5], small[6]) == (-25, 0)
    event.revoke(left)
    assert {player: small for _, player, _, small in event.table_of()}[5] == -25


def test_absent_points_are_for_rounds_closed_that_a_player_could_have_played() -> None:
    event = first_round(players=7)
    event.option("absent_points", -25)
    event.gone(6)
    assert {player: small for _, player, _, small in event.table_of()}[5] == 0
    event.close(1)
    event.gone(7)
    small = {player: small for _, player, _, small in event.table_of()}

    assert small[5] == -25
    assert small[1] == 41
    assert not {6, 7} & small.keys()


def test_two_rounds_missed_cost_twice_the_points() -> None:
    event = first_round(players=5)
    event.option("absent_points", -25)
    for number in (1, 2):
        event.seat(number, FOUR)
        event.close(number)

    assert event.table_of()[-1] == (5, 5, 0, -50)


def test_whoever_had_a_seat_once_and_left_without_a_game_stays_in_the_standings_too() -> None:
    event = first_round(players=6)
    event.seat(2, (2, 3, 5))
    event.seat(3, (2, 3, 4))
    event.gone(5)
    event.gone(6)

    assert [(line.place, line.player, line.absent, line.last) for line in standings(event.state())] == [
        (1, 1, False, False), (2, 2, False, False), (3, 3, False, False), (4, 4, False, False), (5, 5, True, True),
    ]  # fmt: skip


@pytest.mark.parametrize(("ranking", "places"), [("big_then_small", [1, 2, 3, 4]), ("small", [2, 1, 3, 4])])
def test_small_points_alone_rank_where_the_event_says_so(ranking: str, places: list[int]) -> None:
    event = first_round()
    event.option("ranking", ranking)

    assert [player for _, player, *_ in event.table_of()] == places


def test_where_there_are_no_big_points_a_line_has_none() -> None:
    event = Decided("it-classic", players=4)
    event.seat(1, FOUR, stage="series")
    event.result(1, 1, 1, FOUR, (10, 0, 20, 30), stage="series")

    assert event.table_of() == [(1, 2, None, 60), (2, 1, None, -10), (3, 3, None, -20), (4, 4, None, -30)]


def test_whoever_played_and_left_stays_in_the_standings() -> None:
    event = first_round()
    event.gone(1)

    assert event.table_of()[0] == (1, 1, 3, 41)


def test_players_level_share_a_place_until_the_head_referee_decides() -> None:
    event = Decided(players=4)
    event.seat(1, FOUR)
    event.result(1, 1, 1, FOUR, (10, 0, 10, 20))
    assert [place for place, *_ in event.table_of()] == [1, 2, 2, 4]
    decided = event.decide(kinds.TIE, {"stage": "league", "order": [3, 1]})
    assert [line[:2] for line in event.table_of()] == [(1, 2), (2, 3), (3, 1), (4, 4)]
    event.revoke(decided)
    assert [place for place, *_ in event.table_of()] == [1, 2, 2, 4]


def drawn(*numbers: int) -> Decided:
    """1 and 3 are level on 0 / -10."""
    event = Decided(players=max(numbers, default=4))
    event.seat(1, FOUR)
    event.result(1, 1, 1, FOUR, (10, 0, 10, 20))
    return event


def test_an_order_counts_only_while_its_players_are_level_on_the_points_ruled_on() -> None:
    event = drawn()
    event.decide(kinds.TIE, {"stage": "league", "order": [3, 1], "points": [0, -10]})
    assert [player for _, player, *_ in event.table_of()] == [2, 3, 1, 4]
    event.close(1)
    event.seat(2, FOUR)
    event.result(2, 1, 1, FOUR, (5, 0, 5, 20))

    assert [place for place, *_ in event.table_of()] == [1, 2, 2, 4]
    assert [player for _, player, *_ in event.table_of("league", through=1)] == [2, 3, 1, 4]


def test_an_order_is_undecided_again_once_somebody_it_does_not_name_is_level_too() -> None:
    event = drawn()
    event.decide(kinds.TIE, {"stage": "league", "order": [3, 1], "points": [0, -10]})
    event.result(1, 1, 1, FOUR, (10, 0, 10, 10))
    assert [place for place, *_ in event.table_of()] == [1, 2, 2, 2]
    event.gone(4)

    assert [line[:2] for line in event.table_of()] == [(1, 2), (2, 3), (3, 1), (4, 4)]


def test_an_order_among_those_who_played_need_not_name_whoever_has_as_many_points_without_a_game() -> None:
    event = Decided(players=5)
    event.option("absent_points", -10)
    event.seat(1, FOUR)
    event.result(1, 1, 1, FOUR, (0, 10, 10, 20))
    event.close(1)
    event.decide(kinds.TIE, {"stage": "league", "order": [3, 2], "points": [0, -10]})

    assert event.table_of() == [(1, 1, 1, 40), (2, 3, 0, -10), (3, 2, 0, -10), (4, 4, 0, -20), (5, 5, 0, -10)]
    event.option("not_played_stands", "by_points")
    assert event.table_of()[1:4] == [(2, 2, 0, -10), (2, 3, 0, -10), (2, 5, 0, -10)]


def test_through_leaves_rounds_out_of_the_last_stage_only() -> None:
    event = eliminations()
    whole = [line for line in standings(event.state()) if line.stage == "preliminaries"]

    assert [line for line in standings(event.state(), through=1) if line.stage == "preliminaries"] == whole


def eliminations() -> Decided:
    """Eighteen players, the best eight in a semifinal of which one table is played; 1 and 2 lead the preliminaries."""
    event = Decided("pl-eliminations", players=18)
    tables = [tuple(range(first, first + 3)) for first in range(1, 18, 3)]
    for number in (1, 2):
        event.seat(number, *tables, stage="preliminaries")
        for table, players in enumerate(tables, start=1):
            event.result(number, table, 1, players, (0, 5 + table, 10 + table), stage="preliminaries")
        event.close(number, stage="preliminaries")
    event.advance("semifinal", *(player for _, player, *_ in event.table_of()[:8]))
    return event


def test_places_behind_the_final_are_by_the_last_stage_reached_then_by_its_points() -> None:
    event = eliminations()
    entrants = event.state().entrants["semifinal"]
    last, others = entrants[7], entrants[4:7]
    event.seat(1, entrants[:4], (last, *others), stage="semifinal")
    event.result(1, 2, 1, (last, *others), (0, 50, 60, 70), stage="semifinal")
    lines = standings(event.state())

    assert (lines[0].player, lines[0].stage, lines[0].small) == (last, "semifinal", 180)
    assert [line.stage for line in lines] == ["semifinal"] * 8 + ["preliminaries"] * 10
    assert next(line.place for line in lines if line.stage == "preliminaries") == 9
    assert all(one.place <= other.place for one, other in pairwise(lines))


def test_each_later_stage_starts_at_zero_unless_points_are_carried() -> None:
    event = eliminations()
    before = {player: small for _, player, _, small in event.table_of("preliminaries")}
    assert {small for *_, small in event.table_of("semifinal")} == {0}
    event.option("stage_points", "carried")

    assert {player: small for _, player, _, small in event.table_of("semifinal")} == {
        player: before[player] for player in event.state().entrants["semifinal"]
    }


def test_a_stage_that_nobody_has_reached_has_no_standings() -> None:
    with pytest.raises(Refused, match="nobody has reached final yet, expected one of preliminaries, semifinal"):
        eliminations().table_of("final")


def test_an_event_that_nobody_has_joined_has_empty_standings() -> None:
    assert Decided().table_of() == []


def test_players_have_met_as_often_as_they_sat_at_one_table() -> None:
    event = Decided(players=8)
    event.seat(1, FOUR, (5, 6, 7, 8))
    event.seat(2, (1, 2, 5), (3, 4, 6))
    pairs = met(event.state(), "league")

    assert (pairs[frozenset((1, 2))], pairs[frozenset((1, 5))], pairs[frozenset((1, 6))]) == (2, 1, 0)
    before_two = met(event.state(), "league", before=2)
    assert (before_two[frozenset((1, 2))], before_two[frozenset((1, 5))]) == (1, 0)


@st.composite
def evenings(draw: st.DrawFn) -> Decided:
    """Two rounds of eight with withdrawals, results changed and taken back, and all of it as it came."""
    event = Decided(players=8)
    for number in (1, 2):
        order = draw(st.permutations(range(1, 9)))
        tables = (tuple(order[:4]), tuple(order[4:]))
        event.seat(number, *tables)
        for game in draw(st.lists(st.integers(1, 4), max_size=5)):
            table = draw(st.integers(1, 2))
            racks = draw(st.permutations((0, 7, draw(st.integers(1, 90)), 11)))
            cursor = event.result(number, table, game, tables[table - 1], racks)
            if draw(st.booleans()):
                event.revoke(cursor)
        if draw(st.booleans()):
            event.gone(draw(st.integers(1, 8)))
        event.close(number)
    return event


@given(evenings())
def test_a_fold_step_by_step_is_the_fold_at_once(event: Decided) -> None:
    state = None
    for length in range(1, len(event.decisions) + 1):
        state = tournament(event.decisions[:length], state)

    assert state == event.state()


@given(evenings())
def test_reading_that_a_decision_is_revoked_is_the_same_as_reading_the_revocation(event: Decided) -> None:
    by = {one.revokes: one.cursor for one in event.decisions if one.revokes is not None}
    marked = [
        Decision(one.cursor, one.kind, one.subject, one.body, one.who, one.when_ms, one.why, one.revokes,
                 by.get(one.cursor))
        for one in event.decisions
    ]  # fmt: skip

    assert tournament(marked) == event.state()


@given(evenings(), st.randoms(use_true_random=False))
def test_decisions_on_different_subjects_may_come_in_any_order(event: Decided, lot: random.Random) -> None:
    kept = [one for one in event.decisions if one.kind != "revoke"]
    subjects = [one.subject for one in kept]
    lot.shuffle(subjects)
    place = {id(one): number for number, one in enumerate(kept)}
    shuffled = sorted(kept, key=lambda one: (subjects.index(one.subject), place[id(one)]))
    revocations = [one for one in event.decisions if one.kind == "revoke"]

    assert standings(tournament([*shuffled, *revocations])) == standings(event.state())


@given(evenings())
def test_small_points_of_a_stage_sum_to_zero_and_everybody_stands_once(event: Decided) -> None:
    lines = standings(event.state())

    assert sum(line.small for line in lines) == 0
    assert len({line.player for line in lines}) == len(lines)
