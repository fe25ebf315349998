"""The centre's side of what halls tell, over HTTP: a key in, a batch in, how far it has come out. What halls may do is
one thing, and a hall reaches nothing but its own entries.
"""

from __future__ import annotations

import asyncio
import ssl
from collections.abc import Callable
from http import HTTPStatus
from typing import Final

import msgspec
from aiohttp import web

from dalej.centre.mirror import UNKNOWN_KEY, Mirror
from dalej.centre.talk import BATCHES, BODY_MOST
from dalej.clock import Clock
from dalej.errors import DalejError, Refused, Unreachable, WrongInput
from dalej.words import N_, cause

_BEARER: Final = "Bearer "
_WRONG_S: Final = 0.5  # whoever guesses keys waits


class CentreServer:
    """`heard`: a hall's batch was put down, `said`: what went wrong, in words."""

    def __init__(
        self, mirror: Mirror, clock: Clock, host: str, port: int, seal: ssl.SSLContext | None,
        said: Callable[[DalejError], None],
    ) -> None:  # fmt: skip
        self._mirror = mirror
        self._clock = clock
        self._host, self._port, self._seal = host, port, seal
        self._said = said
        self._runner: web.AppRunner | None = None

    @property
    def port(self) -> int:
        """Where it listens."""
        assert self._runner is not None
        return int(self._runner.addresses[0][1])

    async def open(self) -> None:
        """Unreachable if the address cannot be had."""
        app = web.Application(client_max_size=BODY_MOST)
        app.add_routes([web.post("/hall/entries", self._entries), web.get("/health", self._health)])
        self._runner = web.AppRunner(app, access_log=None)
        await self._runner.setup()
        try:
            await web.TCPSite(self._runner, self._host, self._port, ssl_context=self._seal).start()
        except OSError as error:
            await self._runner.cleanup()
            raise Unreachable(
                N_("{host}:{port} cannot be listened on: {reason}"),
                host=self._host,
                port=self._port,
                reason=cause(error),
            ) from error

    async def close(self) -> None:
        if self._runner is not None:
            await self._runner.cleanup()

    async def _entries(self, request: web.Request) -> web.Response:
        said = request.headers.get("Authorization", "")
        try:
            batch = BATCHES.read(await request.read())
            reached = await asyncio.to_thread(
                self._mirror.take, said.removeprefix(_BEARER), batch, self._clock.wall_ms()
            )
        except WrongInput as error:
            return _words(error, HTTPStatus.BAD_REQUEST)
        except Refused as error:
            if error.template == UNKNOWN_KEY:
                await asyncio.sleep(_WRONG_S)
                return _words(error, HTTPStatus.UNAUTHORIZED)
            return _words(error, HTTPStatus.CONFLICT)
        except Unreachable as error:
            self._said(error)
            return _words(error, HTTPStatus.SERVICE_UNAVAILABLE)
        return web.Response(body=msgspec.json.encode(reached), content_type="application/json")

    async def _health(self, _request: web.Request) -> web.Response:
        """200 if the database answers; of no hall anything is said."""
        try:
            await asyncio.to_thread(self._mirror.halls)
        except DalejError as error:
            return _words(error, HTTPStatus.SERVICE_UNAVAILABLE)
        return web.Response(text="ok\n")


def _words(error: DalejError, status: HTTPStatus) -> web.Response:
    return web.Response(text=f"{error}\n", status=status)
