"""What the desk may order: in which state, with what, and that a refused order has changed nothing."""

from clock_run import ClockRun, dalej, juz, started, table
from moveclock import facts as k
from moveclock import settings as rules

A, B, C, D = range(4)
RUNS = (k.RUNNING, k.EXPIRED, k.STOPPED)

# Every command but C_CONFIGURE, with arguments that would do, and the states it is allowed in.
COMMANDS = (
    (k.C_START, (), (k.READY,)),
    (k.C_STOP, (k.ROUND_BREAK,), RUNS),
    (k.C_RESUME, (), (k.STOPPED,)),
    (k.C_RESTART_MOVE, (), (k.STOPPED,)),
    (k.C_SET_REMAINING, (30000,), (k.STOPPED,)),
    (k.C_GIVE_TIME, (5000,), (k.STOPPED,)),
    (k.C_SET_SEAT, (C,), (k.READY, k.STOPPED)),
    (k.C_SET_BANK, (20,), (k.STOPPED,)),
    (k.C_WITHDRAW, (D,), (k.STOPPED,)),
    (k.C_FINAL_LAP, (k.ROUND_TIME,), RUNS),
    (k.C_REOPEN, (k.SAME_SEAT,), (k.OVER,)),
    (k.C_REDEAL, (), (k.READY, k.STOPPED)),
    (k.C_NEXT_GAME, (), (k.OVER,)),
    (k.C_END_GAME, (), RUNS),
    (k.C_TAKE_OVER, (2, 9, C, 30000, 20, 0), (k.IDLE, k.READY, k.OVER)),
)
NOW = 70000


def expired() -> ClockRun:
    run = started()
    run.wait(NOW)
    return run


def stopped() -> ClockRun:
    run = started()
    run.press(k.SEDZIA, 10000, held=True)
    run.wait(NOW)
    return run


def over() -> ClockRun:
    run = started()
    run.press(juz(A), 10000, held=True)
    run.wait(NOW)
    return run


def running() -> ClockRun:
    run = started()
    run.press(juz(A), 20000)
    run.wait(NOW)
    return run


STATES = (ClockRun, table, running, expired, stopped, over)


def refused(run: ClockRun, command: int, *arguments: int) -> int:
    """Why; and nothing has changed."""
    run.wait(NOW)
    run.told()
    before = run.clock.snapshot(NOW)
    why = run.order(command, NOW, *arguments)
    assert run.clock.snapshot(NOW) == before and run.told() == [], (command, arguments)
    return why


def test_each_command_is_obeyed_in_its_states_and_refused_in_every_other() -> None:
    for state in range(6):
        for command, arguments, states in COMMANDS:
            run = STATES[state]()
            assert run.clock.state == state
            if state in states:
                assert run.order(command, NOW, *arguments) == 0, (state, command)
                assert run.told() != []
            else:
                assert refused(run, command, *arguments) == k.R_STATE, (state, command)


def test_a_table_is_set_up_where_no_game_is_under_way() -> None:
    new = rules.Settings()
    new.limit_ms, new.first = 45000, B
    for state in range(6):
        run = STATES[state]()
        run.wait(NOW)
        run.told()
        if state in RUNS:
            for given in ((7, new, k.DESK), ()):
                assert run.clock.order(k.C_CONFIGURE, NOW, given) == k.R_STATE, state
            assert run.told() == []
            continue
        for given in ((), (0, new, k.DESK)):
            assert run.clock.order(k.C_CONFIGURE, NOW, given) == k.R_ARGUMENT, state
        assert run.told() == [] and run.clock.settings is not new
        assert run.clock.order(k.C_CONFIGURE, NOW, (7, new, k.DESK)) == 0
        assert run.told() == [(k.CONFIGURED, NOW, 7, 0, B, k.DESK, 45000, 15, 50)]


def test_a_command_this_firmware_does_not_know_is_refused() -> None:
    for command in (0, k.C_BLINK, 99, 255):
        assert refused(stopped(), command) == k.R_UNKNOWN


