"""Does a piece print without supports? Looked at as the printer builds it: cell by cell, each on what lies below.

A cell of material whose underside hangs free is in order where a neighbouring cell has material not deeper than the
steepest overhang allows, or where it is part of a bridge: a straight row of such cells at one height, with material
under both ends, no longer than a printer bridges. Anything else hangs in the air.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import radians, tan
from typing import Final

import numpy as np
import trimesh
from build123d import Compound, Solid

from hardware.enclosure.faces import surface
from hardware.enclosure.printer import Printer
from hardware.enclosure.raster import Flags, Grid, Reals, grid_over, meet

CELL: Final = 0.5  # mm: near the width of a printed line
OFF: Final = 0.05  # mm by which triangles are off a curve at most
TURN: Final = 0.3  # radians between two of them
SLACK: Final = 0.2  # mm of height that one printed layer forgives
_WAYS: Final = ((0, 1), (1, 0), (1, 1), (1, -1))
_AROUND: Final = tuple((down, right) for down in (-2, 0, 2) for right in (-2, 0, 2) if down or right)


@dataclass(frozen=True)
class Hanging:
    """What hangs free: number of cells in the air, the longest bridge, and where the first cell in the air is."""

    cells: int
    longest_bridge: float
    where: tuple[float, float, float] | None


def mesh(solid: Solid | Compound, tolerance: float = 0.05, turn: float = 0.3) -> trimesh.Trimesh:
    """Its surface as triangles with shared corners; curves are off by `tolerance` mm, and turn by `turn` radians."""
    points, faces = surface(solid, tolerance, turn)
    made = trimesh.Trimesh(points, faces, process=False)
    made.merge_vertices()
    return made


def hanging(triangles: Reals, printer: Printer) -> Hanging:
    """What a printer would lay into the air; triangles (n x 3 x 3) in print orientation, the bed at z = 0."""
    grid = grid_over(triangles, CELL)
    bottoms, tops = _intervals(triangles, grid)
    free = np.isfinite(bottoms) & (bottoms > SLACK)
    held = _held(bottoms, tops, tan(radians(90 - printer.steepest)))
    lost = free & ~held
    bridged, longest = _bridged(bottoms, lost, free & held, printer.bridge)
    lost &= ~bridged
    where = None
    if lost.any():
        layer, row, column = (int(one) for one in np.argwhere(lost)[0])
        corner = grid.corner
        where = (
            round(corner[0] + column * CELL, 1),
            round(corner[1] + row * CELL, 1),
            round(float(bottoms[layer, row, column]), 1),
        )
    return Hanging(int(lost.sum()), longest, where)


def thin_spots(triangles: Reals, least: float) -> int:
    """Spots of 1.5 x 1.5 mm, seen from the side and from the front, where the material is thinner than `least` mm."""
    spots = 0
    for way in (1, 2):  # the axes change places in turn, so that x and then y point up
        across = np.roll(triangles, way, axis=2)
        bottoms, tops = _intervals(across, grid_over(across, CELL))
        with np.errstate(invalid="ignore"):
            thin = tops - bottoms < least
        beside = [np.roll(thin, (down, right), axis=(1, 2)) for down in (-1, 0, 1) for right in (-1, 0, 1)]
        spots += int(np.logical_and.reduce(beside).sum())
    return spots


def _intervals(triangles: Reals, grid: Grid) -> tuple[Reals, Reals]:
    """Undersides and upper sides of the material in each cell: layer x row x column, NaN beyond the last."""
    hits = meet(triangles, grid)
    order = np.lexsort((hits.height, hits.column))
    column, height = hits.column[order], hits.height[order]
    normal = np.cross(triangles[:, 1] - triangles[:, 0], triangles[:, 2] - triangles[:, 0])[:, 2]
    downward = normal[hits.triangle[order]] < 0
    # a line that meets an edge counts it once for each triangle beside it
    again = (np.diff(column, prepend=-1) == 0) & (np.diff(height, prepend=-1) < 1e-6)
    again &= downward == np.roll(downward, 1)
    column, height, downward = column[~again], height[~again], downward[~again]
    sides = []
    for wanted in (True, False):
        these, heights = column[downward == wanted], height[downward == wanted]
        starts = np.searchsorted(these, these)
        layer = np.arange(these.size) - starts
        table = np.full((int(layer.max(initial=0)) + 1, grid.along * grid.across), np.nan)
        table[layer, these] = heights
        sides.append(table)
    layers = max(len(side) for side in sides)
    full = [np.pad(side, ((0, layers - len(side)), (0, 0)), constant_values=np.nan) for side in sides]
    return full[0].reshape(layers, grid.along, grid.across), full[1].reshape(layers, grid.along, grid.across)


def _held(bottoms: Reals, tops: Reals, drop: float) -> Flags:
    """Whether material two cells away begins at least `drop` times that distance below the underside and reaches it."""
    held = np.zeros(bottoms.shape, bool)
    for down, right in _AROUND:
        deep = drop * CELL * np.hypot(down, right) - SLACK
        floor = np.maximum(bottoms - deep, SLACK)  # whatever stands on the bed holds
        for low, high in zip(*(np.roll(side, (down, right), axis=(1, 2)) for side in (bottoms, tops)), strict=True):
            held |= (low <= floor) & (high >= bottoms - SLACK)
    return held


def _bridged(bottoms: Reals, lost: Flags, held: Flags, longest: float) -> tuple[Flags, float]:
    """Cells in a straight row between held ones at the same height, and the longest such row in mm."""
    bridged = np.zeros(lost.shape, bool)
    most = 0.0
    for level in np.unique(np.round(bottoms[lost], 1)):
        near = np.abs(bottoms - level) < SLACK / 2 + 0.05
        part = _around_all((lost & near).any(axis=0))
        hanging_here, held_here = ((some & near)[:, *part].any(axis=0) for some in (lost, held))
        length = _shortest(hanging_here, held_here)
        fine = hanging_here & (length <= longest)
        most = max(most, float(length[fine].max(initial=0.0)))
        bridged[:, *part] |= (lost & near)[:, *part] & fine
    return bridged, most


def _around_all(cells: Flags) -> tuple[slice, slice]:
    """The part of the grid that holds them and their neighbours."""
    rows, columns = (np.flatnonzero(cells.any(axis=axis)) for axis in (1, 0))
    return slice(max(rows[0] - 3, 0), rows[-1] + 4), slice(max(columns[0] - 3, 0), columns[-1] + 4)


def _shortest(hanging_here: Flags, held_here: Flags) -> Reals:
    """For each hanging cell the shortest row through it, in any of four directions, in mm."""
    best = np.full(hanging_here.shape, np.inf)
    for way in _WAYS:
        back = (-way[0], -way[1])
        row = _steps(hanging_here, held_here, way) + _steps(hanging_here, held_here, back) - 1
        best = np.minimum(best, (row + 4) * CELL * np.hypot(*way))  # two held cells at each end are free, too
    return best


def _steps(hanging_here: Flags, held_here: Flags, way: tuple[int, int]) -> Reals:
    """For each hanging cell how many steps that way, over hanging cells, to a held one; infinite if there is none."""
    steps = np.where(held_here, 0.0, np.inf)
    while True:
        onward = np.roll(steps, way, axis=(0, 1)) + 1
        better = hanging_here & (onward < steps)
        if not better.any():
            return steps
        steps[better] = onward[better]
