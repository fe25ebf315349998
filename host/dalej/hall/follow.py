"""Keeps a model of the hall up to date with the ledger, in slices: a cursor that only grows."""

from __future__ import annotations

from typing import Final, Protocol

from dalej.errors import DalejError, Damaged
from dalej.hall.model import HallModel
from dalej.ledger import Entry, OlderFile
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
