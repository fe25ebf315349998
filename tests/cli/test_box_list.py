"""`dalej box list|assign|rename|forget` as an organiser uses them, before the first round and in the middle of one."""

from __future__ import annotations

import io
from pathlib import Path

import pytest

from dalej.boxes.paired import OwnBoxes
from dalej.event.boxplaces import ALL, NOW, places
from dalej.event.event import Event
from dalej.event.ledger import Ledger
from dalej.event.reading import read
from tests import world
from tests.cli.club import PAIRED, at_home, club, own_box
from tests.cli.conftest import Program
from tests.placing import standing


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("DALEJ_WHO", "Sowa")
    return at_home(tmp_path / "club", monkeypatch)


@pytest.fixture
def boxes(home: Path) -> OwnBoxes:
    return club(home)


@pytest.fixture
def league(tmp_path: Path) -> str:
    """Nobody has signed up yet."""
    return str(world.event_file(tmp_path, 0, seated=False))


def seat(league: str, tables: int) -> None:
    """Four sign up for each of so many tables, and the first round is drawn."""
    with Ledger.open(league) as ledger:
        event = Event(ledger, who="Sowa", wall_ms=world.at_noon)
        world.sign_up(event, range(1, 4 * tables + 1))
        world.draw(event)


def test_a_club_without_boxes_is_told_how_it_gets_one(dalej: Program, home: Path) -> None:
    done = dalej("box", "list")
    assert (done.code, done.err) == (0, "")
    assert done.out == "The club has no boxes yet: dalej box pair PORT makes one its own.\n"
    assert not home.exists()


def test_the_list_shows_how_each_box_is_built(dalej: Program, boxes: OwnBoxes) -> None:
    boxes.keep(own_box(9, "old", 0, 0))
    lines = dalej("box", "list").out.splitlines()
    assert [line.split("  ")[0] for line in lines] == ["box", "1", "2", "3", "4", "12", "old"]
    assert "buttons at every seat, tile contact" in lines[1]
    assert "shared buttons" in lines[5]
    assert "with another secret: pair it anew" in lines[6]


def test_with_an_event_the_list_shows_tables(dalej: Program, boxes: OwnBoxes, league: str) -> None:
    dalej("box", "assign", league, "12", "4")
    lines = dalej("box", "list", "--event", league).out.splitlines()
    assert [line.split()[-1] for line in lines] == ["table", "–", "–", "–", "–", "4"]


def test_programs_get_names_that_never_translate(dalej: Program, boxes: OwnBoxes, league: str) -> None:
    dalej("box", "assign", league, "12", "4")
    done = dalej("--lang", "pl", "box", "list", "--event", league, "--json")
    assert done.objects[-1] == {
        "name": "12", "uid": "240ac4000012", "phone": False, "kostka": False, "shared": True, "paired_ms": PAIRED,
            "table": 4,
    }  # fmt: skip
    assert "table" not in dalej("box", "list", "--json").objects[0]


def test_a_box_that_stands_there_and_was_forgotten_is_told(dalej: Program, boxes: OwnBoxes, league: str) -> None:
    dalej("box", "assign", league, "12", "4")
    assert dalej("box", "forget", "12", "--yes").code == 0
    done = dalej("box", "list", "--event", league)
    assert "Box 12 (240ac4000012) stands on table 4 and is not on this computer's list" in done.err
    assert dalej("box", "assign", league, "12", "none").code == 0
    assert standing(league) == {}


def test_a_box_is_given_to_a_table(dalej: Program, boxes: OwnBoxes, league: str) -> None:
    done = dalej("box", "assign", league, "12", "4", "--why", "the lamp of 4 is broken")
    assert (done.code, done.err) == (0, "")
    assert done.out == (
        "Box 12 stands on table 4 from now on.\n"
        "What is played on it counts from when dalej run hears it; --all-facts counts what it holds already.\n"
    )
    with Ledger.open(league) as ledger:
        (one,), last = places(read(ledger)), read(ledger).decisions()[-1]
    assert (one.box, one.since, one.goes_on, one.name) == ("240ac4000012", NOW, True, "12")
    assert (last.who, last.why) == ("Sowa", "the lamp of 4 is broken")


