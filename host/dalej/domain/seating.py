"""Who sits with whom: table sizes, draws, seating by rank. Pure: the lot is handed in.

Players are numbers. A seating is a tuple of tables, each a tuple of players in the order of seats A, B, C, D.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import chain, combinations, cycle
from typing import Any, Protocol

from dalej.domain.mixing import Mixing
from dalej.errors import Refused
from dalej.words import N_

Tables = tuple[tuple[int, ...], ...]
Met = Mapping[frozenset[int], int]  # pair of players -> how often they sat at one table before


class Lot(Protocol):
    """Where chance comes from; `random.Random` is one."""

    def shuffle(self, x: Any, /) -> None: ...


def sizes(players: int, low: int, high: int) -> tuple[int, ...]:
    """Seats of each table, largest first, as few small tables as possible; a table of 2 only when unavoidable.

    Refused if so many cannot sit at tables of `low` to `high`.
    """
    found = _fewest_small(players, low, high)
    if found is not None:
        return found
    more = next(more for more in range(max(players + 1, low), players + high + 1) if _fewest_small(more, low, high))
    fewer = next((fewer for fewer in range(players - 1, low - 1, -1) if _fewest_small(fewer, low, high)), None)
    if fewer is None:
        raise Refused(
            N_("tables of {low} to {high} cannot seat exactly {players}, expected at least {more}"),
            low=low, high=high, players=players, more=more,
        )  # fmt: skip
    raise Refused(
        N_("tables of {low} to {high} cannot seat exactly {players}, expected {fewer} or {more}"),
        low=low, high=high, players=players, fewer=fewer, more=more,
    )  # fmt: skip


def by_lot(players: Sequence[int], table_sizes: Sequence[int], lot: Lot) -> Tables:
    """Everybody by lot: 1A, 1B, 1C, 1D, 2A, …"""
    drawn = list(players)
    lot.shuffle(drawn)
    return by_rank(drawn, table_sizes)


def fresh_lot(players: Sequence[int], table_sizes: Sequence[int], met: Met, lot: Lot) -> Tables:
    """By lot, with as few repeated opponents as can be found: none after one round of four or more tables."""
    _check(players, table_sizes)
    at = {player: place for place, player in enumerate(players)}
    before: list[dict[int, int]] = [{} for _ in players]
    for pair, times in met.items():
        one, other = (at.get(player) for player in pair)
        if one is not None and other is not None and times:
            before[one][other] = before[other][one] = times
    found = Mixing(before, table_sizes, lot.shuffle).best()
    return tuple(tuple(players[place] for place in table) for table in found)


def by_rank(order: Sequence[int], table_sizes: Sequence[int]) -> Tables:
    """Best together, from table 1 on; A is the highest ranked of each table."""
    _check(order, table_sizes)
    following = iter(order)
    return tuple(tuple(next(following) for _ in range(size)) for size in table_sizes)


def snake(order: Sequence[int], table_sizes: Sequence[int]) -> Tables:
    """Tables of equal strength: of eight, 1-4-5-8 and 2-3-6-7."""
    tables: list[list[int]] = [[] for _ in table_sizes]
    there = range(len(tables))
    back = there[::-1]
    places = (
        table
        for row, way in zip(range(max(table_sizes, default=0)), cycle((there, back)), strict=False)
        for table in way
        if row < table_sizes[table]
    )
    for player, table in zip(order, places, strict=True):
        tables[table].append(player)
    return tuple(map(tuple, tables))


def repeats(tables: Tables, met: Met) -> int:
    """How many pairs sit together that have met before, counted as often as they have."""
    pairs = chain.from_iterable(combinations(table, 2) for table in tables)
    return sum(met.get(frozenset(pair), 0) for pair in pairs)


def _check(players: Sequence[int], table_sizes: Sequence[int]) -> None:
    if len(players) != sum(table_sizes):
        raise ValueError(f"{len(players)} players cannot fill {sum(table_sizes)} seats")


def _fewest_small(players: int, low: int, high: int) -> tuple[int, ...] | None:
    """The sizes with the fewest tables of 2, then of 3; None if so many cannot be seated."""
    for twos in range(high if low <= 2 < high else 1):
        for threes in range(high if low <= 3 < high else 1):
            full, over = divmod(players - 2 * twos - 3 * threes, high)
            if full >= 0 and not over and players > 0:
                return (high,) * full + (3,) * threes + (2,) * twos
    return None
