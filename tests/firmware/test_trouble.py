"""What the firmware does when its hardware fails while it plays: it says so in numbers, and goes on."""

from __future__ import annotations

import errno
from pathlib import Path

import pytest

from moveclock import cable
from moveclock import facts as k
from moveclock import settings as rules
from tests.board.board import MILLI, VirtualBoard, install
from tests.firmware.air import Air
from tests.firmware.edge import BOOT_MS, DISPLAY, PINS, facts, faults, machine, on_board, pressed, tap


def ready(folder: Path) -> None:
    """A table whose journal is there, with rules of its own."""
    flash = folder / "flash"
    flash.mkdir()
    (flash / "settings").write_bytes(rules.Settings().pack())


def test_the_compiled_firmware_plays_as_its_sources_do(tmp_path: Path) -> None:
    async def play(board: VirtualBoard) -> None:
        await board.power_off()
        for file in [*board.flash.rglob("*.py")]:
            file.unlink()
        install(board.flash, compiled=True)
        await board.power_on()
        await board.run(BOOT_MS)
        await tap(board, PINS.sedzia)
        assert board.digits(DISPLAY) == " -- "

    board = on_board(tmp_path, play)

    assert [fact[0] for fact in facts(board.flash)][-2:] == [k.BOOTED, k.STRAY_TAP]


def test_flash_that_fails_for_a_while_loses_no_fact(tmp_path: Path) -> None:
    async def play(board: VirtualBoard) -> None:
        await board.run(BOOT_MS)
        board.break_flash(errno.EIO)
        await tap(board, PINS.sedzia)
        await board.run(1000)
        assert board.digits(DISPLAY) == f"E{k.E_FLASH_WRITE:3d}"
        await tap(board, PINS.buttons[2])
        board.break_flash(0)
        await board.run(5000)

    board = on_board(tmp_path, play)

    contacts = [fact[5] for fact in facts(board.flash) if fact[0] == k.STRAY_TAP]
    assert contacts == [k.SEDZIA, 2]
    assert k.E_FLASH_WRITE in faults(board.flash)


def test_a_box_whose_flash_fails_at_power_on_starts_says_so_and_takes_it_up_later(tmp_path: Path) -> None:
    async def play(board: VirtualBoard) -> None:
        board.break_flash(errno.EIO)
        await board.run(BOOT_MS)
        assert board.digits(DISPLAY)[0] == "E"
        board.break_flash(0)
        await board.run(6000)
        await tap(board, PINS.sedzia)
        await board.run(500)

    board = on_board(tmp_path, play)

    kinds = [fact[0] for fact in facts(board.flash)]
    assert k.BOOTED in kinds
    assert k.STRAY_TAP in kinds
    assert {k.E_FLASH_TEST, k.E_FLASH_MOUNT} <= set(faults(board.flash))


def test_a_display_that_falls_off_leaves_the_others_and_comes_back(tmp_path: Path) -> None:
    async def play(board: VirtualBoard) -> None:
        await board.run(BOOT_MS)
        board.tell("i2c", DISPLAY + 1, False)
        board.break_flash(errno.EIO)  # for something new to be shown
        await tap(board, PINS.sedzia)
        await board.run(500)
        assert board.digits(DISPLAY) == f"E{k.E_DISPLAY + 1:3d}"
        board.break_flash(0)
        board.tell("i2c", DISPLAY + 1, True)
        await board.run(12000)
        assert board.digits(DISPLAY) == board.digits(DISPLAY + 1) == " -- "

    on_board(tmp_path, play)


def test_displays_that_lost_5_v_for_a_moment_light_up_again_by_themselves(tmp_path: Path) -> None:
    """Given a charger that comes or goes, the chip lives on, and displays that answer all the while are dark."""

    async def play(board: VirtualBoard) -> None:
        await board.run(BOOT_MS)
        for seat in range(4):
            board.tell("i2c", DISPLAY + seat, False)
            board.tell("i2c", DISPLAY + seat, True)
        board.displays.clear()  # what they said before
        board.strips.clear()
        await board.run(3000)
        assert board.strips
        assert [board.digits(DISPLAY + seat) for seat in range(4)] == [" -- "] * 4

    board = on_board(tmp_path, play)

    assert not set(faults(board.flash)) & {k.E_DISPLAY + seat for seat in range(4)}


@pytest.mark.parametrize(
    "broken", ["battery.millivolts", "buzzer.go_on", "lamps.set", "lamps.refresh", "displays.show", "displays.wake"]
)
def test_an_exception_in_a_turn_is_a_numbered_fault_and_the_next_turn_comes(tmp_path: Path, broken: str) -> None:
    async def play(board: VirtualBoard) -> None:
        await board.power_off()
        starting = board.flash / "devices" / "starting.py"
        source = starting.read_text(encoding="utf-8")
        pump = "    return Pump("
        assert pump in source
        breaks = f"    edge.{broken} = None\n"
        starting.write_text(source.replace(pump, breaks + pump), encoding="utf-8")
        await board.power_on()
        await board.run(2000)
        await tap(board, PINS.sedzia)
        await board.run(10000)
        assert board.resets == [], "the watchdog is fed"

    board = on_board(tmp_path, play)

    assert k.E_PUMP in faults(board.flash)
    assert k.STRAY_TAP in [fact[0] for fact in facts(board.flash)]


