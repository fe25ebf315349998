"""Hands that note what they are wished, and answer as a test says; the app they move."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from datetime import UTC
from typing import Any, Final

from textual import events
from textual.pilot import Pilot
from textual.worker import Worker

from dalej.clock import ManualClock
from dalej.errors import DalejError
from dalej.office.acts.roles import Actor, Role
from dalej.office.acts.wishes import Done, Wish
from dalej.tui.app import HallApp
from dalej.tui.errands import GROUP
from dalej.views.feed import Feed
from dalej.views.rows import Row
from tests.tui.paper import NOON_MS, SMALL, NoEntries, PaperDesk, PaperHall, live
from tests.tui.scenes import as_text

ROUNDS_MOST: Final = 2_000  # of the event loop
LASTING: Final = frozenset({"listen", "follow", "book"})  # workers that go on as long as the app does


@dataclass
class PaperHands:
    """`answers`: what the next acts come to, an error is raised; none left: done. `go_on`: nothing is answered before
    it; None: all at once.
    """

    role: Role = "organiser"
    wishes: list[Wish] = field(default_factory=list)
    answers: list[Done | DalejError] = field(default_factory=list)
    go_on: asyncio.Event | None = None

    @property
    def waits(self) -> bool:
        return self.go_on is not None and not self.go_on.is_set()

    @property
    def actor(self) -> Actor:
        return Actor("Sowa", self.role)

    async def do(self, wish: Wish) -> Done:
        self.wishes.append(wish)
        if self.go_on is not None:
            await self.go_on.wait()
        answer = self.answers.pop(0) if self.answers else Done("Done: {act}.", {"act": wish.act})
        if isinstance(answer, DalejError):
            raise answer
        return answer


@dataclass
class Handling:
    app: HallApp
    pilot: Pilot[None]
    hands: PaperHands
    hall: PaperHall
    desk: PaperDesk

    async def press(self, *keys: str) -> None:
        await self.pilot.press(*keys)
        await self.settles()

    async def types(self, *keys: str) -> None:
        """Without looking: every key is there before the first has done anything."""
        for key in keys:
            self.app.post_message(events.Key(key, key if len(key) == 1 else None))
        await self.settles()

    async def settles(self) -> None:
        """Until nothing is being done any more, and it is drawn."""
        for _ in range(ROUNDS_MOST):
            await self.pilot.pause()
            if not any(worker.is_running and self._ends(worker) for worker in self.app.workers):
                break
        for _ in range(3):
            await self.pilot.pause()

    def _ends(self, worker: Worker[Any]) -> bool:
        """By itself: not one that goes on as long as the app does, or until the hands may answer."""
        return worker.name not in LASTING and not (worker.group == GROUP and self.hands.waits)

    async def until(self, words: str) -> None:
        """They are on the screen: some come by a worker of Textual's own."""
        for _ in range(ROUNDS_MOST):
            if words in self.text():
                break
            await self.pilot.pause()
        await self.settles()
        assert words in self.text(), self.text()

    async def loses_desk(self) -> None:
        self.desk.vanish()
        while self.app.feed.live:
            await self.pilot.pause()

    def text(self) -> str:
        return as_text(self.app)

    def acts(self) -> list[tuple[str, dict[str, object], str]]:
        """What was wished: act, arguments, reason."""
        return [(wish.act, dict(wish.args), wish.why) for wish in self.hands.wishes]


@asynccontextmanager
async def handling(
    rows: Iterable[Row], role: Role | None = "organiser", size: tuple[int, int] = SMALL
) -> AsyncIterator[Handling]:
    """A hall's screen with somebody's hands; `role` None: with none."""
    hands, hall, desk = PaperHands(role or "public"), PaperHall(rows), PaperDesk(*live(simulated=False))
    feed = Feed(hall, ManualClock(NOON_MS), event_name="jesień", ruleset="school-league", zone=UTC)
    app = HallApp(feed, NoEntries(), desk.connect, frozen=True, hands=None if role is None else hands)
    async with app.run_test(size=size) as pilot:
        while not feed.live:
            await pilot.pause()
        app.look_again()
        there = Handling(app, pilot, hands, hall, desk)
        await there.settles()
        yield there


async def click(there: Handling, words: str) -> None:
    """On the last place where they stand."""
    lines = there.text().splitlines()
    y = max(y for y, line in enumerate(lines) if words in line)
    await there.pilot.click(offset=(lines[y].index(words) + len(words) // 2, y))
    await there.settles()


def words(there: Handling) -> str:
    """All that stands there, whatever the lines."""
    return " ".join(there.text().replace("│", " ").split())
