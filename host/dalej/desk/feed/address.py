"""Where the live desk of an event listens: a small file beside the event, `league.dalej.live`, for its owner alone;
and a port that programs of this computer alone can reach, where whoever connects is met in a task of its own.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Coroutine
from contextlib import suppress
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Final

from dalej import drafts
from dalej.desk.feed.messages import PROTOCOL
from dalej.errors import Unreachable
from dalej.words import N_

LOOPBACK: Final = "127.0.0.1"
TOKEN_BYTES: Final = 32
_LONGEST: Final = 4_096


@dataclass(frozen=True, slots=True)
class Address:
    """`token`: 32 random bytes in hex, drawn anew by every desk."""

    host: str
    port: int
    token: str
    protocol: int = PROTOCOL


def file_of(event: Path) -> Path:
    """The file beside the event."""
    return event.with_name(f"{event.name}.live")


def publish(event: Path, address: Address) -> None:
    """Write the file, whole or not at all; Unreachable if the folder does not take it."""
    file = file_of(event)
    try:
        drafts.write(file, json.dumps(asdict(address)).encode())
    except OSError as error:
        raise Unreachable(N_("{file} cannot be written: {problem}"), file=str(file), problem=error.strerror) from error


def find(event: Path) -> Address:
    """Where the event's live desk said that it listens; Unreachable if none did."""
    try:
        with file_of(event).open("rb") as file:
            said = json.loads(file.read(_LONGEST))
        host, port, token, protocol = (said[name] for name in ("host", "port", "token", "protocol"))
    except FileNotFoundError:
        raise Unreachable(N_("no desk is live on {event}"), event=str(event)) from None
    except OSError as error:
        raise Unreachable(
            N_("{file} cannot be read: {problem}"), file=str(file_of(event)), problem=error.strerror
        ) from error
    except (ValueError, TypeError, KeyError, RecursionError):
        raise Unreachable(N_("{file} is not a desk's address"), file=str(file_of(event))) from None
    if host != LOOPBACK or type(port) is not int or not 0 < port < 65536 or not isinstance(token, str):
        raise Unreachable(N_("{file} is not a desk's address"), file=str(file_of(event)))
    if protocol != PROTOCOL:
        raise Unreachable(
            N_("the live desk of {event} speaks another version of this protocol: update it or this screen"),
            event=str(event),
        )
    return Address(host, port, token, protocol)


def withdraw(event: Path, address: Address) -> None:
    """Remove the file if it is still this desk's."""
    with suppress(Unreachable, OSError):
        if find(event) == address:
            file_of(event).unlink()


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
