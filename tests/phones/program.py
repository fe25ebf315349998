"""`dalej run --phones`, the real program, and the club whose phones it answers."""

from __future__ import annotations

import asyncio
import os
import re
import shlex
import subprocess
import sys
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from dalej.boxes.paired import OwnBoxes
from dalej.boxes.phones import Code
from dalej.boxes.secret import ClubKeys
from tests.waiting import within

DEADLINE_S: Final = 120.0
ENDING_S: Final = 2.0
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
async def begun(
    command: Sequence[str],
    folder: Path,
    name: str,
    told: str,
    *,
    around: Mapping[str, str] | None = None,
    within_s: float = DEADLINE_S,
    may_be_killed: bool = False,
) -> AsyncIterator[tuple[int, str]]:
    """That program in that folder: its process's id, and what the pattern `told` finds in what it says. In the end it
    is ended in good order. AssertionError, with the last that it said, if it ends otherwise or by itself, whoever
    notices first, or takes longer than `within_s` of the loop. `around`: its environment.
    """
    with (folder / f"{name}.err").open("ab") as errors:
        process = await asyncio.create_subprocess_exec(
            *command, cwd=folder, env=around or environment(folder), stdout=subprocess.PIPE, stderr=errors
        )
    assert process.stdout is not None
    reading: asyncio.Task[None] | None = None
    try:
        found = None
        async with within(within_s, f"{name} has not begun"):
            while found is None:
                line = (await process.stdout.readline()).decode()
                assert line, f"{name} has ended: {_last(folder, name)}"
                found = re.search(told, line)
        reading = asyncio.create_task(_drained(process.stdout))
        try:
            yield process.pid, found[1]
        except BaseException as fault:
            if may_be_killed:
                raise
            with suppress(TimeoutError):  # whoever noticed may be quicker than the system is to tell
                await asyncio.wait_for(process.wait(), ENDING_S)
            if process.returncode is None:
                raise
            raise AssertionError(f"{name} has ended by itself: {_last(folder, name)}") from fault
        if process.returncode is not None and may_be_killed:
            return
        assert process.returncode is None, f"{name} has ended by itself: {_last(folder, name)}"
        process.terminate()
        async with within(within_s, f"{name} does not end"):
            await process.wait()
        assert process.returncode == 0, f"{name} ended with {process.returncode}: {_last(folder, name)}"
    finally:
        if process.returncode is None:
            process.kill()
            async with within(within_s, f"{name} does not die"):
                await process.wait()
        if reading is not None:
            async with within(within_s, f"{name} has ended, and its output does not"):
                await reading


async def _drained(told: asyncio.StreamReader) -> None:
    """So that the program can go on telling; ends with it."""
    while await told.readline():
        pass


def _last(folder: Path, name: str) -> str:
    lines = (folder / f"{name}.err").read_text("utf-8", "replace").strip().splitlines()
    return lines[-1] if lines else "it said nothing"


@asynccontextmanager
async def the_desk(folder: Path, command: str, port: int = 0) -> AsyncIterator[Served]:
    """As somebody types it, on that port; 0: one that is free. It may be killed meanwhile."""
    typed = program(command, "--phones-port", str(port))
    async with begun(typed, folder, "desk", r"boxes at http://[^:]+:(\d+)", may_be_killed=True) as (pid, found):
        yield Served(f"http://127.0.0.1:{found}", pid)


def codes(folder: Path) -> dict[int, Code]:
    """What stands on the sheets that `dalej box phone` has written, by table."""
    keys = ClubKeys(folder / "club", os.urandom)
    boxes = {int(box.name[1:]): box for box in OwnBoxes(folder / "club")}
    return {table: Code(box, keys.of_box(box.uid_bytes)) for table, box in boxes.items()}
