"""`dalej seat`."""

from __future__ import annotations

import io
from collections.abc import Callable
from pathlib import Path

import pytest

from tests import world
from tests.cli.conftest import Done, Program

EVENT = "event.dalej"
NAMES = world.ANIMALS[:7]

PRINTED = "Score sheets and lists of the seating that are printed already show the old seats: print them anew."


@pytest.fixture
def league(dalej: Program, tmp_path: Path) -> Callable[..., Done]:
    """`league("seat", "draw")` on a league of seven."""
    world.event_file(tmp_path, len(NAMES), seated=False)

    def run(group: str, command: str, *arguments: str) -> Done:
        return dalej(group, command, EVENT, *arguments)

    return run


def drawn(league: Callable[..., Done], *more: str) -> Done:
    return league("seat", "draw", "--anyway", "one class", "--seed", "5", *more)


def test_too_few_players_are_refused_with_the_clause(league: Callable[..., Done]) -> None:
    done = league("seat", "draw")
    assert done.code == 1
    assert "[1: „Liga odbywa się przy udziale minimum 20 uczniów.”]" in done.err
    assert len(done.err.splitlines()) == 1


def test_the_seating_is_printed_by_table_and_by_name_with_the_seed_that_repeats_it(
    league: Callable[..., Done],
) -> None:
    done = drawn(league)
    assert done.code == 0
    assert "Drawn with seed 5; --seed 5 draws the same again." in done.out
    lines = done.out.splitlines()
    by_name = [line.split()[0] for line in lines[lines.index("player  seat") + 1 :][: len(NAMES)]]
    assert by_name == ["Borsuk", "Jeż", "Lis", "Sowa", "Wilk", "Wydra", "Żuraw"]
    assert league("seat", "show").out in done.out


def test_a_seed_that_nobody_gave_is_drawn_and_printed(league: Callable[..., Done]) -> None:
    first = league("seat", "draw", "--anyway", "one class")
    seed = first.out.rpartition("--seed ")[2].split()[0]
    assert first.out == league("seat", "draw", "--again", "--anyway", "one class", "--seed", seed).out


def test_json_is_a_line_a_table(league: Callable[..., Done]) -> None:
    tables = drawn(league, "--json").objects
    assert [one["table"] for one in tables] == [1, 2]
    assert tables[0].keys() == {"stage", "round", "table", "seats", "how", "seed", "locked"}
    assert {seat["name"] for one in tables for seat in one["seats"].values()} == set(NAMES)
    assert tables == league("seat", "show", "--json").objects


@pytest.mark.parametrize("chair", ["0A", "3E", "B", "", "3BB", "-1A"])
def test_a_chair_that_is_none_is_refused(league: Callable[..., Done], chair: str) -> None:
    drawn(league)
    done = league("seat", "move", "--", "Lis", chair)
    assert done.code == 1
    assert "is not a chair, expected the like of 3B" in done.err


def test_a_player_told_by_name_or_number_changes_places(league: Callable[..., Done]) -> None:
    drawn(league)
    assert league("seat", "move", "Lis", "2a").out.startswith("Lis sits at 2A now; ")
    assert league("seat", "move", "2", "2A").out.startswith("Sowa sits at 2A now; ")


def test_a_locked_seating_stays_until_it_is_unlocked(league: Callable[..., Done]) -> None:
    drawn(league)
    assert league("seat", "lock", "--who", "Puchacz").out == "League, round 1: the seating is locked.\n"
    assert "Locked by Puchacz." in league("seat", "show").out
    assert "League, round 1: Puchacz has locked the seating" in league("seat", "move", "Lis", "2A").err
    assert league("seat", "lock", "--off").code == 0
    assert league("seat", "move", "Lis", "2A").code == 0


def test_who_is_not_there_is_taken_off(league: Callable[..., Done]) -> None:
    at_four = next(one for one in drawn(league, "--json").objects if len(one["seats"]) == 4)
    name = at_four["seats"]["B"]["name"]
    assert league("seat", "remove", name).out.splitlines() == [
        f"{name} misses this round.", PRINTED
    ]  # fmt: skip
    assert league("seat", "remove", name).code == 1


def test_who_changes_places_with_a_player_is_said(league: Callable[..., Done]) -> None:
    drawn(league)
    told = league("seat", "move", "Lis", "2A").out
    assert " moves from 2A to 1D.\n" in told
    assert told.splitlines()[-2].startswith("table 2: Lis, ")
    assert told.splitlines()[-1] == PRINTED


def test_a_new_table_says_who_moves_and_asks(league: Callable[..., Done], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO("n\n"))
    league("players", "add", "Sarna")
    drawn(league)
    late = league("players", "add", "Kuna")
    assert "Kuna has no seat; dalej seat move event.dalej 9 new gives one" in late.out
    asked = league("seat", "move", "Kuna", "new")
    assert (asked.code, "Seat them so?" in asked.err) == (1, True)
    assert " moves from 1D to 3A\n" in asked.out
    assert not league("seat", "move", "Kuna", "new", "--json").out  # what is asked about is no JSON
    done = league("seat", "move", "Kuna", "new", "--yes")
    assert " moves from 2D to 3B\n" in done.out
    assert "Kuna sits at 3C" in done.out


def test_a_locked_seating_is_said_once_and_unlocked_by_what_the_refusal_names(league: Program) -> None:
    league("seat", "draw", "--seed", "1", "--anyway", "we play")
    league("seat", "lock", "--who", "Puchacz")

    refused = league("seat", "move", "Lis", "2A").err
    assert refused.startswith("League, round 1: Puchacz has locked the seating; dalej seat lock ")
    assert refused.endswith(" --off lets it be changed again\n")


def test_seats_that_change_after_the_draw_are_said_with_what_is_printed_whatever_changes_them(
    league: Callable[..., Done], dalej: Program
) -> None:
    first = drawn(league, "--json").objects
    name = next(one for one in first if len(one["seats"]) == 4)["seats"]["B"]["name"]
    assert PRINTED in league("players", "absent", name, "--free-seat").out
    assert PRINTED in dalej("undo", EVENT, "--yes", "--why", "is there after all").out
    assert PRINTED in league("seat", "draw", "--again", "--seed", "6", "--anyway", "one class").out
    assert PRINTED not in league("seat", "lock").out
