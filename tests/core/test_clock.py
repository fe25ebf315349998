"""The input table of the design, line by line: what a press does in which state, and what it does not."""

from clock_run import ClockRun, dalej, juz, started, table
from moveclock import facts as k
from moveclock import settings as rules

A, B, C, D = range(4)


def expired(late: int = A, **values: int) -> ClockRun:
    """The first seat's time ran out at 60 000 ms."""
    run = started(late, **values)
    run.wait(60000)
    assert run.clock.state == k.EXPIRED
    run.told()
    return run


def stopped(by: int = k.TABLE, at: int = 10000) -> ClockRun:
    """Seat A's move stopped at 10 000 ms."""
    run = started()
    if by == k.TABLE:
        run.press(k.SEDZIA, at, held=True)
    else:
        run.order(k.C_STOP, at, k.REFEREE)
    assert run.clock.state == k.STOPPED
    run.told()
    return run


def over() -> ClockRun:
    """Seat A showed an empty rack at 10 000 ms."""
    run = started()
    run.press(juz(A), 10000, held=True)
    assert run.clock.state == k.OVER
    run.told()
    return run


# --- running ---


def test_juz_of_the_active_seat_ends_the_move_tiles_laid_and_the_next_seat_moves() -> None:
    run = started()
    run.press(juz(A), 12345)
    assert run.told() == [
        (k.MOVE_ENDED, 12345, 1, 1, A, k.BY_JUZ, 12345, 0, 50),
        (k.MOVE_STARTED, 12345, 1, 2, B, 0, 60000, 0, 50),
    ]


def test_dalej_of_the_active_seat_ends_the_move_a_tile_was_drawn() -> None:
    run = started()
    run.press(k.KOSTKA, 11000)
    run.press(dalej(A), 12345)
    assert run.told() == [
        (k.TILE_DRAWN, 11000, 1, 1, A, 1, 11000, 0, 49),
        (k.MOVE_ENDED, 12345, 1, 1, A, k.BY_DALEJ, 12345, 1, 49),
        (k.MOVE_STARTED, 12345, 1, 2, B, 0, 60000, 0, 49),
    ]


def test_kostka_says_that_a_tile_was_taken_in_this_move() -> None:
    run = started()
    run.press(k.KOSTKA, 7000)
    assert run.told() == [(k.TILE_DRAWN, 7000, 1, 1, A, 1, 7000, 0, 49)]
    run.press(juz(A), 10000)  # a Kostka and then a Już in one move: recorded as such for the desk
    assert run.told(k.MOVE_ENDED) == [(k.MOVE_ENDED, 10000, 1, 1, A, k.BY_JUZ, 10000, 1, 49)]
    run.press(k.KOSTKA, 25000)
    assert run.told(k.TILE_DRAWN) == [(k.TILE_DRAWN, 25000, 1, 2, B, 1, 15000, 0, 48)]


def test_dalej_held_announces_the_opening_before_the_click() -> None:
    run = started()
    run.press(dalej(A), 9000, held=True)
    assert run.told() == [(k.OPENING_ANNOUNCED, 9000, 1, 1, A, 0, 0, 0, 0)]
    run.press(dalej(A), 12000)
    assert run.told(k.MOVE_ENDED)[0][6] == 12000  # announcing costs no time


def test_juz_held_shows_the_empty_rack_and_the_game_ends_when_the_hold_began() -> None:
    run = started()
    run.press(juz(A), 30000, held=True)
    assert run.told() == [
        (k.MOVE_ENDED, 30000, 1, 1, A, k.BY_EMPTY_RACK, 30000, 0, 50),
        (k.GAME_ENDED, 30000, 1, 1, A, k.WENT_OUT, 0, 0, 0),
    ]
    assert run.clock.state == k.OVER


def test_sedzia_in_the_first_five_seconds_disputes_the_move_just_ended_and_stops_at_once() -> None:
    run = started()
    run.press(juz(A), 10000)
    run.told()
    run.press(k.SEDZIA, 14999)
    assert run.told() == [
        (k.DISPUTE_RAISED, 14999, 1, 1, A, 1, 0, 0, 0),
        (k.CLOCK_STOPPED, 14999, 1, 2, B, k.DISPUTE, 55001, k.TABLE, 0),
    ]


