"""The public's screen on a book and a hall on paper, whose times go on when the test says so."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import UTC
from typing import Final

from textual.app import App
from textual.pilot import Pilot
from textual.screen import Screen

from dalej.clock import ManualClock
from dalej.desk.feed.messages import Pulse, Welcome
from dalej.domain.tournament import tournament as kinds
from dalej.domain.tournament.tournament import Tournament
from dalej.tui.room import Room
from dalej.tui.screens.public import PublicScreen
from dalej.views.book import Page
from dalej.views.feed import Feed
from dalej.views.rows import Row
from tests.office.paper.events import NOON_MS as DECIDED_MS
from tests.office.paper.events import Written, names, tables_of
from tests.tui.paper import SMALL, PaperHall

ROUND_MS: Final = 5_400_000


class PaperBook:
    """A book that lies open at one page."""

    def __init__(self, page: Page) -> None:
        self.page = page

    async def turn(self) -> bool:
        return False


class OneScreen(App[None]):
    """An app with nothing but that screen, and a key of its own."""

    ENABLE_COMMAND_PALETTE = False

    def __init__(self, screen: Screen[None]) -> None:
        super().__init__()
        self._only = screen
        self.stirred = 0
        self._bindings.bind("x", "stir")

    def get_default_screen(self) -> Screen[None]:
        return self._only

    def action_stir(self) -> None:
        self.stirred += 1


def an_event(
    players: int = 20, *, played: bool = False, started: bool = False, ruleset: str = "school-league"
) -> Written:
    """A league whose first (`played`: second) round is seated; `started`: its clock runs since noon."""
    written = Written(ruleset, names(players))
    stage = written.state.plan[0]
    if played:
        written.play(stage.id, 1, tables_of(players), stage.games)
    number = 2 if played else 1
    written.seat(stage.id, number, tables_of(players))
    if started:
        body = {"stage": stage.id, "round": number, "length_ms": ROUND_MS}
        written.add(kinds.CLOCK, body, f"clock:{stage.id}:{number}")
    return written


@dataclass
class Public:
    """The screen and what it is connected to; a desk pulses when `pulse` is called."""

    screen: PublicScreen
    pilot: Pilot[None]
    feed: Feed
    hall: PaperHall
    book: PaperBook
    clock: ManualClock

    async def after(self, ms: int, *, desk: bool = True) -> None:
        """What is shown so many ms later, a live desk heard until then or not."""
        self.clock.time_ms += ms
        if desk:
            self.pulse()
        await self.look()

    async def look(self) -> None:
        self.screen.refresh_hall()
        await self.pilot.pause()

    def pulse(self) -> None:
        if not self.feed.live:
            self.feed.welcomed(Welcome(1, "desk", False))
        self.feed.pulsed(Pulse(self.clock.now_ms(), self.clock.wall_ms(), 1.0, 1))

    def text(self) -> str:
        return "\n".join(strip.text.rstrip() for strip in self.screen._compositor.render_strips())


@asynccontextmanager
async def public(
    state: Tournament | None,
    rows: Iterable[Row] = (),
    *,
    size: tuple[int, int] = SMALL,
    at_ms: int = 0,
    desk: bool = True,
) -> AsyncIterator[Public]:
    """The screen `at_ms` after everything was decided."""
    clock = ManualClock(DECIDED_MS + at_ms)
    hall, book = PaperHall(rows), PaperBook(Page(head=1, state=state))
    feed = Feed(hall, clock, event_name="liga", ruleset="school-league", zone=UTC)
    screen = PublicScreen(Room(feed, book, None, frozen=True))
    app = OneScreen(screen)
    async with app.run_test(size=size) as pilot:
        look = Public(screen, pilot, feed, hall, book, clock)
        if desk:
            look.pulse()
        await look.look()
        yield look
