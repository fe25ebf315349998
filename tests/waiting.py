"""Waiting for what nobody tells of."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Final

WITHIN_S: Final = 45.0
LOOKS: Final = 100
LOOK_S: Final = 0.01


async def until(so: Callable[[], object], what: str, within_s: float = WITHIN_S, look_s: float = LOOK_S) -> None:
    """Fails by that name if it is not so in time, and often enough: a process that stood still has not waited."""
    deadline, looks = asyncio.get_running_loop().time() + within_s, 0
    while not so():
        looks += 1
        assert asyncio.get_running_loop().time() < deadline or looks < LOOKS, f"waited {within_s:g} s for {what}"
        await asyncio.sleep(look_s)


@asynccontextmanager
async def within(within_s: float, what: str) -> AsyncIterator[None]:
    """Fails by what is not so yet, such as "the desk has not ended", when the block takes longer."""
    try:
        async with asyncio.timeout(within_s) as due:
            yield
    except TimeoutError as late:
        if not due.expired():  # another wait's, within the block
            raise
        raise AssertionError(f"{what} within {within_s:g} s") from late
