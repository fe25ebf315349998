"""A spare box that takes over, and what a table remembers through a power cut."""

from clock_run import ClockRun, dalej, juz, started, table
from moveclock import facts as k
from moveclock import settings as rules
from moveclock.clock import Clock

A, B, C, D = range(4)


def test_a_spare_box_takes_over_in_the_middle_of_a_game() -> None:
    spare = table(A)
    assert spare.order(k.C_TAKE_OVER, 500, 3, 17, C, 23456, 31, 0b0010) == 0
    assert spare.told() == [
        (k.CONFIGURED, 500, 3, 0, A, k.DESK, 60000, 0b1101, 64),
        (k.MOVE_STARTED, 500, 3, 17, C, 0, 23456, 0, 31),
        (k.CLOCK_STOPPED, 500, 3, 17, C, k.BOX_LOST_POWER, 23456, k.BOX, 0),
    ]
    clock = spare.clock
    assert (clock.state, clock.game, clock.move, clock.seat, clock.bank, clock.out) == (k.STOPPED, 3, 17, C, 31, 2)
    assert clock.watch.remaining(500) == 23456
    spare.order(k.C_RESUME, 1000)
    spare.press(juz(C), 2000)
    assert [fact[3:5] + fact[6:7] for fact in spare.told(k.MOVE_STARTED)][-1] == (18, D, 60000)


def test_the_table_lets_a_spare_box_go_on_by_itself_while_the_desk_is_in_contact() -> None:
    spare = table(A)
    spare.order(k.C_TAKE_OVER, 500, 3, 17, C, 23456, 31, 0)
    spare.told()
    spare.press(k.SEDZIA, 1000)
    assert spare.clock.state == k.STOPPED  # nobody called, so a tap takes nothing back
    spare.press(k.SEDZIA, 2000, held=True, desk=True)
    spare.wait(10000)
    (resumed,) = spare.told(k.CLOCK_RESUMED)
    assert resumed[3:6] + resumed[7:8] == (17, C, k.TABLE, 23456)


def test_after_a_power_cut_the_table_stands_with_seat_move_and_time_and_never_resumes_by_itself() -> None:
    run = started()
    run.press(juz(A), 10000)
    run.press(juz(B), 20000)
    run.told()
    run.cut(32345)
    assert run.told() == [(k.CLOCK_STOPPED, 0, 1, 3, C, k.BOX_LOST_POWER, 47655, k.BOX, 0)]
    run.wait(10000000)
    assert run.told() == []
    run.order(k.C_RESUME, 10000000)
    run.press(juz(C), 10001000)
    assert run.told(k.MOVE_ENDED)[0][6] == 12345 + 1000


def test_after_a_power_cut_the_desk_offers_the_last_value_it_heard() -> None:
    run = started()
    run.cut(10000)
    assert run.order(k.C_SET_REMAINING, 1000, 48000) == 0
    assert run.clock.watch.remaining(1000) == 48000


def test_an_open_verdict_outlives_a_power_cut() -> None:
    run = started()
    run.wait(64000)
    run.cut(64000)
    assert run.clock.state == k.STOPPED
    run.order(k.C_RESUME, 20000)
    assert run.clock.state == k.EXPIRED
    run.press(juz(B), 21000)
    assert run.told(k.TABLE_RESTORED)[0][5:7] == (k.STANDS, 5000)


def test_a_table_at_rest_outlives_a_power_cut_unchanged() -> None:
    resting = table(B)
    ended = started()
    ended.press(juz(A), 5000, held=True)
    for run in (resting, ended, ClockRun()):
        state = run.clock.state
        run.told()
        run.cut(90000)
        assert run.clock.state == state and run.told() == []


def test_a_claim_a_call_and_a_lap_outlive_a_power_cut() -> None:
    run = started(draw=rules.DRAW_FLAG, tiles=57)
    run.press(k.KOSTKA, 3000)
    run.press(juz(A), 5000)
    run.cut(7000)
    run.order(k.C_RESUME, 100)
    for seat in (B, C, D, A):
        run.press(juz(seat), run.now + 1000)
    assert run.clock.state == k.OVER
    claimed = started(draw=rules.DRAW_FLAG)
    claimed.press(dalej(A), 5000)
    claimed.press(k.SEDZIA, 9000)
    claimed.cut(10000)
    claimed.told()
    claimed.order(k.C_RESUME, 100)
    assert [fact[0] for fact in claimed.told()] == [k.MOVE_RESTARTED, k.CLOCK_RESUMED]


def test_bytes_that_are_no_snapshot_change_nothing() -> None:
    clock = Clock(rules.Settings())
    before = clock.snapshot(0)
    for data in (b"", before[:-1], before + b"\x00"):
        assert not clock.restore(data, 0)
        assert clock.snapshot(0) == before


def test_a_snapshot_fits_beside_two_facts_in_a_head_file_that_needs_no_block() -> None:
    assert len(Clock(rules.Settings()).snapshot(0)) <= 66


def test_a_referee_who_was_called_before_the_cut_is_still_wanted() -> None:
    disputed, pending = started(), started()
    disputed.press(k.SEDZIA, 3000)
    pending.press(k.SEDZIA, 20000)
    for run in (disputed, pending):
        level = run.clock.alarm(run.now)
        run.cut(25000)
        assert 0 < run.clock.alarm(1000) <= level
        run.press(k.SEDZIA, 2000)  # a call of the last boot is not withdrawn by chance
        assert run.told(k.CALL_WITHDRAWN) == []


def test_a_tile_that_was_owed_before_the_cut_is_still_that_seats() -> None:
    run = started()
    run.press(dalej(A), 10000)
    run.cut(11000)
    run.order(k.C_RESUME, 1000)
    run.told()
    run.press(k.KOSTKA, 2000)
    assert [fact[3:6] for fact in run.told(k.TILE_DRAWN)] == [(1, A, 1)]
