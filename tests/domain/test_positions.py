"""Where a table stands, told by facts alone, is where the clock of its box stands: after everything people may do."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dalej.domain.game.commands import MidGame
from dalej.domain.game.facts import Fact
from dalej.domain.game.positions import Position, position
from moveclock import facts as k
from moveclock import settings as rules
from moveclock.clock import Clock
from tests.domain.evenings import evening
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
        told = lap_of(found)[: len(expected)]
        assert told[:2] + told[3:4] == expected[:2] + expected[3:4]
        assert told == expected or not is_late(clock)
        assert found.limit_ms == clock.settings.limit_ms
    if clock.state == k.READY:
        assert (found.move, found.seat, found.starter, found.mid_game) == (0, k.NOBODY, clock.starter, MidGame())
    if clock.state == k.STOPPED:
        assert (found.reason, found.late) == (clock.reason, clock.late)
    assert found.runs == (clock.state in (k.RUNNING, k.EXPIRED))
    left = found.left_at(now & 0xFFFFFFFF)
    ended_within = clock.state == k.OVER and clock.was_open and left is not None
    if clock.state == k.RUNNING or (clock.state == k.STOPPED and not clock.late) or ended_within:
        assert left == clock.watch.remaining(now)
    elif is_late(clock) and left is not None:
        assert -left == (clock.stopped_at if clock.state == k.STOPPED else now) - clock.expired_at


def running() -> PlayedTable:
    """A's first move has just begun."""
    new = rules.Settings()
    new.limit_ms, new.first = 40_000, A
    table = PlayedTable(new)
    table.wait(1_000)
    table.press(2 * A)
    return table


def catch_up(found: Position, table: PlayedTable) -> None:
    """The fold takes what the table has told since."""
    for fact in table.facts[found.seq :]:
        found.take(fact)


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
    fold = Position()
    first = next(seat for seat in range(4) if table.clock.in_play(seat))
    for gap, doing, number in [(1_000, "other", 2 * first), (1_000, "other", 2 * first), *steps]:
        table.wait(gap)
        catch_up(fold, table)
        agrees(fold, table.clock, table.now)
        do(table, doing, number)
        catch_up(fold, table)
        agrees(fold, table.clock, table.now)


@pytest.mark.parametrize("which", range(12))
def test_all_of_a_long_evening_the_facts_say_what_the_clock_says(which: int) -> None:
    fold = Position()

    for table in evening(which):
        catch_up(fold, table)

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


def test_of_a_box_that_has_told_nothing_nothing_is_known() -> None:
    found = position([])

    assert {name: getattr(found, name) for name in Position.__slots__} == {
        "epoch": 0, "seq": 0, "boot": 0, "at_ms": 0, "dealt_seq": 0, "state": None, "reason": None, "seat": k.NOBODY,
        "starter": k.NOBODY, "game": 0, "move": 0, "bank": None, "limit_ms": None, "left_ms": None, "over_ms": None,
        "runs": False, "late": None, "seats": 0, "out": 0, "seats_before": 0, "lap_reason": None, "lap_mask": 0,
        "lap_waits": False, "lap_before": (0, False), "drawn": False, "penalty": False, "restored": False,
        "was_open": False,
    }  # fmt: skip
    assert found.mid_game == MidGame()
    assert found.left_at(9_000) is None


@pytest.mark.parametrize(
    ("later_ms", "left_ms"),
    [(-1, 40_000), (0, 40_000), (39_999, 1), (40_000, 0), (0x7FFFFFFF, 0), (0x80000000, 40_000)],
)
def test_what_is_left_falls_to_nothing_and_an_instant_before_the_fact_is_as_the_fact(
    later_ms: int, left_ms: int
) -> None:
    started = Fact("a0", 1, 1, 1, 5_000, k.MOVE_STARTED, 1, 1, A, a=40_000, c=50)

    assert position([started]).left_at((5_000 + later_ms) & 0xFFFFFFFF) == left_ms