def test_sedzia_later_disputes_the_running_move_and_stops_when_it_ends() -> None:
    run = started()
    run.press(juz(A), 10000)
    run.told()
    run.press(k.SEDZIA, 15000)
    assert run.told() == [(k.DISPUTE_RAISED, 15000, 1, 2, B, 0, 0, 0, 0)]
    assert run.clock.state == k.RUNNING
    run.press(juz(B), 30000)
    assert run.told() == [
        (k.MOVE_ENDED, 30000, 1, 2, B, k.BY_JUZ, 20000, 0, 50),
        (k.MOVE_STARTED, 30000, 1, 3, C, 0, 60000, 0, 50),
        (k.CLOCK_STOPPED, 30000, 1, 3, C, k.DISPUTE, 60000, k.TABLE, 0),
    ]


def test_a_dispute_about_the_running_move_stops_it_also_by_time_out() -> None:
    run = started()
    run.press(k.SEDZIA, 20000)
    run.told()
    run.wait(60000)
    assert run.told(k.TIME_RAN_OUT, k.CLOCK_STOPPED) == [
        (k.TIME_RAN_OUT, 60000, 1, 1, A, 0, 60000, 0, 50),
        (k.CLOCK_STOPPED, 60000, 1, 1, A, k.DISPUTE, 0, k.TABLE, 0),
    ]
    run.press(juz(B), 61000)  # the next seat may not start before the referee has spoken
    assert run.told(k.MOVE_STARTED, k.TABLE_RESTORED) == [] and run.clock.state == k.STOPPED


def test_sedzia_again_within_three_seconds_withdraws_the_call() -> None:
    run = started()
    run.press(k.SEDZIA, 20000)
    run.press(k.SEDZIA, 23000)
    assert run.told()[1:] == [(k.CALL_WITHDRAWN, 23000, 1, 1, A, 0, 0, 0, 0)]
    run.press(juz(A), 30000)
    assert run.told(k.CLOCK_STOPPED) == [] and run.clock.state == k.RUNNING


def test_a_call_that_stopped_the_clock_is_withdrawn_too_and_costs_no_time() -> None:
    run = started()
    run.press(juz(A), 10000)
    run.press(k.SEDZIA, 12000)
    run.told()
    run.press(k.SEDZIA, 15000)
    assert run.told() == [
        (k.CALL_WITHDRAWN, 15000, 1, 1, A, 0, 0, 0, 0),
        (k.CLOCK_RESUMED, 15000, 1, 2, B, k.TABLE, 3000, 58000, 0),
    ]


def test_after_three_seconds_a_call_stands() -> None:
    run = started()
    run.press(k.SEDZIA, 20000)
    run.told()
    run.press(k.SEDZIA, 23001)
    assert run.told(k.CALL_WITHDRAWN) == []
    run.press(juz(A), 30000)
    assert run.clock.state == k.STOPPED and run.clock.reason == k.DISPUTE


def test_sedzia_held_stops_now() -> None:
    run = started()
    run.press(k.SEDZIA, 20000, held=True)
    assert run.told() == [(k.CLOCK_STOPPED, 20000, 1, 1, A, k.REFEREE, 40000, k.TABLE, 0)]


# --- expired ---


def test_the_time_runs_out_at_the_limit_exactly() -> None:
    run = started()
    run.wait(59999)
    assert run.clock.state == k.RUNNING and run.told() == []
    run.wait(75000)
    assert run.told() == [
        (k.TIME_RAN_OUT, 60000, 1, 1, A, 0, 60000, 0, 50),
        (k.MOVE_ENDED, 60000, 1, 1, A, k.BY_TIMEOUT, 60000, 0, 50),
    ]


def test_a_press_stamped_before_the_limit_wins_at_the_instant_itself_the_limit_does() -> None:
    for at, how in ((59999, k.BY_JUZ), (60000, k.BY_TIMEOUT)):
        run = started()
        run.press(juz(A), at)
        assert run.told(k.MOVE_ENDED) == [(k.MOVE_ENDED, at, 1, 1, A, how, at, 0, 50)]


def test_juz_of_the_next_seat_says_that_the_late_move_stands() -> None:
    run = expired()
    run.press(juz(B), 72500)
    assert run.told() == [
        (k.TABLE_RESTORED, 72500, 1, 1, A, k.STANDS, 12500, 0, 50),
        (k.MOVE_STARTED, 72500, 1, 2, B, 0, 60000, 0, 50),
    ]


