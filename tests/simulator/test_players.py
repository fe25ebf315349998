"""Simulated players at a simulated box, and a referee whom the desk may let down."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from random import Random

import pytest

from dalej.simulator.players import LONG_HOLD_MS, Habits, Players
from moveclock import facts as k
from moveclock.clock import Clock
from tests.desk.setting import Setting

MINUTE_MS = 60_000
COUNT_DOWN_MS = 1_000  # more than the box takes from the hold to running time


@pytest.fixture
def setting(tmp_path: Path) -> Iterator[Setting]:
    """A table that was set up, and then the desk went away."""
    with Setting(tmp_path) as setting:
        place = setting.desk()
        setting.configure(place)
        place.radio.abandon()
        yield setting


def seated(setting: Setting, habits: Habits) -> tuple[Clock, Players]:
    """Players whose referee gets everything through to the box, and the box's clock."""
    powered = setting.box.box
    assert powered is not None
    players = Players(setting.world, setting.box, Random(1), lambda _command, _args: True, 400, habits)
    players.sit_down()
    return powered.clock, players


def test_players_whose_referee_gets_nothing_through_to_the_box_help_themselves(setting: Setting) -> None:
    powered = setting.box.box
    assert powered is not None
    clock = powered.clock
    asked: list[str] = []
    goes_on: list[bool] = []

    def ask(command: str, args: dict[str, int | str]) -> bool:
        asked.append(command)
        if command == "resume":
            assert clock.state == k.STOPPED
            setting.world.after(LONG_HOLD_MS[1] + COUNT_DOWN_MS, lambda: goes_on.append(clock.state != k.STOPPED))
        return False

    players = Players(setting.world, setting.box, Random(1), ask, 40, Habits(disputes=0.5))
    players.sit_down()
    setting.run(45 * MINUTE_MS)

    assert {"give_time", "end_game"} <= set(asked)
    assert len(goes_on) > 3
    assert all(goes_on)
    assert players.moves >= 40
    assert not players.gone_home


def test_players_leave_what_waits_to_a_person_who_looks_and_settle_it_when_nobody_does(setting: Setting) -> None:
    clock, players = seated(setting, Habits(disputes=0.5))
    while clock.state != k.STOPPED:
        setting.run(100)

    for _second in range(60):
        players.be_watched()
        setting.run(1_000)
        assert clock.state == k.STOPPED

    setting.run(MINUTE_MS)
    assert clock.state != k.STOPPED or clock.move > 1


def test_a_clock_that_a_person_has_stopped_stands_until_a_person_lets_it_go_on(
    tmp_path: Path, kept_open: ExitStack
) -> None:
    setting = kept_open.enter_context(Setting(tmp_path))
    place = setting.desk()
    setting.configure(place)
    clock, players = seated(setting, Habits(disputes=0))
    while clock.state != k.RUNNING:
        setting.run(100)
    clock.stop(setting.world.now_ms, k.ROUND_BREAK, k.DESK)
    setting.run(5 * MINUTE_MS)
    assert clock.state == k.STOPPED

    moves = players.moves
    clock.resume(setting.world.now_ms, k.DESK)
    setting.run(2 * MINUTE_MS)
    assert players.moves > moves


def test_a_player_whom_all_others_have_left_waits_for_nobody(tmp_path: Path, kept_open: ExitStack) -> None:
    setting = kept_open.enter_context(Setting(tmp_path))
    place = setting.desk()
    setting.configure(place)
    clock, players = seated(setting, Habits(disputes=0))
    while clock.move < 5:
        setting.run(100)
    clock.stop(setting.world.now_ms, k.REFEREE, k.DESK)
    for seat in (k.SEAT_B, k.SEAT_C, k.SEAT_D):
        clock.order(k.C_WITHDRAW, setting.world.now_ms, (seat,))
    assert clock.state == k.OVER

    setting.run(10 * MINUTE_MS)
    assert players.resting
    assert not players.gone_home
    assert "stray_tap" not in place.names()
    assert clock.state == k.OVER

    setting.configure(place)  # a table that is set up anew has four players again
    setting.run(MINUTE_MS)
    assert not players.resting
    assert clock.state != k.OVER
