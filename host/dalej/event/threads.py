"""What was begun in a thread is finished, though whoever waits for it may have gone: a screen that closes gives its
workers up, but nothing stops a thread, and until it has ended nobody else may use what it works on.
"""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from typing import Any, TypeVar

Result = TypeVar("Result")


async def to_the_end(doing: Coroutine[Any, Any, Result]) -> Result:
    """What comes of it. Whoever is cancelled here leaves it going, with the locks it holds."""
    task = asyncio.ensure_future(doing)
    task.add_done_callback(_ended)
    return await asyncio.shield(task)


def _ended(task: asyncio.Future[Any]) -> None:
    """Why it failed is nobody's any more if nobody waited for it."""
    if not task.cancelled():
        task.exception()
