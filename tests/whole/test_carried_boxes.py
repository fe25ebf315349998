"""A box is carried from table to table, and switched off for that: what the hall shows of each, from real boxes."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from dalej.event import eventlog
from dalej.event.cases import cases
from dalej.event.reading import read
from dalej.views.following import Follower
from dalej.views.hall import HallModel
from dalej.views.rows import Row
from moveclock import facts as k
from tests.desk.evening.evening import SOON_MS, Evening
from tests.views.writing import RULES


@pytest.fixture
def evening(tmp_path: Path) -> Iterator[Evening]:
    """Two tables of four, and at table 1 a game in its third move."""
    with Evening(tmp_path, boxes=2, players=8) as evening:
        evening.begins("1")
        evening.play("1", 2)
        yield evening


def rows(evening: Evening) -> dict[int, Row]:
    """On a screen that reads the ledger alone."""
    model = HallModel(RULES)
    Follower(evening.event.ledger, model).catch_up()
    return {row.table: row for row in model.rows(evening.clock.wall_ms())}


def turns(evening: Evening, table: int) -> list[tuple[int, int]]:
    model = HallModel(RULES)
    Follower(evening.event.ledger, model).catch_up()
    return [(seen.turn.game, seen.turn.move) for seen in model.turns(table)]


def carry(evening: Evening, table: int) -> None:
    """It is told in the office, then done in the hall."""
    evening.put("1", table)
    evening.run()
    evening.boxes["1"].power_off()
    evening.run(5_000)
    evening.boxes["1"].power_on()
    evening.run(2 * SOON_MS)


def test_a_box_in_a_game_brings_nothing_of_it_to_the_next_table_and_everything_back(evening: Evening) -> None:
    playing = rows(evening)[1]
    assert (playing.state, playing.game, playing.move) == ("running", 1, 3)

    carry(evening, 2)

    shown = rows(evening)
    assert (shown[1].box, shown[1].state, shown[1].alerts) == ("", "unknown", ())
    there = shown[2]
    assert (there.called, there.state, there.seat, there.move, there.left_ms, there.alerts) == (
        "1", "idle", k.NOBODY, 0, None, (),
    )  # fmt: skip
    assert turns(evening, 2) == []
    assert turns(evening, 1) == [(1, 1), (1, 2), (1, 3)]

    carry(evening, 1)

    back = rows(evening)[1]
    assert (back.state, back.reason, back.game, back.move, back.seat) == (
        "stopped",
        "box_lost_power",
        1,
        3,
        playing.seat,
    )
    assert (back.names, back.bank, back.seats) == (playing.names, playing.bank, playing.seats)


def test_a_time_that_is_over_while_the_box_stands_elsewhere_is_ruled_at_the_table_of_its_game(evening: Evening) -> None:
    late = rows(evening)[1].seat
    evening.put("1", 2)
    evening.run()
    evening.run(evening.clock_of("1").settings.limit_ms + 4_000)

    assert judged(evening, 1) == [(3, "undone", 1)], "log and screen say the same while it is away,"
    assert rows(evening)[2].penalties == (0, 0, 0, 0)

    evening.put("1", 1)
    evening.run()

    assert judged(evening, 1) == [(3, "undone", 1)], "and when it is back"
    state = evening.event.state()
    (case,) = cases(read(evening.event.ledger), state)
    assert (case.place.table, case.place.game, case.place.move) == (1, 1, 3)
    assert case.place.player != 0
    assert rows(evening)[1].penalties == (0, 0, 0, 0), "nobody has ruled yet"
    evening.tap("1", 2 * evening.clock_of("1").next_seat() + 1)
    evening.run()
    assert [tiles for seat, tiles in enumerate(rows(evening)[1].penalties) if seat == late] == [1]
    assert sum(rows(evening)[1].penalties) == 1
    assert judged(evening, 1) == [(3, "undone", 1)]
    assert [one.current.by for one in cases(read(evening.event.ledger), state) if one.current] == ["table"]


def judged(evening: Evening, table: int) -> list[tuple[int, str, int | None]]:
    """Moves of the table that were ruled on, as `dalej log show` and a screen both have them."""
    logged = [seen.turn for seen in eventlog.turns(read(evening.event.ledger)) if seen.table == table]
    model = HallModel(RULES)
    Follower(evening.event.ledger, model).catch_up()
    assert [seen.turn for seen in model.turns(table)] == logged
    return [(turn.move, turn.ruling, turn.tiles) for turn in logged if turn.ruling is not None]


def test_set_up_for_the_next_table_it_shows_that_tables_game(evening: Evening) -> None:
    evening.put("1", 2, goes_on=False)
    evening.run(2 * SOON_MS)

    shown = rows(evening)[2]
    assert (shown.called, shown.state, shown.game) == ("1", "ready", 1)
    evening.play("1", 2)
    evening.run()
    shown = rows(evening)[2]
    assert (shown.state, shown.game, shown.move) == ("running", 1, 3)
    assert turns(evening, 2) == [(1, 1), (1, 2), (1, 3)]
    assert turns(evening, 1) == [(1, 1), (1, 2), (1, 3)]


def test_a_time_that_was_over_at_a_table_which_another_box_began_anew_costs_nothing_in_the_log_either(
    evening: Evening,
) -> None:
    evening.put("1", 2)
    evening.run()
    evening.run(evening.clock_of("1").settings.limit_ms + 4_000)
    evening.put("2", 1, goes_on=False)
    evening.run(2 * SOON_MS)
    evening.play("2", 2)
    evening.run()

    assert judged(evening, 1) == []
