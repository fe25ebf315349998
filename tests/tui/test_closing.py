"""A screen that closes while it still waits for something: what comes then finds nobody, and nobody is told of it."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path
from typing import Final

import pytest
from textual.app import ComposeResult
from textual.widgets import Static

from dalej.tui.screens.office import DeskWork
from dalej.views.book import Book, Page
from tests.tui.officescreens import Office, OneScreen, an_office

LONG: Final = 50  # turns of the event loop that a widget takes to go


class Late:
    """The event's book, whose pages are not there before the widgets of the screen that asked are going."""

    def __init__(self, book: Book) -> None:
        self._book = book
        self.asks, self.lets_go = asyncio.Event(), asyncio.Event()
        self.asked = 0

    @property
    def page(self) -> Page:
        return self._book.page

    async def turn(self) -> bool:
        changed = await self._book.turn()
        self.asked += 1
        self.asks.set()
        await self.lets_go.wait()
        return changed


class SlowToGo(Static):
    """The last widget to go: whatever waits beside it wakes meanwhile."""

    def __init__(self, book: Late) -> None:
        super().__init__("")
        self._book = book

    async def on_unmount(self) -> None:
        self._book.lets_go.set()
        for _turn in range(LONG):
            await asyncio.sleep(0)


class Sheet(DeskWork):
    """A screen of the office, whose page is still being read when it closes."""

    def compose_work(self) -> ComposeResult:
        book = self.room.book
        assert isinstance(book, Late)
        yield SlowToGo(book)


@asynccontextmanager
async def a_sheet(office: Office) -> AsyncIterator[tuple[OneScreen, Sheet, Late]]:
    room = office.room(office.hands("Sowa", "organiser"))
    book = Late(room.book)
    sheet = Sheet(replace(room, book=book))
    app = OneScreen(lambda: sheet)
    async with app.run_test() as pilot:
        await pilot.pause()
        yield app, sheet, book


def at_work(app: OneScreen, sheet: Sheet) -> list[str]:
    """For what the screen still waits."""
    return [worker.group for worker in app.workers if worker.node is sheet and worker.is_running]


@pytest.mark.parametrize("closes", ["the screen", "the program"])
async def test_a_page_that_is_read_while_its_screen_closes_is_shown_nowhere(tmp_path: Path, closes: str) -> None:
    with an_office(tmp_path, 4) as office:
        async with a_sheet(office) as (app, sheet, book):
            await book.asks.wait()
            assert at_work(app, sheet) == ["turn"]
            if closes == "the screen":
                await sheet.dismiss()
                assert app.came_back == [None]
        assert not at_work(app, sheet)
        assert (book.asked, book.lets_go.is_set()) == (1, True)


async def test_what_came_of_an_act_is_not_said_on_a_screen_that_closes(tmp_path: Path) -> None:
    with an_office(tmp_path, 4, seated=False) as office:
        async with a_sheet(office) as (app, sheet, book):
            await book.asks.wait()
            book.asks.clear()
            sheet.act("draw_seating", {})
            await book.asks.wait()  # the desk has done it, and the screen reads on
            assert "acts" in at_work(app, sheet)
            await sheet.dismiss()
        assert office.event.state().current is not None