def test_dalej_of_the_next_seat_says_that_it_was_undone_and_the_penalty_tile_is_taken() -> None:
    run = expired()
    run.press(dalej(B), 72500)
    assert run.told() == [
        (k.TABLE_RESTORED, 72500, 1, 1, A, k.UNDONE, 12500, 1, 49),
        (k.MOVE_STARTED, 72500, 1, 2, B, 0, 60000, 0, 49),
    ]


def test_with_advance_the_next_move_starts_after_the_grace_time() -> None:
    run = expired(on_expiry=rules.ADVANCE, grace_ms=10000)
    run.wait(70000)
    assert run.told() == [(k.MOVE_STARTED, 70000, 1, 2, B, 0, 60000, 0, 50)]


def test_with_hold_nothing_happens_by_itself_and_after_20_seconds_the_desk_is_alerted() -> None:
    run = expired()
    quiet = run.clock.alarm(79999)
    assert run.clock.alert_at() == 80000
    run.wait(10000000)
    assert run.told() == [] and run.clock.state == k.EXPIRED
    assert run.clock.alarm(80000) > quiet


# --- stopped ---


def test_sedzia_held_two_seconds_lets_the_table_resume_after_the_countdown() -> None:
    run = stopped()
    run.press(k.SEDZIA, 40000, held=True)
    assert run.told() == [] and run.clock.state == k.STOPPED
    at = run.clock.deadline()
    assert at is not None and at >= 40000 + 3000
    run.wait(at)
    assert run.told() == [(k.CLOCK_RESUMED, at, 1, 1, A, k.TABLE, at - 10000, 50000, 0)]
    run.press(juz(A), at + 20000)
    assert run.told(k.MOVE_ENDED)[0][6] == 30000  # played before and after, nothing between


def test_a_stop_that_the_desk_ordered_is_not_resumed_by_the_table_while_the_desk_is_in_contact() -> None:
    run = stopped(k.DESK)
    run.press(k.SEDZIA, 40000, held=True, desk=True)
    assert run.clock.deadline() is None
    assert run.told() == [(k.STRAY_TAP, 40000, 1, 1, k.NOBODY, k.SEDZIA, 1, 0, 0)]
    run.press(k.SEDZIA, 50000, held=True, desk=False)
    assert run.clock.deadline() is not None


def test_its_own_stop_the_table_may_resume_with_a_desk_in_contact() -> None:
    run = stopped(k.TABLE)
    run.press(k.SEDZIA, 40000, held=True, desk=True)
    assert run.clock.deadline() is not None


# --- over, ready ---


def test_sedzia_held_two_seconds_makes_the_table_ready_for_the_next_game() -> None:
    run = over()
    run.press(k.SEDZIA, 90000, held=True)
    assert run.clock.state == k.READY
    assert run.told() == [(k.CONFIGURED, 90000, 2, 0, B, k.TABLE, 60000, 15, 50)]


def test_a_starter_that_is_set_starts_the_game_by_its_tap() -> None:
    for contact in (juz(C), dalej(C)):
        run = table(first=C)
        run.press(contact, 5000)
        assert run.told() == [
            (k.GAME_STARTED, 5000, 1, 0, C, k.TABLE, 60000, 0, 50),
            (k.MOVE_STARTED, 5000, 1, 1, C, 0, 60000, 0, 50),
        ]


def test_with_no_starter_the_first_tap_names_the_seat_and_its_second_tap_starts() -> None:
    run = table(first=k.NOBODY)
    run.press(juz(D), 1000)
    assert run.told() == [(k.SEAT_CHANGED, 1000, 1, 0, D, 0, k.NOBODY, 0, 0)]
    run.press(dalej(B), 2000)  # somebody else after all
    assert run.told() == [(k.SEAT_CHANGED, 2000, 1, 0, B, 0, D, 0, 0)]
    run.press(juz(B), 3000)
    assert run.told(k.MOVE_STARTED) == [(k.MOVE_STARTED, 3000, 1, 1, B, 0, 60000, 0, 50)]


def test_with_no_starter_the_desk_cannot_start_the_table() -> None:
    assert table(first=k.NOBODY).order(k.C_START, 100) == k.R_SEAT


