"""Stamps are honest: whatever keeps the loop busy, a press counts at its down stamp and a limit at its instant."""

from box_run import TAP_MS, BoxRun, started
from clock_run import dalej, juz
from moveclock import facts as k
from moveclock import settings as rules
from moveclock.ticks import PERIOD

A, B, C, D = range(4)
BEGAN = 1000  # seat A's move
LIMIT = 61000  # its end


def ended(run: BoxRun) -> list[tuple[int, ...]]:
    """`(stamp, seat, how, elapsed)` of every move."""
    return [(fact[1], fact[4], fact[5], fact[6]) for fact in run.facts(k.MOVE_ENDED)]


def played(late: int, raw: int = 0, every_ms: bool = False) -> list[tuple[int, ...]]:
    """A short game of quick hands, with presses around each limit; everything that happened but the desk's part."""
    run = started(raw, limit_ms=1500, draw=rules.DRAW_FLAG, on_expiry=rules.ADVANCE, grace_ms=200, countdown_ms=2100)
    for contact, at, length in (
        (juz(A), 1500, 60), (juz(B), 1650, 40), (k.KOSTKA, 1900, 300), (dalej(B), 2000, 120),  # guard, overlap
        (dalej(C), 3499, 30), (k.SEDZIA, 3600, 60), (k.SEDZIA, 3900, 2050),  # in the last ms; a claim; resume
        (k.KOSTKA, 6300, 40), (juz(D), 6400, 900), (juz(C), 7000, 500),  # a long tap, a stray within it
        (dalej(A), 7300, 1050), (juz(B), 8000, 60),  # announced over the limit; a verdict in the grace time
        (juz(B), 8600, 1100),  # empty rack
    ):  # fmt: skip
        run.touch(contact, at, length)
    if every_ms:
        run.run_every_ms(9750)
    else:
        run.run(9750, late)
    return [fact for fact in run.facts() if fact[1] > 1000]


# --- the pump is late ---


def test_an_edge_stamped_before_the_limit_wins_however_late_it_is_handed_over() -> None:
    for at, how in ((LIMIT - 1, k.BY_JUZ), (LIMIT, k.BY_TIMEOUT)):
        run = started()
        run.run(LIMIT - 200)
        run.touch(juz(A), at)
        run.pump(LIMIT + 500)  # the loop was away while the press came and the limit passed
        run.run(LIMIT + 1000)
        assert ended(run) == [(at, A, how, at - BEGAN)]


def test_a_late_loop_lets_the_time_run_out_at_the_limit_to_the_millisecond() -> None:
    run = started()
    run.run(LIMIT - 1000)
    run.pump(LIMIT + 77)
    assert ended(run) == [(LIMIT, A, k.BY_TIMEOUT, 60000)]


def test_the_limit_waits_for_a_press_that_is_not_decided_and_no_longer_than_a_second() -> None:
    run = started()
    run.stamp(juz(A), True, LIMIT - 1)
    run.run(LIMIT + 998)
    assert run.box.clock.state == k.RUNNING and ended(run) == []
    run.stamp(juz(A), False, LIMIT + 998)  # a tap after all
    run.run(LIMIT + 1100)
    assert ended(run) == [(LIMIT - 1, A, k.BY_JUZ, 59999)]
    held = started()
    held.stamp(juz(A), True, LIMIT - 1)
    held.run(LIMIT + 999)
    assert ended(held) == [(LIMIT - 1, A, k.BY_EMPTY_RACK, 59999)]


def test_a_press_that_changes_nothing_does_not_move_the_limit() -> None:
    for contact, length in ((juz(C), 900), (k.KOSTKA, 900), (dalej(A), 1200)):
        run = started()
        run.touch(contact, LIMIT - 5, length)
        run.run(LIMIT + 2000)
        assert ended(run) == [(LIMIT, A, k.BY_TIMEOUT, 60000)]


def test_presses_are_handled_before_the_tick_that_follows_them() -> None:
    run = started(limit_ms=5000)
    run.run(5000)
    run.touch(juz(A), 5500)
    run.touch(juz(B), 9900)
    run.pump(16500)  # one turn: two presses, then C's limit
    run.run(17000)
    assert ended(run) == [(5500, A, k.BY_JUZ, 4500), (9900, B, k.BY_JUZ, 4400), (14900, C, k.BY_TIMEOUT, 5000)]


