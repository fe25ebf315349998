"""A spare box at a table whose box was given elsewhere: it goes on with the table's own game."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from dalej.event import eventlog
from dalej.event.ledger import APPLIED
from dalej.event.reading import read
from moveclock import facts as k
from tests.desk.evening.evening import SOON_MS, Evening
from tests.desk.evening.spare import started


@pytest.fixture
def evening(tmp_path: Path) -> Iterator[Evening]:
    """Two tables of four; box 1 stands on table 1, box 2 nowhere yet."""
    with Evening(tmp_path, boxes=2, players=8) as evening:
        evening.put("1", 1)
        yield evening


def stands(evening: Evening, box: str) -> tuple[int, int, int, int]:
    clock = evening.clock_of(box)
    return clock.game, clock.move, clock.seat, clock.bank


def test_the_game_that_its_box_plays_at_another_table_by_now_is_not_taken_over(evening: Evening) -> None:
    desk = started(evening, 3)
    desk.ask("1", "end_game", SOON_MS)
    evening.put("1", 2)
    evening.run(2 * SOON_MS)
    evening.play("1", 1)
    evening.run()
    elsewhere = stands(evening, "1")

    evening.put("2", 1)
    evening.run(2 * SOON_MS)

    assert desk.requests("take_over") == []
    assert desk.said("to_take_over") == desk.said("takes_over") == desk.said("nothing_known") == []
    assert stands(evening, "2") == (2, 0, k.NOBODY, 50), "the next game of its own table"
    assert stands(evening, "1") == elsewhere, "and the other table plays on"
    assert {(one.table, one.turn.box) for one in eventlog.turns(read(evening.event.ledger))} == {
        (table, evening.boxes["1"].uid.hex()) for table in (1, 2)
    }  # fmt: skip


def test_a_game_that_was_ended_because_its_box_had_to_begin_anew_elsewhere_is_over(evening: Evening) -> None:
    desk = started(evening, 3)
    evening.run(10_000)
    evening.put("1", 2, goes_on=False)
    evening.run(2 * SOON_MS)
    evening.play("1", 6)

    evening.put("2", 1)
    evening.run(2 * SOON_MS)

    assert desk.requests("take_over") == []
    assert stands(evening, "2") == (2, 0, k.NOBODY, 50)


def test_a_box_that_was_carried_away_and_back_is_followed_by_a_spare_in_the_same_game(evening: Evening) -> None:
    desk = started(evening, 3)
    for table in (2, 1):
        evening.put("1", table)
        evening.run()
    left = stands(evening, "1")
    assert evening.clock_of("1").state == k.RUNNING
    evening.boxes["1"].power_off()
    evening.run(5_000)

    evening.put("2", 1)
    evening.run(2 * SOON_MS)

    assert stands(evening, "2") == left
    assert desk.results("take_over") == [APPLIED]
