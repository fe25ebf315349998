"""A live desk whose hall the test makes up, and connections to it: with the token, and without any manners."""

from __future__ import annotations

import asyncio
import os
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Final, TypeVar

from dalej.clock import ManualClock
from dalej.desk.feed.address import Address
from dalej.desk.feed.client import Live, connect
from dalej.desk.feed.messages import Face, ToScreen
from dalej.desk.feed.server import RealBoxes, Server, Wish
from dalej.desk.notices import Notice
from dalej.domain.game.heard import Heard
from dalej.errors import Refused, Unreachable

DEADLINE_S: Final = 5.0
NAME: Final = "desk one"
DARK: Final = Face(1, True, True, ("", "", "", ""), (0, 0, 255), 0, 0, 0, 0, False, False)
Message = TypeVar("Message")


@dataclass
class MadeUpDesk:
    """A `live.server.Desk` that knows what the test tells it."""

    notices: list[Notice] = field(default_factory=list)
    cursor: int = 0
    trouble: Exception | None = None
    version: int = 0
    tables: dict[int, tuple[int, Heard]] = field(default_factory=dict)

    def hears(self, heard: Heard) -> None:
        self.version += 1
        self.tables[heard.table] = (self.version, heard)

    def heard_since(self, version: int) -> list[Heard]:
        return [heard for at, heard in self.tables.values() if at > version]

    def head(self) -> int:
        if self.trouble is not None:
            raise self.trouble
        return self.cursor


@dataclass
class MadeUpControl:
    """A `live.control.Control` that notes what it is asked; it grants everything at tables below 10, and while it is
    in `trouble` nothing.
    """

    simulated: bool = True
    speed: float = 1.0
    wishes: list[tuple[int, Wish]] = field(default_factory=list)
    left: list[int] = field(default_factory=list)
    shown: Face = DARK
    trouble: Exception | None = None
    anybody_left: asyncio.Event = field(default_factory=asyncio.Event)

    def wish(self, screen: int, wish: Wish) -> None:
        if self.trouble is not None:
            raise self.trouble
        if getattr(wish, "table", 0) >= 10:
            raise Refused("there is no table {table}", table=10)
        self.wishes.append((screen, wish))

    def face(self, screen: int, table: int) -> Face:
        if self.trouble is not None:
            raise self.trouble
        return replace(self.shown, table=table)

    def gone(self, screen: int) -> None:
        self.left.append(screen)
        self.anybody_left.set()


@dataclass
class Rig:
    """The desk, its server and where it is."""

    event: Path
    desk: MadeUpDesk
    control: MadeUpControl
    clock: ManualClock
    server: Server
    address: Address
    screens: list[Live] = field(default_factory=list)
    strangers: list[asyncio.StreamWriter] = field(default_factory=list)

    async def screen(self) -> Live:
        self.screens.append(await connect(self.event))
        return self.screens[-1]

    async def stranger(self) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        """A connection on which nothing has been said."""
        reader, writer = await asyncio.open_connection(self.address.host, self.address.port)
        self.strangers.append(writer)
        return reader, writer

    async def hang_up(self) -> None:
        """Close whatever the test left open."""
        for screen in self.screens:
            await screen.close()
        for writer in self.strangers:
            writer.close()
            with suppress(OSError):
                await writer.wait_closed()


@asynccontextmanager
async def live_desk(event: Path, *, open_within_s: float = 3.0, real: bool = False) -> AsyncIterator[Rig]:
    """A desk that is live on the event while the block runs; with `real` boxes, which no screen plays."""
    desk, control, clock = MadeUpDesk(), MadeUpControl(), ManualClock(1_000_000)
    server = Server(
        desk, RealBoxes() if real else control, clock, name=NAME, event=event, head=desk.head, random=os.urandom,
        open_within_s=open_within_s,
    )  # fmt: skip
    rig = Rig(event, desk, control, clock, server, await server.open())
    try:
        async with asyncio.timeout(DEADLINE_S):
            yield rig
    finally:
        await rig.hang_up()
        await server.close()


async def heard(live: Live, kind: type[Message]) -> Message:
    """The next message of that kind; what is said before it is passed over."""
    while True:
        message: ToScreen = await live.hear(DEADLINE_S)
        if isinstance(message, kind):
            return message


async def is_closed(reader: asyncio.StreamReader) -> bytes:
    """Waits for the other end to hang up; what it said before."""
    try:
        return await reader.read()
    except ConnectionError:
        return b""


async def hung_up(live: Live) -> list[ToScreen]:
    """What a screen is still told before the desk hangs up."""
    said: list[ToScreen] = []
    try:
        while True:
            said.append(await live.hear(DEADLINE_S))
    except Unreachable:
        return said
