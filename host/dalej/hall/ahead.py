"""Follows the ledger without waiting for it: a thread reads, the fold stays where rows are asked for."""

from __future__ import annotations

import asyncio
from typing import Final

from dalej.errors import DalejError
from dalej.hall.follow import Entries, Follower
from dalej.hall.model import HallModel
from dalej.ledger import Entry

SLICE: Final = 500  # entries that are folded without a look at the keyboard


class LedgerReader:
    """Brings a model up to what the ledger holds, a slice at a time."""

    def __init__(self, entries: Entries, model: HallModel) -> None:
        self._ahead = _Ahead(entries)
        self._follower = Follower(self._ahead, model, slice_size=SLICE)

    async def read_on(self) -> set[int] | None:
        """The tables that the next slice is about; None if there is nothing new. Unreachable: try again later; Damaged:
        it cannot be read on from here.
        """
        cursor = self._follower.cursor
        await self._ahead.fetch(cursor)
        touched = self._follower.catch_up(most=1)
        return None if self._follower.cursor == cursor else touched

    def new_troubles(self) -> list[DalejError]:
        """What could not be read and was passed over since this was asked last."""
        troubles, self._follower.troubles = self._follower.troubles, []
        return troubles


class _Ahead:
    """Answers with the slice, or the error, that was fetched; there is nothing after any other cursor."""

    def __init__(self, entries: Entries) -> None:
        self._entries = entries
        self._cursor = -1
        self._slice: list[Entry] = []
        self._error: DalejError | None = None

    async def fetch(self, cursor: int) -> None:
        self._cursor, self._slice, self._error = cursor, [], None
        try:
            self._slice = await asyncio.to_thread(self._entries.since, cursor, SLICE)
        except DalejError as error:
            self._error = error

    def since(self, cursor: int, limit: int) -> list[Entry]:
        if cursor != self._cursor:
            return []
        self._cursor = -1
        if self._error is not None:
            raise self._error
        return self._slice[:limit]
