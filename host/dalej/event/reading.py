"""What an event's ledger holds, read once: every entry when it is new and never again, and folded once by whoever asks
what it comes to.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from heapq import merge
from pathlib import Path
from typing import Final, Protocol, TypeVar, cast

from dalej.event.ledger import (
    SENT,
    Conflict,
    Decision,
    Entry,
    Gap,
    Ledger,
    Outcome,
    Reported,
    Request,
)

SLICE: Final = 5_000  # entries read at once, decisions apart


class Fold(Protocol):
    """What entries come to, taken in one by one in the ledger's order."""

    def take(self, entry: Entry) -> object: ...


FoldT = TypeVar("FoldT", bound=Fold)


@dataclass(slots=True)
class Asked:
    """A request, and all that became of it, in order."""

    request: Request
    outcomes: list[Outcome] = field(default_factory=list)

    @property
    def result(self) -> str:
        """What became of it last, as an outcome says it; "" while nothing is known."""
        return self.outcomes[-1].result if self.outcomes else ""

    @property
    def reason(self) -> str:
        """Of a refusal."""
        return self.outcomes[-1].reason if self.outcomes else ""

    @property
    def is_open(self) -> bool:
        """Whether nobody has answered yet; it may have been sent."""
        return all(one.result == SENT for one in self.outcomes)


class Reading:
    """A ledger as it was read last; `on` reads what is new since. For one thread at a time.

    `head`: the last entry that was read; `decided`: another number after each decision. What is asked in between is of
    one moment, whatever others write meanwhile.
    """

    def __init__(self, ledger: Ledger) -> None:
        self._ledger = ledger
        self.decided = 0
        self._start()

    def _start(self) -> None:
        self.head = 0
        self.decided += 1
        self._made: list[Decision] = []  # as they were read
        self._decisions: dict[int, Decision] = {}
        self._of_kind: dict[str, dict[int, Decision]] = {}
        self._entries: list[Entry] = []  # all up to `_read`; facts are many, and much needs none of them
        self._read = 0
        self._facts: list[Reported] = []
        self._gaps: list[Gap] = []
        self._conflicts: list[Conflict] = []
        self._asked: dict[int, Asked] = {}
        self._asked_of: dict[str, list[Asked]] = {}
        self._folds: dict[object, tuple[Fold, int]] = {}  # with how many entries each has taken

    @property
    def path(self) -> Path:
        """The event file."""
        return self._ledger.path

    def on(self) -> Reading:
        """What is new, too. Unreachable if the file cannot be read now, Damaged if what it holds cannot; a file that is
        older than what was read is read anew.
        """
        head = self._ledger.head()
        if head < self.head:
            self._start()
        for decision in self._ledger.decisions_between(self.head, head) if head > self.head else ():
            self._decide(decision)
        self.head = head
        return self

    def back_to(self, head: int) -> None:
        """What was read after that place was never made durable: it is as if it had not been read."""
        if head < self.head:
            made = [one for one in self._made if one.cursor <= head]
            kept, read = self._entries[: bisect_right(self._entries, head, key=_cursor)], min(self._read, head)
            self._start()
            for decision in made:
                self._decide(decision)
            for entry in kept:
                self._take(entry)
            self.head, self._read = head, read

    def _all(self) -> None:
        """Everything else up to the head as well."""
        while self._read < self.head:
            last = min(self.head, self._read + SLICE)
            after = bisect_right(self._made, self._read, key=_cursor)
            decided = self._made[after : bisect_right(self._made, last, key=_cursor)]
            others = self._ledger.others_between(self._read, last)
            for entry in sorted([*decided, *others], key=_cursor):
                self._take(entry)
            self._read = last

    def _take(self, entry: Entry) -> None:
        match entry:
            case Reported():
                self._facts.append(entry)
            case Gap():
                self._gaps.append(entry)
            case Conflict():
                self._conflicts.append(entry)
            case Request():
                self._asked[entry.id] = asked = Asked(entry)
                if entry.box is not None:
                    self._asked_of.setdefault(entry.box, []).append(asked)
            case Outcome():
                self._asked[entry.request].outcomes.append(entry)
        self._entries.append(entry)

    def _decide(self, decision: Decision) -> None:
        self.decided += 1
        self._made.append(decision)
        unrevoked = decision if decision.revoked_by is None else replace(decision, revoked_by=None)
        self._keep(unrevoked)  # until its revocation is read, too
        revoked = None if decision.revokes is None else self._decisions.get(decision.revokes)
        if revoked is not None:
            self._keep(replace(revoked, revoked_by=decision.cursor))

    def _keep(self, decision: Decision) -> None:
        self._decisions[decision.cursor] = decision
        self._of_kind.setdefault(decision.kind, {})[decision.cursor] = decision

    # What boxes reported

    def facts(self) -> Sequence[Reported]:
        """All, in the order in which they came."""
        self._all()
        return self._facts

    def gaps(self) -> Sequence[Gap]:
        """Every range that a box reported as no longer held, in the order in which they were told."""
        self._all()
        return self._gaps

    def conflicts(self) -> Sequence[Conflict]:
        """Every contradiction a box has told, oldest first."""
        self._all()
        return self._conflicts

    # What people and the desk decided, and asked of boxes

    def decisions(self, *kinds: str, subject: str | None = None, standing: bool = False) -> list[Decision]:
        """Decisions of these kinds, of all without any, oldest first; `standing` leaves out those that were revoked."""
        found = [self._of_kind.get(kind, {}).values() for kind in {*kinds}] if kinds else [self._decisions.values()]
        return [
            one
            for one in (found[0] if len(found) == 1 else merge(*found, key=_cursor))
            if subject in (None, one.subject) and not (standing and one.revoked_by)
        ]

    def decision(self, cursor: int) -> Decision | None:
        """The decision at that place, None if there is none."""
        return self._decisions.get(cursor)

    def asked(self, box: str | None = None) -> Sequence[Asked]:
        """Every request to a box, or what was asked of that one, in the order they were made."""
        self._all()
        return list(self._asked.values()) if box is None else self._asked_of.get(box, ())

    def open_requests(self) -> list[Request]:
        """Requests that nobody has answered yet, oldest first; those already `sent` among them."""
        self._all()
        return [one.request for one in self._asked.values() if one.is_open]

    # What it comes to

    def fold(self, begin: Callable[[], FoldT]) -> FoldT:
        """The one fold that `begin` made, which has taken every entry so far; read it, do not change it. Whatever it
        raises at an entry it raises again when it is asked for again.
        """
        self._all()
        return self._folded(begin, self._entries)

    def fold_decisions(self, begin: Callable[[], FoldT]) -> FoldT:
        """The same of one that makes nothing of any entry but decisions: no other is read for it."""
        return self._folded(begin, self._made)

    def _folded(self, begin: Callable[[], FoldT], entries: Sequence[Entry]) -> FoldT:
        found, taken = self._folds.get(begin) or (begin(), 0)
        try:
            while taken < len(entries):
                found.take(entries[taken])
                taken += 1
        finally:
            self._folds[begin] = found, taken
        return cast(FoldT, found)


def read(ledger: Ledger) -> Reading:
    """All that it holds now. Errors as of `Reading.on`."""
    return Reading(ledger).on()


def _cursor(entry: Entry) -> int:
    return entry.cursor
