"""Five browsers at once on `dalej serve`: how long each waits for its first picture, against one alone.

Every session is a screen process of its own behind a log-in; the browsers are bare websockets, so what a browser takes
to paint is not in it. They have logged in before: what that costs on purpose is not what is measured.
"""

from __future__ import annotations

import asyncio
import sys
import tempfile
import time
from contextlib import AsyncExitStack
from pathlib import Path
from statistics import median
from typing import Final

from bench.ledger import DISK
from bench.row import Row
from tests.web.rig import Browser, served, shown

BROWSERS: Final = 5
HERE: Final = DISK.absolute()
TURNS: Final = 3
SHOWN: Final = "school-league"  # in the hall's title


def measure(size: float = 1) -> list[Row]:
    """One row."""
    DISK.mkdir(exist_ok=True)
    turns = max(1, int(TURNS * size))
    alone = median(took for _ in range(turns) for took in asyncio.run(_waits(1)))
    many = median(max(asyncio.run(_waits(BROWSERS))) for _ in range(turns))
    return [
        Row(
            f"opened to first picture, the last of {BROWSERS} browsers at once", f"{many:.1f} s",
            f"one alone {alone:.1f} s", f"{many / alone:.1f}", f"≤ {BROWSERS}",
        )
    ]  # fmt: skip


async def _waits(browsers: int) -> list[float]:
    with tempfile.TemporaryDirectory(prefix="bench-", dir=HERE) as folder:
        command = [sys.executable, "-m", "dalej.cli.served", str(Path(folder) / "cup.dalej"), "en"]
        async with AsyncExitStack() as stack:
            rig = await stack.enter_async_context(
                served(Path(folder), command=lambda _language: command)
            )  # fmt: skip
            opened = [await stack.enter_async_context(rig.browser()) for _ in range(browsers)]
            for number, browser in enumerate(opened):
                await browser.log_in("referee", f"Lis {number}")
            return list(await asyncio.gather(*map(_wait, opened)))


async def _wait(browser: Browser) -> float:
    began = time.monotonic()
    screen = await browser.screen()
    await shown(screen, SHOWN)
    took = time.monotonic() - began
    await screen.close()
    return took
