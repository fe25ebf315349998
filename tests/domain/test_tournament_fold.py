"""Decisions make the tournament: the latest that stands counts, a revoked one for nothing, whatever comes after."""

from __future__ import annotations

import pytest

from dalej.domain.tournament import tournament as kinds
from dalej.domain.tournament.fold import tournament
from dalej.domain.tournament.tournament import GameAt, RoundKey, Tournament
from dalej.errors import Damaged, WrongInput
from dalej.event.ledger import Json
from tests.domain.deciding import NOON, Decided
from tests.domain.deciding import result as written


def test_an_event_says_what_was_decided_last() -> None:
    event = Decided()
    event.decide(kinds.EVENT, {"name": "Liga", "town": "Las", "date": "2026-11-21", "closed": False}, "event")
    event.decide(kinds.EVENT, {"name": "Liga leśna", "town": "Las", "date": "2026-11-21", "closed": True}, "event")
    state = event.state()

    assert (state.name, state.town, state.date, state.closed) == ("Liga leśna", "Las", "2026-11-21", True)
    assert state.ruleset.id == "school-league"
    assert state.cursor == event.decisions[-1].cursor


def test_an_event_without_a_ruleset_says_so() -> None:
    with pytest.raises(WrongInput, match="by which ruleset"):
        Decided(None, players=4).state()


def test_a_revoked_ruleset_leaves_the_one_before_it() -> None:
    event = Decided("school-league")
    text = Decided("pl-eliminations").decisions[0].body
    later = event.decide(kinds.RULESET, text)

    assert event.state().ruleset.id == "pl-eliminations"
    event.revoke(later)
    assert event.state().ruleset.id == "school-league"


def test_an_option_counts_until_it_is_null_again() -> None:
    event = Decided()
    own = event.state().ruleset.limit_ms
    event.option("limit_ms", 45_000)

    assert event.state().ruleset.limit_ms == 45_000
    assert event.state().options == {"limit_ms": 45_000}
    event.option("limit_ms", None)
    assert event.state().ruleset.limit_ms == own
    assert event.state().options == {}


def test_an_option_that_cannot_be_is_damage_with_its_number() -> None:
    event = Decided()
    cursor = event.option("limit_ms", "soon")

    with pytest.raises(Damaged, match=f"decision {cursor} is an option that cannot be"):
        event.state()


def test_a_player_has_the_latest_name_and_leaves_and_comes_back() -> None:
    event = Decided(players=3)
    event.decide(kinds.PLAYER, {"player": 2, "name": "Puchacz", "group": "2b", "consent": True}, "player:2")
    event.decide(kinds.WARNED, {"player": 2})
    left = event.gone(2, "excluded")
    state = event.state()

    player = state.players[2]
    assert (player.name, player.group, player.consent, len(player.warnings)) == ("Puchacz", "2b", True, 1)
    assert player.gone is not None
    assert player.gone.how == "excluded"
    event.revoke(left)
    assert event.state().players[2].gone is None
    assert state.players[1].consent is None


def test_rounds_are_those_decided_on_and_the_next_one_to_play() -> None:
    event = Decided(players=8)
    assert list(event.state().rounds) == [RoundKey("league", 1)]
    event.seat(1, (1, 2, 3, 4), (5, 6, 7, 8))
    event.decide(kinds.ABSENT, {"player": 3, "stage": "league", "round": 3, "absent": True}, "absent:league:3:3")
    assert list(event.state().rounds) == [RoundKey("league", 1), RoundKey("league", 3)]
    event.close(1)
    state = event.state()

    assert list(state.rounds) == [RoundKey("league", number) for number in (1, 2, 3)]
    assert state.current is not None
    assert state.current.key == RoundKey("league", 2)
    assert state.rounds[RoundKey("league", 3)].absent == {3}


def test_a_round_that_is_reopened_is_the_one_to_work_on() -> None:
    event = Decided(players=4)
    event.seat(1, (1, 2, 3, 4))
    closed = event.close(1)
    event.seat(2, (1, 2, 3, 4))
    event.revoke(closed)

    current = event.state().current
    assert current is not None
    assert current.key.round == 1


