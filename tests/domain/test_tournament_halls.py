"""A tournament in several halls: which tables stand where, a round given to the halls, and what they still owe."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import pytest

from dalej.domain.tournament import tournament as kinds
from dalej.domain.tournament.tournament import GameAt, Round, RoundKey, TableSeats
from dalej.event.ledger import Json
from tests.domain.deciding import Decided

ROUND: Final = RoundKey("league", 1)
FOUR: Final = (1, 2, 3, 4)
EIGHT: Final = (5, 6, 7, 8)


def halls(players: int = 8) -> Decided:
    """Table 1 stands in North, table 2 in South; both are seated."""
    event = Decided(players=players)
    hall(event, "South", 2)
    hall(event, "North", 1)
    event.seat(1, FOUR, EIGHT)
    return event


def hall(event: Decided, name: str, *tables: int) -> int:
    return event.decide(kinds.HALL, {"hall": name, "tables": tables}, f"hall:{name}")


def give(event: Decided, *, given: bool = True, to: Sequence[str] = ("North", "South")) -> int:
    body: dict[str, Json] = {"stage": "league", "round": 1, "given": given, "halls": list(to)}
    return event.decide(kinds.GIVEN, body, "given:league:1")


def complete(event: Decided, name: str, of: int) -> int:
    return event.decide(kinds.COMPLETE, {"stage": "league", "round": 1, "hall": name, "of": of})


def first_round(event: Decided) -> Round:
    return event.state().rounds[ROUND]


def with_halls(event: Decided) -> tuple[bool, set[str]]:
    """Whether the round is given to the halls, and which of them may still decide about it."""
    one = first_round(event)
    return one.given is not None, set(one.returns)


def test_a_round_is_with_the_halls_until_each_is_complete_since_it_was_taken_back() -> None:
    event = halls()
    assert with_halls(event) == (False, set())
    given = give(event)
    assert with_halls(event) == (True, {"North", "South"})
    mark = first_round(event).given
    assert mark is not None
    assert mark.cursor == given

    complete(event, "North", given)
    assert with_halls(event) == (True, {"North", "South"})
    back = give(event, given=False)
    assert with_halls(event) == (False, {"North", "South"})
    complete(event, "North", given)
    assert with_halls(event) == (False, {"North", "South"})
    complete(event, "North", back)
    assert with_halls(event) == (False, {"South"})
    complete(event, "South", back)
    assert with_halls(event) == (False, set())


def test_a_round_given_once_more_is_with_all_halls_it_is_given_to_whoever_was_complete_before() -> None:
    event = halls()
    give(event)
    complete(event, "North", give(event, given=False))
    give(event)
    assert with_halls(event) == (True, {"North", "South"})
    back = give(event, given=False)
    complete(event, "North", back)

    give(event, to=("South",))

    assert with_halls(event) == (True, {"South"})


def test_a_hall_that_is_complete_before_the_round_is_taken_back_is_not_complete_after_it() -> None:
    event = halls()
    give(event)
    complete(event, "North", 1)
    assert with_halls(event) == (True, {"North", "South"})
    back = give(event, given=False)

    assert with_halls(event) == (False, {"North", "South"})
    event.revoke(complete(event, "South", back))
    assert with_halls(event) == (False, {"North", "South"})


def test_a_round_taken_back_twice_is_as_it_was_after_the_first_time() -> None:
    event = halls()
    give(event, given=False)
    assert with_halls(event) == (False, set())
    give(event)
    back = give(event, given=False)
    complete(event, "North", back)

    give(event, given=False, to=())

    assert with_halls(event) == (False, {"South"})
    complete(event, "South", back)
    assert with_halls(event) == (False, set())


def test_no_hall_owes_anything_of_a_round_that_is_closed() -> None:
    event = halls()
    give(event)
    closed = event.close(1)

    assert with_halls(event) == (True, set())
    event.revoke(closed)
    assert with_halls(event) == (True, {"North", "South"})


def test_a_table_stands_in_the_hall_that_names_it_and_a_hall_without_tables_is_none() -> None:
    event = halls()
    hall(event, "Attic", 7)
    hall(event, "Attic")
    state = event.state()

    assert list(state.halls.items()) == [("North", frozenset((1,))), ("South", frozenset((2,)))]
    assert [state.hall_of(table) for table in (1, 2, 7)] == ["North", "South", ""]
    assert state.home == ""


@pytest.mark.parametrize(
    ("home", "tables", "entered"),
    [("", [1, 2], [(1, 1), (2, 1), (3, 1)]), ("North", [1], [(1, 1)]), ("South", [2], [(2, 1)]), ("Cellar", [], [])],
)
def test_the_file_of_a_hall_decides_about_its_own_tables_alone(
    home: str, tables: list[int], entered: list[tuple[int, int]]
) -> None:
    event = halls(players=12)
    event.seat(1, FOUR, EIGHT, (9, 10, 11, 12))
    for table, players in enumerate((FOUR, EIGHT, (9, 10, 11, 12)), start=1):
        event.result(1, table, 1, players, (0, 10, 20, 30))
    event.seat(1, FOUR, EIGHT)
    if home:
        event.decide(kinds.HOME, {"hall": home}, "home")
    state = event.state()
    one = state.rounds[ROUND]

    assert state.home == home
    assert one.tables() == tables
    assert one.entered() == entered
    assert one.missing() == [GameAt(table, game) for table in tables for game in (2, 3, 4)]


def test_a_table_that_is_no_part_of_the_round_has_no_seats() -> None:
    seating = first_round(halls()).seating
    assert seating is not None

    assert [seating.at(table) for table in (1, 2, 3)] == [TableSeats(1, FOUR), TableSeats(2, EIGHT), None]
