"""Taking back: what would change is said, what rests on it is named, and the history is kept."""

from __future__ import annotations

import random
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from dalej.domain.tournament.fold import standings
from dalej.domain.tournament.tournament import GameAt, RoundKey
from dalej.errors import Refused, WrongInput
from dalej.event.event import Change, Event
from dalej.event.ledger import Draft, Json, Ledger
from dalej.event.reading import read
from dalej.office import results, rulings, seating
from dalej.office.history import history
from dalej.office.settings import setting
from dalej.office.undo import proposed, to_blame, undo
from dalej.words import advised
from tests import world
from tests.domain.deciding import NOON
from tests.office.conftest import Desk
from tests.office.deciding import close, decide, enter, seat

FIRST, SECOND = (1, 2, 3, 4), (5, 6, 7, 8)


def test_the_latest_step_is_taken_back_with_all_that_was_decided_together(desk: Desk) -> None:
    event = desk("Sowa")
    event.change(
        lambda _: Change([Draft("player", {"player": n, "name": f"Kret {n}"}, f"player:{n}") for n in (9, 10)], "late")
    )
    undoing = undo(event, None, "they went home")

    assert undoing.effect == ("Kret 9 (9) is no longer signed up", "Kret 10 (10) is no longer signed up")
    assert len(event.state().players) == 8
    assert [one.revoked_by for one in read(event.ledger).decisions()[-4:-2]] == [
        one.cursor for one in read(event.ledger).decisions()[-2:]
    ]


@pytest.mark.parametrize(("who", "why"), [("Sowa", "another"), ("Wilk", "because")])
def test_what_somebody_else_or_for_another_reason_decided_in_the_same_millisecond_is_another_step(
    desk: Desk, who: str, why: str
) -> None:
    event = desk("Sowa")
    for number, (by, reason) in enumerate([("Sowa", "because"), (who, why)], start=1):
        event.ledger.decide("warned", {"player": number}, who=by, when_ms=NOON, why=reason)

    assert [one.body for one in undo(event, None, "by mistake").decisions] == [{"player": 2}]


def test_two_steps_of_one_desk_in_the_same_millisecond_are_two(desk: Desk) -> None:
    event = desk("Sowa")
    event.wall_ms = lambda: NOON
    for number in (1, 2, 3):
        decide(event, Draft("warned", {"player": number}))

    assert [one.body for one in undo(event, None, "by mistake").decisions] == [{"player": 3}]


def test_steps_that_something_else_came_between_are_two(desk: Desk) -> None:
    event = desk("Sowa")
    for number, who in ((1, "Sowa"), (2, "Wilk"), (3, "Sowa")):
        event.ledger.decide("warned", {"player": number}, who=who, when_ms=NOON, why="because")

    assert [one.body for one in undo(event, None, "by mistake").decisions] == [{"player": 3}]


def test_steps_that_a_box_or_a_command_came_between_are_two(desk: Desk) -> None:
    event = desk("Sowa")
    for number in (1, 2):
        event.ledger.decide("warned", {"player": number}, who="Sowa", when_ms=NOON, why="because")
        event.ledger.request(1, "pause", who="Sowa", at_ms=NOON)

    assert [one.body for one in undo(event, None, "by mistake").decisions] == [{"player": 2}]


def test_who_was_taken_off_a_table_is_seated_and_there_again_or_neither(desk: Desk) -> None:
    event = desk("Sowa")
    seat(event, 1, FIRST, SECOND)
    made = event.change(lambda state: seating.remove(state, state.players[4]))

    for one in made:
        assert {each.kind for each in proposed(event, one.cursor).decisions} == {"seating", "absent"}
    undo(event, made[0].cursor, "by mistake")
    current = event.state().current
    assert current is not None
    assert current.seating is not None
    assert current.seating.place_of(4) == (1, 3)
    assert current.absent == frozenset()


def test_one_of_a_list_that_was_signed_up_together_is_taken_back_alone(desk: Desk) -> None:
    event = desk("Sowa")
    undo(
        event,
        next(one.cursor for one in read(event.ledger).decisions() if one.subject == "player:3"),
        "signed up twice",
    )

    assert list(event.state().players) == [1, 2, 4, 5, 6, 7, 8]


