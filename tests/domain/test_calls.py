"""What waits for a person, told by facts alone, is what the box raises its alarm for."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dalej.domain.game.calls import Call, Calls
from dalej.domain.game.facts import Fact
from moveclock import facts as k
from moveclock import settings as rules
from tests.domain.tables import STEPS, A, B, C, PlayedTable, Step, do, settings


def calls(facts: Sequence[Fact]) -> dict[str, Call]:
    fold = Calls()
    for fact in facts:
        fold.take(fact)
    return {call.kind: call for call in fold.open()}


@given(settings(), STEPS, st.booleans(), st.booleans())
def test_after_every_press_order_and_power_cut_the_facts_call_for_whom_the_box_calls(
    rules_of_table: rules.Settings, steps: list[Step], kostka: bool, shared: bool
) -> None:
    table = PlayedTable(rules_of_table, kostka=kostka, shared=shared)
    fold, taken = Calls(), 0
    first = next(seat for seat in range(4) if table.clock.in_play(seat))
    for gap, doing, number in [(1_000, "other", 2 * first), (1_000, "other", 2 * first), *steps]:
        table.wait(gap)
        do(table, doing, number)
        for fact in table.facts[taken:]:
            fold.take(fact)
        taken = len(table.facts)
        waits = {call.kind: call for call in fold.open()}
        clock = table.clock
        disputed = clock.pending or (clock.state == k.STOPPED and clock.reason == k.DISPUTE)
        denied = any(call.denied for call in waits.values())
        urgent = {kind for kind, call in waits.items() if call.urgent and not call.denied}

        assert ("early_click" in urgent) == clock.claim
        assert (not urgent.isdisjoint({"dispute", "referee"})) == (disputed or clock.called)
        assert not disputed or "dispute" in urgent
        assert ("power_lost" in waits) == (clock.state == k.STOPPED and clock.reason == k.BOX_LOST_POWER)
        assert ("time_out" in waits) == (clock.state == k.EXPIRED or (clock.state == k.STOPPED and clock.late))
        if "early_click" in waits and not clock.claim:
            assert clock.claimable != denied
        assert not denied or clock.state == k.STOPPED
        assert clock.state == k.STOPPED or not any(call.stopped for call in waits.values())


def test_6h_an_early_click_waits_for_a_claim_and_a_claim_for_the_referee() -> None:
    table = running(draw=rules.DRAW_FLAG)
    table.wait(5_000)
    table.press(2 * A + 1)
    clicked = calls(table.facts)["early_click"]
    table.wait(2_000)
    table.press(k.SEDZIA)

    claimed = calls(table.facts)["early_click"]

    assert (clicked.seat, clicked.move, clicked.urgent, clicked.stopped) == (A, 1, False, False)
    assert (claimed.seat, claimed.move, claimed.urgent, claimed.stopped) == (A, 1, True, True)
    assert claimed.at_ms == clicked.at_ms + 2_000


def test_6h_a_claim_that_is_withdrawn_leaves_the_early_click_to_be_claimed() -> None:
    table = running(draw=rules.DRAW_FLAG)
    table.wait(5_000)
    table.press(2 * A + 1)
    before = calls(table.facts)
    table.wait(2_000)
    table.press(k.SEDZIA)
    table.wait(1_000)
    table.press(k.SEDZIA)

    assert calls(table.facts) == before


def claimed_and_denied() -> PlayedTable:
    table = running(draw=rules.DRAW_FLAG)
    table.wait(5_000)
    table.press(2 * A + 1)
    table.wait(2_000)
    table.press(k.SEDZIA)
    table.wait(60_000)
    assert not table.order(k.C_DENY_CLAIM)
    return table


def test_6h_a_claim_that_is_denied_waits_until_the_clock_goes_on() -> None:
    table = claimed_and_denied()
    waits = calls(table.facts)
    table.order(k.C_RESUME)

    assert set(waits) == {"early_click"}
    denied = waits["early_click"]
    assert (denied.seat, denied.move, denied.denied) == (A, 1, True)
    assert (denied.urgent, denied.stopped) == (True, True)
    assert calls(table.facts) == {}


@pytest.mark.parametrize("more", [(k.C_SET_REMAINING, 20_000), (k.C_GIVE_TIME, 5_000), (k.C_SET_SEAT, C)])
def test_a_clock_that_is_corrected_after_the_claim_was_denied_still_has_to_go_on(more: tuple[int, int]) -> None:
    table = claimed_and_denied()
    table.order(*more)
    corrected = calls(table.facts)
    table.press(k.SEDZIA, held=True)
    table.wait(3_000)

    assert corrected["early_click"].denied
    assert table.clock.state == k.RUNNING
    assert calls(table.facts) == {}


def test_a_denied_claim_ends_with_its_game() -> None:
    table = claimed_and_denied()
    table.order(k.C_END_GAME)

    assert calls(table.facts) == {}


def test_an_early_click_ends_with_its_game_also_where_the_end_of_its_move_is_lost() -> None:
    table = running(draw=rules.DRAW_FLAG)
    table.wait(5_000)
    table.press(2 * A + 1)
    clicked = calls(table.facts)
    table.order(k.C_END_GAME)

    assert set(clicked) == {"early_click"}
    assert calls([fact for fact in table.facts if fact.kind != k.MOVE_ENDED]) == {}


def test_a_dispute_about_the_running_move_waits_while_it_goes_on_and_stops_the_clock_after_it() -> None:
    table = running()
    table.wait(9_000)
    table.press(k.SEDZIA)
    raised = calls(table.facts)["dispute"]
    table.wait(9_000)
    table.press(2 * A)

    stopped = calls(table.facts)["dispute"]

    assert (raised.urgent, raised.stopped) == (True, False)
    assert (stopped.seq, stopped.seat, stopped.urgent, stopped.stopped) == (raised.seq, A, True, True)


def disputed_at_once() -> PlayedTable:
    """A's first move, a second after it has ended."""
    table = running()
    table.wait(9_000)
    table.press(2 * A)
    table.wait(1_000)
    table.press(k.SEDZIA)
    return table


