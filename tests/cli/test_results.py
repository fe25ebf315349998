"""`dalej results` as a person uses it."""

from __future__ import annotations

import contextlib
import io
import re
import shlex
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from dalej.cli.resultdialogue import Dialogue
from dalej.domain.tournament.tournament import GameAt
from dalej.event.event import Event
from tests.cli.conftest import Program
from tests.domain.begun import go_out, table
from tests.domain.tables import A
from tests.world import FIRST, an_event, at_noon, event_file, tell

RESULT = ("A=0", "B=23", "C=45+j", "D=-")
HEADER = "table,game,ended,seat,points,tiles,jokers,opened,small\n"
GAME = "1,1,,A,0,,,,\n1,1,,B,23,,,,-23\n1,1,,C,,12 7 j,,,\n1,1,,D,,,,no,-100\n"


@pytest.fixture
def held(tmp_path: Path) -> Iterator[Event]:
    """Eight are seated at two tables."""
    with an_event(tmp_path, wall_ms=at_noon) as event:
        yield event


@pytest.fixture
def sheet(tmp_path: Path) -> Callable[[str], str]:
    """Writes a file of results and gives its name."""

    def write(text: str, encoding: str = "utf-8") -> str:
        (tmp_path / "r.csv").write_bytes(text.encode(encoding))
        return "r.csv"

    return write


def enter(dalej: Program, *more: str, who: str = "Sowa") -> object:
    return dalej("results", "enter", "event.dalej", *more, "--who", who)


@pytest.mark.usefixtures("held")
def test_a_result_is_entered_and_what_is_missing_is_said(dalej: Program) -> None:
    done = dalej("results", "enter", "event.dalej", "1", "1", *RESULT, "--who", "Sowa")
    lines = done.out.splitlines()
    assert done.code == 0
    assert lines[0] == "Table 1, game 1: went out"
    assert lines[2].split()[-3:] == ["+218", "1", "1"]
    assert lines[-2:] == [
        "Still missing at table 1: games 2, 3, 4.", "League, round 1: 7 games are missing."
    ]  # fmt: skip


@pytest.mark.usefixtures("held")
def test_without_its_number_it_is_the_next_game_of_the_table(dalej: Program) -> None:
    for number in (1, 2):
        done = dalej("results", "enter", "event.dalej", "1", *RESULT)
        assert f"Table 1, game {number}:" in done.out
    done = dalej("results", "enter", "event.dalej", "1", "--ended", "not-played", "--why", "time was over")
    assert "Table 1, game 3: not played" in done.out


@pytest.mark.usefixtures("held")
def test_small_points_of_those_who_lost_are_below_zero(dalej: Program) -> None:
    done = dalej("results", "enter", "event.dalej", "1", "1", *RESULT, "--small", "A=218", "--small", "B=-23")
    assert (done.code, done.err) == (0, "")
    ruled = ("--ruled-small", "B=-20", "--ruling", "as agreed")
    assert dalej("results", "enter", "event.dalej", "1", "2", *RESULT, *ruled).code == 0


@pytest.mark.usefixtures("held")
def test_a_mistyped_game_does_not_take_the_whole_table_back(dalej: Program) -> None:
    dalej("results", "enter", "event.dalej", "1", "1", *RESULT)
    assert dalej("results", "reopen", "event.dalej", "1", "0", "--why", "mistyped").code == 2
    assert dalej("results", "list", "event.dalej", "--table", "1", "--json").objects[0]["state"] == "entered"


@pytest.mark.usefixtures("held")
@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (("1", "1", "A=0", "B=0", "C=1", "D=2"), "A, B"),
        (("1", "1", *RESULT, "--small", "A=219"), "1 too many"),
        (("1", "1", "A=1", "B=2", "C=3", "D=4"), "how the game ended"),
        (("1", "1", "A=0w", "B=2", "C=3", "D=4"), "w alone if it did not play this game"),
        (("1", "1", "A=0", "B=-5", "C=3", "D=4"), "less than nothing"),
        (("9", "1", *RESULT), "no table 9"),
        (("1",), "no racks were given"),
    ],
)
def test_what_cannot_be_entered_is_refused_in_a_sentence(dalej: Program, words: tuple[str, ...], sentence: str) -> None:
    done = dalej("results", "enter", "event.dalej", *words)
    assert (done.code, done.out, len(done.err.splitlines())) == (1, "", 1)
    assert sentence in done.err


@pytest.mark.usefixtures("held")
def test_a_second_entry_is_refused_and_a_correction_takes_its_place(dalej: Program) -> None:
    enter(dalej, "1", "1", *RESULT)
    assert (
        "Sowa has entered game 1 of table 1 already" in dalej("results", "enter", "event.dalej", "1", "1", *RESULT).err
    )
    assert dalej("results", "correct", "event.dalej", "1", "1", *RESULT).code == 2
    assert dalej("results", "enter", "event.dalej", "1", "1", *RESULT, "--why", "mistyped").code == 2
    assert "no result to correct" in dalej("results", "correct", "event.dalej", "1", "2", *RESULT, "--why", "x").err
    done = dalej("results", "correct", "event.dalej", "1", "1", "A=9", *RESULT[1:3], "D=0", "--why", "D went out")
    assert done.code == 0
    (game, *_) = dalej("results", "list", "event.dalej", "--json").objects
    assert [one["small"] for one in game["scores"]] == [-9, -23, -95, 127]


@pytest.mark.usefixtures("held")
def test_that_the_same_person_has_entered_several_tables_is_said_once(dalej: Program) -> None:
    enter(dalej, "1", "1", *RESULT)
    enter(dalej, "2", "1", *RESULT)
    done = dalej("results", "confirm", "event.dalej", "--who", "Sowa")
    assert done.code == 1
    assert done.err.count("has entered") == 1
    assert "tables 1, 2: Sowa has entered them, somebody else must confirm them; " in done.err


