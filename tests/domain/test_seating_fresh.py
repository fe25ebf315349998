"""A fresh lot: nobody meets an opponent of an earlier round again while that can be avoided."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from itertools import combinations
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dalej.domain.tournament.seating import Tables, by_lot, fresh_lot, repeats, sizes


def met(*rounds: Tables) -> Mapping[frozenset[int], int]:
    return Counter(frozenset(pair) for tables in rounds for table in tables for pair in combinations(table, 2))


def lot_of(players: Iterable[int], lot: Random) -> Tables:
    numbers = list(players)
    return by_lot(numbers, sizes(len(numbers), 3, 4), lot)


def fewest_repeats(players: tuple[int, ...], table_sizes: tuple[int, ...], before: Mapping[frozenset[int], int]) -> int:
    """By trying every seating."""
    if not table_sizes:
        return 0
    return min(
        repeats((table,), before)
        + fewest_repeats(tuple(player for player in players if player not in table), table_sizes[1:], before)
        for table in combinations(players, table_sizes[0])
        if players[0] in table or table_sizes[0] != table_sizes[-1]
    )


@given(st.integers(13, 64), st.randoms(use_true_random=False))
def test_round_two_repeats_no_opponents_of_round_one(players: int, lot: Random) -> None:
    before = met(lot_of(range(1, players + 1), lot))

    tables = fresh_lot(range(1, players + 1), sizes(players, 3, 4), before, lot)

    assert tuple(map(len, tables)) == sizes(players, 3, 4)
    assert sorted(player for table in tables for player in table) == list(range(1, players + 1))
    assert repeats(tables, before) == 0


@given(st.integers(16, 64), st.data(), st.randoms(use_true_random=False))
def test_round_two_repeats_no_opponents_with_absentees_and_late_arrivals(
    players: int, data: st.DataObject, lot: Random
) -> None:
    before = met(lot_of(range(1, players + 1), lot))
    absent = data.draw(st.sets(st.integers(1, players), max_size=players - 13))
    late = data.draw(st.integers(0, 8))
    present = [player for player in range(1, players + late + 1) if player not in absent]

    tables = fresh_lot(present, sizes(len(present), 3, 4), before, lot)

    assert sorted(player for table in tables for player in table) == present
    assert repeats(tables, before) == 0


@given(st.integers(0, 2**32))
def test_four_tables_of_round_one_are_spread_over_four_new_ones(seed: int) -> None:
    before = met(lot_of(range(16), Random(seed)))

    assert repeats(fresh_lot(range(16), (4, 4, 4, 4), before, Random(seed)), before) == 0


@given(st.integers(6, 9), st.integers(1, 3), st.randoms(use_true_random=False))
def test_where_repeats_cannot_be_avoided_there_are_as_few_as_possible(players: int, rounds: int, lot: Random) -> None:
    before = met(*(lot_of(range(players), lot) for _ in range(rounds)))
    table_sizes = sizes(players, 3, 4)

    tables = fresh_lot(range(players), table_sizes, before, lot)

    assert repeats(tables, before) == fewest_repeats(tuple(range(players)), table_sizes, before)


def test_twenty_four_players_can_play_four_rounds_and_thirty_two_six_without_repeats(seed: int) -> None:
    for players, most in ((24, 4), (32, 6)):
        lot, rounds = Random(seed), list[Tables]()
        for _ in range(most):
            tables = fresh_lot(range(players), sizes(players, 3, 4), met(*rounds), lot)
            assert repeats(tables, met(*rounds)) == 0
            rounds.append(tables)


@given(st.permutations(range(1, 18)), st.integers(0, 2**32))
def test_a_fresh_lot_knows_places_on_the_list_and_not_who_stands_there(signed_up: list[int], seed: int) -> None:
    first = lot_of(range(17), Random(seed))
    second = fresh_lot(range(17), sizes(17, 3, 4), met(first), Random(seed))

    renamed = tuple(tuple(signed_up[place] for place in table) for table in first)
    fresh = fresh_lot(signed_up, sizes(17, 3, 4), met(renamed), Random(seed))

    assert fresh == tuple(tuple(signed_up[place] for place in table) for table in second)


@given(st.integers(0, 2**32))
def test_the_order_in_which_meetings_are_told_changes_nothing(seed: int) -> None:
    before = met(lot_of(range(17), Random(seed)), lot_of(range(17), Random(seed + 1)))
    backwards = dict(reversed(list(before.items())))

    drawn = [fresh_lot(range(17), sizes(17, 3, 4), told, Random(seed)) for told in (before, backwards)]

    assert drawn[0] == drawn[1]


def test_the_same_seed_draws_the_same_fresh_lot_on_every_platform() -> None:
    before = met(by_lot(range(1, 17), (4, 4, 4, 4), Random(4)))

    drawn = fresh_lot(range(1, 17), (4, 4, 4, 4), before, Random(4))

    assert drawn == ((10, 1, 3, 8), (11, 15, 16, 12), (6, 5, 14, 4), (13, 2, 9, 7))


@pytest.mark.parametrize(
    ("players", "rounds", "number", "drawn"),
    [
        (7, 3, 2, ((7, 3, 1, 4), (2, 6, 5))),
        (7, 4, 2, ((6, 5, 3, 1), (2, 7, 4))),
        (10, 1, 1, ((1, 3, 9, 7), (6, 10, 5), (8, 2, 4))),
        (20, 3, 1, ((12, 10, 9, 14), (19, 11, 17, 4), (13, 1, 18, 3), (15, 6, 7, 5), (20, 2, 16, 8))),
    ],
)
def test_the_number_in_an_event_draws_the_same_lot_in_every_version_also_where_repeats_cannot_be_avoided(
    players: int, rounds: int, number: int, drawn: Tables
) -> None:
    lot = Random(number)
    before = met(*[lot_of(range(1, players + 1), lot) for _ in range(rounds)])

    assert fresh_lot(range(1, players + 1), sizes(players, 3, 4), before, lot) == drawn


def test_every_opponent_who_is_new_is_drawn_sooner_or_later() -> None:
    before = met(tuple(tuple(range(first, first + 4)) for first in range(0, 16, 4)))
    drawn = Counter[int]()
    for seed in range(600):
        tables = fresh_lot(range(16), (4, 4, 4, 4), before, Random(seed))
        drawn.update(player for table in tables if 0 in table for player in table if player != 0)

    assert sorted(drawn) == list(range(4, 16))
    assert max(drawn.values()) < 1.6 * min(drawn.values())


def test_the_first_fresh_lot_is_a_lot() -> None:
    seats = Counter(fresh_lot(range(7), (4, 3), {}, Random(seed))[0][0] for seed in range(700))

    assert sorted(seats) == list(range(7))
    assert max(seats.values()) < 2 * min(seats.values())
