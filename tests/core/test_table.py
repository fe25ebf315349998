"""Games, seats, the final lap, and what a table remembers through a power cut."""

from clock_run import ClockRun, dalej, juz, started
from moveclock import facts as k
from moveclock import settings as rules

A, B, C, D = range(4)


def play(run: ClockRun, moves: int, at: int = 0, each: int = 2000) -> list[int]:
    """Whoever's move it is taps Już after `each` ms; the seats that moved, until the game is over."""
    at = max(at, run.now)
    seats = []
    for _ in range(moves):
        if run.clock.state != k.RUNNING:
            break
        at += each
        seats.append(run.clock.seat)
        run.press(juz(run.clock.seat), at)
    return seats


def stopped(at: int = 10000, **values: int) -> ClockRun:
    """Seat A's move stopped by the desk."""
    run = started(**values)
    assert run.order(k.C_STOP, at, k.REFEREE) == 0
    run.told()
    return run


# --- seats ---


def test_the_order_is_clockwise_among_the_seats_in_play() -> None:
    for seats, first, order in (
        (0b1111, A, [A, B, C, D, A]),
        (0b0111, B, [B, C, A, B, C]),
        (0b1010, D, [D, B, D, B, D]),
        (0b1101, C, [C, D, A, C, D]),
    ):
        assert play(started(first, seats=seats), 5) == order


def test_a_withdrawn_seat_is_skipped_from_then_on() -> None:
    run = stopped()
    assert run.order(k.C_WITHDRAW, 11000, B) == 0
    assert run.told() == [(k.SEAT_WITHDRAWN, 11000, 1, 1, B, 0, 0, 0, 0)]
    run.order(k.C_RESUME, 12000)
    assert play(run, 5) == [A, C, D, A, C]
    assert run.order(k.C_STOP, run.now + 1, k.REFEREE) == 0
    assert run.order(k.C_WITHDRAW, run.now + 1, B) == k.R_SEAT


def test_a_seat_that_withdraws_in_its_own_move_ends_it_there() -> None:
    run = stopped()
    assert run.order(k.C_WITHDRAW, 11000, A) == 0
    assert run.told() == [
        (k.SEAT_WITHDRAWN, 11000, 1, 1, A, 0, 0, 0, 0),
        (k.MOVE_ENDED, 11000, 1, 1, A, k.BY_WITHDRAWAL, 10000, 0, 50),
        (k.MOVE_STARTED, 11000, 1, 2, B, 0, 60000, 0, 50),
    ]
    run.order(k.C_RESUME, 15000)
    run.press(juz(B), 20000)
    assert run.told(k.MOVE_ENDED)[0][6] == 5000


def test_one_seat_left_ends_the_game_and_wins() -> None:
    for leaves, stays in ((A, C), (C, A)):
        run = stopped(seats=0b0101)
        assert run.order(k.C_WITHDRAW, 11000, leaves) == 0
        assert run.told(k.GAME_ENDED) == [(k.GAME_ENDED, 11000, 1, 1, stays, k.LAST_SEAT, 0, 0, 0)]
        assert run.clock.state == k.OVER
        assert run.order(k.C_NEXT_GAME, 12000) == k.R_STATE  # nobody to play it with


def test_a_seat_that_was_to_start_the_next_game_but_has_left_is_skipped() -> None:
    run = stopped()
    run.order(k.C_WITHDRAW, 11000, B)
    run.order(k.C_END_GAME, 12000)
    run.order(k.C_NEXT_GAME, 13000)
    assert run.clock.starter == C and run.clock.bank == 106 - 3 * 14


def test_a_starter_who_withdrew_before_the_redeal_gives_way_to_the_next() -> None:
    run = stopped()
    run.order(k.C_WITHDRAW, 11000, A)
    run.told()
    run.order(k.C_REDEAL, 12000)
    assert run.told() == [
        (k.GAME_REDEALT, 12000, 1, 0, k.NOBODY, 0, 0, 0, 64),
        (k.SEAT_CHANGED, 12000, 1, 0, B, 0, A, 0, 0),
    ]


