"""A running desk in one asyncio loop: what carries its frames, who shows its hall, and who is told what."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine, Sequence
from typing import Any, Final

from dalej.link.serving import Serving
from dalej.live.server import Server
from dalej.running.desk import RunningDesk

LOOK_S: Final = 0.2


async def go(
    running: RunningDesk,
    serving: Serving,
    carriers: Sequence[Coroutine[Any, Any, None]],
    server: Server | None,
    stop: asyncio.Event,
    look: Callable[[], None],
) -> None:
    """Until `stop` is set: then goodbye is said to every box, and the lease is given back. `look` is called five times
    a second. Refused if another process has taken the lease; whatever else ends one of the parts is raised.
    """
    parts: list[asyncio.Task[Any]] = [asyncio.create_task(one) for one in carriers]
    linking = asyncio.create_task(serving.run())
    try:
        if server is not None:
            await server.open()
            parts.append(asyncio.create_task(server.until_closed()))
        parts.append(asyncio.create_task(_looking(running, look)))
        stopping = asyncio.create_task(stop.wait())
        parts.append(stopping)
        done, _ = await asyncio.wait((*parts, linking), return_when=asyncio.FIRST_COMPLETED)
        for part in done:
            part.result()
    finally:
        try:
            running.desk.close()
        finally:
            await _end(linking, *parts)
            if server is not None:
                await server.close()
    if running.desk.resigned is not None:
        raise running.desk.resigned


async def _looking(running: RunningDesk, look: Callable[[], None]) -> None:
    while running.desk.resigned is None:
        look()
        await asyncio.sleep(LOOK_S)
    look()


async def _end(*tasks: asyncio.Task[Any]) -> None:
    """One after the other: links are closed before what carries them goes."""
    for task in tasks:
        task.cancel()
        await asyncio.wait((task,))
