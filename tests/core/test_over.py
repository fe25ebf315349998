"""A game that is over, and taken up again after all."""

from clock_run import ClockRun, juz, started, table
from moveclock import facts as k
from moveclock import settings as rules

A, B, C, D = range(4)


def ended(at: int = 20000, **values: int) -> ClockRun:
    """Seat A showed an empty rack in its first move."""
    run = started(**values)
    run.press(juz(A), at, held=True)
    run.told()
    return run


def laps(run: ClockRun) -> list[int]:
    """The seats that move until the game is over."""
    seats: list[int] = []
    while run.clock.state == k.RUNNING and len(seats) < 20:
        seats.append(run.clock.seat)
        run.press(juz(run.clock.seat), run.now + 1000)
    return seats


def test_a_mistaken_hold_is_taken_back_same_seat_same_remaining_time() -> None:
    run = started()
    run.press(juz(A), 20000, held=True)
    run.told()
    assert run.order(k.C_REOPEN, 90000, k.SAME_SEAT) == 0
    assert run.told() == [
        (k.GAME_REOPENED, 90000, 1, 1, A, k.SAME_SEAT, 40000, 0, 0),
        (k.CLOCK_STOPPED, 90000, 1, 1, A, k.REFEREE, 40000, k.DESK, 0),
    ]
    run.order(k.C_RESUME, 95000)
    run.press(juz(A), 100000)
    assert run.told(k.MOVE_ENDED)[0][6] == 25000


def test_an_empty_rack_shown_wrongly_is_ruled_like_a_late_move_and_the_next_seat_moves() -> None:
    run = started()
    run.press(juz(A), 20000, held=True)
    run.told()
    assert run.order(k.C_REOPEN, 90000, k.NEXT_SEAT) == 0
    assert [fact[0:1] + fact[3:5] for fact in run.told()] == [
        (k.GAME_REOPENED, 1, A),
        (k.MOVE_STARTED, 2, B),
        (k.CLOCK_STOPPED, 2, B),
    ]


def test_only_an_ended_game_is_reopened() -> None:
    for run in (table(), started()):
        assert run.order(k.C_REOPEN, 20000, k.SAME_SEAT) == k.R_STATE
        assert run.told() == []


def test_the_referee_who_reopened_it_is_in_charge() -> None:
    run = ended()
    run.order(k.C_REOPEN, 30000, k.SAME_SEAT)
    run.press(k.SEDZIA, 40000, held=True, desk=True)
    assert run.clock.deadline() is None  # the table does not resume it over the desk's head
    run.order(k.C_RESUME, 50000)
    assert run.told(k.CLOCK_RESUMED) == [(k.CLOCK_RESUMED, 50000, 1, 1, A, k.DESK, 20000, 40000, 0)]


def test_a_tile_for_the_empty_rack_shown_wrongly_is_that_seats() -> None:
    run = ended()
    run.order(k.C_REOPEN, 30000, k.NEXT_SEAT)
    run.told()
    run.press(k.KOSTKA, 31000)
    assert [fact[2:6] + fact[8:] for fact in run.told(k.TILE_DRAWN)] == [(1, 1, A, 1, 49)]


def test_a_seat_that_had_drawn_before_it_showed_its_rack_owes_none() -> None:
    run = started()
    run.press(k.KOSTKA, 5000)
    run.press(juz(A), 20000, held=True)
    run.order(k.C_REOPEN, 30000, k.NEXT_SEAT)
    run.order(k.C_RESUME, 31000)
    run.told()
    run.press(k.KOSTKA, 32000)
    assert [fact[2:6] for fact in run.told(k.TILE_DRAWN)] == [(1, 2, B, 1)]


def test_a_mistaken_hold_in_the_lap_has_not_been_that_seats_move() -> None:
    run = started()
    run.order(k.C_FINAL_LAP, 1000, k.ROUND_TIME)
    run.press(juz(A), 2000)
    run.press(juz(B), 3000, held=True)
    run.order(k.C_REOPEN, 4000, k.SAME_SEAT)
    run.order(k.C_RESUME, 5000)
    assert laps(run) == [B, C, D, A]


def test_a_mistaken_hold_in_the_move_that_the_lap_waits_for_completes_nothing() -> None:
    run = started()
    run.order(k.C_FINAL_LAP, 1000, k.ROUND_TIME)
    run.press(juz(A), 2000, held=True)
    run.order(k.C_REOPEN, 4000, k.SAME_SEAT)
    run.order(k.C_RESUME, 5000)
    assert laps(run) == [A, B, C, D, A]


def test_an_empty_rack_shown_wrongly_in_the_lap_was_that_seats_move() -> None:
    run = started()
    run.order(k.C_FINAL_LAP, 1000, k.ROUND_TIME)
    run.press(juz(A), 2000)
    run.press(juz(B), 3000, held=True)
    run.order(k.C_REOPEN, 4000, k.NEXT_SEAT)
    run.order(k.C_RESUME, 5000)
    assert laps(run) == [C, D, A]


def test_a_game_reopened_after_its_lap_goes_on_without_one() -> None:
    run = started(on_round_time=rules.END_WITH_MOVE)
    run.order(k.C_FINAL_LAP, 1000, k.ROUND_TIME)
    assert laps(run) == [A] and run.clock.state == k.OVER
    run.order(k.C_REOPEN, 4000, k.SAME_SEAT)
    run.order(k.C_RESUME, 5000)
    assert laps(run)[:6] == [B, C, D, A, B, C]


def test_a_game_the_desk_ended_is_given_back_as_it_was() -> None:
    run = started()
    run.order(k.C_END_GAME, 20000)
    run.order(k.C_REOPEN, 30000, k.SAME_SEAT)
    assert run.clock.watch.remaining(30000) == 40000
    late = started()
    late.order(k.C_END_GAME, 65000)
    late.order(k.C_REOPEN, 90000, k.SAME_SEAT)
    late.order(k.C_RESUME, 95000)
    late.press(juz(B), 96000)
    assert late.told(k.TABLE_RESTORED)[0][4:7] == (A, k.STANDS, 6000)


def test_a_game_with_one_seat_left_is_not_reopened() -> None:
    run = started(seats=0b0011)
    run.order(k.C_STOP, 1000, k.REFEREE)
    run.order(k.C_WITHDRAW, 2000, B)
    assert run.clock.state == k.OVER
    for how in (k.SAME_SEAT, k.NEXT_SEAT):
        assert run.order(k.C_REOPEN, 3000, how) == k.R_STATE


def test_a_dispute_that_nobody_answered_still_wants_a_referee() -> None:
    run = started()
    run.press(k.SEDZIA, 20000)
    run.press(juz(A), 30000, held=True)
    assert run.clock.alarm(40000) > 0
    run.order(k.C_NEXT_GAME, 50000)
    assert run.clock.alarm(50000) == 0
