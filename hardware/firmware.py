"""Numbers that only the firmware's device files hold, read from their text: those import what a computer has not."""

from __future__ import annotations

import ast
from functools import cache
from pathlib import Path
from typing import Any, Final

from moveclock import facts, settings, view

DEVICES: Final = Path(__file__).parent.parent / "firmware" / "devices"


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
