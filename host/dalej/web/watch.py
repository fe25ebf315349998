"""The hall as this server knows it: one model, read once, for all who look; and what tells pages that it looks
different by now.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Collection, Coroutine
from contextlib import suppress
from typing import Final

from dalej.clock import Clock
from dalej.errors import DalejError
from dalej.event.threads import to_the_end
from dalej.views.book import Book, Page
from dalej.views.feed import Connect, Feed, News, Noticed, Reader, Recorded, follow, listen
from dalej.views.rows import Row

LOOK_S: Final = 0.5  # how often is looked whether time alone has changed anything
SETTLE_S: Final = 0.03  # what is told within so short a time is drawn once
AGAIN_S: Final = 0.25  # between two readings of the tournament
NOTICES_MOST: Final = 5
NOTICE_MS: Final = 60_000

log = logging.getLogger("dalej.web")


class Watch:
    """`feed`: of the tables; `book`: of the tournament. `beat`: grows whenever something may look different; whoever
    waits for that does so with `changed`.
    """

    def __init__(self, feed: Feed, book: Book, reader: Reader, connect: Connect, clock: Clock) -> None:
        self.feed = feed
        self.book = book
        self.beat = 0
        self._reader = reader
        self._connect = connect
        self._clock = clock
        self._tasks: list[asyncio.Task[None]] = []
        self._stirred = asyncio.Event()
        self._changed = asyncio.Event()
        self._grown = asyncio.Event()
        self._notices: list[tuple[int, DalejError]] = []

    async def open(self) -> None:
        """Read what there is, then go on in the background."""
        await to_the_end(self.book.turn())
        for work in (listen(self.feed, self._connect, self._tell), follow(self.feed, self._reader, self._tell),
                     self._turn(), self._beats()):  # fmt: skip
            self._tasks.append(asyncio.create_task(self._lasting(work)))
        await self.feed.caught_up.wait()

    async def close(self) -> None:
        """Nothing is read any more."""
        for task in self._tasks:
            task.cancel()
        for task in self._tasks:
            with suppress(asyncio.CancelledError):
                await task
        self._tasks.clear()

    @property
    def page(self) -> Page:
        """The tournament as it was read last."""
        return self.book.page

    def row(self, table: int) -> Row | None:
        """That table now; None if nobody has mentioned it."""
        hall = self.feed.hall
        return hall.row(table, self.feed.now_ms()) if table in hall.tables() else None

    def rows(self) -> dict[int, Row]:
        """Every table now, by number."""
        return {row.table: row for row in self.feed.hall.rows(self.feed.now_ms())}

    def notices(self) -> Collection[DalejError]:
        """What somebody should read, told within the last minute, the newest last."""
        now_ms = self._clock.now_ms()
        self._notices = [one for one in self._notices if now_ms - one[0] < NOTICE_MS][-NOTICES_MOST:]
        return [notice for _at, notice in self._notices]

    async def changed(self, beat: int) -> int:
        """The beat, as soon as it is another one."""
        while self.beat == beat:
            await self._changed.wait()
        return self.beat

    def stir(self) -> None:
        """Something may look different."""
        self._stirred.set()

    async def read_on(self) -> None:
        """Up to what the event file says now: whoever has just done something sees it."""
        await to_the_end(self.book.turn())
        self.feed.grown.set()
        self.feed.caught_up.clear()
        with suppress(TimeoutError):
            async with asyncio.timeout(1.0):
                await self.feed.caught_up.wait()
        self.stir()

    def _tell(self, news: News) -> None:
        if isinstance(news, Noticed):
            self._notices.append((self._clock.now_ms(), news.notice))
        if isinstance(news, Recorded):
            self._grown.set()
        self.stir()

    async def _beats(self) -> None:
        """Again whenever it was stirred, and now and then because time goes by."""
        while True:
            with suppress(TimeoutError):
                async with asyncio.timeout(LOOK_S):
                    await self._stirred.wait()
                    await asyncio.sleep(SETTLE_S)
            self._stirred.clear()
            self.beat += 1
            self._changed.set()
            self._changed = asyncio.Event()

    async def _turn(self) -> None:
        """The tournament follows the ledger."""
        while True:
            await self._grown.wait()
            self._grown.clear()
            if await self.book.turn():
                self.stir()
            await asyncio.sleep(AGAIN_S)

    async def _lasting(self, work: Coroutine[object, object, None]) -> None:
        try:
            await work
        except Exception:
            log.exception("the hall is no longer read")
            raise
