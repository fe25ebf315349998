"""How screens end when nobody wished it: the connection is lost, nobody reads, the server closes."""

from __future__ import annotations

import asyncio
import gc
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Final

import pytest

from dalej.web import screens as terminals
from dalej.web.screens import Terminal
from tests.web.rig import DEADLINE_S, Rig, alive, closed, gone, mute, play

FLOOD: Final = [sys.executable, "-S", str(Path(__file__).with_name("flood.py"))]


async def until(true: Callable[[], object]) -> None:
    async with asyncio.timeout(DEADLINE_S):
        while not true():  # noqa: ASYNC110 -- what is waited for tells nobody
            await asyncio.sleep(0.01)


def test_a_screen_that_comes_while_the_server_closes_does_not_begin(tmp_path: Path) -> None:
    async def story(rig: Rig) -> None:
        assert rig.server.screens is not None
        async with rig.browser() as browser:
            await browser.log_in("referee")
            await rig.server.screens.close()
            await closed(await browser.screen())
            assert rig.server.screens.pids == []

    play(tmp_path, story, command=mute)


@pytest.mark.parametrize("whose", ["browser", "server"])
def test_a_connection_that_is_lost_while_a_frame_waits_is_no_failure_of_the_screen(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, whose: str
) -> None:
    async def story(rig: Rig) -> None:
        assert rig.server._runner is not None
        assert rig.server._runner.server is not None
        assert rig.server.screens is not None
        async with rig.browser() as browser:
            await browser.log_in("referee")
            screen = await browser.screen()
            await until(lambda: rig.server.screens and rig.server.screens.pids)
            (pid,) = rig.server.screens.pids
            connections = rig.server._runner.server.connections
            await until(lambda: any(one.writing_paused for one in connections))

            (ours,) = (one for one in connections if one.writing_paused)
            theirs = screen._response.connection
            lost = ours.transport if whose == "server" else theirs and theirs.transport
            assert isinstance(lost, asyncio.Transport)
            lost.abort()

            await gone(pid)
            await screen.close()
            assert (await (await browser.get("/session")).json())["note"] == ""

    play(tmp_path, story, command=lambda _language: FLOOD)
    assert [record for record in caplog.records if record.levelname == "ERROR"] == []


@pytest.mark.parametrize("stubborn", [False, True])
def test_a_screen_that_nobody_reads_ends_with_all_that_it_had(monkeypatch: pytest.MonkeyPatch, stubborn: bool) -> None:
    monkeypatch.setattr(terminals, "QUIT_S", 0.05)
    monkeypatch.setattr(terminals, "DIE_S", 0.05)

    async def never(_said: bytes | str) -> None:
        await asyncio.Event().wait()

    async def run() -> None:
        terminal = Terminal([*FLOOD, *["stubborn"] * stubborn], {}, write_bytes=never, write_str=never)
        await terminal.start(80, 24)
        process = terminal._process
        assert process is not None
        assert process.stdout is not None
        pipe = process.stdout
        await until(lambda: vars(pipe)["_paused"])
        async with asyncio.timeout(DEADLINE_S):
            await terminal.stop()
        assert not alive(terminal.pid)

    asyncio.run(run())
    gc.collect()  # a pipe that outlived the loop says so now
