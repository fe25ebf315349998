"""Draw before click, and the bank: whose tile it is, and how many are left."""

from clock_run import ClockRun, dalej, juz, started
from moveclock import facts as k
from moveclock import settings as rules

A, B, C, D = range(4)


def flagged(**values: int) -> ClockRun:
    """Seat A clicked before drawing at 10 000 ms; seat B's move runs."""
    run = started(draw=rules.DRAW_FLAG, **values)
    run.press(dalej(A), 10000)
    return run


# --- draw before click ---


def test_off_a_click_before_the_tile_is_just_a_click() -> None:
    run = started(draw=rules.DRAW_OFF)
    run.press(dalej(A), 10000)
    assert [fact[0] for fact in run.told()] == [k.MOVE_ENDED, k.MOVE_STARTED]
    run.press(k.SEDZIA, 13000)
    assert [fact[0] for fact in run.told()] == [k.DISPUTE_RAISED, k.CLOCK_STOPPED]


def test_flag_a_click_ends_the_move_and_is_recorded() -> None:
    run = flagged()
    assert run.told() == [
        (k.MOVE_ENDED, 10000, 1, 1, A, k.BY_DALEJ, 10000, 0, 50),
        (k.CLICKED_BEFORE_DRAWING, 10000, 1, 1, A, 0, 0, 0, 0),
        (k.MOVE_STARTED, 10000, 1, 2, B, 0, 60000, 0, 50),
    ]


def test_flag_a_tile_drawn_in_time_leaves_nothing_to_claim() -> None:
    run = started(draw=rules.DRAW_FLAG)
    run.press(k.KOSTKA, 9000)
    run.press(dalej(A), 10000)
    assert run.told(k.CLICKED_BEFORE_DRAWING) == []
    run.press(k.SEDZIA, 13000)
    assert run.told(k.RESTART_CLAIMED) == []


def test_the_claim_stops_the_clock_and_on_resume_that_move_starts_again_with_the_full_limit() -> None:
    run = flagged()
    run.told()
    run.press(k.SEDZIA, 19999)
    assert run.told() == [
        (k.RESTART_CLAIMED, 19999, 1, 2, B, 0, 0, 0, 0),
        (k.CLOCK_STOPPED, 19999, 1, 2, B, k.EARLY_CLICK, 50001, k.TABLE, 0),
    ]
    run.press(k.SEDZIA, 30000, held=True)
    at = run.clock.deadline()
    assert at is not None
    run.wait(at)
    facts = run.told()
    assert [fact[:5] for fact in facts] == [(k.MOVE_RESTARTED, at, 1, 2, B), (k.CLOCK_RESUMED, at, 1, 2, B)]
    assert facts[0][6] == 60000 and facts[1][6:8] == (at - 19999, 60000)
    run.press(juz(B), at + 25000)
    assert run.told(k.MOVE_ENDED)[0][6] == 25000  # the restarted move alone counts


def test_a_claim_restarts_its_move_once() -> None:
    run = flagged()
    run.press(k.SEDZIA, 15000)
    run.order(k.C_RESUME, 20000)
    run.order(k.C_STOP, 23000, k.REFEREE)
    run.told()
    run.order(k.C_RESUME, 30000)
    assert [fact[0] for fact in run.told()] == [k.CLOCK_RESUMED]
    run.press(k.SEDZIA, 31000)
    assert run.told(k.RESTART_CLAIMED) == []  # the same click cannot be claimed again


def test_after_ten_seconds_it_is_no_claim_any_more() -> None:
    run = flagged()
    run.told()
    run.press(k.SEDZIA, 20000)
    assert run.told() == [(k.DISPUTE_RAISED, 20000, 1, 2, B, 0, 0, 0, 0)]


def test_the_desk_may_deny_the_claim() -> None:
    run = flagged()
    run.press(k.SEDZIA, 15000)
    run.told()
    assert run.order(k.C_DENY_CLAIM, 20000) == 0
    assert run.told() == [(k.CLAIM_DENIED, 20000, 1, 2, B, 0, 0, 0, 0)]
    assert run.order(k.C_DENY_CLAIM, 20001) == k.R_STATE
    run.order(k.C_RESUME, 25000)
    assert run.told() == [(k.CLOCK_RESUMED, 25000, 1, 2, B, k.DESK, 10000, 55000, 0)]