def test_a_dispute_whose_answer_is_taken_back_is_about_the_move_that_it_was_about() -> None:
    table = disputed_at_once()
    disputed = calls(table.facts)["dispute"]
    table.wait(5_000)
    table.order(k.C_RESUME)
    answered = set(calls(table.facts))
    table.wait(2_000)
    table.order(k.C_STOP, k.DISPUTE)

    again = calls(table.facts)["dispute"]

    assert answered == set()
    assert (disputed.seat, disputed.move) == (A, 1)
    assert (again.seat, again.move, again.stopped) == (A, 1, True)


def test_a_dispute_in_a_later_move_is_a_new_one() -> None:
    table = disputed_at_once()
    table.wait(5_000)
    table.order(k.C_RESUME)
    table.wait(9_000)
    table.press(2 * B)
    table.wait(2_000)
    table.order(k.C_STOP, k.DISPUTE)

    assert (calls(table.facts)["dispute"].seat, calls(table.facts)["dispute"].move) == (C, 3)


def test_a_dispute_that_a_power_cut_interrupts_stays_a_dispute() -> None:
    table = disputed_at_once()
    table.cut_power()

    waits = calls(table.facts)

    assert set(waits) == {"dispute", "power_lost"}
    assert waits["dispute"].urgent
    assert not waits["power_lost"].urgent


def test_a_hold_of_sedzia_takes_over_the_waiting_of_the_dispute_before_it() -> None:
    table = running()
    table.wait(9_000)
    table.press(k.SEDZIA)
    since = calls(table.facts)["dispute"].at_ms
    table.wait(9_000)
    table.press(k.SEDZIA, held=True)

    waits = calls(table.facts)

    assert set(waits) == {"referee"}
    assert (waits["referee"].at_ms, waits["referee"].stopped) == (since, True)


def test_a_hold_of_sedzia_takes_over_no_dispute_that_is_settled_though_nothing_tells_that_the_clock_went_on() -> None:
    table = disputed_at_once()
    table.wait(60_000)
    table.order(k.C_RESUME)
    table.wait(9_000)
    table.press(k.SEDZIA, held=True)

    waits = calls([fact for fact in table.facts if fact.kind != k.CLOCK_RESUMED])

    assert set(waits) == {"referee"}
    assert waits["referee"].at_ms == table.facts[-1].uptime_ms


def test_a_call_at_a_time_out_outlives_the_verdict_by_one_move_and_is_urgent_no_more() -> None:
    table = running()
    table.wait(41_000)
    table.press(k.SEDZIA)
    called = calls(table.facts)
    table.wait(4_000)
    table.press(2 * B)
    judged = calls(table.facts)
    table.wait(9_000)
    table.press(2 * B)

    assert set(called) == {"time_out", "referee"}
    assert called["referee"].urgent
    assert set(judged) == {"referee"}
    assert not judged["referee"].urgent
    assert calls(table.facts) == {}
    assert table.clock.seat == C


def test_a_verdict_that_was_open_when_the_desk_ended_the_game_waits_again_when_it_is_reopened() -> None:
    table = running()
    table.wait(41_000)
    before = calls(table.facts)
    table.order(k.C_END_GAME)
    ended = calls(table.facts)
    table.order(k.C_REOPEN, k.SAME_SEAT)

    assert ended == {}
    assert calls(table.facts) == before


def running(draw: int = rules.DRAW_OFF) -> PlayedTable:
    """A's first move has just begun."""
    new = rules.Settings()
    new.limit_ms, new.first, new.draw = 40_000, A, draw
    table = PlayedTable(new)
    table.wait(1_000)
    table.press(2 * A)
    return table
