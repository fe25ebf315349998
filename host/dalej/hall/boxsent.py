"""Which boxes have the settings as they are now, read along beside a screen."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import Protocol

from dalej.finishing import to_the_end
from dalej.hall.book import Page
from dalej.ledger import Ledger
from dalej.office.boxsettings import Given, SettingsGiven


class Sent(Protocol):
    """What the settings screen asks."""

    async def look(self, page: Page) -> Sequence[Given]:
        """Every table of the page's round; DalejError if the ledger cannot be read now."""


class LedgerSent:
    """A `Sent` on an open ledger, read in a thread."""

    def __init__(self, ledger: Ledger) -> None:
        self._given = SettingsGiven(ledger)
        self._looking = asyncio.Lock()

    async def look(self, page: Page) -> Sequence[Given]:
        """One look at a time, each to its end."""
        return await to_the_end(self._look(page))

    async def _look(self, page: Page) -> Sequence[Given]:
        async with self._looking:
            return await asyncio.to_thread(self._read, page)

    def _read(self, page: Page) -> Sequence[Given]:
        if page.state is None:
            return ()
        self._given.read_on()
        return self._given.tables(page.state, page.boxes)
