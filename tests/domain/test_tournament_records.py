"""What a decision's body says stands in the tournament whole; one that says nothing is damage, told in one sentence."""

from __future__ import annotations

import re
from typing import Final

import pytest

from dalej.domain.tournament import tournament as kinds
from dalej.domain.tournament.fold import expect_right, tournament
from dalej.domain.tournament.tournament import GameAt, Gone, Mark, Player, RoundKey, TableRuling, Tie
from dalej.errors import Damaged, WrongInput
from dalej.event.ledger import Decision, Json
from dalej.rulesets import rulebook
from tests.domain.deciding import NOON, Decided, result

FOUR: Final = (1, 2, 3, 4)
ROUND: Final = RoundKey("league", 1)


def mark(cursor: int) -> Mark:
    return Mark(cursor, "Puchacz", NOON + cursor, "because")


def waits(event: Decided, player: int, waiting: bool) -> int:
    return event.decide(kinds.WAITING, {"player": player, "waits": waiting}, f"waiting:{player}")


def test_a_player_is_what_the_sign_up_says_and_nothing_that_it_does_not_say() -> None:
    event = Decided()
    short = event.player(1)
    long = event.player(
        2, group="4b", qualified=True, consent=False, surname="Sowa", town="Las", waits=True, shoes="red"
    )
    gone, first, second = event.gone(2), event.decide(kinds.WARNED, {"player": 2}), event.gone(3, "excluded")
    warned = event.decide(kinds.WARNED, {"player": 2})

    assert list(event.state().players.values()) == [
        Player(1, "Lis", mark(short)),
        Player(
            2, "Sowa", mark(long), group="4b", qualified=True, consent=False, gone=Gone("withdrawn", mark(gone)),
            warnings=(mark(first), mark(warned)), waits=mark(long), surname="Sowa", town="Las",
        ),
    ]  # fmt: skip
    event.player(3)
    assert event.state().players[3].gone == Gone("excluded", mark(second))


def test_whoever_waits_for_a_place_takes_part_once_they_have_moved_up() -> None:
    event = Decided(players=2)
    signed_up = event.player(3, waits=True)
    event.player(3, waits=True, group="4b")
    state = event.state()
    assert state.players[3].waits == mark(signed_up)
    assert (state.entrants["league"], state.players[3].takes_part) == ((1, 2), False)

    waits(event, 3, False)
    state = event.state()
    assert state.players[3].waits is None
    assert (state.entrants["league"], state.players[3].takes_part) == ((1, 2, 3), True)
    event.player(3, waits=True, group="5a")
    assert event.state().players[3].takes_part
    again = waits(event, 3, True)

    assert event.state().players[3].waits == mark(again)
    assert event.state().entrants["league"] == (1, 2)


def test_an_event_of_which_only_the_rules_are_known_has_no_name_and_is_open() -> None:
    for body, name in ((None, ""), ({"name": "Liga"}, "Liga")):
        event = Decided()
        if body is not None:
            event.decide(kinds.EVENT, body, "event")
        state = event.state()

        assert (state.name, state.town, state.date, state.closed) == (name, "", "", False)
        assert (state.dates, state.halls, state.home) == ({}, {}, "")


def test_nothing_decided_yet_says_not_even_by_which_rules() -> None:
    with pytest.raises(WrongInput, match=r"^the event does not say by which ruleset it is played$"):
        tournament([])


def test_a_round_has_the_latest_day_that_it_was_given_until_that_is_taken_away() -> None:
    event = Decided(players=4)
    dates = [
        dated(event, number, day)
        for number, day in ((1, "2026-11-21"), (2, "2026-11-28"), (1, "2026-12-04"), (2, ""), (4, "2027-01-08"))
    ]
    assert event.state().dates == {ROUND: "2026-12-04", RoundKey("league", 4): "2027-01-08"}

    event.revoke(dates[2])

    assert event.state().dates[ROUND] == "2026-11-21"


def dated(event: Decided, number: int, day: str) -> int:
    return event.decide(kinds.DATED, {"stage": "league", "round": number, "date": day}, f"dated:league:{number}")


def test_a_seating_says_by_which_lot_it_was_drawn() -> None:
    event = Decided(players=4)
    event.seat(1, FOUR)
    by_hand: dict[str, Json] = {
        "stage": "league", "round": 2, "how": "moved", "tables": [{"table": 1, "players": [4, 3, 2, 1]}],
    }  # fmt: skip
    event.decide(kinds.SEATING, by_hand)
    seatings = [one.seating for one in event.state().rounds.values()]

    assert [(one.how, one.seed) for one in seatings if one is not None] == [("lot", 7), ("moved", None)]


