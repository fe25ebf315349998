"""A browser's socket and the screen behind it, a process of its own by textual-serve's `AppService`, and its sure
end. What a browser says is read strictly and not too fast: a hand, not a program, is at the other end. There is room
for so many.
"""

from __future__ import annotations

import asyncio
import logging
import os
import shlex
import sys
from asyncio.subprocess import PIPE, Process
from collections.abc import Awaitable, Callable, Coroutine, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from typing import Any, Final

from aiohttp import ClientConnectionError, WSCloseCode, WSMsgType, web
from msgspec import Struct
from textual_serve.app_service import AppService
from textual_serve.download_manager import DownloadManager

from dalej.clock import Clock
from dalej.errors import DalejError, Refused, WrongInput
from dalej.typedjson import Reader
from dalej.web.hands import VARIABLE, Handing
from dalej.web.sessions import Session, Sessions
from dalej.words import N_, readable

A_SECOND: Final = 2_000  # bytes: a hand that moves a mouse fast sends half of that
AT_ONCE: Final = 80 * 1024  # a long paste and more
LEAST: Final = 20  # bytes that every message counts as
WAIT_MOST_S: Final = 1.0
PASTE, PASTED = "\x1b[200~", "\x1b[201~"


class Pace:
    """How long the next message of one browser must wait."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._left = float(AT_ONCE)
        self._last_ms = clock.now_ms()

    def wait_s(self, length: int) -> float:
        """Before a message of that many characters is heeded; 0: at once."""
        now_ms = self._clock.now_ms()
        self._left = min(AT_ONCE, self._left + (now_ms - self._last_ms) * A_SECOND / 1_000) - max(LEAST, length)
        self._last_ms = now_ms
        return min(WAIT_MOST_S, max(0.0, -self._left / A_SECOND))


class Pastes:
    """A browser sends a paste whole. One that is begun and not ended would be kept by the screen for ever."""

    def __init__(self) -> None:
        self._before = ""

    def expect_whole(self, typed: str) -> None:
        """ValueError if a paste is begun and not ended, however it is cut into messages."""
        said = self._before + typed
        if said.rfind(PASTE) > said.rfind(PASTED):
            raise ValueError(PASTE)
        self._before = said[-(len(PASTE) - 1) :]


SCREENS: Final = 24  # a live desk serves 32, and there are terminals besides
KEPT: Final = 8
OF_ONE_SESSION: Final = 4


class Places:
    """`most`: screens at once; of these up to `kept` are for referees and organisers alone."""

    def __init__(self, most: int = SCREENS, kept: int = KEPT) -> None:
        self.most = most
        self._public_most = max(most - kept, (most + 1) // 2)
        self._taken = 0
        self._public = 0

    @contextmanager
    def taken(self, session: Session) -> Iterator[None]:
        """A place while the block lasts; Refused, in words, if there is none."""
        public = session.actor.role == "public"
        if session.screens >= OF_ONE_SESSION:
            raise Refused(N_("you have {most} screens open already: close one of them first"), most=OF_ONE_SESSION)
        if self._taken >= self.most:
            raise Refused(N_("{most} screens are open, this computer shows no more: close one first"), most=self.most)
        if public and self._public >= self._public_most:
            raise Refused(
                N_("{most} public screens are open, this computer shows no more: close one first"),
                most=self._public_most,
            )
        self._taken += 1
        self._public += public
        session.screens += 1
        try:
            yield
        finally:
            session.screens -= 1
            self._public -= public
            self._taken -= 1


QUIT_S: Final = 2.0  # a screen that is told to quit needs a tenth of it
DIE_S: Final = 2.0
GONE_AGAIN_S: Final = 0.02  # between two looks whether it is gone
FRAMES: Final = "20"  # a second: a clock ticks once, and every frame costs the hall's laptop
DRIVER: Final = "dalej.tui.app:ServedDriver"  # of Textual, for screens that are made with it
WIDTHS: Final = (20, 400)
HEIGHTS: Final = (6, 150)
_COMPLAINT_MOST: Final = 4_096  # bytes of what a screen says on stderr that are kept


def within(size: int, limits: tuple[int, int]) -> int:
    """A size that a screen can be drawn in, whatever a browser says."""
    return min(max(size, limits[0]), limits[1])


class _Meta(Struct, frozen=True):
    """What a screen says of itself."""

    type: str = ""


_META: Final[Reader[_Meta]] = Reader(_Meta)


class Terminal(AppService):
    """`command`: the program and its arguments; `environment`: besides what `AppService` gives it."""

    def __init__(
        self,
        command: Sequence[str],
        environment: Mapping[str, str],
        *,
        write_bytes: Callable[[bytes], Awaitable[None]],
        write_str: Callable[[str], Awaitable[None]],
    ) -> None:
        self._words = list(command)
        self._more = environment
        self._complaint = b""
        self._listening: asyncio.Task[None] | None = None
        self.said_exit = False
        super().__init__(
            shlex.join(command), write_bytes=write_bytes, write_str=write_str, close=self._closed,
            download_manager=DownloadManager(),
        )  # fmt: skip

    @property
    def pid(self) -> int:
        """Of its process; 0 before it was started."""
        return 0 if self._process is None else self._process.pid

    @property
    def complaint(self) -> str:
        """The end of what it said on stderr."""
        return self._complaint.decode("utf-8", "replace").strip()

    async def resize(self, width: int, height: int) -> None:
        """The browser's window has another size."""
        await self.set_terminal_size(within(width, WIDTHS), within(height, HEIGHTS))

    async def until_over(self) -> None:
        """Wait until the process has nothing more to say."""
        if self._task is not None:
            await asyncio.wait((self._task,))

    async def stop(self) -> None:
        """End it: told to, then made to. Returns when the process is gone, a few seconds later at worst."""
        process = self._process
        if process is None:
            return
        if process.returncode is None:
            with suppress(TimeoutError, OSError):
                async with asyncio.timeout(QUIT_S / 2):  # one that does not read keeps nobody waiting
                    await self.send_meta({"type": "quit"})
            self.stdin.close()
        for end, within_s in ((None, QUIT_S), (process.terminate, DIE_S), (process.kill, None)):
            if end is not None:
                with suppress(ProcessLookupError):
                    end()
            with suppress(TimeoutError):
                async with asyncio.timeout(within_s):
                    await _gone(process)
                break
        for task in (self._task, self._listening):
            if task is not None:
                task.cancel()
                await asyncio.wait((task,))
        self._task = None
        process._transport.close()  # type: ignore[attr-defined]  # noqa: SLF001 -- a pipe that nobody reads stays open

    async def _open_app_process(self, width: int = 80, height: int = 24) -> Process:
        """Without a shell, and apart from a Ctrl-C at the server's terminal."""
        environment = self._build_environment(within(width, WIDTHS), within(height, HEIGHTS))
        environment |= {
            "TEXTUAL_FPS": FRAMES,
            "TEXTUAL_DRIVER": DRIVER,
            "PYTHONIOENCODING": "utf-8:backslashreplace",
            **self._more,
        }
        self._process = process = await asyncio.create_subprocess_exec(
            *self._words, stdin=PIPE, stdout=PIPE, stderr=PIPE, env=environment, **_apart()
        )
        assert process.stdin is not None
        assert process.stderr is not None
        self._stdin = process.stdin
        self._listening = asyncio.create_task(self._listen(process.stderr))
        process.stderr = asyncio.StreamReader()  # AppService would print it all
        process.stderr.feed_eof()
        return process

    async def on_meta(self, data: bytes) -> None:
        """A screen says when it ends. It hands out no files and opens no pages: browsers take that for advertising,
        and what is printed lies beside the event.
        """
        if _META.read(data).type == "exit":
            await self.remote_close()

    async def _listen(self, stderr: asyncio.StreamReader) -> None:
        while said := await stderr.read(_COMPLAINT_MOST):
            self._complaint = (self._complaint + said)[-_COMPLAINT_MOST:]

    async def _closed(self) -> None:
        """The screen says that it ends by itself."""
        self.said_exit = True