def test_a_value_outside_what_the_box_accepts_is_refused() -> None:
    for command, arguments, why in (
        (k.C_STOP, (), k.R_ARGUMENT),
        (k.C_STOP, (k.BOX_LOST_POWER,), k.R_ARGUMENT),
        (k.C_STOP, (99,), k.R_ARGUMENT),
        (k.C_SET_REMAINING, (), k.R_ARGUMENT),
        (k.C_SET_REMAINING, (3600001,), k.R_ARGUMENT),
        (k.C_GIVE_TIME, (), k.R_ARGUMENT),
        (k.C_GIVE_TIME, (0,), k.R_ARGUMENT),
        (k.C_GIVE_TIME, (3600001,), k.R_ARGUMENT),
        (k.C_SET_SEAT, (), k.R_SEAT),
        (k.C_SET_SEAT, (4,), k.R_SEAT),
        (k.C_SET_SEAT, (k.NOBODY,), k.R_SEAT),
        (k.C_SET_BANK, (), k.R_ARGUMENT),
        (k.C_SET_BANK, (107,), k.R_ARGUMENT),
        (k.C_WITHDRAW, (), k.R_SEAT),
        (k.C_WITHDRAW, (4,), k.R_SEAT),
        (k.C_FINAL_LAP, (), k.R_ARGUMENT),
        (k.C_FINAL_LAP, (k.WENT_OUT,), k.R_ARGUMENT),
        (k.C_DENY_CLAIM, (), k.R_STATE),
    ):
        assert refused(stopped(), command, *arguments) == why, (command, arguments)
    take_over: tuple[tuple[int, ...], ...] = (
        (), (2, 9, C, 30000, 20), (0, 9, C, 30000, 20, 0), (2, 0, C, 30000, 20, 0), (2, 9, 4, 30000, 20, 0),
        (2, 9, C, 3600001, 20, 0), (2, 9, C, 30000, 107, 0), (2, 9, C, 30000, 20, 0b0100), (65536, 9, C, 30000, 20, 0),
        (2, 65536, C, 30000, 20, 0), (2, 9, C, 30000, 20, 256), (2, 9, C, 30000, 20, 0b1011),
    )  # fmt: skip
    for numbers in take_over:
        assert refused(table(), k.C_TAKE_OVER, *numbers) != 0, numbers
    assert refused(over(), k.C_REOPEN, 2) == k.R_ARGUMENT


def test_a_seat_that_does_not_play_here_is_neither_set_nor_withdrawn() -> None:
    run = started(seats=0b0111)
    run.press(k.SEDZIA, 10000, held=True)
    assert refused(run, k.C_SET_SEAT, D) == refused(run, k.C_WITHDRAW, D) == k.R_SEAT


def test_start_begins_the_first_move_of_the_starter() -> None:
    run = table(C)
    assert run.order(k.C_START, 5000) == 0
    assert run.told() == [
        (k.GAME_STARTED, 5000, 1, 0, C, k.DESK, 60000, 0, 50),
        (k.MOVE_STARTED, 5000, 1, 1, C, 0, 60000, 0, 50),
    ]


def test_stop_says_why_and_a_second_stop_gives_the_new_reason() -> None:
    run = started()
    for at, reason in ((10000, k.REFEREE), (11000, k.ROUND_BREAK)):
        assert run.order(k.C_STOP, at, reason) == 0
        assert run.told() == [(k.CLOCK_STOPPED, at, 1, 1, A, reason, 50000, k.DESK, 0)]
    run.order(k.C_RESUME, 30000)
    assert run.told() == [(k.CLOCK_RESUMED, 30000, 1, 1, A, k.DESK, 20000, 50000, 0)]


def test_restart_move_gives_the_full_limit_again() -> None:
    run = stopped()
    run.told()
    assert run.order(k.C_RESTART_MOVE, NOW) == 0
    assert run.told() == [(k.MOVE_RESTARTED, NOW, 1, 1, A, k.DESK, 60000, 0, 0)]


def test_set_remaining_and_give_time_are_absolute_and_said() -> None:
    run = stopped()
    run.told()
    assert run.order(k.C_SET_REMAINING, NOW, 12345) == 0
    assert run.order(k.C_GIVE_TIME, NOW, 5000) == 0
    assert run.told() == [
        (k.TIME_CORRECTED, NOW, 1, 1, A, 0, 12345, 0, 0),
        (k.EXTRA_TIME_GIVEN, NOW, 1, 1, A, 0, 17345, 5000, 0),
    ]
    run.order(k.C_RESUME, NOW)
    run.wait(NOW + 17345)
    assert run.told(k.TIME_RAN_OUT)[0][6] == 10000 + 17345  # what was played stays played


def test_a_late_move_that_is_given_time_goes_on() -> None:
    for command, value in ((k.C_SET_REMAINING, 8000), (k.C_GIVE_TIME, 8000)):
        run = expired()
        run.order(k.C_STOP, NOW, k.REFEREE)
        assert run.order(command, NOW, value) == 0
        run.order(k.C_RESUME, NOW)
        assert run.clock.state == k.RUNNING and run.clock.seat == A
        run.press(juz(A), NOW + 3000)
        assert run.told(k.MOVE_ENDED)[-1][4:7] == (A, k.BY_JUZ, 63000)


