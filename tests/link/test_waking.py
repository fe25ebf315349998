"""A box sleeps until something is due: it is called no more often than its work needs, and no state spins."""

from __future__ import annotations

import pytest

from dalej.simulator.box import Faults
from moveclock import facts as k
from tests.link.rig import Rig, Shelf

DAY = 86_400_000
MINUTES = 24 * 60


def alone() -> Rig:
    """A configured box out of everybody's reach."""
    rig = Rig().configured()
    rig.settle()
    rig.radio.set_reach(rig.sim.uid, False)
    rig.run(5000)
    rig.sim.pumps = 0
    return rig


def test_an_idle_day_without_a_desk_is_a_call_a_minute() -> None:
    rig = alone()

    rig.run(DAY)

    assert rig.sim.pumps <= MINUTES + 5


def test_an_idle_day_with_a_desk_is_a_call_for_every_ping() -> None:
    rig = Rig(shelf=Shelf(ping_ms=10_000)).configured()
    rig.settle()
    rig.sim.pumps, steps = 0, rig.world.steps

    rig.run(DAY)

    pings = DAY // 10_000
    assert rig.sim.pumps <= pings * 11 // 10
    assert rig.world.steps - steps <= 6 * pings
    assert rig.radio.cuts == 0


@pytest.mark.parametrize("state", ["stopped", "expired", "over"])
def test_a_table_that_nobody_touches_for_a_day_rests_in_every_state(state: str) -> None:
    rig = alone()
    rig.tap(2 * k.SEAT_A)
    if state == "stopped":
        rig.tap(k.SEDZIA, 1500)
    elif state == "over":
        rig.run(1000)
        rig.tap(2 * k.SEAT_A, 1500)
    else:
        rig.run(100_000)
    assert rig.sim.box is not None
    assert rig.sim.box.clock.state == {"stopped": k.STOPPED, "expired": k.EXPIRED, "over": k.OVER}[state]
    rig.sim.pumps = 0

    rig.run(DAY)

    assert rig.sim.pumps <= MINUTES + 10


def test_a_running_minute_is_a_call_for_every_checkpoint() -> None:
    rig = alone()
    rig.tap(2 * k.SEAT_A)
    rig.sim.pumps = 0

    rig.run(59_000)

    assert rig.sim.pumps <= 15


def test_a_stuck_contact_keeps_nobody_awake() -> None:
    rig = alone()
    rig.sim.edge(k.SEDZIA, True)
    rig.run(10_000)
    rig.sim.pumps = 0

    rig.run(3_600_000)

    assert rig.sim.pumps <= 65


def test_flash_that_fails_for_an_hour_is_tried_every_two_seconds() -> None:
    rig = alone()
    rig.sim.flash.broken = True  # type: ignore[attr-defined]  # the one in memory
    rig.tap(k.SEDZIA)
    rig.sim.pumps = 0

    rig.run(3_600_000)

    assert rig.sim.pumps <= 1800 + 65


def test_a_radio_without_any_room_is_tried_no_more_than_twenty_times_a_second() -> None:
    rig = Rig().configured()
    rig.tap(k.SEDZIA)
    rig.radio.faults = Faults(full=1.0)
    rig.sim.pumps = 0

    rig.tap(k.SEDZIA)
    rig.run(10_000)

    assert rig.sim.pumps <= 220


def test_a_desk_that_never_acknowledges_costs_a_window_a_second() -> None:
    rig = Rig().configured()
    rig.shelf.full = True
    rig.moves(8)
    rig.run(3000)
    rig.sim.pumps = 0

    rig.run(60_000)

    assert rig.sim.pumps <= 60 * 20


def test_an_advertisement_changes_only_with_head_and_alarm() -> None:
    rig = alone()
    box = rig.sim.box
    assert box is not None
    before = box.advertisement()

    rig.run(3_600_000)
    assert box.advertisement() == before
    rig.tap(k.SEDZIA)
    assert box.advertisement() != before


def test_an_hour_of_sounds_that_nobody_fetches_stays_small() -> None:
    rig = alone()
    for _ in range(50):
        rig.tap(k.SEDZIA)
    assert rig.sim.box is not None
    assert len(rig.sim.box.sounds) <= 8
