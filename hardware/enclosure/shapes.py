"""The few solids that the pieces are made of, each given by where it begins and ends in millimetres."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final, TypeAlias

from build123d import Face, Location, Plane, Solid, Vector, Wire

Span: TypeAlias = tuple[float, float]

QUARTERS: Final = (0, -90, -180, -270)  # A, B, C, D: clockwise as seen from above


def box(x: Span, y: Span, z: Span) -> Solid:
    """A block between these planes."""
    return Solid.make_box(x[1] - x[0], y[1] - y[0], z[1] - z[0], Plane((x[0], y[0], z[0])))


def rod(at: Span, radius: float, z: Span) -> Solid:
    """An upright cylinder."""
    return Solid.make_cylinder(radius, z[1] - z[0], Plane((at[0], at[1], z[0])))


def prism(points: Sequence[Span], z: Span) -> Solid:
    """An upright prism over this polygon."""
    outline = Wire.make_polygon([Vector(x, y, z[0]) for x, y in points], close=True)
    return Solid.extrude(Face(outline), Vector(0, 0, z[1] - z[0]))


def wedge(points: Sequence[Span], x: Span) -> Solid:
    """A prism along x; the points are (y, z)."""
    outline = Wire.make_polygon([Vector(x[0], y, z) for y, z in points], close=True)
    return Solid.extrude(Face(outline), Vector(x[1] - x[0], 0, 0))


def rounded(half: float, radius: float, z: Span) -> Solid:
    """A square block with rounded upright edges, in the middle."""
    block = box((-half, half), (-half, half), z)
    return block.fillet(radius, [edge for edge in block.edges() if abs(edge.tangent_at(0).Z) > 0.99])


def frustum(lower: float, upper: float, z: Span) -> Solid:
    """A square pyramid cut off above; `lower` and `upper` are half its sides."""
    outline = [(-lower, z[0]), (lower, z[0]), (upper, z[1]), (-upper, z[1])]
    along = wedge(outline, (-max(lower, upper), max(lower, upper)))
    return common(along, turned(along, 90))


def tube(at: Span, radii: Span, z: Span) -> Solid:
    """An upright ring between an inner and an outer radius."""
    return less(rod(at, radii[1], z), rod(at, radii[0], (z[0] - 1, z[1] + 1)))


def join(solid: Solid, *others: Solid) -> Solid:
    """One solid of all; ValueError if they do not touch."""
    return _single(solid.fuse(*others))


def less(solid: Solid, *tools: Solid) -> Solid:
    """What the tools leave of it; ValueError if that is more than one body."""
    return _single(solid.cut(*tools)) if tools else solid


def common(solid: Solid, other: Solid) -> Solid:
    """What both have."""
    return _single(solid.intersect(other))


def turned(solid: Solid, degrees: float) -> Solid:
    """Turned about the upright axis in the middle, counter-clockwise as seen from above."""
    return solid.moved(Location((0, 0, 0), (0, 0, degrees)))


def each_side(*solids: Solid) -> list[Solid]:
    """Side A's, and those of the other three."""
    return [turned(solid, quarter) for quarter in QUARTERS for solid in solids]


def _single(made: object) -> Solid:
    if isinstance(made, Solid):
        return made
    solids = [solid for shape in made for solid in shape.solids()] if isinstance(made, Iterable) else []
    if len(solids) != 1:
        raise ValueError(f"{len(solids)} bodies where one was meant")
    solid: Solid = solids[0]
    return solid