def test_who_is_seated_is_not_made_absent_by_taking_back_that_they_are_there(desk: Desk) -> None:
    event = desk("Sowa")
    body: dict[str, Json] = {"player": 1, "stage": "league", "round": 1, "absent": True}
    decide(event, Draft("absent", body, "absent:league:1:1"))
    there = decide(event, Draft("absent", {**body, "absent": False}, "absent:league:1:1"))
    seat(event, 1, FIRST, SECOND)

    with pytest.raises(Refused, match=f"number {there} cannot be taken back: League, round 1: Lis would have a seat"):
        undo(event, there, "by mistake")


def test_an_option_that_a_closed_round_was_scored_by_is_not_taken_back(desk: Desk) -> None:
    event = desk("Sowa")
    option = decide(event, Draft("option", {"key": "joker_points", "value": 30}, "option:joker_points"))
    seat(event, 1, FIRST, SECOND)
    close(event, 1)

    with pytest.raises(Refused, match=f"number {option} cannot be taken back: joker_points stays 30: League, round 1"):
        undo(event, option, "a typing error")


def test_a_ruleset_that_was_played_by_is_not_taken_back(desk: Desk) -> None:
    event = desk("Sowa")
    ruleset = event.change_seen(lambda seen: setting(seen, "ruleset", "pl-championship").change)[0].cursor
    world.draw(event)
    world.play(event, random.Random(1))

    with pytest.raises(Refused, match=f"number {ruleset} cannot be taken back: the event stays with pl-championship"):
        undo(event, ruleset, "a typing error")


def _order(players: list[Json]) -> Draft:
    return Draft("tie", {"stage": "preliminaries", "order": players})


@contextmanager
def semifinal(folder: Path) -> Iterator[tuple[Event, list[int]]]:
    """Sixteen after one preliminary round, the order of players level decided, eight in the semifinal; those orders."""
    with world.an_event(folder, 16, ruleset="pl-eliminations", closed=1, seated=False, rounds="1") as event:
        lines = standings(event.state(), "preliminaries")
        places: dict[int, list[Json]] = {}
        for line in lines:
            places.setdefault(line.place, []).append(line.player)
        level: list[list[Json]] = [players for players in places.values() if len(players) > 1]
        ties = [decide(event, _order(players)) for players in [*level, list[Json]([1, 2])]]
        world.advance(event)
        yield event, ties


def test_the_order_of_players_level_stays_once_somebody_went_on_by_it(tmp_path: Path) -> None:
    with semifinal(tmp_path) as (event, ties):
        advanced = read(event.ledger).decisions("advanced")[0].cursor
        with pytest.raises(Refused, match=f"number {advanced} .* rests on it"):
            undo(event, ties[0], "by mistake")
        with pytest.raises(Refused, match=f"number {advanced} .* rests on it"):
            event.change_seen(lambda seen: rulings.revoke(seen, ties[0], "by mistake"))
        undo(event, advanced, "first this")
        event.change_seen(lambda seen: rulings.revoke(seen, ties[0], "then that"))


def test_how_many_rounds_a_stage_has_stays_once_somebody_went_on_from_it(tmp_path: Path) -> None:
    with semifinal(tmp_path) as (event, _):
        option = read(event.ledger).decisions("option")[0].cursor
        with pytest.raises(Refused, match="who plays in Preliminaries, or after it, is decided already"):
            undo(event, option, "by mistake")


def test_a_second_undo_never_passes_silently_to_an_older_step(desk: Desk) -> None:
    event = desk("Sowa")
    first = seat(event, 1, FIRST, SECOND)
    second = seat(event, 1, SECOND, FIRST)
    undo(event, None, "by mistake")

    with pytest.raises(Refused) as refused:
        proposed(event)
    assert f"took back number {second} (League, round 1: 2 tables seated) and cannot be undone" in str(refused.value)
    undo(event, first, "by mistake")
    assert event.state().rounds[RoundKey("league", 1)].seating is None
    seat(event, 1, SECOND, FIRST)


