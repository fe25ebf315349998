"""The end of the program: what somebody has typed is asked about first."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from textual.widgets import Input

from dalej.tui.app import AsksToQuit
from dalej.tui.screens.entry import EntryScreen
from tests.tui.fingers import Person, at_the_app
from tests.tui.officescreens import an_office
from tests.tui.scenes import as_text
from tests.tui.sheets import first, racks_in


@asynccontextmanager
async def half_typed(folder: Path) -> AsyncIterator[Person]:
    with an_office(folder, 4) as office:
        async with at_the_app(office, "Sowa", first) as sowa:
            await sowa.types("0⏎45")
            yield sowa
        assert racks_in(office) is None


async def press(sowa: Person, *keys: str) -> None:
    for key in keys:
        await sowa.pilot.press(key)
        await sowa.rests()


@pytest.mark.parametrize("key", ["ctrl+c", "ctrl+q"])
async def test_what_is_typed_is_asked_about_first_and_a_no_goes_back_to_it(tmp_path: Path, key: str) -> None:
    async with half_typed(tmp_path) as sowa:
        await press(sowa, key)
        assert isinstance(sowa.screen, AsksToQuit)
        assert "What was typed here is lost when you leave. Ctrl+C leaves, too." in as_text(sowa.app)
        await press(sowa, "enter", "escape")
        assert isinstance(sowa.screen, EntryScreen)
        assert sowa.racks() == ["0", "45", "", ""]
        await press(sowa, key, "y")
        assert not sowa.app.is_running


@pytest.mark.parametrize("keys", [("ctrl+c", "ctrl+c"), ("ctrl+q", "ctrl+q"), ("ctrl+q", "ctrl+c")])
async def test_whoever_asks_for_it_again_means_it(tmp_path: Path, keys: tuple[str, ...]) -> None:
    async with half_typed(tmp_path) as sowa:
        await press(sowa, *keys)
        assert not sowa.app.is_running


async def test_a_sheet_that_lies_beneath_is_asked_about_too(tmp_path: Path) -> None:
    async with half_typed(tmp_path) as sowa:
        await press(sowa, "f1", "ctrl+q")
        assert isinstance(sowa.screen, AsksToQuit)


async def test_a_sheet_on_which_nothing_was_typed_is_left_at_once(tmp_path: Path) -> None:
    async with half_typed(tmp_path) as sowa:
        await press(sowa, "backspace", "backspace", "up", "backspace")
        assert sowa.racks() == ["", "", "", ""]
        await press(sowa, "ctrl+c")
        assert not sowa.app.is_running


async def test_what_is_marked_is_copied_and_nothing_asked(tmp_path: Path) -> None:
    async with half_typed(tmp_path) as sowa:
        field = sowa.screen.focused
        assert isinstance(field, Input)
        field.select_all()
        await press(sowa, "ctrl+c")
        assert isinstance(sowa.screen, EntryScreen)
        assert sowa.app.clipboard == "45"