def test_a_loop_up_to_80_ms_late_changes_nothing_that_is_recorded() -> None:
    prompt = played(0)
    assert len(prompt) > 20
    for late in (3, 20, 80):
        assert played(late) == prompt, late


def test_called_only_when_it_asks_to_be_the_box_records_the_same_as_called_every_millisecond() -> None:
    assert played(0, every_ms=True) == played(0)


def test_the_counter_wraps_mid_move_and_there_is_nothing_to_see() -> None:
    plain = played(0)
    for wraps_at in (1550, 3499, 3500, 7900, 9700):
        assert played(0, raw=PERIOD - wraps_at) == plain


# --- known stalls ---


def pressed_in_stall(stamp: int, start: int = 20000, end: int = 20080) -> int:
    """The stamp that a press gets whose edge was stamped around a stall from `start` to `end`."""
    run = started()
    run.run(start)
    run.stall(end)
    run.touch(juz(A), stamp, 200)
    run.run(start + 2000)
    return ended(run)[0][0]


def test_a_stamp_within_two_ms_after_a_known_stall_is_dated_to_its_start() -> None:
    for stamp in (20001, 20040, 20080, 20081, 20082):
        assert pressed_in_stall(stamp) == 20000


def test_any_other_stamp_is_what_it_says() -> None:
    for stamp in (20000, 20083, 20090):
        assert pressed_in_stall(stamp) == stamp


def test_a_stall_under_two_ms_is_none() -> None:
    assert pressed_in_stall(20002, end=20001) == 20002
    assert pressed_in_stall(20002, end=20002) == 20000


def test_a_press_during_a_stall_that_ends_after_the_limit_wins() -> None:
    run = started()
    run.run(LIMIT - 30)
    run.stall(LIMIT + 50)
    run.touch(juz(A), LIMIT + 51)
    run.run(LIMIT + 1000)
    assert ended(run) == [(LIMIT - 30, A, k.BY_JUZ, 59970)]


def test_a_finger_that_came_and_went_within_a_stall_is_no_noise() -> None:
    for down, up in ((20080, 20080), (20080, 20081), (20081, 20082)):
        run = started()
        run.run(20000)
        run.stall(20080)
        run.touch(juz(A), down, up - down)
        run.run(21000)
        assert ended(run) == [(20000, A, k.BY_JUZ, 19000)]


def test_of_several_calls_in_a_turn_each_dates_what_lay_in_it_and_python_between_them_is_no_call() -> None:
    for stamp, counts in ((20050, 20000), (20070, 20070), (20280, 20100), (20290, 20290)):
        run = started()
        run.run(20000)
        run.stall(20050)
        run.now = 20100
        run.stall(20280)
        run.touch(juz(A), stamp, 200)
        run.run(22000)
        assert ended(run)[0][0] == counts, stamp


def test_a_tap_within_a_call_longer_than_a_hold_is_a_tap() -> None:
    for up in (21200, 21400, 22199):  # nobody saw it held for a second
        run = started()
        run.run(20000)
        run.stall(21200)
        run.touch(juz(A), 21200, up - 21200)
        run.run(24000)
        assert ended(run) == [(20000, A, k.BY_JUZ, 19000)], up


def test_a_hold_that_began_in_a_call_is_one_when_it_was_seen_held_for_its_time() -> None:
    run = started()
    run.run(20000)
    run.stall(21200)
    run.touch(juz(A), 21200, 1000)
    run.run(24000)
    assert ended(run) == [(20000, A, k.BY_EMPTY_RACK, 19000)]


def test_a_press_just_before_a_call_and_released_in_it_is_a_tap() -> None:
    run = started()
    run.stamp(juz(A), True, 19999)
    run.run(20000)
    run.stall(20190)
    run.stamp(juz(A), False, 20190)
    run.run(21000)
    assert ended(run) == [(19999, A, k.BY_JUZ, 18999)]


def test_a_tap_that_begins_a_move_is_not_dated_early() -> None:
    run = BoxRun()
    settings = rules.Settings()
    settings.first = k.SEAT_A
    run.run(1000)
    run.command(k.C_CONFIGURE, b"\x01\x00" + settings.pack())
    run.run(5000)
    run.stall(7000)  # a folder becomes a file
    run.touch(juz(A), 7000)
    run.run(8000)
    assert [fact[1] for fact in run.facts(k.MOVE_STARTED)] == [7000]


