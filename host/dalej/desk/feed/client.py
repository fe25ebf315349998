"""A screen's end of the live feed. Losing it loses nothing: facts are in the ledger, and a new connection tells all."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import suppress
from pathlib import Path
from typing import Final

from dalej.desk.feed import address
from dalej.desk.feed.messages import (
    LONGEST,
    PROTOCOL,
    FromScreen,
    Open,
    Refusal,
    ToScreen,
    Welcome,
    line_of,
    parted,
    to_screen,
)
from dalej.errors import DalejError, Sayable, Unreachable, WrongInput
from dalej.words import N_

ANSWER_S: Final = 3.0
SILENT_S: Final = 5.0  # a desk pulses every second


async def connect(event: Path) -> Live:
    """Connect to the desk that is live on the event; Unreachable, in words, if there is none or it refuses."""
    found = address.find(event)
    try:
        async with asyncio.timeout(ANSWER_S):
            reader, writer = await asyncio.open_connection(found.host, found.port, limit=LONGEST)
    except (OSError, TimeoutError):
        raise Unreachable(
            N_("the desk that was live on {event} is gone: nobody answers at its address"), event=str(event)
        ) from None
    live = Live(reader, writer)
    try:
        await live.send(Open(found.token, PROTOCOL))
        said = await live.hear(ANSWER_S)
    except BaseException:
        await live.close()
        raise
    if isinstance(said, Welcome):
        live.welcome = said
        return live
    await live.close()
    if isinstance(said, Refusal):
        raise Unreachable(said.template, **parted(said.data))
    raise Unreachable(N_("whoever answers for {event} is no desk"), event=str(event))


class Live:
    """A connection to a live desk. `welcome`: what it said first, again the first of `messages`."""

    welcome: Welcome

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._reader = reader
        self._writer = writer

    async def messages(self) -> AsyncIterator[ToScreen]:
        """Everything the desk says; Unreachable when it is gone or silent for 5 s."""
        yield self.welcome
        while True:
            yield await self.hear(SILENT_S)

    async def hear(self, within_s: float) -> ToScreen:
        """The next message."""
        try:
            async with asyncio.timeout(within_s):
                return to_screen(await self._reader.readuntil(b"\n"))
        except TimeoutError:
            raise Unreachable(N_("the desk says nothing for {seconds} s"), seconds=int(within_s)) from None
        except (asyncio.IncompleteReadError, OSError):
            raise Unreachable(N_("the desk has closed the connection")) from None
        except (asyncio.LimitOverrunError, WrongInput) as error:
            problem: Sayable = error if isinstance(error, DalejError) else N_("a line without an end")
            raise Unreachable(N_("the desk cannot be understood: {problem}"), problem=problem) from None

    async def send(self, message: FromScreen) -> None:
        """Say what this screen wishes; Unreachable if nobody is there to hear it."""
        try:
            self._writer.write(line_of(message))
            await self._writer.drain()
        except OSError:
            raise Unreachable(N_("the desk has closed the connection")) from None

    async def close(self) -> None:
        """Hang up. May be called twice."""
        self._writer.close()
        with suppress(OSError):
            await self._writer.wait_closed()
