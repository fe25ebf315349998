"""What acts say that was done, word for word: it is read aloud in a hall."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Final

import pytest

from dalej.errors import Refused, WrongInput
from dalej.office.acts.catalogue import ACTS
from dalej.office.acts.performer import Performer
from dalej.office.acts.sight import Sight, TableSight
from dalej.office.acts.wishes import Wish
from moveclock import facts as k
from tests import world
from tests.office.acts.cases import GIVEN
from tests.office.acts.office import LIS, RACKS, SOWA, WHY, Office
from tests.office.acts.states import Eliminations, OnPaper, Step, does

SIX: Final = [{"line": 0, "name": name} for name in ("Kret", "Mysz", "Nutria", "Okoń", "Paw", "Ryś")]
IN_4B: Final = (does("change_player", player=1, group="4b"),)
SIGNED_UP: Final = (does("sign_up_list", players=SIX),)
ABSENT: Final = (does("absent", players=[1, 2], free_seat=True),)


@pytest.mark.parametrize(
    ("before", "act", "args", "says"),
    [
        ((), "lock_seating", {"on": True}, "The seating is locked."),
        ((does("lock_seating", on=True),), "lock_seating", {"on": False}, "The seating may be changed again."),
        (ABSENT, "present", {"players": [1, 2]}, "Lis, Sowa are there."),
        ((), "absent", {"players": [1, 2, 3, 4, 5, 6], "free_seat": True}, (
            "Lis, Sowa, Borsuk, Wydra, Żuraw, Jeż miss this round, and not everybody's seat is free: too few would be "
            "left at a table. Draw the seats anew. Score sheets and lists of the seating that are printed already show "
            "the old seats: print them anew."
        )),
        ((), "change_player", {"player": 1, "group": "4b"}, "Player 1, Lis: – → 4b."),
        (IN_4B, "change_player", {"player": 1, "group": ""}, "Player 1, Lis: 4b → –."),
        ((), "change_player", {"player": 1, "name": "Kret"}, "Player 1, Lis, is written Kret now."),
        (SIGNED_UP, "undo", {}, (
            "Taken back: player 9 is Kret; player 10 is Mysz; player 11 is Nutria … and 3 more (the last is number 17)."
        )),
        (SIGNED_UP, "sign_up_list", {"players": SIX, "new_only": True}, (
            "Nobody new: all of them were signed up already."
        )),
        (GIVEN, "take_round", {}, (
            "League, round 1 is taken back; it is complete when the halls North have heard of it. Note – results are "
            "missing: tables 1, 2: 1, 2, 3, 4."
        )),
    ],
)  # fmt: skip
def test_what_was_done_is_said(
    tmp_path: Path, before: tuple[Step, ...], act: str, args: dict[str, Any], says: str
) -> None:
    state = OnPaper(tmp_path)
    for step in before:
        step(state)

    assert str(state.do(act, SOWA, WHY, args)) == says
    state.close()


def test_what_stands_of_a_round_that_is_open_again_is_said(tmp_path: Path) -> None:
    state = Eliminations(tmp_path)
    performer = Performer(state.event.by, lambda _line: None)
    performer.do(LIS, Wish("advance", {}, WHY))

    done = performer.do(LIS, Wish("reopen_round", {}, WHY))

    assert str(done) == (
        "Preliminaries, round 2 is open again. Note – who plays in Semifinal (number 55) stands as it was decided from "
        "the old numbers."
    )
    state.close()


@pytest.mark.parametrize(
    ("act", "args", "says"),
    [
        ("lock_seating", {"on": "x"}, "expected: yes, no"),
        ("set_bank", {"table": 1, "tiles": -1}, "expected: 0 to 106"),
        ("start_round", {"minutes": 0}, "expected: 1 to 600"),
        ("set_option", {"key": "ruleset", "value": "ours.toml"}, "^here a ruleset is one of .*, not one in a file$"),
    ],
)
def test_what_was_expected_is_said(office: Office, act: str, args: dict[str, Any], says: str) -> None:
    with pytest.raises((WrongInput, Refused), match=says):
        office.do(act, **args)


def test_a_move_is_asked_about_by_the_table_and_whose_it_is_also_where_another_was_named() -> None:
    sight = Sight(table=TableSight(table=3, game=1, move=7, whose="Borsuk (A)", limit_ms=60_000))

    assert ACTS["restart_move"].question({"game": 1, "move": 6}, sight) == (
        "Table 3: Borsuk (A)'s move begins anew with 60.0 s; what was played of it does not count."
    )
    assert ACTS["end_game"].question({"game": 1, "move": 6}, sight) == "Table 3: game 1 ends in move 6."


def test_boxes_that_still_play_a_game_from_before_are_named_before_the_clock_of_a_round_begins(office: Office) -> None:
    sight = Sight(state=office.state, plays={1: 2, 2: 2})

    assert ACTS["start_round"].known_before(sight) == ["2 boxes still play games from before this round: tables 1, 2."]


def test_boxes_that_still_play_the_round_before_are_named_with_it_before_the_clock_of_a_round_begins(
    tmp_path: Path,
) -> None:
    with world.an_event(tmp_path, closed=3) as event:
        sight = Sight(state=event.state(), plays={2: k.RUNNING})

        assert ACTS["start_round"].known_before(sight) == ["1 box still plays League, round 3: table 2."]


def test_a_table_that_no_second_person_has_confirmed_is_named_before_a_round_is_closed(office: Office) -> None:
    for table in (1, 2):
        for game in range(1, 5):
            office.do("enter_result", LIS, table=table, game=game, racks=RACKS)
    office.do("confirm_result", SOWA, table=2)

    assert ACTS["close_round"].known_before(Sight(state=office.state)) == [
        "No second person has confirmed the results of 1 table: 1."
    ]


def test_who_corrects_a_result_is_asked_by_whom_it_is_and_whether_a_huge_rack_is_meant(office: Office) -> None:
    office.do("enter_result", SOWA, table=1, game=1, racks=RACKS)
    args: dict[str, Any] = {"table": 1, "game": 1, "racks": {**RACKS, "B": "251"}}

    assert ACTS["correct_result"].question(args, Sight(state=office.state)) == (
        "Seat B: 251 points on one rack, which hardly ever happens. Table 1, game 1: the result that Sowa entered is "
        "replaced."
    )


@pytest.mark.parametrize(("ended", "asked"), [("not_played", True), ("bank_empty", False), (None, False)])
def test_why_is_asked_of_a_game_alone_that_was_not_played(office: Office, ended: str | None, asked: bool) -> None:
    assert ACTS["enter_result"].means("why", {"ended": ended}, office.state) is asked


def test_of_more_who_sit_again_than_can_be_told_it_is_said_how_many_decisions_were_taken_back(tmp_path: Path) -> None:
    with world.an_event(tmp_path, 16) as event:
        performer = Performer(event.by, lambda _line: None)
        goes = [world.player_at(event.state(), table, k.SEAT_A) for table in (1, 2, 3, 4)]
        performer.do(LIS, Wish("absent", {"players": goes, "free_seat": True}, WHY))

        said = str(performer.do(LIS, Wish("undo", {}, WHY)))

        assert said.startswith(
            "Taken back: League, round 1: 4 tables seated; League, round 1: Borsuk is absent; League, round 1: Wilk is "
            "absent … and 2 more (the last is number 24)."
        )