def test_a_later_stage_begins_when_its_entrants_are_named() -> None:
    event = Decided("pl-eliminations", players=18)
    for number in (1, 2):
        event.seat(number, *(tuple(range(first, first + 3)) for first in range(1, 18, 3)), stage="preliminaries")
        event.close(number, stage="preliminaries")
    state = event.state()
    assert [stage.id for stage in state.plan] == ["preliminaries", "semifinal", "final"]
    assert (state.current, state.over, list(state.entrants)) == (None, False, ["preliminaries"])
    event.advance("semifinal", 3, 1, 4, 6, 9, 12, 15, 18)
    state = event.state()
    assert state.entrants["semifinal"] == (3, 1, 4, 6, 9, 12, 15, 18)
    assert state.current is not None
    assert state.current.key == RoundKey("semifinal", 1)
    event.seat(1, (1, 3, 4, 6), (9, 12, 15, 18), stage="semifinal")
    event.close(1, stage="semifinal")
    event.advance("final", 1, 3, 9, 12)
    event.seat(1, (1, 3, 9, 12), stage="final")
    event.close(1, stage="final")

    assert event.state().over
    assert event.state().current is None


def test_whoever_left_before_the_first_round_is_not_counted_for_the_plan_and_whoever_left_later_is() -> None:
    event = Decided("pl-eliminations", players=25)
    assert event.state().plan[1].takes == 16
    before = event.gone(25)
    assert event.state().plan[1].takes == 8
    event.revoke(before)
    event.seat(1, *(tuple(range(first, min(first + 4, 26))) for first in range(1, 26, 4)), stage="preliminaries")
    event.gone(25)
    assert event.state().plan[1].takes == 16


def test_a_stage_that_is_entered_stays_whoever_leaves_or_signs_up() -> None:
    event = Decided("pl-eliminations", players=9)
    event.advance("semifinal", *range(1, 9))
    event.seat(1, (1, 2, 3, 4), (5, 6, 7, 8), stage="semifinal")
    rounds = list(event.state().rounds)
    event.gone(9)
    assert (list(event.state().rounds), len(event.state().plan)) == (rounds, 3)
    event.seat(2, (1, 2, 3, 4), (5, 6, 7, 8), stage="preliminaries")
    assert [stage.id for stage in event.state().plan] == ["preliminaries", "semifinal", "final"]


def test_organizacja_7_once_the_last_round_is_seated_whoever_had_a_seat_counts() -> None:
    event = Decided("pl-eliminations", players=25)
    tables = [tuple(range(first, first + 4)) for first in range(1, 25, 4)]
    event.seat(1, *tables, stage="preliminaries")
    assert event.state().plan[1].takes == 16
    event.seat(2, *tables, stage="preliminaries")
    assert event.state().plan[1].takes == 8


def test_the_latest_seating_counts_and_is_locked_as_the_latest_word_says() -> None:
    event = Decided(players=8)
    event.seat(1, (1, 2, 3, 4), (5, 6, 7, 8))
    event.lock(1)
    moved = event.seat(1, (1, 2, 3, 8), (5, 6, 7, 4))
    seating = event.state().rounds[RoundKey("league", 1)].seating
    assert seating is not None
    assert (seating.place_of(4), seating.locked is not None) == ((2, 3), True)
    event.lock(1, False)
    event.revoke(moved)

    seating = event.state().rounds[RoundKey("league", 1)].seating
    assert seating is not None
    assert (seating.place_of(4), seating.locked) == ((1, 3), None)


def test_the_round_clock_begins_when_it_was_decided() -> None:
    event = Decided(players=4)
    cursor = event.decide(kinds.CLOCK, {"stage": "league", "round": 1, "length_ms": 5_400_000}, "clock:league:1")

    clock = event.state().rounds[RoundKey("league", 1)].clock
    assert clock is not None
    assert (clock.starts_ms, clock.length_ms) == (NOON + cursor, 5_400_000)


def test_a_result_is_scored_for_the_players_who_sat_there() -> None:
    event = Decided(players=4)
    event.seat(1, (3, 1, 4, 2))
    event.result(1, 1, 1, (3, 1, 4, 2), (0, 10, 20, 30))
    round_one = event.state().rounds[RoundKey("league", 1)]

    result = round_one.results[GameAt(1, 1)]
    assert {result.players[one.seat]: one.small for one in result.scores} == {3: 60, 1: -10, 4: -20, 2: -30}
    assert [one.name for one in result.scores] == ["Borsuk", "Lis", "Wydra", "Sowa"]
    assert round_one.missing() == [GameAt(1, game) for game in (2, 3, 4)]


