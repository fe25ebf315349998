"""The hands of a screen in a browser: wishes go over a socket to the server, which knows who logged in, as what.

The same socket is the screen's lifeline: when it ends, whether the session did or the server was killed, so does the
screen. It is read in a thread of its own, which a screen that is stuck cannot hold up.
"""

from __future__ import annotations

import asyncio
import socket
from collections.abc import Callable
from concurrent.futures import Future
from contextlib import suppress
from itertools import count
from threading import Lock, Thread
from typing import Any, BinaryIO, Final

from dalej.acts.roles import Actor, role_of
from dalej.acts.wishes import Done, Wish, to_json
from dalej.errors import DalejError, Unreachable, WrongInput
from dalej.live.address import LOOPBACK
from dalej.web.answers import LONGEST, done_from_json, error_from_json, line_of, read
from dalej.words import N_

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
