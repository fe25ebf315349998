"""The hall's screen on a hall on paper, whose times go on when the test says so."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterable
from contextlib import asynccontextmanager
from dataclasses import dataclass

from textual.pilot import Pilot

from dalej.clock import ManualClock
from dalej.tui.app import HallApp
from dalej.tui.screens.hall import HallScreen
from dalej.tui.widgets.alerts import AlertList
from dalej.tui.widgets.tablelist import TableList
from dalej.views.rows import Row
from tests.tui.paper import NOON_MS, SMALL, PaperDesk, PaperHall, a_row, an_alert, an_app, live
from tests.tui.scenes import as_text


@dataclass
class Look:
    """The app with what it is connected to."""

    app: HallApp
    pilot: Pilot[None]
    desk: PaperDesk
    clock: ManualClock

    @property
    def hall(self) -> PaperHall:
        assert isinstance(self.app.feed.hall, PaperHall)
        return self.app.feed.hall

    @property
    def tables(self) -> TableList:
        return self.app.screen.query_one(TableList)

    @property
    def alerts(self) -> AlertList:
        return self.app.screen.query_one(AlertList)

    def text(self) -> str:
        return as_text(self.app)

    def line(self, table: int) -> str:
        """The list's line of a table."""
        return next(line for line in self.text().splitlines() if line[1:6].strip(" ░") == str(table))

    async def after(self, ms: int) -> None:
        """The screen's tick so many ms later."""
        self.clock.time_ms += ms
        screen = self.app.screen
        assert isinstance(screen, HallScreen)
        screen._tick()
        await self.pilot.pause()

    async def until(self, *, live: bool) -> None:
        """The desk is found, or lost, and drawn."""
        while self.app.feed.live != live:
            await self.pilot.pause()
        await self.pilot.pause()
        self.app.look_again()
        await self.pilot.pause()


@asynccontextmanager
async def looking(rows: Iterable[Row], size: tuple[int, int] = SMALL) -> AsyncIterator[Look]:
    """A frozen app on a hall, its desk live: it draws when `after` says so."""
    desk, clock = PaperDesk(*live()), ManualClock(NOON_MS)
    app = an_app(rows, desk, clock)
    async with app.run_test(size=size) as pilot:
        look = Look(app, pilot, desk, clock)
        await look.until(live=True)
        yield look


def forty() -> list[Row]:
    """Tables 1 to 40; something waits at 7, 23 and 31."""
    rows = [a_row(table) for table in range(1, 41)]
    for table in (7, 23, 31):
        rows[table - 1] = a_row(table, alerts=(an_alert(table, "referee", 1_000 * table),))
    return rows
