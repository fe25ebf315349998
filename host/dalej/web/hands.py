"""Wishes of a screen in a browser on their way: it opens a loopback socket with a token that it was given at its
start; the server, which knows who logged in as what, does them one after the other on a ledger connection of its own.
Lines, first line, limits and refusals are those of `dalej.desk.feed`.
"""

from __future__ import annotations

import asyncio
import logging
import socket
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass
from itertools import count
from threading import Lock, Thread
from typing import Any, BinaryIO, Final, Literal

from msgspec import Struct
from msgspec.structs import replace

from dalej.desk.feed.client import Live
from dalej.desk.feed.loopback import HOST, TOKEN_BYTES, Loopback, is_token
from dalej.desk.feed.messages import (
    LONGEST,
    PROTOCOL,
    Fields,
    FromScreen,
    Integer,
    Look,
    Message,
    Open,
    Refusal,
    Template,
    ToScreen,
    Welcome,
    expect_fit,
    parted,
    plain,
    written,
)
from dalej.errors import DalejError, Damaged, Refused, Unreachable, WrongInput
from dalej.event.event import Event
from dalej.office.acts.act import read
from dalej.office.acts.performer import Handler, Performer
from dalej.office.acts.roles import EVERYBODY, WORDS, Actor, Role, role_of
from dalej.office.acts.sessions import EndSessions
from dalej.office.acts.wishes import Done, Wish, done
from dalej.typedjson import Reader, line_of
from dalej.web.sessions import Sessions
from dalej.words import N_

VARIABLE: Final = "DALEJ_HANDED"  # in a screen's environment: 127.0.0.1:PORT:TOKEN

# --- what a screen says, after the line that opens -----


class Wished(Struct, frozen=True, forbid_unknown_fields=True):
    """A wish on its way."""

    act: str
    args: dict[str, Any]
    why: str
    seen: Integer


class Asked(Message, frozen=True, tag="wish"):
    """Do that. `id`: of the answer, too."""

    id: Integer
    wish: Wished


# --- what the server says -----

_Family = Literal["wrong_input", "refused", "damaged", "unreachable"]


class Acting(Message, frozen=True):
    """The first line: who logged in, and as what."""

    name: str
    role: Role


class Performed(Message, frozen=True, tag="done"):
    """It was done."""

    id: Integer
    template: Template
    data: Fields
    decisions: tuple[Integer, ...]
    requests: tuple[Integer, ...]
    undo: Wished | None


class Failed(Message, frozen=True, tag="error"):
    """It was not done: a DalejError, of that family."""

    id: Integer
    family: _Family
    template: Template
    data: Fields


_FAMILIES: Final[Mapping[_Family, type[DalejError]]] = {
    "wrong_input": WrongInput, "refused": Refused, "damaged": Damaged, "unreachable": Unreachable,
}  # fmt: skip
_DEEPEST: Final = 100  # sentences within sentences: a refusal names all that could have been chosen, one in the other
FROM_SCREEN: Final[Reader[Open | Asked]] = Reader(Open | Asked, LONGEST)
TO_SCREEN: Final[Reader[Acting | Performed | Failed | Refusal]] = Reader(Acting | Performed | Failed | Refusal, LONGEST)


def wished(wish: Wish) -> Wished:
    """As it travels."""
    return Wished(wish.act, dict(wish.args), wish.why, wish.seen)


def wish_of(said: Wished) -> Wish:
    """Back again; what its arguments are, the act itself reads."""
    return Wish(said.act, said.args, said.why, said.seen)


def answer(number: int, came_of_it: Done | DalejError) -> Performed | Failed:
    """What came of the wish of that number; what fields are is kept as far as JSON has it."""
    template, data = written(came_of_it.template), plain(came_of_it.data)
    if isinstance(came_of_it, DalejError):
        family: _Family = next((name for name, kind in _FAMILIES.items() if isinstance(came_of_it, kind)), "refused")
        return Failed(number, family, template, data)
    undo = None if came_of_it.undo is None else wished(came_of_it.undo)
    return Performed(number, template, data, tuple(came_of_it.decisions), tuple(came_of_it.requests), undo)


def outcome(said: Performed | Failed) -> Done:
    """Back again, an error is raised; Unreachable if it cannot be understood."""
    try:
        expect_fit(said.template, said.data, _DEEPEST)
    except WrongInput:
        raise Unreachable(N_("the desk's answer cannot be understood")) from None
    data = parted(said.data)
    if isinstance(said, Failed):
        raise _FAMILIES[said.family](said.template, **data)
    undo = None if said.undo is None else wish_of(said.undo)
    return Done(said.template, data, said.decisions, said.requests, undo)


# --- the server's end -----

SHOW_WITHIN_S: Final = 30.0  # a crowded laptop takes seconds to start a program
DONE_WITHIN_S: Final = 3.0  # once the server ends