@pytest.mark.usefixtures("held")
def test_a_correction_without_a_reason_asks_for_it_in_a_terminal_until_there_is_one(
    dalej: Program, monkeypatch: pytest.MonkeyPatch
) -> None:
    enter(dalej, "1", "1", *RESULT)
    monkeypatch.setattr("dalej.cli.decision.is_terminal", lambda: True)
    monkeypatch.setattr("sys.stdin", io.StringIO("\nmisread\n"))
    done = dalej("results", "correct", "event.dalej", "1", "1", "A=0", "B=24", "C=45+j", "D=-")
    assert (done.code, done.err.count("Why? It is kept with the decision: ")) == (0, 2)
    assert "misread" in dalej("event", "history", "event.dalej").out


@pytest.mark.usefixtures("held")
def test_a_second_person_confirms_and_reopening_takes_it_back(dalej: Program) -> None:
    enter(dalej, "1", "1", *RESULT)
    assert "somebody else must confirm" in dalej("results", "confirm", "event.dalej", "1", "--who", "SOWA").err
    done = dalej("results", "confirm", "event.dalej", "1", "--who", "Wydra")
    assert re.search(r"Table 1, together: A \w+ \+218 \(1\), B \w+ −23 \(0\)", done.out)
    assert "Table 1 is confirmed by Wydra." in done.out
    assert "+218" in done.out
    assert dalej("results", "list", "event.dalej", "--json").objects[0]["confirmed_by"] == "Wydra"
    assert dalej("results", "reopen", "event.dalej", "1", "1", "--why", "counted anew").code == 0
    assert dalej("results", "list", "event.dalej", "--json").objects[0]["state"] == "missing"


def test_a_game_that_a_box_says_was_played_is_waited_for_and_filled_in(dalej: Program, held: Event) -> None:
    at = table()
    go_out(at, A)
    tell(held, at)
    assert "played, not entered (went out, A)" in dalej("results", "list", "event.dalej").out
    assert dalej("results", "list", "event.dalej", "--json").objects[0]["state"] == "played"
    done = dalej("results", "enter", "event.dalej", "1", "1", *RESULT[1:])
    assert (done.code, done.err) == (0, "seat A: went out, says the box\n")


@pytest.mark.usefixtures("held")
def test_a_rack_of_more_than_250_points_is_remarked_on_and_entered(dalej: Program) -> None:
    done = dalej("results", "enter", "event.dalej", "1", "1", "A=0", "B=300", "C=3", "D=250")
    assert (done.code, done.err) == (0, "seat B: 300 points on one rack, which hardly ever happens\n")


# --- asked for in a terminal ----------------------------------------------------------------------------------------


class Person:
    """Answers questions in turn; "": Enter, which takes the default. Presses Ctrl-C when there is no answer left."""

    def __init__(self, *answers: str) -> None:
        self.answers = list(answers)
        self.asked: list[str] = []
        self.told: list[str] = []

    def ask(self, question: str, default: str) -> str:
        self.asked.append(f"{question} [{default}]")
        if not self.answers:
            raise KeyboardInterrupt
        return self.answers.pop(0) or default


def test_games_are_asked_for_one_after_the_other_and_only_whole_ones_are_kept(dalej: Program, held: Event) -> None:
    person = Person("0", "23", "45+j", "-", "", "9", "0")
    with pytest.raises(KeyboardInterrupt):
        Dialogue(person.ask, person.told.append).table(held, None, 1, None)
    assert list(held.state().rounds[FIRST].results) == [GameAt(1, 1)]
    assert "A " in person.asked[0]


def test_an_empty_answer_and_a_wrong_key_are_explained_and_asked_again(dalej: Program, held: Event) -> None:
    person = Person("", "5", "6", "7", "8", "9", "1", "")
    Dialogue(person.ask, person.told.append).table(held, None, 1, 1)
    assert any(told.startswith("What lies on the rack? 0 if it is empty") for told in person.told)
    assert any(told.startswith("“9” does not say how the game ended. A number or its words") for told in person.told)
    assert GameAt(1, 1) in held.state().rounds[FIRST].results


def test_a_mistake_is_asked_again_at_its_seat(dalej: Program, held: Event) -> None:
    person = Person("0", "x23", "23", "45+9j", "-", "45", "")
    Dialogue(person.ask, person.told.append).table(held, None, 1, 1)
    result = held.state().rounds[FIRST].results[GameAt(1, 1)]
    assert [one.small for one in result.scores] == [168, -23, -45, -100]
    assert any("cannot be read" in line for line in person.told)
    assert any("jokers" in line for line in person.told)


def test_what_the_box_knows_is_offered_and_enter_takes_it(dalej: Program, held: Event) -> None:
    at = table()
    go_out(at, A)
    tell(held, at)
    person = Person("", "23", "45", "-", "")
    Dialogue(person.ask, person.told.append).table(held, None, 1, 1)
    assert person.asked[0].endswith("[0]")
    assert held.state().rounds[FIRST].results[GameAt(1, 1)].sheet is not None


def test_how_a_game_ended_is_asked_if_no_rack_is_empty_and_a_rack_may_be_changed(dalej: Program, held: Event) -> None:
    person = Person("12", "23", "45", "9", "what", "1", "D", "8", "1", "")
    Dialogue(person.ask, person.told.append).table(held, None, 1, 1)
    sheet = held.state().rounds[FIRST].results[GameAt(1, 1)].sheet
    assert sheet is not None
    assert (sheet.ended, sheet.racks[3].points) == ("bank_empty", 8)


