"""A tap right after a move began was meant for the one before, or slipped; with shared buttons that is likelier."""

from clock_run import juz, started
from moveclock import facts as k

A, B, C, D = range(4)


def test_a_tap_of_the_newly_active_seat_within_the_guard_is_ignored_and_recorded() -> None:
    run = started()
    run.press(juz(A), 10000)
    run.told()
    run.press(juz(B), 10299)
    assert run.told() == [(k.STRAY_TAP, 10299, 1, 2, B, juz(B), 0, 0, 0)]
    run.press(juz(B), 10300)
    assert run.told(k.MOVE_ENDED) == [(k.MOVE_ENDED, 10300, 1, 2, B, k.BY_JUZ, 300, 0, 50)]


def test_the_guard_holds_also_after_a_restored_time_out() -> None:
    run = started()
    run.wait(60000)
    run.press(juz(B), 65000)
    run.told()
    run.press(juz(B), 65299)
    assert run.told(k.MOVE_ENDED) == []
    run.press(juz(B), 65300)
    assert run.told(k.MOVE_ENDED)[0][6] == 300


def test_the_guard_of_shared_buttons_is_a_second() -> None:
    run = started(shared=True)
    run.press(k.SHARED_JUZ, 10000)
    run.told()
    run.press(k.SHARED_DALEJ, 10999)
    assert run.told() == [(k.STRAY_TAP, 10999, 1, 2, k.NOBODY, k.SHARED_DALEJ, 0, 0, 0)]
    run.press(k.SHARED_DALEJ, 11000)
    assert run.told(k.MOVE_ENDED)[0][4:7] == (B, k.BY_DALEJ, 1000)


def test_the_active_seat_is_the_presser_of_shared_buttons() -> None:
    run = started(shared=True)
    for at, seat in ((10000, A), (20000, B), (30000, C), (40000, D), (50000, A)):
        run.press(k.SHARED_JUZ, at)
        assert run.told(k.MOVE_ENDED)[0][4] == seat
    run.wait(110000)
    run.press(k.SHARED_DALEJ, 115000)
    assert run.told(k.TABLE_RESTORED)[0][4:6] == (B, k.UNDONE)


def test_a_late_click_on_shared_buttons_is_no_verdict() -> None:
    run = started(shared=True)
    run.wait(60000)
    run.told()
    run.press(k.SHARED_JUZ, 60999)
    assert run.told() == [(k.STRAY_TAP, 60999, 1, 1, k.NOBODY, k.SHARED_JUZ, 0, 0, 0)]
    run.press(k.SHARED_JUZ, 61000)
    assert run.told(k.TABLE_RESTORED)[0][5:7] == (k.STANDS, 1000)