def test_set_seat_names_the_starter_or_gives_the_stopped_clock_to_another() -> None:
    ready, halted = table(A), stopped()
    for run, seat, move in ((ready, C, 0), (halted, C, 1)):
        run.told()
        assert run.order(k.C_SET_SEAT, NOW, seat) == 0
        assert run.told() == [(k.SEAT_CHANGED, NOW, 1, move, C, 0, A, 0, 0)]
    halted.order(k.C_RESUME, NOW)
    halted.press(juz(C), NOW + 1000)
    assert halted.told(k.MOVE_ENDED)[0][4:7] == (C, k.BY_JUZ, 11000)


def test_end_game_ends_it_wherever_it_is() -> None:
    for run, how in ((running(), k.BY_DESK), (stopped(), k.BY_DESK), (expired(), None)):
        run.told()
        assert run.order(k.C_END_GAME, NOW) == 0
        ended = run.told(k.MOVE_ENDED, k.GAME_ENDED)
        assert ended[-1][4:6] == (k.NOBODY, k.DESK_ENDED)
        assert [fact[5] for fact in ended[:-1]] == ([] if how is None else [how])
        assert run.clock.state == k.OVER


def test_the_largest_values_are_accepted() -> None:
    for command, arguments in (
        (k.C_SET_REMAINING, (3600000,)),
        (k.C_GIVE_TIME, (3600000,)),
        (k.C_SET_BANK, (106,)),
        (k.C_STOP, (k.ROUND_BREAK,)),
    ):
        assert stopped().order(command, NOW, *arguments) == 0, (command, arguments)
    for numbers in ((65535, 65535, D, 3600000, 106, 0b0011), (1, 1, A, 0, 0, 0b1100)):
        assert table().order(k.C_TAKE_OVER, NOW, *numbers) == 0, numbers
    assert refused(table(), k.C_TAKE_OVER, 1, 1, D, 30000, 50, 0b0111) == k.R_SEAT  # nobody to play with


def test_an_empty_bank_begins_the_final_lap_and_tiles_found_again_end_it() -> None:
    run = stopped()
    run.told()
    assert run.order(k.C_SET_BANK, NOW, 0) == 0
    assert [fact[0] for fact in run.told()] == [k.BANK_CORRECTED, k.FINAL_LAP_BEGUN]
    assert run.order(k.C_SET_BANK, NOW, 3) == 0
    assert run.order(k.C_FINAL_LAP, NOW, k.ROUND_TIME) == 0  # there is none any more, so there may be one
    run.order(k.C_RESUME, NOW)
    for seat in (A, B, C, D, A):
        assert run.clock.seat == seat
        run.press(juz(seat), run.now + 1000)
    assert run.clock.state == k.OVER


def test_tiles_found_again_do_not_end_a_lap_of_the_round_time() -> None:
    run = stopped()
    run.order(k.C_FINAL_LAP, NOW, k.ROUND_TIME)
    run.order(k.C_SET_BANK, NOW, 0)
    run.order(k.C_SET_BANK, NOW, 5)
    assert run.order(k.C_FINAL_LAP, NOW, k.ROUND_TIME) == k.R_STATE


def test_no_time_for_a_late_move_leaves_its_verdict_open() -> None:
    run = expired()
    run.order(k.C_STOP, NOW, k.REFEREE)
    assert run.order(k.C_SET_REMAINING, NOW, 0) == 0
    run.order(k.C_RESUME, NOW)
    assert run.clock.state == k.EXPIRED


def test_a_late_seat_that_has_left_is_given_no_time() -> None:
    run = expired()
    run.order(k.C_STOP, NOW, k.REFEREE)
    assert run.order(k.C_WITHDRAW, NOW, A) == 0
    for command, arguments in ((k.C_RESTART_MOVE, ()), (k.C_SET_REMAINING, (5000,)), (k.C_GIVE_TIME, (5000,))):
        assert refused(run, command, *arguments) == k.R_SEAT


def test_a_starter_that_the_desk_names_is_no_longer_the_tables_to_name() -> None:
    run = table(k.NOBODY)
    run.press(juz(B), 1000)
    assert run.order(k.C_SET_SEAT, 2000, C) == 0
    run.press(juz(D), 3000)
    assert run.clock.starter == C and run.clock.state == k.READY


def test_time_from_the_referee_or_another_seat_answers_a_claim() -> None:
    for command, value in ((k.C_SET_REMAINING, 20000), (k.C_GIVE_TIME, 5000), (k.C_RESTART_MOVE, 0), (k.C_SET_SEAT, C)):
        run = started(draw=1)
        run.press(dalej(A), 10000)
        run.press(k.SEDZIA, 12000)
        assert run.told(k.RESTART_CLAIMED) != []
        assert run.order(command, 15000, value) == 0
        run.told()
        run.order(k.C_RESUME, 20000)
        assert [fact[0] for fact in run.told()] == [k.CLOCK_RESUMED], command
