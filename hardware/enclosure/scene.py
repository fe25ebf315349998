"""What a picture shows: solids as triangles with their edges, each somewhere and in some colour, seen from one side."""

from __future__ import annotations

from dataclasses import dataclass
from math import cos, radians, sin
from typing import TypeAlias

import numpy as np
from build123d import Compound, Location, Solid, Vector

from hardware.enclosure.printing import mesh
from hardware.enclosure.raster import Flags, Reals, Whole

Colour: TypeAlias = tuple[int, int, int]


@dataclass(frozen=True)
class Model:
    """A solid's surface. `beside` are pairs of triangles that share an edge, `ends` that edge's two corners."""

    points: Reals
    faces: Whole
    beside: Whole
    ends: Whole
    sharp: Flags


def model(solid: Solid | Compound) -> Model:
    """Its triangles; an edge is sharp where they turn by more than 25 degrees."""
    made = mesh(solid, 0.15, 0.3)
    return Model(
        np.asarray(made.vertices, float),
        np.asarray(made.faces),
        np.asarray(made.face_adjacency),
        np.asarray(made.face_adjacency_edges),
        np.asarray(made.face_adjacency_angles) > radians(25),
    )


@dataclass(frozen=True)
class Shown:
    """A model in its colour, already where the picture shows it."""

    model: Model
    colour: Colour

    def moved(self, place: Location) -> Shown:
        """The same elsewhere."""
        return Shown(_moved(self.model, place), self.colour)


def _moved(model: Model, place: Location) -> Model:
    origin, *axes = (
        np.array(tuple((place * Location(Vector(*unit))).position))
        for unit in ((0, 0, 0), (1, 0, 0), (0, 1, 0), (0, 0, 1))
    )
    turn = np.array([axis - origin for axis in axes])
    return Model(model.points @ turn + origin, model.faces, model.beside, model.ends, model.sharp)


@dataclass(frozen=True)
class Camera:
    """Seen from afar: `turn` degrees clockwise from seat A, `up` degrees above the table; `scale` units for a mm."""

    turn: float
    up: float
    scale: float = 3.0

    @property
    def axes(self) -> Reals:
        """Rows: the picture's right, its up, and towards the eye."""
        turn, up = radians(self.turn), radians(self.up)
        away = np.array((sin(turn), cos(turn), 0.0))
        right = np.array((cos(turn), -sin(turn), 0.0))
        eye = -away * cos(up) + np.array((0.0, 0.0, sin(up)))
        return np.array((right, np.cross(eye, right), eye))

    def seen(self, points: Reals) -> Reals:
        """Right, up and towards the eye, in units of the picture."""
        return points @ self.axes.T * self.scale
