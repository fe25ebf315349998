"""Triangles seen straight from above, on a grid of square cells: which surface lies where, and how high."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

Reals: TypeAlias = NDArray[np.float64]
Whole: TypeAlias = NDArray[np.int64]
Flags: TypeAlias = NDArray[np.bool_]


@dataclass(frozen=True)
class Grid:
    """`across` x `along` cells of `cell` mm; the first cell's corner is at `corner`."""

    corner: tuple[float, float]
    cell: float
    across: int
    along: int


@dataclass(frozen=True)
class Hits:
    """Where an upright line through a cell's middle meets a triangle: one entry for each meeting."""

    column: Whole  # number of the cell: row x across + place in the row
    height: Reals
    triangle: Whole


def grid_over(triangles: Reals, cell: float, border: int = 2) -> Grid:
    """A grid that all of them (n x 3 corners x 3) lie on, with some empty cells around."""
    low = triangles[:, :, :2].min(axis=(0, 1)) - border * cell
    high = triangles[:, :, :2].max(axis=(0, 1)) + border * cell
    # a shift by an odd part of a cell keeps cell middles off the corners of round measures
    corner = low - 0.0137 * cell
    across, along = (int(np.ceil(length / cell)) + 1 for length in high - low)
    return Grid((float(corner[0]), float(corner[1])), cell, across, along)


def meet(triangles: Reals, grid: Grid) -> Hits:
    """Every meeting of every cell's middle line with every triangle that is not upright."""
    flat = (triangles[:, :, :2] - np.array(grid.corner)) / grid.cell - 0.5
    columns, heights, numbers = [], [], []
    first = np.maximum(np.ceil(flat.min(axis=1)), 0).astype(int)
    last = np.floor(flat.max(axis=1)).astype(int)
    edges = np.roll(flat, -1, axis=1) - flat
    doubled = edges[:, 0, 0] * edges[:, 1, 1] - edges[:, 0, 1] * edges[:, 1, 0]
    wanted = (np.abs(doubled) > 1e-9) & (last >= first).all(axis=1)
    for number in np.flatnonzero(wanted):
        x = np.arange(first[number, 0], min(last[number, 0], grid.across - 1) + 1)
        y = np.arange(first[number, 1], min(last[number, 1], grid.along - 1) + 1)[:, None]
        (ax, ay), (bx, by), (cx, cy) = flat[number]
        area = doubled[number]
        beta = ((x - ax) * (cy - ay) - (y - ay) * (cx - ax)) / area
        gamma = ((bx - ax) * (y - ay) - (by - ay) * (x - ax)) / area
        within = (beta >= 0) & (gamma >= 0) & (beta + gamma <= 1)
        if not within.any():
            continue
        z = triangles[number, :, 2]
        height = z[0] + beta * (z[1] - z[0]) + gamma * (z[2] - z[0])
        columns.append((y * grid.across + x)[within])
        heights.append(height[within])
        numbers.append(np.full(columns[-1].size, number))
    if not columns:
        return Hits(np.zeros(0, int), np.zeros(0), np.zeros(0, int))
    return Hits(np.concatenate(columns), np.concatenate(heights), np.concatenate(numbers))
