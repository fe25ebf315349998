"""Keeps a model of the hall up to date with the ledger, in slices: a cursor that only grows; without waiting for the
ledger: a thread reads, the fold stays where rows are asked for.
"""

from __future__ import annotations

import asyncio
from typing import Final, Protocol

from dalej.errors import DalejError, Damaged
from dalej.event.ledger import Entry, OlderFile
from dalej.views.hall import HallModel
from dalej.words import N_

SLICE: Final = 1_000
_TROUBLES: Final = 100


class Entries(Protocol):
    """A ledger, as far as somebody who reads along needs it."""

    def since(self, cursor: int, limit: int) -> list[Entry]: ...


class Follower:
    """Reads `entries` into `model`. `cursor`: what has been read; `behind`: there was more when it last looked.

    `troubles`: what could not be read, and was passed over, in words, the latest hundred; restarts too.
    """

    def __init__(self, entries: Entries, model: HallModel, *, slice_size: int = SLICE) -> None:
        self.cursor = 0
        self.behind = True
        self.troubles: list[DalejError] = []
        self._entries = entries
        self._model = model
        self._slice = slice_size

    def catch_up(self, most: int | None = None) -> set[int]:
        """Read what is new, at most about `most` entries; the tables that may look different now.

        If the ledger is older than what has been read, it is read anew from the start. Unreachable: try again later;
        Damaged: it cannot be read on from here.
        """
        touched: set[int] = set()
        read = 0
        while True:
            try:
                entries = self._entries.since(self.cursor, self._slice)
            except OlderFile:
                if not self.cursor:
                    raise
                touched |= self._start_anew()
                continue
            for entry in entries:
                touched |= self._take(entry)
                self.cursor = entry.cursor
            read += len(entries)
            self.behind = len(entries) == self._slice
            if not self.behind or (most is not None and read >= most):
                return touched

    def _take(self, entry: Entry) -> set[int]:
        try:
            return self._model.entry(entry)
        except DalejError as error:
            self._tell(error)
            return set()

    def _start_anew(self) -> set[int]:
        before = set(self._model.tables())
        self._model.forget()
        self._tell(Damaged(N_("the event file is an older one than before: read anew from its start")))
        self.cursor = 0
        return before | set(self._model.tables())

    def _tell(self, trouble: DalejError) -> None:
        self.troubles.append(trouble)
        del self.troubles[:-_TROUBLES]


HINT_S: Final = 0.5  # in one go: a thread that waits cannot be called back
SLICE_AHEAD: Final = 500  # entries that are folded without a look at the keyboard


class Hints(Protocol):
    """A ledger that may say when it has grown."""

    def hinted(self, most_s: float) -> bool | None:
        """Whether it has said so within that time; None, at once: it never does."""


class LedgerReader:
    """Brings a model up to what the ledger holds, a slice at a time. `hints`: who says when there is more, if anybody
    does.
    """

    def __init__(self, entries: Entries, model: HallModel, hints: Hints | None = None) -> None:
        self._hints = hints
        self._ahead = _Ahead(entries)
        self._follower = Follower(self._ahead, model, slice_size=SLICE_AHEAD)

    async def read_on(self) -> set[int] | None:
        """The tables that the next slice is about; None if there is nothing new. Unreachable: try again later; Damaged:
        it cannot be read on from here.
        """
        cursor = self._follower.cursor
        await self._ahead.fetch(cursor)
        touched = self._follower.catch_up(most=1)
        return None if self._follower.cursor == cursor else touched

    async def hint(self) -> None:
        """Until somebody says that there is more; for ever where nobody does."""
        hinted = None if self._hints is None else False
        while self._hints is not None and hinted is False:
            hinted = await asyncio.to_thread(self._hints.hinted, HINT_S)
        if hinted is None:
            await asyncio.Event().wait()

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
            self._slice = await asyncio.to_thread(self._entries.since, cursor, SLICE_AHEAD)
        except DalejError as error:
            self._error = error

    def since(self, cursor: int, limit: int) -> list[Entry]:
        if cursor != self._cursor:
            return []
        self._cursor = -1
        if self._error is not None:
            raise self._error
        return self._slice[:limit]
