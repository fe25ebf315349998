"""From cells to lines: outlines of a patch of cells, and lines with no more corners than one sees."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias

import numpy as np

from hardware.enclosure.raster import Flags

Line: TypeAlias = list[tuple[float, float]]


def outlines(patch: Flags) -> list[Line]:
    """Closed lines around a patch (row x column), holes included, in cells; each begins and ends at one corner."""
    padded = np.pad(patch, 1).astype(np.int8)
    onward: dict[tuple[int, int], list[tuple[int, int]]] = {}
    across = np.diff(padded, axis=0)
    for sign, shift in ((1, (0, 1)), (-1, (1, 0))):
        for row, column in np.argwhere(across[:, 1:-1] == sign):
            onward.setdefault((column + shift[0], row), []).append((column + shift[1], row))
    along = np.diff(padded, axis=1)
    for sign, shift in ((1, (1, 0)), (-1, (0, 1))):
        for row, column in np.argwhere(along[1:-1] == sign):
            onward.setdefault((column, row + shift[0]), []).append((column, row + shift[1]))
    return _loops(onward)


def _loops(onward: dict[tuple[int, int], list[tuple[int, int]]]) -> list[Line]:
    loops = []
    for start in sorted(onward):
        while onward[start]:
            loop: Line = [start]
            here = onward[start].pop()
            while here != start:
                loop.append(here)
                here = onward[here].pop()
            loops.append([*loop, start])
    return loops


def simpler(line: Sequence[tuple[float, float]], off: float) -> Line:
    """The same line with the corners that lie nearer than `off` to it left out (Douglas and Peucker)."""
    points = np.array(line, float)
    if len(points) < 3:
        return [(float(x), float(y)) for x, y in points]
    if np.allclose(points[0], points[-1]):
        far = int(np.hypot(*(points - points[0]).T).argmax())
        return simpler(line[: far + 1], off)[:-1] + simpler(line[far:], off)
    keep = np.zeros(len(points), bool)
    keep[[0, -1]] = True
    spans = [(0, len(points) - 1)]
    while spans:
        first, last = spans.pop()
        if last - first < 2:
            continue
        way = points[last] - points[first]
        between = points[first + 1 : last] - points[first]
        distance = np.abs(between[:, 0] * way[1] - between[:, 1] * way[0]) / (np.hypot(*way) or 1.0)
        worst = int(distance.argmax())
        if distance[worst] > off:
            middle = first + 1 + worst
            keep[middle] = True
            spans += [(first, middle), (middle, last)]
    return [(float(x), float(y)) for x, y in points[keep]]


def chains(pieces: Sequence[tuple[tuple[float, float], tuple[float, float]]]) -> list[Line]:
    """Straight pieces put together to lines as long as they go."""
    at: dict[tuple[float, float], list[int]] = {}
    for number, ends in enumerate(pieces):
        for end in ends:
            at.setdefault(end, []).append(number)
    used = [False] * len(pieces)
    # begin at loose ends and forks, so that what is left over are closed lines
    order = sorted(range(len(pieces)), key=lambda number: min(len(at[end]) == 2 for end in pieces[number]))
    lines = []
    for number in order:
        if used[number]:
            continue
        start, end = pieces[number]
        if len(at[start]) == 2 and len(at[end]) != 2:
            start, end = end, start
        used[number] = True
        line = [start, end]
        while len(at[line[-1]]) == 2:
            free = [other for other in at[line[-1]] if not used[other]]
            if not free:
                break
            used[free[0]] = True
            one, two = pieces[free[0]]
            line.append(two if one == line[-1] else one)
        lines.append(line)
    return lines
