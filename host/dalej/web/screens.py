"""A browser's socket and the screen behind it: what a browser says is read strictly and not too fast.

A browser sends JSON lists: ["stdin", "q"], ["resize", {"width": 80, "height": 24}], ["ping", "…"], ["focus"], ["blur"].
"""

from __future__ import annotations

import asyncio
import json
import logging
from collections.abc import Callable, Coroutine, Sequence
from contextlib import suppress
from typing import Any, Final

from aiohttp import ClientConnectionError, WSCloseCode, WSMsgType, web

from dalej.clock import Clock
from dalej.errors import DalejError, Refused
from dalej.web.answers import VARIABLE
from dalej.web.handing import Handing
from dalej.web.places import Places
from dalej.web.sessions import Session, Sessions
from dalej.web.terminal import HEIGHTS, WIDTHS, Terminal, within
from dalej.web.typed import Pace, Pastes
from dalej.words import N_, readable

MESSAGE_MOST: Final = 64 * 1024  # bytes: a long paste
HEARTBEAT_S: Final = 15.0  # a browser that went away without a word is noticed in one and a half of these

_LOST: Final = (ClientConnectionError, ConnectionError)  # of aiohttp, whichever way a connection ends

log = logging.getLogger("dalej.web")


class Screens:
    """`command(language)`: what shows the event in that language, as a program with its arguments."""

    def __init__(
        self,
        command: Callable[[str], Sequence[str]],
        handing: Handing,
        places: Places,
        sessions: Sessions,
        clock: Clock,
    ) -> None:
        self._command = command
        self._handing = handing
        self._places = places
        self._sessions = sessions
        self._clock = clock
        self._open: dict[Terminal, Session] = {}
        self._leaving: list[asyncio.Event] = []
        self._serving: set[asyncio.Task[None]] = set()
        self._closing = False

    @property
    def pids(self) -> list[int]:
        """Of the processes that show something now."""
        return [terminal.pid for terminal in self._open]

    async def serve(self, request: web.Request, session: Session) -> web.StreamResponse:
        """One screen, from its first byte to its end, whoever ends it."""
        socket = web.WebSocketResponse(heartbeat=HEARTBEAT_S, max_msg_size=MESSAGE_MOST)
        await socket.prepare(request)
        leave = asyncio.Event()
        session.note = None
        session.watchers.add(leave.set)
        self._leaving.append(leave)
        try:
            with self._places.taken(session):
                if not (session.ended or self._closing):
                    await self._apart(self._show(request, socket, session, leave))
        except Refused as refused:
            session.note = refused
        finally:
            self._leaving.remove(leave)
            session.watchers.discard(leave.set)
            with suppress(ConnectionError):
                await socket.close(code=WSCloseCode.OK)
        return socket

    async def close(self) -> None:
        """Every screen ends, and none begins any more; returns when the last process is gone."""
        self._closing = True
        for leave in self._leaving:
            leave.set()
        while self._serving:
            await asyncio.wait(self._serving)

    async def _apart(self, showing: Coroutine[Any, Any, None]) -> None:
        """In a task of its own, which ends its process however the browser's request ends."""
        task = asyncio.create_task(showing)
        self._serving.add(task)
        task.add_done_callback(self._serving.discard)
        await asyncio.shield(task)

    async def _show(
        self, request: web.Request, socket: web.WebSocketResponse, session: Session, leave: asyncio.Event
    ) -> None:
        async def paint(said: bytes) -> None:
            try:
                await socket.send_bytes(said)
            except _LOST:  # no failure of the screen's, which is heard out until it has quit
                leave.set()

        handed = self._handing.hand(session.actor)
        terminal = Terminal(
            self._command(session.language), {VARIABLE: handed.address}, write_bytes=paint, write_str=socket.send_str
        )
        self._open[terminal] = session
        try:
            await terminal.start(_number(request, "width", 80, WIDTHS), _number(request, "height", 24, HEIGHTS))
            ways = [
                asyncio.create_task(way)
                for way in (self._read(socket, terminal, session), terminal.until_over(), leave.wait())
            ]
            try:
                await asyncio.wait(ways, return_when=asyncio.FIRST_COMPLETED)
            finally:
                for way in ways:
                    way.cancel()
                await asyncio.wait(ways)
            if ways[1].done() and not ways[1].cancelled():
                self._say_how_it_ended(terminal, session)
        finally:
            self._handing.take(handed)
            await terminal.stop()
            del self._open[terminal]

    def _say_how_it_ended(self, terminal: Terminal, session: Session) -> None:
        if terminal.said_exit and not terminal.complaint:
            session.note = DalejError(N_("The screen was closed."))
            return
        session.note = DalejError(N_("The screen has failed; the server's terminal says why."))
        said = "\n".join(map(readable, terminal.complaint.splitlines()))  # what a browser typed may be in it
        log.error("a screen of %s failed: %s", session.actor.who, said or "without a word")

    async def _read(self, socket: web.WebSocketResponse, terminal: Terminal, session: Session) -> None:
        """Until the browser goes, or says what no browser says."""
        pace, pastes = Pace(self._clock), Pastes()
        with suppress(*_LOST):
            while (message := await socket.receive()).type is WSMsgType.TEXT:
                wait_s = pace.wait_s(len(message.data))
                if wait_s:
                    await asyncio.sleep(wait_s)
                try:
                    await self._heed(message.data, socket, terminal, session, pastes)
                except (ValueError, TypeError, KeyError, IndexError, RecursionError):
                    await socket.close(code=WSCloseCode.POLICY_VIOLATION)
                    return

    async def _heed(
        self, text: str, socket: web.WebSocketResponse, terminal: Terminal, session: Session, pastes: Pastes
    ) -> None:
        said: Any = json.loads(text)
        if not isinstance(said, list):
            raise TypeError(said)
        match said:
            case ["stdin", str(typed)]:
                pastes.expect_whole(typed)
                self._sessions.used(session)
                await terminal.send_bytes(typed.encode("utf-8", "replace"))
            case ["resize", {"width": int(width), "height": int(height)}]:
                await terminal.resize(width, height)
            case ["ping", str(at)]:
                await socket.send_json(["pong", at[:32]])
            case ["focus"]:
                await terminal.focus()
            case ["blur"]:
                await terminal.blur()
            case _:
                raise ValueError(said)


def _number(request: web.Request, name: str, default: int, limits: tuple[int, int]) -> int:
    text = request.query.get(name, "")[:6]
    return within(int(text), limits) if text.isascii() and text.isdecimal() else default