def test_a_spare_box_takes_over_and_the_line_says_what_it_goes_on_with(
    dalej: Program, boxes: OwnBoxes, league: str
) -> None:
    dalej("box", "assign", league, "4", "4")
    dalej("box", "assign", league, "12", "9")
    assert dalej("box", "assign", league, "12", "4").out == (
        "Box 12 stands on table 4 from now on, in the place of box 4.\n"
        "Table 9 has no box now.\n"
        "It goes on with the game of box 4, if that is not over, as soon as dalej run hears it.\n"
    )


def test_fresh_and_all_facts_are_decided_and_said(dalej: Program, boxes: OwnBoxes, league: str) -> None:
    dalej("box", "assign", league, "4", "4")
    assert "It begins a new game" in dalej("box", "assign", league, "12", "4", "--fresh").out
    assert "Everything it holds counts at table 3" in dalej("box", "assign", league, "3", "3", "--all-facts").out
    with Ledger.open(league) as ledger:
        assert [(one.table, one.since, one.goes_on) for one in places(read(ledger))] == [
            (3, ALL, True),
            (4, NOW, False),
        ]


def test_a_box_that_stands_there_already_is_left_as_it_is(dalej: Program, boxes: OwnBoxes, league: str) -> None:
    dalej("box", "assign", league, "3", "3", "--all-facts")
    assert dalej("box", "assign", league, "3", "3").out == "Box 3 stands on table 3 already.\n"
    with Ledger.open(league) as ledger:
        assert [one.since for one in places(read(ledger))] == [ALL]


def test_none_takes_a_box_away(dalej: Program, boxes: OwnBoxes, league: str) -> None:
    dalej("box", "assign", league, "3", "3")
    assert dalej("box", "assign", league, "3", "none").out == (
        "Box 3 stands on no table any more; table 3 has no box.\n"
    )
    done = dalej("box", "assign", league, "3", "none")
    assert (done.code, done.err) == (1, "box 3 stands on no table\n")


def test_a_table_where_nobody_sits_is_remarked(dalej: Program, boxes: OwnBoxes, league: str) -> None:
    seat(league, 2)
    done = dalej("box", "assign", league, "3", "33")
    assert (done.code, standing(league)) == (0, {33: "3"})
    assert "nobody sits at table 33" in done.err
    assert dalej("box", "assign", league, "3", "2").err == ""


def test_all_gives_numbered_boxes_to_the_tables_that_are_seated(dalej: Program, boxes: OwnBoxes, league: str) -> None:
    seat(league, 5)
    dalej("box", "assign", league, "12", "4")
    done = dalej("box", "assign", league, "--all")
    assert (done.code, done.err) == (0, "")
    assert done.out == (
        "Box 1 stands on table 1 from now on.\nBox 2 stands on table 2 from now on.\n"
        "Box 3 stands on table 3 from now on.\nBox 12 stays on table 4.\n3 boxes are given to tables.\n"
        "Table 5 has no box.\n"
    )
    assert standing(league) == {1: "1", 2: "2", 3: "3", 4: "12"}
    assert dalej("undo", league, "--yes", "--why", "another day").code == 0
    assert standing(league) == {4: "12"}


def test_all_without_a_round_gives_every_numbered_box(dalej: Program, boxes: OwnBoxes, league: str) -> None:
    boxes.keep(own_box(50, "spare"))
    boxes.keep(own_box(51, "07"))
    dalej("box", "assign", league, "--all")
    assert standing(league) == {number: str(number) for number in (1, 2, 3, 4, 12)}
    assert dalej("box", "assign", league, "--all").out == "0 boxes are given to tables.\n"


