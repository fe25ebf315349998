"""Boxes that are pages: a small server of that page, and a WebSocket for each, which carries the frames that a radio or
a cable would. With `dalej.link.gateways` the only file of links that imports aiohttp.

Whoever connects is told a nonce, and answers with its uid, its device and the proof that it has the box's secret; only
then it is a link, and takes the place of an earlier one of the same device, which may not know yet that it is dead.

Beside the frames, which are binary, table and desk say what no radio has room for, such as who sits there: as text, the
hex of a `moveclock.secure.Seal` under a key of this socket and direction alone.
"""

from __future__ import annotations

import asyncio
import gzip
import ssl
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from http import HTTPStatus
from typing import Final

from aiohttp import WSCloseCode, WSMessage, WSMsgType, web

from dalej.clock import Clock
from dalej.errors import DalejError, Unreachable
from dalej.hangups import hang_ups
from dalej.link.serving import ScanningPort, Serving
from dalej.words import N_, cause
from moveclock import wire
from moveclock.secure import Seal, derive

NONCE: Final = 16
UID: Final = 6
DEVICE: Final = 16
PROOF: Final = 16
ANSWER_WITHIN_S: Final = 5.0
HEARTBEAT_S: Final = 5.0
WRITE_WITHIN_S: Final = 5.0
LOOK_S: Final = 1.0
MOST: Final = 256  # sockets, those included that have not said yet who they are
NO_TABLE: Final = 4_004  # the box is the club's, and stands on no table of this event

Admit = Callable[[bytes, bytes, bytes, bytes], bytes]  # uid, device, nonce, proof; the secret, or DalejError


@dataclass(frozen=True, slots=True)
class Address:
    """Where to listen. `port` 0: one that is free; `sealed`: the certificate, None: in clear."""

    host: str
    port: int
    sealed: ssl.SSLContext | None = None