def test_a_table_is_asked_for_with_a_line_that_says_what_may_be_typed_and_another_answer_keeps_what_was(
    dalej: Program, held: Event
) -> None:
    person = Person("0", "23", "45+j", "-", "perhaps", "b", "24", "")
    Dialogue(person.ask, person.told.append).table(held, None, 1, 1)
    assert person.told[0].startswith("What lies on a rack: 0 nothing")
    assert "“perhaps” says nothing here, expected one of: Enter, A, B, C, D" in person.told
    assert [one.small for one in held.state().rounds[FIRST].results[GameAt(1, 1)].scores] == [219, -24, -95, -100]
    assert [sum(question.startswith(f"  {seat} ") for question in person.asked) for seat in "AB"] == [1, 2]


def test_a_seats_letter_goes_back_to_its_rack_and_the_others_are_asked_on(dalej: Program, held: Event) -> None:
    person = Person("7", "23", "a", "0", "45", "9", "")
    Dialogue(person.ask, person.told.append).table(held, None, 1, 1)
    sheet = held.state().rounds[FIRST].results[GameAt(1, 1)].sheet
    assert sheet is not None
    assert [one.points for one in sheet.racks] == [0, 23, 45, 9]


def test_where_it_is_asked_how_a_game_ended_enter_says_what_to_type_and_a_letter_goes_back(
    dalej: Program, held: Event
) -> None:
    person = Person("12", "23", "45", "9", "", "D", "0", "")
    Dialogue(person.ask, person.told.append).table(held, None, 1, 1)
    assert (
        "A number or its words are expected: 1 bank empty, 2 round time, 3 one seat left. A seat's letter goes back"
        " to its rack." in person.told
    )
    sheet = held.state().rounds[FIRST].results[GameAt(1, 1)].sheet
    assert sheet is not None
    assert (sheet.ended, sheet.racks[3].points) == ("went_out", 0)


@pytest.mark.parametrize("answers", [("12", "23", "45", "9", "minął czas"), ("12", "23", "koniec", "45", "9")])
def test_how_a_game_ended_may_be_said_in_words_where_a_rack_is_asked_for_too(
    dalej: Program, held: Event, answers: tuple[str, ...]
) -> None:
    person = Person(*answers, "")
    Dialogue(person.ask, person.told.append).table(held, None, 1, 1)
    sheet = held.state().rounds[FIRST].results[GameAt(1, 1)].sheet
    assert sheet is not None
    assert (sheet.ended, [one.points for one in sheet.racks]) == ("round_time", [12, 23, 45, 9])


def test_a_rack_that_hardly_ever_happens_takes_a_yes_and_enter_is_none(dalej: Program, held: Event) -> None:
    person = Person("0", "600", "45", "9", "", "b", "60", "")
    Dialogue(person.ask, person.told.append).table(held, None, 1, 1)
    assert "“Enter” says nothing here, expected one of: yes, A, B, C, D" in person.told
    person = Person("0", "600", "45", "9", "", "yes")
    Dialogue(person.ask, person.told.append).table(held, None, 1, 2)
    results = held.state().rounds[FIRST].results
    assert [results[GameAt(1, game)].scores[1].small for game in (1, 2)] == [-60, -600]


@pytest.mark.parametrize("word", ["none", "n", "not played", "nierozegrana"])
def test_a_game_that_was_not_played_is_none(dalej: Program, held: Event, word: str) -> None:
    person = Person(word, "", "B fell ill")
    Dialogue(person.ask, person.told.append).table(held, None, 1, 4)
    result = held.state().rounds[FIRST].results[GameAt(1, 4)]
    assert result.sheet is None
    assert result.mark.why == "B fell ill"


@pytest.mark.usefixtures("held")
def test_a_game_that_was_not_played_takes_a_reason(dalej: Program, held: Event, sheet: Callable[[str], str]) -> None:
    done = dalej("results", "enter", "event.dalej", "1", "4", "--ended", "not-played")
    assert done.code == 1
    assert "--ended not-played --why REASON gives it" in done.err
    assert dalej("results", "enter", "event.dalej", "1", "4", "--ended", "not-played", "--why", "fire alarm").code == 0
    assert held.state().rounds[FIRST].results[GameAt(1, 4)].mark.why == "fire alarm"
    dalej("results", "import", "event.dalej", sheet("table,game,ended,seat,points,why\n1,3,not-played,,,power cut\n"))
    assert "power cut" in dalej("event", "history", "event.dalej").out


# --- from a file ----------------------------------------------------------------------------------------------------


@pytest.mark.usefixtures("held")
@pytest.mark.parametrize(
    ("text", "encoding"),
    [
        (HEADER + GAME, "utf-8"), (HEADER + GAME, "utf-8-sig"), ((HEADER + GAME).replace(",", ";"), "utf-16"),
        ("sep=;\n" + (HEADER + GAME).replace(",", ";"), "utf-8"),
        ((HEADER + GAME).replace("table", "Stół").replace("no,", "nie,").replace(",", ";"), "cp1250"),
    ],
)  # fmt: skip
def test_a_file_is_read_where_it_is_certain(
    dalej: Program, sheet: Callable[[str, str], str], text: str, encoding: str
) -> None:
    done = dalej("results", "import", "event.dalej", sheet(text, encoding))
    assert (done.code, done.err) == (0, "")
    assert done.out.splitlines()[-3:-1] == ["1 game is entered.", "Tables: 1"]
    (game, *_) = dalej("results", "list", "event.dalej", "--json").objects
    assert [one["small"] for one in game["scores"]] == [192, -23, -69, -100]


