"""Phones as boxes: from a press to the committed row over a socket, against a bare echo on a socket of the same server;
what a desk with sixty of them takes; how soon their page plays on a slow device.

The desk is `dalej run --phones` as people type it, in a process of its own; the phones are the page's own edge in this
process, without a browser (`tests.phones.scripted`), but for the page's start, which is Chromium's.
"""

from __future__ import annotations

import asyncio
import os
import subprocess
import tempfile
import time
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Final

import psutil
from aiohttp import ClientSession, web
from playwright.async_api import async_playwright

from bench.ledger import DISK
from bench.pages import Measuring
from bench.row import NONE, Row, quantile
from dalej.boxes.phones import Code
from dalej.event.ledger import Ledger
from moveclock import facts as k
from tests.phones.playing import JUZ, begins, moves, nothing_unsent
from tests.phones.program import NO_KEYRING, codes, environment, program, the_desk
from tests.phones.scripted import ScriptedPhone
from tests.waiting import until
from tests.web.reading import CHROMIUM, FLAGS, page_of
from tests.world import event_file

TABLES: Final = 60
PRESSES: Final = 100
LOOKS_S: Final = 20.0
FRAME: Final = bytes(78)  # a sealed frame with the two facts of a press
SLOWER: Final = 6
GUARDED_S: Final = 0.35
LOOK_S: Final = 0.001
RUN: Final = "dalej run evening.dalej --no-bluetooth --no-usb --phones 127.0.0.1"


def measure(size: float = 1) -> list[Row]:
    """At full size some two minutes."""
    os.environ.update(NO_KEYRING)
    return asyncio.run(_measure(size))


async def _measure(size: float) -> list[Row]:
    tables = max(2, round(TABLES * size))
    DISK.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix="bench-", dir=DISK.absolute()) as made:
        folder = Path(made)
        event_file(folder, 4 * tables, file="evening.dalej")
        async with the_desk(folder, RUN) as desk:
            command = program(f"dalej box phone evening.dalej 1-{tables} --paper codes.pdf")
            await asyncio.to_thread(subprocess.run, command, cwd=folder, env=environment(folder), check=True,
                                    capture_output=True)  # fmt: skip
            drawn = codes(folder)
            rows = await _presses(folder, ScriptedPhone(desk.url, drawn[1]), max(2, round(PRESSES * size)))
            rows += await _many(psutil.Process(desk.pid), desk.url, [*drawn.values()][1:], LOOKS_S * min(1, size))
            return rows + await _start(desk.url)


async def _presses(folder: Path, phone: ScriptedPhone, count: int) -> list[Row]:
    await phone.load()
    await until(lambda: phone.state == k.READY, "a game to be set up")
    await begins(phone)
    took: list[float] = []
    with Ledger.open(folder / "evening.dalej", read_only=True) as ledger:
        for _ in range(count):
            await nothing_unsent(phone)
            await asyncio.sleep(GUARDED_S)
            took.append(await _press(ledger, phone))
    await phone.close()
    echoes = await _echoes(count)
    return [
        Row(f"a press that is lifted to its committed row over a socket, {label}", f"{quantile(part, took):.1f} ms",
            f"bare echo {quantile(part, echoes):.2f} ms", f"{quantile(part, took) / quantile(part, echoes):.1f}")
        for label, part in (("median", 0.5), ("99 %", 0.99))
    ]  # fmt: skip


async def _echoes(count: int) -> list[float]:
    async with _echo() as url, ClientSession() as session, session.ws_connect(url) as socket:
        took: list[float] = []
        for _ in range(count):
            began = time.perf_counter()
            await socket.send_bytes(FRAME)
            await socket.receive()
            took.append(1_000 * (time.perf_counter() - began))
        return took


@asynccontextmanager
async def _echo() -> AsyncIterator[str]:
    async def back(request: web.Request) -> web.WebSocketResponse:
        socket = web.WebSocketResponse()
        await socket.prepare(request)
        async for message in socket:
            await socket.send_bytes(message.data)
        return socket

    app = web.Application()
    app.add_routes([web.get("/", back)])
    runner = web.AppRunner(app)
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", 0).start()
    try:
        yield f"http://127.0.0.1:{runner.addresses[0][1]}/"
    finally:
        await runner.cleanup()


async def _many(desk: psutil.Process, url: str, drawn: Sequence[Code], seconds: float) -> list[Row]:
    alone = Measuring(desk)
    await asyncio.sleep(max(1.0, seconds / 4))
    idle = alone.done()
    phones = [ScriptedPhone(url, code) for code in drawn]
    for phone in phones:
        await phone.load()
    await until(lambda: all(phone.state == k.READY for phone in phones), "all games to be set up", 120)
    await asyncio.gather(*map(begins, phones))
    with_them = Measuring(desk)
    since = time.monotonic()
    while time.monotonic() - since < max(2.0, seconds):
        await asyncio.gather(*(moves(phone, 1) for phone in phones))
        await asyncio.sleep(1)
    cost = with_them.done()
    await asyncio.gather(*(phone.close() for phone in phones))
    count = len(phones)
    return [
        Row(f"processor of a desk with {count} phones, each a move in 1.4 s", f"{100 * cost.share:.1f} % of a core",
            f"without {100 * idle.share:.2f} %", f"{cost.share / idle.share:.0f}" if idle.share else NONE),
        Row(f"memory of that desk, each phone of {count}", f"{(cost.memory - idle.memory) / count / 1024:.0f} KB",
            f"without {idle.memory / 1024 / 1024:.0f} MB"),
    ]  # fmt: skip


async def _start(url: str) -> list[Row]:
    if CHROMIUM is None:
        return [Row("there is no Chromium here", NONE)]
    async with async_playwright() as playing:
        browser = await playing.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        try:
            took: list[float] = []
            weight = 0
            for slower in (1, SLOWER):
                async with page_of(browser) as seen:
                    tools = await seen.page.context.new_cdp_session(seen.page)
                    await tools.send("Network.enable")
                    await tools.send("Emulation.setCPUThrottlingRate", {"rate": slower})
                    seen.weights.clear()
                    began = time.perf_counter()
                    await seen.page.goto(f"{url}/b#{bytes(6).hex()}.{bytes(32).hex()}")
                    await seen.page.locator("body[data-begun=yes]").wait_for()
                    took.append(time.perf_counter() - began)
                    weight = sum(seen.weights.values())
        finally:
            await browser.close()
    return [
        Row(f"the page begins to play, processor {SLOWER} times slower", f"{took[1]:.2f} s",
            f"on this machine {took[0]:.2f} s", f"{took[1] / took[0]:.1f}"),
        Row("... all that is loaded for it", f"{weight / 1024:.0f} KB"),
    ]  # fmt: skip


async def _press(ledger: Ledger, phone: ScriptedPhone) -> float:
    """Milliseconds from the finger that is lifted to the committed row."""
    before = _told(ledger, phone.code)
    await phone.tap(JUZ)  # lifted when this returns
    began = time.perf_counter()
    await until(lambda: _told(ledger, phone.code) != before, "the press to be committed", look_s=LOOK_S)
    return 1_000 * (time.perf_counter() - began)


def _told(ledger: Ledger, code: Code) -> int:
    return sum(stream.contiguous for stream in ledger.boxes(code.box.uid))
