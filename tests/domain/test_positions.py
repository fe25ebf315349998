"""Where a table stands, told by facts alone, is where the clock of its box stands: after everything people may do."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dalej.domain.game.facts import Fact
from dalej.domain.game.positions import Position, position
from moveclock import facts as k
from moveclock import settings as rules
from moveclock.clock import Clock
from tests.domain.tables import GAPS, STEPS, A, B, C, D, PlayedTable, Step, do, played, settings

PLAYED = ("juz", "dalej", "kostka", "next_juz", "next_dalej", "stop", "resume", "give_time")


def agrees(found: Position, clock: Clock, now: int) -> None:
    """The fold says what the clock says at uptime `now`; what it cannot know it does not say."""
    assert (found.state, found.game, found.bank) == (clock.state, clock.game, clock.bank)
    assert found.seats & ~found.out == clock.settings.seats & ~clock.out
    assert (found.lap_reason is None) == (clock.lap_reason == k.NOBODY)
    if clock.state in (k.RUNNING, k.EXPIRED, k.STOPPED):
        assert (found.seat, found.move) == (clock.seat, clock.move)
        assert (found.drawn, found.mid_game.penalty) == (clock.drawn, clock.penalty and is_late(clock))
        expected = lap_of(clock)
        assert lap_of(found)[: len(expected)] == expected
        assert found.limit_ms == clock.settings.limit_ms
    if clock.state == k.READY:
        assert (found.move, found.seat, found.starter) == (0, k.NOBODY, clock.starter)
    if clock.state == k.STOPPED:
        assert (found.reason, found.late) == (clock.reason, clock.late)
    left = found.left_at(now & 0xFFFFFFFF)
    if clock.state == k.RUNNING or (clock.state == k.STOPPED and not clock.late):
        assert left == clock.watch.remaining(now)
    elif clock.state == k.EXPIRED and left is not None:
        assert -left == now - clock.expired_at


def is_late(clock: Clock) -> bool:
    return clock.state == k.EXPIRED or (clock.state == k.STOPPED and clock.late)


def lap_of(told: Position | Clock) -> tuple[object, ...]:
    """What a final lap comes to; of one that a ruleset leaves out facts do not say that nobody moves in it."""
    if told.lap_reason in (None, k.NOBODY):
        return ()
    mask, before = told.lap_mask, told.lap_before
    if isinstance(told, Clock):
        policy = told.settings.on_bank_empty if told.lap_reason == k.BANK_EMPTY else told.settings.on_round_time
        if policy == rules.END_WITH_MOVE:
            return (told.lap_reason, told.lap_waits, before[1])
    return (told.lap_reason, told.lap_waits, before[1], mask, before[0])


@given(settings(), STEPS, st.booleans(), st.booleans())
def test_after_every_press_order_and_power_cut_the_facts_say_what_the_clock_says(
    rules_of_table: rules.Settings, steps: list[Step], kostka: bool, shared: bool
) -> None:
    table = PlayedTable(rules_of_table, kostka=kostka, shared=shared)
    fold, taken = Position(), 0

    def catch_up() -> None:
        nonlocal taken
        for fact in table.facts[taken:]:
            fold.take(fact)
        taken = len(table.facts)

    first = next(seat for seat in range(4) if table.clock.in_play(seat))
    for gap, doing, number in [(1_000, "other", 2 * first), (1_000, "other", 2 * first), *steps]:
        table.wait(gap)
        catch_up()
        agrees(fold, table.clock, table.now)
        do(table, doing, number)
        catch_up()
        agrees(fold, table.clock, table.now)


@given(played(), st.data())
def test_in_whatever_order_and_however_often_facts_are_given_the_table_stands_the_same(
    facts: list[Fact], data: st.DataObject
) -> None:
    again = data.draw(st.lists(st.sampled_from(facts), max_size=20))
    mixed = data.draw(st.permutations([*facts, *again]))

    found, expected = position(mixed), position(facts)

    assert all(getattr(found, name) == getattr(expected, name) for name in Position.__slots__)


def test_a_time_out_before_a_power_cut_has_waited_nobody_knows_how_long() -> None:
    table = running()
    table.wait(45_000)
    table.cut_power(since_checkpoint=2_000)
    table.order(k.C_RESUME)

    found = position(table.facts)

    assert (found.state, found.left_at(table.now)) == (k.EXPIRED, None)


def test_a_time_out_that_stood_when_the_power_went_goes_on_from_there() -> None:
    table = running()
    table.wait(45_000)
    table.order(k.C_STOP, k.REFEREE)
    table.cut_power()
    table.order(k.C_RESUME)
    table.wait(500)

    assert position(table.facts).left_at(table.now) == -5_500


def test_a_game_reopened_after_its_final_lap_is_in_no_lap() -> None:
    table = running()
    table.order(k.C_FINAL_LAP, k.ROUND_TIME)
    for seat in (A, B, C, D, A):
        table.wait(5_000)
        table.press(2 * seat)
    ended = position(table.facts)
    table.order(k.C_REOPEN, k.SAME_SEAT)

    found = position(table.facts)

    assert (ended.state, ended.lap_reason) == (k.OVER, k.ROUND_TIME)
    assert (found.state, found.lap_reason) == (k.STOPPED, None)


def test_a_seat_that_withdrew_is_still_out_in_the_next_game() -> None:
    table = running()
    table.order(k.C_STOP, k.REFEREE)
    table.order(k.C_WITHDRAW, C)
    table.order(k.C_END_GAME)
    table.order(k.C_NEXT_GAME)

    found = position(table.facts)

    assert (found.state, found.game, found.seats, found.out) == (k.READY, 2, 0b1111, 0b0100)


def test_behind_a_gap_a_move_that_starts_runs_although_the_resume_is_missing() -> None:
    table = running()
    table.wait(9_000)
    table.order(k.C_STOP, k.REFEREE)
    stopped = len(table.facts)
    table.order(k.C_RESUME)
    table.press(2 * A)

    found = position([*table.facts[:stopped], *table.facts[-1:]])

    assert table.facts[-1].kind == k.MOVE_STARTED
    assert (found.state, found.seat, found.left_at(table.now + 1_000)) == (k.RUNNING, B, 39_000)


@pytest.mark.parametrize("uptime_ms", [0xFFFFFFFF - 5_000, 0xFFFFFFFF])
def test_uptime_that_wraps_mid_move_changes_nothing(uptime_ms: int) -> None:
    started = Fact("a0", 1, 1, 1, uptime_ms, k.MOVE_STARTED, 1, 1, A, a=40_000, c=50)

    found = position([started])

    assert found.left_at((uptime_ms + 10_000) & 0xFFFFFFFF) == 30_000


def running() -> PlayedTable:
    """A's first move has just begun."""
    new = rules.Settings()
    new.limit_ms, new.first = 40_000, A
    table = PlayedTable(new)
    table.wait(1_000)
    table.press(2 * A)
    return table


