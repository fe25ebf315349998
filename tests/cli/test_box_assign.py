"""`dalej box assign` at a terminal: a table where nobody sits is asked about before anything is decided."""

from __future__ import annotations

import io
from pathlib import Path

import pytest

from dalej.event.ledger import Ledger
from dalej.rulesets.rulebook import load
from dalej.views.following import Follower
from dalej.views.hall import HallModel
from tests import world
from tests.cli.club import at_home, club
from tests.cli.conftest import Done, Program
from tests.placing import standing

NOBODY = "nobody sits at table 33."


class Terminal(io.StringIO):
    """Somebody types at it."""

    def isatty(self) -> bool:
        return True


@pytest.fixture
def league(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """Two tables are seated, and the club has boxes."""
    monkeypatch.setenv("DALEJ_WHO", "Sowa")
    club(at_home(tmp_path / "club", monkeypatch))
    return str(world.event_file(tmp_path))


def assign(dalej: Program, monkeypatch: pytest.MonkeyPatch, answer: str, *given: str) -> Done:
    """With a terminal on both sides."""
    monkeypatch.setattr("sys.stdin", Terminal(answer))
    monkeypatch.setattr("sys.stderr.isatty", lambda: True, raising=False)
    return dalej("box", "assign", *given)


@pytest.mark.parametrize("answer", ["\n", "n\n"])
def test_whoever_does_not_agree_has_decided_nothing(
    dalej: Program, league: str, monkeypatch: pytest.MonkeyPatch, answer: str
) -> None:
    done = assign(dalej, monkeypatch, answer, league, "3", "33")

    assert (done.code, done.out, standing(league)) == (1, "", {})
    assert f"{NOBODY} Put box 3 there all the same? [y/N]" in done.err


def test_whoever_agrees_is_not_warned_again(dalej: Program, league: str, monkeypatch: pytest.MonkeyPatch) -> None:
    done = assign(dalej, monkeypatch, "y\n", league, "3", "33")

    assert (done.code, standing(league)) == (0, {33: "3"})
    assert done.err.count(NOBODY) == 1


def test_who_says_yes_beforehand_is_warned_and_not_asked(
    dalej: Program, league: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    done = assign(dalej, monkeypatch, "", league, "3", "33", "--yes")

    assert (done.code, standing(league)) == (0, {33: "3"})
    assert done.err.endswith(f"{NOBODY}\n")


def test_a_table_with_people_and_a_box_that_stands_there_already_are_not_asked_about(
    dalej: Program, league: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert assign(dalej, monkeypatch, "", league, "3", "2").code == 0
    assert assign(dalej, monkeypatch, "", league, "4", "33", "--yes").code == 0
    assert assign(dalej, monkeypatch, "", league, "4", "33").code == 0
    assert standing(league) == {2: "3", 33: "4"}


def test_a_new_game_without_a_box_before_is_promised_too(dalej: Program, league: str) -> None:
    done = dalej("box", "assign", league, "3", "2", "--fresh")

    assert done.out.endswith("It begins a new game as soon as dalej run hears it; one that it still holds is ended.\n")


def test_a_hall_whose_boxes_nobody_brought_is_one_without_boxes_again(
    dalej: Program, league: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    for box, table in (("3", "1"), ("4", "2")):
        assert dalej("box", "assign", league, box, table).code == 0
    before = shown(league)

    done = dalej("box", "assign", "--none")

    assert (done.code, standing(league)) == (0, {})
    assert done.out.splitlines() == [
        "Box 3 stands on no table any more; table 1 has no box.",
        "Box 4 stands on no table any more; table 2 has no box.",
    ]
    assert (before, shown(league)) == (True, False)
    assert dalej("box", "assign", "--none").out == "No table has a box.\n"
    assert dalej("undo", "--yes", "--why", "they are here").code == 0
    assert standing(league) == {1: "3", 2: "4"}


@pytest.mark.parametrize("more", [("3", "1"), ("--all",), ("--fresh",)])
def test_all_boxes_are_taken_away_with_nothing_else_at_once(dalej: Program, league: str, more: tuple[str, ...]) -> None:
    assert dalej("box", "assign", league, *more, "--none").code == 2


def shown(event: str) -> bool:
    """Whether a screen misses a desk there."""
    with Ledger.open(event) as ledger:
        model = HallModel(load("school-league"))
        Follower(ledger, model).catch_up()
        return model.has_boxes