@pytest.mark.usefixtures("held")
@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("", "empty"),
        (HEADER, "only a header"),
        ("game,seat,points\n1,A,0\n", "line 1: no column Table"),
        (HEADER.replace("small", "seat") + GAME, "the heading seat is there twice"),
        (HEADER + GAME.replace("B,23", "B,2x"), "line 3, under the heading points (cell E3): “2x”"),
        (HEADER + GAME.replace("B,23", "B,x"),
         "under the heading points (cell E3): “x”, expected a whole number from 0 to 728"),
        ("table,game,seat,pkt\n1,1,A,0\n", "line 1: no column Rack points/Tiles, found table, game, seat, pkt"),
        (HEADER + "9,1,,A,0,,,,\n",
         "under the heading table (cell A2): there is no table 9 (League, round 1), expected one of 1, 2"),
        (HEADER + GAME.replace("B,23", "B,-23"), "line 3, under the heading points (cell E3): “-23”"),
        (HEADER + GAME.replace("12 7 j", "12 14"), "line 4, under the heading tiles (cell F4): there is no tile “14”"),
        (HEADER + GAME.replace("1,1,,C", "1,1,,B"),
         "line 4, under the heading seat (cell D4): seat B is there in line 3"),
        (HEADER + GAME.replace("1,1,,D,,,,no,-100", "1,1,,D,,,,maybe,"),
         "line 5, under the heading opened (cell H5): “maybe”"),
        (HEADER + GAME.replace("-23", "-24"), "line 3, under the heading small (cell I3): seat B: −24 is written down"),
        (HEADER + GAME.replace("1,1,,D", "1,1,,E"), "line 5, under the heading seat (cell D5)"),
        (HEADER + GAME + "1,7,not-played,,,,,,\n", "line 6, under the heading game (cell B6): there is no game 7"),
        (HEADER + GAME + "8,1,not-played,,,,,,\n", "line 6, under the heading table (cell A6): there is no table 8"),
        (HEADER + GAME.replace("1,1,,D,,,,no,-100\n", ""), "line 2, under the heading seat (cell D2): seat D"),
        (HEADER + GAME + "1,2,,A,1,,,,\n1,2,,B,2,,,,\n1,2,,C,3,,,,\n1,2,,D,4,,,,\n",
         "line 6, under the heading ended (cell C6)"),
        (HEADER + GAME.replace("A,0", "A,0,,,,,,9"), "line 2: 11 columns, expected no more than 9"),
        (HEADER + '1,1,,"A,0\n', "quotation mark inside a cell"),
    ],
)  # fmt: skip
def test_what_is_not_certain_is_refused_with_line_and_column_and_nothing_is_entered(
    dalej: Program, sheet: Callable[[str], str], text: str, sentence: str
) -> None:
    done = dalej("results", "import", "event.dalej", sheet(text))
    assert (done.code, done.out) == (1, "")
    assert sentence in done.err
    assert {one["state"] for one in dalej("results", "list", "event.dalej", "--json").objects} == {"missing"}


POLISH_SHEET = (
    "Stolik;Gra;Zakończenie;Miejsce;Punkty na tabliczce;Jokery na tabliczce;Bez otwarcia;Otwarcie możliwe;Zapowiedź;"
    "Rezygnacja;Małe punkty;Powód\n"
)


@pytest.mark.usefixtures("held")
def test_6n_what_players_ticked_on_a_polish_sheet_is_read_as_it_stands_there(
    dalej: Program, sheet: Callable[[str], str]
) -> None:
    rows = (
        "1;1;wyłożone wszystkie kostki;A;0;;;;;;309\n1;1;;B;;;x;x;;;-200\n1;1;;C;;;x;x;x;;-100\n1;1;;D;9;;;;;x;-9\n"
        "1;2;pusty bank;A;8;;;;;;\n1;2;;B;20;1;x;;;;\n1;2;;C;8;;;;;;\n1;2;;D;9;;;;;x;\n1;3;nierozegrana;;;;;;;;;pora\n"
    )
    done = dalej("results", "import", "event.dalej", sheet(POLISH_SHEET + rows))
    assert done.code == 0
    assert [line.split(":")[0] for line in done.err.splitlines()] == ["table 1, game 1"], "who left, once"
    first, second, third = (one for one in dalej("results", "list", "event.dalej", "--json").objects if "ended" in one)
    assert [one["small"] for one in first["scores"]] == [309, -200, -100, -9]
    assert (first["ended"], second["ended"], third["ended"]) == ("went_out", "bank_empty", "not_played")


@pytest.mark.usefixtures("held")
def test_a_rack_that_opened_and_never_opened_is_refused_with_its_cell(
    dalej: Program, sheet: Callable[[str], str]
) -> None:
    text = "table,game,seat,points,opened,never_opened\n1,1,A,0,,\n1,1,B,23,yes,x\n1,1,C,4,,\n1,1,D,5,,\n"
    done = dalej("results", "import", "event.dalej", sheet(text))
    assert (done.code, done.out) == (1, "")
    assert "line 3, under the heading never_opened (cell F3): “x”, but it opened, another column says" in done.err


@pytest.mark.usefixtures("held")
def test_the_same_sheet_is_read_again_its_known_rows_are_passed_over_and_games_entered_by_hand_are_not_missed(
    dalej: Program, sheet: Callable[[str], str]
) -> None:
    enter(dalej, "2", "1", *RESULT)
    blank = "2,1,,A,,,,,\n2,2,,A,,,,,\n"
    assert dalej("results", "import", "event.dalej", sheet(HEADER + GAME)).code == 0
    second = GAME.replace("1,1,", "1,2,")

    again = dalej("results", "import", "event.dalej", sheet(HEADER + GAME + second + blank))
    nothing_new = dalej("results", "import", "event.dalej", sheet(HEADER + GAME))

    assert (again.code, again.out.splitlines()[:2]) == (0, ["Unchanged: 1", "1 game is entered."])
    assert "Not filled in: table 2: game 2\n" in again.err
    assert (nothing_new.code, nothing_new.out, nothing_new.err) == (0, "Unchanged: 1\n", "")