class Sockets:
    """`page`, `worker`: what browsers are given; `wants(uid)`: whether the desk serves the box; `admit` says who may
    come in, `number(error)` how its page is told why not, `said(error)` people. `face(uid)`: what the box's table is
    told beside its game, looked at once a second; "" for nothing; `heard(uid, words)`: what the table says beside its
    game, and what it is answered.
    """

    def __init__(
        self,
        serving: Serving,
        port: ScanningPort,
        clock: Clock,
        address: Address,
        *,
        random: Callable[[int], bytes],
        page: str,
        worker: str,
        wants: Callable[[bytes], bool],
        admit: Admit,
        number: Callable[[DalejError], int],
        said: Callable[[DalejError], None],
        face: Callable[[bytes], str] = lambda _uid: "",
        heard: Callable[[bytes, str], str] = lambda _uid, _words: "",
    ) -> None:
        self._serving = serving
        self._port = port
        self._clock = clock
        self._address = address
        self._random = random
        self._page = page.encode()
        self._packed = gzip.compress(self._page, mtime=0)
        self._worker = worker.encode()
        self._wants = wants
        self._admit = admit
        self._number = number
        self._said = said
        self._face = face
        self._heard = heard
        self._links: dict[bytes, _OneSocket] = {}
        self._open: set[web.WebSocketResponse] = set()
        self._runner: web.AppRunner | None = None
        self.port = 0

    async def open(self) -> None:
        """Listen from now on; Unreachable, and why, if that address cannot be had."""
        app = web.Application(middlewares=[hang_ups])
        app.add_routes([
            web.get("/", self._give_page), web.get("/b", self._give_page), web.get("/worker.js", self._give_worker),
            web.get("/link", self._link),
        ])  # fmt: skip
        runner = web.AppRunner(app, access_log=None, shutdown_timeout=1.0)
        await runner.setup()
        host, port = self._address.host, self._address.port
        try:
            await web.TCPSite(runner, host, port, ssl_context=self._address.sealed).start()
        except OSError as error:
            await runner.cleanup()
            raise Unreachable(
                N_("phones cannot be answered at {host}, port {port}: {problem}"), host=host, port=port,
                problem=cause(error),
            ) from error  # fmt: skip
        self._runner = runner
        self.port = int(runner.addresses[0][1])

    async def run(self) -> None:
        """Until cancelled; `open` comes before."""
        try:
            while True:
                for uid, link in [*self._links.items()]:
                    await link.tell(self._face(uid))
                await asyncio.sleep(LOOK_S)
        finally:
            await self.close()

    async def close(self) -> None:
        """Hang up on all, and listen no longer."""
        for socket in [*self._open]:
            with suppress(OSError, RuntimeError):
                await socket.close(code=WSCloseCode.GOING_AWAY)
        if self._runner is not None:
            await self._runner.cleanup()
            self._runner = None

    # --- what browsers are given -----

    async def _give_page(self, request: web.Request) -> web.Response:
        packs = "gzip" in request.headers.get("Accept-Encoding", "")
        headers = {
            "Cache-Control": "no-cache",
            "Vary": "Accept-Encoding",
            **({"Content-Encoding": "gzip"} if packs else {}),
        }
        return _given(self._packed if packs else self._page, "text/html", headers)

    async def _give_worker(self, _request: web.Request) -> web.Response:
        return _given(self._worker, "text/javascript", {"Cache-Control": "no-cache"})

    # --- one link each -----

    async def _link(self, request: web.Request) -> web.StreamResponse:
        if len(self._open) >= MOST:
            return web.Response(status=HTTPStatus.SERVICE_UNAVAILABLE)
        socket = web.WebSocketResponse(max_msg_size=4 * wire.FRAME_MOST, heartbeat=HEARTBEAT_S, compress=False)
        await socket.prepare(request)
        self._open.add(socket)
        try:
            come = await self._who(socket)
            if come is not None:
                await self._carry(*come, socket)
        finally:
            self._open.discard(socket)
        return socket

    async def _who(self, socket: web.WebSocketResponse) -> tuple[bytes, Seal, Seal] | None:
        """The box at the other end, what seals words to it and from it; None, and told why, if it may not come in."""
        nonce = self._random(NONCE)
        await socket.send_bytes(nonce)
        said: WSMessage | None = None
        with suppress(TimeoutError):
            said = await socket.receive(timeout=ANSWER_WITHIN_S)
        if said is None or said.type is not WSMsgType.BINARY or len(said.data) != UID + DEVICE + PROOF:
            await socket.close(code=WSCloseCode.POLICY_VIOLATION)
            return None
        uid, device, proved = said.data[:UID], said.data[UID : UID + DEVICE], said.data[UID + DEVICE :]
        try:
            secret = await asyncio.to_thread(self._admit, uid, device, nonce, proved)
        except DalejError as error:
            self._said(error)
            await socket.close(code=self._number(error))
            return None
        if not self._wants(uid):
            await socket.close(code=NO_TABLE)
            return None
        told, said_by = (Seal(derive(secret, label, nonce, device)) for label in (b"words", b"said"))
        return bytes(uid), told, said_by

    async def _carry(self, uid: bytes, seal: Seal, opens: Seal, socket: web.WebSocketResponse) -> None:
        carrier = self._links[uid] = _OneSocket(socket, seal)
        self._port.plugged(uid, self._clock.now_ms())
        self._serving.linked(uid, carrier)
        try:
            async for said in socket:
                if said.type is WSMsgType.BINARY:
                    self._serving.received(uid, carrier, said.data)
                elif said.type is WSMsgType.TEXT:
                    words = _opened(opens, said.data)
                    if words:
                        await carrier.say(self._heard(uid, words))
                        await carrier.tell(self._face(uid))
        finally:
            self._serving.lost(uid, carrier)
            if self._links.get(uid) is carrier:
                del self._links[uid]
                self._port.unplugged(uid, self._clock.now_ms())
                self._serving.stir()


class _OneSocket:
    """`dalej.link.serving.Carrier` over one socket."""

    def __init__(self, socket: web.WebSocketResponse, seal: Seal) -> None:
        self._socket = socket
        self._seal = seal
        self._told = ""

    async def tell(self, words: str) -> None:
        """What the table is told beside its game, if it is something else than before; a socket that is gone takes
        nothing.
        """
        if words == self._told:
            return
        self._told = words
        await self.say(words)

    async def say(self, words: str) -> None:
        """That, if it is anything."""
        if not words:
            return
        with suppress(TimeoutError, OSError, RuntimeError):
            async with asyncio.timeout(WRITE_WITHIN_S):
                await self._socket.send_str(self._seal.seal(words.encode()).hex())

    async def write(self, frame: bytes) -> None:
        try:
            async with asyncio.timeout(WRITE_WITHIN_S):
                await self._socket.send_bytes(frame)
        except (TimeoutError, OSError, RuntimeError) as error:
            raise Unreachable(N_("the phone takes nothing any more")) from error

    async def close(self) -> None:
        with suppress(OSError, RuntimeError, TimeoutError):
            async with asyncio.timeout(WRITE_WITHIN_S):
                await self._socket.close()


def _opened(seal: Seal, text: str) -> str:
    """What the table says; "" if that was not the table."""
    try:
        return seal.open(bytes.fromhex(text)).decode()
    except (wire.WireError, ValueError):
        return ""


def _given(body: bytes, kind: str, headers: dict[str, str]) -> web.Response:
    safe = {"X-Content-Type-Options": "nosniff", "Referrer-Policy": "no-referrer", "X-Frame-Options": "DENY"}
    return web.Response(body=body, content_type=kind, charset="utf-8", headers={**safe, **headers})
