"""The times that a screen shows of a table: nothing but the box and the desk's own clock moves them."""

from __future__ import annotations

from dataclasses import replace

import pytest

from dalej.event.ledger import Gap
from dalej.views.hall import HallModel
from dalej.views.rows import SILENT_MS
from moveclock import facts as k
from tests.domain.tables import BOX, A, PlayedTable
from tests.views.writing import HOUR_MS, NOON, START, Written, heard, running


@pytest.mark.parametrize("met", [True, False])
def test_a_wall_clock_that_jumps_an_hour_moves_no_time_of_a_boot_that_goes_on(met: bool) -> None:
    table, ledger = running(), Written()
    ledger.assign(1)
    ledger.facts(table.facts)
    model = ledger.model()
    model.pulse(START, NOON + table.now)
    before = heard(table, START, way="advert", uptime=met)
    assert before.told is not None
    older = replace(before.told, head=before.told.head - 1)  # so that the facts count, and their dates
    model.heard(replace(before, told=older))
    shown = model.row(1, START + 1_000).left_ms

    model.pulse(START + 2_000, NOON + table.now + 2_000 + HOUR_MS)
    model.entry(Gap(99, BOX, 7, 50, 60, "lost", 0))  # a reason to look at the table anew

    assert (shown, model.row(1, START + 2_000).left_ms) == (39_000, 38_000)


def test_time_does_not_run_out_before_the_box_says_so() -> None:
    table, ledger = running(), Written()
    ledger.facts(table.facts)
    model = ledger.model()
    model.pulse(START, NOON)
    model.heard(heard(table, START))
    model.heard(replace(heard(table, START), seen_ms=START + 45_000))

    row = model.row(1, START + 45_000)

    assert (row.state, row.left_ms, row.moves_on, row.stale) == ("running", 0, False, False)


def test_the_overrun_of_a_time_out_is_shown_as_less_than_nothing() -> None:
    table, ledger = running(), Written()
    table.wait(41_500)
    ledger.facts(table.facts)
    model = ledger.model()
    model.pulse(START, NOON)
    model.heard(heard(table, START))

    row = model.row(1, START + 500)

    assert (row.state, row.left_ms, row.moves_on) == ("expired", -2_000, True)


@pytest.mark.parametrize("way", ["link", "advert"])
def test_a_box_unheard_for_12_s_is_stale_and_its_time_stands(way: str) -> None:
    table, ledger = running(), Written()
    ledger.facts(table.facts)
    model = ledger.model()
    model.pulse(START, NOON)
    model.heard(heard(table, START, way="link" if way == "link" else "advert"))

    near, silent, later = (model.row(1, START + SILENT_MS + ms) for ms in (-1, 0, 9_000))

    assert (near.stale, near.moves_on, near.alerts) == (False, True, ())
    assert (silent.stale, silent.moves_on, silent.left_ms) == (True, False, 28_000)
    assert (later.left_ms, later.age_ms) == (28_000, SILENT_MS + 9_000)
    assert [(alert.kind, alert.waiting_ms, alert.urgent) for alert in later.alerts] == [("silent", 21_000, False)]


def test_a_boot_that_the_desk_never_met_has_no_time_and_is_not_invented_one() -> None:
    table = running()
    model = Written().model()
    model.pulse(START, NOON)
    said = heard(table, START, way="advert", uptime=False)
    assert said.told is not None
    model.heard(replace(said, told=replace(said.told, left_ms=None)))

    row = model.row(1, START)

    assert (row.state, row.left_ms, row.moves_on) == ("running", None, False)


def test_only_the_box_knows_how_long_a_time_out_had_waited_before_a_power_cut() -> None:
    table, ledger = running(), Written()
    table.wait(45_000)
    table.cut_power()
    table.order(k.C_RESUME)
    ledger.facts(table.facts)
    model = ledger.model()
    model.pulse(START, NOON)
    logged = model.row(1, START)
    model.heard(heard(table, START))

    assert (logged.state, logged.left_ms) == ("expired", None)
    assert model.row(1, START).left_ms == -5_000


def test_another_desk_dates_a_boot_that_it_never_met_by_its_own_clock() -> None:
    table, ledger = running(), Written()
    ledger.facts(table.facts)
    model = ledger.model()
    said = heard(table, START, way="advert", uptime=False)
    assert said.told is not None
    older = replace(said, told=replace(said.told, head=1))
    model.pulse(START, NOON + table.now)
    model.heard(older)
    before = model.row(1, START).left_ms
    model.lost_desk()

    model.pulse(100, NOON + table.now + 7_000)
    model.heard(replace(older, seen_ms=100))

    assert (before, model.row(1, 100).left_ms) == (40_000, 33_000)


def desk_lost() -> tuple[PlayedTable, HallModel]:
    """A table that a desk has heard of at `START`, and a screen that lost that desk; 8 s later."""
    table, ledger = running(), Written()
    ledger.facts(table.facts)
    model = ledger.model()
    model.pulse(START, NOON)
    model.heard(heard(table, START))
    model.lost_desk()
    table.wait(8_000)
    return table, model


def test_another_desk_with_a_younger_clock_starts_from_what_it_tells_itself() -> None:
    table, model = desk_lost()

    model.pulse(100, NOON + 8_000)
    unheard = model.row(1, 200)
    model.heard(heard(table, 300))

    assert unheard.stale
    assert (model.row(1, 300).stale, model.row(1, 300).left_ms) == (False, 32_000)


def test_another_desk_with_an_older_clock_is_known_by_its_greeting_and_its_wall_clock() -> None:
    table, model = desk_lost()
    later = START + 100 * HOUR_MS

    model.met_desk()
    model.pulse(later, NOON + 8_000)
    unheard, alerts = model.row(1, later), model.alerts(later)
    model.heard(heard(table, later))

    assert (unheard.stale, unheard.way, alerts) == (True, "none", [])
    assert (model.row(1, later).stale, model.row(1, later).left_ms) == (False, 32_000)


def test_the_same_desk_that_greets_again_has_still_heard_what_it_heard() -> None:
    table, ledger = running(), Written()
    table.wait(9_000)
    table.press(2 * A)
    model = ledger.model()
    model.pulse(START, NOON)
    model.heard(heard(table, START, way="advert"))
    model.lost_desk()

    model.met_desk()
    model.pulse(START + 5_000, NOON + 5_004)
    row = model.row(1, START + 5_000)

    assert (row.state, row.left_ms, row.age_ms, row.stale) == ("running", 35_000, 5_000, False)


def test_a_wall_clock_that_jumps_while_the_desk_goes_on_makes_it_no_other_desk() -> None:
    table = running()
    model = Written().model()
    model.met_desk()
    model.pulse(START, NOON)
    model.heard(heard(table, START))

    model.pulse(START + 1_000, NOON + 1_000 + HOUR_MS)

    assert model.row(1, START + 1_000).age_ms == 1_000


def test_a_ledger_without_a_desk_stands_at_its_last_entry_and_only_its_age_grows() -> None:
    table, ledger = running(), Written()
    ledger.facts(table.facts)
    table.wait(5_000)
    table.press(k.KOSTKA)
    ledger.facts(table.facts)
    model = ledger.model()
    last = NOON + table.now

    row = model.row(1, last + HOUR_MS)

    assert (row.state, row.left_ms, row.stale, row.moves_on, row.way) == ("running", 35_000, True, False, "none")
    assert row.age_ms == HOUR_MS
    assert not model.live
