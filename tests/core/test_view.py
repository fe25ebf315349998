"""What players see: digits, ring, lamps and sounds of every state."""

from clock_run import ClockRun, dalej, juz, started, table
from moveclock import facts as k
from moveclock import settings as rules
from moveclock import view as v

A, B, C, D = range(4)


def digits(run: ClockRun, at: int, seat: int = A) -> str:
    """One display at `at`; it fits four characters and a colon or point in their middle."""
    run.wait(at)
    text = str(v.view(run.clock, at).displays[seat])
    assert len(text) == 4 or (len(text) == 5 and text[2] in ":."), text
    return text


def ring(run: ClockRun, at: int) -> tuple[int, ...]:
    run.wait(at)
    return tuple(v.view(run.clock, at).ring)


def lamps(run: ClockRun, at: int) -> tuple[int, int]:
    """`(lit, blinking)`."""
    run.wait(at)
    picture = v.view(run.clock, at)
    return picture.lit, picture.blinking


def both(seat: int) -> int:
    return 1 << juz(seat) | 1 << dalej(seat)


# --- digits ---


def test_the_running_time_is_minutes_and_seconds_rounded_up() -> None:
    run = started(limit_ms=120000)
    for at, text in ((0, " 2:00"), (1, " 2:00"), (1000, " 1:59"), (60000, " 1:00"), (60001, " 1:00"), (61000, " 0:59")):
        assert digits(run, at) == text, at


def test_the_last_ten_seconds_have_tenths_and_zero_means_over() -> None:
    run = started()
    for at, text in (
        (49999, " 0:11"), (50000, " 0:10"), (50099, " 0:10"), (50100, " 9.9 "), (50101, " 9.9 "), (50199, " 9.9 "),
        (50200, " 9.8 "), (58999, " 1.1 "), (59000, " 1.0 "), (59899, " 0.2 "), (59900, " 0.1 "), (59999, " 0.1 "),
    ):  # fmt: skip
        assert digits(run, at) == text, at
    assert v.time_text(0) == " 0.0 "


def test_the_longest_times_still_fit() -> None:
    assert v.time_text(3600000) == "60:00"
    assert v.time_text(99 * 60000 + 59000) == v.time_text(9999999999) == "99:59"


def test_all_players_see_the_same_time() -> None:
    run = started()
    assert v.view(run.clock, 5000).displays == (" 0:55",) * 4


def test_ready_shows_the_limit_over_says_so_idle_shows_dashes() -> None:
    assert digits(table(limit_ms=40000), 9999) == " 0:40"
    run = started()
    run.press(juz(A), 5000, held=True)
    assert digits(run, 6000) == "End "
    assert digits(ClockRun(), 0, D) == " -- "


def test_the_overrun_counts_up_in_whole_seconds() -> None:
    run = started()
    for at, text in (
        (60000, "-  0"),
        (60999, "-  0"),
        (61000, "-  1"),
        (72000, "- 12"),
        (1060000, "-999"),
        (9060000, "-999"),
    ):
        assert digits(run, at) == text, at


def test_stopped_shows_what_is_left_or_how_late_the_table_was() -> None:
    run = started()
    run.press(k.SEDZIA, 20000, held=True)
    assert digits(run, 20000) == digits(run, 999999) == " 0:40"
    late = started()
    late.order(k.C_STOP, 67000, k.REFEREE)
    assert digits(late, 67000) == digits(late, 999999) == "-  7"


def test_three_two_one_before_the_clock_resumes() -> None:
    run = started()
    run.press(k.SEDZIA, 20000, held=True)
    run.press(k.SEDZIA, 30000, held=True)
    at = run.clock.deadline()
    assert at is not None
    for before, text in ((3000, "  3 "), (2001, "  3 "), (2000, "  2 "), (1001, "  2 "), (1000, "  1 "), (1, "  1 ")):
        assert digits(run, at - before) == text, before
    assert digits(run, at) == " 0:40"


def test_a_long_countdown_still_fits() -> None:
    run = started(countdown_ms=65000)
    run.press(k.SEDZIA, 20000, held=True)
    run.press(k.SEDZIA, 30000, held=True)
    at = run.clock.deadline()
    assert at is not None and digits(run, at - 65000) == " 65 "


def test_a_withdrawn_seat_shows_dashes_a_seat_nobody_sits_at_is_dark() -> None:
    run = started(seats=0b0111)
    run.order(k.C_STOP, 10000, k.REFEREE)
    run.order(k.C_WITHDRAW, 11000, B)
    assert v.view(run.clock, 12000).displays == (" 0:50", "----", " 0:50", "    ")


