"""Results in a spreadsheet: a row for each game or each seat, in the notation in which they are typed."""

from __future__ import annotations

import pytest

from dalej.domain.game.sentences import word
from dalej.domain.scoring.sheets import ENDINGS, Rack
from dalej.domain.tournament.tournament import NOT_PLAYED, GameAt, Mark, Player
from dalej.errors import DalejError, WrongInput
from dalej.office.notation import ending, rack
from dalej.office.resultfile import Games, ResultFile, read
from dalej.words import speaking


def lis(*_told: object) -> Player:
    return Player(1, "Lis", Mark(1, "Sowa", 0, ""))


def read_text(text: str) -> ResultFile:
    return read(text.encode(), "round.csv", lis, lis)


def racks(found: ResultFile, table: int, game: int) -> list[Rack]:
    return found.games[GameAt(table, game)].racks


def test_a_game_in_one_row_is_the_game_in_four() -> None:
    """Both are read in the notation of the keyboard."""
    rows = read_text("Stolik;Gra;A;B;C;D;Zakończenie\n1;1;0;33+j;-;12,7,j;\n1;2;5;6;7;8;pusty bank\n")
    seats = read_text(
        "table;game;seat;points;tiles;opened;ended\n1;1;A;0;;;\n1;1;B;33+j;;;\n1;1;C;;;no;\n1;1;D;;12 7 j;;\n"
        "1;2;A;5;;;bank-empty\n1;2;B;6;;;\n1;2;C;7;;;\n1;2;D;8;;;\n"
    )
    for game in (1, 2):
        assert racks(rows, 1, game) == racks(seats, 1, game)
        assert rows.games[GameAt(1, game)].ended == seats.games[GameAt(1, game)].ended


def test_games_that_nobody_has_filled_in_are_passed_over_and_named() -> None:
    assert read_text("table;game;A;B\n1;1;0;3\n1;2;;\n").blank == (GameAt(1, 2),)
    assert read_text("table;game;seat;player;points\n1;1;A;Lis;0\n1;2;A;Lis;\n1;2;B;Lis;\n").blank == (GameAt(1, 2),)


def test_every_row_that_is_not_understood_is_said_with_its_column() -> None:
    with pytest.raises(WrongInput) as problem:
        read_text("Runda 1\nStolik;Gra;A;B\n1;1;0;3x\nx;2;0;1\n1;3;0;1\n1;3;0;1\n")
    said = str(problem.value)
    assert "line 3, under the heading B (cell D3): seat B: “3x” cannot be read" in said
    assert "line 4, under the heading Stolik (cell A4): “x”, expected a whole number" in said
    assert "line 6, under the heading Gra (cell B6): the game is there in line 5 already" in said


def test_what_is_wrong_with_games_that_could_be_read_is_said_with_what_could_not_in_the_order_of_the_lines() -> None:
    def check(games: Games) -> list[DalejError]:
        return [game.wrong(WrongInput("cannot be")) for game in games.values()]

    text = "Stolik;Gra;A;B\n1;1;0;3\n1;2;0;3x\n1;3;0;1\n"
    with pytest.raises(WrongInput) as problem:
        read(text.encode(), "round.csv", lis, lis, check=check)
    assert [line.partition(", under")[0].partition(": ")[0] for line in str(problem.value).splitlines()] == [
        "3 places are wrong:", "round.csv, line 2", "round.csv, line 3", "round.csv, line 4",
    ]  # fmt: skip


@pytest.mark.parametrize("last", ["Razem;;512;−410", "Suma:;;;", ";Total;1 024,5;=SUM(A2)", "TOTALE: 2 partite;;;;"])
def test_rows_that_add_up_at_the_end_are_no_games_and_are_named(last: str) -> None:
    found = read_text(f"Stolik;Gra;A;B\n1;1;0;3\n\n{last}\n")
    assert (list(found.games), found.table.sums) == ([GameAt(1, 1)], (4,))


def test_a_row_is_a_game_or_a_seat_and_not_both() -> None:
    with pytest.raises(WrongInput, match="columns A and seat, expected a row for each game or"):
        read_text("table;game;seat;points;A\n1;1;A;0;0\n")


@pytest.mark.parametrize("typed", ["33+j", "33 + J", "33+1j", "33+joker", "33+jolly"])
def test_a_joker_is_read_as_people_write_it(typed: str) -> None:
    assert rack("A", typed) == Rack(seat="A", points=33, jokers=1)


@pytest.mark.parametrize(
    "typed", ["pusty bank", "Pusty  bank", "„pusty bank”", "bank-empty", "bank_empty", "pozzo vuoto"]
)
def test_an_empty_bank_is_read_as_people_write_it(typed: str) -> None:
    assert ending(typed) == "bank_empty"


@pytest.mark.parametrize(
    ("typed", "end"),
    [
        ("czas", "round_time"), ("minął czas", "round_time"), ("koniec", "round_time"), ("Tempo scaduto", "round_time"),
        ("pusty", "bank_empty"), ("empty", "bank_empty"), ("jeden gracz", "last_seat"), ("został", "last_seat"),
    ],
)  # fmt: skip
def test_an_ending_is_read_by_the_words_of_every_day_and_by_its_first_ones(typed: str, end: str) -> None:
    assert ending(typed) == end


@pytest.mark.parametrize("language", ["pl", "en", "it"])
def test_the_words_by_which_the_program_names_an_ending_are_read_and_so_is_the_first_of_them(language: str) -> None:
    with speaking(language):
        for one in (*ENDINGS, NOT_PLAYED):
            assert ending(word(one)) == ending(word(one).split()[0]) == one


def test_words_that_say_nothing_are_no_ending() -> None:
    assert ending("koniec świata") is None
    assert ending("skończył się") is None  # the time, or the bank
