"""The screen of move times on turns that somebody wrote."""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import UTC
from importlib.resources import files

from textual.app import App
from textual.pilot import Pilot
from textual.widgets import Static

from dalej.clock import ManualClock
from dalej.desk.feed.messages import Pulse, Welcome
from dalej.tui.room import Room
from dalej.tui.screens.times import TimeList, TimesScreen
from dalej.views.book import Page
from dalej.views.feed import Feed
from dalej.views.rows import SeenTurn
from tests.tui.paper import NAMES, NOON_MS, SMALL, PaperHall, a_row
from tests.tui.public import PaperBook
from tests.views.timed import seen_turns


class TurnedHall(PaperHall):
    """A hall on paper whose tables have these turns."""

    def __init__(self, made: Mapping[int, Sequence[SeenTurn]]) -> None:
        super().__init__(a_row(table) for table in made)
        self.made = dict(made)

    def turns(self, table: int) -> list[SeenTurn]:
        return list(self.made[table])


class Above(App[None]):
    """An app over whose own screen that of the move times lies, as it does over the hall's."""

    CSS_PATH = str(files("dalej.tui") / "app.tcss")


@dataclass
class Timed:
    """The screen and what it is connected to."""

    screen: TimesScreen
    pilot: Pilot[None]
    feed: Feed
    hall: TurnedHall

    async def press(self, *keys: str) -> None:
        await self.pilot.press(*keys)
        await self.pilot.pause()

    async def look(self) -> None:
        self.screen.refresh_page()
        await self.pilot.pause()

    @property
    def names(self) -> list[str]:
        """Of the list, from the top."""
        return [line.cells[0].text for line in self.screen.query_one(TimeList).lines]

    def said(self, where: str) -> str:
        return str(self.screen.query_one(f"#times-{where}", Static).content)

    def text(self) -> str:
        return "\n".join(strip.text.rstrip() for strip in self.screen._compositor.render_strips())


@asynccontextmanager
async def times_screen(
    made: Mapping[int, Sequence[SeenTurn]], *, page: Page | None = None, size: tuple[int, int] = SMALL
) -> AsyncIterator[Timed]:
    clock, hall = ManualClock(NOON_MS), TurnedHall(made)
    feed = Feed(hall, clock, event_name="liga", ruleset="school-league", zone=UTC)
    feed.welcomed(Welcome(1, "desk", False))
    feed.pulsed(Pulse(0, NOON_MS, 1.0, 1))
    screen = TimesScreen(Room(feed, PaperBook(Page() if page is None else page), None, frozen=True))
    app = Above()
    async with app.run_test(size=size) as pilot:
        await app.push_screen(screen)
        for _ in range(3):
            await pilot.pause()
        yield Timed(screen, pilot, feed, hall)


def an_evening() -> dict[int, list[SeenTurn]]:
    """Two tables; B of table 1 is slow and late twice, table 2 has but begun."""
    slow = {0: 9_000, 1: 33_000, 2: 15_000, 3: 22_000}
    first = [(seat, slow[seat] + 300 * move, "juz") for move in range(10) for seat in range(4)]
    first[5], first[21] = (1, 40_000, "timeout"), (1, 40_000, "timeout")
    return {
        1: seen_turns(1, first, names=NAMES[0]),
        2: seen_turns(2, [(0, 12_000, "dalej")], names=NAMES[1]),
    }