def test_of_a_box_that_says_first_that_it_restarted_game_move_and_bank_are_known() -> None:
    found = position([Fact("a0", 1, 9, 2, 0, k.BOOTED, 3, 17, c=21)])

    assert (found.state, found.game, found.move, found.bank) == (None, 3, 17, 21)


def test_a_box_that_restarts_without_a_game_is_idle() -> None:
    table = running()
    table.wait(9_000)
    lost = Fact("a0", 1, len(table.facts) + 1, 2, 0, k.BOOTED, 0, 0)

    found = position([*table.facts, lost])

    assert (found.state, found.game, found.move, found.seat, found.limit_ms) == (k.IDLE, 0, 0, k.NOBODY, None)
    assert (found.left_at(9_000), found.runs, found.dealt_seq) == (None, False, lost.seq)


def until(table: PlayedTable, kind: int) -> Position:
    """Where the table stands as soon as it has told of that, whatever it told in the same instant."""
    last = max(fact.seq for fact in table.facts if fact.kind == kind)
    return position(table.facts[:last])


def undone() -> PlayedTable:
    table = running()
    table.wait(45_000)
    table.press(2 * B + 1)
    return table


def reopened() -> PlayedTable:
    table = running()
    table.wait(9_000)
    table.press(2 * A, held=True)
    table.order(k.C_REOPEN, k.SAME_SEAT)
    return table


def laid() -> PlayedTable:
    table = running()
    table.wait(9_000)
    table.press(2 * A)
    return table


@pytest.mark.parametrize(
    ("play", "kind", "state", "left_ms"),
    [
        (running, k.GAME_STARTED, k.RUNNING, None),
        (laid, k.MOVE_ENDED, k.RUNNING, 31_000),
        (undone, k.TABLE_RESTORED, k.RUNNING, 0),
        (reopened, k.GAME_ENDED, k.OVER, 31_000),
        (reopened, k.GAME_REOPENED, k.STOPPED, 31_000),
    ],
)
def test_between_two_facts_of_one_instant_nothing_runs(
    play: Callable[[], PlayedTable], kind: int, state: int, left_ms: int | None
) -> None:
    found = until(play(), kind)

    assert (found.state, found.left_at(found.at_ms), found.runs) == (state, left_ms, False)


@pytest.mark.parametrize("tile", [False, True])
def test_a_time_out_counts_as_soon_as_it_is_told_and_before_its_move_has_ended(tile: bool) -> None:
    table = running()
    if tile:
        table.press(k.KOSTKA)
    table.wait(45_000)

    found = until(table, k.TIME_RAN_OUT)

    assert (found.state, found.seat, found.left_ms, found.over_ms) == (k.EXPIRED, A, 0, 0)
    assert (found.drawn, found.penalty, found.left_at(found.at_ms + 5_000)) == (tile, False, -5_000)


def test_behind_a_gap_more_may_have_passed_than_was_left_and_nothing_is() -> None:
    table = running()
    ended = Fact("a0", 1, 90, 1, 60_000, k.GAME_ENDED, 1, 1, code=k.DESK_ENDED)

    assert position([*table.facts, ended]).left_at(60_000) == 0


def taken_over(first: PlayedTable, seats: int, out: int) -> Position:
    """A box that was set up for all four goes on with a game of those seats, of which some have withdrawn."""
    settings = rules.Settings()
    settings.seats = seats
    assert first.order(k.C_CONFIGURE, 1, settings, k.DESK) == 0
    assert first.order(k.C_TAKE_OVER, 1, 7, A, 9_000, 20, out) == 0
    return position(first.facts)


def test_who_withdrew_at_the_box_before_is_one_of_those_who_were_dealt_to() -> None:
    found = taken_over(PlayedTable(rules.Settings()), 0b1111, 0b0100)

    assert (found.state, found.seats, found.out) == (k.STOPPED, 0b1111, 0b0100)


def test_who_was_dealt_to_in_another_game_has_not_withdrawn_from_this_one() -> None:
    three = rules.Settings()
    three.seats = 0b0111

    found = taken_over(PlayedTable(three), 0b1101, 0)

    assert (found.seats & ~found.out, found.out) == (0b1101, 0)


