"""`dalej box assign` at a terminal: a table where nobody sits is asked about before anything is decided."""

from __future__ import annotations

import io
from pathlib import Path

import pytest

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