def test_the_claim_is_withdrawn_within_three_seconds() -> None:
    run = flagged()
    run.press(k.SEDZIA, 15000)
    run.told()
    run.press(k.SEDZIA, 18000)
    assert [fact[0] for fact in run.told()] == [k.CALL_WITHDRAWN, k.CLOCK_RESUMED]
    assert run.clock.watch.remaining(18000) == 55000  # nothing was restarted


def test_a_claim_concerns_the_next_seats_own_move_alone() -> None:
    run = flagged()
    run.press(juz(B), 12000)
    run.told()
    run.press(k.SEDZIA, 13000)
    assert run.told(k.RESTART_CLAIMED, k.DISPUTE_RAISED) == [(k.DISPUTE_RAISED, 13000, 1, 2, B, 1, 0, 0, 0)]


def test_block_the_dalej_is_refused_and_the_clock_runs_on() -> None:
    run = started(draw=rules.DRAW_BLOCK)
    run.press(dalej(A), 10000)
    assert run.told() == [(k.DALEJ_REFUSED, 10000, 1, 1, A, 0, 0, 0, 0)]
    run.press(k.KOSTKA, 11000)
    run.press(dalej(A), 12000)
    assert run.told(k.MOVE_ENDED) == [(k.MOVE_ENDED, 12000, 1, 1, A, k.BY_DALEJ, 12000, 1, 49)]


def test_block_leaves_juz_and_the_limit_as_they_are() -> None:
    run = started(draw=rules.DRAW_BLOCK)
    run.press(dalej(A), 59990)
    run.press(juz(A), 59995)
    assert run.told(k.MOVE_ENDED)[0][5:7] == (k.BY_JUZ, 59995)


def test_without_a_tile_contact_there_is_nothing_to_flag_or_block_only_the_claim() -> None:
    for draw, claim in ((rules.DRAW_OFF, False), (rules.DRAW_FLAG, True), (rules.DRAW_BLOCK, True)):
        run = started(kostka=False, draw=draw)
        run.press(dalej(A), 10000)
        assert run.told(k.CLICKED_BEFORE_DRAWING, k.DALEJ_REFUSED) == []
        run.press(k.SEDZIA, 19000)
        assert bool(run.told(k.RESTART_CLAIMED)) == claim, draw


# --- the bank ---


def test_the_bank_is_what_is_left_after_every_seat_has_its_tiles() -> None:
    for seats, bank in ((0b1111, 50), (0b0111, 64), (0b0101, 78)):
        assert started(seats=seats).clock.bank == bank


def test_dalej_counts_as_the_tile_where_the_box_has_no_tile_contact() -> None:
    run = started(kostka=False)
    run.press(dalej(A), 10000)
    run.press(juz(B), 20000)
    assert [fact[4:9] for fact in run.told(k.MOVE_ENDED)] == [
        (A, k.BY_DALEJ, 10000, 1, 49),
        (B, k.BY_JUZ, 10000, 0, 49),
    ]


def test_at_most_one_tile_a_move_counts_further_taps_are_recorded() -> None:
    run = started()
    run.press(k.KOSTKA, 5000)
    run.press(k.KOSTKA, 6000)
    run.press(k.KOSTKA, 7000)
    assert [fact[5:9] for fact in run.told(k.TILE_DRAWN)] == [(1, 5000, 0, 49), (0, 6000, 0, 49), (0, 7000, 0, 49)]


def test_a_tile_within_five_seconds_after_a_dalej_belongs_to_the_seat_that_passed() -> None:
    for draw in (rules.DRAW_OFF, rules.DRAW_FLAG):
        run = started(draw=draw)
        run.press(dalej(A), 10000)
        run.told()
        run.press(k.KOSTKA, 14999)
        assert [fact[2:6] + fact[8:] for fact in run.told(k.TILE_DRAWN)] == [(1, 1, A, 1, 49)]
        run.press(k.KOSTKA, 14999)  # the next one is the running seat's
        assert [fact[2:6] + fact[8:] for fact in run.told(k.TILE_DRAWN)] == [(1, 2, B, 1, 48)]


def test_the_flag_stays_when_the_tile_comes_late() -> None:
    run = flagged()
    run.press(k.KOSTKA, 12000)
    run.told()
    run.press(k.SEDZIA, 13000)
    assert run.told(k.RESTART_CLAIMED) != []


