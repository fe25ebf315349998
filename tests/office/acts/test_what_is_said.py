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
from tests.office.acts.cases import GIVEN
from tests.office.acts.office import LIS, SOWA, WHY, Office
from tests.office.acts.states import Eliminations, OnPaper, Step, does

SIX: Final = [{"line": 0, "name": name} for name in ("Kret", "Mysz", "Nutria", "Okoń", "Paw", "Ryś")]
IN_4B: Final = (does("change_player", player=1, group="4b"),)
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
        ((does("sign_up_list", players=SIX),), "undo", {}, (
            "Taken back: player 9 is Kret; player 10 is Mysz; player 11 is Nutria … and 3 more (the last is number 17)."
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