def test_undo_after_a_reopening_leaves_the_good_result_of_game_1(desk: Desk) -> None:
    event = desk("Sowa")
    seat(event, 1, FIRST, SECOND)
    enter(event, 1, 1, 1, FIRST, (0, 10, 20, 30))
    entered = enter(event, 1, 1, 2, FIRST, (0, 10, 20, 30))
    event.change_seen(lambda seen: results.reopen(seen, RoundKey("league", 1), 1, 2, "q"))

    with pytest.raises(Refused, match=rf"took back number {entered} .* is decided again") as why:
        undo(event, None, "by mistake")
    assert "; dalej results enter EVENT 1 2 --round league/1 decides again" in advised(why.value)
    assert list(event.state().rounds[RoundKey("league", 1)].results) == [GameAt(1, 1)]


def test_what_a_result_moves_in_the_standings_is_said(desk: Desk) -> None:
    event = desk("Sowa")
    seat(event, 1, FIRST, SECOND)
    enter(event, 1, 1, 1, FIRST, (0, 10, 20, 30))
    number = enter(event, 1, 2, 1, SECOND, (70, 80, 0, 90))

    assert proposed(event, number).effect == (
        "League, round 1, table 2, game 1: no result",
        "Wilk (7): place 1 → 5, big points 1 → 0, small points 240 → 0",
        "Lis (1): place 2 → 1",
        "Sowa (2): place 3 → 2",
        "Borsuk (3): place 4 → 3",
        "Wydra (4): place 5 → 4",
        "Żuraw (5): place 6 → 5, small points −70 → 0",
        "Jeż (6): place 7 → 5, small points −80 → 0",
        "Sarna (8): place 8 → 5, small points −90 → 0",
    )


def test_a_changed_result_taken_back_leaves_the_one_before_it_and_its_confirmation(desk: Desk) -> None:
    event = desk("Sowa")
    seat(event, 1, FIRST, SECOND)
    first = enter(event, 1, 1, 1, FIRST, (0, 10, 20, 30))
    body: dict[str, Json] = {"stage": "league", "round": 1, "table": 1, "results": [first]}
    decide(event, Draft("confirmed", body, "confirmed:league:1:1"))
    enter(event, 1, 1, 1, FIRST, (0, 10, 20, 31))

    assert undo(event, None, "it was read right").effect[0] == "League, round 1, table 1, game 1: another result"
    result = next(iter(next(iter(event.state().rounds.values())).results.values()))
    assert result.mark.cursor == first
    assert result.confirmed is not None
    assert "League, round 1: the results of table 1 are not confirmed" in proposed(event, first + 1).effect


def test_points_that_change_without_a_place_are_said_alone(desk: Desk) -> None:
    event = desk("Sowa")
    seat(event, 1, FIRST, SECOND)
    enter(event, 1, 1, 1, FIRST, (0, 10, 20, 30))
    enter(event, 1, 1, 2, FIRST, (0, 10, 20, 30))

    assert "Lis (1): big points 2 → 1, small points 120 → 60" in proposed(event).effect


def test_a_seating_with_a_result_is_not_taken_back_and_the_result_is_named(desk: Desk) -> None:
    event = desk("Sowa")
    seated = seat(event, 1, FIRST, SECOND)
    entered = enter(event, 1, 2, 1, SECOND, (0, 10, 20, 30))

    with pytest.raises(Refused) as refused:
        undo(event, seated, "by mistake")
    assert str(refused.value) == (
        f"number {seated} (League, round 1: 2 tables seated) cannot be taken back: number {entered}"
        " (League, round 1, table 2, game 1: result of Żuraw, Jeż, Wilk, Sarna) rests on it"
    )
    undo(event, entered, "first this")
    undo(event, seated, "then that")
    assert event.state().rounds[next(iter(event.state().rounds))].seating is None


def test_a_player_who_is_seated_is_not_taken_back(desk: Desk) -> None:
    event = desk("Sowa")
    player = next(one.cursor for one in read(event.ledger).decisions() if one.subject == "player:3")
    seated = seat(event, 1, FIRST, SECOND)

    with pytest.raises(Refused, match=rf"number {player} \(player 3 is Borsuk\) .* number {seated} "):
        proposed(event, player)


def test_a_new_name_of_a_player_who_is_seated_is_taken_back(desk: Desk) -> None:
    event = desk("Sowa")
    seat(event, 1, FIRST, SECOND)
    decide(event, Draft("player", {"player": 3, "name": "Puchacz"}, "player:3"))

    assert undo(event, None, "wrong one").effect == ("Puchacz (3): the name becomes Borsuk",)


