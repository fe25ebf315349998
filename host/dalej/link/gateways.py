"""Gateways: other computers of a building that lend a desk their Bluetooth, each over a WebSocket; the desk's server,
and what a gateway does. With `dalej.link.sockets` the only file of links that imports aiohttp.

Who lends proves that it was given the desk's code, and so does the desk: nobody lends to a stranger, and no stranger's
adapter is asked to link boxes. What passes then is no secret: advertisements, and frames that are sealed for a box.
"""

from __future__ import annotations

import asyncio
import hmac
from base64 import b32encode
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from http import HTTPStatus
from typing import Final, Literal

import msgspec
from aiohttp import (
    ClientError,
    ClientSession,
    ClientWebSocketResponse,
    WSCloseCode,
    WSMsgType,
    WSServerHandshakeError,
    web,
)

from dalej.errors import DalejError, Refused, Unreachable, WrongInput
from dalej.hangups import hang_ups
from dalej.link.lent import LINKS_MOST, LONGEST, READ_DESK, READ_LENDER, Lender, Lent
from dalej.typedjson import Reader
from dalej.words import N_, cause, readable

PATH: Final = "/gateway"
CODE_BYTES: Final = 10
NONCE: Final = 16
MOST: Final = 16  # gateways
NAME_MOST: Final = 40
WITHIN_S: Final = 5.0
HEARTBEAT_S: Final = 3.0
AGAIN_S: Final = 2.0
PILED_MOST: Final = 256  # messages that a network has not taken yet: then advertisements are left out
WRONG_CODE: Final = 4_001
TOO_MANY: Final = 4_002
_GROUP: Final = 4

Socket = web.WebSocketResponse | ClientWebSocketResponse


class Greeting(msgspec.Struct, frozen=True):
    """The desk's first word."""

    nonce: bytes
    desk: str


class Offer(msgspec.Struct, frozen=True):
    """The gateway's: who it is, which adapter it lends, how many links that holds, and that it knows the code."""

    name: str
    adapter: str
    links: int
    nonce: bytes
    proof: bytes


class Taken(msgspec.Struct, frozen=True):
    """The desk's answer: that it knows the code as well."""

    proof: bytes


_GREETING: Final[Reader[Greeting]] = Reader(Greeting, LONGEST)
_OFFER: Final[Reader[Offer]] = Reader(Offer, LONGEST)
_TAKEN: Final[Reader[Taken]] = Reader(Taken, LONGEST)
_write: Final = msgspec.json.encode


def code_of(secret: bytes) -> str:
    """The code that the desk's people type at a gateway: `abcd-efgh-ijkl-mnop`, of 10 bytes."""
    text = b32encode(secret[:CODE_BYTES]).decode().lower()
    return "-".join(text[at : at + _GROUP] for at in range(0, len(text), _GROUP))


def typed_code(text: str) -> str:
    """The same as somebody typed it; WrongInput if it can be none."""
    plain = "".join(text.split()).replace("-", "").lower()
    if len(plain) != CODE_BYTES * 8 // 5 or not set(plain) <= set("abcdefghijklmnopqrstuvwxyz234567"):
        raise WrongInput(N_("that is no gateway's code: expected 16 letters and digits, as the desk shows them"))
    return "-".join(plain[at : at + _GROUP] for at in range(0, len(plain), _GROUP))


def proof(code: str, end: Literal["desk", "gateway"], desk: bytes, gateway: bytes, words: str = "") -> bytes:
    """That this end knows the code, for these nonces and these words alone."""
    return hmac.digest(code.encode(), b"\0".join((end.encode(), desk, gateway, words.encode())), "sha256")


class _Out:
    """What is to be sent on a socket, in its order."""

    def __init__(self, socket: Socket) -> None:
        self._socket = socket
        self._waits: asyncio.Queue[bytes] = asyncio.Queue()

    def put(self, message: bytes) -> None:
        """Advertisements come again: those that a slow network has no room for are left out."""
        if self._waits.qsize() < PILED_MOST or b'"type":"heard"' not in message[:20]:
            self._waits.put_nowait(message)

    async def run(self) -> None:
        with suppress(OSError, RuntimeError):  # the socket is gone, which whoever reads it finds out
            while True:
                await self._socket.send_str((await self._waits.get()).decode())


# --- at the desk -----


@dataclass(frozen=True, slots=True)
class Joined:
    """A gateway's adapter: its name among all adapters, and how many links it says that it holds."""

    name: str
    links: int