def test_the_last_but_one_seat_may_leave_while_a_verdict_is_open() -> None:
    run = started(seats=0b0011)
    run.order(k.C_STOP, 65000, k.REFEREE)
    run.order(k.C_WITHDRAW, 66000, A)
    assert run.told(k.GAME_ENDED) == [(k.GAME_ENDED, 66000, 1, 1, B, k.LAST_SEAT, 0, 0, 0)]


def test_a_pending_dispute_is_heard_although_its_seat_withdrew() -> None:
    run = started()
    run.press(k.SEDZIA, 20000)
    run.order(k.C_STOP, 30000, k.ROUND_BREAK)
    run.order(k.C_WITHDRAW, 31000, A)
    assert run.clock.reason == k.DISPUTE and run.clock.seat == B


# --- games ---


def test_each_game_has_the_next_number_a_full_bank_and_the_next_starter_clockwise() -> None:
    run = started(D)
    run.press(k.KOSTKA, 5000)
    for game, starter in ((2, A), (3, B), (4, C)):
        run.press(juz(run.clock.seat), run.now + 5000, held=True)
        run.told()
        assert run.order(k.C_NEXT_GAME, run.now + 1000) == 0
        assert run.told() == [(k.CONFIGURED, run.now, game, 0, starter, k.DESK, 60000, 15, 50)]
        assert run.order(k.C_START, run.now + 1000) == 0
        assert run.clock.seat == starter


def test_where_the_players_decide_the_next_starter_is_named_by_a_tap() -> None:
    run = started(next_starter=rules.TABLE_NAMES)
    run.press(juz(A), 5000, held=True)
    run.press(k.SEDZIA, 9000, held=True)
    assert run.clock.state == k.READY and run.clock.starter == k.NOBODY
    run.press(juz(C), 10000)
    run.press(juz(C), 11000)
    assert run.clock.state == k.RUNNING and run.clock.seat == C


def test_a_redeal_in_the_first_round_keeps_the_number_and_refills_the_bank() -> None:
    run = started(B)
    run.press(k.KOSTKA, 2000)
    play(run, 2)
    run.order(k.C_STOP, 20000, k.REFEREE)
    run.told()
    assert run.order(k.C_REDEAL, 21000) == 0
    assert run.told() == [(k.GAME_REDEALT, 21000, 1, 0, k.NOBODY, 0, 0, 0, 50)]
    assert (run.clock.state, run.clock.starter, run.clock.game) == (k.READY, B, 1)


def test_a_redeal_after_the_first_round_is_refused() -> None:
    for moves, answer in ((3, 0), (4, k.R_LATE)):
        run = started()
        play(run, moves)
        run.order(k.C_STOP, 20000, k.REFEREE)
        assert run.order(k.C_REDEAL, 21000) == answer


# --- stopped ---


def test_a_stop_keeps_the_remaining_time_to_the_millisecond_and_counts_its_own_apart() -> None:
    run = started()
    at = 0
    for played, stood in ((1234, 1), (1, 99999), (20000, 7)):
        at += played
        run.order(k.C_STOP, at, k.REFEREE)
        at += stood
        run.order(k.C_RESUME, at)
        assert run.told(k.CLOCK_RESUMED)[0][5:8] == (k.DESK, stood, run.clock.watch.remaining(at))
    assert run.clock.watch.remaining(at) == 60000 - 21235
    run.wait(at + 60000 - 21235)
    assert run.told(k.TIME_RAN_OUT)[0][6] == 60000


def test_a_late_table_that_was_stopped_goes_on_with_its_overrun() -> None:
    run = started()
    run.order(k.C_STOP, 62000, k.REFEREE)
    assert run.told(k.CLOCK_STOPPED) == [(k.CLOCK_STOPPED, 62000, 1, 1, A, k.REFEREE, 0, k.DESK, 0)]
    run.order(k.C_RESUME, 92000)
    assert run.clock.state == k.EXPIRED
    run.press(juz(B), 93000)
    assert run.told(k.TABLE_RESTORED)[0][6] == 3000


# --- the final lap ---


def last_tile(**values: int) -> ClockRun:
    """Seat B takes the last tile of the bank in its move, at 5 000 ms."""
    run = started(tiles=57, **values)
    play(run, 1, each=4000)
    run.told()
    run.press(k.KOSTKA, 5000)
    return run


