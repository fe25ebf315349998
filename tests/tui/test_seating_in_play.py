"""A seating that is changed while boxes play: the screen asks, naming the tables, before anything is done."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from dalej.event.event import Event
from dalej.tui.ask.confirm import Confirm
from dalej.tui.screens.seating import SeatingScreen
from tests import world
from tests.tui.officescreens import at_event, names_at


@pytest.fixture
def league(tmp_path: Path) -> Iterator[Event]:
    """Round 2 is seated, and table 2 plays its first game."""
    with world.an_event(tmp_path, 11, closed=1) as event:
        world.box_plays(event, 2)
        yield event


async def test_a_swap_with_a_table_that_plays_is_asked_about_and_taken_back_without_a_question(
    path: Path, league: Event
) -> None:
    one, two = names_at(league.state(), 1), names_at(league.state(), 2)
    async with at_event(path, SeatingScreen) as desk:
        await desk.press("space", "right", "down", "space")
        assert isinstance(desk.screen, Confirm)
        assert desk.has("A game of this round goes on at table 2.")
        await desk.press("escape")
        assert (names_at(desk.state, 1), desk.lines) == (one, [])

        await desk.press("left", "up", "space", "right", "down", "space", "y")
        assert names_at(desk.state, 2)[1] == one[0]
        assert desk.lines[-1].wish.args["playing"] == [2]
        await desk.press("z")
        assert (names_at(desk.state, 1), names_at(desk.state, 2)) == (one, two)


async def test_a_swap_between_tables_that_do_not_play_is_asked_nothing(path: Path, league: Event) -> None:
    one = names_at(league.state(), 1)
    async with at_event(path, SeatingScreen) as desk:
        await desk.press("space", "down", "space")
        assert names_at(desk.state, 1)[:2] == one[1::-1]


async def test_drawing_anew_names_the_tables_that_have_begun_to_play(path: Path, league: Event) -> None:
    before = names_at(league.state(), 2)
    async with at_event(path, SeatingScreen, size=(120, 40)) as desk:
        await desk.press("d")
        assert desk.has("! Table 2 has begun to play")
        await desk.press("escape")
        assert names_at(desk.state, 2) == before
        await desk.press("d")
        await desk.press("y" if isinstance(desk.screen, Confirm) else "enter")
        assert desk.lines[-1].wish.args["playing"] == [2]
        assert desk.said.startswith("✓ League, round 2 is seated")