def test_a_fault_shows_its_number_in_place_of_the_time() -> None:
    run = started()
    assert v.view(run.clock, 1000, fault=k.E_STUCK + k.SEDZIA).displays == ("E 19",) * 4
    assert v.view(run.clock, 1000, fault=999).displays[A] == "E999"


# --- ring and lamps ---


def test_the_ring_shows_whose_move_it_is_and_how_much_is_left() -> None:
    run = started(C)
    for at, colour, pixels in (
        (0, v.GREEN, 24), (2500, v.GREEN, 23), (2501, v.GREEN, 23), (30000, v.GREEN, 12), (50000, v.GREEN, 4),
        (50001, v.AMBER, 4), (55000, v.AMBER, 2), (55001, v.RED, 2), (59999, v.RED, 1),
    ):  # fmt: skip
        assert ring(run, at) == (colour, pixels, C), at


def test_the_ring_of_every_other_state() -> None:
    run = started()
    assert ring(run, 61000) == (v.RED, v.RING, A)
    run.order(k.C_STOP, 62000, k.REFEREE)
    assert ring(run, 62000) == (v.BLUE, v.RING, A)
    run.order(k.C_END_GAME, 63000)
    assert ring(run, 63000)[:2] == (v.DARK, 0)
    assert ring(table(B), 0) == (v.WHITE, v.RING, B)
    assert ring(ClockRun(), 0)[:2] == (v.DARK, 0)


def test_no_button_is_lit_while_the_clock_stands() -> None:
    run = started()
    run.order(k.C_STOP, 1000, k.REFEREE)
    assert lamps(run, 2000) == (0, 0)


def test_a_move_with_no_time_at_all_has_a_ring_too() -> None:
    run = started()
    run.order(k.C_STOP, 0, k.REFEREE)
    run.order(k.C_SET_REMAINING, 0, 0)
    assert ring(run, 0) == (v.BLUE, v.RING, A)


def test_the_buttons_of_the_running_seat_are_lit_those_of_the_next_seat_blink_when_it_is_late() -> None:
    run = started(B, seats=0b0111)
    assert lamps(run, 5000) == (both(B), 0)
    assert lamps(run, 61000) == (0, both(C))
    run.press(juz(C), 70000)
    assert lamps(run, 71000) == (both(C), 0)
    run.wait(130000)
    assert lamps(run, 131000) == (0, both(A))  # D does not play


def test_in_ready_the_starter_is_asked_or_everybody() -> None:
    assert lamps(table(C), 0) == (0, both(C))
    assert lamps(table(k.NOBODY, seats=0b1011), 0) == (0, both(A) | both(B) | both(D))


def test_the_referees_button_blinks_while_somebody_is_called() -> None:
    run = started()
    run.press(k.SEDZIA, 20000)
    assert lamps(run, 21000)[1] >> k.SEDZIA & 1
    run.press(k.SEDZIA, 22000)
    assert not lamps(run, 23000)[1] >> k.SEDZIA & 1
    run.wait(60000)
    assert not lamps(run, 85000)[1] >> k.SEDZIA & 1  # a table that waits has called nobody
    run.press(k.SEDZIA, 90000)
    assert lamps(run, 91000)[1] >> k.SEDZIA & 1


def test_a_table_that_is_to_be_found_blinks_everywhere() -> None:
    assert v.view(started().clock, 5000, blink=True).blinking == 255


# --- sounds ---


def test_what_is_to_be_heard() -> None:
    for kind, sound in (
        (k.MOVE_STARTED, v.TURN), (k.DALEJ_REFUSED, v.REFUSE), (k.STRAY_TAP, v.REFUSE), (k.TIME_RAN_OUT, v.TIME_OVER),
        (k.DISPUTE_RAISED, v.CALL), (k.GAME_ENDED, v.END), (k.RECORDS_LOST, v.ALERT), (k.TILE_DRAWN, 0),
        (k.COMMAND_APPLIED, 0), (0, 0),
    ):  # fmt: skip
        assert v.sound_of(kind) == sound


def test_with_advance_too_the_overrun_is_shown() -> None:
    run = started(on_expiry=rules.ADVANCE, grace_ms=5000)
    assert digits(run, 64000) == "-  4" and digits(run, 65000) == " 1:00"
