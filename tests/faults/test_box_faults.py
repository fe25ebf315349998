"""What goes wrong within a box: exceptions, flash that fails, stuck buttons."""

from __future__ import annotations

from typing import Any

import pytest

from dalej.simulator.box import MemoryFlash
from moveclock import facts as k
from tests.desk.setting import Place, Setting, expect_clean
from tests.link.hand import Hand, hello, is_live
from tests.link.rig import Rig, facts_of

# --- an exception in a handler: counted as a fault fact with a numbered code, box goes on -----


class Sick:
    """Stands where something sound was, and breaks on every touch."""

    def __getattr__(self, name: str) -> Any:
        raise RuntimeError(f"no {name} today")


@pytest.mark.parametrize(
    ("code", "part"),
    [
        (k.E_EDGE_HANDLER, "_contacts"),
        (k.E_TICK_HANDLER, "_contacts"),
        (k.E_RECEIVE_HANDLER, "_board"),
        (k.E_LINK_HANDLER, "journal"),
    ],
)
def test_an_exception_in_a_handler(code: int, part: str) -> None:
    hand = Hand().configured()
    hand.tap(2 * k.SEAT_A)
    box = hand.box
    session = hand.session(1)
    hand.wait(100)
    hand.frames()
    sound = getattr(box, part)

    setattr(box, part, Sick())
    if code == k.E_EDGE_HANDLER:
        box.edge(k.SEDZIA, True, hand.now)
    elif code == k.E_TICK_HANDLER:
        box.tick(hand.now)
    elif code == k.E_RECEIVE_HANDLER:
        box.receive(1, hello(), hand.now)
    else:
        hand.now += 1500
        assert box.send(1, hand.now) is None
    setattr(box, part, sound)
    hand.wait(3000)
    hand.talk(session)

    assert is_live(session)
    assert [fact.code for fact in facts_of(1, _records(hand)) if fact.kind == k.FAULT] == [code]
    assert box.view(hand.now - 2900).displays
    hand.tap(2 * k.SEAT_A)
    assert box.clock.seat == k.SEAT_B


def test_faults_of_one_kind_are_told_every_ten_seconds_at_most() -> None:
    hand = Hand().configured()
    for _ in range(100):
        hand.box.edge(99, True, hand.now)
        hand.wait(250)

    faults = [fact for fact in facts_of(1, _records(hand)) if fact.kind == k.FAULT]
    assert [fact.code for fact in faults] == [k.E_EDGE_HANDLER] * 3


def test_a_fact_that_cannot_be_written_down_does_not_hold_up_the_others() -> None:
    hand = Hand().configured()
    hand.box.clock.emit(k.STRAY_TAP, hand.now, 0, c=70_000)  # does not fit into its two bytes
    hand.box.clock.emit(k.REFEREE_CALLED, hand.now)

    hand.wait(10_000)

    names = [fact.name for fact in facts_of(1, _records(hand))]
    assert "stray_tap" not in names
    assert names.count("referee_called") == 1
    assert names.count("fault") == 2  # that it happened, and that one fact was given up
    assert not hand.box.clock.facts


def test_an_order_that_fails_half_way_is_refused_and_a_fault() -> None:
    hand = Hand().configured()
    session = hand.session()
    hand.box.clock.start = Sick()  # type: ignore[method-assign,assignment]  # whatever a defect might do

    session.command(7, k.C_START, b"", hand.now)
    hand.talk(session)
    hand.wait(100)

    facts = facts_of(1, _records(hand))
    assert [(fact.a, fact.c) for fact in facts if fact.kind == k.COMMAND_REFUSED] == [(7, k.R_UNKNOWN)]
    assert [fact.code for fact in facts if fact.kind == k.FAULT] == [k.E_TICK_HANDLER]


def _records(hand: Hand) -> list[bytes | None]:
    held = hand.box.journal
    return [held.record(seq) for seq in range(held.oldest, held.head + 1)]


def test_flash_that_fails_for_minutes_does_not_stop_the_game_and_what_was_given_up_is_told() -> None:
    rig = Rig().configured()
    flash = rig.sim.flash
    assert isinstance(flash, MemoryFlash)
    rig.tap(2 * k.SEAT_A)

    flash.broken = True
    for move in range(60):
        rig.run(1000)
        rig.tap(2 * (move % 4))
    assert rig.sim.box is not None
    assert len(rig.sim.box.clock.facts) <= 100
    assert rig.sim.box.clock.move == 61
    flash.broken = False
    rig.run(5000)
    rig.settle()

    log = rig.shelf.log()
    assert log == rig.journal()
    faults = [fact for fact in log if fact.kind == k.FAULT]
    assert [fact.code for fact in faults] == [k.E_FLASH_WRITE] * 2
    ended = [fact.move for fact in log if fact.kind == k.MOVE_ENDED]
    started = [fact.move for fact in log if fact.kind == k.MOVE_STARTED]
    assert faults[1].a + len(ended) + len(started) == 60 + 61
    assert ended[-1] == 60


# --- a button stuck or held: its fault code, the rest of the box goes on -----


@pytest.mark.parametrize("contact", [2 * k.SEAT_B, 2 * k.SEAT_C + 1, k.KOSTKA, k.SEDZIA])
def test_a_button_stuck_or_held(setting: Setting, place: Place, contact: int) -> None:
    setting.tap(2 * k.SEAT_D)  # not the starter's: stray
    setting.box.edge(contact, True)
    setting.run(6000)
    setting.tap(2 * k.SEAT_A)
    setting.run(2000)
    setting.tap(2 * k.SEAT_A + 1)
    setting.run(7000)
    setting.settle(place)

    faults = [fact for fact in place.facts() if fact.kind == k.FAULT]
    assert [fact.code for fact in faults] == [k.E_STUCK + contact]
    assert place.names().count("move_ended") == 1
    box = setting.box.box
    assert box is not None
    assert box.clock.state == k.RUNNING
    left = box.clock.watch.remaining(box.uptime.now)
    setting.box.power_off()
    setting.box.power_on()
    assert setting.box.box is not None
    assert setting.box.box.clock.watch.remaining(0) - left <= 5000  # checkpoints go on too

    setting.box.edge(contact, False)
    setting.run(1000)
    setting.settle(place)
    expect_clean(place.ledger)
