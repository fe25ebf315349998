"""A referee who has never seen the screens: real boxes, desk and event, and a person who knows only what is shown.

`does` takes words off the screen and presses the key that stands before them; there is no other way to press anything
but to type an answer, Enter and Escape, which every keyboard has.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import UTC
from pathlib import Path
from typing import Final

from textual.pilot import Pilot

from dalej.domain.tournament.tournament import Tournament
from dalej.errors import Unreachable
from dalej.event.event import Event
from dalej.event.ledger import Ledger
from dalej.office.acts.roles import Actor
from dalej.office.acts.wishes import Done, Wish
from dalej.rulesets.rulebook import load
from dalej.tui.app import HallApp, make_app
from dalej.views.book import EventBook
from dalej.views.feed import Live
from tests.office.acts.desk import ActingDesk
from tests.tui.gallery import Stage
from tests.tui.languages import speaking
from tests.tui.scenes import as_text
from tests.world import draw, sign_up

TYPED: Final = {
    "⏎": "enter", "Enter": "enter", "Esc": "escape", "esc": "escape", "?": "question_mark", "/": "slash", "+": "plus",
    "!": "exclamation_mark", " ": "space", "Space": "space", "␣": "space", ":": "colon",
}  # fmt: skip


DEADLINE_S: Final = 60
_KEY: Final = re.compile(r"[!-~]|[Ff][1-9][0-9]?")


@dataclass
class OwnHands:
    """The desk's own performer, and then the time that its boxes need to answer."""

    desk: ActingDesk
    actor: Actor

    async def do(self, wish: Wish) -> Done:
        return self.desk.wish(wish, self.actor)


@dataclass
class FirstTime:
    """The person, the screen, and what became of it."""

    desk: ActingDesk
    app: HallApp
    stage: Stage

    @property
    def text(self) -> str:
        return as_text(self.app)

    @property
    def state(self) -> Tournament:
        return self.desk.event("test").state()

    def key(self, words: str) -> str:
        """What stands before those words on the screen."""
        keys = [
            found[1].strip("│╭─▸○●").removeprefix("Shift+")
            for found in re.finditer(rf"(\S+) {{1,2}}{re.escape(words)}", self.text)
        ]
        shown = next((key for key in keys if key in TYPED or _KEY.fullmatch(key)), None)
        assert shown, f"no key is shown for “{words}”:\n{self.text}"
        return TYPED.get(shown, shown.lower() if shown[1:] else shown)

    async def does(self, words: str) -> None:
        await self.press(self.key(words))

    async def press(self, *keys: str) -> None:
        await self.stage.press(*keys)
        await self.reads()

    async def types(self, text: str) -> None:
        await self.press(*(TYPED.get(sign, sign) for sign in text), "enter")

    async def reads(self) -> None:
        """Until the screen shows what the event holds."""
        head = self.desk.place.ledger.head()
        while self.app.room.book.page.head < head:
            await self.app.room.book.turn()
            await self.stage.pilot.pause()
        self.app.feed.grown.set()
        for _ in range(5):
            await self.stage.pilot.pause()
        self.app.look_again()
        await self.stage.settles()


def play(folder: Path, story: Callable[[FirstTime], Awaitable[None]]) -> None:
    """From beginning to end, in English."""

    async def run() -> None:
        async with asyncio.timeout(DEADLINE_S), first_time(folder) as person:
            await story(person)

    with speaking("en"):
        asyncio.run(run())


async def _nobody() -> Live:
    raise Unreachable("no live desk")


@asynccontextmanager
async def first_time(folder: Path, players: int = 4, size: tuple[int, int] = (80, 24)) -> AsyncIterator[FirstTime]:
    """Table 1 of a league's first round plays; `players` are seated."""
    desk = ActingDesk(folder)
    event = desk.event("Puchacz")
    sign_up(event, range(1, players + 1))
    draw(event)
    desk.setting.moves(2)
    path = desk.place.ledger.path
    with Ledger.open(path) as read, Ledger.open(path) as book:
        app = make_app(
            read, load("school-league"), _nobody, desk.setting.clock, event_name="liga", frozen=True, zone=UTC,
            book=EventBook(Event(book, who="", wall_ms=desk.setting.clock.wall_ms)),
            hands=OwnHands(desk, Actor("Sowa", "organiser")),
        )  # fmt: skip
        app.animation_level = "none"
        async with app.run_test(size=size) as pilot:
            pilot_: Pilot[None] = pilot
            person = FirstTime(desk, app, Stage(app, pilot_))
            await person.reads()
            yield person
    desk.close()
