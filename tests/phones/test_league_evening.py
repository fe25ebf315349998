"""docs/phones.md, line by line: the real program, seven phones, an evening of a league."""

from __future__ import annotations

import asyncio
import os
import re
import shlex
import subprocess
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Final

import pytest

from dalej.boxes.paired import OwnBoxes
from dalej.boxes.phones import Code
from dalej.boxes.secret import ClubKeys
from dalej.event import eventlog
from dalej.event.ledger import Ledger
from dalej.event.reading import read
from moveclock import facts as k
from tests.documents import ROOT, commands
from tests.phones.desk import until
from tests.phones.playing import begins, moves, nothing_unsent
from tests.phones.scripted import ScriptedPhone
from tests.world import event_file

TABLES: Final = range(1, 8)
MOVES: Final = 4
DEADLINE_S: Final = 120.0
PAGES: Final = (ROOT / "docs" / "phones.md", ROOT / "docs" / "pl" / "phones.md")


def environment(folder: Path) -> dict[str, str]:
    more = {"DALEJ_HOME": str(folder / "club"), "PYTHON_KEYRING_BACKEND": "keyring.backends.fail.Keyring",
            "LANGUAGE": "en", "PYTHONUNBUFFERED": "1"}  # fmt: skip
    return {**os.environ, **more}


def program(command: str, *more: str) -> list[str]:
    called, *words = shlex.split(command)
    assert called == "dalej"
    return [sys.executable, "-m", "dalej", *words, *more]


@asynccontextmanager
async def the_desk(folder: Path, command: str) -> AsyncIterator[str]:
    """As the page starts it, on a port that is free; where phones reach it."""
    going = await asyncio.create_subprocess_exec(
        *program(command, "--phones-port", "0"), cwd=folder, env=environment(folder), stdout=subprocess.PIPE
    )
    assert going.stdout is not None
    try:
        async with asyncio.timeout(DEADLINE_S):
            while (
                found := re.search(r"boxes at http://[^:]+:(\d+)", line := (await going.stdout.readline()).decode())
            ) is None:
                assert line, "the desk has ended before it answered phones"
        reading = asyncio.create_task(going.stdout.read())
        yield f"http://127.0.0.1:{found[1]}"
        going.terminate()
        await going.wait()
        await reading
    finally:
        if going.returncode is None:
            going.kill()
            await going.wait()


@pytest.mark.parametrize("page", PAGES, ids=["en", "pl"])
def test_an_evening_of_a_league_is_played_on_seven_phones_as_the_page_says(page: Path, tmp_path: Path) -> None:
    (_, run), (_, codes), _clock = commands(page)
    event_file(tmp_path, 4 * len(TABLES), file="evening.dalej")

    async def evening() -> None:
        async with asyncio.timeout(DEADLINE_S), the_desk(tmp_path, run) as url:
            done = await asyncio.to_thread(
                subprocess.run, program(codes), cwd=tmp_path, env=environment(tmp_path), check=True,
                capture_output=True, timeout=DEADLINE_S,
            )  # fmt: skip
            assert b"codes.pdf is written" in done.stdout
            assert (tmp_path / "codes.pdf").read_bytes()[:5] == b"%PDF-"

            keys = ClubKeys(tmp_path / "club", os.urandom)
            boxes = {int(box.name[1:]): box for box in OwnBoxes(tmp_path / "club")}
            assert sorted(boxes) == [*TABLES]
            phones = [ScriptedPhone(url, Code(boxes[table], keys.of_box(boxes[table].uid_bytes))) for table in TABLES]
            for phone in phones:
                phone.load()
            for phone in phones:
                await until(lambda each=phone: each.state == k.READY, "a game to be set up")  # type: ignore[misc]
            await asyncio.gather(*map(begins, phones))
            await asyncio.gather(*(moves(phone, MOVES) for phone in phones))
            await asyncio.gather(*map(nothing_unsent, phones))
            await asyncio.gather(*(phone.close() for phone in phones))

    with pytest.MonkeyPatch.context() as patched:
        patched.setenv("PYTHON_KEYRING_BACKEND", "keyring.backends.fail.Keyring")
        asyncio.run(evening())
    with Ledger.open(tmp_path / "evening.dalej") as ledger:
        reading = read(ledger)
        told = [(one.table, one.turn.move) for one in eventlog.turns(reading) if one.turn.how]
        assert sorted(told) == [(table, move) for table in TABLES for move in range(1, MOVES + 1)]
        assert list(eventlog.problems(reading)) == []
