"""Who sits with whom: table sizes, draws, seating by rank. Pure: the lot is handed in.

A lot in which those who have met before sit apart is drawn, then repaired by exchanging seats.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import chain, combinations, cycle
from typing import Any, Final, Protocol

from dalej.errors import Refused
from dalej.words import N_

TRIES_A_PAIR: Final = 60  # exchanges that are weighed for each two players, before the best tables so far are taken
TRIES_MOST: Final = 60_000
CALM: Final = 60  # exchanges in a row without a better seating, after which a new lot is drawn
BARRED: Final = 7  # exchanges during which nobody is moved back to the table they left

Shuffle = Callable[[Any], None]


class Mixing:
    """One search. `before`: for each player, those met before and how often; `sizes`: seats of each table."""

    def __init__(self, before: Sequence[Mapping[int, int]], sizes: Sequence[int], shuffle: Shuffle) -> None:
        self._before = before
        self._sizes = sizes
        self._shuffle = shuffle
        self._tables: list[list[int]] = []
        self._table_of = [0] * len(before)
        self._tries = min(TRIES_MOST, TRIES_A_PAIR * len(before) ** 2)

    def best(self) -> list[list[int]]:
        """The tables with the fewest repeated opponents that were found, seats within a table by lot."""
        fewest, found = self._walk(self._drawn())
        if fewest:
            apart = self._spread()
            if apart is not None:
                fewest, found = 0, apart
        while fewest and self._tries > 0:
            repeated, tables = self._walk(self._drawn())
            if repeated < fewest:
                fewest, found = repeated, tables
        for table in found:
            self._shuffle(table)
        return found

    def _drawn(self) -> list[list[int]]:
        """Everybody by lot."""
        everybody = list(range(len(self._before)))
        self._shuffle(everybody)
        following = iter(everybody)
        return [[next(following) for _ in range(size)] for size in self._sizes]

    def _spread(self) -> list[list[int]] | None:
        """Every old table spread over different new ones, each time those with most room; None where the players who
        have met do not form separate tables, or a table has more than there are new ones.
        """
        groups = self._old_tables()
        if groups is None or max(map(len, groups), default=0) > len(self._sizes):
            return None
        self._shuffle(groups)
        tables: list[list[int]] = [[] for _ in self._sizes]
        room = list(range(len(tables)))
        for group in groups:
            self._shuffle(room)
            self._shuffle(group)
            most = sorted(room, key=lambda table: len(tables[table]) - self._sizes[table])[: len(group)]
            for player, table in zip(group, most, strict=True):
                if len(tables[table]) == self._sizes[table]:
                    return None
                tables[table].append(player)
        return tables

    def _old_tables(self) -> list[list[int]] | None:
        """The players by whom they have met; None unless all of a group have met each other and nobody besides."""
        groups: dict[frozenset[int], list[int]] = {}
        for player, met in enumerate(self._before):
            groups.setdefault(frozenset((player, *met)), []).append(player)
        return list(groups.values()) if all(len(who) == len(group) for who, group in groups.items()) else None

    def _walk(self, tables: list[list[int]]) -> tuple[int, list[list[int]]]:
        """Exchange the seats of players until nobody sits with one they have met, or nothing has become better for
        long. The repeats that are left, and the tables that had them.
        """
        self._sit(tables)
        everybody = [player for table in tables for player in table]
        self._shuffle(everybody)
        strained = [player for player in everybody if self._strain(player)]
        repeated = sum(map(self._strain, strained)) // 2
        fewest, found = repeated, [list(table) for table in tables]
        barred: dict[tuple[int, int], int] = {}
        step = calm = 0
        while repeated and calm < CALM and self._tries > 0:
            step += 1
            calm += 1
            one = strained[step % len(strained)]
            gain, other = self._exchange_for(one, everybody, step, barred, repeated - fewest)
            if other is None:
                continue
            here, there = self._table_of[one], self._table_of[other]
            barred[one, here] = barred[other, there] = step + BARRED
            self._exchange(one, other)
            repeated -= gain
            touched = tables[here] + tables[there]
            strained = [player for player in strained if player not in touched]
            strained += [player for player in touched if self._strain(player)]
            if repeated < fewest:
                fewest, found, calm = repeated, [list(table) for table in tables], 0
        return fewest, found

    def _exchange_for(
        self, one: int, everybody: Sequence[int], step: int, barred: dict[tuple[int, int], int], needed: int
    ) -> tuple[int, int | None]:
        """With whom `one` had best exchange seats, and how many repeats that saves; None: with nobody. Who is barred
        from a table may go back if that saves more than `needed`: it is then better than ever before.
        """
        here, strain = self._table_of[one], self._strain(one)
        most, best = -(len(everybody) ** 2), None
        for place in range(step, step + len(everybody)):
            other = everybody[place % len(everybody)]
            there = self._table_of[other]
            if there == here:
                continue
            self._tries -= 1
            gain = strain - self._strain(one, there, other) + self._strain(other) - self._strain(other, here, one)
            if gain <= most:
                continue
            if gain <= needed and (barred.get((one, there), 0) > step or barred.get((other, here), 0) > step):
                continue
            most, best = gain, other
            if gain >= strain:
                break
        return most, best

    def _strain(self, player: int, table: int | None = None, without: int | None = None) -> int:
        """How often the player has met the others of their table, or of another in the place of one there."""
        met = self._before[player]
        if not met:
            return 0
        others = self._tables[self._table_of[player] if table is None else table]
        return sum(met.get(other, 0) for other in others if other != without)

    def _sit(self, tables: list[list[int]]) -> None:
        self._tables = tables
        for number, table in enumerate(tables):
            for player in table:
                self._table_of[player] = number

    def _exchange(self, one: int, other: int) -> None:
        here, there = self._table_of[one], self._table_of[other]
        self._tables[here][self._tables[here].index(one)] = other
        self._tables[there][self._tables[there].index(other)] = one
        self._table_of[one], self._table_of[other] = there, here


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
