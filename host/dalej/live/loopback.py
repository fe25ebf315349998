"""A port that programs of this computer alone can reach; whoever connects is met in a task of its own."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from typing import Any

from dalej.errors import Unreachable
from dalej.live.address import LOOPBACK
from dalej.words import N_

Meet = Callable[[asyncio.StreamReader, asyncio.StreamWriter], Coroutine[Any, Any, None]]


class Loopback:
    """`meet`: one connection, from its first line to its end; `limit`: bytes of a line."""

    def __init__(self, meet: Meet, limit: int) -> None:
        self._meet = meet
        self._limit = limit
        self._server: asyncio.Server | None = None
        self._meetings: dict[asyncio.Task[None], asyncio.StreamWriter] = {}

    async def open(self) -> int:
        """Listen at a port that the system picks, which is told; Unreachable if that cannot be."""
        try:
            self._server = await asyncio.start_server(self._come, LOOPBACK, 0, limit=self._limit)
        except OSError as error:
            raise Unreachable(
                N_("this computer allows no connections to itself: {problem}"), problem=error.strerror or str(error)
            ) from error
        port: int = self._server.sockets[0].getsockname()[1]
        return port

    async def close(self) -> None:
        """Listen no more, hang up on everybody, and wait until nobody is met any more. May be called unopened."""
        if self._server is not None:
            self._server.close()
        for writer in self._meetings.values():
            writer.transport.abort()
        await asyncio.gather(*self._meetings)

    def _come(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        meeting = asyncio.create_task(self._meet(reader, writer))
        self._meetings[meeting] = writer
        meeting.add_done_callback(self._meetings.pop)