def test_a_result_of_a_closed_round_is_not_taken_back(desk: Desk) -> None:
    event = desk("Sowa")
    seat(event, 1, FIRST, SECOND)
    entered = enter(event, 1, 1, 1, FIRST, (0, 10, 20, 30))
    closed = close(event, 1)

    with pytest.raises(Refused, match=rf"number {closed} \(League, round 1 is closed\) rests on it"):
        proposed(event, entered)


def test_a_round_closed_before_the_next_was_seated_stays_closed(desk: Desk) -> None:
    event = desk("Sowa")
    seat(event, 1, FIRST, SECOND)
    closed = close(event, 1)
    assert "League, round 1: open again" in proposed(event, closed).effect
    later = seat(event, 2, SECOND, FIRST)

    with pytest.raises(Refused, match=rf"number {closed} .* number {later} "):
        proposed(event, closed)


def test_the_only_ruleset_is_not_taken_back_once_anything_was_decided(desk: Desk) -> None:
    with pytest.raises(Refused, match=r"cannot be taken back: number 3 \(player 1 is Lis\) rests on it"):
        proposed(desk("Sowa"), 2)


def test_a_player_who_left_plays_on(desk: Desk) -> None:
    event = desk("Sowa")
    decide(event, Draft("gone", {"player": 8, "how": "withdrawn"}, "gone:8"))

    assert "Sarna (8) plays on" in undo(event, None, "came back").effect


def test_an_option_says_its_value_before_and_after(desk: Desk) -> None:
    event = desk("Sowa")
    decide(event, Draft("option", {"key": "limit_ms", "value": 45_000}, "option:limit_ms"))

    assert proposed(event, None).effect == ("limit_ms: 45 s → as the ruleset says",)


def test_a_number_that_is_no_decision_of_the_office_is_refused_and_says_why(desk: Desk) -> None:
    event = desk("Sowa")
    seat(event, 1, FIRST, SECOND)
    seated = event.ledger.decide("seated", {"table": 1, "names": {}}, who="Sowa", when_ms=NOON, why="demo").cursor
    undoing = undo(event, None, "by mistake")
    revoked = undoing.decisions[0]
    revocation = read(event.ledger).decisions()[-1]

    with pytest.raises(WrongInput, match="there is no decision 999"):
        proposed(event, 999)
    with pytest.raises(Refused, match=rf"number {seated} \(seated\) is no decision of the tournament office"):
        proposed(event, seated)
    with pytest.raises(Refused, match=f"number {revoked.cursor} is taken back already, by number {revocation.cursor}"):
        proposed(event, revoked.cursor)
    with pytest.raises(Refused, match="what is to hold again is decided again"):
        proposed(event, revocation.cursor)


def test_what_was_shown_is_what_is_taken_back_or_nothing(desk: Desk) -> None:
    sowa, wilk = desk("Sowa"), desk("Wilk")
    seat(sowa, 1, FIRST, SECOND)
    shown = proposed(sowa)
    seat(wilk, 1, SECOND, FIRST)

    with pytest.raises(Refused, match=r"Wilk has decided something in the meantime \(seating\)"):
        undo(sowa, None, "by mistake", expected=shown)


def test_an_event_with_a_decision_that_says_nothing_is_mended_by_taking_it_back(desk: Desk) -> None:
    event = desk("Sowa")
    damage = event.ledger.decide("gone", {"player": "Lis"}, who="Sowa", when_ms=NOON, why="by hand").cursor

    assert undo(event, damage, "it says nothing").effect == ("the event can be read again",)
    assert len(event.state().players) == 8


def test_of_an_event_that_cannot_be_read_the_decision_to_blame_is_taken_back_not_the_latest(desk: Desk) -> None:
    event = desk("Sowa")
    damage = event.ledger.decide("gone", {"player": "Lis"}, who="Sowa", when_ms=NOON, why="by hand").cursor
    event.ledger.decide("warned", {"player": 1}, who="Sowa", when_ms=NOON + 1, why="too loud")

    assert [one.cursor for one in proposed(event).decisions] == [damage]
    assert [one.cursor for one in undo(event, None, "it says nothing").decisions] == [damage]
    assert len(event.state().players[1].warnings) == 1


