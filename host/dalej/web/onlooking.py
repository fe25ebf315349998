"""The live feed for a screen in a browser: it hears everything, and plays no simulated box.

What is done over the web is an act, asked for by name and written down; a finger on a simulated box is neither.
"""

from __future__ import annotations

from collections.abc import AsyncIterator
from dataclasses import replace

from dalej.live.client import Live
from dalej.live.messages import FromScreen, Look, ToScreen, Welcome


class Onlooker:
    """A connection to the desk from which nothing comes but what is looked at."""

    def __init__(self, live: Live) -> None:
        self._live = live

    async def messages(self) -> AsyncIterator[ToScreen]:
        """Everything the desk says; to this screen no hall is simulated."""
        async for message in self._live.messages():
            yield replace(message, simulated=False) if isinstance(message, Welcome) else message

    async def send(self, message: FromScreen) -> None:
        """Only where it looks."""
        if isinstance(message, Look):
            await self._live.send(message)

    async def close(self) -> None:
        """Hang up."""
        await self._live.close()
