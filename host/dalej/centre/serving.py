"""The centre's side of what halls tell and are told, over HTTP: a batch in, how far it has come out; how far a hall has
heard in, what was decided since out. A hall reaches nothing but its own entries, and the event whose hall it is.
"""

from __future__ import annotations

import asyncio
import ssl
from collections.abc import Callable, Coroutine, Sequence
from http import HTTPStatus
from typing import Any, Final

import msgspec
from aiohttp import web

from dalej.centre.mirror import UNKNOWN_KEY, Mirror
from dalej.centre.talk import ASKING, BATCHES, BODY_MOST, Asking, Reached, Told
from dalej.centre.whole import Whole
from dalej.clock import Clock
from dalej.errors import DalejError, Refused, Unreachable, WrongInput
from dalej.hangups import hang_ups
from dalej.words import N_, cause

_BEARER: Final = "Bearer "
_LOOPBACK: Final = "127.0.0.1"
_WRONG_S: Final = 0.5  # whoever guesses keys waits
CLOSE_S: Final = 2.0  # so long whoever ends the centre waits for halls that have not finished speaking


class CentreServer:
    """`said`: what went wrong, in words; `wholes`: the events that are played in halls of this centre."""

    def __init__(
        self, mirror: Mirror, clock: Clock, host: str, port: int, seal: ssl.SSLContext | None,
        said: Callable[[DalejError], object], wholes: Sequence[Whole] = (), metrics_port: int | None = None,
    ) -> None:  # fmt: skip
        self._mirror = mirror
        self._wholes = wholes
        self._clock = clock
        self._host, self._port, self._seal = host, port, seal
        self._said = said
        self._metrics_port = metrics_port
        self._runner: web.AppRunner | None = None
        self._metrics: web.AppRunner | None = None

    @property
    def port(self) -> int:
        """Where it listens."""
        assert self._runner is not None
        return int(self._runner.addresses[0][1])

    @property
    def metrics_port(self) -> int:
        """Where it listens to Prometheus, on this computer alone; 0: nowhere."""
        return 0 if self._metrics is None else int(self._metrics.addresses[0][1])

    async def open(self) -> None:
        """Unreachable if the address cannot be had."""
        app = web.Application(client_max_size=BODY_MOST, middlewares=[hang_ups])
        app.add_routes([
            web.post("/hall/entries", self._entries), web.post("/hall/decisions", self._decisions),
            web.post("/hall/reached", self._reached), web.get("/health", self._health),
        ])  # fmt: skip
        self._runner = await self._listen(app, self._host, self._port, self._seal)
        if self._metrics_port is not None:
            metrics = web.Application()
            metrics.add_routes([web.get("/metrics", self._measured)])
            try:
                self._metrics = await self._listen(metrics, _LOOPBACK, self._metrics_port, None)
            except Unreachable:
                await self.close()
                raise

    async def _listen(self, app: web.Application, host: str, port: int, seal: ssl.SSLContext | None) -> web.AppRunner:
        runner = web.AppRunner(app, access_log=None, shutdown_timeout=CLOSE_S)
        await runner.setup()
        try:
            await web.TCPSite(runner, host, port, ssl_context=seal).start()
        except OSError as error:
            await runner.cleanup()
            raise Unreachable(
                N_("{host}:{port} cannot be listened on: {reason}"), host=host, port=port, reason=cause(error)
            ) from error
        return runner

    async def close(self) -> None:
        for runner in (self._metrics, self._runner):
            if runner is not None:
                await runner.cleanup()

    async def _measured(self, _request: web.Request) -> web.Response:
        from dalej.centre.metrics import CONTENT_TYPE, CentreMetrics  # noqa: PLC0415 -- whoever asks for it has it

        text = await asyncio.to_thread(CentreMetrics(self._mirror).text)
        return web.Response(body=text, headers={"Content-Type": CONTENT_TYPE})

    async def _entries(self, request: web.Request) -> web.Response:
        async def take(key: str) -> Reached:
            batch = BATCHES.read(await request.read())
            reached = await asyncio.to_thread(self._mirror.take, key, batch, self._clock.wall_ms())
            if self._wholes and reached.through == batch.after + len(batch.lines):
                await asyncio.to_thread(self._bring, key)
            return reached

        return await self._answered(request, take)

    async def _decisions(self, request: web.Request) -> web.Response:
        async def tell(key: str) -> Told:
            asking = ASKING.read(await request.read())
            return await asyncio.to_thread(self._told, key, asking)

        return await self._answered(request, tell)

    async def _reached(self, request: web.Request) -> web.Response:
        async def look(key: str) -> Reached:
            hall = await asyncio.to_thread(self._mirror.whose, key)
            return Reached(hall.epoch, hall.through, hall.digest.hex())

        return await self._answered(request, look)

    async def _answered(
        self, request: web.Request, answer: Callable[[str], Coroutine[Any, Any, Reached | Told]]
    ) -> web.Response:
        said = request.headers.get("Authorization", "")
        try:
            found = await answer(said.removeprefix(_BEARER))
        except WrongInput as error:
            return _words(error, HTTPStatus.BAD_REQUEST)
        except Refused as error:
            if error.template == UNKNOWN_KEY:
                await asyncio.sleep(_WRONG_S)
                return _words(error, HTTPStatus.UNAUTHORIZED)
            return _words(error, HTTPStatus.CONFLICT)
        except DalejError as error:
            self._said(error)
            return _words(error, HTTPStatus.SERVICE_UNAVAILABLE)
        return web.Response(body=msgspec.json.encode(found), content_type="application/json")

    def _told(self, key: str, asking: Asking) -> Told:
        hall = self._mirror.whose(key)
        whole = self._whole(hall.name)
        if whole is None:
            raise Refused(N_("no event that the centre was started with has a hall called {hall}"), hall=hall.name)
        if not asking.after and hall.through:
            raise Refused(
                N_("hall {hall} has told of an event file already: expected a copy of that one to be gone on with"),
                hall=hall.name,
            )
        if asking.after and (asking.epoch, asking.through, asking.digest) != (
            hall.epoch, hall.through, hall.digest.hex()
        ):  # fmt: skip
            raise Unreachable(N_("the centre was told of another copy of this event just now"))
        whole.look_through(self._mirror, hall)
        return whole.told(hall, asking)

    def _bring(self, key: str) -> None:
        """What the hall has told is durable already: whatever happens here, it is acknowledged, and brought later."""
        try:
            hall = self._mirror.whose(key)
            whole = self._whole(hall.name)
            wrong = [] if whole is None else whole.bring(self._mirror, hall, self._clock.wall_ms())
        except DalejError as error:
            wrong = [error]
        for one in wrong:
            self._said(one)

    def _whole(self, hall: str) -> Whole | None:
        return next((one for one in self._wholes if one.has(hall)), None)

    async def _health(self, _request: web.Request) -> web.Response:
        """200 if the database answers; of no hall anything is said."""
        try:
            await asyncio.to_thread(self._mirror.halls)
        except DalejError as error:
            return _words(error, HTTPStatus.SERVICE_UNAVAILABLE)
        return web.Response(text="ok\n")


def _words(error: DalejError, status: HTTPStatus) -> web.Response:
    return web.Response(text=f"{error}\n", status=status)
