"""A simulated table that somebody plays from the keyboard, in a hall that lives by the test's clock."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from datetime import UTC
from pathlib import Path
from typing import Final

from textual.pilot import Pilot
from textual.widgets import Static

from dalej.desk.feed.messages import FromScreen, Look, Open, Pulse, Refusal, TableHeard, Take, Welcome
from dalej.errors import Refused
from dalej.event.ledger import Ledger
from dalej.rulesets import rulebook
from dalej.tui.app import make_app
from dalej.tui.feed import TableChosen
from dalej.tui.screens.table import TableScreen
from dalej.tui.widgets.turnlist import TurnList
from dalej.views.feed import Feed
from tests.desk.feed.living import RULESET, SET_UP_MS, Life, lively
from tests.tui.paper import PaperDesk

SCREEN: Final = 1


@dataclass
class Visitor(PaperDesk):
    """The screen of a table in a hall that lives by the test's clock; in between, the desk's end of its connection."""

    life: Life
    pilot: Pilot[None] = field(init=False)
    feed: Feed = field(init=False)

    def __post_init__(self) -> None:
        super().__init__(Welcome(1, "demo", True))
        self._table = 0
        self._version = 0

    async def send(self, message: FromScreen) -> None:
        if isinstance(message, Look):
            self._table = message.table
        elif not isinstance(message, Open):
            try:
                self.life.living.wish(SCREEN, message)
            except Refused as error:
                self.to_say.put_nowait(Refusal(error.template, {"why": str(error)}))
        self.tell()

    def tell(self) -> None:
        """What a live desk would say now."""
        desk, clock = self.life.hall.desk, self.life.simulated
        pulse = Pulse(clock.now_ms(), clock.wall_ms(), self.life.living.speed, self.life.ledger.head())
        self.to_say.put_nowait(pulse)
        for heard in reversed(desk.heard_since(self._version)):
            self.to_say.put_nowait(TableHeard(heard))
        self._version = desk.version
        if self._table:
            self.to_say.put_nowait(self.life.living.face(SCREEN, self._table))

    async def after(self, ms: int, *keys: str) -> None:
        """So much time passes, then keys are pressed."""
        self.life.passes(ms)
        self.tell()
        for key in keys:
            await self.pilot.press(key)

    async def sees(self, *said: str) -> None:
        """Waits until all of it stands on the screen; the test's deadline ends a wait in vain."""
        await self._until(lambda: all(words in self.lines() for words in said))

    async def reads(self, words: str) -> None:
        """Waits until the hint says so."""
        await self._until(lambda: words in self.hint())

    async def finds(self, words: str) -> None:
        """Waits until the turns say so, wherever a line ends."""
        await self._until(lambda: words in " ".join(self.turns().split()))

    async def _until(self, there: Callable[[], bool]) -> None:
        """The hall's time goes on only when the screen has shown all that it was told: how much of it passes must not
        depend on how busy the machine is.
        """
        while True:
            await self._settled()
            if there():
                return
            self.life.passes(10)
            self.tell()

    async def _settled(self) -> None:
        """Everything that was said and recorded has been read and shown."""
        await self.pilot.pause()
        while not (self.to_say.empty() and self.feed.caught_up.is_set()):
            await self.pilot.pause(0.001)
        await self.pilot.pause()

    def hint(self) -> str:
        return str(self.screen.query_one("#hints", Static).content)

    def lines(self) -> str:
        return "\n".join(strip.text for strip in self.screen._compositor.render_strips())

    def turns(self) -> str:
        return str(self.screen.query_one(TurnList).query_one(Static).content)

    @property
    def screen(self) -> TableScreen:
        assert isinstance(self.pilot.app.screen, TableScreen)
        return self.pilot.app.screen


@asynccontextmanager
async def a_visitor(event: Path, *, tables: int = 1) -> AsyncIterator[Visitor]:
    """In front of table 1, which is set up and that nobody has played at."""
    with lively(event, tables=tables) as life, Ledger.open(event) as ledger:
        life.living.wish(SCREEN, Take(1, True))
        life.passes(SET_UP_MS)
        visitor = Visitor(life)
        rules = rulebook.load(RULESET)
        app = make_app(ledger, rules, visitor.connect, life.clock, event_name="hall", frozen=True, zone=UTC)
        visitor.feed = app.feed
        async with app.run_test(size=(120, 40)) as visitor.pilot:
            visitor.tell()
            while 1 not in app.feed.hall.tables():
                await visitor.pilot.pause(0.01)
            app.post_message(TableChosen(1))
            while not isinstance(app.screen, TableScreen) or not app.screen.is_mounted:
                await visitor.pilot.pause(0.01)
            yield visitor
