"""No press without a fact, whatever keeps the interpreter: a slow controller, a dead bus, a busy flash, a full queue.

While such a call runs, the handlers of pins wait in MicroPython's scheduler, eight of them at most, and read the level
and the clock when it is over. A game is played by taps of the right length at any instant; each must end its move, at
the instant when it was made or at the begin of the call that kept it from being seen.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from pathlib import Path
from random import Random
from typing import Final

from moveclock import facts as k
from tests.board.board import VirtualBoard, install
from tests.firmware.edge import BOOT_MS, PINS, facts, machine, pair, pressed, set_up, tap

SWITCH: Final = 99  # no pin: from when on a voltage is there, calls are slow
BLOCKED: Final = """
import bluetooth, files, machine, machine_parts, outside
def block(us):
    outside.lock()  # handlers wait, and time goes on
    outside.sleep(us)
    outside.unlock()
def slow(kind, name, us, when=lambda *what: True, fails=False):
    real = getattr(kind, name)
    def call(*what, **named):
        if machine_parts.part["millivolts"].get("SWITCH") and when(*what):
            block(us)
            if fails:
                raise OSError(116)
        return real(*what, **named)
    setattr(kind, name, call)
SLOW
import game
"""
CONTROLLER: Final = "slow(bluetooth.BLE, 'gap_advertise', 250000)"  # after every fact, so after every press
BUS: Final = """
slow(machine.I2C, 'writeto', 1200000, fails=True)  # as MicroPython 1.27 and 1.28 wait for a bus that is held down
slow(machine.I2C, 'writeto_mem', 1200000, fails=True)
"""
FLASH: Final = "slow(files.File, 'close', 190000, lambda file: file._changed)"
LATE_MS: Final = 2  # of a stamp that nothing delayed


def play(folder: Path, slow: str, taps: Sequence[tuple[int, int]], tiles: Sequence[int] = ()) -> list[int]:
    """A move for each tap `(ms of thought, length)`: the stamps of their ends less when they were made."""
    made: list[int] = []
    drawn = dict(enumerate(tiles, 1))  # by move: a tile is taken so long before the tap

    async def run() -> VirtualBoard:
        async with VirtualBoard(folder, machine(held=pressed(0, 1)), simulated=True) as board:
            install(board.flash)
            (board.flash / "main.py").rename(board.flash / "game.py")
            blocked = BLOCKED.replace("SWITCH", str(SWITCH)).replace("SLOW", slow)
            (board.flash / "main.py").write_text(blocked, encoding="utf-8")
            pair(board.flash)
            await board.power_on()
            await set_up(board)
            await board.run(BOOT_MS)
            await tap(board, PINS.buttons[0], 2)
            for number, (after, length) in enumerate([(1000, 100), *taps]):
                await board.run(after)
                if number in drawn:
                    await board.press(PINS.kostka, 40)
                    await board.run(drawn[number])
                made.append(board.time // 1000)
                pin = PINS.buttons[2 * (number % 4)]
                board.edge(pin, 0, board.time)
                board.edge(pin, 1, board.time + length * 1000)
                await board.run(length)
                if not number:
                    await board.run(1000)
                    board.tell("voltage", SWITCH, 1)
            board.tell("voltage", SWITCH, 0)
            await board.run(6000)
            await board.press(PINS.sedzia, 1200)  # the clock stops: all is in its place on flash
            await board.run(1000)
            return board

    found = facts(asyncio.run(run()).flash)
    ends = [fact[1] for fact in found if fact[0] == k.MOVE_ENDED]
    assert len([fact for fact in found if fact[0] == k.TILE_DRAWN]) == len(drawn)
    assert len(ends) == len(made), [fact[:6] for fact in found]
    assert [fact[4] for fact in found if fact[0] == k.MOVE_ENDED] == [number % 4 for number in range(len(made))]
    return [stamp - at - (ends[0] - made[0]) for stamp, at in zip(ends, made, strict=True)][1:]


def hands(seed: int, count: int, thought: tuple[int, int]) -> list[tuple[int, int]]:
    random = Random(seed)
    return [(random.randint(*thought), random.randint(35, 150)) for _ in range(count)]


def test_no_tap_is_lost_to_a_controller_that_answers_a_quarter_of_a_second_late(tmp_path: Path) -> None:
    random = Random(5)
    errors = play(tmp_path, CONTROLLER, hands(1, 40, (600, 900)), [random.randint(40, 330) for _ in range(40)])

    assert all(-250 - LATE_MS <= error <= LATE_MS for error in errors), errors
    assert any(error < -100 for error in errors), "none lay in a call: this proves nothing"


def test_no_tap_is_lost_to_a_bus_that_waits_over_a_second_for_each_display(tmp_path: Path) -> None:
    errors = play(tmp_path, BUS, hands(2, 40, (1300, 2500)))

    assert all(-1200 - LATE_MS <= error <= LATE_MS for error in errors), errors
    assert any(error < -100 for error in errors), "none lay in a call: this proves nothing"


def test_no_tap_is_lost_to_a_flash_that_erases_at_every_write(tmp_path: Path) -> None:
    errors = play(tmp_path, FLASH, hands(3, 40, (310, 600)))

    assert all(-190 - LATE_MS <= error <= LATE_MS for error in errors), errors
    assert any(error < -50 for error in errors), "none lay in a call: this proves nothing"


def test_no_tap_is_lost_when_all_is_slow_at_once(tmp_path: Path) -> None:
    errors = play(tmp_path, f"{CONTROLLER}\n{BUS}\n{FLASH}", hands(4, 40, (1300, 2500)))

    assert all(-1200 - LATE_MS <= error <= LATE_MS for error in errors), errors