def test_an_option_that_cannot_be_is_found_among_those_that_can(desk: Desk) -> None:
    event = desk("Sowa")
    options: list[tuple[str, Json]] = [("joker_points", "rubbish"), ("limit_ms", 45_000)]
    numbers = [
        event.ledger.decide("option", {"key": key, "value": value}, who="x", when_ms=NOON, why=key).cursor
        for key, value in options
    ]

    undoing = undo(event, None, "by hand")
    assert [one.cursor for one in undoing.decisions] == numbers[:1]
    assert undoing.effect == ("the event can be read again",)
    assert event.state().ruleset.limit_ms == 45_000


def test_an_event_that_still_cannot_be_read_is_not_said_to_be_mended(desk: Desk) -> None:
    event = desk("Sowa")
    for key in ("player", "players"):
        event.ledger.decide("gone", {key: "Lis"}, who="Sowa", when_ms=NOON, why=key)
    harmless = event.ledger.decide("warned", {"player": 1}, who="Sowa", when_ms=NOON + 1, why="too loud").cursor

    for number in (harmless, None):
        (said,) = undo(event, number, "by hand").effect
        assert said.startswith("the event still cannot be read: decision ")
    assert undo(event, None, "by hand").effect == ("the event can be read again",)


def test_where_somebody_else_has_mended_the_event_nothing_is_taken_back(tmp_path: Path) -> None:
    with (
        world.an_event(tmp_path) as event,
        pytest.raises(Refused, match="somebody else has mended the event by now: look at it first"),
    ):
        to_blame(event.read().decisions(), lambda _one: True)


def test_where_no_decision_is_to_blame_nothing_is_taken_back(tmp_path: Path) -> None:
    with Ledger.create(tmp_path / "e.dalej") as ledger:
        event = Event(ledger, who="Sowa", wall_ms=lambda: NOON)
        ledger.decide("player", {"player": 1, "name": "Lis"}, who="Sowa", when_ms=NOON, why="sign-up")
        with pytest.raises(Refused, match="no decision that is taken back would let the event be read"):
            undo(event, None, "by mistake")
        assert len(read(ledger).decisions()) == 1


def test_an_event_in_which_nothing_was_decided_has_nothing_to_take_back(tmp_path: Path) -> None:
    with Ledger.create(tmp_path / "e.dalej") as ledger:
        event = Event(ledger, who="Sowa", wall_ms=lambda: NOON)
        with pytest.raises(Refused, match="nothing to take back"):
            proposed(event)


def test_everything_taken_back_and_decided_again_stands_as_before(desk: Desk) -> None:
    event = desk("Sowa")
    seat(event, 1, FIRST, SECOND)
    enter(event, 1, 1, 1, FIRST, (0, 10, 20, 30))
    lines = standings(event.state())
    undo(event, None, "once")
    undo(event, read(event.ledger).decisions("seating")[-1].cursor, "twice")
    seat(event, 1, FIRST, SECOND)
    enter(event, 1, 1, 1, FIRST, (0, 10, 20, 30))

    assert standings(event.state()) == lines


def test_the_history_tells_every_decision_and_what_took_it_back(desk: Desk) -> None:
    event = desk("Sowa")
    seated = seat(event, 1, FIRST, SECOND)
    entered = enter(event, 1, 2, 1, SECOND, (0, 10, 20, 30))
    undo(event, None, "read wrongly")
    lines = history(read(event.ledger))

    assert [line.what for line in lines[1:3]] == ["played by school-league", "player 1 is Lis"]
    assert [line.what for line in lines[-3:]] == [
        "League, round 1: 2 tables seated",
        "League, round 1, table 2, game 1: result of Żuraw, Jeż, Wilk, Sarna",
        f"number {entered} is taken back",
    ]
    assert [(line.number, line.who, line.revoked_by) for line in lines[-3:]] == [
        (seated, "Sowa", None), (entered, "Sowa", lines[-1].number), (lines[-1].number, "Sowa", None),
    ]  # fmt: skip
    assert lines[-1].why == "read wrongly"
    assert lines[-1].fields()["revokes"] == entered
