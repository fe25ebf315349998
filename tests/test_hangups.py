"""Whoever asks a server of ours and leaves before it answers: nobody is told of it, and the server goes on."""

from __future__ import annotations

import asyncio
import logging
import secrets
import socket
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from http import HTTPStatus
from pathlib import Path
from typing import Final, NamedTuple

import pytest
from aiohttp import ClientSession, web

from dalej.hangups import hang_ups
from dalej.link.gateways import PATH, Gateways, code_of
from tests.phones.desk import phone_desk
from tests.web.rig import served
from tests.world import event_file

WITHIN_S: Final = 30.0
TIMES: Final = 5
UPGRADE: Final = (
    "Connection: Upgrade", "Upgrade: websocket", "Sec-WebSocket-Version: 13",
    "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==",
)  # fmt: skip


class Asked(NamedTuple):
    """What is asked of whom."""

    port: int
    path: str
    headers: Sequence[str]


Serves = Callable[[Path], AbstractAsyncContextManager[Asked]]


@asynccontextmanager
async def a_desk_of_phones(folder: Path) -> AsyncIterator[Asked]:
    async with phone_desk(folder, event_file(folder, 4)) as desk:
        yield Asked(desk.sockets.port, "/link", UPGRADE)


@asynccontextmanager
async def a_desk_of_gateways(_folder: Path) -> AsyncIterator[Asked]:
    gateways = Gateways(
        "127.0.0.1", 0, code_of(b"0123456789"), "desk 1", random=secrets.token_bytes, join=lambda *_: None,
        leave=lambda _name: None, said=lambda _what: None,
    )  # fmt: skip
    await gateways.open()
    try:
        yield Asked(gateways.port, PATH, UPGRADE)
    finally:
        await gateways.close()


@asynccontextmanager
async def live_pages(folder: Path) -> AsyncIterator[Asked]:
    async with served(folder) as rig, rig.browser() as browser:
        await browser.log_in("referee")
        (cookie,) = browser.client.cookie_jar
        yield Asked(int(rig.url.rpartition(":")[2]), "/live/hall", (f"Cookie: {cookie.key}={cookie.value}",))


def asks_and_leaves(asked: Asked) -> None:
    lines = (f"GET {asked.path} HTTP/1.1", f"Host: 127.0.0.1:{asked.port}", *asked.headers, "", "")
    with socket.create_connection(("127.0.0.1", asked.port)) as person:
        person.sendall("\r\n".join(lines).encode())


async def is_there(port: int) -> bool:
    async with ClientSession() as session, session.get(f"http://127.0.0.1:{port}/") as answer:
        return answer.status != HTTPStatus.INTERNAL_SERVER_ERROR


@pytest.mark.parametrize("serves", [a_desk_of_phones, a_desk_of_gateways, live_pages])
def test_whoever_leaves_before_the_answer_leaves_no_traceback(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, serves: Serves
) -> None:
    async def story() -> None:
        async with asyncio.timeout(WITHIN_S), serves(tmp_path) as asked:
            for _ in range(TIMES):
                asks_and_leaves(asked)
            assert await is_there(asked.port)

    asyncio.run(story())

    assert [record.getMessage() for record in caplog.records if record.levelno >= logging.ERROR] == []


def test_a_connection_of_the_servers_own_that_breaks_is_told(caplog: pytest.LogCaptureFixture) -> None:
    """While whoever asked is still there."""

    async def breaks(_request: web.Request) -> web.StreamResponse:
        raise ConnectionResetError("the database has hung up")

    async def story() -> int:
        app = web.Application(middlewares=[hang_ups])
        app.add_routes([web.get("/", breaks)])
        runner = web.AppRunner(app)
        await runner.setup()
        try:
            await web.TCPSite(runner, "127.0.0.1", 0).start()
            async with ClientSession() as session, session.get(f"http://127.0.0.1:{runner.addresses[0][1]}/") as answer:
                return answer.status
        finally:
            await runner.cleanup()

    assert asyncio.run(story()) == HTTPStatus.INTERNAL_SERVER_ERROR
    assert "the database has hung up" in caplog.text
