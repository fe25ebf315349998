"""Who sees the screen: a box at a corner of the table, turned so that its front looks at the table's middle."""

from __future__ import annotations

from dataclasses import dataclass
from math import acos, asin, cos, degrees, radians, sin
from typing import Final

from hardware.evening.sizes import Sizes

TABLE: Final = 800.0  # side of a table for four
CORNER: Final = 110.0  # from the table's edges to the screen's middle
WIDEST: Final = 60.0  # degrees beside its upright that the screen's maker promises


@dataclass(frozen=True)
class Eye:
    """Above the table's top and beyond its edge."""

    name: str
    height: float
    beyond: float


EYES: Final = (Eye("child of seven", 350.0, 130.0), Eye("adult", 500.0, 200.0))


@dataclass(frozen=True)
class Seen:
    """Degrees beside the screen's upright, and millimetres to it."""

    angle: float
    distance: float


def seats(eye: Eye, slope: float, height: float) -> list[Seen]:
    """From the middle of each side; the screen leans `slope` degrees up from the table, its middle at `height`."""
    half = TABLE / 2
    out = half + eye.beyond
    at = CORNER - half
    toward = 0.5**0.5
    upright = (toward * sin(radians(slope)), toward * sin(radians(slope)), cos(radians(slope)))
    found = []
    for x, y in ((0.0, -out), (-out, 0.0), (0.0, out), (out, 0.0)):
        way = (x - at, y - at, eye.height - height)
        distance = sum(one * one for one in way) ** 0.5
        across = sum(one * other for one, other in zip(way, upright, strict=True)) / distance
        found.append(Seen(degrees(acos(across)), distance))
    return found


def cardboard_slope(sizes: Sizes) -> float:
    """Degrees between the front of the box that lies on its foot and the table."""
    part = sizes.cardboard
    return degrees(asin(part.foot * cos(radians(30)) / (sizes.front.height - part.foot / 2)))


def screen_height(sizes: Sizes) -> float:
    """Of its middle in the printed stand."""
    return sizes.stand.lip + sizes.front.window_up * sin(radians(sizes.stand.slope))
