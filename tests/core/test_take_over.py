"""A spare box takes over a table as it stood: after the limit, in the final lap, with a tile taken already.

The last argument of the command: bits 0-3 the seats that still move in the lap, 4-7 why there is one, 8 the move does
not count in it yet, 9 a tile was taken, 10 one was taken after the time, 11 the time is over.
"""

from clock_run import ClockRun, dalej, juz, table
from moveclock import facts as k
from moveclock import settings as rules

A, B, C, D = range(4)
WAITS, DRAWN, PENALTY, LATE = 256, 512, 1024, 2048


def spare(more: int, seat: int = C, bank: int = 31, remaining: int = 23456, out: int = 0, **values: int) -> ClockRun:
    """In move 17 of game 3, stopped since stamp 500; told are the facts before that."""
    run = table(A, **values)
    assert run.order(k.C_TAKE_OVER, 500, 3, 17, seat, remaining, bank, out, more) == 0
    return run


def going(more: int, seat: int = C, bank: int = 31, out: int = 0, **values: int) -> ClockRun:
    """The same, resumed at stamp 10000; its facts are told."""
    run = spare(more, seat, bank, 23456, out, **values)
    run.order(k.C_RESUME, 10000)
    run.told()
    return run


def test_a_late_move_is_taken_over_with_its_question_open_and_its_time_runs_out_only_once() -> None:
    run = spare(LATE)
    assert run.told() == [
        (k.CONFIGURED, 500, 3, 0, A, k.DESK, 60000, 15, 50),
        (k.MOVE_STARTED, 500, 3, 17, C, 1, 0, LATE, 31),
        (k.CLOCK_STOPPED, 500, 3, 17, C, k.BOX_LOST_POWER, 0, k.BOX, 0),
    ]
    run.order(k.C_RESUME, 10000)
    run.wait(25000)
    assert run.clock.state == k.EXPIRED
    assert run.told() == [(k.CLOCK_RESUMED, 10000, 3, 17, C, k.DESK, 9500, 0, 0)]


def test_the_next_seat_answers_for_a_late_move_that_was_taken_over() -> None:
    for contact, verdict, tiles, bank in ((juz(D), k.STANDS, 0, 31), (dalej(D), k.UNDONE, 1, 30)):
        run = going(LATE)
        run.press(juz(C), 12000)
        assert run.told(k.TABLE_RESTORED) == []  # not the late seat
        run.press(contact, 14000)
        assert run.told() == [
            (k.TABLE_RESTORED, 14000, 3, 17, C, verdict, 4000, tiles, bank),
            (k.MOVE_STARTED, 14000, 3, 18, D, 0, 60000, 0, bank),
        ]


def test_a_tile_taken_at_the_box_before_is_the_one_tile_of_a_late_move() -> None:
    for more, tiles in ((LATE | DRAWN, 0), (LATE | PENALTY, 1)):
        run = going(more)
        run.press(k.KOSTKA, 12000)
        assert run.told()[0][5:] == (0, 0, 0, 31)  # recorded, not counted
        run.press(dalej(D), 14000)
        assert run.told(k.TABLE_RESTORED)[0][5:] == (k.UNDONE, 4000, tiles, 31)


def test_an_empty_bank_gives_no_penalty_tile() -> None:
    run = going(LATE, bank=0, on_bank_empty=rules.PLAY_ON)
    run.press(dalej(D), 14000)
    assert run.told() == [
        (k.TABLE_RESTORED, 14000, 3, 17, C, k.UNDONE, 4000, 0, 0),
        (k.MOVE_STARTED, 14000, 3, 18, D, 0, 60000, 0, 0),
    ]


def test_a_tile_taken_at_the_box_before_is_the_one_tile_of_a_move() -> None:
    run = going(DRAWN, draw=rules.DRAW_BLOCK)
    run.press(k.KOSTKA, 11000)
    assert run.told()[0] == (k.TILE_DRAWN, 11000, 3, 17, C, 0, 1000, 0, 31)
    assert run.clock.bank == 31
    run.press(dalej(C), 14000)
    assert run.told(k.MOVE_ENDED) == [(k.MOVE_ENDED, 14000, 3, 17, C, k.BY_DALEJ, 4000, 1, 31)]


def test_a_late_move_that_was_taken_over_goes_on_when_the_referee_gives_it_time() -> None:
    run = spare(LATE | PENALTY)
    run.order(k.C_GIVE_TIME, 8000, 20000)
    run.order(k.C_RESUME, 10000)
    run.told()
    run.press(dalej(C), 15000)
    assert run.told()[0] == (k.MOVE_ENDED, 15000, 3, 17, C, k.BY_DALEJ, 5000, 1, 31)