@pytest.mark.parametrize("table", ["0", "four", "-1", "12345", "²"])
def test_what_is_no_table_is_refused(dalej: Program, boxes: OwnBoxes, league: str, table: str) -> None:
    done = dalej("box", "assign", league, "--", "3", table)
    assert (done.code, done.err) == (1, f"“{table}” is no table: expected a number from 1 on, or none\n")


@pytest.mark.parametrize("given", [("3",), (), ("3", "3", "--all"), ("3", "--all")])
def test_half_an_order_is_wrong_usage(dalej: Program, boxes: OwnBoxes, league: str, given: tuple[str, ...]) -> None:
    assert dalej("box", "assign", league, *given).code == 2
    assert standing(league) == {}


def test_a_box_that_is_not_the_clubs_is_given_to_no_table(dalej: Program, boxes: OwnBoxes, league: str) -> None:
    done = dalej("box", "assign", league, "5", "5")
    assert (done.code, done.out) == (1, "")
    assert done.err == "there is no box 5 on the club's list: expected one of 1, 2, 3, 4, 12, or its uid\n"


def test_a_box_is_renamed(dalej: Program, boxes: OwnBoxes) -> None:
    assert dalej("box", "rename", "0012", "spare").out == "Box 12 (240ac4000012) is called spare from now on.\n"
    assert boxes.find("spare").uid == "240ac4000012"
    taken = dalej("box", "rename", "spare", "3")
    assert (taken.code, taken.err) == (
        1, "box 240ac4000003 is called 3 already: expected a name that no other box has, such as 5\n",
    )  # fmt: skip


def test_forgetting_asks_and_says_that_the_box_keeps_its_secret(
    dalej: Program, boxes: OwnBoxes, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO("n\n"))
    done = dalej("box", "forget", "12")
    assert (done.code, "Take box 12 (240ac4000012) off the club's list?" in done.err) == (1, True)
    assert boxes.find("12").name == "12"
    monkeypatch.setattr("sys.stdin", io.StringIO("y\n"))
    assert "It keeps its secret" in dalej("box", "forget", "12").out
    assert [one.name for one in boxes] == ["1", "2", "3", "4"]


@pytest.mark.parametrize(
    ("language", "answer", "hint"),
    [("pl", "t", "[t/N]"), ("pl", "Tak", "[t/N]"), ("pl", "y", "[t/N]"), ("it", "sì", "[s/N]"), ("it", "si", "[s/N]"),
     ("it", "s", "[s/N]"), ("it", "yes", "[s/N]"), ("en", "YES", "[y/N]")],
)  # fmt: skip
def test_a_question_is_agreed_to_in_the_readers_own_language(
    dalej: Program, boxes: OwnBoxes, monkeypatch: pytest.MonkeyPatch, language: str, answer: str, hint: str
) -> None:
    monkeypatch.setenv("LANGUAGE", language)
    monkeypatch.setattr("sys.stdin", io.StringIO(f"{answer}\n"))

    done = dalej("box", "forget", "12")

    assert (done.code, hint in done.err) == (0, True)
    assert [one.name for one in boxes] == ["1", "2", "3", "4"]


@pytest.mark.parametrize(("language", "answer"), [("pl", "nie"), ("pl", "N"), ("it", "no"), ("en", ""), ("pl", "")])
def test_whoever_says_no_or_nothing_to_a_question_is_heeded(
    dalej: Program, boxes: OwnBoxes, monkeypatch: pytest.MonkeyPatch, language: str, answer: str
) -> None:
    monkeypatch.setenv("LANGUAGE", language)
    monkeypatch.setattr("sys.stdin", io.StringIO(f"{answer}\n"))

    assert dalej("box", "forget", "12").code == 1
    assert boxes.find("12").name == "12"


def test_an_answer_that_is_neither_is_asked_for_again(
    dalej: Program, boxes: OwnBoxes, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO("perhaps\nyes\n"))

    done = dalej("box", "forget", "12")

    assert (done.code, done.err.count("[y/N]")) == (0, 2)
    assert "Expected “yes” or “no”." in done.err
    assert "invalid input" not in done.err
    assert [one.name for one in boxes] == ["1", "2", "3", "4"]
