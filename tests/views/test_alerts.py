"""Who waits for the referee at which table, since when, and when they wait no more."""

from __future__ import annotations

from dataclasses import replace

from dalej.event.ledger import Outcome, Request
from dalej.office.acts.clocks import WHY_HALL
from dalej.views.hall import HallModel
from dalej.views.phrases import whose_words
from moveclock import facts as k
from moveclock import settings as rules
from tests.domain.tables import A, B
from tests.views.writing import NOON, RULES, START, Written, heard, running


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


def test_6h_a_claim_that_is_denied_waits_for_the_clock_as_long_as_it_stands() -> None:
    table, ledger = running(rules.DRAW_FLAG), Written()
    table.wait(5_000)
    table.press(2 * A + 1)
    table.wait(2_000)
    table.press(k.SEDZIA)
    table.wait(10_000)
    table.order(k.C_DENY_CLAIM)
    ledger.facts(table.facts)
    model = ledger.model()
    model.pulse(START, NOON)
    model.heard(heard(table, START))
    denied = model.row(1, START).alerts
    table.order(k.C_SET_BANK, 40)
    model.heard(heard(table, START, way="advert"))
    ahead = model.row(1, START).alerts
    table.order(k.C_RESUME)
    model.heard(heard(table, START, way="advert"))

    (alert,) = denied
    assert (alert.kind, alert.seat, alert.move, alert.waiting_ms) == ("early_click", A, 1, 10_000)
    assert (alert.urgent, alert.stopped, alert.denied) == (True, True, True)
    (claim,) = (fact for fact in table.facts if fact.kind == k.RESTART_CLAIMED)
    assert alert.told == (claim.box, claim.epoch, claim.seq)
    assert ahead == denied
    assert model.row(1, START).alerts == ()


def test_a_clock_that_the_desk_has_stopped_waits_for_whoever_lets_it_go_on() -> None:
    table, ledger = running(), Written()
    table.wait(5_000)
    table.order(k.C_STOP, k.REFEREE)
    table.wait(7_000)
    ledger.facts(table.facts)
    model = ledger.model()
    model.pulse(START, NOON)
    model.heard(heard(table, START))
    stopped = model.row(1, START).alerts
    table.order(k.C_RESUME)
    model.heard(heard(table, START, way="advert"))

    (alert,) = stopped
    assert (alert.kind, alert.seat, alert.move, alert.waiting_ms) == ("stands", A, 1, 7_000)
    assert (alert.urgent, alert.stopped) == (False, True)
    assert model.row(1, START).alerts == ()


def test_a_clock_that_stands_is_told_of_the_claim_of_its_own_move_alone() -> None:
    table, ledger = running(rules.DRAW_FLAG), Written()
    table.wait(5_000)
    table.press(2 * A + 1)
    table.wait(2_000)
    table.press(k.SEDZIA)
    table.order(k.C_DENY_CLAIM)
    table.order(k.C_RESUME)
    table.order(k.C_STOP, k.REFEREE)
    in_the_move = len(table.facts)
    table.order(k.C_RESUME)
    table.press(2 * table.clock.seat)
    table.order(k.C_STOP, k.REFEREE)
    (claim,) = (fact for fact in table.facts if fact.kind == k.RESTART_CLAIMED)

    ledger.facts(table.facts[:in_the_move])
    (own,) = ledger.model().row(1, START).alerts
    ledger.facts(table.facts[in_the_move:])
    (later,) = ledger.model().row(1, START).alerts

    assert (own.kind, own.move, own.told) == ("stands", claim.move, (claim.box, claim.epoch, claim.seq))
    assert (later.kind, later.move, later.told) == ("stands", claim.move + 1, None)


def test_no_table_of_a_hall_that_was_stopped_as_a_whole_or_has_a_break_waits_for_anybody() -> None:
    for reason, why in ((k.REFEREE, WHY_HALL), (k.ROUND_BREAK, "")):
        table, ledger = running(), Written()
        table.wait(5_000)
        table.order(k.C_STOP, reason)
        ledger.facts(table.facts)
        model = ledger.model()
        model.entry(Request(90, 1, 1, table.box, "stop", {}, "Puchacz", NOON, why, None, None))
        model.entry(Outcome(91, 1, "applied", "", NOON))
        model.pulse(START, NOON)
        model.heard(heard(table, START))

        assert model.row(1, START).alerts == ()


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


def test_the_call_of_a_box_that_has_played_on_unheard_names_no_move_that_may_be_an_earlier_one() -> None:
    table, ledger = running(), Written()
    ledger.facts(table.facts)
    model = ledger.model()
    model.pulse(START, NOON)
    table.wait(5_000)
    table.press(2 * A)  # A's move is over, and nobody hears of it
    table.wait(44_000)
    model.heard(heard(table, START, way="advert"))

    (call,) = model.alerts(START)
    assert (call.kind, call.seat, call.move) == ("time_out", B, 0)
    assert whose_words(call, ("Lis", "Sowa", "", ""))[0] == "Sowa (B)"


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
