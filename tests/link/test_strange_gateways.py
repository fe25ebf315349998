"""Whoever speaks nonsense at either end of a gateway ends that one socket, and nothing else."""

from __future__ import annotations

import asyncio
import json
import secrets
from base64 import b64decode, b64encode
from collections.abc import Callable, Coroutine
from typing import Any, Final

import pytest
from aiohttp import ClientSession, ClientWebSocketResponse, WSCloseCode, WSMsgType, web
from hypothesis import given, settings
from hypothesis import strategies as st

from dalej.errors import DalejError, WrongInput
from dalej.link.gateways import PATH, WRONG_CODE, Gateways, Joined, Lending, code_of, lend, proof
from dalej.link.lent import READ_DESK, READ_LENDER, Lender, Lent
from dalej.words import said

CODE: Final = code_of(b"0123456789")
WITHIN_S: Final = 20.0
SAYS = Callable[[ClientWebSocketResponse], Coroutine[Any, Any, None]]


class Told:
    """A server, and what it was told of."""

    def __init__(self) -> None:
        self.joined: list[Joined] = []
        self.left: list[str] = []
        self.told: list[str] = []
        self.server = Gateways(
            "127.0.0.1", 0, CODE, "desk 1", random=secrets.token_bytes, join=self._join, leave=self.left.append,
            said=self._say,
        )  # fmt: skip

    def _join(self, joined: Joined, _lent: Lent) -> None:
        self.joined.append(joined)

    def _say(self, what: DalejError) -> None:
        self.told.append(said(what))


def at_a_desk(says: SAYS) -> tuple[Told, int | None]:
    """What came of a socket on which that was said, and how it was closed."""

    async def run() -> tuple[Told, int | None]:
        told = Told()
        await told.server.open()
        try:
            async with (
                asyncio.timeout(WITHIN_S),
                ClientSession() as session,
                session.ws_connect(f"http://127.0.0.1:{told.server.port}{PATH}") as socket,
            ):
                await says(socket)
                while (await socket.receive()).type is WSMsgType.TEXT:
                    pass
                return told, socket.close_code
        finally:
            await told.server.close()

    return asyncio.run(run())


async def joins(socket: ClientWebSocketResponse, *, links: int = 3, claims: int = 3) -> None:
    """As a gateway that knows the code; `claims`: the links that its proof speaks of."""
    greeting = json.loads(await socket.receive_str())
    nonce = secrets.token_bytes(16)
    mine = proof(CODE, "gateway", _bytes(greeting["nonce"]), nonce, f"library//{claims}")
    offer = {"name": "library", "adapter": "", "links": links, "nonce": _text(nonce), "proof": _text(mine)}
    await socket.send_str(json.dumps(offer))


def _bytes(text: str) -> bytes:
    return b64decode(text)


def _text(data: bytes) -> str:
    return b64encode(data).decode()


@pytest.mark.parametrize("word", ["", "{}", "[]", "nonsense", json.dumps({"name": "x"}), "x" * 4_000])
def test_a_first_word_that_is_no_offer_ends_the_socket_and_nothing_is_taken(word: str) -> None:
    async def says(socket: ClientWebSocketResponse) -> None:
        await socket.receive_str()
        await socket.send_str(word)

    told, code = at_a_desk(says)
    assert (told.joined, told.left, code) == ([], [], WSCloseCode.POLICY_VIOLATION)


def test_bytes_in_place_of_a_word_end_it_as_well() -> None:
    async def says(socket: ClientWebSocketResponse) -> None:
        await socket.receive_str()
        await socket.send_bytes(b"\0" * 100)

    told, code = at_a_desk(says)
    assert (told.joined, code) == ([], WSCloseCode.POLICY_VIOLATION)


def test_a_proof_is_of_what_is_offered() -> None:
    async def says(socket: ClientWebSocketResponse) -> None:
        await joins(socket, links=60, claims=3)

    told, code = at_a_desk(says)
    assert (told.joined, code) == ([], WRONG_CODE)


@pytest.mark.parametrize("word", ["nonsense", "{}", '{"type":"heard"}', '{"type":"asked","id":1,"what":"listen"}', "7"])
def test_a_gateway_that_speaks_nonsense_is_gone_with_all_it_lent(word: str) -> None:
    async def says(socket: ClientWebSocketResponse) -> None:
        await joins(socket)
        await socket.receive_str()
        await socket.send_str(word)

    told, code = at_a_desk(says)
    assert ([one.name for one in told.joined], told.left) == (["library"], ["library"])
    assert code == WSCloseCode.POLICY_VIOLATION


def test_one_that_comes_again_takes_the_place_of_itself() -> None:
    async def says(socket: ClientWebSocketResponse) -> None:
        await joins(socket)
        await socket.receive_str()
        async with ClientSession() as session:
            url = str(socket._response.url)
            async with session.ws_connect(url) as second:
                await joins(second)
                await second.receive_str()
                await second.send_str("nonsense")
                await second.receive()

    told, _code = at_a_desk(says)
    assert [one.name for one in told.joined] == ["library", "library"]
    assert told.left == ["library", "library"]


@given(st.one_of(st.binary(max_size=200), st.text(max_size=200).map(str.encode)))
@settings(max_examples=200)
def test_no_message_is_anything_but_understood_or_refused(message: bytes) -> None:
    for reader in (READ_DESK, READ_LENDER):
        try:
            reader.read(message)
        except WrongInput:
            continue


@pytest.mark.parametrize("word", ["nonsense", '{"nonce":"AAAA","desk":"x"}'])
def test_a_desk_that_does_not_know_the_code_is_lent_nothing(word: str) -> None:
    lent: list[str] = []

    async def run() -> None:
        async def stranger(request: web.Request) -> web.WebSocketResponse:
            socket = web.WebSocketResponse()
            await socket.prepare(request)
            await socket.send_str(word)
            await socket.receive()
            await socket.send_str(json.dumps({"proof": _text(b"\0" * 32)}))
            await socket.receive()
            return socket

        app = web.Application()
        app.add_routes([web.get(PATH, stranger)])
        runner = web.AppRunner(app)
        await runner.setup()
        await web.TCPSite(runner, "127.0.0.1", 0).start()
        url = f"http://127.0.0.1:{runner.addresses[0][1]}"

        def lender(_send: Callable[[bytes], None]) -> Lender:
            lent.append("lent")
            raise AssertionError

        told = asyncio.Event()
        task = asyncio.create_task(
            lend(Lending(url, CODE, "library", "", 3), lender, secrets.token_bytes, lambda _what: told.set())
        )
        async with asyncio.timeout(WITHIN_S):
            await asyncio.wait([task, asyncio.create_task(told.wait())], return_when=asyncio.FIRST_COMPLETED)
        if task.done():
            with pytest.raises(DalejError, match="does not know the code: it is lent nothing"):
                task.result()
        task.cancel()
        await runner.cleanup()

    asyncio.run(run())
    assert lent == []
