"""One port for https and for the http that somebody types: by its first byte a connection is handed on sealed or plain.

The byte is looked at and left where it is (MSG_PEEK), in a thread with sockets of its own: asyncio cannot peek on
Windows. Whoever says nothing waits here at no one's cost but its own, and makes room for whoever comes after.
"""

from __future__ import annotations

import asyncio
import selectors
import socket
import ssl
import threading
from collections.abc import Callable
from contextlib import suppress
from typing import Final

from dalej.clock import Clock

FIRST_BYTE_MS: Final = 5_000
HANDSHAKE_S: Final = 5.0  # within which a sealed connection must be sealed: until then aiohttp knows nothing of it
PLAIN_S: Final = 10.0  # a plain page is short
WAITING_MOST: Final = 256  # Windows looks at 512 sockets in one call
SEALING_MOST: Final = 256
PLAIN_MOST: Final = 64
_TLS: Final = b"\x16"  # a handshake record, RFC 8446, 5.1
_TRY_AGAIN_S: Final = 0.2

Factory = Callable[[], asyncio.Protocol]


class Sorting:
    """`sealed`, `plain`: make the protocols that the connections are handed to."""

    def __init__(
        self, listening: socket.socket, context: ssl.SSLContext, sealed: Factory, plain: Factory, clock: Clock
    ) -> None:
        self._listening = listening
        self._context = context
        self._sealed = sealed
        self._plain = plain
        self._clock = clock
        self._loop = asyncio.get_running_loop()
        self._handed: dict[asyncio.Task[None], None] = {}  # not yet at their protocols, the oldest first
        self._speaking: list[asyncio.Transport] = []
        self._woken, self._wake = socket.socketpair()
        self._waiting: dict[socket.socket, int] = {}  # until when, the oldest first
        self._closed = False
        self._thread = threading.Thread(target=self._sort, name="dalej-sorting", daemon=True)
        listening.setblocking(False)
        self._thread.start()

    async def close(self) -> None:
        """Accept nobody any more; who was not handed on yet is hung up on. May be called twice."""
        if not self._closed:
            self._closed = True
            self._wake.close()
            await asyncio.to_thread(self._thread.join)
        ending = list(self._handed)
        for task in ending:
            task.cancel()
        await asyncio.gather(*ending, return_exceptions=True)
        for transport in self._speaking:
            transport.abort()

    # --- in the thread -----

    def _sort(self) -> None:
        with selectors.DefaultSelector() as selector, self._woken, self._listening:
            selector.register(self._woken, selectors.EVENT_READ)
            selector.register(self._listening, selectors.EVENT_READ)
            while True:
                ready = [key.fileobj for key, _events in selector.select(self._rest_s())]
                if self._woken in ready:
                    break
                for one in ready:
                    assert isinstance(one, socket.socket)
                    if one is self._listening:
                        self._accept(selector)
                    elif one in self._waiting:
                        self._look(selector, one)
                self._hang_up_on_the_silent(selector)
            for one in self._waiting:
                one.close()

    def _rest_s(self) -> float | None:
        first = next(iter(self._waiting.values()), None)
        return None if first is None else max(0, first - self._clock.now_ms()) / 1000

    def _accept(self, selector: selectors.BaseSelector) -> None:
        try:
            connection, _address = self._listening.accept()
        except (BlockingIOError, InterruptedError, ConnectionError):
            return
        except OSError:  # no more files: those that are open end by themselves
            selector.unregister(self._listening)
            with suppress(OSError):
                self._woken.settimeout(_TRY_AGAIN_S)
                self._woken.recv(1, socket.MSG_PEEK)
            selector.register(self._listening, selectors.EVENT_READ)
            return
        connection.setblocking(False)
        if len(self._waiting) >= WAITING_MOST:
            self._drop(selector, next(iter(self._waiting)))
        self._waiting[connection] = self._clock.now_ms() + FIRST_BYTE_MS
        selector.register(connection, selectors.EVENT_READ)

    def _look(self, selector: selectors.BaseSelector, connection: socket.socket) -> None:
        try:
            first = connection.recv(1, socket.MSG_PEEK)
        except (BlockingIOError, InterruptedError):
            return
        except OSError:
            first = b""
        if not first:
            self._drop(selector, connection)
            return
        selector.unregister(connection)
        del self._waiting[connection]
        try:
            self._loop.call_soon_threadsafe(self._hand_on, connection, first == _TLS)
        except RuntimeError:  # the loop is gone
            connection.close()

    def _hang_up_on_the_silent(self, selector: selectors.BaseSelector) -> None:
        now = self._clock.now_ms()
        for one in [one for one, until in self._waiting.items() if until <= now]:
            self._drop(selector, one)

    def _drop(self, selector: selectors.BaseSelector, connection: socket.socket) -> None:
        selector.unregister(connection)
        del self._waiting[connection]
        connection.close()

    # --- in the loop -----

    def _hand_on(self, connection: socket.socket, sealed: bool) -> None:
        if self._closed:
            connection.close()
            return
        if len(self._handed) >= SEALING_MOST:
            next(iter(self._handed)).cancel()
        task = self._loop.create_task(self._seal(connection) if sealed else self._speak(connection))
        self._handed[task] = None
        task.add_done_callback(lambda one: self._handed_on(one, connection))

    def _handed_on(self, task: asyncio.Task[None], connection: socket.socket) -> None:
        self._handed.pop(task, None)
        if task.cancelled():  # perhaps before anybody had it
            connection.close()

    async def _seal(self, connection: socket.socket) -> None:
        with suppress(OSError, ssl.SSLError):  # a handshake that fails is the other's affair
            await self._loop.connect_accepted_socket(
                self._sealed, connection, ssl=self._context, ssl_handshake_timeout=HANDSHAKE_S
            )

    async def _speak(self, connection: socket.socket) -> None:
        try:
            transport, _protocol = await self._loop.connect_accepted_socket(self._plain, connection)
        except OSError:
            connection.close()
            return
        self._speaking = [one for one in self._speaking if not one.is_closing()]
        if len(self._speaking) >= PLAIN_MOST:
            self._speaking.pop(0).abort()
        self._speaking.append(transport)
        self._loop.call_later(PLAIN_S, transport.abort)
