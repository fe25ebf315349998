"""Seatings that are changed while boxes play: asked about, refused where a game is over, taken back in words."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from dalej.errors import Refused
from dalej.event.reading import read
from dalej.office import rounds
from dalej.office.acts.rounds import Absent
from dalej.office.acts.waiting import PRINTED
from dalej.office.acts.wishes import Wish
from tests import world
from tests.office.acts.office import LIS, SOWA, WHY, Office, box_plays, games, player_at

OVER = "table {table}: game 1 of this round is over there, and who played it stays"
ON = "a game of this round goes on at these tables: {tables}; let it end first"


def name_at(office: Office, table: int, seat: int = 0) -> str:
    return office.state.players[player_at(office, table, seat)].name


def test_a_swap_with_a_table_that_plays_is_done_by_whoever_knows_that_it_plays(office: Office) -> None:
    box_plays(office, 2)
    player = player_at(office, 1)
    before = office.plain()

    with pytest.raises(Refused, match=ON.format(tables=2)):
        office.do("move_player", player=player, table=2, seat="B")
    assert office.plain() == before

    done = office.do("move_player", player=player, table=2, seat="B", playing=[2])
    assert player_at(office, 2, 1) == player
    assert done.undo is not None
    office.performer.do(LIS, done.undo)
    assert office.plain() == before


@pytest.mark.parametrize(
    ("act", "args"), [("move_player", {"player": 2, "table": 1, "seat": "A"}), ("open_table", {"player": 9})]
)
def test_who_seats_somebody_by_an_older_plan_is_told_what_somebody_else_has_changed_since(
    office: Office, act: str, args: dict[str, Any]
) -> None:
    office.do("sign_up", name="Puchacz", anyway="let in")
    seen = office.head
    office.do("move_player", SOWA, player=player_at(office, 1), table=2, seat="B")
    before = office.plain()

    with pytest.raises(Refused, match="Sowa has decided on this in the meantime"):
        office.do(act, LIS, WHY, seen, **args)
    assert office.plain() == before

    assert office.do(act, LIS, WHY, office.head, **args).decisions


def test_who_played_a_game_that_is_over_stays_even_if_somebody_agrees_to_a_swap(office: Office) -> None:
    box_plays(office, 2, over=True)
    one, other = player_at(office, 1), player_at(office, 2)

    for player, table in ((one, 2), (other, 1)):
        with pytest.raises(Refused, match=OVER.format(table=2)):
            office.do("move_player", player=player, table=table, seat="B", playing=[1, 2])
    with pytest.raises(Refused, match=OVER.format(table=2)):
        office.do("unseat", player=other)

    assert player_at(office, 2) == other


def test_a_swap_is_not_taken_back_once_a_game_of_who_sits_there_now_has_begun(office: Office) -> None:
    done = office.do("move_player", player=player_at(office, 1), table=2, seat="B")
    assert done.undo is not None
    box_plays(office, 1)

    with pytest.raises(Refused, match=ON.format(tables=1)):
        office.performer.do(LIS, done.undo)


def test_everybody_is_drawn_anew_over_games_by_nobody_who_does_not_know_of_them(office: Office) -> None:
    box_plays(office, 1, over=True)
    box_plays(office, 2)
    before = office.plain()

    with pytest.raises(Refused, match="League, round 1: these tables have begun to play: 1, 2; what their boxes"):
        office.do("draw_seating", anyway="few of us", again=True)
    with pytest.raises(Refused, match="these tables have begun to play: 2; what"):
        office.do("draw_seating", anyway="few of us", again=True, playing=[1])
    done = office.do("draw_seating", anyway="few of us", again=True, seed=99, playing=[1, 2])

    assert (office.plain() != before, games(office)) == (True, {})
    assert done.undo is not None
    office.performer.do(LIS, done.undo)
    assert (office.plain(), len(games(office))) == (before, 2)


def test_a_draw_is_not_taken_back_from_under_those_who_play_by_it(office: Office) -> None:
    done = office.do("draw_seating", anyway="few of us", again=True, seed=99)
    box_plays(office, 1)
    assert done.undo is not None

    with pytest.raises(Refused, match="these tables have begun to play: 1;"):
        office.performer.do(LIS, done.undo)


def test_a_swap_that_is_taken_back_names_the_two_who_sit_again_where_they_sat(office: Office) -> None:
    one, other, player = name_at(office, 1), name_at(office, 2, 1), player_at(office, 1)
    done = office.do("move_player", player=player, table=2, seat="B")
    assert done.undo is not None

    said = str(office.performer.do(LIS, done.undo))

    first, second = (f"{one} sits at 1A again", f"{other} sits at 2B again")
    told, _, printed = said.partition(f" (number {done.decisions[-1]}).")
    assert printed.strip() == PRINTED
    assert told in (
        f"Taken back: {first}; {second}", f"Taken back: {second}; {first}",
    )  # fmt: skip


def test_what_is_taken_back_and_done_after_all_and_taken_back_says_so_each_time_once(office: Office) -> None:
    done = office.do("warn", LIS, "late", player=1)
    assert done.undo is not None
    assert done.undo.why == "taken back: late"

    again = office.do("withdraw", LIS, done.undo.why, player=1)
    assert again.undo is not None
    assert again.undo.why == "done after all: late"
    back = office.performer.do(LIS, Wish("withdraw", {"player": 2}, again.undo.why))
    assert back.undo is not None
    assert back.undo.why == "taken back: late"
    assert office.do("withdraw", LIS, "taken back", player=3).undo == Wish(
        "restore", {"numbers": [read(office.event.ledger).decisions()[-1].cursor]}, "done after all"
    )
    assert WHY not in back.undo.why


def test_who_misses_the_round_at_a_table_of_three_keeps_the_seat_and_everybody_is_told_why(tmp_path: Path) -> None:
    with world.an_event(tmp_path, 7) as event:
        seating = rounds.seating_of(rounds.seated(event.state()))
        at_three = next(one for one in seating.tables if len(one.seated) == 3)
        at_four = next(one for one in seating.tables if len(one.seated) == 4)
        stays, goes = Absent(player=at_three.seated[0]), Absent(player=at_four.seated[0], free_seat=True)

        assert "still has a seat: too few would be left at that table" in str(stays.do(event, stays.wish()))
        assert str(goes.do(event, goes.wish())).endswith("misses this round.")