@pytest.mark.usefixtures("held")
def test_a_row_that_differs_from_what_is_entered_names_what_corrects_it_on_a_line_of_its_own(
    dalej: Program, sheet: Callable[[str], str]
) -> None:
    second = GAME.replace("1,1,", "1,2,")
    assert dalej("results", "import", "event.dalej", sheet(HEADER + GAME + second)).code == 0
    other = (GAME + second).replace("B,23,,,,-23", "B,24,,,,-24")

    done = dalej("results", "import", "event.dalej", sheet(HEADER + other))

    commands = [line.strip() for line in done.err.splitlines() if line.startswith("  ")]
    assert (done.code, done.out, len(commands)) == (1, "", 2)
    assert commands[0].startswith("dalej results correct event.dalej 1 1 A=0 B=24 ")
    for command in commands:
        assert dalej(*shlex.split(command)[1:-1], "misread").code == 0
    assert dalej("results", "import", "event.dalej", sheet(HEADER + other)).out == "Unchanged: 2\n"


@pytest.mark.usefixtures("held")
def test_a_list_to_fill_in_leaves_out_the_tables_whose_results_are_in(dalej: Program) -> None:
    for game in "1234":
        enter(dalej, "1", game, *RESULT)
    assert dalej("results", "template", "event.dalej", "round.csv").code == 0
    rows = Path("round.csv").read_text("utf-8-sig").splitlines()
    assert {row[0] for row in rows[1:]} == {"2"}


def test_a_list_to_fill_in_has_the_games_that_are_missing_with_who_sits_there_and_is_read_again(
    dalej: Program, held: Event
) -> None:
    enter(dalej, "1", "2", *RESULT)

    done = dalej("results", "template", "event.dalej", "round.csv")

    assert done.out.splitlines()[-1] == "7 games are to be filled in."
    rows = [row.split(",", 2) for row in Path("round.csv").read_text("utf-8-sig").splitlines()]
    assert [row[1] for row in rows if row[0] == "1"] == ["1", "3", "4"]
    assert rows[1][2].startswith('"A Wydra, B Wilk, C Sowa, D Jeż",')

    text = Path("round.csv").read_text("utf-8-sig").replace('D Jeż",,,,', 'D Jeż",0,5,6,7', 1)
    Path("round.csv").write_text(text, encoding="utf-8")
    assert dalej("results", "import", "event.dalej", "round.csv").code == 0
    assert GameAt(1, 1) in held.state().rounds[FIRST].results


@pytest.mark.usefixtures("held")
def test_a_list_of_others_than_who_sits_there_is_refused(dalej: Program) -> None:
    Path("old.csv").write_text('table,game,players,A,B,C,D\n1,1,"A Lis, B Wilk",0,5,6,7\n', encoding="utf-8")
    assert (
        "under the heading players (cell C2): “A Lis, B Wilk”, but A Wydra, B Wilk, C Sowa, D Jeż sit there"
        in dalej("results", "import", "event.dalej", "old.csv").err
    )


@pytest.mark.usefixtures("held")
def test_a_list_of_players_in_the_place_of_results_is_said_to_be_one(dalej: Program) -> None:
    Path("class.csv").write_text("name,class\nLis,4a\n", encoding="utf-8")

    done = dalej("results", "import", "event.dalej", "class.csv")

    assert (done.code, done.out) == (1, "")
    assert "class.csv is a list of players and holds no results" in done.err
    assert "dalej players import event.dalej class.csv" in done.err


@pytest.mark.usefixtures("held")
def test_a_file_that_is_read_is_told_in_short_and_with_verbose_game_by_game(
    dalej: Program, sheet: Callable[[str], str]
) -> None:
    lines = ["1 game is entered.", "Tables: 1", "League, round 1: 7 games are missing."]
    assert dalej("results", "import", "event.dalej", sheet(HEADER + GAME)).out.splitlines() == lines
    second = sheet(HEADER + GAME.replace("1,1,", "1,2,"))
    assert "+192" in dalej("results", "import", "event.dalej", second, "--verbose").out


