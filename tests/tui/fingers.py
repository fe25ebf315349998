"""The app as it is started, over an event, and somebody at it with fast fingers."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Iterable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import UTC
from typing import Any, Final

from textual import events
from textual.pilot import Pilot
from textual.screen import Screen
from textual.widgets import Input

from dalej.clock import ManualClock
from dalej.office.acts.wishes import Hands
from dalej.tui.app import HallApp
from dalej.tui.room import Room
from dalej.tui.screens.entry import EntryScreen
from dalej.tui.widgets.bars import Outcome
from dalej.views.feed import Feed
from tests.tui.officescreens import Office
from tests.tui.paper import NOON_MS, SMALL, NoEntries, PaperDesk, PaperHall, live

ROUNDS_MOST: Final = 4_000  # of the event loop
LASTING: Final = frozenset({"listen", "follow", "book"})
NAMES: Final = {"⏎": "enter", "+": "plus", "-": "minus"}


@dataclass
class Person:
    """At the app, with fast fingers."""

    app: HallApp
    pilot: Pilot[None]
    room: Room

    @property
    def screen(self) -> Any:
        return self.app.screen

    def hits(self, signs: Iterable[str]) -> None:
        """All at once, as a terminal hands on what was typed while the program was busy; ⏎ is Enter."""
        assert self.app._driver is not None
        for sign in signs:
            self.app._driver.send_message(events.Key(NAMES.get(sign, sign), None if sign == "⏎" else sign))

    async def types(self, signs: Iterable[str]) -> None:
        """The same, until all of it has come where it belongs."""
        self.hits(signs)
        await self.rests()

    async def rests(self) -> None:
        """Until nothing is being done any more, but for what waits for an answer; or until the app has ended."""
        for _ in range(ROUNDS_MOST):
            await self.pilot.pause()
            if self.app.return_code is not None:
                break
            working = {one.group for one in self.app.workers if one.is_running and one.name not in LASTING}
            if self.app.keys.at_rest and not working - {"keep"}:
                break
        await self.pilot.pause()

    async def opens(self, screen: Screen[Any]) -> None:
        await self.app.push_screen(screen)
        await self.rests()

    def racks(self) -> list[str]:
        first = next(one for one in reversed(self.app.screen_stack) if isinstance(one, EntryScreen))
        return [one.value for one in first.query(Input)]

    def told(self) -> str:
        return self.app.screen.query_one(Outcome).words


@asynccontextmanager
async def at_the_app(
    office: Office, who: str, make: Callable[[Room], Screen[Any]], hands: Hands | None = None
) -> AsyncIterator[Person]:
    desk = PaperDesk(*live(simulated=False))
    feed = Feed(PaperHall([]), ManualClock(NOON_MS), event_name="jesień", ruleset="school-league", zone=UTC)
    room = office.room(office.hands(who) if hands is None else hands)
    await room.book.turn()
    app = HallApp(feed, NoEntries(), desk.connect, frozen=True, book=room.book, hands=room.hands)
    async with app.run_test(size=SMALL) as pilot:
        person = Person(app, pilot, app.room)
        await person.rests()
        await person.opens(make(app.room))
        yield person
