"""Fifty browsers at once on `dalej serve`: how long the last of them waits for its hall and the first that is live,
against one alone.

All are served by one process that reads the event once; the browsers are bare connections, so what a browser takes to
paint is not in it. They have logged in before: what that costs on purpose is not what is measured.
"""

from __future__ import annotations

import asyncio
import tempfile
import time
from contextlib import AsyncExitStack
from pathlib import Path
from statistics import median
from typing import Final

from bench.ledger import DISK
from bench.row import Row
from tests.web.rig import Browser, served

BROWSERS: Final = 50
HERE: Final = DISK.absolute()
TURNS: Final = 3


def measure(size: float = 1) -> list[Row]:
    """One row."""
    DISK.mkdir(exist_ok=True)
    turns = max(1, int(TURNS * size))
    alone = median(took for _ in range(turns) for took in asyncio.run(_waits(1)))
    many = median(max(asyncio.run(_waits(BROWSERS))) for _ in range(turns))
    return [
        Row(
            f"asked to first live part, the last of {BROWSERS} browsers at once", f"{many:.2f} s",
            f"one alone {alone:.2f} s", f"{many / alone:.1f}", "≤ 25",
        )
    ]  # fmt: skip


async def _waits(browsers: int) -> list[float]:
    with tempfile.TemporaryDirectory(prefix="bench-", dir=HERE) as folder:
        async with AsyncExitStack() as stack:
            rig = await stack.enter_async_context(served(Path(folder)))
            opened = [await stack.enter_async_context(rig.browser()) for _ in range(browsers)]
            for number, browser in enumerate(opened):
                await browser.log_in("referee", f"Lis {number}")
            return list(await asyncio.gather(*map(_wait, opened)))


async def _wait(browser: Browser) -> float:
    began = time.monotonic()
    await browser.page("/hall")
    async with browser.looking("/live/hall") as live:
        await live.parts()
    return time.monotonic() - began
