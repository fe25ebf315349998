"""A ledger with something of everything, and what it says to a centre."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import count
from random import Random
from typing import Final

from dalej.centre.stream import BEGINNING, digest_after, line_of
from dalej.centre.talk import Batch
from dalej.event.ledger import Decision, Json, Ledger
from tests.event.ledger.making import BOX, EPOCH, NOON, OTHER, report

KEY: Final = "k" * 43
KINDS: Final = ("fact", "again", "conflict", "gap", "decision", "on a subject", "revoked", "request", "outcome")


def lines_of(ledger: Ledger, after: int = 0) -> list[str]:
    return [line_of(entry) for entry in ledger.since(after, 1_000_000)]


def batch(lines: Sequence[str], before: Sequence[str] = (), *, desk: str = "desk 1", anew: int | None = None) -> Batch:
    """Those lines, after the ones `before` them."""
    return Batch(desk, len(before), digest_after(BEGINNING, before).hex(), list(lines), anew)


class Filling:
    """Puts entries of every kind into a ledger, as the lot falls."""

    def __init__(self, ledger: Ledger, lot: Random) -> None:
        self._ledger = ledger
        self._lot = lot
        self._seq = count(1)
        self._token = ledger.lease.acquire("desk", NOON, 1_000).token
        self._told: list[int] = []
        self._asked: list[int] = []
        self._standing: list[int] = []
        self._on_subject: int | None = None
        self._later_ms = 0

    def move_to(self, ledger: Ledger) -> None:
        """The same event, which may be an older copy of it: what is put next is new to both."""
        self._ledger = ledger
        self._later_ms += 10_000
        self._token = ledger.lease.acquire("desk", NOON + self._later_ms, 1_000).token
        self._told.clear()
        self._asked.clear()
        self._standing.clear()
        decided = [one for one in ledger.since(0, 1_000_000) if isinstance(one, Decision) and one.subject == "player:1"]
        self._on_subject = decided[-1].cursor if decided else None

    def put(self, kind: str) -> None:
        ledger, lot = self._ledger, self._lot
        if kind == "fact":
            self._told.append(next(self._seq))
            ledger.record([report(self._told[-1], box=lot.choice((BOX, BOX, OTHER)))])
        elif kind == "again" and self._told:
            ledger.record([report(self._told[-1])])
        elif kind == "conflict" and self._told:
            ledger.record([report(lot.choice(self._told), a=lot.randrange(1, 99_999))])
        elif kind == "gap":
            first = next(self._seq)
            ledger.lost(BOX, EPOCH, first, first, "żółw ate it", NOON)
        elif kind == "decision":
            body: dict[str, Json] = {"points": lot.random(), "who": "Żak “Ł”\n", "more": [1, None, True, {"x": -0.5}]}
            made = ledger.decide("note", body, who="Sowa (sędzia)", when_ms=NOON + lot.randrange(99), why="zobaczyła")
            self._standing.append(made.cursor)
        elif kind == "on a subject":
            self._on_subject = ledger.decide(
                "player", {"name": "Ryś"}, who="Sowa", when_ms=NOON, why="came", subject="player:1",
                expects=self._on_subject,
            ).cursor  # fmt: skip
        elif kind == "revoked" and self._standing:
            ledger.revoke(self._standing.pop(), who="Wilk", when_ms=NOON, why="by mistake")
        elif kind == "request":
            if lot.random() < 0.3:
                ledger.skip_requests(lot.randrange(1, 40))
            guard = (1, 2) if lot.random() < 0.5 else None
            self._asked.append(ledger.request(3, "stop", {"at": 1}, who="Sowa", at_ms=NOON, box=BOX, guard=guard).id)
        elif kind == "outcome" and self._asked:
            ledger.outcome(self._asked.pop(), "applied", at_ms=NOON, token=self._token, reason="ok")

    def some(self, entries: int) -> None:
        for _ in range(entries):
            self.put(self._lot.choice(KINDS))