@pytest.mark.usefixtures("held")
def test_a_file_with_a_rack_that_hardly_ever_happens_takes_a_yes(
    dalej: Program, sheet: Callable[[str], str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("dalej.cli.resultlists.is_terminal", lambda: True)
    text = sheet("table,game,A,B,C,D\n1,1,0,600,5,6\n")
    for answer, count in (("\n", 0), ("y\n", 1)):
        monkeypatch.setattr("sys.stdin", io.StringIO(answer))
        told = dalej("results", "import", "event.dalej", text)
        assert "600 points on one rack" in told.err
        states = [one["state"] for one in dalej("results", "list", "event.dalej", "--json").objects]
        assert states.count("entered") == count


@pytest.mark.usefixtures("held")
@pytest.mark.parametrize("table", [(), ("1",)])
def test_what_is_confirmed_where_nobody_is_asked_is_recorded_before_it_is_shown(
    dalej: Program, monkeypatch: pytest.MonkeyPatch, table: tuple[str, ...]
) -> None:
    """Whoever reads only the beginning, `| head`, stops nothing."""
    enter(dalej, "1", "1", *RESULT)

    def closed(*_told: object) -> None:
        raise BrokenPipeError

    with monkeypatch.context() as broken:
        broken.setattr("dalej.cli.results.say_table", closed)
        with contextlib.suppress(BrokenPipeError):
            dalej("results", "confirm", "event.dalej", *table, "--who", "Ola")
    (game,) = [one for one in dalej("results", "list", "event.dalej", "--json").objects if one["state"] == "entered"]
    assert game["confirmed_by"] == "Ola"


@pytest.mark.usefixtures("held")
def test_a_dry_run_shows_everything_and_writes_nothing(dalej: Program, sheet: Callable[[str], str]) -> None:
    done = dalej("results", "import", "event.dalej", sheet(HEADER + GAME), "--dry-run")
    assert (done.code, "+192" in done.out) == (0, True)
    assert {one["state"] for one in dalej("results", "list", "event.dalej", "--json").objects} == {"missing"}


def test_a_player_in_the_file_must_be_who_sits_there(dalej: Program, held: Event, sheet: Callable[[str], str]) -> None:
    seating = held.state().rounds[FIRST].seating
    assert seating is not None
    names = [held.state().players[number].name for number in seating.tables[0].players]
    rows = [f"1,1,{seat},{name},{points}\n" for seat, name, points in zip("ABCD", names, (0, 1, 2, 3), strict=True)]
    wrong = "table,game,seat,player,points\n" + "".join(rows).replace(names[1], names[2], 1)
    assert (
        f"line 3, under the heading player (cell D3): “{names[2]}”, but {names[1]} sits there"
        in dalej("results", "import", "event.dalej", sheet(wrong)).err
    )
    assert dalej("results", "import", "event.dalej", sheet("table,game,seat,player,points\n" + "".join(rows))).code == 0


LEFT = "table,game,seat,points,opened,withdrawn\n"
LEFT_IN_1 = "1,1,A,0,,\n1,1,B,23,,\n1,1,C,7,,\n1,1,D,45,,yes\n"
THREE_IN_2 = "1,2,A,0,,\n1,2,B,11,,\n1,2,C,4,,\n"


@pytest.mark.usefixtures("held")
def test_all_that_is_wrong_with_a_file_is_said_at_once_and_nothing_of_it_is_entered(dalej: Program) -> None:
    Path("round.csv").write_text(
        "Stolik;Gra;A;B;C;D;Zakończenie\n"
        "1;1;0;0;5;6;\n"  # two winners
        "1;2;0;5;6;7;\n"
        "1;3;1;2;3;4;\n"  # nobody says how it ended
        "1;4;5;6x;7;8;pusty bank\n"  # cannot be read
        "2;1;0;400;400;5;\n"  # more than the set has
        "2;2;0;5;6;7;\n"
        "9;1;0;5;6;7;\n"  # no such table
        "Razem;;6;410;;;\n",
        encoding="utf-8",
    )
    done = dalej("results", "import", "event.dalej", "round.csv")
    assert (done.code, done.out) == (1, "")
    told = done.err.splitlines()
    assert told[0].startswith("5 places are wrong")
    assert [int(re.search(r"line (\d)", line)[1]) for line in told[1:]] == [2, 4, 5, 6, 8]  # type: ignore[index]  # None fails, too
    assert told[1].startswith("round.csv, line 2, under the heading A (cell C2): ")
    assert told[4].startswith("round.csv, line 6, under the heading B (cell D6): ")
    assert {one["state"] for one in dalej("results", "list", "event.dalej", "--json").objects} == {"missing"}

    lines = Path("round.csv").read_text(encoding="utf-8").splitlines()
    Path("round.csv").write_text("\n".join(lines[at] for at in (0, 2, 6, 8)), encoding="utf-8")
    done = dalej("results", "import", "event.dalej", "round.csv")
    assert "2 games are entered." in done.out
    assert "sums at the end, and not read: line 4" in done.err


@pytest.mark.usefixtures("held")
@pytest.mark.parametrize(
    "rows",
    [
        LEFT_IN_1 + THREE_IN_2, THREE_IN_2 + LEFT_IN_1, LEFT_IN_1 + THREE_IN_2 + "1,2,D,,,yes\n",
        LEFT_IN_1 + THREE_IN_2 + "1,2,D,,,\n",
    ],
)  # fmt: skip
def test_15_a_file_in_which_a_player_leaves_in_game_1_has_three_rows_for_game_2(
    dalej: Program, sheet: Callable[[str], str], held: Event, rows: str
) -> None:
    done = dalej("results", "import", "event.dalej", sheet(LEFT + rows))
    assert done.code == 0, done.err
    assert "2 games are entered" in done.out
    assert "that is a withdrawal from this round alone" in done.err
    one = held.state().rounds[FIRST]
    assert [len(one.results[GameAt(1, game)].scores) for game in (1, 2)] == [4, 3]
    assert one.results[GameAt(1, 2)].sheet.started == 4  # type: ignore[union-attr]  # it was played


@pytest.mark.usefixtures("held")
def test_15_a_file_that_gives_whoever_left_a_rack_again_is_refused_with_its_line(
    dalej: Program, sheet: Callable[[str], str]
) -> None:
    done = dalej("results", "import", "event.dalej", sheet(LEFT + LEFT_IN_1 + THREE_IN_2 + "1,2,D,9,,\n"))
    assert done.code == 1
    assert "r.csv, line 9" in done.err
    assert "withdrew in game 1" in done.err
    done = dalej("results", "import", "event.dalej", sheet(LEFT + THREE_IN_2))
    assert done.code == 1
    assert "r.csv, line 2" in done.err
    assert "seat D" in done.err


@pytest.mark.usefixtures("held")
@pytest.mark.parametrize("seats", [[], ["--seats"]])
@pytest.mark.parametrize("language", ["en", "pl", "it"])
def test_a_template_is_known_by_its_headings_in_every_language(dalej: Program, language: str, seats: list[str]) -> None:
    assert dalej("--lang", language, "results", "template", "event.dalej", "round.xlsx", *seats).code == 0
    assert (
        "only games that are not filled in"
        in dalej("--lang", "en", "results", "import", "event.dalej", "round.xlsx").err
    )


def keys(*words: str) -> int:
    """Keystrokes of a command, with the last Enter."""
    return len(" ".join(("dalej", *words))) + 1


@pytest.mark.usefixtures("held")
def test_a_whole_game_takes_fewer_than_25_keys_and_is_answered_in_one_line(dalej: Program) -> None:
    dalej("event", "show", "event.dalej")

    done = dalej(*(words := ("r", "1", "0", "12", "33+j", "41")))

    assert keys(*words) < 25
    assert done.out == "Table 1, game 1: Wydra +136 (1), Wilk −12 (0), Sowa −83 (0), Jeż −41 (0)\n"


@pytest.mark.usefixtures("held")
@pytest.mark.parametrize(
    "words",
    [
        ("results", "1", "0", "12", "33+j", "41"), ("results", "event.dalej", "1", "0", "12", "33+j", "41"),
        ("r", "event.dalej", "1", "1", "0", "12", "33+j", "41"), ("r", "1", "0", "12", "33+j", "D=41"),
        ("res", "ent", "1", "C=33+j", "0", "12", "41"), ("r", "1", "1", "A=0", "B=12", "C=33+j", "D=41"),
    ],
)  # fmt: skip
def test_racks_alone_are_those_of_the_seats_in_their_order(dalej: Program, words: tuple[str, ...]) -> None:
    assert dalej(*words).code == 0

    (game,) = [one for one in dalej("results", "list", "--json").objects if one["state"] == "entered"]
    assert (game["table"], game["game"]) == (1, 1)
    assert [one["small"] for one in game["scores"]] == [136, -12, -83, -41]


@pytest.mark.usefixtures("held")
def test_a_game_in_which_nobody_went_out_is_entered_with_how_it_ended_as_the_last_word(dalej: Program) -> None:
    assert dalej("r", "1", "4", "12", "33", "41").err.endswith(
        "bank empty, round time, one seat left; such as dalej r 1 4 12 33 41 --ended bank-empty\n"
    )
    assert dalej("r", "1", "4", "12", "33", "41", "bank").code == 0
    assert dalej("r", "1", "2", "4", "12", "33", "41", "pusty-bank").code == 0

    ended = [one["ended"] for one in dalej("results", "list", "--json").objects if one["state"] == "entered"]
    assert ended == ["bank_empty", "bank_empty"]


@pytest.mark.usefixtures("held")
@pytest.mark.parametrize("racks", [("0", "12", "33"), ("1", "0", "12", "33", "41", "5"), ("0", "0", "12", "33", "41")])
def test_too_few_and_too_many_racks_are_refused_with_the_seats_that_want_one(
    dalej: Program, racks: tuple[str, ...]
) -> None:
    done = dalej("r", "1", *racks)

    assert (done.code, done.out) == (1, "")
    assert "where A Wydra, B Wilk, C Sowa, D Jeż sit: expected a rack for each of them, in this order" in done.err


@pytest.mark.usefixtures("held")
def test_a_rack_with_a_minus_before_it_is_explained_and_an_option_that_is_none_is_called_so(dalej: Program) -> None:
    assert "less than nothing, expected what lies on the rack (12)" in dalej("r", "1", "0", "-12", "33", "41").err
    done = dalej("r", "1", "0", "12", "33", "41", "--rulling", "seen")
    assert (done.code, "--rulling" in done.err) == (2, True)


@pytest.mark.usefixtures("held")
def test_a_number_before_the_racks_that_is_no_game_is_refused_with_the_games_that_there_are(dalej: Program) -> None:
    assert "with the game's number (1 to 4) before them" in dalej("r", "1", "17", "0", "12", "33", "41").err
    assert "there is no game 17 (League), expected 1 to 4" in dalej("r", "1", "17", "A=0", "B=1", "C=2", "D=3").err


def test_the_rack_of_who_has_left_is_not_counted_among_those_in_order(dalej: Program, held: Event) -> None:
    dalej("players", "withdraw", "event.dalej", "Sowa")

    assert "Wydra +" in dalej("r", "1", "0", "33", "41").out
    assert dalej("r", "1", "2", "A=0", "B=33", "D=41").code == 0

    games = [one for one in dalej("results", "list", "--json").objects if one["state"] == "entered"]
    assert [[score["seat"] for score in one["scores"]] for one in games] == [["A", "B", "D"]] * 2


def test_who_has_left_and_plays_again_is_named_with_the_way_to_type_it(dalej: Program, held: Event) -> None:
    assert dalej("r", "1", "0", "12", "33", "w").code == 0

    told = dalej("r", "1", "0", "12", "33", "41").err
    assert "where A Wydra, B Wilk, C Sowa still play (D Jeż left before)" in told
    assert "such as A=0 B=12 C=33 D=41" in told
    assert dalej("r", "1", "2", "A=0", "B=12", "C=33", "D=41").code == 0
    assert "Jeż" in dalej("r", "1", "0", "1", "2", "3").out, "expected again from then on"


def test_four_numbers_where_three_sit_are_not_taken_for_a_game_and_three_racks(dalej: Program, held: Event) -> None:
    dalej("players", "withdraw", "event.dalej", "Sowa")

    done = dalej("r", "1", "2", "0", "33", "41")

    assert (done.code, done.out) == (1, "")
    assert (
        "“2 0 33 41” does not fit the table, where A Wydra, B Wilk, D Jeż still play (C Sowa left before)" in done.err
    )
    assert "a game (1 to 4) is named with the seats, such as 2 A=0 B=33 D=41" in done.err
    assert "such as 1 A=0 B=23 D=45+j" in dalej("r", "1", "0", "12", "33", "41").err, "no game is numbered 0"


@pytest.mark.usefixtures("held")
@pytest.mark.parametrize("words", [("czas",), ("minął", "czas"), ("koniec",), ("skończył", "się", "czas"), ("time",)])
def test_how_a_game_ended_is_read_in_the_words_that_people_use(dalej: Program, words: tuple[str, ...]) -> None:
    assert dalej("r", "1", "4", "12", "33", "41", *words).code == 0

    (game,) = [one for one in dalej("results", "list", "--json").objects if one["state"] == "entered"]
    assert game["ended"] == "round_time"


@pytest.mark.usefixtures("held")
@pytest.mark.parametrize("more", [("nonsense",), ("--ended", "nonsense")])
def test_a_word_that_says_no_ending_is_answered_with_those_that_do(dalej: Program, more: tuple[str, ...]) -> None:
    assert (
        "“nonsense” does not say how the game ended, expected one of: went out, bank empty, round time, one seat left, "
        "not played; the first word is enough"
    ) in dalej("r", "1", "4", "12", "33", "41", *more).err


@pytest.mark.usefixtures("held")
def test_in_a_terminal_games_are_typed_one_line_each(dalej: Program, monkeypatch: pytest.MonkeyPatch) -> None:
    lines = ("1 0 12 33+j 41", "9 0 1 2 3", "Lis 0", "2 5 12 33 41", "1", "1 7 0 1 2", "")
    monkeypatch.setattr("sys.stdin", io.StringIO("".join(f"{line}\n" for line in lines)))
    monkeypatch.setattr("dalej.cli.results.is_terminal", lambda: True)

    done = dalej("r", "event.dalej")

    assert max(len(line) + 1 for line in lines) < 25
    assert "Table 1, game 1: Wydra +136" in done.out
    assert "no table 9" in done.out
    assert "“Lis” is no table" in done.out
    assert "it ended by" in done.out  # asked, and answered with 1
    assert "Table 2, game 1:" in done.out
    assert "Table 1, game 2:" in done.out


@pytest.mark.usefixtures("held")
def test_a_correction_takes_racks_in_the_order_of_the_seats_and_how_the_game_ended_last(dalej: Program) -> None:
    dalej("r", "event.dalej", "1", "0", "12", "33+j", "41")

    done = dalej("results", "correct", "1", "1", "4", "12", "33", "41", "bank", "--why", "nobody went out")

    assert done.code == 0, done.err
    (game,) = [one for one in dalej("results", "list", "--json").objects if one["state"] == "entered"]
    assert (game["ended"], [one["seat"] for one in game["scores"]]) == ("bank_empty", ["A", "B", "C", "D"])


@pytest.mark.usefixtures("held")
@pytest.mark.parametrize("words", [("r",), ("results", "enter")])
def test_without_a_table_and_without_a_terminal_a_table_is_asked_for(dalej: Program, words: tuple[str, ...]) -> None:
    done = dalej(*words, "event.dalej")

    assert (done.code, done.out) == (1, "")
    assert "no table was given" in done.err


@pytest.mark.usefixtures("held")
@pytest.mark.parametrize("again", [("0", "9", "w", "6"), ("0", "9", "6"), ("A=0", "B=9", "C=w", "D=6")])
def test_15_who_leaves_after_game_2_is_w_in_game_3_and_scores_nothing_in_those_that_follow(
    dalej: Program, held: Event, again: tuple[str, ...]
) -> None:
    for racks in (("0", "23", "45", "12"), ("31", "0", "8", "40"), ("17", "0", "w", "22"), again):
        assert enter(dalej, "1", *racks).code == 0, racks  # type: ignore[attr-defined]  # what a program gives
    one = held.state().rounds[FIRST]
    games = [one.results[GameAt(1, game)] for game in (1, 2, 3, 4)]
    assert ["".join(score.seat for score in game.scores) for game in games] == ["ABCD", "ABCD", "ABD", "ABD"]
    assert [game.sheet.seats for game in games if game.sheet is not None] == [4, 4, 4, 4]  # the scale stays


@pytest.mark.usefixtures("held")
def test_15_points_that_were_invented_for_whoever_had_left_are_corrected_to_w(dalej: Program, held: Event) -> None:
    enter(dalej, "1", "1", *RESULT)
    done = dalej("results", "correct", "event.dalej", "1", "1", "0", "23", "w", "-", "--why", "had left", "--yes")
    assert done.code == 0, done.err
    assert "score nothing in this game" in done.err + done.out
    assert [score.seat for score in held.state().rounds[FIRST].results[GameAt(1, 1)].scores] == ["A", "B", "D"]


@pytest.mark.usefixtures("held")
def test_15_an_empty_rack_of_whoever_left_is_refused_with_what_to_type(dalej: Program) -> None:
    done = dalej("results", "enter", "event.dalej", "1", "1", "0", "23", "0w", "-")
    assert done.code == 1
    assert "seat C: left the game with an empty rack" in done.err
    assert "w alone if it did not play this game" in done.err


def test_a_rack_without_a_meld_that_counts_is_typed_as_the_page_says_it(dalej: Program, tmp_path: Path) -> None:
    with an_event(tmp_path, 8) as event:
        path = str(event.ledger.path)

    done = dalej("r", path, "1", "12", "31", "8", "-:30", "bank")

    assert (done.code, done.err) == (0, "")
    shown = dalej("results", "list", path, "--json").objects
    assert any(one.get("ended") == "bank_empty" for one in shown)


def test_before_the_draw_a_list_to_fill_in_is_refused_with_the_command_that_seats(
    dalej: Program, tmp_path: Path
) -> None:
    event_file(tmp_path, seated=False)

    refused = dalej("results", "template", "event.dalej", "round.csv").err

    assert "is not seated yet; dalej seat draw event.dalej seats it" in refused
