"""Screens of the tournament on a real event in a folder: the office's book, the desk's own acts, no hall, and what a
person does at one.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass, field
from datetime import UTC
from itertools import count
from pathlib import Path
from typing import Any, Final

from textual.app import App
from textual.geometry import Offset
from textual.pilot import Pilot
from textual.screen import Screen
from textual.widget import Widget
from textual.widgets import Input

from dalej.clock import ManualClock
from dalej.domain.tournament.tournament import Tournament
from dalej.event.event import Event
from dalej.event.ledger import Decision, Ledger
from dalej.event.reading import read
from dalej.office.acts.hands import LocalHands
from dalej.office.acts.performer import Line, Performer
from dalej.office.acts.roles import Actor, Role
from dalej.office.acts.wishes import Done, Hands, Wish
from dalej.tui import app as tui_app
from dalej.tui.ask.dialog import Dialog
from dalej.tui.room import Room
from dalej.tui.screens.office import DeskWork
from dalej.tui.widgets.bars import Outcome
from dalej.tui.widgets.grid import Grid
from dalej.views.book import EventBook
from dalej.views.feed import Feed
from tests.tui.paper import NOON_MS, PaperHall
from tests.tui.scenes import as_text
from tests.world import NOON, an_event, draw

NAME: Final = "jesień"
CSS: Final = Path(tui_app.__file__).with_name("app.tcss")
SMALL, MIDDLE, LARGE = (80, 24), (120, 40), (200, 60)
ROUNDS_MOST: Final = 2_000  # of the event loop: far more than anything here takes
STILL: Final = 2  # rounds in which nothing is done: what one worker has read another may have to show
SIGNS: Final = {"+": "plus", ",": "comma", "-": "minus", "!": "exclamation_mark", ":": "colon", " ": "space"}


class Served:
    """Hands at the far end of a socket: nobody can step up there."""

    def __init__(self, hands: Hands) -> None:
        self._hands = hands

    @property
    def actor(self) -> Actor:
        return self._hands.actor

    async def do(self, wish: Wish) -> Done:
        return await self._hands.do(wish)


@dataclass
class Office:
    """An event and whoever has it open. `lines`: of everything that was done by hand."""

    event: Event
    opened: list[Ledger] = field(default_factory=list)
    lines: list[Line] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.opened.append(self.event.ledger)

    def open(self, who: str) -> Event:
        ledger = Ledger.open(self.event.ledger.path)
        self.opened.append(ledger)
        return Event(ledger, who=who, wall_ms=self.event.wall_ms)

    def close(self) -> None:
        """Nobody has it open any more."""
        for ledger in self.opened:
            ledger.close()

    def hands(self, name: str, role: Role = "organiser", *, served: bool = False) -> Hands:
        ledger = self.open(name).ledger
        performer = Performer(lambda who: Event(ledger, who=who, wall_ms=self.event.wall_ms), self.lines.append)
        hands = LocalHands(Actor(name, role, served), performer)
        return Served(hands) if served else hands

    def room(self, hands: Hands | None, *, frozen: bool = True) -> Room:
        feed = Feed(PaperHall([]), ManualClock(NOON_MS), event_name=NAME, ruleset="school-league", zone=UTC)
        return Room(feed, EventBook(self.open("")), hands, frozen)


@contextmanager
def an_office(
    folder: Path, players: int = 12, *, ruleset: str = "school-league", played: int = 0, seated: bool = True
) -> Iterator[Office]:
    """A league; `played`: rounds that are closed; the next is seated."""
    with an_event(folder, players, ruleset=ruleset, closed=played, seated=False, name=NAME) as event:
        if seated:
            draw(event, seed=9)
        office = Office(event)
        try:
            yield office
        finally:
            office.close()


class OneScreen(App[None]):
    """An app with one screen; what it would open beside it is remembered."""

    CSS_PATH = CSS

    def __init__(self, make: Callable[[], Screen[Any]]) -> None:
        super().__init__()
        self._make = make
        self.opened: list[str] = []
        self.came_back: list[object] = []

    def on_mount(self) -> None:
        self.push_screen(self._make(), self.came_back.append)

    def action_show(self, name: str) -> None:
        self.opened.append(name)


@dataclass
class Looking:
    """A person at a screen."""

    app: OneScreen
    pilot: Pilot[None]
    room: Room
    office: Office

    # --- what there is -----

    @property
    def screen(self) -> Any:
        """The one in front."""
        return self.app.screen

    @property
    def paged(self) -> DeskWork:
        """The one that the person works at, whatever it asks."""
        return next(one for one in reversed(self.app.screen_stack) if isinstance(one, DeskWork))

    @property
    def event(self) -> Event:
        return self.office.event

    @property
    def state(self) -> Tournament:
        return self.event.state()

    @property
    def decisions(self) -> list[Decision]:
        return read(self.event.ledger).decisions()

    @property
    def lines(self) -> list[Line]:
        return self.office.lines

    @property
    def book(self) -> EventBook:
        assert isinstance(self.room.book, EventBook)
        return self.room.book

    def text(self) -> str:
        """What the screen says."""
        return as_text(self.app).replace("\u00a0", " ")

    def has(self, words: str) -> bool:
        return words in self.text()

    def told(self) -> str:
        """What came of the last act."""
        return self.paged.outcome.words

    @property
    def said(self) -> str:
        """The same as its line says it: with its mark, and how it is taken back."""
        return str(self.paged.query_one(Outcome).content)

    def fields(self) -> list[str]:
        return [one.value for one in self.screen.query(Input)]

    # --- what a person does -----

    async def settle(self) -> None:
        """Until nothing has anything left to do but wait for a person."""
        still = 0
        for _ in range(ROUNDS_MOST):
            await self.pilot.pause()
            still = 0 if self._is_busy() else still + 1
            if still == STILL:
                return

    def _is_busy(self) -> bool:
        if any(isinstance(one, DeskWork) and one.busy for one in self.app.screen_stack):
            return True
        if isinstance(self.screen, Dialog) and self.screen.busy:
            return True
        asked = not isinstance(self.screen, DeskWork)  # and a worker waits for the answer
        working = any(not worker.is_finished for worker in self.app.workers)
        return not self.screen.is_mounted or (working and not asked)

    async def press(self, *keys: str) -> None:
        for key in keys:
            await self.pilot.press(key)
            await self.settle()

    async def type(self, text: str) -> None:
        """Sign by sign."""
        await self.pilot.press(*(SIGNS.get(sign, sign) for sign in text))
        await self.settle()

    async def click(self, where: str) -> None:
        """On a widget by its selector."""
        assert await self.pilot.click(where), f"nothing to click at {where}"
        await self.settle()

    async def click_line(self, number: int) -> None:
        """On a grid's line of that number."""
        grid = self.app.screen.query_one(Grid)
        index = [line.table for line in grid.lines].index(number)
        assert await self.pilot.click(f"#{grid.id}", offset=(3, index + 1 - grid.scroll_offset.y))
        await self.settle()

    async def click_word(self, words: str) -> None:
        """On the highest place of the screen where these stand."""
        await self.click_at(self.find(words))

    async def click_button(self, words: str, times: int = 1) -> None:
        """On the lowest place where these stand: buttons are below what they are about."""
        await self.click_at(self.find(words, lowest=True), times)

    async def click_at(self, at: Offset, times: int = 1) -> None:
        assert await self.pilot.click(None, offset=at, times=times)
        await self.settle()

    async def drag(self, from_: Offset, *to: Offset) -> None:
        """Press, go there, let go; offsets are of the screen."""
        await self.pilot.mouse_down(offset=from_)
        for at in to:
            await self.pilot.hover(offset=at)
            await self.pilot.pause()
        await self.pilot.mouse_up(offset=to[-1])
        await self.settle()

    def find(self, words: str, *, lowest: bool = False) -> Offset:
        """The middle of those words on the screen."""
        lines = list(enumerate(self.text().splitlines()))
        for y, line in reversed(lines) if lowest else lines:
            if words in line:
                return Offset(line.index(words) + len(words) // 2, y)
        raise AssertionError(f"“{words}” is not on the screen:\n{self.text()}")

    def inside(self, widget: Widget, at: Offset) -> Offset:
        """A place within a widget as one of the screen."""
        return widget.content_region.offset + at

    async def turn(self) -> None:
        """Somebody else has decided something; the screen looks."""
        await self.room.book.turn()
        self.paged.refresh_page()
        await self.settle()


@asynccontextmanager
async def looking(
    office: Office, make: Callable[[Room], Screen[Any]], size: tuple[int, int] = SMALL, *, hands: Hands | None = None,
    who: str = "Sowa", role: Role | None = "organiser",
) -> AsyncIterator[Looking]:  # fmt: skip
    """A screen on the event, as that person; `role` None: hands that do nothing, for whoever only looks."""
    given = office.hands(who, role) if hands is None and role is not None else hands
    room = office.room(given)
    await room.book.turn()
    app = OneScreen(lambda: make(room))
    async with app.run_test(size=size) as pilot:
        look = Looking(app, pilot, room, office)
        await look.settle()
        look.paged.refresh_page()
        await look.settle()
        yield look


@asynccontextmanager
async def at_event(
    path: Path, make: Callable[[Room], Screen[Any]], *, who: str = "Gęś", role: Role | None = "organiser",
    size: tuple[int, int] = SMALL,
) -> AsyncIterator[Looking]:  # fmt: skip
    """A screen on an event file that somebody else has open too."""
    office = Office(Event(Ledger.open(path), who="test", wall_ms=count(NOON + 100_000_000, 1_000).__next__))
    try:
        async with looking(office, make, size, who=who, role=role) as look:
            yield look
    finally:
        office.close()


def names_at(state: Tournament, table: int) -> list[str]:
    """Who sits there, seats A to D, "" for an empty chair."""
    assert state.current is not None
    assert state.current.seating is not None
    at = state.current.seating.at(table)
    assert at is not None
    return [state.players[player].name if player else "" for player in at.players]


class Slow(Served):
    """Hands that wait until they are told to go on."""

    def __init__(self, hands: Hands) -> None:
        super().__init__(hands)
        self.asked = asyncio.Event()
        self.go_on = asyncio.Event()

    async def do(self, wish: Wish) -> Done:
        self.asked.set()
        await self.go_on.wait()
        return await super().do(wish)
