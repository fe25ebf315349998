"""A counter that wraps every 12.4 days, and the durations that must not notice."""

from moveclock.ticks import PERIOD, Uptime

LATE = PERIOD - 7  # seven ms before the counter wraps


def test_uptime_begins_at_zero_whatever_the_counter_shows() -> None:
    for raw in (0, 1, PERIOD // 2, LATE, PERIOD - 1):
        uptime = Uptime(raw)
        assert uptime.now == 0 and uptime.advance(raw) == 0


def test_the_counter_wraps_in_the_middle_of_a_move_and_there_is_nothing_to_see() -> None:
    plain, wrapping = Uptime(0), Uptime(LATE)
    for at in (1, 6, 7, 8, 500, 59999, 60000):
        assert wrapping.advance((LATE + at) % PERIOD) == plain.advance(at) == at
        for stamp in (at - 1, at, at + 40):
            assert wrapping.date((LATE + stamp) % PERIOD) == plain.date(stamp) == stamp
        assert wrapping.until(at + 10000) == (plain.until(at + 10000) + LATE) % PERIOD


def test_an_event_of_weeks_wraps_many_times() -> None:
    uptime = Uptime(LATE)
    at = 0
    for _ in range(40):
        at += PERIOD // 2 - 1
        assert uptime.advance((LATE + at) % PERIOD) == at
    assert at > 18 * PERIOD


def test_a_stamp_is_dated_before_or_after_the_last_reading() -> None:
    uptime = Uptime(100)
    uptime.advance(1100)
    for off in (0, -1, -999, 80, PERIOD // 2 - 1):
        assert uptime.date(1100 + off) == 1000 + off
    assert uptime.now == 1000  # dating is no reading


def test_a_stamp_from_before_the_start_is_dated_to_the_start() -> None:
    assert Uptime(100).date(40) == 0
    assert Uptime(3).date(PERIOD - 5) == 0


def test_a_reading_older_than_the_last_changes_nothing() -> None:
    uptime = Uptime(0)
    uptime.advance(5000)
    assert uptime.advance(4990) == 5000
    assert uptime.advance(5001) == 5001


def test_the_counter_value_of_an_instant_leads_back_to_it() -> None:
    for start in (0, LATE, PERIOD // 2):
        uptime = Uptime(start)
        uptime.advance((start + 100000) % PERIOD)
        for at in (99999, 100000, 100001, 100000 + PERIOD // 2 - 1):
            raw = uptime.until(at)
            assert 0 <= raw < PERIOD and uptime.date(raw) == at


def test_a_narrower_counter_counts_alike() -> None:
    uptime = Uptime(250, 256)
    seen = [uptime.advance(raw) for raw in (255, 4, 100, 200, 30)]
    assert seen == [5, 10, 106, 206, 292]
    assert uptime.date(29) == 291 and uptime.date(31) == 293
