"""Solids as a small drawing: patches of even shade, and over them the edges that are not hidden."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, TypeAlias

import numpy as np

from hardware.enclosure.raster import Grid, Reals, Whole, grid_over, meet
from hardware.enclosure.scene import Camera, Colour, Shown
from hardware.enclosure.trace import Line, chains, outlines, simpler

CELL: Final = 1.0  # unit of the picture
_SHADES: Final = (0.66, 0.76, 0.86, 0.94, 1.0)
_LIGHT: Final = np.array((-0.35, 0.55, 0.75)) / np.linalg.norm((-0.35, 0.55, 0.75))  # right, up, towards the eye
Point: TypeAlias = tuple[float, float]
_NEAR: Final = 1.2  # units of depth within which an edge lies on what is seen


@dataclass(frozen=True)
class Rendered:
    """Closed patches by colour, and lines; x to the right and y up, in units of the picture."""

    patches: list[tuple[Colour, list[Line]]]
    lines: list[Line]
    low: tuple[float, float]
    high: tuple[float, float]


def render(shown: Sequence[Shown], camera: Camera) -> Rendered:
    """What of them is seen."""
    triangles, tones = _triangles(shown, camera)
    grid = grid_over(triangles, CELL)
    depth, front = _nearest(triangles, grid)
    patches = _patches(front, tones, grid)
    lines = _lines(shown, camera, depth, grid)
    flat = triangles[:, :, :2]
    low, high = flat.min(axis=(0, 1)), flat.max(axis=(0, 1))
    return Rendered(patches, lines, (float(low[0]), float(low[1])), (float(high[0]), float(high[1])))


def _triangles(shown: Sequence[Shown], camera: Camera) -> tuple[Reals, list[Colour]]:
    """Those that face the eye, and each one's colour in its light."""
    kept, tones = [], []
    for one in shown:
        corners = camera.seen(one.model.points)[one.model.faces]
        normal = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
        normal /= np.maximum(np.linalg.norm(normal, axis=1), 1e-12)[:, None]
        facing = normal[:, 2] > 1e-6
        kept.append(corners[facing])
        bright = np.clip(normal[facing] @ _LIGHT, 0.0, 0.999)
        tones += [_shaded(one.colour, _SHADES[int(level * len(_SHADES))]) for level in np.round(bright, 3)]
    return np.concatenate(kept), tones


def _shaded(colour: Colour, shade: float) -> Colour:
    red, green, blue = (round(part * shade) for part in colour)
    return red, green, blue


def _nearest(triangles: Reals, grid: Grid) -> tuple[Reals, Whole]:
    """Depth and number of the triangle nearest to the eye in each cell; minus infinity and -1 for none."""
    hits = meet(triangles, grid)
    order = np.lexsort((hits.triangle, hits.height, hits.column))
    depth = np.full(grid.along * grid.across, -np.inf)
    front = np.full(grid.along * grid.across, -1)
    depth[hits.column[order]] = hits.height[order]
    front[hits.column[order]] = hits.triangle[order]
    return depth.reshape(grid.along, grid.across), front.reshape(grid.along, grid.across)


def _patches(front: Whole, tones: list[Colour], grid: Grid) -> list[tuple[Colour, list[Line]]]:
    names = sorted(set(tones))
    number = {name: place for place, name in enumerate(names)}
    by_triangle = np.array([number[tone] for tone in tones] + [-1])
    tone = by_triangle[front]
    patches = []
    for place, name in enumerate(names):
        loops = [simpler(loop, 0.7) for loop in outlines(tone == place)]
        if loops:
            patches.append((name, [_placed(loop, grid) for loop in loops if len(loop) > 3]))
    return patches


def _placed(line: Line, grid: Grid) -> Line:
    return [(x * grid.cell + grid.corner[0], y * grid.cell + grid.corner[1]) for x, y in line]


def _lines(shown: Sequence[Shown], camera: Camera, depth: Reals, grid: Grid) -> list[Line]:
    """Sharp edges and outlines of round things, as far as nothing hides them."""
    behind = _lowest_around(depth)
    lines: list[Line] = []
    for one in shown:
        seen = camera.seen(one.model.points)
        corners = seen[one.model.faces]
        normal = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])[:, 2]
        facing = normal[one.model.beside] > 1e-6
        wanted = (facing.any(axis=1) & one.model.sharp) | (facing[:, 0] != facing[:, 1])
        pieces = _visible(seen[one.model.ends[wanted]], behind, grid)
        lines += [simpler(line, 0.35) for line in chains(sorted(set(pieces)))]
    return lines


def _lowest_around(depth: Reals) -> Reals:
    """The farthest of a cell and its eight neighbours, so that an edge is not hidden by its own faces."""
    lowest = depth.copy()
    for down in (-1, 0, 1):
        for right in (-1, 0, 1):
            lowest = np.minimum(lowest, np.roll(depth, (down, right), axis=(0, 1)))
    return lowest


def _visible(edges: Reals, behind: Reals, grid: Grid) -> list[tuple[Point, Point]]:
    """The parts that are seen of straight edges (n x 2 ends x 3)."""
    if not len(edges):
        return []
    way = edges[:, 1] - edges[:, 0]
    counts = (np.hypot(way[:, 0], way[:, 1]) / 1.5).astype(int) + 2
    owner = np.repeat(np.arange(len(edges)), counts)
    place = np.arange(counts.sum()) - np.repeat(np.cumsum(counts) - counts, counts)
    points = edges[owner, 0] + (place / (counts[owner] - 1))[:, None] * way[owner]
    cells = np.floor((points[:, :2] - np.array(grid.corner)) / grid.cell).astype(int)
    free = points[:, 2] >= behind[cells[:, 1], cells[:, 0]] - _NEAR
    before = np.concatenate(([False], free[:-1] & (owner[1:] == owner[:-1])))
    after = np.concatenate((free[1:] & (owner[1:] == owner[:-1]), [False]))
    first, last = np.flatnonzero(free & ~before), np.flatnonzero(free & ~after)
    rounded = np.round(points[:, :2], 1) + 0.0
    runs = []
    for start, end in zip(rounded[first].tolist(), rounded[last].tolist(), strict=True):
        if start != end:
            one, two = sorted(((start[0], start[1]), (end[0], end[1])))
            runs.append((one, two))
    return runs