def test_when_the_last_tile_is_taken_the_move_is_completed_then_every_seat_moves_once() -> None:
    run = last_tile()
    assert [fact[:6] for fact in run.told()] == [
        (k.TILE_DRAWN, 5000, 1, 2, B, 1),
        (k.FINAL_LAP_BEGUN, 5000, 1, 2, k.NOBODY, k.BANK_EMPTY),
    ]
    assert play(run, 99) == [B, C, D, A, B]
    assert run.told(k.GAME_ENDED)[0][4:6] == (k.NOBODY, k.BANK_EMPTY)


def test_dalej_takes_the_last_tile_where_there_is_no_tile_contact() -> None:
    run = started(tiles=57, kostka=False)
    run.press(dalej(A), 4000)
    assert [fact[0] for fact in run.told()] == [k.FINAL_LAP_BEGUN, k.MOVE_ENDED, k.MOVE_STARTED]
    assert play(run, 99) == [B, C, D, A]


def test_round_time_begins_a_lap_in_the_running_move() -> None:
    run = started()
    assert run.order(k.C_FINAL_LAP, 1000, k.ROUND_TIME) == 0
    assert run.told() == [(k.FINAL_LAP_BEGUN, 1000, 1, 1, k.NOBODY, k.ROUND_TIME, 0, 0, 0)]
    assert run.order(k.C_FINAL_LAP, 1500, k.ROUND_TIME) == k.R_STATE
    assert play(run, 99) == [A, B, C, D, A]
    assert run.told(k.GAME_ENDED)[0][5] == k.ROUND_TIME


def test_in_expired_the_late_move_is_already_over() -> None:
    run = started()
    run.wait(60000)
    assert run.order(k.C_FINAL_LAP, 65000, k.ROUND_TIME) == 0
    run.press(juz(B), 70000)
    assert play(run, 99) == [B, C, D, A]


def test_a_time_out_counts_as_that_seats_move_of_the_lap() -> None:
    run = started(on_expiry=rules.ADVANCE, grace_ms=1000)
    run.order(k.C_FINAL_LAP, 1000, k.ROUND_TIME)
    run.wait(10000000)
    assert [fact[4] for fact in run.told(k.MOVE_ENDED)] == [A, B, C, D, A]
    assert run.clock.state == k.OVER


def test_a_late_move_that_is_given_time_is_still_the_one_to_complete_before_the_lap() -> None:
    run = started()
    run.order(k.C_FINAL_LAP, 1000, k.ROUND_TIME)
    run.order(k.C_STOP, 65000, k.REFEREE)
    run.order(k.C_GIVE_TIME, 65000, 30000)
    run.order(k.C_RESUME, 65000)
    assert play(run, 99) == [A, B, C, D, A]


def test_the_last_time_out_of_the_lap_waits_for_its_verdict() -> None:
    run = last_tile()
    play(run, 4)
    run.wait(run.now + 60000)
    assert run.clock.state == k.EXPIRED and run.clock.seat == B
    run.told()
    run.press(juz(C), run.now + 5000)
    assert [fact[0] for fact in run.told()] == [k.TABLE_RESTORED, k.GAME_ENDED]


def test_an_empty_rack_in_the_lap_ends_the_game_as_went_out() -> None:
    run = last_tile()
    play(run, 2)
    run.press(juz(D), run.now + 1000, held=True)
    assert run.told(k.GAME_ENDED)[0][4:6] == (D, k.WENT_OUT)


def test_play_on_has_no_lap_and_end_at_once_ends_with_the_move() -> None:
    run = last_tile(on_bank_empty=rules.PLAY_ON)
    assert len(play(run, 40)) == 40
    run = last_tile(on_bank_empty=rules.END_WITH_MOVE)
    assert play(run, 99) == [B]


def test_a_seat_that_withdraws_in_the_lap_has_no_move_left_in_it() -> None:
    run = last_tile()
    play(run, 2)
    assert run.clock.seat == D
    run.order(k.C_STOP, run.now + 1000, k.REFEREE)
    run.order(k.C_WITHDRAW, run.now + 1, A)
    run.order(k.C_RESUME, run.now + 1)
    assert play(run, 99) == [D, B]
