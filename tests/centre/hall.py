"""A centre that listens, a network to it that misbehaves, and a hall that tells it."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Coroutine, Sequence
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import Any

from dalej.centre.forward import Forwarder
from dalej.centre.mirror import Mirror
from dalej.centre.serving import CentreServer
from dalej.centre.talk import HallKey
from dalej.centre.whole import Whole
from dalej.clock import SystemClock
from dalej.errors import DalejError
from dalej.event.ledger import Ledger
from tests.centre.making import KEY
from tests.proxy import Wire, wire
from tests.waiting import until

WITHIN_S = 60.0


@asynccontextmanager
async def listening(
    mirror: Mirror, port: int = 0, wholes: Sequence[Whole] = (), said: Callable[[DalejError], object] = str
) -> AsyncIterator[CentreServer]:
    server = CentreServer(mirror, SystemClock(), "127.0.0.1", port, None, said, wholes)
    await server.open()
    try:
        yield server
    finally:
        await server.close()


class Telling:
    """`said`: what people were told, once it is over; `heard`: while it goes on."""

    def __init__(self, forwarder: Forwarder, heard: Sequence[DalejError]) -> None:
        self.forwarder = forwarder
        self.heard = heard
        self.said: list[str] = []

    async def until_told(self, ledger: Ledger) -> None:
        await until(lambda: self.forwarder.heard and self.forwarder.through == ledger.head(), "the centre to know all",
                    WITHIN_S)  # fmt: skip


@asynccontextmanager
async def telling(file: Path, port: int, desk: str = "desk 1", key: str = KEY) -> AsyncIterator[Telling]:
    """A hall's desk, as long as the block lasts."""
    with Ledger.open(file, read_only=True) as ledger:
        heard: list[DalejError] = []
        made = Telling(Forwarder(ledger, HallKey("A", f"http://127.0.0.1:{port}", key), desk, heard.append), heard)
        async with running(made.forwarder):
            yield made
        made.said += map(str, heard)


@asynccontextmanager
async def running(forwarder: Forwarder) -> AsyncIterator[None]:
    """As long as the block lasts."""
    going = asyncio.create_task(forwarder.run())
    try:
        yield
    finally:
        going.cancel()
        with suppress(asyncio.CancelledError):
            await going


@asynccontextmanager
async def network(server: CentreServer) -> AsyncIterator[Wire]:
    async with wire(server.port) as made:
        yield made


def runs(story: Coroutine[Any, Any, None], within_s: float = 120.0) -> None:
    """To its end, or it fails."""

    async def timed() -> None:
        async with asyncio.timeout(within_s):
            await story

    asyncio.run(timed())