log = logging.getLogger("dalej.web")


@dataclass(eq=False, slots=True)
class Handed:
    """What one screen was given. `address`: for its environment; `until_s`: by the loop's time its token counts."""

    actor: Actor
    token: str
    address: str
    until_s: float
    writer: asyncio.StreamWriter | None = None
    over: bool = False


class Handing:
    """`perform(actor, wish)`: does it, or raises a DalejError; `random(n)`: that many unpredictable bytes."""

    def __init__(
        self, perform: Callable[[Actor, Wish], Awaitable[Done]], random: Callable[[int], bytes],
        *, show_within_s: float = SHOW_WITHIN_S, done_within_s: float = DONE_WITHIN_S,
    ) -> None:  # fmt: skip
        self._show_within_s = show_within_s
        self._done_within_s = done_within_s
        self._perform = perform
        self._random = random
        self._loopback: Loopback[Handed, Asked] = Loopback(FROM_SCREEN.read, self._let_in, self._heed)
        self._port = 0
        self._expected: list[Handed] = []

    async def open(self) -> None:
        """Listen at a port that the system picks; Unreachable if that cannot be."""
        self._port = await self._loopback.open()

    def hand(self, actor: Actor) -> Handed:
        """A token for a screen that is about to start; give it back with `take`."""
        assert self._port, "it was not opened"
        token = self._random(TOKEN_BYTES).hex()
        until_s = asyncio.get_running_loop().time() + self._show_within_s
        handed = Handed(actor, token, f"{HOST}:{self._port}:{token}", until_s)
        self._expected.append(handed)
        return handed

    def take(self, handed: Handed) -> None:
        """It can do nothing any more, from this instant; its screen ends itself when it finds out."""
        handed.over = True
        with suppress(ValueError):
            self._expected.remove(handed)
        if handed.writer is not None:
            handed.writer.close()

    async def close(self) -> None:
        """Hang up on everybody; what is being done has a few seconds to be done."""
        try:
            async with asyncio.timeout(self._done_within_s):
                await self._loopback.close()
        except TimeoutError:
            log.error("an act does not end")  # nobody waits for its answer any more

    def _let_in(self, token: str, writer: asyncio.StreamWriter) -> Handed:
        """Whose token it is; it counts no more."""
        now_s = asyncio.get_running_loop().time()
        self._expected = [one for one in self._expected if now_s < one.until_s]
        found = [one for one in self._expected if is_token(token, one.token)]
        if not found:
            raise Refused(N_("the server of this screen does not know it, or has ended its session"))
        handed = found[0]
        self._expected.remove(handed)
        handed.writer = writer
        writer.write(line_of(Acting(handed.actor.name, handed.actor.role)))
        return handed

    async def _heed(self, handed: Handed, asked: Asked) -> None:
        if not handed.over and handed.writer is not None:
            handed.writer.write(await self._answer(handed, asked))
            await handed.writer.drain()

    async def _answer(self, handed: Handed, asked: Asked) -> bytes:
        try:
            return line_of(answer(asked.id, await self._perform(handed.actor, wish_of(asked.wish))))
        except DalejError as error:
            return line_of(answer(asked.id, error))
        except Exception:
            log.exception("an act failed")
            failed = Unreachable(N_("the desk has failed at that; the server's terminal says at what"))
            return line_of(answer(asked.id, failed))


# --- the screen's end -----

CONNECT_S: Final = 5.0
ANSWER_S: Final = 20.0


def join(handed: str) -> RemoteHands:
    """Connect to the server that started this screen; `handed`: what it put into the environment.

    Unreachable if it is gone or does not know the token, which counts once.
    """
    host, _, rest = handed.partition(":")
    port, _, token = rest.partition(":")
    if host != HOST or not (port.isdecimal() and 0 < int(port) < 65536):
        raise WrongInput(N_("this screen was not started by the server of an event"))
    nobody = Unreachable(N_("the server of this screen is gone, or has ended its session"))
    try:
        connection = socket.create_connection((host, int(port)), timeout=CONNECT_S)
        reading = connection.makefile("rb")
        try:
            connection.sendall(line_of(Open(token, PROTOCOL)))
            said = TO_SCREEN.read(reading.readline(LONGEST))
            if isinstance(said, Refusal):
                expect_fit(said.template, said.data)
                raise Unreachable(said.template, **parted(said.data))
            if not isinstance(said, Acting):
                raise nobody
        except BaseException:
            reading.close()
            connection.close()
            raise
    except (OSError, WrongInput):
        raise nobody from None
    connection.settimeout(None)
    return RemoteHands(connection, reading, Actor(said.name, said.role, served=True))


