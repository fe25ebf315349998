"""What a screen shows of one table: the newer of log and box, whatever order the log came in."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dalej.domain.game.facts import Fact
from dalej.domain.game.heard import Way
from dalej.views.hall import HallModel
from moveclock import facts as k
from tests.domain.tables import BOX, A, B, D, played
from tests.views.writing import FOREST, HOUR_MS, NOON, START, Written, heard, running


def one_move_ahead(way: Way) -> HallModel:
    """The log ends within the first move; at `START` the box tells, in its way, of the second."""
    table, ledger = running(), Written()
    ledger.assign(1)
    ledger.facts(table.facts)
    model = ledger.model()
    table.wait(9_000)
    table.press(2 * A)
    model.pulse(START, NOON + table.now)
    model.heard(heard(table, START, way=way))
    return model


def test_of_a_link_and_an_older_log_the_link_counts_and_the_lag_is_said() -> None:
    row = one_move_ahead("link").row(1, START + 2_000)

    assert (row.state, row.seat, row.move, row.move_at_least) == ("running", B, 2, False)
    assert (row.left_ms, row.lag, row.way, row.stale) == (38_000, 2, "link", False)


def test_of_an_advertisement_and_an_older_log_the_move_is_at_least_the_logs() -> None:
    row = one_move_ahead("advert").row(1, START)

    assert (row.state, row.seat, row.left_ms) == ("running", B, 40_000)
    assert (row.move, row.move_at_least, row.bank, row.way) == (1, True, 50, "advert")


def test_of_a_newer_log_and_an_older_state_the_log_counts_timed_by_the_uptime_of_the_box() -> None:
    table, ledger = running(), Written()
    model = ledger.model()
    model.pulse(START, NOON)
    model.heard(heard(table, START))
    table.wait(9_000)
    table.press(2 * A)
    for entry in ledger.facts(table.facts):
        model.entry(replace(entry, wall_ms=None))

    row = model.row(1, START + 9_000 + 1_500)

    assert (row.seat, row.move, row.left_ms, row.lag) == (B, 2, 38_500, 0)


def test_a_box_that_only_the_desk_knows_is_shown_as_heard() -> None:
    table = running()
    model = Written().model()
    model.pulse(START, NOON)

    assert model.heard(heard(table, START, 7)) == 7

    row = model.row(7, START)
    assert (row.table, row.state, row.move, row.limit_ms, row.stale) == (7, "running", 1, None, False)


def test_a_new_journal_of_the_box_is_shown_and_nothing_of_the_old_one() -> None:
    table, ledger = running(), Written()
    ledger.assign(1)
    ledger.facts(table.facts)
    model = ledger.model()
    model.entry(Written()._fact(Fact(BOX, 99, 1, 1, 0, k.BOOTED)))

    row = model.row(1, 0)

    assert (row.state, row.game, row.move, row.limit_ms) == ("idle", 0, 0, None)


def test_of_a_later_game_that_the_box_tells_of_nothing_of_the_logs_game_is_shown() -> None:
    table, ledger = running(), Written()
    table.wait(41_000)
    table.press(2 * B + 1)
    ledger.facts(table.facts)
    model = ledger.model()
    for command in ((k.C_STOP, k.REFEREE), (k.C_END_GAME,), (k.C_NEXT_GAME,)):
        table.order(*command)
    model.pulse(START, NOON)
    model.heard(heard(table, START))
    told = model.row(1, START)
    model.heard(heard(table, START, way="advert"))
    advertised = model.row(1, START)

    assert (told.state, told.game, told.move, told.bank, told.penalties) == ("ready", 2, 0, 50, (0, 0, 0, 0))
    assert (advertised.state, advertised.move, advertised.bank) == ("ready", 0, None)


def test_why_the_clock_stands_is_the_boxs_alarm_or_is_not_known() -> None:
    table, ledger = running(), Written()
    table.wait(9_000)
    table.press(2 * A, held=True)
    table.press(2 * A, held=True)
    ledger.facts(table.facts)
    model = ledger.model()
    model.pulse(START, NOON)
    table.order(k.C_END_GAME)
    over = model.row(1, START)
    table.order(k.C_REOPEN, k.SAME_SEAT)
    model.heard(heard(table, START, way="advert"))
    reopened = model.row(1, START)
    table.order(k.C_STOP, k.DISPUTE)
    model.heard(heard(table, START, way="advert"))

    assert (over.state, over.reason) == ("over", "went_out")
    assert (reopened.state, reopened.reason) == ("stopped", None)
    assert model.row(1, START).reason == "dispute"


def test_a_table_without_a_box_is_a_normal_table() -> None:
    ledger = Written()
    ledger.seat(5, FOREST)
    model = ledger.model()
    model.pulse(START, NOON)

    row = model.row(5, START + HOUR_MS)

    assert (row.box, row.state, row.stale, row.names[D], row.alerts) == ("", "unknown", False, "Łoś", ())
    with pytest.raises(KeyError):
        model.row(4, START)


@given(played(), st.data())
def test_in_whatever_order_facts_come_the_hall_looks_the_same(facts: list[Fact], data: st.DataObject) -> None:
    ledger = Written()
    ledger.assign(1)
    ledger.seat(1, FOREST)
    ledger.facts(facts)
    expected = ledger.model()
    mixed = Written()
    mixed.entries = data.draw(st.permutations(ledger.entries))
    found = mixed.model()

    assert found.rows(NOON) == expected.rows(NOON)
    assert [seen.turn for seen in found.turns(1)] == [seen.turn for seen in expected.turns(1)]
