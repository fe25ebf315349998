"""A late move whose box died: the hall shows one penalty tile and one ruling, whichever journal comes first."""

from __future__ import annotations

import pytest

from moveclock import facts as k
from tests.domain.tables import B, PlayedTable
from tests.domain.takeover import SPARE, takes_over
from tests.views.writing import FOREST, Written, running


def late() -> PlayedTable:
    """A's time is over, and B has not said what becomes of the move."""
    table = running()
    table.wait(41_000)
    assert table.clock.state == k.EXPIRED
    return table


def written(first: PlayedTable, spare: PlayedTable, *, spare_first: bool) -> Written:
    ledger = Written()
    ledger.assign(1)
    ledger.seat(1, FOREST)
    ledger.assign(1, SPARE, seq=2)
    for table in (spare, first) if spare_first else (first, spare):
        ledger.facts(table.facts)
    return ledger


@pytest.mark.parametrize("spare_first", [False, True])
def test_the_verdict_at_the_spare_is_the_only_ruling_and_costs_one_tile(spare_first: bool) -> None:
    first = late()
    spare = takes_over(first, SPARE)
    spare.order(k.C_RESUME)
    spare.wait(2_000)
    spare.press(2 * B + 1)
    model = written(first, spare, spare_first=spare_first).model()

    row = model.row(1, 0)

    assert (row.box, row.state, row.move, row.seat) == (SPARE, "running", 2, B)
    assert row.penalties == (1, 0, 0, 0)
    assert [(one.turn.box, one.turn.move, one.turn.how, one.turn.tiles, one.ruled_by) for one in model.turns(1)] == [
        (SPARE, 1, "timeout", 1, "table"), (SPARE, 2, None, 0, ""),
    ]  # fmt: skip


@pytest.mark.parametrize("spare_first", [False, True])
def test_a_ruling_on_the_time_out_at_the_box_before_holds_at_the_spare(spare_first: bool) -> None:
    first = late()
    spare = takes_over(first, SPARE)
    ledger = written(first, spare, spare_first=spare_first)
    model = ledger.model()
    by_default = model.row(1, 0).penalties, [one.ruled_by for one in model.turns(1)]
    model.entry(ledger.rule(next(fact for fact in first.facts if fact.kind == k.TIME_RAN_OUT), "takes_invalid", 4))

    assert by_default == ((0, 0, 0, 0), ["default"])
    assert model.row(1, 0).penalties == (4, 0, 0, 0)
    assert [(one.turn.box, one.turn.move, one.ruled_by) for one in model.turns(1)] == [(SPARE, 1, "Puchacz")]


def test_a_spare_that_stands_after_a_late_move_shows_that_the_table_has_to_speak() -> None:
    first = late()
    model = written(first, takes_over(first, SPARE), spare_first=False).model()

    row = model.row(1, 0)

    assert (row.state, row.reason) == ("stopped", "box_lost_power")
    assert {alert.kind for alert in row.alerts} >= {"time_out", "power_lost"}
