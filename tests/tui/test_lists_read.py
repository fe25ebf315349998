"""A list of players, or of results, read at the screen: picked in the folder, checked whole, done as one step."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from dalej.office.listfiles import lists_in
from dalej.tui.ask.actdialog import ActDialog
from dalej.tui.ask.confirm import Confirm
from dalej.tui.ask.dialog import Question
from dalej.tui.ask.pages import Reading
from dalej.tui.room import Room
from dalej.tui.screens import listfile
from dalej.tui.screens.office import DeskWork
from dalej.tui.screens.people import PeopleScreen
from dalej.tui.screens.results import ResultsScreen
from tests.tui.officescreens import LARGE, an_office, looking


def beside(folder: Path | None, screen: Callable[[Room], DeskWork]) -> Callable[[Room], DeskWork]:
    """The screen on the computer that has the event in this folder."""
    return lambda room: screen(replace(room, folder=folder))


def listed(folder: Path, name: str, *lines: str, age: int = 0) -> None:
    file = folder / name
    file.write_text("\n".join(lines) + "\n", encoding="utf-8")
    os.utime(file, (1_000_000 - age, 1_000_000 - age))


async def test_with_nobody_signed_up_the_next_step_reads_a_list_and_one_key_takes_it_back(tmp_path: Path) -> None:
    listed(tmp_path, "old.csv", "name", "Ryś", age=9)
    listed(tmp_path, "klasa.csv", "name,class,phone", "Lis,4a,1", "Sowa,4b,2", "Łoś,4b,3")
    with an_office(tmp_path, 0, seated=False) as office:
        async with looking(office, beside(tmp_path, PeopleScreen), LARGE) as look:
            assert look.has("l reads a list, i signs somebody up.")
            await look.press("N")
            assert look.text().index("klasa.csv") < look.text().index("old.csv")
            await look.press("1")
            assert look.has("3 players would be signed up: numbers 1 to 3")
            assert look.has("Lis, Sowa, Łoś")
            assert look.has("not read, and not kept: phone")
            assert not look.state.players
            await look.press("enter")
            assert look.said.startswith("✓ 3 players are signed up.")
            assert [one.name for one in look.state.players.values()] == ["Lis", "Sowa", "Łoś"]
            await look.press("z")
            assert not look.state.players


async def test_before_a_list_is_taken_consents_and_classes_spelled_otherwise_are_told(tmp_path: Path) -> None:
    listed(tmp_path, "klasa.csv", "imię i nazwisko;klasa;zgoda", "Ala Lis;5 b;tak", "Jan Ryś;5b;nie", "Ewa Łoś;5B;")
    with an_office(tmp_path, 0, seated=False) as office:
        async with looking(office, beside(tmp_path, PeopleScreen), LARGE) as look:
            await look.press("l", "1")
            assert look.has("a parent's consent is on file: 1 of 3")
            assert look.has("without a parent's consent on file: Jan Ryś, Ewa Łoś")
            assert look.has("one class, club or town, kept as first written: 5b → 5 b, 5B → 5 b")


async def test_every_wrong_row_is_named_with_its_line_and_nobody_is_signed_up(tmp_path: Path) -> None:
    listed(tmp_path, "klasa.csv", "name,consent", "Lis,yes", "Sowa,perhaps", "Lis,no", "Ryś,soon")
    with an_office(tmp_path, 0, seated=False) as office:
        async with looking(office, beside(tmp_path, PeopleScreen), LARGE) as look:
            await look.press("l", "1")
            assert isinstance(look.screen, Reading)
            for words in (
                "3 places are wrong:",
                "klasa.csv, line 3",
                "klasa.csv, line 5",
                "lines 2 and 4",
                "Nothing was",
            ):
                assert look.has(words)
            await look.press("escape")
            assert isinstance(look.screen, PeopleScreen)
            assert not look.state.players


async def test_who_is_signed_up_already_stays_and_only_the_others_come_in(tmp_path: Path) -> None:
    listed(tmp_path, "more.csv", "name", "Lis", "Trzmiel")
    with an_office(tmp_path, 1, seated=False) as office:
        async with looking(office, beside(tmp_path, PeopleScreen), LARGE) as look:
            await look.press("l", "1")
            assert look.has("1 player would be signed up: number 2")
            assert look.has("1 was signed up already")
            await look.press("enter")
            assert [one.name for one in look.state.players.values()] == ["Lis", "Trzmiel"]
            await look.press("l", "1")
            assert "Nobody new: all of them were signed up already." in look.told()


async def test_nothing_is_done_by_whoever_says_no(tmp_path: Path) -> None:
    listed(tmp_path, "klasa.csv", "name", "Lis")
    with an_office(tmp_path, 0, seated=False) as office:
        async with looking(office, beside(tmp_path, PeopleScreen)) as look:
            await look.press("l", "1", "escape")
            assert isinstance(look.screen, PeopleScreen)
            assert not look.state.players


async def test_the_next_step_still_takes_a_player_who_is_typed_in(tmp_path: Path) -> None:
    listed(tmp_path, "klasa.csv", "name", "Lis")
    with an_office(tmp_path, 0, seated=False) as office:
        async with looking(office, beside(tmp_path, PeopleScreen)) as look:
            await look.press("N", "2")
            assert isinstance(look.screen, ActDialog)


async def test_where_no_list_lies_an_empty_one_is_written_and_the_next_step_asks_for_a_name(tmp_path: Path) -> None:
    with an_office(tmp_path, 0, seated=False) as office:
        async with looking(office, beside(tmp_path, PeopleScreen), LARGE) as look:
            await look.press("N")
            assert isinstance(look.screen, ActDialog)
            await look.press("escape", "l")
            assert look.has("there is no list yet")
            await look.press("1")
            assert "is written, beside the event" in look.said
            (written,) = lists_in(tmp_path)
            assert written.stem.endswith("sign-ups")
            await look.press("l", "1")
            assert "Nobody new" in look.told()


async def test_where_there_is_neither_a_list_nor_one_to_write_the_folder_is_named(tmp_path: Path) -> None:
    with an_office(tmp_path) as office:
        async with looking(office, beside(tmp_path, ResultsScreen), LARGE) as look:
            assert await listfile.pick(look.paged, "", tmp_path, None) is None
            assert f"In {tmp_path} there is no list" in look.told()


@pytest.mark.parametrize("screen", [PeopleScreen, ResultsScreen])
async def test_no_list_is_offered_where_the_files_are_on_another_computer(
    tmp_path: Path, screen: Callable[[Room], DeskWork]
) -> None:
    listed(tmp_path, "klasa.csv", "name", "Lis")
    with an_office(tmp_path) as office:
        async with looking(office, beside(None, screen)) as look:
            await look.press("l")
            assert not isinstance(look.screen, Question)
            assert not look.has("read a list")


async def test_results_of_a_list_are_entered_as_one_step_that_one_key_takes_back(tmp_path: Path) -> None:
    listed(tmp_path, "results.csv", "table,game,A,B,C,D", "1,1,0,5,7,9", "1,2,3,0,7,9", "2,1,,,,")
    with an_office(tmp_path) as office:
        async with looking(office, beside(tmp_path, ResultsScreen), LARGE) as look:
            await look.press("l", "1")
            assert isinstance(look.screen, Confirm)
            assert look.has("2 games would be entered.")
            assert look.state.current is not None
            assert not look.state.current.results
            await look.press("enter")
            assert look.said.startswith("✓ 2 results are entered.")
            assert look.state.current is not None
            assert len(look.state.current.results) == 2
            await look.press("z")
            assert look.state.current is not None
            assert not look.state.current.results


async def test_every_wrong_result_is_named_with_its_line_and_none_is_entered(tmp_path: Path) -> None:
    listed(tmp_path, "results.csv", "table,game,A,B,C,D", "1,1,0,5,7,9", "9,1,0,5,7,9", "8,2,1,0,7,9")
    with an_office(tmp_path) as office:
        async with looking(office, beside(tmp_path, ResultsScreen), LARGE) as look:
            await look.press("l", "1")
            assert isinstance(look.screen, Reading)
            for words in ("2 places are wrong:", "results.csv, line 3", "results.csv, line 4"):
                assert look.has(words), look.text()
            assert look.state.current is not None
            assert not look.state.current.results


async def test_where_results_are_read_a_list_of_what_is_missing_is_written_and_can_be_read(tmp_path: Path) -> None:
    with an_office(tmp_path) as office:
        async with looking(office, beside(tmp_path, ResultsScreen), LARGE) as look:
            await look.press("l")
            assert look.has("there is no list yet")
            await look.press("1")
            assert "is written, beside the event" in look.said
            (written,) = lists_in(tmp_path)
            await look.press("l", "1")
            assert isinstance(look.screen, Reading)  # nobody has filled it in
            assert look.has("holds no results, only")
            assert written.stem.endswith("to-fill-in-1")


async def test_a_list_of_players_picked_for_results_is_said_to_be_one(tmp_path: Path) -> None:
    listed(tmp_path, "klasa.csv", "name,class", "Lis,4a")
    with an_office(tmp_path) as office:
        async with looking(office, beside(tmp_path, ResultsScreen), LARGE) as look:
            await look.press("l", "1")
            assert isinstance(look.screen, Reading)
            assert look.has("klasa.csv is a list of players and holds no results")
            assert look.has("On the screen of the players, l reads it.")


async def test_a_rack_that_hardly_ever_happens_takes_more_than_enter(tmp_path: Path) -> None:
    listed(tmp_path, "r.csv", "table,game,A,B,C,D", "1,1,0,600,5,6")
    with an_office(tmp_path) as office:
        async with looking(office, beside(tmp_path, ResultsScreen), LARGE) as look:
            await look.press("l", "1", "enter")
            assert isinstance(look.screen, Confirm)
            await look.press("y")
            assert office.event.state().current is not None
            assert look.said.startswith("✓")
