"""What the firmware takes for granted of a box: its pins, from firmware/board.py, and numbers of its device files, read
from their text, because those import what a computer has not.
"""

from __future__ import annotations

import ast
import importlib.util
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any, Final

from moveclock import facts, settings, view

if TYPE_CHECKING:
    from board import Pins

FIRMWARE: Final = Path(__file__).parent.parent / "firmware"
DEVICES: Final = FIRMWARE / "devices"
S3: Final = "Generic ESP32S3 module with ESP32S3"
"""The flat box's chip, as MicroPython calls it."""


def firmware_pins(machine: str = S3) -> Pins:
    """The map of firmware/board.py for the board that calls itself so."""
    found: Pins = _board().pins(machine)
    return found


def divider() -> int:
    """The supply's voltage over that at its pin, as the firmware reckons."""
    return int(_board().DIVIDER)


@cache
def _board() -> ModuleType:
    """firmware/board.py, read as a file: on a PC nothing may be able to import the firmware by its name."""
    spec = importlib.util.spec_from_file_location("firmware_board", FIRMWARE / "board.py")
    if spec is None or spec.loader is None:
        raise FileNotFoundError(FIRMWARE / "board.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@cache
def constants(device: str) -> dict[str, Any]:
    """What the module `device` of firmware/devices assigns at its top and can be had without a board."""
    known: dict[str, Any] = {**vars(settings), **vars(view), "k": facts}
    found: dict[str, Any] = {}
    for node in ast.parse((DEVICES / f"{device}.py").read_text("utf-8")).body:
        if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
            found[node.targets[0].id] = eval(compile(ast.Expression(node.value), device, "eval"), {**known, **found})
    return found


def colours() -> dict[int, tuple[int, int, int]]:
    """Red, green and blue of each colour of the ring, 0 to 255."""
    return dict(constants("lamps")["_COLOURS"])


def button_colours() -> tuple[tuple[int, int, int], ...]:
    """Those of a lit Już, Dalej and Sędzia."""
    lamps = constants("lamps")
    return lamps["_JUZ"], lamps["_DALEJ"], lamps["_SEDZIA"]


def dimming() -> int:
    """How many sixteenths of the time a lit segment's column is on: HT16K33's dimming command and its low four bits."""
    return 1 + int(constants("display")["_BRIGHTNESS"][0] & 15)


def segments(text: str) -> int:
    """How many segments a display lights for a text of four characters, its point or its colon (two dots) included."""
    font = constants("glyphs")
    shapes = dict(zip(font["GLYPHS"], font["_SEGMENTS"], strict=True))
    lit = sum(int(shapes[character]).bit_count() for character in text if character not in ":.")
    return lit + 2 * text.count(":") + text.count(".")


def sounding(sound: int) -> float:
    """For how many seconds the buzzer is on while it plays a sound of `moveclock.view`."""
    notes = dict(constants("buzzer")["_SOUNDS"])[sound]
    return float(sum(length for hertz, length in notes if hertz)) / 1000


def duty(loud: bool) -> float:
    """The share of a note in which the buzzer's transistor conducts."""
    buzzer = constants("buzzer")
    return float(buzzer["_LOUD" if loud else "_SOFT"]) / 65536
