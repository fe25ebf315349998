"""Joining without typing a password: the organiser's page shows a code for a person and a role; whoever scans it first
is in. It counts once, for a few minutes, and what it opens is a session like any other: listed, and ended one by one.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from dalej.clock import Clock
from dalej.errors import Refused
from dalej.office.acts.roles import Role
from dalej.office.numbers import tables
from dalej.words import N_

VALID_MS: Final = 10 * 60_000
MOST: Final = 60
TOKEN_BYTES: Final = 16


@dataclass(frozen=True, slots=True)
class Invitation:
    """`name` "": whoever joins says it. `tables`: those that a referee may decide on, empty: all. `stamp`: changes with
    the role's password. `until_ms`: of the server's clock.
    """

    key: str
    name: str
    role: Role
    tables: frozenset[int]
    stamp: str
    until_ms: int


class Invitations:
    """Those that are open. `random(n)`: that many unpredictable bytes."""

    def __init__(self, clock: Clock, random: Callable[[int], bytes]) -> None:
        self._clock = clock
        self._random = random
        self._open: dict[str, Invitation] = {}

    def make(self, name: str, role: Role, tables: frozenset[int], stamp: str) -> tuple[str, Invitation]:
        """The token that opens it, and the invitation; Refused if too many are open."""
        self._sweep()
        if len(self._open) >= MOST:
            raise Refused(N_("{most} invitations are open, that is as many as there can be"), most=MOST)
        token = self._random(TOKEN_BYTES).hex()
        made = Invitation(_key(token), name, role, tables, stamp, self._clock.now_ms() + VALID_MS)
        self._open[made.key] = made
        return token, made

    def look(self, token: str) -> Invitation | None:
        """The invitation of that token, which stays open; None: none, or used, or too old."""
        self._sweep()
        return self._open.get(_key(token))

    def take(self, token: str) -> Invitation | None:
        """The same; it counts no more."""
        self._sweep()
        return self._open.pop(_key(token), None)

    def withdraw(self, key: str) -> None:
        """It counts no more, whoever has it."""
        self._open.pop(key, None)

    def open(self) -> list[Invitation]:
        """Those that nobody has used yet, the oldest first."""
        self._sweep()
        return list(self._open.values())

    def _sweep(self) -> None:
        now_ms = self._clock.now_ms()
        self._open = {key: one for key, one in self._open.items() if now_ms < one.until_ms}


def tables_named(text: str) -> frozenset[int]:
    """`1-8, 12`; nothing: all, which is the empty set. WrongInput if it names no tables."""
    return frozenset(tables(text)) if text.strip() else frozenset()


def _key(token: str) -> str:
    return hashlib.sha256(token.encode("utf-8", "replace")).hexdigest()
