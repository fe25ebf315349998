"""The two development boards: what each pin of their two rows is, and which pins of their chips are taken.

Rows as Espressif's user guides of ESP32-DevKitC V4 and ESP32-S3-DevKitC-1 list them, from the antenna to the socket,
the antenna up and the module towards the eye. A board of another maker can have another order: it is compared before
anything is soldered.
"""

from __future__ import annotations

import importlib.util
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from board import Pins

_BOARD: Final = Path(__file__).parents[2] / "firmware" / "board.py"


@dataclass(frozen=True, slots=True)
class Devkit:
    """One board. Names of pins are `GPIO4`, or `3V3`, `5V`, `GND`, `EN`.

    `pitches`: of 2.54 mm between the two rows; `wide`: those of other makers' boards with the same pins, or the same.
    """

    chip: str
    machine: str
    value: str
    left: tuple[str, ...]
    right: tuple[str, ...]
    pitches: int
    wide: int
    antenna: float  # mm from the first pins to the board's end
    socket: float  # mm from the last pins to the board's end, the USB socket's
    strapping: frozenset[int]  # read while the chip starts
    taken: frozenset[int]  # flash, PSRAM, the chip's own USB, the loader's port
    input_only: frozenset[int]  # without a pull-up, too
    adc1: frozenset[int]  # the converter that works beside a radio

    @property
    def rows(self) -> tuple[tuple[str, str], ...]:
        """`(number, name)` of every pin: L1 ... of the left row, then R1 ... of the right."""
        left = ((f"L{place}", name) for place, name in enumerate(self.left, 1))
        right = ((f"R{place}", name) for place, name in enumerate(self.right, 1))
        return (*left, *right)


def _row(text: str) -> tuple[str, ...]:
    return tuple(f"GPIO{word}" if word.isdigit() else word for word in text.split())


_ESP32: Final = Devkit(
    chip="esp32",
    machine="Generic ESP32 module with ESP32",
    value="ESP32-WROOM-32 devkit, 38 pins",
    left=_row("3V3 EN 36 39 34 35 32 33 25 26 27 14 12 GND 13 9 10 11 5V"),
    right=_row("GND 23 22 1 3 21 GND 19 18 5 17 16 4 0 2 15 8 7 6"),
    pitches=10,
    wide=10,
    antenna=7.6,
    socket=3.3,
    strapping=frozenset((0, 2, 5, 12, 15)),
    taken=frozenset((1, 3, 16, 17, *range(6, 12))),  # 16 and 17 on a WROVER
    input_only=frozenset(range(34, 40)),
    adc1=frozenset(range(32, 40)),
)

_ESP32_S3: Final = Devkit(
    chip="esp32s3",
    machine="Generic ESP32S3 module with ESP32S3",
    value="ESP32-S3-WROOM-1 devkit, 44 pins",
    left=_row("3V3 3V3 EN 4 5 6 7 15 16 17 18 8 3 46 9 10 11 12 13 14 5V GND"),
    right=_row("GND 43 44 1 2 42 41 40 39 38 37 36 35 0 45 48 47 21 20 19 GND GND"),
    pitches=9,
    wide=10,
    antenna=7.7,
    socket=9.0,
    strapping=frozenset((0, 3, 45, 46)),
    taken=frozenset((19, 20, 43, 44, *range(26, 38))),
    input_only=frozenset(),
    adc1=frozenset(range(1, 11)),
)

DEVKITS: Final = {"esp32": _ESP32, "esp32s3": _ESP32_S3}


def firmware_pins(devkit: Devkit) -> Pins:
    """The map of firmware/board.py for this board."""
    found: Pins = _board().pins(devkit.machine)
    return found


def divider() -> int:
    """The battery's voltage over that at its pin, as the firmware reckons."""
    return int(_board().DIVIDER)


@cache
def _board() -> ModuleType:
    """firmware/board.py, read as a file: on a PC nothing may be able to import the firmware by its name."""
    spec = importlib.util.spec_from_file_location("firmware_board", _BOARD)
    if spec is None or spec.loader is None:
        raise FileNotFoundError(_BOARD)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module