class RemoteHands:
    """`Hands` over a connected socket; `attend` must have been called before something is done."""

    def __init__(self, connection: socket.socket, reading: BinaryIO, actor: Actor) -> None:
        self._connection = connection
        self._reading = reading
        self._actor = actor
        self._numbers = count(1)
        self._waiting: dict[int, Future[Performed | Failed]] = {}
        self._lock = Lock()
        self._sending = Lock()
        self._over = False
        self._closed = False
        self._gone: Callable[[], None] = lambda: None
        self._thread: Thread | None = None

    @property
    def actor(self) -> Actor:
        """Who logged in, as the server says."""
        return self._actor

    def attend(self, gone: Callable[[], None]) -> None:
        """Read answers from now on; `gone()`, in another thread, when the server hangs up."""
        self._gone = gone
        self._thread = Thread(target=self._read, name="dalej-hands", daemon=True)
        self._thread.start()

    async def do(self, wish: Wish) -> Done:
        """Done, or the DalejError that says why not. Unreachable if no answer comes: then it may have been done."""
        said: Future[Performed | Failed] = Future()
        with self._lock:
            number = next(self._numbers)
            if self._over:
                raise _gone()
            self._waiting[number] = said
        try:
            line = line_of(Asked(number, wished(wish)))
            if len(line) > LONGEST:
                raise WrongInput(N_("that is more than can be said at once"))
            await asyncio.to_thread(self._send, line)
            async with asyncio.timeout(ANSWER_S):
                return outcome(await asyncio.wrap_future(said))
        except TimeoutError:
            raise Unreachable(
                N_("the desk has not answered for {seconds} s: look whether it was done before you wish it again"),
                seconds=int(ANSWER_S),
            ) from None
        except OSError:
            raise _gone() from None
        finally:
            with self._lock:
                self._waiting.pop(number, None)

    def close(self) -> None:
        """Hang up; `gone` is not called for that. May be called twice."""
        self._closed = True
        with suppress(OSError):
            self._connection.shutdown(socket.SHUT_RDWR)
        if self._thread is not None and not self._over:  # else it has read to the end, and may be in `gone`
            self._thread.join()
        self._reading.close()
        self._connection.close()

    def _send(self, line: bytes) -> None:
        with self._sending:
            self._connection.sendall(line)

    def _read(self) -> None:
        with suppress(OSError, ValueError, DalejError):
            while line := self._reading.readline(LONGEST + 1):
                said = TO_SCREEN.read(line)
                if not isinstance(said, Performed | Failed):
                    break
                with self._lock:
                    waiting = self._waiting.pop(said.id, None)
                if waiting is not None and waiting.set_running_or_notify_cancel():  # nobody can give it up any more
                    waiting.set_result(said)
        with self._lock:
            self._over = True
            left = list(self._waiting.values())
            self._waiting.clear()
        for waiting in left:
            if waiting.set_running_or_notify_cancel():
                waiting.set_exception(_gone())
        if not self._closed:
            self._gone()


def _gone() -> Unreachable:
    return Unreachable(N_("the server has hung up: look whether it was done before you wish it again"))


class Doing:
    """`performer` is used in this thread alone."""

    def __init__(self, performer: Performer) -> None:
        self._performer = performer
        self._thread = ThreadPoolExecutor(max_workers=1, thread_name_prefix="dalej-acts")

    async def perform(self, actor: Actor, wish: Wish) -> Done:
        """Done, or the DalejError that says why not."""
        return await asyncio.get_running_loop().run_in_executor(self._thread, self._performer.do, actor, wish)

    def close(self) -> None:
        """Wait for what is being done; nothing more is."""
        self._thread.shutdown(cancel_futures=True)


def ending(sessions: Sessions, loop: asyncio.AbstractEventLoop) -> Handler:
    """The act `end_sessions`: of one role, or everybody's, whoever wishes it included."""

    def end_sessions(_event: Event, wish: Wish) -> Done:
        named = read(EndSessions, wish).role
        role = None if named == EVERYBODY else role_of(named)
        loop.call_soon_threadsafe(sessions.end_all, "ended", role)
        if role is None:
            return done(N_("Whoever was logged in over the web has been logged out."))
        return done(N_("Logged out: everybody with the role {role}."), role=DalejError(WORDS[role]))

    return end_sessions


class Onlooker:
    """A connection to the desk from which nothing comes but what is looked at."""

    def __init__(self, live: Live) -> None:
        self._live = live

    async def messages(self) -> AsyncIterator[ToScreen]:
        """Everything the desk says; to this screen no hall is simulated."""
        async for message in self._live.messages():
            yield replace(message, simulated=False) if isinstance(message, Welcome) else message

    async def send(self, message: FromScreen) -> None:
        """Only where it looks."""
        if isinstance(message, Look):
            await self._live.send(message)

    async def close(self) -> None:
        """Hang up."""
        await self._live.close()
