"""What the flat box takes is counted as the firmware lights it, and a bank lasts as long as the pages say."""

from __future__ import annotations

from pathlib import Path

import pytest

from hardware import bank, firmware
from hardware.flat import budget, currents
from moveclock import view as v
from tests.board.board import VirtualBoard
from tests.firmware.edge import DISPLAY, PINS, machine, on_board, pressed, set_up, tap

SETUP = pressed(0, 1)


def test_every_figure_has_a_source_and_a_worst_that_is_worse() -> None:
    for one in currents.FIGURES:
        assert len(one.source) > 7, one.what
        assert one.worst > one.typical, one.what
    assert {value for value in vars(currents).values() if isinstance(value, currents.Figure)} == set(currents.FIGURES)


def test_the_peak_is_the_most_of_every_mode_and_less_than_a_bank_gives() -> None:
    for case in currents.CASES:
        assert max(sum(currents.taken(mode, case)) for mode in currents.MODES) <= currents.peak(case) < 1500


def test_an_idle_box_takes_more_than_a_bank_wants() -> None:
    """Most banks switch themselves off below 50 to 100 mA."""
    assert min(sum(currents.taken(mode, "typical")) for mode in currents.MODES) > 120


def test_a_dark_box_takes_what_its_parts_take_by_hand() -> None:
    idle = currents.taken("idle", "typical")

    assert idle.lamps == pytest.approx(33 * 0.9)
    assert idle.displays == pytest.approx(4 * 1 + 4 * 2 * 25 / 8)  # two segments on each, an eighth of the time


def test_a_bank_lasts_as_long_as_the_pages_say() -> None:
    assert bank.hours(10, 1.8) == pytest.approx(17, abs=0.5)
    assert bank.hours(10, 5 * budget.game()) == pytest.approx(15, abs=1)
    assert bank.hours(20, 1.8) == 2 * bank.hours(10, 1.8)


def test_the_firmware_shows_what_is_counted_here(tmp_path: Path) -> None:
    seen: dict[str, tuple[int, int, int]] = {}

    def look(board: VirtualBoard, mode: str) -> None:
        shown = [board.displays[DISPLAY + seat] for seat in range(currents.SEATS)]
        segments = sum(byte.bit_count() for ram, _, _ in shown for byte in ram[:10])
        seen[mode] = (segments, sum(board.strips[PINS.lamps]), shown[0][2])

    async def play(board: VirtualBoard) -> None:
        await set_up(board)
        await tap(board, PINS.buttons[0], 2)
        await board.run(200)
        look(board, "running")
        board.edge(PINS.sedzia, 0)
        await board.run(1500)
        board.edge(PINS.sedzia, 1)
        await board.run(300)
        look(board, "stopped")

    on_board(tmp_path, play, given=machine(held=SETUP))

    bright = firmware.dimming() - 1
    # the colon's two dots are one bit of a display's memory
    dotless = currents.pictures("running")[0].segments - currents.SEATS
    assert seen["running"] == (dotless, _light("running"), bright)
    assert seen["stopped"][1:] == (_light("stopped"), bright)


def _light(mode: str) -> float:
    return sum(share * sum(colour) for colour, share in currents.pictures(mode)[0].pixels)


def test_texts_and_sounds_are_counted_as_the_devices_make_them() -> None:
    assert firmware.segments("88.88") == 4 * 7 + 1
    assert firmware.segments(" 0:11") == 6 + 2 + 2 + 2
    assert firmware.segments(" -- ") == 2
    assert firmware.sounding(v.TIME_OVER) == pytest.approx(1.0)
    assert firmware.duty(loud=True) == 0.5
    assert firmware.colours()[v.DARK] == (0, 0, 0)
