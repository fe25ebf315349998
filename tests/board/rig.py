"""Short programs on a virtual board, in simulated time, and games on one: what the tests of this folder share."""

from __future__ import annotations

import asyncio
import textwrap
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

from tests.board.board import Machine, VirtualBoard

# A program begins so: Bluetooth is on, and what fails is told by its name.
RADIO_ON = """
import bluetooth, time
ble = bluetooth.BLE()
ble.active(True)
def tried(what, *args, **kwargs):
    try:
        return what(*args, **kwargs)
    except Exception as error:
        return type(error).__name__ + " " + str(error.errno if isinstance(error, OSError) else error)
"""
PATIENCE = 240.0  # real seconds for a whole scenario


def play(folder: Path, scenario: Callable[[VirtualBoard], Awaitable[None]], **options: Any) -> VirtualBoard:
    """Have a scenario happen to a board; it has no power yet."""
    board = VirtualBoard(folder, **options)

    async def whole() -> None:
        async with board:
            await asyncio.wait_for(scenario(board), PATIENCE)

    asyncio.run(whole())
    return board


def printed(
    folder: Path,
    program: str,
    scenario: Callable[[VirtualBoard], Awaitable[None]] | None = None,
    *,
    machine: Machine | None = None,
    troubles: int = 0,
) -> list[str]:
    """The lines that a program prints until its end, while a scenario happens to its board in simulated time."""

    async def whole(board: VirtualBoard) -> None:
        (board.flash / "main.py").write_text(textwrap.dedent(program), encoding="utf-8")
        await board.power_on()
        if scenario is not None:
            await scenario(board)
        await board.until(lambda: board.ended or not board.on, 100_000)
        assert len(board.troubles) == troubles, board.troubles
        board.troubles.clear()

    output = play(folder, whole, machine=machine, simulated=True).output.decode()
    lines = output.partition("FLASH_BOOT)\r\n")[2].partition("\r\nMicroPython v")[0]
    return lines.splitlines()
