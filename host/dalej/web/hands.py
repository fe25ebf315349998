"""Wishes of a screen in a browser on their way: it opens a loopback socket with a token that it was given at its
start; the server, which knows who logged in as what, does them one after the other on a ledger connection of its own.
One JSON object a line, each at most 64 KiB.
"""

from __future__ import annotations

import asyncio
import hmac
import json
import logging
import socket
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass, replace
from itertools import count
from threading import Lock, Thread
from typing import Any, BinaryIO, Final

from dalej.desk.feed.address import LOOPBACK, Loopback
from dalej.desk.feed.client import Live
from dalej.desk.feed.messages import FromScreen, Look, ToScreen, Welcome, parted, plain
from dalej.errors import DalejError, Damaged, Refused, Unreachable, WrongInput
from dalej.event.event import Event
from dalej.office.acts.performer import Handler, Performer
from dalej.office.acts.roles import EVERYBODY, ROLES, WORDS, Actor, role_of
from dalej.office.acts.wishes import Args, Done, Wish, done, from_json, to_json
from dalej.web.sessions import Sessions
from dalej.words import N_

LONGEST: Final = 64 * 1024
VARIABLE: Final = "DALEJ_HANDED"  # in a screen's environment: 127.0.0.1:PORT:TOKEN

_FAMILIES: Final[Mapping[str, type[DalejError]]] = {
    "wrong_input": WrongInput, "refused": Refused, "damaged": Damaged, "unreachable": Unreachable,
}  # fmt: skip


def line_of(said: Mapping[str, object]) -> bytes:
    """The line, with its end."""
    return json.dumps(said, separators=(",", ":")).encode() + b"\n"


def read(line: bytes) -> dict[str, Any]:
    """The object of a line; WrongInput if it is none."""
    try:
        said = json.loads(line)
    except (ValueError, RecursionError):
        raise WrongInput(N_("a line that is no JSON in UTF-8")) from None
    if not isinstance(said, dict):
        raise WrongInput(N_("a line that is no JSON object"))
    return said


def error_to_json(error: DalejError) -> dict[str, object]:
    """The error; what its fields are is kept as far as JSON has it."""
    family = next((name for name, kind in _FAMILIES.items() if isinstance(error, kind)), "refused")
    return {"family": family, "template": error.template, "data": plain(error.data)}


def error_from_json(said: object) -> DalejError:
    """Back again; Unreachable if it cannot be understood."""
    try:
        assert isinstance(said, dict)
        return _FAMILIES[said["family"]](said["template"], **parted(said["data"]))
    except (AssertionError, KeyError, IndexError, ValueError, TypeError, AttributeError, RecursionError):
        return Unreachable(N_("the desk's answer cannot be understood"))


def done_to_json(done: Done) -> dict[str, object]:
    """What was done."""
    return {
        "template": done.template, "data": plain(done.data), "decisions": list(done.decisions),
        "requests": list(done.requests), "undo": None if done.undo is None else to_json(done.undo),
    }  # fmt: skip


def done_from_json(said: object) -> Done:
    """Back again; Unreachable if it cannot be understood."""
    try:
        assert isinstance(said, dict)
        undo = said["undo"]
        done = Done(
            said["template"], parted(said["data"]), tuple(said["decisions"]), tuple(said["requests"]),
            None if undo is None else from_json(undo),
        )  # fmt: skip
        str(done)
    except (AssertionError, KeyError, IndexError, ValueError, TypeError, AttributeError, RecursionError, WrongInput):
        raise Unreachable(N_("the desk's answer cannot be understood")) from None
    return done