@pytest.mark.parametrize("stumbles", ["Wired.send", "Pump._keep_house", "Pump._report"])
def test_a_part_that_stumbles_does_not_freeze_the_displays(tmp_path: Path, stumbles: str) -> None:
    async def play(board: VirtualBoard) -> None:
        await board.power_off()
        pump = board.flash / "devices" / "pump.py"
        pump.write_text(pump.read_text(encoding="utf-8") + f"\n\n{stumbles} = None\n", encoding="utf-8")
        await board.power_on()
        await board.run(BOOT_MS)
        assert board.digits(DISPLAY) == f"E{k.E_PUMP:3d}"

    on_board(tmp_path, play)


def test_a_firmware_that_cannot_start_shows_its_code_waits_for_a_computer_and_starts_anew(tmp_path: Path) -> None:
    async def play(board: VirtualBoard) -> None:
        await board.power_off()
        missing = board.flash / "devices" / "pump.py"
        source = missing.read_text(encoding="utf-8")
        missing.unlink()
        await board.power_on()
        await board.run(1500)
        assert board.digits(DISPLAY + 2) == f"E {k.E_START}"
        assert b"ImportError" in board.output
        missing.write_text(source, encoding="utf-8")
        await board.run(6000)
        assert board.resets == ["hard"]
        assert not board.ended
        await tap(board, PINS.sedzia)
        assert board.digits(DISPLAY) == " -- "

    board = on_board(tmp_path, play)

    assert k.STRAY_TAP in [fact[0] for fact in facts(board.flash)]


def test_a_desk_that_goes_on_talking_to_a_box_that_starts_anew_does_not_bring_it_to_the_prompt(tmp_path: Path) -> None:
    """Given packets with a 3 in them, which MicroPython takes for Ctrl-C, from power-on until the port is taken."""

    async def play(board: VirtualBoard) -> None:
        for at_ms in range(0, BOOT_MS, 10):
            board.tell("serial", cable.pack(cable.CLOSE).hex(), at=at_ms * MILLI)
        await board.run(2 * BOOT_MS)
        await tap(board, PINS.sedzia)
        assert board.digits(DISPLAY) == " -- "

    assert 3 in cable.pack(cable.CLOSE)
    board = on_board(tmp_path, play)

    assert k.STRAY_TAP in [fact[0] for fact in facts(board.flash)]


def test_the_radio_has_its_memory_before_a_module_is_loaded(tmp_path: Path) -> None:
    async def play(board: VirtualBoard) -> None:
        await board.power_off()
        (board.flash / "devices" / "edge.py").unlink()
        await board.power_on()
        await board.run(100)
        assert ["radio", True] in [line[1:] for line in board.lines]

    on_board(tmp_path, play)


def test_a_radio_that_starts_at_the_second_attempt_is_a_radio(tmp_path: Path) -> None:
    air = Air()

    async def play(board: VirtualBoard) -> None:
        await board.run(BOOT_MS)

    board = on_board(tmp_path, play, given=machine(radio_fails=1), radio=air)

    assert air.adverts
    assert faults(board.flash) == []


def test_capacitors_that_are_still_empty_at_power_on_are_no_buttons_that_are_held(tmp_path: Path) -> None:
    """Given 100 nF at each contact, which a pull-up charges in 6 ms (hardware/flat): no set-up mode."""

    async def play(board: VirtualBoard) -> None:
        for contact in (0, 1):
            board.edge(PINS.buttons[contact], 1, at=6 * MILLI)
        await board.run(BOOT_MS)
        await tap(board, PINS.sedzia)
        assert board.digits(DISPLAY) == " -- "

    board = on_board(tmp_path, play, given=machine(held=pressed(0, 1)))

    assert faults(board.flash) == []


def test_ctrl_c_while_the_code_is_shown_brings_the_prompt(tmp_path: Path) -> None:
    async def play(board: VirtualBoard) -> None:
        await board.power_off()
        (board.flash / "devices" / "edge.py").unlink()
        await board.power_on()
        await board.run(1500)
        board.serial(b"\x03")
        await board.until(lambda: board.ended)
        await board.run(20000)
        assert board.resets == []
        board.troubles.clear()

    on_board(tmp_path, play)


def test_the_prompt_stays_for_ten_minutes_also_if_the_watchdog_runs_already(tmp_path: Path) -> None:
    async def play(board: VirtualBoard) -> None:
        await board.power_off()
        selftest = board.flash / "devices" / "selftest.py"
        selftest.write_text(selftest.read_text(encoding="utf-8") + "\n\nfindings = None\n", encoding="utf-8")
        await board.power_on()
        await board.run(3000)
        board.serial(b"\x03")
        await board.until(lambda: board.ended)
        assert board.resets == []
        assert [line[2] for line in board.lines if line[1] == "watchdog_ms"] == [10_000, 10_000, 60_000, 600_000]
        board.troubles.clear()

    on_board(tmp_path, play)


def test_a_radio_that_did_not_start_leaves_the_cable_and_the_game(tmp_path: Path) -> None:
    air = Air()

    async def play(board: VirtualBoard) -> None:
        await board.run(BOOT_MS + 3000)
        await tap(board, PINS.sedzia)

    board = on_board(tmp_path, play, given=machine(radio_fails=2), radio=air)

    assert air.adverts == []
    assert faults(board.flash) == [k.E_RADIO]
    assert k.STRAY_TAP in [fact[0] for fact in facts(board.flash)]
