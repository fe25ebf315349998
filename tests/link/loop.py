"""A test's own event loop, and waits within it."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Final, TypeVar

T = TypeVar("T")
DEADLINE_S: Final = 30.0


def run(do: Callable[[], Awaitable[T]]) -> T:
    async def within() -> T:
        async with asyncio.timeout(DEADLINE_S):
            return await do()

    return asyncio.run(within())


async def until(true: Callable[[], bool]) -> None:
    """Looks again after every turn of the loop."""
    while not true():  # noqa: ASYNC110 -- what it waits for has no event of its own
        await asyncio.sleep(0.005)