def ruling(event: Decided, seat: str, player: int, what: str, **more: Json) -> int:
    body: dict[str, Json] = {
        "stage": "league", "round": 1, "table": 1, "game": 2, "seat": seat, "player": player, "ruling": what, **more,
    }  # fmt: skip
    return event.decide(kinds.TABLE_RULING, body)


def test_rulings_where_no_box_counted_stand_as_they_were_said_each_until_another_is_given_instead() -> None:
    event = Decided(players=4)
    event.seat(1, FOUR)
    first = ruling(event, "B", 2, "stands", tiles=3, seen="a tile lay late")
    second = ruling(event, "C", 3, "undone")
    kept = TableRuling(GameAt(1, 2), "C", 3, "undone", None, "", mark(second))
    assert event.state().rounds[ROUND].rulings == (
        TableRuling(GameAt(1, 2), "B", 2, "stands", 3, "a tile lay late", mark(first)), kept,
    )  # fmt: skip

    instead = ruling(event, "B", 2, "undone", tiles=0, instead=first)

    assert event.state().rounds[ROUND].rulings == (
        kept, TableRuling(GameAt(1, 2), "B", 2, "undone", 0, "", mark(instead)),
    )  # fmt: skip
    event.revoke(instead)
    assert [one.mark.cursor for one in event.state().rounds[ROUND].rulings] == [first, second]


def test_games_that_were_corrected_are_those_decided_on_after_their_round_was_closed() -> None:
    event = Decided(players=8)
    event.seat(1, FOUR, (5, 6, 7, 8))
    event.result(1, 1, 1, FOUR, (0, 10, 20, 30))
    event.result(1, 2, 1, (5, 6, 7, 8), (0, 10, 20, 30))
    assert event.state().rounds[ROUND].corrected() == []
    closed = event.close(1)
    assert event.state().rounds[ROUND].corrected() == []
    event.result(1, 2, 1, (5, 6, 7, 8), (0, 10, 20, 31))
    event.result(1, 1, 2, FOUR, (0, 10, 20, 30))
    event.not_played(1, 1, 4)

    assert event.state().rounds[ROUND].corrected() == [GameAt(1, 2), GameAt(1, 4), GameAt(2, 1)]
    event.revoke(closed)
    assert event.state().rounds[ROUND].corrected() == []


def test_a_game_of_a_table_that_has_lost_its_seats_is_scored_for_as_many_as_have_racks() -> None:
    event = Decided(players=4)
    kind, body, subject = result(1, 1, 1, (1, 2, 9), (0, 10, 20))
    del body["started"]
    event.decide(kind, body, subject)
    game = event.state().rounds[ROUND].results[GameAt(1, 1)]

    assert game.sheet is not None
    assert game.sheet.started == 0
    assert [(one.name, one.big, one.small) for one in game.scores] == [
        ("Lis", 1, 30), ("Sowa", 0, -10), ("", 0, -20),
    ]  # fmt: skip


def told(players: tuple[int, ...], *, table: int = 1, number: int = 1, **more: Json) -> Decision:
    """A result that a hall tells, by itself."""
    kind, body, subject = result(number, table, 1, players, (0, 10, 20, 30)[: len(players)])
    del body["started"]
    return Decision(90, kind, subject, {**body, **more}, "Puchacz", NOON, "", None, None)


def test_a_result_that_is_told_must_be_right_by_itself_for_the_table_as_it_is_seated() -> None:
    event = Decided(players=8)
    event.seat(1, (1, 2, 3), (5, 6, 7, 8))
    event.decide(kinds.ABSENT, {"player": 4, "stage": "league", "round": 2, "absent": True})
    state = event.state()

    expect_right(told((1, 2, 3)), state)
    expect_right(told((5, 6, 7, 8), table=2), state)
    for elsewhere in (told(FOUR, table=3), told(FOUR, number=2), told(FOUR, number=4)):
        expect_right(elsewhere, state)
    expect_right(told((), ended=kinds.NOT_PLAYED), state)
    with pytest.raises(Damaged) as wrong:
        expect_right(told(FOUR), state)
    assert str(wrong.value) == (
        "decision 90 is a result that cannot be right: racks on the sheet: 4, but the table started with 3 seats: 1 "
        "too many"
    )
    with pytest.raises(Damaged, match=r"^decision 90 \(result\) says nothing: ended is 'rain'$"):
        expect_right(told(FOUR, ended="rain"), state)