class Gateways:
    """The desk's end. `join(joined, lent)`, `leave(name)`: what becomes of an adapter; `said`: what people are told."""

    def __init__(
        self, host: str, port: int, code: str, desk: str, *, random: Callable[[int], bytes],
        join: Callable[[Joined, Lent], None], leave: Callable[[str], None], said: Callable[[DalejError], None],
    ) -> None:  # fmt: skip
        self._host = host
        self._asked_port = port
        self._code = code
        self._desk = desk
        self._random = random
        self._join = join
        self._leave = leave
        self._said = said
        self._open: dict[str, web.WebSocketResponse] = {}
        self._coming = 0
        self._runner: web.AppRunner | None = None
        self.port = 0

    async def open(self) -> None:
        """Listen from now on; Unreachable, and why, if that address cannot be had."""
        app = web.Application(middlewares=[hang_ups])
        app.add_routes([web.get(PATH, self._gateway)])
        runner = web.AppRunner(app, access_log=None, shutdown_timeout=1.0)
        await runner.setup()
        try:
            await web.TCPSite(runner, self._host, self._asked_port).start()
        except OSError as error:
            await runner.cleanup()
            raise Unreachable(
                N_("gateways cannot be answered at {host}, port {port}: {problem}"), host=self._host,
                port=self._asked_port, problem=cause(error),
            ) from error  # fmt: skip
        self._runner = runner
        self.port = int(runner.addresses[0][1])

    async def run(self) -> None:
        """Until cancelled; `open` comes before."""
        try:
            await asyncio.get_running_loop().create_future()
        finally:
            await self.close()

    async def close(self) -> None:
        """Give all adapters back, and listen no longer."""
        for socket in [*self._open.values()]:
            with suppress(OSError, RuntimeError):
                await socket.close(code=WSCloseCode.GOING_AWAY)
        if self._runner is not None:
            await self._runner.cleanup()
            self._runner = None

    async def _gateway(self, request: web.Request) -> web.StreamResponse:
        if self._coming + len(self._open) >= 2 * MOST:
            return web.Response(status=HTTPStatus.SERVICE_UNAVAILABLE)
        socket = web.WebSocketResponse(max_msg_size=LONGEST, heartbeat=HEARTBEAT_S, compress=False)
        await socket.prepare(request)
        self._coming += 1
        try:
            offer = await self._offer(socket)
        finally:
            self._coming -= 1
        if offer is not None:
            await self._lent(offer, socket)
        return socket

    async def _offer(self, socket: web.WebSocketResponse) -> Offer | None:
        nonce = self._random(NONCE)
        try:
            await socket.send_str(_write(Greeting(nonce, self._desk)).decode())
            offer = _OFFER.read(await socket.receive_str(timeout=WITHIN_S))
        except (TypeError, TimeoutError, OSError, RuntimeError, WrongInput):  # TypeError: anything but text
            await socket.close(code=WSCloseCode.POLICY_VIOLATION)
            return None
        known = proof(self._code, "gateway", nonce, offer.nonce, f"{offer.name}/{offer.adapter}/{offer.links}")
        if not hmac.compare_digest(known, offer.proof):
            self._said(Refused(N_("a computer called {name} wants to be a gateway, and does not know the code"),
                               name=_named(offer)))  # fmt: skip
            await socket.close(code=WRONG_CODE)
            return None
        if len(self._open) >= MOST and _named(offer) not in self._open:
            await socket.close(code=TOO_MANY)
            return None
        await socket.send_str(_write(Taken(proof(self._code, "desk", nonce, offer.nonce))).decode())
        return offer

    async def _lent(self, offer: Offer, socket: web.WebSocketResponse) -> None:
        name = _named(offer)
        before = self._open.pop(name, None)
        if before is not None:  # it may not know yet that it is dead
            self._leave(name)
            await before.close()
        out = _Out(socket)
        lent = Lent(out.put)
        sending = asyncio.create_task(out.run())
        self._open[name] = socket
        links = max(1, min(offer.links, LINKS_MOST))
        self._join(Joined(name, links), lent)
        self._said(DalejError(N_("gateway {name} lends its Bluetooth: {links} links"), name=name, links=links))
        try:
            async for message in socket:
                if message.type is not WSMsgType.TEXT:
                    break
                lent.take(READ_LENDER.read(message.data))
        except WrongInput:
            await socket.close(code=WSCloseCode.POLICY_VIOLATION)
        finally:
            sending.cancel()
            lent.lost()
            if self._open.get(name) is socket:
                del self._open[name]
                self._leave(name)
                self._said(Unreachable(N_("gateway {name} is gone: its boxes come back by whoever else hears them"),
                                       name=name))  # fmt: skip


