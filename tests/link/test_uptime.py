"""When something happened: a box's uptime on the desk's clock, from round trips, and never more than is known."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from dalej.link.uptime import UptimeMap
from dalej.simulator.box import Faults
from moveclock import facts as k
from tests.link.rig import Rig

BOOT = (77, 3)
WRAP = 1 << 32
HOUR = 3_600_000


def ping(uptimes: UptimeMap, at_ms: int, uptime_ms: int, *, there: int = 0, back: int = 0) -> None:
    """A round trip that took `there` and `back` ms, the box answering at `uptime_ms`, `there` after `at_ms`."""
    uptimes.measured(BOOT, at_ms, at_ms + there + back, uptime_ms % WRAP)


def test_a_boot_that_was_never_met_has_no_time() -> None:
    uptimes = UptimeMap()
    ping(uptimes, 1000, 500)

    assert uptimes.desk_ms((77, 2), 500) is None
    assert uptimes.desk_ms((78, 3), 500) is None  # a journal that began anew counts its boots from 1 again
    assert uptimes.uptime_at((77, 2), 1000) is None
    assert uptimes.error_ms((77, 2)) is None
    assert uptimes.drift_ppm((77, 2)) is None


def test_of_a_boot_that_was_only_heard_it_is_known_what_was_not_later() -> None:
    uptimes = UptimeMap()
    assert uptimes.latest_ms(BOOT, 500) is None
    uptimes.heard(BOOT, WRAP - 500, 10_000)  # said up to then, perhaps long before

    assert uptimes.latest_ms(BOOT, WRAP - 700) == 9_800
    assert uptimes.latest_ms(BOOT, 1_000) == 11_500
    assert uptimes.latest_ms((77, 2), 1_000) is None
    assert uptimes.desk_ms(BOOT, 1_000) is None
    uptimes.heard(BOOT, 2_000, 12_100)
    assert uptimes.latest_ms(BOOT, 1_000) == 11_100
    ping(uptimes, 13_000, 5_000, there=10, back=10)
    assert uptimes.latest_ms(BOOT, 1_000) == uptimes.desk_ms(BOOT, 1_000) == 9_010


def test_the_smallest_round_trip_wins() -> None:
    uptimes = UptimeMap()
    ping(uptimes, 0, 5000 + 900, there=900, back=100)
    ping(uptimes, 4000, 5000 + 4010, there=10, back=10)
    ping(uptimes, 8000, 5000 + 8020, there=20, back=400)

    assert uptimes.desk_ms(BOOT, 5000) == 0
    assert uptimes.desk_ms(BOOT, 14_321) == 9321
    assert uptimes.error_ms(BOOT) == 10


@given(
    st.integers(0, WRAP - 1),
    st.integers(-100, 100),
    st.lists(st.tuples(st.integers(0, 300), st.integers(0, 300)), min_size=1, max_size=60),
    st.integers(-600_000, 60_000),
)
def test_a_stamp_is_dated_within_its_round_trip_and_the_crystals_drift(
    start: int, ppm: int, trips: list[tuple[int, int]], ahead: int
) -> None:
    """One ping every 4 s; `ahead`: when the stamp was taken, seen from the last ping."""
    uptimes = UptimeMap()

    def uptime(desk: int) -> int:
        return start + desk + desk * ppm // 1_000_000

    for number, (there, back) in enumerate(trips):
        sent = HOUR + 4000 * number
        ping(uptimes, sent, uptime(sent + there), there=there, back=back)
    made = HOUR + 4000 * (len(trips) - 1) + ahead

    dated = uptimes.desk_ms(BOOT, uptime(made) % WRAP)
    error = uptimes.error_ms(BOOT)

    assert dated is not None
    assert error is not None
    assert error <= max(there + back for there, back in trips) // 2 + 1
    drifted = (abs(ahead) + 4000 * len(trips)) * 500 // 1_000_000
    assert abs(dated - made) <= error + drifted + 2


@given(st.integers(0, WRAP - 1), st.integers(0, 10 * HOUR))
def test_an_instant_sent_ahead_is_the_inverse_of_a_stamp(start: int, ahead: int) -> None:
    uptimes = UptimeMap()
    ping(uptimes, 500, start)

    uptime = uptimes.uptime_at(BOOT, 500 + ahead)

    assert uptime == (start + ahead) % WRAP
    assert uptimes.desk_ms(BOOT, uptime) == 500 + ahead


def test_drift_is_unknown_until_the_span_is_long_against_the_round_trips() -> None:
    uptimes = UptimeMap()
    ping(uptimes, 0, 0, there=50, back=50)
    ping(uptimes, 61_000, 61_006, there=50, back=50)
    assert uptimes.drift_ppm(BOOT) is None

    for minute in range(2, 120):
        at = 60_000 * minute
        ping(uptimes, at, at + 50 + at * 100 // 1_000_000, there=50, back=50)
    drift = uptimes.drift_ppm(BOOT)
    assert drift is not None
    assert 90 <= drift <= 110


def test_the_map_follows_a_box_that_drifts_by_100_ppm_for_a_day() -> None:
    uptimes = UptimeMap()
    for minute in range(24 * 60):
        at = 60_000 * minute
        ping(uptimes, at, at + 20 + at * 100 // 1_000_000, there=20, back=20)
        dated = uptimes.desk_ms(BOOT, at + 30_000 + (at + 30_000) * 100 // 1_000_000)
        assert dated is not None
        assert abs(dated - (at + 30_000)) <= 100


def test_an_old_perfect_round_trip_does_not_outlive_its_worth() -> None:
    """Twenty minutes later the crystal has drifted further than a slow round trip is wide."""
    uptimes = UptimeMap()
    ping(uptimes, 0, 0)
    for minute in range(20, 24):
        at = 60_000 * minute
        ping(uptimes, at, at + 60 + at * 400 // 1_000_000, there=60, back=60)
    assert uptimes.drift_ppm(BOOT) is None  # as long as that is not known

    made = 24 * 60_000
    dated = uptimes.desk_ms(BOOT, made + made * 400 // 1_000_000)
    assert dated is not None
    assert abs(dated - made) <= 100


def test_a_computer_that_slept_starts_the_map_anew() -> None:
    """Its monotonic clock stood still for ten minutes, the box's did not."""
    uptimes = UptimeMap()
    for number in range(30):
        ping(uptimes, 4000 * number, 4000 * number)
    ping(uptimes, 120_000, 120_000 + 600_000 + 50, there=50, back=50)

    assert uptimes.desk_ms(BOOT, 720_050) == 120_050