def test_a_table_began_with_as_many_as_the_result_says_else_with_as_many_as_sit_there() -> None:
    event = Decided("pl-eliminations", players=4)
    event.seat(1, (1, 2, 3, 4), stage="preliminaries")
    kind, body, subject = kinds.RESULT, dict(event_result(started=3)), "result:preliminaries:1:1:1"
    event.decide(kind, body, subject)
    assert _sheet_started(event) == 3
    event.decide(kind, dict(event_result(started=0)), subject)
    assert _sheet_started(event) == 4


def event_result(started: int) -> dict[str, Json]:
    """Three racks of a table at which one has left."""
    return {
        "stage": "preliminaries", "round": 1, "table": 1, "game": 1, "ended": "went_out", "started": started,
        "racks": [{"seat": seat, "player": player, "points": 7 * player - 7} for player, seat in enumerate("ABC", 1)],
    }  # fmt: skip


def _sheet_started(event: Decided) -> int:
    sheet = event.state().rounds[RoundKey("preliminaries", 1)].results[GameAt(1, 1)].sheet
    assert sheet is not None
    return sheet.started


def test_a_game_not_played_has_a_result_and_no_scores() -> None:
    event = Decided(players=4)
    event.seat(1, (1, 2, 3, 4))
    event.not_played(1, 1, 4)
    round_one = event.state().rounds[RoundKey("league", 1)]

    assert round_one.results[GameAt(1, 4)].sheet is None
    assert len(round_one.missing()) == 3


def test_results_are_confirmed_only_as_they_stand() -> None:
    event = Decided(players=4)
    event.seat(1, (1, 2, 3, 4))
    first, second = (event.result(1, 1, game, (1, 2, 3, 4), (0, 10, 20, 30)) for game in (1, 2))
    event.confirm(1, 1, first, second)
    assert _confirmed(event) == [True, True]
    again = event.result(1, 1, 2, (1, 2, 3, 4), (0, 10, 20, 31))
    assert _confirmed(event) == [True, False]
    event.revoke(again)
    assert _confirmed(event) == [True, True]


def test_a_game_that_comes_in_later_takes_no_confirmation_from_the_others() -> None:
    event = Decided(players=4)
    event.seat(1, (1, 2, 3, 4))
    first, second = (event.result(1, 1, game, (1, 2, 3, 4), (0, 10, 20, 30)) for game in (1, 2))
    event.confirm(1, 1, first, second)
    third = event.result(1, 1, 3, (1, 2, 3, 4), (0, 10, 20, 30))
    assert _confirmed(event) == [True, True, False]
    later = event.confirm(1, 1, third)
    assert _confirmed(event) == [True, True, True]
    event.revoke(later)
    assert _confirmed(event) == [True, True, False]


def test_results_are_confirmed_only_as_they_are_scored_now() -> None:
    event = Decided(players=4)
    event.seat(1, (1, 2, 3, 4))
    event.confirm(1, 1, event.result(1, 1, 1, (1, 2, 3, 4), (0, 10, 20, 30)))
    event.option("limit_ms", 45_000)
    assert _confirmed(event) == [True]
    option = event.option("joker_points", 30)
    assert _confirmed(event) == [False]
    event.revoke(option)
    assert _confirmed(event) == [True]


def _confirmed(event: Decided) -> list[bool]:
    results = event.state().rounds[RoundKey("league", 1)].results.values()
    return [result.confirmed is not None for result in results]


def test_the_latest_decision_on_a_subject_is_also_one_that_took_something_back() -> None:
    event = Decided(players=2)
    revocation = event.revoke(event.gone(2))

    assert event.state().latest["gone:2"] == revocation


def test_a_result_that_cannot_be_right_is_damage_with_its_number() -> None:
    event = Decided(players=4)
    event.seat(1, (1, 2, 3, 4))
    cursor = event.result(1, 1, 1, (1, 2, 3, 4), (0, 0, 20, 30))

    with pytest.raises(Damaged, match=f"decision {cursor} is a result that cannot be right"):
        event.state()


