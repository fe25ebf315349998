"""Seating: how many sit at each table, by lot, by rank, and tables of equal strength."""

from __future__ import annotations

from itertools import product
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dalej.domain.tournament.seating import Tables, by_lot, by_rank, repeats, sizes, snake
from dalej.domain.tournament.standings import Total, rank
from dalej.errors import Refused

LIMITS = [(low, high) for low, high in product((2, 3, 4), repeat=2) if low <= high]


def ways(players: int, low: int, high: int) -> list[tuple[int, ...]]:
    """Every way to sit, as how many tables of 2, 3 and 4 there are."""
    return [
        (twos, threes, fours)
        for twos in range(players // 2 + 1 if low <= 2 else 1)
        for threes in range((players - 2 * twos) // 3 + 1 if low <= 3 <= high else 1)
        for fours in range((players - 2 * twos - 3 * threes) // 4 + 1 if high == 4 else 1)
        if 2 * twos + 3 * threes + 4 * fours == players
    ]


def seated(tables: Tables) -> list[int]:
    return sorted(player for table in tables for player in table)


@pytest.mark.parametrize(("low", "high"), LIMITS)
def test_as_few_small_tables_as_possible_for_every_number_of_players(low: int, high: int) -> None:
    for players in range(2, 201):
        possible = ways(players, low, high)
        if not possible:
            with pytest.raises(Refused, match=f"exactly {players}, expected"):
                sizes(players, low, high)
            continue

        found = sizes(players, low, high)

        fewest = min(possible, key=lambda way: (way[0], way[1]) if high == 4 else (way[0],))
        assert sum(found) == players
        assert list(found) == sorted(found, reverse=True)
        assert (found.count(2), found.count(3), found.count(4)) == fewest


@pytest.mark.parametrize("players", range(6, 201))
def test_12_tables_of_three_stand_at_the_end_three_two_or_one_of_them(players: int) -> None:
    expected = (0, 3, 2, 1)[players % 4]

    for low in (2, 3):
        found = sizes(players, low, 4)

        assert found[len(found) - expected :] == (3,) * expected
        assert set(found[: len(found) - expected]) <= {4}


def test_two_sit_at_a_table_only_when_that_cannot_be_avoided() -> None:
    assert sizes(2, 2, 4) == (2,)
    assert sizes(5, 2, 4) == (3, 2)
    assert [players for players in range(2, 201) if 2 in sizes(players, 2, 4)] == [2, 5]


@pytest.mark.parametrize(
    ("players", "low", "sentence"),
    [
        (0, 3, "tables of 3 to 4 cannot seat exactly 0, expected at least 3"),
        (1, 2, "tables of 2 to 4 cannot seat exactly 1, expected at least 2"),
        (1, 3, "tables of 3 to 4 cannot seat exactly 1, expected at least 3"),
        (2, 3, "tables of 3 to 4 cannot seat exactly 2, expected at least 3"),
        (5, 3, "tables of 3 to 4 cannot seat exactly 5, expected 4 or 6"),
        (5, 4, "tables of 4 to 4 cannot seat exactly 5, expected 4 or 8"),
        (6, 4, "tables of 4 to 4 cannot seat exactly 6, expected 4 or 8"),
        (7, 4, "tables of 4 to 4 cannot seat exactly 7, expected 4 or 8"),
    ],
)
def test_players_who_cannot_be_seated_are_refused_with_the_numbers_that_can(
    players: int, low: int, sentence: str
) -> None:
    with pytest.raises(Refused) as refused:
        sizes(players, low, 4)

    assert str(refused.value) == sentence


@given(st.integers(6, 200), st.randoms(use_true_random=False))
def test_2_a_lot_seats_everybody_exactly_once(players: int, lot: Random) -> None:
    table_sizes = sizes(players, 3, 4)

    tables = by_lot(range(1, players + 1), table_sizes, lot)

    assert tuple(map(len, tables)) == table_sizes
    assert seated(tables) == list(range(1, players + 1))


@given(st.permutations(range(1, 24)), st.integers())
def test_a_lot_knows_places_on_the_list_and_not_who_stands_there(signed_up: list[int], seed: int) -> None:
    table_sizes = sizes(len(signed_up), 3, 4)

    by_number = by_lot(range(23), table_sizes, Random(seed))
    by_sign_up = by_lot(signed_up, table_sizes, Random(seed))

    assert by_sign_up == tuple(tuple(signed_up[place] for place in table) for table in by_number)


def test_the_same_seed_draws_the_same_lot_on_every_platform() -> None:
    assert by_lot(range(1, 8), (4, 3), Random(7)) == ((6, 7, 5, 1), (4, 2, 3))


@given(st.permutations(range(1, 33)).flatmap(lambda order: st.integers(6, 32).map(lambda first: order[:first])))
def test_12_and_13_from_round_two_the_best_sit_together_and_a_is_the_highest(order: list[int]) -> None:
    tables = by_rank(order, sizes(len(order), 3, 4))

    assert [player for table in tables for player in table] == order
    assert all(table[0] == min(table, key=order.index) for table in tables)


def test_12_round_two_of_a_league_of_23_is_seated_as_the_table_of_results_stands() -> None:
    results = [Total(player, big=player % 5, small=-player, games=4) for player in range(1, 24)]
    order = [line.player for line in rank(results, "big_then_small")]

    tables = by_rank(order, sizes(23, 3, 4))

    assert tables[0] == (4, 9, 14, 19)
    assert tables[1] == (3, 8, 13, 18)
    assert tables[-1] == (10, 15, 20)


def test_a_semifinal_of_eight_has_two_tables_of_equal_strength() -> None:
    assert snake(range(1, 9), (4, 4)) == ((1, 4, 5, 8), (2, 3, 6, 7))


def test_a_semifinal_of_sixteen_has_four_tables_of_equal_strength() -> None:
    assert snake(range(1, 17), (4, 4, 4, 4)) == ((1, 8, 9, 16), (2, 7, 10, 15), (3, 6, 11, 14), (4, 5, 12, 13))


def test_tables_of_equal_strength_may_differ_in_size() -> None:
    assert snake((), ()) == ()
    assert snake(range(1, 8), (4, 3)) == ((1, 4, 5, 7), (2, 3, 6))


@given(st.integers(6, 200))
def test_tables_of_equal_strength_seat_everybody_once_and_the_best_of_each_first(players: int) -> None:
    table_sizes = sizes(players, 3, 4)

    tables = snake(range(1, players + 1), table_sizes)

    assert tuple(map(len, tables)) == table_sizes
    assert seated(tables) == list(range(1, players + 1))
    assert [table[0] for table in tables] == list(range(1, len(tables) + 1))
    assert all(list(table) == sorted(table) for table in tables)


def test_seats_that_the_players_do_not_fill_are_an_error_and_nobody_is_left_out() -> None:
    for way in (by_rank, snake):
        for players in (7, 9):
            with pytest.raises(ValueError, match=r"players|shorter|longer"):
                way(range(players), (4, 4))


def test_repeated_opponents_are_counted_as_often_as_they_have_met() -> None:
    met = {frozenset((1, 2)): 2, frozenset((3, 4)): 1, frozenset((1, 5)): 1}

    assert repeats(((1, 2, 3, 4), (5, 6, 7, 8)), met) == 3
    assert repeats(((1, 3, 6, 7), (2, 4, 5, 8)), met) == 0