def test_sedzia_in_ready_expired_and_over_calls_the_referee_and_changes_no_clock() -> None:
    for run in (table(), expired(), over()):
        state = run.clock.state
        run.press(k.SEDZIA, 70000)
        assert [fact[0] for fact in run.told()] == [k.REFEREE_CALLED]
        assert run.clock.state == state and run.clock.alarm(70000) > 0


# --- everything else ---


def test_any_other_tap_changes_nothing_and_is_recorded_with_its_seat() -> None:
    """What the design's table names for seat A's move, B being next; all else is stray."""
    meant = {
        k.IDLE: (),
        k.READY: ((juz(A), False), (dalej(A), False), (k.SEDZIA, False)),
        k.RUNNING: (
            (juz(A), False), (juz(A), True), (dalej(A), False), (dalej(A), True), (k.KOSTKA, False),
            (k.SEDZIA, False), (k.SEDZIA, True),
        ),
        k.EXPIRED: ((juz(B), False), (dalej(B), False), (k.KOSTKA, False), (k.SEDZIA, False)),
        k.STOPPED: ((k.SEDZIA, True),),
        k.OVER: ((k.SEDZIA, True), (k.SEDZIA, False)),
    }  # fmt: skip
    makers = (ClockRun, table, started, expired, stopped, over)
    for state in range(6):
        for contact in range(k.SHARED_JUZ):
            for held in (False, True):
                run = makers[state]()
                assert run.clock.state == state
                if (contact, held) in meant[state]:
                    continue
                run.told()
                before = run.clock.snapshot(70000)
                run.press(contact, 70000 if state != k.RUNNING else 30000, held)
                seat = contact >> 1 if contact < k.KOSTKA else k.NOBODY
                facts = run.told()
                assert len(facts) == 1, (state, contact, held, facts)
                assert (facts[0][0],) + facts[0][4:7] == (k.STRAY_TAP, seat, contact, int(held)), (state, contact, held)
                assert run.clock.snapshot(70000) == before, (state, contact, held)


def test_a_seat_that_is_not_in_play_is_always_stray() -> None:
    run = started(A, seats=0b0111)
    run.press(juz(D), 10000)
    assert run.told() == [(k.STRAY_TAP, 10000, 1, 1, D, juz(D), 0, 0, 0)]


def test_taps_only_turns_the_two_holds_into_desk_matters() -> None:
    run = started(taps_only=True)
    assert run.clock.hold_ms(juz(A)) == run.clock.hold_ms(dalej(A)) == 0
    assert run.clock.hold_ms(k.SEDZIA) == 1000
    assert started().clock.hold_ms(juz(A)) == started().clock.hold_ms(dalej(A)) == 1000


def test_how_long_a_hold_is_depends_on_what_it_means_here() -> None:
    for run, times in (
        (table(), (0, 0, 0)),
        (started(), (1000, 0, 1000)),
        (expired(), (0, 0, 0)),
        (stopped(), (0, 0, 2000)),
        (over(), (0, 0, 2000)),
    ):
        assert (run.clock.hold_ms(juz(A)), run.clock.hold_ms(k.KOSTKA), run.clock.hold_ms(k.SEDZIA)) == times


# --- when a stall may be ---


def test_nothing_may_stall_in_the_last_300_ms_before_a_limit() -> None:
    run = started()
    assert run.clock.may_stall(59699) and not run.clock.may_stall(59700) and not run.clock.may_stall(59999)
    assert expired().clock.may_stall(60000)
    waiting = expired(on_expiry=rules.ADVANCE)
    assert waiting.clock.may_stall(69699) and not waiting.clock.may_stall(69700)
    assert stopped().clock.may_stall(99999) and table().clock.may_stall(1)


def test_the_most_urgent_alarm_is_shown() -> None:
    run = started(draw=rules.DRAW_FLAG)
    assert run.clock.alarm(0) == 0
    run.press(dalej(A), 10000)
    run.press(k.SEDZIA, 12000)
    claimed = run.clock.alarm(12000)
    disputed = started()
    disputed.press(k.SEDZIA, 20000)
    late, called = expired(), expired()
    called.press(k.SEDZIA, 70000)
    cut = started()
    cut.cut(20000)
    levels = (
        cut.clock.alarm(1), late.clock.alarm(80000), called.clock.alarm(80000), disputed.clock.alarm(20000), claimed,
    )  # fmt: skip
    assert 0 < levels[0] < levels[1] < levels[2] < levels[3] < levels[4]