def test_an_evening_of_pings_takes_no_more_room_than_a_minute_s() -> None:
    uptimes = UptimeMap()
    for number in range(10_000):
        ping(uptimes, 4000 * number, 4000 * number, there=number % 7)
    for boot in range(1000):
        uptimes.measured((77, boot), 0, 10, 5)

    assert sum(len(samples) for samples in uptimes._samples.values()) < 200


def test_facts_of_this_boot_are_dated_and_facts_of_a_boot_that_was_never_met_are_not() -> None:
    rig = Rig(ppm=80, raw_start=(1 << 30) - 5000).configured()
    rig.radio.set_reach(rig.sim.uid, False)
    rig.sim.power_off()
    rig.run(1000)
    rig.sim.power_on()  # a boot that no desk meets
    rig.run(20_000)
    rig.sim.power_off()
    rig.sim.power_on()
    rig.radio.set_reach(rig.sim.uid, True)
    rig.settle()
    rig.radio.faults = Faults(delay_ms=(5, 60))
    rig.run(30_000)
    at = rig.world.now_ms
    rig.tap(k.SEDZIA)
    rig.settle()

    epoch = rig.journal()[0].epoch
    pressed = rig.journal()[-1]
    dated = rig.shelf.uptimes.desk_ms((epoch, pressed.boot), pressed.uptime_ms)
    assert dated is not None
    assert abs(dated - at) <= 35
    assert rig.shelf.uptimes.desk_ms((epoch, 2), 100) is None
