"""A box that loses its power or is reset."""

from __future__ import annotations

import pytest

from dalej.domain.game.facts import Fact
from dalej.simulator.box import MemoryFlash
from moveclock import facts as k
from moveclock.clock import Clock
from tests.faults.dying import DONE, LIMIT_MS, TORN, UNDONE, DyingFlash, Evening
from tests.link.rig import Rig

# --- box loses power at any byte of any write: synced facts intact, seq never reused, box back in `stopped`,
#     remaining within 5 s, a press whose flush never returned was never shown to the desk -----


def lose_power_at(change: int, how: int) -> None:
    evening = Evening(DyingFlash(change, how))
    rig = evening.rig
    held = rig.journal()

    assert evening.cut, (change, how)
    assert rig.shelf.log() == held, (change, how)
    assert not rig.shelf.conflicts, (change, how)
    assert [fact.seq for fact in held] == list(range(1, len(held) + 1))
    restarts = [place for place, fact in enumerate(held) if fact.kind == k.BOOTED]
    after = held[restarts[-1] :]
    stopped = [fact for fact in after if fact.kind == k.CLOCK_STOPPED and fact.code == k.BOX_LOST_POWER]
    if evening.state in (k.RUNNING, k.EXPIRED) and held[restarts[-1]].game and (1, 1) in evening.truth:
        assert stopped or not _was_running(held[: restarts[-1]]), (change, how)
    for fact in stopped:
        played = evening.truth.get((fact.game, fact.move))
        if played is not None and fact.a:
            assert -1 <= played - (LIMIT_MS - fact.a) <= 5000, (change, how, played, fact)


def _was_running(facts: list[Fact]) -> bool:
    states = {k.MOVE_STARTED: True, k.GAME_ENDED: False, k.CONFIGURED: False}
    return next((states[fact.kind] for fact in reversed(facts) if fact.kind in states), False)


def changes_of_an_evening() -> int:
    flash = DyingFlash()
    Evening(flash)
    return flash.changes


@pytest.mark.parametrize("how", [UNDONE, DONE, TORN], ids=["undone", "done", "torn"])
def test_box_loses_power_at_any_write(how: int) -> None:
    for change in range(1, changes_of_an_evening() + 1):
        lose_power_at(change, how)


@pytest.mark.parametrize("down_ms", [700, 4000, 4999, 5001, 9000, 14_500, 19_500])
def test_box_loses_power_within_a_move_and_is_at_most_5_s_off(down_ms: int) -> None:
    rig = Rig().configured()
    rig.tap(2 * k.SEAT_A)
    began = rig.journal()[-1].uptime_ms
    assert rig.sim.box is not None
    rig.run(began + down_ms - rig.sim.box.uptime.now)

    rig.sim.power_off()
    rig.sim.power_on()
    rig.run(2000)

    box = rig.sim.box
    assert box is not None
    assert (box.clock.state, box.clock.reason, box.clock.seat) == (k.STOPPED, k.BOX_LOST_POWER, k.SEAT_A)
    assert 0 <= down_ms - (60_000 - box.clock.watch.remaining(box.uptime.now)) <= 5000
    rig.run(600_000)
    assert box.clock.state == k.STOPPED  # it never resumes by itself


# --- watchdog, soft reset: state from RTC memory, stopped -----


@pytest.mark.parametrize("reason", [k.WATCHDOG, k.SOFT_RESET, k.HARD_RESET])
@pytest.mark.parametrize("down_ms", [400, 4321, 17_017, 59_500])
def test_watchdog_soft_reset(reason: int, down_ms: int) -> None:
    rig = Rig().configured()
    rig.tap(2 * k.SEAT_A)
    began = rig.journal()[-1].uptime_ms
    assert rig.sim.box is not None
    while rig.sim.box.uptime.now < began + down_ms:  # the loop runs many times a second
        rig.run(min(20, began + down_ms - rig.sim.box.uptime.now))
        rig.sim.pump()

    rig.sim.reset(reason)
    rig.run(2000)

    box = rig.sim.box
    assert box is not None
    assert (box.clock.state, box.clock.seat) == (k.STOPPED, k.SEAT_A)
    assert abs(box.clock.watch.remaining(box.uptime.now) - (60_000 - down_ms)) <= 100
    booted = [fact for fact in rig.journal() if fact.kind == k.BOOTED]
    assert [fact.code for fact in booted] == [k.POWER_ON, reason]
    rig.settle()
    assert rig.shelf.log() == rig.journal()


def clock_of(rig: Rig) -> Clock:
    assert rig.sim.box is not None
    return rig.sim.box.clock


def test_watchdog_while_flash_fails_gives_back_the_state_that_the_log_knows() -> None:
    """A press that was never written down did not happen: not on flash, not in memory, not at the desk."""
    rig = Rig().configured()
    rig.tap(2 * k.SEAT_A)
    rig.run(5000)
    flash = rig.sim.flash
    assert isinstance(flash, MemoryFlash)
    flash.broken = True
    rig.tap(2 * k.SEAT_A)
    assert clock_of(rig).seat == k.SEAT_B
    for _ in range(10):
        rig.run(50)
        rig.sim.pump()

    flash.broken = False
    rig.sim.crash()  # no last turn of the loop: it hung
    rig.sim.power_on(k.WATCHDOG)
    rig.run(3000)

    assert clock_of(rig).seat == k.SEAT_A
    assert clock_of(rig).state == k.STOPPED


def test_memory_with_garbage_in_it_is_not_believed() -> None:
    rig = Rig().configured()
    rig.tap(2 * k.SEAT_A)
    rig.run(7000)
    rig.sim.power_off()
    rig.sim.board.kept = bytes(range(90))

    rig.sim.power_on()

    box = rig.sim.box
    assert box is not None
    assert 0 <= 7000 + 200 - (60_000 - box.clock.watch.remaining(box.uptime.now)) <= 5000
