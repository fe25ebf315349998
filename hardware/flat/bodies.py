"""The bodies of the board's parts as boxes, for a picture of it: sizes by their data sheets, rounded.

A box is its middle and its size as its footprint is drawn (y upwards, as VRML has it), where it begins above the board,
its height, millimetres, and a colour. KiCad's own models fill gigabytes, and say little more.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Final, NamedTuple

from hardware.drawing import written

FOLDER: Final = "Dalej.3dshapes"
_UNIT: Final = 2.54  # millimetres of a unit in KiCad's VRML
_BEIGE: Final = "0.9 0.87 0.78"
_BLACK: Final = "0.1 0.1 0.1"
_CERAMIC: Final = "0.72 0.6 0.45"
_METAL: Final = "0.75 0.75 0.78"
_WHITE: Final = "0.93 0.93 0.9"
_RED: Final = "0.8 0.15 0.12"


class Box(NamedTuple):
    """Middle, size, where it begins above the board, height; red, green, blue from 0 to 1."""

    x: float
    y: float
    width: float
    depth: float
    low: float
    height: float
    colour: str


def _box(width: float, depth: float, height: float, colour: str, x: float = 0, y: float = 0, low: float = 0) -> Box:
    return Box(x, y, width, depth, low, height, colour)


_SOT23: Final = (_box(1.3, 2.9, 1.1, _BLACK),)
BODIES: Final[dict[str, tuple[Box, ...]]] = {
    "resistor": (_box(1.6, 0.8, 0.5, _BLACK),),
    "capacitor-100n": (_box(1.6, 0.8, 0.8, _CERAMIC),),
    "capacitor-1u": (_box(1.6, 0.8, 0.8, _CERAMIC),),
    "capacitor-10u": (_box(2.0, 1.25, 1.25, _CERAMIC),),
    "capacitor-22u": (_box(2.0, 1.25, 1.25, _CERAMIC),),
    "capacitor-470u": (_box(8.3, 8.3, 1.5, _BLACK), _box(7.6, 7.6, 8.7, _METAL, low=1.5)),
    "fuse": (_box(4.5, 3.2, 1.0, _BLACK),),
    "diode": (_box(2.7, 1.6, 1.1, _BLACK),),
    "led": (_box(2.0, 1.25, 0.8, _RED),),
    "buzzer": (_box(12, 12, 8.5, _BLACK, x=3.25),),
    "key-socket": (_box(10.8, 4.7, 1.9, _BLACK, x=0.6, y=3.8),),
    "board-button": (_box(5.1, 5.1, 1.5, _METAL), _box(2, 2, 0.6, _BLACK, low=1.5)),
    "kostka-plug": (_box(7.4, 6.1, 5.75, _BEIGE, x=1.25, y=-6.1),),
    "display-pins": (
        _box(2.54, 10.16, 2.54, _BLACK, x=2.8, y=-3.81),
        _box(6, 8.2, 0.64, _METAL, x=7, y=-3.81, low=0.95),
    ),
    "display-socket": (_box(2.54, 10.16, 8.5, _BLACK),),
    "transistor": _SOT23,
    "mosfet": _SOT23,
    "regulator": (_box(3.5, 6.5, 1.7, _BLACK),),
    "buffer": (_box(1.6, 2.9, 1.1, _BLACK),),
    "usb-guard": (_box(1.6, 2.9, 1.1, _BLACK),),
    "usb-socket": (_box(8.9, 7.3, 3.2, _METAL),),
    "lamp": (_box(5, 5, 1.6, _WHITE),),
    "display-driver": (_box(7.5, 17.9, 2.5, _BLACK),),
    "module": (_box(18, 25.5, 0.8, _BLACK), _box(15.8, 17.6, 2.3, _METAL, y=-2.5, low=0.8)),
}
"""By a kind's name or the beginning of it."""


def of(kind: str) -> str:
    """The name of its body; `""` for a kind that has none: a bare pad."""
    return max((name for name in BODIES if kind.startswith(name)), key=len, default="")


def write(folder: Path) -> list[Path]:
    """Each body as a VRML file in `FOLDER` of this folder; what was written."""
    return [written(folder / FOLDER / f"{name}.wrl", _vrml(boxes)) for name, boxes in BODIES.items()]


def _vrml(boxes: Iterable[Box]) -> str:
    lines = ["#VRML V2.0 utf8"]
    for box in boxes:
        size = " ".join(f"{each / _UNIT:.4f}" for each in (box.width, box.depth, box.height))
        middle = " ".join(f"{each / _UNIT:.4f}" for each in (box.x, box.y, box.low + box.height / 2))
        lines.append(
            f"Transform {{ translation {middle} children Shape {{ appearance Appearance {{ material Material "
            f"{{ diffuseColor {box.colour} }} }} geometry Box {{ size {size} }} }} }}"
        )
    return "\n".join(lines) + "\n"
