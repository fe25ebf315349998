"""A network between two ends that misbehaves when it is told to: silent, slow, cut, half closed."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from typing import Final

CHUNK: Final = 4_096
SETTLES_S: Final = 0.02


class Wire:
    """`silent`: nothing passes, and nobody is told; `delay_s`: what passes comes so much later. `port`: where it
    listens; `carried`: connections that came through.
    """

    def __init__(self, to_port: int) -> None:
        self.to_port = to_port
        self.port = 0
        self.silent = False
        self.delay_s = 0.0
        self.carried = 0
        self.over = False
        self._writers: set[asyncio.StreamWriter] = set()

    def cut(self) -> None:
        """Every connection is over, without a word; new ones come through."""
        for writer in self._writers:
            writer.transport.abort()

    def half_close(self) -> None:
        """Each end is told that the other says nothing more, and goes on saying what it likes."""
        for writer in self._writers:
            with suppress(OSError):
                if writer.can_write_eof():
                    writer.write_eof()

    async def carry(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        ends = {writer}
        self._writers |= ends
        try:
            if self.over:
                return
            far_reader, far_writer = await asyncio.open_connection("127.0.0.1", self.to_port)
            ends.add(far_writer)
            self._writers |= ends
            self.carried += 1
            async with asyncio.TaskGroup() as group:
                group.create_task(self._pass(reader, far_writer))
                group.create_task(self._pass(far_reader, writer))
        except OSError:
            pass  # nobody listens there
        finally:
            self._writers -= ends
            for one in ends:
                one.transport.abort()

    async def _pass(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            while data := await reader.read(CHUNK):
                await asyncio.sleep(self.delay_s)
                while self.silent:  # noqa: ASYNC110 -- whoever silences it has no event to set
                    await asyncio.sleep(0.02)
                writer.write(data)
                await writer.drain()
            if writer.can_write_eof():
                writer.write_eof()
        except (OSError, RuntimeError):  # one end is gone, or it was half closed meanwhile: the other end hears of it
            writer.transport.abort()


@asynccontextmanager
async def wire(to_port: int) -> AsyncIterator[Wire]:
    """To that port of this computer, for as long as the block lasts."""
    made = Wire(to_port)
    server = await asyncio.start_server(made.carry, "127.0.0.1", 0)
    made.port = server.sockets[0].getsockname()[1]
    try:
        yield made
    finally:
        server.close()
        made.over = True
        made.cut()
        await asyncio.sleep(SETTLES_S)  # whoever has come just now is closed, and not only forgotten