def test_after_five_seconds_a_tile_is_the_running_seats() -> None:
    run = started()
    run.press(dalej(A), 10000)
    run.told()
    run.press(k.KOSTKA, 15000)
    assert [fact[2:6] + fact[8:] for fact in run.told(k.TILE_DRAWN)] == [(1, 2, B, 1, 49)]


def test_after_juz_a_tile_is_the_running_seats_at_once() -> None:
    run = started()
    run.press(juz(A), 10000)
    run.told()
    run.press(k.KOSTKA, 11000)
    assert [fact[2:6] for fact in run.told(k.TILE_DRAWN)] == [(1, 2, B, 1)]


def test_the_tile_of_an_undone_verdict_is_the_late_seats_and_is_not_counted_twice() -> None:
    run = started()
    run.wait(60000)
    run.press(dalej(B), 70000)
    run.told()
    assert run.clock.bank == 49
    run.press(k.KOSTKA, 72000)
    assert [fact[2:6] + fact[8:] for fact in run.told(k.TILE_DRAWN)] == [(1, 1, A, 0, 49)]


def test_a_penalty_tile_taken_before_the_verdict_is_counted_once() -> None:
    run = started()
    run.wait(60000)
    run.press(k.KOSTKA, 65000)
    run.press(dalej(B), 70000)
    assert [fact[3:6] + fact[8:] for fact in run.told(k.TILE_DRAWN)] == [(1, A, 1, 49)]
    assert run.clock.bank == 49
    run.press(k.KOSTKA, 72000)
    assert [fact[3:6] + fact[8:] for fact in run.told(k.TILE_DRAWN)] == [(2, B, 1, 48)]


def test_a_seat_that_drew_and_forgot_to_click_takes_no_second_tile() -> None:
    run = started()
    run.press(k.KOSTKA, 50000)
    run.wait(60000)
    assert run.told(k.TIME_RAN_OUT)[0][7] == 1
    run.press(dalej(B), 70000)
    assert run.told(k.TABLE_RESTORED) == [(k.TABLE_RESTORED, 70000, 1, 1, A, k.UNDONE, 10000, 0, 49)]


def test_at_zero_draw_is_off_by_itself_and_dalej_needs_no_tile() -> None:
    for draw in (rules.DRAW_OFF, rules.DRAW_FLAG, rules.DRAW_BLOCK):
        for kostka in (True, False):
            run = started(kostka=kostka, draw=draw, tiles=56, on_bank_empty=rules.PLAY_ON)
            assert run.clock.bank == 0
            run.press(dalej(A), 10000)
            assert [fact[0] for fact in run.told()] == [k.MOVE_ENDED, k.MOVE_STARTED]
            run.press(k.SEDZIA, 17000)
            assert run.told(k.RESTART_CLAIMED) == []


def test_at_zero_penalty_tiles_are_zero_and_the_count_is_never_negative() -> None:
    run = started(tiles=56, on_bank_empty=rules.PLAY_ON)
    run.press(k.KOSTKA, 10000)
    run.wait(60000)
    run.press(k.KOSTKA, 61000)
    run.press(dalej(B), 70000)
    run.press(k.KOSTKA, 71000)
    for fact in run.told(k.TILE_DRAWN):
        assert (fact[5], fact[8]) == (0, 0)
    assert run.clock.bank == 0


def test_the_verdict_counts_no_more_than_the_bank_holds() -> None:
    run = started(tiles=56, on_bank_empty=rules.PLAY_ON)
    run.wait(60000)
    run.press(dalej(B), 70000)
    assert run.told(k.TABLE_RESTORED) == [(k.TABLE_RESTORED, 70000, 1, 1, A, k.UNDONE, 10000, 0, 0)]


def test_the_desk_can_set_the_bank() -> None:
    run = started()
    assert run.order(k.C_SET_BANK, 5000, 33) == k.R_STATE
    run.press(k.SEDZIA, 10000, held=True)
    run.told()
    assert run.order(k.C_SET_BANK, 15000, 33) == 0
    assert run.told() == [(k.BANK_CORRECTED, 15000, 1, 1, k.NOBODY, 0, 50, 0, 33)]
    assert run.order(k.C_SET_BANK, 16000, 107) == k.R_ARGUMENT
    assert run.clock.bank == 33
