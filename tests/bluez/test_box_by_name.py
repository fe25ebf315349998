"""`dalej box info|log|blink NAME`: one box over the air, by bleak's own backend, beside a desk that runs."""

from __future__ import annotations

import asyncio
import json
import os
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from dalej.boxes.paired import OwnBox, OwnBoxes
from dalej.boxes.secret import NO_KEYRING, ClubKeys
from moveclock.identity import KOSTKA
from tests.bluez.hall import Hall
from tests.waiting import until

ROOT = Path(__file__).parents[2]


@pytest.fixture(autouse=True)
def no_keyring(monkeypatch: pytest.MonkeyPatch) -> None:
    variable, _, value = NO_KEYRING.partition("=")
    monkeypatch.setenv(variable, value)


@asynccontextmanager
async def club_hall(folder: Path, boxes: int = 1) -> AsyncIterator[Hall]:
    """A hall whose boxes, "1" and so on, are paired with the club of this folder."""
    keys, own = ClubKeys(folder, os.urandom), OwnBoxes(folder)
    keys.make()
    there = Hall(folder, boxes)
    for number, box in enumerate(there.boxes, start=1):
        box.secret = keys.of_box(box.uid)
        own.keep(OwnBox(box.uid.hex(), str(number), KOSTKA, 0))
    async with there.on():
        yield there


async def dalej(folder: Path, *arguments: str) -> tuple[int, str, str]:
    """The program in a process of its own: code, stdout, stderr."""
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-m", "dalej", "--lang", "en", *arguments, cwd=ROOT,
        env={**os.environ, "DALEJ_HOME": str(folder)}, stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.PIPE,
    )  # fmt: skip
    async with asyncio.timeout(60):
        out, err = await process.communicate()
    return process.returncode or 0, out.decode(), err.decode()


def test_a_box_is_asked_by_its_name_and_has_acknowledged_nothing(tmp_path: Path) -> None:
    async def scenario() -> None:
        async with club_hall(tmp_path) as there:
            box = there.boxes[0]
            code, out, err = await dalej(tmp_path, "box", "info", "1", "--json")
            assert (code, err) == (0, "")
            told = json.loads(out)
            assert (told["box"], told["over"], told["firmware"], told["head"]) == (box.uid.hex(), "air", 1, box.head)
            assert told["mtu"] == there.on_air[0].mtu
            code, out, _ = await dalej(tmp_path, "box", "log", box.uid.hex(), "--json")
            assert [json.loads(line)["seq"] for line in out.splitlines()] == list(range(1, box.head + 1))
            assert box.powered.journal.acked == 0
            await until(lambda: not box.links, "the box is free again")

    asyncio.run(scenario())


def test_a_box_blinks_while_a_desk_keeps_its_link_to_another(tmp_path: Path) -> None:
    async def scenario() -> None:
        async with club_hall(tmp_path, 2) as there:
            first, second = there.boxes
            there.boxes.remove(second)  # the desk's event has the first alone
            async with there.desk() as place:
                await until(lambda: place.live(first), "the desk has its box")
                link = first.links.copy()
                code, out, err = await dalej(tmp_path, "box", "blink", "2")
                assert (code, out, err) == (0, "Box 2 blinks for five seconds.\n", "")
                assert second.powered.commands.blink_until
                assert first.links == link
            there.boxes.append(second)

    asyncio.run(scenario())


def test_a_box_that_a_desk_of_this_computer_serves_is_told_apart_from_a_dead_one(tmp_path: Path) -> None:
    async def scenario() -> None:
        async with club_hall(tmp_path) as there, there.desk() as place:
            box = there.boxes[0]
            await until(lambda: place.live(box), "the desk has its box")
            code, out, err = await dalej(tmp_path, "box", "blink", "1")
            assert (code, out) == (1, "")
            assert err.startswith("box 1 does not answer: if a desk on this computer serves it, ask there")
            await until(lambda: place.live(box), "the desk goes on")

    asyncio.run(scenario())


def test_without_bluetooth_it_is_said_in_seconds(tmp_path: Path) -> None:
    async def scenario() -> None:
        async with club_hall(tmp_path) as there:
            await there.bluez.stop()
            begun = asyncio.get_running_loop().time()
            code, _, err = await dalej(tmp_path, "box", "blink", "1")
            assert (code, err) == (1, "the Bluetooth service of this computer does not run (on Linux: bluetoothd)\n")
            assert asyncio.get_running_loop().time() - begun < 20

    asyncio.run(scenario())