def test_a_dispute_right_after_the_verdict_is_about_the_late_move() -> None:
    run = going(LATE)
    run.press(juz(D), 14000)
    run.told()
    run.press(k.SEDZIA, 15000)
    assert run.told(k.DISPUTE_RAISED) == [(k.DISPUTE_RAISED, 15000, 3, 17, C, 1, 0, 0, 0)]


def test_a_final_lap_goes_on_with_the_seats_that_still_move_and_ends_the_game() -> None:
    run = going(0b1101 | k.BANK_EMPTY << 4, bank=0)
    seats = []
    while run.clock.state == k.RUNNING:
        seats.append(run.clock.seat)
        run.press(juz(run.clock.seat), run.now + 5000)
    assert seats == [C, D, A]
    assert run.told()[-1] == (k.GAME_ENDED, run.now, 3, 19, k.NOBODY, k.BANK_EMPTY, 0, 0, 0)
    assert run.told(k.FINAL_LAP_BEGUN) == []  # it began at the box before


def test_a_move_that_does_not_count_in_the_lap_yet_is_completed_first() -> None:
    run = going(0b1111 | k.ROUND_TIME << 4 | WAITS)
    seats = []
    while run.clock.state == k.RUNNING:
        seats.append(run.clock.seat)
        run.press(juz(run.clock.seat), run.now + 5000)
    assert seats == [C, D, A, B, C]
    assert run.clock.state == k.OVER


def test_a_late_move_was_the_last_of_the_lap() -> None:
    run = going(0b0100 | k.ROUND_TIME << 4 | LATE)
    run.press(juz(D), 14000)
    assert [fact[0] for fact in run.told()] == [k.TABLE_RESTORED, k.GAME_ENDED]


def test_a_late_move_of_the_lap_that_is_given_time_is_made_in_the_lap() -> None:
    run = spare(0b0100 | k.ROUND_TIME << 4 | LATE)
    run.order(k.C_GIVE_TIME, 8000, 20000)
    run.order(k.C_RESUME, 10000)
    run.told()
    run.press(juz(C), 14000)
    assert [fact[0] for fact in run.told()] == [k.MOVE_ENDED, k.GAME_ENDED]


def test_a_seat_that_has_withdrawn_does_not_move_in_the_lap() -> None:
    run = going(0b1111 | k.ROUND_TIME << 4, out=0b1000)
    run.press(juz(C), 14000)
    assert run.clock.seat == A


def test_where_a_game_ends_without_a_lap_it_ends_with_the_move_that_was_taken_over() -> None:
    run = going(0b1111 | k.ROUND_TIME << 4 | WAITS, on_round_time=rules.END_WITH_MOVE)
    run.press(juz(C), 14000)
    assert run.clock.state == k.OVER


def test_a_table_that_does_not_wait_gives_the_grace_time_anew() -> None:
    run = going(LATE, on_expiry=rules.ADVANCE, grace_ms=10000)
    run.wait(10000 + 10000)
    assert run.told() == [(k.MOVE_STARTED, 20000, 3, 18, D, 0, 60000, 0, 31)]


def test_power_lost_again_keeps_the_question_open() -> None:
    run = going(LATE | PENALTY)
    run.cut(12000)
    run.order(k.C_RESUME, 1000)
    assert (run.clock.state, run.clock.penalty) == (k.EXPIRED, True)
    assert run.told(k.TIME_RAN_OUT) == []


def test_without_the_last_argument_nothing_else_is_known() -> None:
    run = table(A)
    assert run.order(k.C_TAKE_OVER, 500, 3, 17, C, 23456, 31, 0) == 0
    assert run.told(k.MOVE_STARTED) == [(k.MOVE_STARTED, 500, 3, 17, C, 0, 23456, 0, 31)]


def test_what_no_box_can_stand_in_is_refused() -> None:
    for more in (4096, 3 << 4, 2**32 - 1):
        run = table(A)
        assert run.order(k.C_TAKE_OVER, 500, 3, 17, C, 23456, 31, 0, more) == k.R_ARGUMENT, more
        assert run.told() == []
    assert table(A).order(k.C_TAKE_OVER, 500, 3, 17, C, 23456, 31, 0, 0, 0) == k.R_ARGUMENT