@given(settings(), STEPS, st.booleans(), st.booleans(), st.data())
def test_a_spare_box_stands_where_the_box_before_did_and_every_press_does_the_same_there(
    rules_of_table: rules.Settings, steps: list[Step], kostka: bool, shared: bool, data: st.DataObject
) -> None:
    table = PlayedTable(rules_of_table, kostka=kostka, shared=shared)
    first = next(seat for seat in range(4) if table.clock.in_play(seat))
    for gap, doing, number in [(1_000, "other", 2 * first), (1_000, "other", 2 * first), *steps]:
        table.wait(gap)
        do(table, doing, number)
    clock = table.clock
    if clock.state not in (k.RUNNING, k.EXPIRED, k.STOPPED):
        return
    table.order(k.C_STOP, k.REFEREE)
    at = position(table.facts)
    assert at.bank is not None
    spare = PlayedTable(rules_of_table, kostka=kostka, shared=shared, box="b0b1c2d3e4f5")
    left = clock.watch.remaining(table.now)
    refused = spare.order(k.C_TAKE_OVER, at.game, at.move, at.seat, left, at.bank, at.out, at.mid_game.number)
    if not clock.in_play(clock.seat) or rules.count(clock.settings.seats & ~clock.out) < 2:
        assert refused
        return

    agrees(position(spare.facts), spare.clock, spare.now)
    found, expected = spare.clock, clock
    assert (found.late, found.drawn, found.bank) == (expected.late, expected.drawn, expected.bank)
    assert found.penalty == (expected.penalty and expected.late)
    assert lap_of(found)[:2] + lap_of(found)[3:4] == lap_of(expected)[:2] + lap_of(expected)[3:4]
    assert not found.late or lap_of(found) == lap_of(expected)
    assert position(spare.facts).mid_game.number == at.mid_game.number
    if clock.claim or clock.claimable or clock.pending or clock.owing != k.NOBODY:
        return  # what people had asked for or still owed is not taken over: they are at the table and say so
    if clock.late and rules_of_table.on_expiry == rules.ADVANCE:
        return  # the grace time begins anew
    for one in (table, spare):
        one.order(k.C_RESUME)
        one.wait(1_000)  # no tap is meant for the move before
    for gap, doing, number in data.draw(st.lists(st.tuples(GAPS, st.sampled_from(PLAYED), st.integers(0, 7)))):
        for one in (table, spare):
            one.wait(gap)
            do(one, doing, number)
        assert (spare.clock.state, spare.clock.seat, spare.clock.bank) == (clock.state, clock.seat, clock.bank)
        assert (spare.clock.drawn, spare.clock.move) == (clock.drawn, clock.move)


def test_a_final_lap_that_a_penalty_tile_begins_does_not_wait_for_the_move_that_was_late() -> None:
    new = rules.Settings()
    new.limit_ms, new.first, new.tiles = 40_000, A, 4 * 14 + 1
    table = PlayedTable(new, kostka=False)
    table.press(2 * A)
    table.wait(41_000)
    table.press(2 * B + 1)

    found = position(table.facts)

    assert (found.lap_reason, found.lap_waits, found.lap_mask) == (k.BANK_EMPTY, False, 0b1111)
