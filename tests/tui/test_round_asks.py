"""Before a round's clock starts and before a round is closed somebody is told what is still open in the hall."""

from __future__ import annotations

import random
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from dalej.domain.tournament.tournament import GameAt
from dalej.office import results
from dalej.office.rounds import tables_words
from dalej.tui.ask.confirm import Confirm
from dalej.tui.screens.results import ResultsScreen
from dalej.tui.screens.seating import SeatingScreen
from dalej.tui.screens.standings import StandingsScreen
from dalej.tui.widgets.grid import PickList
from dalej.views.nextwords import Next, next_of
from tests.tui.officescreens import Looking, an_office, looking
from tests.tui.paper import PaperHall, a_row
from tests.world import box_plays, play


def in_hall(look: Looking, *tables: int) -> None:
    """What the hall shows: these tables play."""
    look.room.feed.hall = PaperHall([a_row(number) for number in tables])


@pytest.mark.parametrize("by", ["keys", "mouse"])
async def test_who_closes_a_round_is_told_which_tables_still_play_and_which_nobody_has_confirmed(
    tmp_path: Path, by: str
) -> None:
    with an_office(tmp_path) as office:
        play(office.event, random.Random(3))
        box_plays(office.event, 2)
        async with looking(office, ResultsScreen) as look:
            in_hall(look, 2)
            await (look.press("N") if by == "keys" else look.click("#next"))
            assert "! 1 box still plays this round: table 2." in look.text()
            assert "! No second person has confirmed the results of 3 tables: 1, 2, 3." in look.text()
            one = office.event.state().current
            assert one is not None
            assert one.closed is None
            await (look.press("y") if by == "keys" else look.click_word("y  close the round"))
            said = "not confirmed by a second person: tables 1, 2, 3; a box still plays: table 2"
            assert said in look.told()


async def test_two_clicks_that_come_together_close_one_screen(tmp_path: Path) -> None:
    with an_office(tmp_path, 4) as office:
        play(office.event, random.Random(3))
        async with looking(office, ResultsScreen) as look:
            await look.press("N")
            asked = look.screen
            for _click in range(2):
                asked.action_answer(False)
            await look.settle()
            assert isinstance(look.screen, ResultsScreen)
            await look.press("v")
            confirming = look.screen
            for _click in range(2):
                confirming.action_leave()
            await look.settle()
            assert isinstance(look.screen, ResultsScreen)


async def test_a_round_that_is_whole_is_closed_without_further_words(tmp_path: Path) -> None:
    with an_office(tmp_path, 4) as office:
        play(office.event, random.Random(3))
        async with looking(office, ResultsScreen) as look:
            await look.press("v", "y", "N")
            assert isinstance(look.screen, Confirm)
            assert "! " not in look.text()
            await look.press("y")
            assert look.told().startswith("League, round 1 is closed; a copy is in")
            assert "(" not in look.told()


@pytest.mark.parametrize("by", ["keys", "mouse"])
async def test_the_clock_of_a_round_does_not_start_unasked_over_games_of_the_one_before(
    tmp_path: Path, by: str
) -> None:
    with an_office(tmp_path, 12, played=1) as office:
        async with looking(office, SeatingScreen) as look:
            in_hall(look, 1, 3)
            await (look.press("G") if by == "keys" else look.click_word("G start the clock"))
            assert "! 2 boxes still play League, round 1: tables 1, 3." in look.text()
            await look.press("escape")
            one = office.event.state().current
            assert one is not None
            assert one.clock is None


@pytest.mark.parametrize("by", ["keys", "mouse"])
async def test_who_starts_the_clock_over_an_open_seating_is_told_how_it_is_locked(tmp_path: Path, by: str) -> None:
    with an_office(tmp_path, 12) as office:
        async with looking(office, SeatingScreen) as look:
            await look.press("G")
            await look.type("45")
            await look.press("enter")
            assert "has begun: 45 minutes. The seating is not locked: l locks it." in look.told()
            assert "not locked" in look.text().splitlines()[0]
            await (look.press("l") if by == "keys" else look.click_word(" l lock "))
            assert "LOCKED by Sowa" in look.text()
            assert "not locked" not in look.text()


async def test_a_locked_seating_is_not_spoken_of(tmp_path: Path) -> None:
    with an_office(tmp_path, 12) as office:
        async with looking(office, SeatingScreen) as look:
            await look.press("l", "G")
            await look.type("45")
            await look.press("enter")
            assert look.told().endswith("has begun: 45 minutes.")


async def test_the_next_step_names_the_table_whose_game_is_over_not_the_first_one(tmp_path: Path) -> None:
    with an_office(tmp_path) as office:
        play(office.event, random.Random(3), [GameAt(3, 1)])
        box_plays(office.event, 1)
        async with looking(office, ResultsScreen) as look:
            assert "Next: wait: 1 table plays; its racks are entered when its game is over" in look.text()
            await look.press("N")
            assert look.screen is look.paged
            box_plays(office.event, 2, over=True)
            await look.turn()
            assert "Next: enter the results of table 2" in look.text()
            await look.press("j")
            assert look.paged.query_one(PickList).number == 2
            await look.press("N")
            sheet: Any = look.screen
            assert sheet.at == GameAt(2, 1)


async def test_before_anybody_is_seated_nothing_is_counted_or_called_complete(tmp_path: Path) -> None:
    with an_office(tmp_path, seated=False) as office:
        for screen in (ResultsScreen, StandingsScreen):
            async with looking(office, screen) as look:
                assert "0 of 0" not in look.text()
                if screen is ResultsScreen:
                    await look.press("j")
                    assert look.told() == "Nobody is seated yet: there are no results to enter."


async def test_what_was_said_of_how_things_stood_passes_when_they_stand_otherwise(tmp_path: Path) -> None:
    with an_office(tmp_path, 4) as office:
        play(office.event, random.Random(3))
        async with looking(office, ResultsScreen) as look:
            await look.press("j")
            assert look.told().startswith("Everything is in.")
            office.event.change_seen(
                lambda seen: results.reopen(seen, next(iter(seen.state.rounds)), 1, 1, "counted anew")
            )
            await look.room.book.turn()
            look.paged._look()
            assert look.told() == ""


async def test_no_seed_is_spoken_of_as_if_everybody_were_drawn_where_the_best_sit_together(tmp_path: Path) -> None:
    with an_office(tmp_path, 12, played=1) as office:
        async with looking(office, SeatingScreen) as look:
            first = look.text().splitlines()[0] + look.text().splitlines()[1]
            assert " · seed" not in first
            await look.press("z", "d")
            assert "repeats that draw" in look.text()  # of those who are level


@pytest.mark.parametrize(
    ("tables", "said"),
    [
        ([4], "4"), ([3, 2, 1], "1, 2, 3"), (range(1, 41), "1–40"), ([1, 2, 3, 4, 6, 8, 9], "1–4, 6, 8, 9"),
        (range(1, 80, 2), "1, 3, 5, 7, 9, 11, 13, 15, 17, 19, 21, 23, …"),
    ],
)  # fmt: skip
def test_a_list_of_tables_stays_readable(tables: Sequence[int], said: str) -> None:
    assert tables_words(tables) == said


def test_without_boxes_the_next_step_is_the_first_table(tmp_path: Path) -> None:
    with an_office(tmp_path, 8) as office:
        play(office.event, random.Random(3), [GameAt(1, 1)])
        assert next_of(office.event.state(), lambda _act: True) == Next(
            "enter the results of table 1", screen="entry", table=1
        )
