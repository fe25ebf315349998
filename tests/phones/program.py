"""`dalej run --phones`, the real program, and the club whose phones it answers."""

from __future__ import annotations

import asyncio
import os
import re
import shlex
import subprocess
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from dalej.boxes.paired import OwnBoxes
from dalej.boxes.phones import Code
from dalej.boxes.secret import ClubKeys

DEADLINE_S: Final = 120.0
NO_KEYRING: Final = {"PYTHON_KEYRING_BACKEND": "keyring.backends.fail.Keyring"}


def environment(folder: Path) -> dict[str, str]:
    more = {"DALEJ_HOME": str(folder / "club"), "LANGUAGE": "en", "PYTHONUNBUFFERED": "1", **NO_KEYRING}
    return {**os.environ, **more}


def program(command: str, *more: str) -> list[str]:
    called, *words = shlex.split(command)
    assert called == "dalej"
    return [sys.executable, "-m", "dalej", *words, *more]


@dataclass(frozen=True, slots=True)
class Served:
    """A desk that runs: where phones reach it, and its process."""

    url: str
    pid: int


@asynccontextmanager
async def the_desk(folder: Path, command: str, port: int = 0) -> AsyncIterator[Served]:
    """As somebody types it, on that port; 0: one that is free."""
    going = await asyncio.create_subprocess_exec(
        *program(command, "--phones-port", str(port)), cwd=folder, env=environment(folder), stdout=subprocess.PIPE
    )
    assert going.stdout is not None
    try:
        async with asyncio.timeout(DEADLINE_S):
            found = None
            while found is None:
                line = (await going.stdout.readline()).decode()
                assert line, "the desk has ended before it answered phones"
                found = re.search(r"boxes at http://[^:]+:(\d+)", line)
        reading = asyncio.create_task(_drained(going.stdout))
        yield Served(f"http://127.0.0.1:{found[1]}", going.pid)
        if going.returncode is None:
            going.terminate()
        async with asyncio.timeout(DEADLINE_S):
            await going.wait()
            await reading
    finally:
        if going.returncode is None:
            going.kill()
            async with asyncio.timeout(DEADLINE_S):
                await going.wait()


async def _drained(told: asyncio.StreamReader) -> None:
    """So that the desk can go on telling; ends with it."""
    while await told.readline():
        pass


def codes(folder: Path) -> dict[int, Code]:
    """What stands on the sheets that `dalej box phone` has written, by table."""
    keys = ClubKeys(folder / "club", os.urandom)
    boxes = {int(box.name[1:]): box for box in OwnBoxes(folder / "club")}
    return {table: Code(box, keys.of_box(box.uid_bytes)) for table, box in boxes.items()}