@pytest.mark.parametrize(
    ("kind", "body", "key"),
    [
        (kinds.EVENT, {"name": 3}, "name"),
        (kinds.PLAYER, {"player": 0, "name": "Lis"}, "player"),
        (kinds.PLAYER, {"player": True, "name": "Lis"}, "player"),
        (kinds.PLAYER, {"player": 1}, "name"),
        (kinds.GONE, {"player": 1, "how": "flown"}, "how"),
        (kinds.OPTION, {"key": "limit_ms"}, "value"),
        (kinds.ABSENT, {"player": 1, "stage": "league", "round": 1, "absent": "yes"}, "absent"),
        (kinds.SEATING, {"stage": "league", "round": 1, "how": "lot", "tables": [3]}, "tables"),
        (kinds.SEATING, {"stage": "league", "round": "1", "how": "lot", "tables": []}, "round"),
        (kinds.LOCKED, {"stage": "league", "round": 1}, "locked"),
        (kinds.CLOCK, {"stage": "league", "round": 1, "length_ms": 0}, "length_ms"),
        (kinds.RESULT, {"stage": "league", "round": 1, "table": 1, "game": 1, "ended": "rain"}, "ended"),
        (kinds.RESULT, {"stage": "league", "round": 1, "table": 1, "game": 1, "ended": "went_out"}, "racks"),
        (kinds.CONFIRMED, {"stage": "league", "round": 1, "table": 1, "results": ["all"]}, "results"),
        (kinds.CLOSED, {"round": 1}, "stage"),
        (kinds.ADVANCED, {"stage": "final", "players": [1, 1]}, "players"),
        (kinds.TIE, {"stage": "league", "order": ""}, "order"),
    ],
)
def test_a_body_that_says_nothing_is_damage_with_number_and_key(kind: str, body: dict[str, Json], key: str) -> None:
    event = Decided()
    cursor = event.decide(kind, body)

    with pytest.raises(Damaged, match=f"decision {cursor} \\({kind}\\) says nothing: {key} is"):
        event.state()
    event.revoke(cursor)
    event.state()


@pytest.mark.parametrize("players", [[[1, 2, 3, 4], [5, 6, 7, 1]], [[1, 1, 2, 3]], [[1, 2, 3]], [[1, 2, 3, -4]]])
def test_a_seating_in_which_somebody_sits_twice_or_a_seat_is_missing_says_nothing(players: list[list[int]]) -> None:
    event = Decided(players=8)
    event.seat(1, *players)
    if len(players[0]) == 3:
        tables: list[Json] = [{"table": 1, "players": players[0]}]
        event.decide(kinds.SEATING, {"stage": "league", "round": 1, "how": "lot", "tables": tables})

    with pytest.raises(Damaged, match="says nothing: tables is"):
        event.state()


def test_an_earlier_state_spares_scoring_every_result_again_on_which_nothing_has_changed() -> None:
    event = Decided(players=8)
    event.seat(1, (1, 2, 3, 4), (5, 6, 7))
    event.seat(2, (1, 2, 3, 9), (5, 6, 7, 8))
    kept = [event.result(1, 1, game, (1, 2, 3, 4), (0, 10, 20, 30)) for game in (1, 2)]
    event.not_played(1, 1, 4)
    for table in (2, 3):
        kind, body, subject = written(1, table, 1, (5, 6, 7), (0, 10, 20))
        del body["started"]
        event.decide(kind, body, subject)
    event.result(2, 1, 1, (1, 2, 3, 9), (0, 10, 20, 30))
    event.result(2, 2, 1, (5, 6, 7, 8), (0, 10, 20, 30))
    event.confirm(1, 1, kept[0])
    known = event.state()
    assert not changed(event, known)

    event.confirm(1, 1, kept[1])
    assert changed(event, known) == {(1, 1, 2)}
    event.seat(1, (1, 2, 3, 4), (5, 6, 7, 8))
    assert changed(event, known) == {(1, 1, 2), (1, 2, 1)}
    event.player(9)
    assert changed(event, known) == {(1, 1, 2), (1, 2, 1), (2, 1, 1)}
    event.option("limit_ms", 45_000)
    assert len(changed(event, known)) == 7


def changed(event: Decided, known: Tournament) -> set[tuple[int, int, int]]:
    """Round, table and game of the results that are other records than they were."""
    return {
        (key.round, *at)
        for key, one in tournament(event.decisions, known).rounds.items()
        for at, result in one.results.items()
        if result is not known.rounds[key].results[at]
    }


def test_results_stay_confirmed_while_the_same_is_said_of_how_they_are_scored_in_whatever_order() -> None:
    event = Decided(players=4)
    event.option("opening_points", 20)
    event.option("joker_points", 30)
    event.seat(1, (1, 2, 3, 4))
    event.confirm(1, 1, event.result(1, 1, 1, (1, 2, 3, 4), (0, 10, 20, 30)))
    event.option("opening_points", 20)
    assert _confirmed(event) == [True]

    event.option("opening_points", 30)
    assert _confirmed(event) == [False]
    event.option("opening_points", 20)
    assert _confirmed(event) == [True]