def test_who_withdrew_at_this_box_already_is_still_out_when_it_takes_the_game_over_again() -> None:
    table = running()
    table.order(k.C_STOP, k.REFEREE)
    table.order(k.C_WITHDRAW, C)
    table.order(k.C_END_GAME)
    assert table.order(k.C_TAKE_OVER, 1, 7, A, 9_000, 20, 0b0100) == 0

    found = position(table.facts)

    assert (found.seats, found.out) == (0b1111, 0b0100)


def test_of_a_final_lap_that_is_none_after_all_a_spare_is_told_nothing() -> None:
    table = running()
    table.order(k.C_STOP, k.REFEREE)
    before = position(table.facts).mid_game
    table.order(k.C_SET_BANK, 0)
    lap = position(table.facts).mid_game
    table.order(k.C_SET_BANK, 5)

    assert lap == MidGame(lap_reason=k.BANK_EMPTY, lap_mask=0b1111, lap_waits=True)
    assert position(table.facts).mid_game == before == MidGame()


def stopped_late() -> PlayedTable:
    """A's move is over, and a referee has stopped the clock before B could say what becomes of it."""
    table = running()
    table.wait(45_000)
    table.order(k.C_STOP, k.REFEREE)
    return table


def ended_late() -> PlayedTable:
    table = running()
    table.wait(45_000)
    table.order(k.C_END_GAME)
    return table


def test_a_stop_that_is_all_that_is_known_may_interrupt_a_verdict_also_after_a_power_cut() -> None:
    table = stopped_late()
    known = len(table.facts) - 2
    stood = position(table.facts[known:])
    table.cut_power()
    cut = position(table.facts[known:])
    table.order(k.C_RESUME)

    found = position(table.facts[known:])

    assert (stood.state, stood.late) == (cut.state, cut.late) == (k.STOPPED, None)
    assert (found.state, found.left_at(table.now)) == (k.EXPIRED, None)


def test_behind_a_gap_a_power_cut_may_have_interrupted_a_verdict_of_which_nothing_is_known() -> None:
    table = running()
    known = len(table.facts)
    table.wait(45_000)
    lost = len(table.facts)
    table.cut_power()
    table.order(k.C_RESUME)

    found = position([*table.facts[:known], *table.facts[lost:]])

    assert (found.state, found.left_at(table.now)) == (k.EXPIRED, None)


def test_a_game_of_which_only_the_reopening_is_known_may_wait_for_a_verdict() -> None:
    table = ended_late()
    known = len(table.facts)
    table.order(k.C_REOPEN, k.SAME_SEAT)
    reopened = position(table.facts[known:])
    table.order(k.C_RESUME)

    assert (reopened.state, reopened.late) == (k.STOPPED, None)
    assert position(table.facts[known:]).state == k.EXPIRED


def test_a_game_that_is_reopened_with_time_left_waits_for_no_verdict_whatever_was_before_it() -> None:
    fact = next(fact for fact in reopened().facts if fact.kind == k.GAME_REOPENED)

    found = position([fact])

    assert (found.state, found.late, found.left_at(fact.uptime_ms)) == (k.STOPPED, False, 31_000)


def test_a_stop_that_leaves_time_to_the_move_interrupts_no_verdict_whatever_was_before_it() -> None:
    table = running()
    table.wait(9_000)
    table.order(k.C_STOP, k.REFEREE)

    found = position(table.facts[-2:])

    assert (found.state, found.late, found.left_at(table.now)) == (k.STOPPED, False, 31_000)


def test_a_clock_that_goes_on_behind_a_gap_waits_for_a_verdict_only_if_nothing_was_left() -> None:
    table = running()
    table.wait(9_000)
    table.order(k.C_STOP, k.REFEREE)
    table.order(k.C_SET_REMAINING, 1)
    table.order(k.C_RESUME)

    found = position([fact for fact in table.facts if fact.kind in (k.CONFIGURED, k.CLOCK_RESUMED)])

    assert (found.state, found.left_at(table.now)) == (k.RUNNING, 1)


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
