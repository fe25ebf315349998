"""A virtual board with the firmware on it, whose clock goes on only as far as a test says: hands, eyes and a secret."""

from __future__ import annotations

import asyncio
import runpy
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any, Final

from moveclock import facts as k
from moveclock import identity
from moveclock.wire import RECORD_SIZE, WireError, unpack_record
from tests.board.board import Machine, Radio, VirtualBoard, install
from tools.firmware import FIRMWARE

UID: Final = bytes(Machine().uid)
SECRET: Final = bytes(range(32))
ESP32: Final = "Generic ESP32 module with ESP32"
ESP32_S3: Final = "Generic ESP32S3 module with ESP32S3"
BOARD: Final = runpy.run_path(str(FIRMWARE / "board.py"))  # by its path: what is not in lib is no module on a computer
PINS: Final[Any] = BOARD["pins"](ESP32)
GOOD_MV: Final = 2000  # at the pin, 4 V at the battery
DISPLAY: Final = 0x70
BOOT_MS: Final = 800


def pressed(*contacts: int) -> dict[str, int]:
    """Levels of a machine on which these seat buttons are down."""
    return {str(PINS.buttons[contact]): 0 for contact in contacts}


def machine(*, held: dict[str, int] | None = None, **changes: object) -> Machine:
    """A sound board; `held` are levels of pins at power-on."""
    levels = {str(PINS.kostka): 1, **(held or {})}  # its pull-up is on the wire
    return Machine(levels=levels, **{"millivolts": {str(PINS.battery): GOOD_MV}, **changes})  # type: ignore[arg-type]  # its own fields


def pair(flash: Path, *, build: int = identity.KOSTKA, uid: bytes = UID) -> None:
    """Put an identity on a flash."""
    (flash / identity.FILE).write_bytes(identity.Identity(build, uid, SECRET).pack())


def on_board(
    folder: Path,
    play: Callable[[VirtualBoard], Awaitable[None]],
    *,
    given: Machine | None = None,
    paired: bool = True,
    radio: Radio | None = None,
) -> VirtualBoard:
    """Switch on a board with the firmware and play with it until it is there; a fault nobody caught fails the test."""

    async def run() -> VirtualBoard:
        async with VirtualBoard(folder, given or machine(), radio=radio, simulated=True) as board:
            install(board.flash)
            if paired:
                pair(board.flash)
            await board.power_on()
            await play(board)
        return board

    return asyncio.run(run())


async def tap(board: VirtualBoard, pin: int, times: int = 1) -> None:
    """Press and release a button, with time enough to be no bounce."""
    for _ in range(times):
        await board.press(pin)
        await board.run(100)


async def set_up(board: VirtualBoard, *pins: int) -> None:
    """Let go of the two buttons, tap these, then Sędzia: the table is ready for its first game."""
    await board.run(300)
    board.edge(PINS.buttons[0], 1)
    board.edge(PINS.buttons[1], 1)
    await board.run(200)
    for pin in pins:
        await tap(board, pin)
    await tap(board, PINS.sedzia)
    await board.run(BOOT_MS)


def facts(flash: Path) -> list[tuple[int, ...]]:
    """Every fact in the journal on a flash, in order; what is only in the head is not among them."""
    found = {}
    for file in (flash / "journal").rglob("*"):
        if not file.is_file() or file.name == "head":
            continue
        data = file.read_bytes()
        for start in range(0, len(data), RECORD_SIZE):
            try:
                seq, _, fact = unpack_record(data[start : start + RECORD_SIZE])
            except WireError:
                continue
            found[seq] = fact
    return [found[seq] for seq in sorted(found)]


def faults(flash: Path) -> list[int]:
    """The numbered faults in the journal."""
    return [fact[5] for fact in facts(flash) if fact[0] == k.FAULT]
