"""What a screen shows of one table: the newer of log and box, times that nothing but the box can move, who waits."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dalej.domain.facts import Fact
from dalej.domain.heard import Way
from dalej.hall.model import HallModel
from dalej.hall.seen import SILENT_MS
from dalej.ledger import Gap
from moveclock import facts as k
from moveclock import settings as rules
from tests.domain.tables import BOX, A, B, C, D, played
from tests.hall.writing import FOREST, NOON, RULES, Written, heard, running

HOUR_MS = 3_600_000
SPARE = "b0b1c2d3e4f5"
START = 500_000  # the desk's clock when its first pulse is heard


# --- log and box -----


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


# --- time -----


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


def test_another_desk_with_a_younger_clock_starts_from_what_it_tells_itself() -> None:
    table, ledger = running(), Written()
    ledger.facts(table.facts)
    model = ledger.model()
    model.pulse(START, NOON)
    model.heard(heard(table, START))
    model.lost_desk()
    table.wait(8_000)

    model.pulse(100, NOON + 8_000)
    unheard = model.row(1, 200)
    model.heard(heard(table, 300))

    assert unheard.stale
    assert (model.row(1, 300).stale, model.row(1, 300).left_ms) == (False, 32_000)


def test_another_desk_with_an_older_clock_is_known_by_its_greeting_and_its_wall_clock() -> None:
    table, ledger = running(), Written()
    ledger.facts(table.facts)
    model = ledger.model()
    model.pulse(START, NOON)
    model.heard(heard(table, START))
    model.lost_desk()
    table.wait(8_000)
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


# --- who waits -----


def test_6h_an_early_click_that_nobody_claims_waits_for_the_claim_window_only() -> None:
    table, ledger = running(rules.DRAW_FLAG), Written()
    table.wait(5_000)
    table.press(2 * A + 1)
    ledger.facts(table.facts)
    model = ledger.model()
    model.pulse(START, NOON)
    model.heard(heard(table, START))
    model.heard(replace(heard(table, START), seen_ms=START + 12_000))

    (alert,) = model.alerts(START + 9_000)

    assert (alert.kind, alert.seat, alert.move, alert.waiting_ms) == ("early_click", A, 1, 9_000)
    assert (alert.urgent, alert.stopped) == (False, False)
    assert model.alerts(START + RULES.claim_window_ms) == []


def test_a_time_out_is_urgent_when_the_table_takes_too_long_over_it() -> None:
    table, ledger = running(), Written()
    table.wait(40_000)
    ledger.facts(table.facts)
    model = ledger.model()
    model.pulse(START, NOON)
    model.heard(heard(table, START))
    limit = RULES.alert_after_ms
    model.heard(replace(heard(table, START), seen_ms=START + limit))

    (early,), (late,) = model.alerts(START + limit - 1), model.alerts(START + limit)

    assert (early.kind, early.seat, early.waiting_ms, early.urgent) == ("time_out", A, limit - 1, False)
    assert (late.waiting_ms, late.urgent) == (limit, True)


def test_where_the_next_move_starts_by_itself_no_time_out_waits_for_anybody() -> None:
    table, ledger = running(), Written()
    table.wait(40_000)
    ledger.facts(table.facts)
    model = HallModel(replace(RULES, on_expiry="advance"))
    for entry in ledger.entries:
        model.entry(entry)

    assert model.row(1, NOON).state == "expired"
    assert model.alerts(NOON) == []


def test_a_time_out_that_is_advertised_waits_since_it_ran_out_and_is_urgent_later() -> None:
    table, ledger = running(), Written()
    ledger.facts(table.facts)
    model = ledger.model()
    model.pulse(START, NOON)
    table.wait(44_000)
    model.heard(heard(table, START, way="advert"))
    model.heard(replace(heard(table, START, way="advert"), seen_ms=START + 20_000))

    (early,), (late,) = model.alerts(START), model.alerts(START + RULES.alert_after_ms - 4_000)

    assert (early.kind, early.seat, early.waiting_ms, early.urgent) == ("time_out", A, 4_000, False)
    assert (late.waiting_ms, late.urgent) == (RULES.alert_after_ms, True)


def test_a_power_cut_in_the_log_waits_no_more_when_the_box_is_ahead_and_runs() -> None:
    table, ledger = running(), Written()
    table.cut_power()
    ledger.facts(table.facts)
    model = ledger.model()
    model.pulse(START, NOON)
    model.heard(heard(table, START))
    waits = [alert.kind for alert in model.alerts(START)]
    table.order(k.C_RESUME)
    model.heard(heard(table, START, way="advert"))

    assert waits == ["power_lost"]
    assert model.alerts(START) == []


def test_an_alarm_that_is_advertised_waits_before_its_facts_are_here_and_ends_when_the_box_is_quiet() -> None:
    table, ledger = running(), Written()
    ledger.assign(1)
    ledger.facts(table.facts)
    model = ledger.model()
    model.pulse(START, NOON)
    table.wait(9_000)
    table.press(2 * A)
    table.press(k.SEDZIA)
    model.heard(heard(table, START, way="advert"))
    (called,) = model.alerts(START + 3_000)
    table.wait(9_000)
    table.order(k.C_RESUME)
    model.heard(heard(table, START + 9_000, way="advert"))

    assert (called.kind, called.waiting_ms, called.urgent, called.stopped) == ("dispute", 3_000, True, True)
    assert model.alerts(START + 9_000) == []


def test_a_dispute_in_the_log_ends_when_the_box_is_ahead_and_quiet() -> None:
    table, ledger = running(), Written()
    table.wait(9_000)
    table.press(k.SEDZIA)
    ledger.facts(table.facts)
    model = ledger.model()
    model.pulse(START, NOON)
    model.heard(heard(table, START))
    waits = [alert.kind for alert in model.alerts(START)]
    table.wait(1_000)
    table.press(k.SEDZIA)
    model.heard(heard(table, START + 1_000, way="advert"))

    assert waits == ["dispute"]
    assert model.alerts(START + 1_000) == []


def test_alerts_of_the_hall_come_longest_waiting_first() -> None:
    ledger, tables = Written(), {}
    for number, ran_out_ms in ((1, 41_000), (2, 49_000), (3, 45_000)):
        tables[number] = running(box=f"{number:012x}")
        tables[number].wait(ran_out_ms)
        ledger.assign(number, f"{number:012x}")
        ledger.facts(tables[number].facts)
    model = ledger.model()
    model.pulse(START, NOON)
    for number, table in tables.items():
        model.heard(heard(table, START, number))

    assert [(alert.table, alert.waiting_ms) for alert in model.alerts(START)] == [(2, 9_000), (3, 5_000), (1, 1_000)]


# --- people, rulings, turns -----


def test_a_ruling_of_the_referee_is_shown_with_its_name_and_the_tables_verdict_is_back_when_it_is_revoked() -> None:
    table, ledger = running(), Written()
    table.wait(41_000)
    table.press(2 * B + 1)
    ledger.assign(1)
    ledger.seat(1, FOREST)
    ledger.facts(table.facts)
    model = ledger.model()
    ran_out = next(fact for fact in table.facts if fact.kind == k.TIME_RAN_OUT)
    by_table = model.row(1, 0).penalties, model.turns(1)[0].ruled_by
    ruling = ledger.rule(ran_out, "takes_invalid", None)
    model.entry(ruling)
    ruled = model.row(1, 0).penalties, model.turns(1)[0].ruled_by
    model.entry(ledger.revoke(ruling))

    assert by_table == ((1, 0, 0, 0), "table")
    assert ruled == ((-1, 0, 0, 0), "Puchacz")
    assert (model.row(1, 0).penalties, model.turns(1)[0].ruled_by) == by_table
    assert model.turns(1)[0].clause == RULES.clause_of("undone")


def test_penalties_are_those_of_the_game_that_is_on() -> None:
    table, ledger = running(), Written()
    table.wait(41_000)
    table.press(2 * B + 1)
    ledger.facts(table.facts)
    before = ledger.model().row(1, 0).penalties
    table.order(k.C_STOP, k.REFEREE)
    table.order(k.C_END_GAME)
    table.order(k.C_NEXT_GAME)
    ledger.facts(table.facts)

    assert before == (1, 0, 0, 0)
    assert ledger.model().row(1, 0).penalties == (0, 0, 0, 0)


def test_a_game_of_the_same_number_after_the_table_was_set_up_anew_begins_without_penalties() -> None:
    table, ledger = running(), Written()
    table.wait(41_000)
    table.press(2 * B + 1)
    table.order(k.C_STOP, k.REFEREE)
    table.order(k.C_END_GAME)
    table.clock.prepare(table.now, 1, A, k.DESK)
    table.wait(1_000)
    ledger.facts(table.facts)

    row = ledger.model().row(1, 0)

    assert (row.state, row.game, row.penalties) == ("ready", 1, (0, 0, 0, 0))


def test_turns_keep_the_names_of_those_who_sat_there_then() -> None:
    table, ledger = running(), Written()
    ledger.assign(1)
    ledger.seat(1, FOREST)
    table.wait(9_000)
    table.press(2 * A)
    ledger.facts(table.facts)
    later = ledger.seat(1, {"A": "Kuna", "B": "Ryś", "C": "Gęś", "D": "Dzik"})
    table.wait(9_000)
    table.press(2 * B)
    ledger.facts(table.facts)
    model = ledger.model()

    names = [seen.name for seen in model.turns(1)]
    row = model.row(1, 0)
    model.entry(ledger.revoke(later))

    assert names == ["Lis", "Sowa", "Gęś"]
    assert (row.seat, row.name) == (C, "Gęś")
    assert (model.row(1, 0).name, [seen.name for seen in model.turns(1)][-1]) == ("Żuraw", "Żuraw")


def test_a_spare_box_takes_over_and_the_game_stays_one() -> None:
    first, spare, ledger = running(), running(box=SPARE), Written()
    ledger.assign(1)
    ledger.seat(1, FOREST)
    first.wait(41_000)
    first.press(2 * B + 1)
    ledger.facts(first.facts)
    spare.order(k.C_STOP, k.REFEREE)
    spare.order(k.C_END_GAME)
    before = len(spare.facts)
    spare.order(k.C_TAKE_OVER, 1, 2, B, 31_000, 48, 0)
    ledger.assign(1, SPARE, seq=before)
    ledger.facts(spare.facts)
    model = ledger.model()

    row = model.row(1, 0)

    assert (row.box, row.state, row.seat, row.move, row.left_ms) == (SPARE, "stopped", B, 2, 31_000)
    assert (row.penalties, row.bank) == ((1, 0, 0, 0), 48)
    assert [(seen.turn.box, seen.turn.move) for seen in model.turns(1)] == [(BOX, 1), (BOX, 2), (SPARE, 2)]
    assert model.tables() == [1]


def test_a_box_that_plays_the_same_game_at_another_table_leaves_its_penalties_where_they_were_ruled() -> None:
    first, spare, ledger = running(), running(box=SPARE), Written()
    ledger.assign(1)
    first.wait(41_000)
    first.press(2 * B + 1)
    ledger.facts(first.facts)
    for table, number, (move, seat) in ((spare, 1, (2, B)), (first, 2, (5, C))):
        table.order(k.C_STOP, k.REFEREE)
        table.order(k.C_END_GAME)
        ledger.assign(number, table.box, seq=len(table.facts))
        table.order(k.C_TAKE_OVER, 1, move, seat, 31_000, 48, 0)
        ledger.facts(table.facts)
    first.order(k.C_RESUME)
    first.wait(32_000)
    first.press(2 * D + 1)
    ledger.facts(first.facts)
    model = ledger.model()

    assert (model.row(1, 0).box, model.row(1, 0).penalties) == (SPARE, (1, 0, 0, 0))
    assert (model.row(2, 0).box, model.row(2, 0).penalties) == (BOX, (0, 0, 1, 0))


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