def test_results_that_were_confirmed_by_another_text_of_the_rules_are_looked_at_again() -> None:
    event = Decided(players=4)
    event.seat(1, (1, 2, 3, 4))
    event.confirm(1, 1, event.result(1, 1, 1, (1, 2, 3, 4), (0, 10, 20, 30)))

    text = str(event.decisions[0].body["text"])
    other = event.decide(kinds.RULESET, {"id": "school-league", "text": f"{text}\n# With a word more.\n"})

    assert _confirmed(event) == [False]
    event.revoke(other)
    assert _confirmed(event) == [True]


def test_once_a_later_stage_is_entered_nobody_who_signs_up_waits_or_leaves_changes_its_size() -> None:
    event = Decided("pl-eliminations", players=24)
    event.player(25, waits=True)
    assert event.state().plan[1].takes == 8
    before = event.player(25)
    moved_up = event.decide(kinds.WAITING, {"player": 25, "waits": False}, "waiting:25")
    assert event.state().plan[1].takes == 16
    event.revoke(moved_up)
    assert event.state().plan[1].takes == 8
    event.revoke(before)
    event.advance("semifinal", *range(1, 9))
    event.player(26)
    assert event.state().plan[1].takes == 8

    larger = Decided("pl-eliminations", players=26)
    larger.gone(26)
    larger.advance("semifinal", *range(1, 17))
    larger.gone(25)
    assert larger.state().plan[1].takes == 16
    larger.gone(24)
    assert larger.state().plan[1].takes == 16


def test_what_was_decided_on_a_round_outside_the_plan_is_left_out() -> None:
    event = Decided(players=8)
    event.seat(9, (1, 2, 3, 4), (5, 6, 7, 8))
    event.seat(1, (1, 2, 3, 4), stage="night")

    assert list(event.state().rounds) == [RoundKey("league", 1)]


def test_an_earlier_state_is_not_believed_on_names_or_on_a_result_that_was_replaced() -> None:
    event = Decided(players=4)
    event.seat(1, (1, 2, 3, 4))
    event.result(1, 1, 1, (1, 2, 3, 4), (0, 10, 20, 30))
    known = event.state()
    event.decide(kinds.PLAYER, {"player": 3, "name": "Puchacz"}, "player:3")
    renamed = tournament(event.decisions, known)
    assert [one.name for one in renamed.rounds[RoundKey("league", 1)].results[GameAt(1, 1)].scores][2] == "Puchacz"
    assert renamed == event.state()
    event.result(1, 1, 1, (1, 2, 3, 4), (0, 10, 20, 31))
    assert tournament(event.decisions, renamed) == event.state()


def test_an_earlier_state_spares_scoring_and_changes_nothing() -> None:
    event = Decided(players=4)
    event.seat(1, (1, 2, 3, 4))
    event.result(1, 1, 1, (1, 2, 3, 4), (0, 10, 20, 30))
    known = event.state()
    event.result(1, 1, 2, (1, 2, 3, 4), (0, 1, 2, 3))
    event.decide(kinds.PLAYER, {"player": 3, "name": "Puchacz"}, "player:3")
    event.option("joker_points", 30)

    assert tournament(event.decisions, known) == event.state()


def test_what_is_decided_on_tables_with_boxes_makes_no_other_tournament_but_is_the_last_that_was_decided() -> None:
    event = Decided(players=4)
    event.seat(1, (1, 2, 3, 4))
    entered = event.result(1, 1, 1, (1, 2, 3, 4), (0, 10, 20, 30))
    known = event.state()
    ruled = event.decide("ruling", {"table": 1}, "ruling:1:2")
    event.decide("call_taken", {"table": 1, "call": "time_out"})
    later = tournament(event.decisions, known)
    assert later == event.state()
    assert later.rounds is known.rounds
    assert (later.cursor, later.latest["ruling:1:2"]) == (event.decisions[-1].cursor, ruled)

    taken_back = event.revoke(ruled)
    assert tournament(event.decisions, later).rounds is known.rounds
    event.revoke(taken_back)
    assert tournament(event.decisions, later) == event.state()
    before = tournament(event.decisions, later)
    event.revoke(entered)
    assert tournament(event.decisions, before) == event.state()
    assert not event.state().rounds[RoundKey("league", 1)].results
