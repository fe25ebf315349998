"""Who sits with whom: table sizes, draws, seating by rank. Pure: the lot is handed in.

Players are numbers. A seating is a tuple of tables, each a tuple of players in the order of seats A, B, C, D.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Protocol

Tables = tuple[tuple[int, ...], ...]
Met = Mapping[frozenset[int], int]  # pair of players -> how often they sat at one table before


class Lot(Protocol):
    """Where chance comes from; `random.Random` is one."""

    def shuffle(self, x: Any, /) -> None: ...


def sizes(players: int, low: int, high: int) -> tuple[int, ...]:
    """Seats of each table, largest first, as few small tables as possible; a table of 2 only when unavoidable.

    Refused if so many cannot sit at tables of `low` to `high`.
    """
    raise NotImplementedError


def by_lot(players: Sequence[int], table_sizes: Sequence[int], lot: Lot) -> Tables:
    """Everybody by lot: 1A, 1B, 1C, 1D, 2A, …"""
    raise NotImplementedError


def fresh_lot(players: Sequence[int], table_sizes: Sequence[int], met: Met, lot: Lot) -> Tables:
    """By lot, with as few repeated opponents as can be found: none after one round of four or more tables."""
    raise NotImplementedError


def by_rank(order: Sequence[int], table_sizes: Sequence[int]) -> Tables:
    """Best together, from table 1 on; A is the highest ranked of each table."""
    raise NotImplementedError


def snake(order: Sequence[int], table_sizes: Sequence[int]) -> Tables:
    """Tables of equal strength: of eight, 1-4-5-8 and 2-3-6-7."""
    raise NotImplementedError


def repeats(tables: Tables, met: Met) -> int:
    """How many pairs sit together that have met before, counted as often as they have."""
    raise NotImplementedError
