"""A port that programs of this computer alone can reach. Whoever connects is met in a task of its own: a stranger until
its first line has shown a token, then a guest whose lines are heeded one after the other. Who is not let in, or says
what nobody says, is told why in words, and hung up on.
"""

from __future__ import annotations

import asyncio
import hmac
from collections.abc import Callable, Coroutine
from contextlib import suppress
from typing import Any, Final, Generic, TypeVar

from dalej.desk.feed.messages import LONGEST, PROTOCOL, Open, Refusal, plain, written
from dalej.errors import DalejError, Refused, Unreachable, WrongInput
from dalej.typedjson import line_of
from dalej.words import N_, cause

HOST: Final = "127.0.0.1"
TOKEN_BYTES: Final = 32
STRANGERS_MOST: Final = 32
OPEN_WITHIN_S: Final = 3.0

Guest = TypeVar("Guest")
Said = TypeVar("Said")


class Loopback(Generic[Guest, Said]):
    """`read(line)`: what guests say; `let_in(token, writer)`: who that is, Refused if nobody; `heed(guest, said)`: its
    next line, WrongInput or Refused ends the visit; `gone(guest)`: the visit is over, whoever has ended it.
    """

    def __init__(
        self,
        read: Callable[[bytes], Open | Said],
        let_in: Callable[[str, asyncio.StreamWriter], Guest],
        heed: Callable[[Guest, Said], Coroutine[Any, Any, None]],
        gone: Callable[[Guest], None] = lambda _: None,
        *,
        open_within_s: float = OPEN_WITHIN_S,
    ) -> None:
        self._read = read
        self._let_in = let_in
        self._heed = heed
        self._gone = gone
        self._open_within_s = open_within_s
        self._server: asyncio.Server | None = None
        self._meetings: dict[asyncio.Task[None], asyncio.StreamWriter] = {}
        self.strangers: dict[asyncio.StreamWriter, None] = {}

    async def open(self) -> int:
        """Listen at a port that the system picks, which is told; Unreachable if that cannot be."""
        try:
            self._server = await asyncio.start_server(self._come, HOST, 0, limit=LONGEST)
        except OSError as error:
            raise Unreachable(
                N_("this computer allows no connections to itself: {problem}"), problem=cause(error)
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

    async def _meet(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """One connection, from its first line to its end."""
        if len(self.strangers) >= STRANGERS_MOST:
            longest = next(iter(self.strangers))
            del self.strangers[longest]
            longest.transport.abort()
        self.strangers[writer] = None
        try:
            async with asyncio.timeout(self._open_within_s):
                opening = self._read(await reader.readuntil(b"\n"))
            guest = self._let_in(_token_of(opening), writer)
            try:
                self.strangers.pop(writer, None)
                await self._host(guest, reader)
            finally:
                self._gone(guest)
        except (WrongInput, Refused) as error:
            _tell(writer, error)
        except asyncio.LimitOverrunError:
            _tell(writer, WrongInput(N_("a line of more than {most} bytes"), most=LONGEST))
        except (TimeoutError, asyncio.IncompleteReadError, OSError):
            pass
        finally:
            self.strangers.pop(writer, None)
            await self._part(writer)

    async def _host(self, guest: Guest, reader: asyncio.StreamReader) -> None:
        while True:
            said = self._read(await reader.readuntil(b"\n"))
            if isinstance(said, Open):
                raise WrongInput(N_("this screen has been let in already"))
            await self._heed(guest, said)
            await asyncio.sleep(0)  # a flood of lines lets all others go on

    async def _part(self, writer: asyncio.StreamWriter) -> None:
        """Hang up when the last words are read, or a little later if nobody reads them."""
        writer.close()
        with suppress(OSError):
            try:
                async with asyncio.timeout(self._open_within_s):
                    await writer.wait_closed()
            except TimeoutError:
                writer.transport.abort()


def is_token(shown: str, token: str) -> bool:
    """Whether they are the same; takes the same time however much of it is."""
    return hmac.compare_digest(shown.encode(), token.encode())


def refusal(error: DalejError) -> Refusal:
    """The error as it is told."""
    return Refusal(written(error.template), plain(error.data))


def _token_of(opening: object) -> str:
    """That of a first line of this version."""
    if not isinstance(opening, Open):
        raise Refused(N_("who connects shows a token first: expected the line that opens"))
    if opening.protocol != PROTOCOL:
        raise Refused(N_("the desk speaks another version of this protocol: update it or this screen"))
    return opening.token


def _tell(writer: asyncio.StreamWriter, error: DalejError) -> None:
    """Why it ends here."""
    if not writer.is_closing():
        writer.write(line_of(refusal(error)))