def test_a_call_from_the_guard_time_into_the_move_leaves_the_press_its_chance() -> None:
    for end, counts in ((20430, False), (20480, True), (21400, True)):  # 150 ms of it lie within the guard
        run = started()
        run.touch(juz(A), 20000, 60)
        run.run(20150)
        run.stall(end)
        run.touch(juz(B), end, 60)
        run.run(end + 500)
        assert [move[0] for move in ended(run)] == ([20000, 20300] if counts else [20000]), end
        assert len(run.facts(k.STRAY_TAP)) == (0 if counts else 1)


def test_a_kostka_in_a_call_is_dated_to_its_start_even_in_the_guard_time() -> None:
    run = started()
    run.touch(juz(A), 20000, 60)
    run.run(20150)
    run.stall(21000)
    run.touch(k.KOSTKA, 21000, 60)
    run.run(22000)
    assert [fact[1] for fact in run.facts(k.TILE_DRAWN)] == [20150]


def test_a_stall_across_a_release_makes_no_hold_of_a_tap() -> None:
    run = started()
    run.stamp(juz(A), True, 20000)
    run.run(20950)
    run.stall(21030)
    run.stamp(juz(A), False, 21031)  # up in truth some time in the stall
    run.run(22000)
    assert ended(run)[0][2] == k.BY_JUZ


# --- nothing stalls near a limit ---


def test_no_flash_write_in_the_last_300_ms_before_a_limit() -> None:
    run = started()
    for at in (LIMIT - 5000, LIMIT - 400, LIMIT - 290, LIMIT - 150, LIMIT - 60):
        run.touch(k.KOSTKA, at, 15)
    run.flash.written_at = []
    run.run(LIMIT - 450)
    run.run_every_ms(LIMIT + 50)
    assert [at for at in run.flash.written_at if LIMIT - 300 <= at < LIMIT] == []
    assert run.box.clock.facts == []  # what waited was written as soon as the limit had passed
    assert min(at for at in run.flash.written_at if at >= LIMIT) <= LIMIT + 2
    assert len(run.facts(k.TILE_DRAWN)) == 5


def test_no_flash_write_before_the_grace_time_ends_or_a_countdown() -> None:
    run = started(on_expiry=rules.ADVANCE, grace_ms=10000)
    run.touch(k.KOSTKA, LIMIT + 9800)
    run.run(LIMIT + 9700)
    run.flash.written_at = []
    run.run(LIMIT + 10000)
    assert [at for at in run.flash.written_at if at < LIMIT + 10000] == []


def test_a_fact_that_must_wait_for_the_limit_wakes_nobody_before() -> None:
    run = started()
    run.touch(k.KOSTKA, LIMIT - 200)
    run.run(LIMIT - 200 + TAP_MS + 60)
    assert run.box.clock.facts != []
    assert run.box.wake_at() == LIMIT


def test_while_a_press_holds_up_the_limit_the_box_sleeps_until_it_is_decided() -> None:
    run = started()
    run.touch(k.KOSTKA, LIMIT - 250, 40)
    run.stamp(juz(A), True, LIMIT - 1)
    run.pump(LIMIT - 250)
    run.pump(LIMIT - 150)
    run.pump(LIMIT + 10)
    assert run.box.clock.facts != []
    assert run.box.wake_at() == LIMIT - 1 + 1000
    run.pump(LIMIT + 20)
    assert run.box.wake_at() == LIMIT - 1 + 1000


def test_the_remaining_time_is_written_every_five_seconds_of_a_move_until_its_last() -> None:
    run = started()
    run.flash.written_at = []
    run.run(LIMIT - 301)
    marks = sorted(set(run.flash.written_at))
    assert len(marks) == 11 and max(marks) < LIMIT - 1000
    for place in range(len(marks)):
        assert marks[place] - (marks[place - 1] if place else BEGAN) <= 5000


def test_no_checkpoint_while_a_contact_is_down() -> None:
    run = started()
    run.run(5000)
    run.flash.written_at = []
    run.stamp(k.KOSTKA, True, 5800)
    run.run(6600)
    assert run.flash.written_at == []
