"""What a record of a box says under its JSON names, also where it comes from a firmware that knows more."""

from __future__ import annotations

import pytest

from dalej.domain.game.facts import Fact, contact_name, seat_name
from moveclock import facts as k
from tests.domain.tables import B, D, Journal


def test_contacts_are_named_by_their_seat_and_kind_and_the_shared_ones_by_their_kind() -> None:
    assert [contact_name(contact) for contact in range(k.CONTACTS)] == [
        "A.juz", "A.dalej", "B.juz", "B.dalej", "C.juz", "C.dalej", "D.juz", "D.dalej", "kostka", "sedzia", "juz",
        "dalej",
    ]  # fmt: skip
    assert contact_name(k.CONTACTS) == f"contact {k.CONTACTS}"


def test_there_are_four_seats_and_nobody() -> None:
    assert [seat_name(seat) for seat in (*range(4), 4, k.NOBODY)] == ["A", "B", "C", "D", None, None]


@pytest.mark.parametrize(
    ("how", "name"),
    [
        (k.BY_JUZ, "juz"), (k.BY_DALEJ, "dalej"), (k.BY_TIMEOUT, "timeout"), (k.BY_EMPTY_RACK, "empty_rack"),
        (k.BY_DESK, "desk"), (k.BY_WITHDRAWAL, "withdrawn"), (k.BY_WITHDRAWAL + 1, "unknown_6"),
    ],
)  # fmt: skip
def test_how_a_move_ended_has_a_name_and_what_is_not_known_its_number(how: int, name: str) -> None:
    ended = Journal(game=2).write(k.MOVE_ENDED, 7_000, 3, D, how, 6_000, 1, 49)

    assert ended.fields() == {
        "game": 2, "move": 3, "seat": "D", "elapsed_ms": 6_000, "how": name, "drawn": True, "bank": 49
    }  # fmt: skip


def test_a_kind_of_fact_that_is_not_known_says_where_it_belongs_and_no_more() -> None:
    strange = Fact("a0b1c2d3e4f5", 7, 1, 1, 500, 99, 2, 3, B, 1, 2, 3, 4)

    assert (strange.name, strange.fields()) == ("unknown_99", {"game": 2, "move": 3, "seat": "B"})