def test_rules_that_cannot_be_read_are_named_as_their_file_would_be() -> None:
    event = Decided(None)
    text, _ = rulebook.source("school-league")
    event.decide(kinds.RULESET, {"id": "our-league", "text": text.replace('language = "pl"', 'language = "Polish"')})

    with pytest.raises(WrongInput, match=r'^our-league\.toml, line \d+: language is "Polish", expected two small'):
        event.state()


def test_options_that_do_not_go_together_are_damage_with_the_number_of_the_latest() -> None:
    event = Decided()
    event.option("players_min", 30)
    latest = event.option("players_max", 29)
    event.option("limit_ms", None)

    with pytest.raises(Damaged) as wrong:
        event.state()

    problem = wrong.value.data["problem"]
    assert isinstance(problem, WrongInput)
    assert str(wrong.value) == f"decision {latest} is an option that cannot be: {problem}"
    assert re.search(r"30.*29|29.*30", str(problem))


def rack(seat: Json, player: Json) -> Json:
    return {"seat": seat, "player": player}


GAME: Final[dict[str, Json]] = {"stage": "league", "round": 1, "table": 1, "game": 1, "ended": "went_out"}
TWICE: Final = {"seat": [rack("A", 1), rack("A", 2)], "player": [rack("A", 1), rack("B", 1)]}
LONG: Final = [1] * 26  # 78 characters as it is shown


@pytest.mark.parametrize(
    ("kind", "body", "what"),
    [
        (kinds.EVENT, {}, "name is –"),
        (kinds.EVENT, {"name": None}, "name is None"),
        (kinds.EVENT, {"name": "Liga", "closed": None}, "closed is None"),
        (kinds.PLAYER, {"name": "Lis"}, "player is –"),
        (kinds.PLAYER, {"player": "7", "name": "Lis"}, "player is '7'"),
        (kinds.WAITING, {"player": 1}, "waits is –"),
        (kinds.OPTION, {"key": "limit_ms"}, "value is –"),
        (kinds.HALL, {"hall": "North", "tables": [1, 0]}, "tables is [1, 0]"),
        (kinds.HALL, {"hall": "North", "tables": LONG}, f"tables is {LONG}"),
        (kinds.HALL, {"hall": "North", "tables": [*LONG[1:], 100]}, f"tables is {[*LONG[1:], 100]}"),
        (kinds.HALL, {"hall": "North", "tables": [*LONG[1:], 1000]}, f"tables is {str([*LONG[1:], 1000])[:79]}…"),
        (kinds.GIVEN, {"stage": "league", "round": 1, "given": True, "halls": ["North", 2]}, "halls is ['North', 2]"),
        (kinds.TIE, {"stage": "league", "order": [1, 2], "points": 3}, "points is 3"),
        (kinds.TIE, {"stage": "league", "order": [1, 2], "points": [3]}, "points is [3]"),
        (kinds.TIE, {"stage": "league", "order": [1, 2], "points": ["3", 1]}, "points is ['3', 1]"),
        (kinds.TIE, {"stage": "league", "order": [1, 2], "points": [True, 1]}, "points is [True, 1]"),
        (kinds.TIE, {"stage": "league", "order": [1, 2], "points": [3, None]}, "points is [3, None]"),
        (kinds.TIE, {"stage": "league", "order": [1, 2], "points": [None, 1.5]}, "points is [None, 1.5]"),
        (kinds.RESULT, {**GAME, "racks": [rack("E", 1)]}, "racks is [{'seat': 'E', 'player': 1}]"),
        (kinds.RESULT, {**GAME, "racks": [rack("A", 0)]}, "racks is [{'seat': 'A', 'player': 0}]"),
        (kinds.RESULT, {**GAME, "racks": TWICE["seat"]}, f"racks is {TWICE['seat']}"),
        (kinds.RESULT, {**GAME, "racks": TWICE["player"]}, f"racks is {TWICE['player']}"),
    ],
)
def test_a_body_that_says_nothing_is_told_with_what_stands_there_or_that_nothing_does(
    kind: str, body: dict[str, Json], what: str
) -> None:
    event = Decided()
    cursor = event.decide(kind, body)

    with pytest.raises(Damaged) as wrong:
        event.state()

    assert str(wrong.value) == f"decision {cursor} ({kind}) says nothing: {what}"


def test_an_order_of_the_head_referee_counts_for_the_points_it_names_and_an_early_one_names_none() -> None:
    event = Decided(players=4)
    for points in ({}, {"points": None}, {"points": [None, -3]}, {"points": [2, 0]}):
        event.decide(kinds.TIE, {"stage": "league", "order": [3, 1], **points})

    assert event.state().ties == {
        "league": (Tie((3, 1)), Tie((3, 1)), Tie((3, 1), (None, -3)), Tie((3, 1), (2, 0)))
    }  # fmt: skip
