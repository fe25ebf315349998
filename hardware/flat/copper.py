"""What is of copper on a board: pads, tracks, vias, and how near to each other they may come. Millimetres."""

from __future__ import annotations

from dataclasses import dataclass, field
from math import cos, hypot, radians, sin
from typing import Final

LAYERS: Final = "FB"
"""The two that tracks are on, front and back; the two inner ones, `1` and `2`, are areas."""
CLEARANCE: Final = 0.2
EDGE: Final = 0.5
VIA: Final = (0.6, 0.3)  # its copper, its hole


@dataclass(frozen=True, slots=True)
class Pad:
    """A pad as it lies on the board. `layers`: of `F12B`; `drill`: 0 for one without a hole; `net`: may be `""`."""

    ref: str
    number: str
    x: float
    y: float
    width: float
    height: float
    angle: float
    layers: str
    net: str
    drill: float

    def distance(self, x: float, y: float) -> float:
        """From a point to its edge, as of a rectangle; 0 within."""
        turn = radians(self.angle)
        dx, dy = x - self.x, y - self.y
        across = abs(dx * cos(turn) - dy * sin(turn)) - self.width / 2
        along = abs(dx * sin(turn) + dy * cos(turn)) - self.height / 2
        return hypot(max(across, 0), max(along, 0))


@dataclass(slots=True)
class Track:
    """A straight piece of a net's copper on a layer of `FB`."""

    net: str
    layer: str
    width: float
    x1: float
    y1: float
    x2: float
    y2: float

    def distance(self, x: float, y: float) -> float:
        """From a point to its middle line."""
        dx, dy = self.x2 - self.x1, self.y2 - self.y1
        length = dx * dx + dy * dy
        along = 0.0 if not length else max(0.0, min(1.0, ((x - self.x1) * dx + (y - self.y1) * dy) / length))
        return hypot(x - self.x1 - along * dx, y - self.y1 - along * dy)


@dataclass(slots=True)
class Via:
    """A hole that joins all layers of a net at (x, y)."""

    net: str
    x: float
    y: float


@dataclass(slots=True)
class Routes:
    """What a net, or a board, was given."""

    tracks: list[Track] = field(default_factory=list)
    vias: list[Via] = field(default_factory=list)