OPEN_WITHIN_S: Final = 3.0
SHOW_WITHIN_S: Final = 30.0  # a crowded laptop takes seconds to start a program
DONE_WITHIN_S: Final = 3.0  # once the server ends
STRANGERS_MOST: Final = 32
TOKEN_BYTES: Final = 32

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
        self._loopback = Loopback(self._meet, LONGEST)
        self._port = 0
        self._expected: list[Handed] = []
        self._strangers: set[asyncio.StreamWriter] = set()

    async def open(self) -> None:
        """Listen at a port that the system picks; Unreachable if that cannot be."""
        self._port = await self._loopback.open()

    def hand(self, actor: Actor) -> Handed:
        """A token for a screen that is about to start; give it back with `take`."""
        assert self._port, "it was not opened"
        token = self._random(TOKEN_BYTES).hex()
        until_s = asyncio.get_running_loop().time() + self._show_within_s
        handed = Handed(actor, token, f"{LOOPBACK}:{self._port}:{token}", until_s)
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

    async def _meet(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """One connection, from its token to its end."""
        if len(self._strangers) >= STRANGERS_MOST:
            writer.transport.abort()
            return
        self._strangers.add(writer)
        try:
            async with asyncio.timeout(OPEN_WITHIN_S):
                handed = self._known(read(await reader.readuntil(b"\n")).get("token"))
            self._strangers.discard(writer)
            if handed is None:
                return
            handed.writer = writer
            writer.write(line_of({"name": handed.actor.name, "role": handed.actor.role}))
            while not handed.over:
                said = read(await reader.readuntil(b"\n"))
                if handed.over:
                    return
                writer.write(line_of(await self._answer(handed, said)))
                await writer.drain()
        except (TimeoutError, asyncio.IncompleteReadError, asyncio.LimitOverrunError, WrongInput, OSError):
            pass
        finally:
            self._strangers.discard(writer)
            writer.close()

    def _known(self, token: object) -> Handed | None:
        """Whose token it is; it counts no more."""
        shown = token.encode("utf-8", "replace") if isinstance(token, str) else b""
        now_s = asyncio.get_running_loop().time()
        self._expected = [one for one in self._expected if now_s < one.until_s]
        found = [one for one in self._expected if hmac.compare_digest(one.token.encode(), shown)]
        if not found:
            return None
        self._expected.remove(found[0])
        return found[0]

    async def _answer(self, handed: Handed, said: dict[str, object]) -> dict[str, object]:
        number = said.get("id")
        if type(number) is not int:
            raise WrongInput(N_("a wish without its number"))
        try:
            done = await self._perform(handed.actor, from_json(said.get("wish")))
        except DalejError as error:
            return {"id": number, "error": error_to_json(error)}
        except Exception:
            log.exception("an act failed")
            failed = Unreachable(N_("the desk has failed at that; the server's terminal says at what"))
            return {"id": number, "error": error_to_json(failed)}
        return {"id": number, "done": done_to_json(done)}


CONNECT_S: Final = 5.0
ANSWER_S: Final = 20.0


def join(handed: str) -> RemoteHands:
    """Connect to the server that started this screen; `handed`: what it put into the environment.

    Unreachable if it is gone or does not know the token, which counts once.
    """
    host, _, rest = handed.partition(":")
    port, _, token = rest.partition(":")
    if host != LOOPBACK or not (port.isdecimal() and 0 < int(port) < 65536):
        raise WrongInput(N_("this screen was not started by dalej serve"))
    try:
        connection = socket.create_connection((host, int(port)), timeout=CONNECT_S)
        reading = connection.makefile("rb")
        try:
            connection.sendall(line_of({"token": token}))
            welcome = read(reading.readline(LONGEST))
            actor = Actor(str(welcome["name"]), role_of(str(welcome["role"])), served=True)
        except BaseException:
            reading.close()
            connection.close()
            raise
    except (OSError, WrongInput, KeyError):
        raise Unreachable(N_("the server of this screen is gone, or has ended its session")) from None
    connection.settimeout(None)
    return RemoteHands(connection, reading, actor)


class RemoteHands:
    """`Hands` over a connected socket; `attend` must have been called before something is done."""

    def __init__(self, connection: socket.socket, reading: BinaryIO, actor: Actor) -> None:
        self._connection = connection
        self._reading = reading
        self._actor = actor
        self._numbers = count(1)
        self._waiting: dict[int, Future[dict[str, Any]]] = {}
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
        said: Future[dict[str, Any]] = Future()
        with self._lock:
            number = next(self._numbers)
            if self._over:
                raise _gone()
            self._waiting[number] = said
        try:
            line = line_of({"id": number, "wish": to_json(wish)})
            if len(line) > LONGEST:
                raise WrongInput(N_("that is more than can be said at once"))
            await asyncio.to_thread(self._send, line)
            async with asyncio.timeout(ANSWER_S):
                answer = await asyncio.wrap_future(said)
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
        if "error" in answer:
            raise error_from_json(answer["error"])
        return done_from_json(answer.get("done"))

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
                said = read(line)
                with self._lock:
                    waiting = self._waiting.pop(said.get("id", 0), None)
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
    return Unreachable(
        N_("the server has hung up: look whether it was done before you wish it again"),
    )


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
        named = Args(wish).one_of("role", (EVERYBODY, *ROLES))
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