def _named(offer: Offer) -> str:
    """As the adapter is called among all others."""
    name = readable(offer.name)[:NAME_MOST] or "?"
    return f"{name}/{readable(offer.adapter)[:NAME_MOST]}" if offer.adapter else name


# --- at the gateway -----


@dataclass(frozen=True, slots=True)
class Lending:
    """What a gateway lends, and to which desk. `url`: `http://192.168.1.5:8644`."""

    url: str
    code: str
    name: str
    adapter: str
    links: int


async def lend(
    lending: Lending, lender: Callable[[Callable[[bytes], None]], Lender], random: Callable[[int], bytes],
    said: Callable[[DalejError], None],
) -> None:  # fmt: skip
    """Until cancelled, or Refused because the desk does not know the code, or has no place; a desk that is gone is
    looked for again. `lender(send)` drives the adapter.
    """
    told = ""
    async with ClientSession() as session:
        while True:
            try:
                async with _linked(lending, session, random) as (socket, desk):
                    said(DalejError(N_("lent to the desk {desk}"), desk=desk))
                    told = ""
                    await _serve(socket, lender)
                    said(Unreachable(N_("the desk is gone: it is looked for")))
            except (ClientError, OSError, TimeoutError, TypeError, RuntimeError, Unreachable, WrongInput) as error:
                problem = str(error) or type(error).__name__
                if problem != told:
                    said(Unreachable(N_("no desk answers at {url} ({problem}): it is tried again"), url=lending.url,
                                     problem=readable(problem)))  # fmt: skip
                told = problem
            await asyncio.sleep(AGAIN_S)


@asynccontextmanager
async def _linked(
    lending: Lending, session: ClientSession, random: Callable[[int], bytes]
) -> AsyncIterator[tuple[ClientWebSocketResponse, str]]:
    """A socket on which both ends have proved themselves, and what the desk is called."""
    try:
        asked = session.ws_connect(lending.url + PATH, max_msg_size=LONGEST, heartbeat=HEARTBEAT_S)
        async with asyncio.timeout(2 * WITHIN_S):
            socket = await asked
    except WSServerHandshakeError as error:
        raise WrongInput(N_("what answers at {url} is no desk that takes gateways"), url=lending.url) from error
    try:
        greeting = _GREETING.read(await socket.receive_str(timeout=WITHIN_S))
        nonce = random(NONCE)
        words = f"{lending.name}/{lending.adapter}/{lending.links}"
        mine = proof(lending.code, "gateway", greeting.nonce, nonce, words)
        await socket.send_str(_write(Offer(lending.name, lending.adapter, lending.links, nonce, mine)).decode())
        answer = await socket.receive(timeout=WITHIN_S)
        if answer.type is not WSMsgType.TEXT:
            if socket.close_code == WRONG_CODE:
                raise Refused(N_("the desk at {url} knows another code: type the one that it shows"), url=lending.url)
            if socket.close_code == TOO_MANY:
                raise Refused(N_("the desk at {url} has as many gateways as it takes"), url=lending.url)
            raise Unreachable(N_("the desk at {url} hung up"), url=lending.url)
        theirs = proof(lending.code, "desk", greeting.nonce, nonce)
        if not hmac.compare_digest(theirs, _TAKEN.read(answer.data).proof):
            raise Refused(N_("what answers at {url} does not know the code: it is lent nothing"), url=lending.url)
        yield socket, readable(greeting.desk)[:NAME_MOST]
    finally:
        with suppress(OSError, RuntimeError):
            await socket.close()


async def _serve(socket: ClientWebSocketResponse, lender: Callable[[Callable[[bytes], None]], Lender]) -> None:
    """Until the socket is over; then nothing of the desk's is left on the adapter."""
    out = _Out(socket)
    mine = lender(out.put)
    sending = asyncio.create_task(out.run())
    try:
        await mine.begin()
        async for message in socket:
            if message.type is not WSMsgType.TEXT:
                break
            mine.take(READ_DESK.read(message.data))
    finally:
        sending.cancel()
        await mine.close()