async def _gone(process: Process) -> None:
    """`process.wait()` waits for its pipes too, and one that nobody reads never ends."""
    while process.returncode is None:  # noqa: ASYNC110 -- it tells nobody else
        await asyncio.sleep(GONE_AGAIN_S)


def _apart() -> dict[str, Any]:
    if sys.platform == "win32":
        import subprocess  # noqa: PLC0415 -- its flags exist on Windows alone

        return {"creationflags": subprocess.CREATE_NEW_PROCESS_GROUP}
    return {"start_new_session": True} if os.name == "posix" else {}


MESSAGE_MOST: Final = 64 * 1024  # bytes: a long paste
HEARTBEAT_S: Final = 15.0  # a browser that went away without a word is noticed in one and a half of these


class _Said(Struct, frozen=True, array_like=True, forbid_unknown_fields=True):
    """What a browser says: a list that begins with a word."""


class _Typed(_Said, frozen=True, tag="stdin"):
    keys: str


class _Size(Struct, frozen=True):
    width: int
    height: int


class _Resized(_Said, frozen=True, tag="resize"):
    size: _Size


class _Pinged(_Said, frozen=True, tag="ping"):
    at: str


class _Focused(_Said, frozen=True, tag="focus"):
    pass


class _Blurred(_Said, frozen=True, tag="blur"):
    pass


_BROWSER: Final[Reader[_Typed | _Resized | _Pinged | _Focused | _Blurred]] = Reader(
    _Typed | _Resized | _Pinged | _Focused | _Blurred, halves=True
)

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
                except (WrongInput, ValueError):
                    await socket.close(code=WSCloseCode.POLICY_VIOLATION)
                    return

    async def _heed(
        self, text: str, socket: web.WebSocketResponse, terminal: Terminal, session: Session, pastes: Pastes
    ) -> None:
        match _BROWSER.read(text):
            case _Typed(keys):
                pastes.expect_whole(keys)
                self._sessions.used(session)
                await terminal.send_bytes(keys.encode("utf-8", "replace"))
            case _Resized(size):
                await terminal.resize(size.width, size.height)
            case _Pinged(at):
                await socket.send_json(["pong", at[:32]])
            case _Focused():
                await terminal.focus()
            case _Blurred():
                await terminal.blur()


def _number(request: web.Request, name: str, default: int, limits: tuple[int, int]) -> int:
    text = request.query.get(name, "")[:6]
    return within(int(text), limits) if text.isascii() and text.isdecimal() else default
