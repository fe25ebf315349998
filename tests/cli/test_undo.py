"""`dalej undo` as a person uses it: shown, asked, done, and nothing done when the answer is no."""

from __future__ import annotations

import io
from pathlib import Path

import pytest

from dalej.event.ledger import Draft, Ledger
from dalej.event.reading import read
from tests import world
from tests.cli.conftest import Program
from tests.office.deciding import decide


@pytest.fixture
def league(tmp_path: Path) -> str:
    """Somebody has signed up whose name would clear a terminal."""
    with world.an_event(tmp_path, 0, seated=False, who="Puchacz") as event:
        decide(event, Draft("player", {"player": 1, "name": "Lis\x1b[2J"}, "player:1"), why="sign-up")
        return str(event.ledger.path)


def test_undo_shows_what_changes_and_takes_it_back(dalej: Program, league: str) -> None:
    done = dalej("undo", league, "--yes", "--who", "Sowa", "--why", "signed up twice")

    assert (done.code, done.err) == (0, "")
    assert "Puchacz: player 1 is Lis�[2J (sign-up)" in done.out
    assert "Lis�[2J (1) is no longer signed up" in done.out
    assert done.out.endswith("Taken back: player 1 is Lis�[2J (number 3).\n")
    with Ledger.open(league) as ledger:
        last = read(ledger).decisions()[-1]
    assert (last.who, last.why, last.revokes) == ("Sowa", "signed up twice", 3)


def test_undo_of_a_number_that_something_rests_on_is_refused_in_one_sentence(dalej: Program, league: str) -> None:
    done = dalej("undo", league, "1", "--yes", "--why", "another one")

    assert (done.code, done.out) == (1, "")
    assert done.err == (
        "number 1 (the event is Szkolna Liga Rummikub) cannot be taken back: number 3 (player 1 is Lis�[2J) rests on it"
        "\n"
    )


def test_undo_asks_and_no_leaves_everything(dalej: Program, league: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO("n\n"))
    done = dalej("undo", league)

    assert done.code == 1
    assert f"Take it back in {league}?" in done.err
    with Ledger.open(league) as ledger:
        assert len(read(ledger).decisions()) == 3


def test_undo_asks_why_whoever_gave_no_reason_and_keeps_it(
    dalej: Program, league: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO("y\nsigned up twice\n"))
    done = dalej("undo", league)

    assert (done.code, "Why? It is kept with the decision" in done.err) == (0, True)
    with Ledger.open(league) as ledger:
        assert read(ledger).decisions()[-1].why == "signed up twice"


def test_undo_that_is_not_asked_about_needs_a_reason_and_says_how_it_is_typed(dalej: Program, league: str) -> None:
    done = dalej("undo", league, "--yes")

    assert done.code == 1
    assert "--why REASON" in done.err.replace("'", "").replace('"', "")


@pytest.mark.parametrize("answers", ["y\n\n", "y\n  \n", "y\n"])
def test_undo_without_a_reason_leaves_everything(
    dalej: Program, league: str, monkeypatch: pytest.MonkeyPatch, answers: str
) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO(answers))

    assert dalej("undo", league).code == 1
    told = dalej("undo", league, "--yes").err
    assert told.startswith("take a decision back: say why, it is kept with the decision")
    with Ledger.open(league) as ledger:
        assert len(read(ledger).decisions()) == 3


def test_undo_of_what_is_not_a_number_is_wrong_usage(dalej: Program, league: str) -> None:
    assert dalej("undo", league, "last").code == 2


def test_an_event_that_cannot_be_read_is_mended_by_undo_one_decision_after_the_other(
    dalej: Program, league: str
) -> None:
    with Ledger.open(league) as ledger:
        for key in ("player", "players"):
            ledger.decide("gone", {key: "Lis"}, who="Sowa", when_ms=world.NOON + 2, why="by hand")
    assert dalej("event", "show", league).code == 1

    first = dalej("undo", league, "--yes", "--why", "says nothing")
    assert (first.code, first.err) == (0, "")
    assert "the event still cannot be read: decision 5" in first.out
    assert dalej("undo", league, "--yes", "--why", "says nothing", "--json").code == 0
    assert dalej("event", "show", league).code == 0


def test_of_a_long_list_undo_says_how_many_more_are_taken_back(dalej: Program, league: str, tmp_path: Path) -> None:
    (tmp_path / "list.csv").write_text("name\nSowa\nWilk\nKuna\nRyś\nJeż\n", encoding="utf-8")
    dalej("players", "import", league, str(tmp_path / "list.csv"))

    last = dalej("undo", league, "--yes", "--why", "the old list").out.splitlines()[-1]
    assert last.startswith("Taken back: player 2 is Sowa; player 3 is Wilk; player 4 is Kuna … and 2 more ")


def test_undo_for_a_program_shows_a_person_what_is_asked_about(
    dalej: Program, league: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO("y\n"))
    done = dalej("undo", league, "--json", "--why", "twice")

    assert "To be taken back:" in done.err
    assert [one["act"] for one in done.objects] == ["undo"]
