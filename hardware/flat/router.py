"""Tracks between pads on the two outer layers: a shortest path on a grid for each net, again where one is in the way.

The method is C. Y. Lee's ("An Algorithm for Path Connections and Its Applications", 1961) with a heuristic, and the
rip-up of those in the way that every autorouter has. It is here because a board house wants copper and no library that
is kept routes a board of this size from Python; a person who lays tracks by hand in KiCad is welcome to do better.
Everything is determined by its input: the same board gives the same tracks.
"""

from __future__ import annotations

import heapq
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from math import ceil, hypot
from typing import Any, Final

import numpy as np

from hardware.flat.copper import CLEARANCE, EDGE, LAYERS, VIA, Pad, Routes, Track, Via

GRID: Final = 0.25  # mm
THIN: Final = 0.2  # mm: width of a signal's track
THICK: Final = 0.6  # of a supply's; a via is as wide
CHANGE: Final = 12.0  # steps that a via is worth
AGAIN: Final = 14  # steps that crossing another net's track is worth, at first
ROUNDS: Final = 60
AROUND: Final = 80  # points of the grid beside the straight way in which one is looked for at first
BESIDE: Final = 0.15  # mm at least between a via's hole and what is soldered: in a pad it drinks the solder
SEVERAL: Final = 60.0  # steps that a place which several nets have is worth
INFINITE: Final = float("inf")
STEPS: Final = tuple((dx, dy, hypot(dx, dy)) for dx in (-1, 0, 1) for dy in (-1, 0, 1) if dx or dy)
STRAIGHTER: Final = 2 - hypot(1, 1)  # what a slanting step saves of two straight ones


class Unrouted(ValueError):
    """Some nets found no way; the message names them."""


class _Raster:
    """Whose copper is so near to each point of the grid that no other's may be there; -1: more than one's, or an edge.

    One map for each layer and each half width, of thin tracks and of thick ones and vias.
    """

    def __init__(self, left: float, top: float, width: int, height: int) -> None:
        self.left, self.top = left, top
        self.shape = (height, width)
        self.maps = {(layer, wide): np.zeros(self.shape, np.int32) for layer in LAYERS for wide in (False, True)}

    def window(self, x: float, y: float, reach: float) -> tuple[slice, slice, Any, Any]:
        """Rows and columns within a square around a point, and the coordinates of their middles."""
        x0, x1 = int((x - reach - self.left) / GRID) - 1, int((x + reach - self.left) / GRID) + 2
        y0, y1 = int((y - reach - self.top) / GRID) - 1, int((y + reach - self.top) / GRID) + 2
        x0, y0, x1, y1 = max(x0, 0), max(y0, 0), min(x1, self.shape[1]), min(y1, self.shape[0])
        xs = self.left + GRID * np.arange(x0, x1)
        ys = self.top + GRID * np.arange(y0, y1)
        return slice(y0, y1), slice(x0, x1), xs[None, :], ys[:, None]

    def claim(self, layers: str, owner: int, rows: slice, columns: slice, distance: Any, extra: float = 0.0) -> None:
        """For an owner, all points nearer to its copper than clearance and half a track."""
        for layer in layers:
            for wide in (False, True):
                part = self.maps[layer, wide][rows, columns]
                near = distance < (THICK if wide else THIN) / 2 + CLEARANCE + extra - 1e-6
                part[near & (part != owner)] = np.where(part[near & (part != owner)] == 0, owner, -1)

    def pad(self, pad: Pad, owner: int) -> None:
        reach = hypot(pad.width, pad.height) / 2 + 1
        rows, columns, xs, ys = self.window(pad.x, pad.y, reach)
        layers = "FB" if pad.drill else "".join(layer for layer in LAYERS if layer in pad.layers)
        self.claim(layers, owner, rows, columns, _from_pad(pad, xs, ys), 0.05 if pad.drill else 0.0)

    def track(self, track: Track, owner: int) -> None:
        x, y = (track.x1 + track.x2) / 2, (track.y1 + track.y2) / 2
        reach = hypot(track.x2 - track.x1, track.y2 - track.y1) / 2 + track.width + 1
        rows, columns, xs, ys = self.window(x, y, reach)
        dx, dy = track.x2 - track.x1, track.y2 - track.y1
        length = dx * dx + dy * dy or 1e-9
        along = np.clip(((xs - track.x1) * dx + (ys - track.y1) * dy) / length, 0, 1)
        distance = np.hypot(xs - track.x1 - along * dx, ys - track.y1 - along * dy) - track.width / 2
        self.claim(track.layer, owner, rows, columns, distance)

    def via(self, x: float, y: float, owner: int, size: float = VIA[0], extra: float = 0.0) -> None:
        rows, columns, xs, ys = self.window(x, y, size / 2 + 1)
        self.claim(LAYERS, owner, rows, columns, np.hypot(xs - x, ys - y) - size / 2, extra)

    def edge(self, corners: Sequence[tuple[float, float]]) -> None:
        """Nothing may be outside, or near to the edge."""
        xs = self.left + GRID * np.arange(self.shape[1])[None, :]
        ys = self.top + GRID * np.arange(self.shape[0])[:, None]
        for (x1, y1), (x2, y2) in zip(corners, [*corners[1:], corners[0]], strict=True):
            inwards = ((x2 - x1) * (ys - y1) - (y2 - y1) * (xs - x1)) / hypot(x2 - x1, y2 - y1)
            for (_, wide), each in self.maps.items():
                each[inwards < EDGE + (THICK if wide else THIN) / 2] = -1

    def close(self, corners: Sequence[tuple[float, float]]) -> None:
        """Nothing may be in a convex area, whose corners are clockwise on the screen."""
        xs = self.left + GRID * np.arange(self.shape[1])[None, :]
        ys = self.top + GRID * np.arange(self.shape[0])[:, None]
        inside = np.ones(self.shape, bool)
        for (x1, y1), (x2, y2) in zip(corners, [*corners[1:], corners[0]], strict=True):
            inside &= ((x2 - x1) * (ys - y1) - (y2 - y1) * (xs - x1)) / hypot(x2 - x1, y2 - y1) > -THICK / 2
        for each in self.maps.values():
            each[inside] = -1


def _from_pad(pad: Pad, xs: Any, ys: Any) -> Any:
    turn = np.radians(pad.angle)
    dx, dy = xs - pad.x, ys - pad.y
    across = np.abs(dx * np.cos(turn) - dy * np.sin(turn)) - pad.width / 2
    along = np.abs(dx * np.sin(turn) + dy * np.cos(turn)) - pad.height / 2
    return np.hypot(np.maximum(across, 0), np.maximum(along, 0)) + np.minimum(np.maximum(across, along), 0)


class Router:
    """The board of one piece. `given`: tracks and vias that are there already; `wide`: nets whose tracks are thick.

    `ends`: where given tracks end that lead on from all pads of a part on that net; they stand in for its pads.
    """

    def __init__(
        self,
        pads: Sequence[Pad],
        contour: Sequence[tuple[float, float]],
        closed: Iterable[Sequence[tuple[float, float]]] = (),
        given: Routes | None = None,
        wide: Iterable[str] = (),
        ends: Iterable[Pad] = (),
    ) -> None:
        xs, ys = [x for x, _ in contour], [y for _, y in contour]
        columns, rows = ceil((max(xs) - min(xs)) / GRID) + 1, ceil((max(ys) - min(ys)) / GRID) + 1
        self._fixed = _Raster(min(xs), min(ys), columns, rows)
        self._wide = set(wide)
        names = sorted({pad.net for pad in pads if pad.net})
        self._numbers = {name: number for number, name in enumerate(names, 1)}
        self._names = {number: name for name, number in self._numbers.items()}
        self._pads: dict[str, list[Pad]] = defaultdict(list)
        ends = tuple(ends)
        led = {pad for pad in pads if (pad.ref, pad.net) in {(end.ref, end.net) for end in ends}}
        self._soldered = np.zeros(self._fixed.shape, bool)
        for place, pad in enumerate(pads):
            self._fixed.pad(pad, self._numbers.get(pad.net, -2 - place))
            self._close_to_holes(pad)
            if pad.net and pad not in led:
                self._pads[pad.net].append(pad)
        for end in ends:
            self._pads[end.net].append(end)
        for track in (given or Routes()).tracks:
            self._fixed.track(track, self._numbers[track.net])
        for via in (given or Routes()).vias:
            self._fixed.via(via.x, via.y, self._numbers[via.net])
        self._fixed.edge(contour)
        for corners in closed:
            self._fixed.close(corners)
        self.found: dict[str, Routes] = {}

    def _close_to_holes(self, pad: Pad) -> None:
        """No via, not even one of its own net, is to be in a pad that is soldered flat."""
        if not pad.drill:
            rows, columns, xs, ys = self._fixed.window(pad.x, pad.y, hypot(pad.width, pad.height) / 2 + 1)
            self._soldered[rows, columns] |= _from_pad(pad, xs, ys) < VIA[1] / 2 + BESIDE - 1e-6

    def route(self, nets: Iterable[str]) -> Routes:
        """All these nets, short ones first. Unrouted if some find no way in ROUNDS rounds."""
        wanted = set(nets)
        fare: defaultdict[str, float] = defaultdict(lambda: float(AGAIN))
        taken = self._taken()
        for _ in range(ROUNDS):
            waiting = sorted(wanted - self.found.keys(), key=lambda net: (self._length(net), net))
            if not waiting:
                break
            for net in waiting:
                routes, crossed = self._path(net, taken, fare)
                if routes is not None:
                    self.found[net] = routes
                    self._claim(taken, net)
                for other in crossed:
                    del self.found[other]
                    fare[other] *= 1.4
                if crossed:
                    taken = self._taken()
        if waiting:
            raise Unrouted(f"No way was found for {', '.join(waiting)}.")
        whole = Routes()
        for net in sorted(self.found):
            whole.tracks += self.found[net].tracks
            whole.vias += self.found[net].vias
        return whole

    def joins(self, net: str) -> list[Pad]:
        """What a net has to join."""
        return self._pads[net]

    def _length(self, net: str) -> float:
        xs, ys = [pad.x for pad in self._pads[net]], [pad.y for pad in self._pads[net]]
        return max(xs) - min(xs) + max(ys) - min(ys)

    def _taken(self) -> _Raster:
        """What the nets have taken that have a way."""
        height, width = self._fixed.shape
        taken = _Raster(self._fixed.left, self._fixed.top, width, height)
        for net in self.found:
            self._claim(taken, net)
        return taken

    def _claim(self, taken: _Raster, net: str) -> None:
        for track in self.found[net].tracks:
            taken.track(track, self._numbers[net])
        for via in self.found[net].vias:
            taken.via(via.x, via.y, self._numbers[net])

    def _path(self, net: str, taken: _Raster, fare: Mapping[str, float]) -> tuple[Routes | None, set[str]]:
        """Tracks that join all pads of a net, and the nets that must go because they cross them."""
        wide = net in self._wide
        width = THICK if wide else THIN
        mine = self._numbers[net]
        pads = self._pads[net]
        routes, crossed = Routes(), set()
        joined = {0}
        cells: set[tuple[int, int, int]] = set(self._cells(pads[0]))
        while len(joined) < len(pads):
            left = (place for place in range(len(pads)) if place not in joined)
            _, nearest = min((min(_apart(pads[place], pads[each]) for each in joined), place) for place in left)
            goals = set(self._cells(pads[nearest]))
            way = self._search(mine, wide, cells, goals, taken, fare)
            if way is None:
                return None, set()
            joined.add(nearest)
            cells |= {*way, *goals}
            crossed |= self._crossed(way, wide, mine)
            self._lay(net, width, way, routes, pads)
        return routes, crossed

    def _cells(self, pad: Pad) -> list[tuple[int, int, int]]:
        """Points of the grid within a pad, on each of its layers; the nearest, if none is."""
        fixed = self._fixed
        rows, columns, xs, ys = fixed.window(pad.x, pad.y, hypot(pad.width, pad.height) / 2)
        within = _from_pad(pad, xs, ys)
        if pad.drill and pad.width == pad.height:  # round, for all that is known
            within = np.hypot(xs - pad.x, ys - pad.y) - pad.width / 2
        inside = np.argwhere(within < -0.05)
        found = [(int(row) + rows.start, int(column) + columns.start) for row, column in inside]
        if not found:
            found = [(round((pad.y - fixed.top) / GRID), round((pad.x - fixed.left) / GRID))]
        layers = (0, 1) if pad.drill else tuple(LAYERS.index(layer) for layer in LAYERS if layer in pad.layers)
        return [(layer, row, column) for layer in layers for row, column in found]

    def _search(
        self,
        mine: int,
        wide: bool,
        starts: set[tuple[int, int, int]],
        goals: set[tuple[int, int, int]],
        taken: _Raster,
        fare: Mapping[str, float],
    ) -> list[tuple[int, int, int]] | None:
        # of a fare's number -1 is the last: what several nets have
        fares = np.array([0.0, *(fare[self._names[each]] for each in sorted(self._names)), SEVERAL])
        fares[mine] = 0.0
        rows, columns = zip(*((row, column) for _, row, column in (*starts, *goals)), strict=True)
        for margin in (AROUND, max(self._fixed.shape)):
            window = (
                slice(max(min(rows) - margin, 0), max(rows) + margin + 1),
                slice(max(min(columns) - margin, 0), max(columns) + margin + 1),
            )
            way = self._within(window, mine, wide, starts, goals, taken, fares)
            if way is not None:
                return way
        return None

    def _within(
        self,
        window: tuple[slice, slice],
        mine: int,
        wide: bool,
        starts: set[tuple[int, int, int]],
        goals: set[tuple[int, int, int]],
        taken: _Raster,
        fares: Any,
    ) -> list[tuple[int, int, int]] | None:
        """The cheapest way that stays in a window of the grid."""
        tracks: list[Any] = []
        vias: list[Any] = []
        for name in LAYERS:
            for costs, thick in ((tracks, wide), (vias, True)):
                fixed, others = self._fixed.maps[name, thick][window], taken.maps[name, thick][window]
                costs.append(self._costs(fixed, others, mine, fares))
        through = np.where(self._soldered[window], INFINITE, np.maximum(vias[0], vias[1]) + CHANGE).tolist()
        ways = [each.tolist() for each in tracks]
        up, aside = window[0].start, window[1].start
        starts = {(layer, row - up, column - aside) for layer, row, column in starts}
        goals = {(layer, row - up, column - aside) for layer, row, column in goals}
        height, width = len(ways[0]), len(ways[0][0])
        rows, columns = [row for _, row, _ in goals], [column for _, _, column in goals]
        top, bottom, left, right = min(rows), max(rows), min(columns), max(columns)
        best = dict.fromkeys(starts, 0.0)
        before: dict[tuple[int, int, int], tuple[int, int, int] | None] = dict.fromkeys(starts)
        queue = [(0.0, 0.0, cell) for cell in sorted(starts)]

        def reach(other: tuple[int, int, int], cost: float) -> None:
            if cost < best.get(other, INFINITE) - 1e-9:
                best[other], before[other] = cost, cell
                _, row, column = other
                dx, dy = max(left - column, column - right, 0), max(top - row, row - bottom, 0)
                heapq.heappush(queue, (cost + dx + dy - STRAIGHTER * min(dx, dy), cost, other))

        while queue:
            _, cost, cell = heapq.heappop(queue)
            if cost > best[cell]:
                continue
            if cell in goals:
                way: list[tuple[int, int, int]] = []
                at: tuple[int, int, int] | None = cell
                while at is not None:
                    way.append((at[0], at[1] + up, at[2] + aside))
                    at = before[at]
                return way[::-1]
            layer, row, column = cell
            grid = ways[layer]
            for dx, dy, step in STEPS:
                x, y = column + dx, row + dy
                if 0 <= x < width and 0 <= y < height and grid[y][x] < INFINITE:
                    reach((layer, y, x), cost + step + grid[y][x])
            if through[row][column] < INFINITE:
                reach((1 - layer, row, column), cost + through[row][column])
        return None

    def _costs(self, fixed: Any, taken: Any, mine: int, fares: Any) -> Any:
        """What each point costs beside the way itself: nothing, a fare for each net that has it, or all."""
        costs = fares[taken]
        costs[(fixed != 0) & (fixed != mine)] = INFINITE
        return costs

    def _crossed(self, way: Sequence[tuple[int, int, int]], wide: bool, mine: int) -> set[str]:
        """Nets whose tracks are too near to this way."""
        laid = Routes()
        self._lay(self._names[mine], THICK if wide else THIN, way, laid, ())
        return {other for other, routes in self.found.items() if other != self._names[mine] and _meet(laid, routes)}

    def _lay(
        self, net: str, width: float, way: Sequence[tuple[int, int, int]], routes: Routes, pads: Sequence[Pad]
    ) -> None:
        """Tracks and vias of a way, its straight parts as one."""
        fixed = self._fixed
        points = [(layer, fixed.left + GRID * column, fixed.top + GRID * row) for layer, row, column in way]
        for end in (0, -1):
            layer, x, y = points[end]
            for pad in pads:
                on = pad.drill or LAYERS[layer] in pad.layers
                if (
                    on
                    and pad.distance(x, y) <= 0.13
                    and hypot(pad.x - x, pad.y - y) > 0.01
                    and min(pad.width, pad.height) < 0.9
                ):
                    routes.tracks.append(
                        Track(net, LAYERS[layer], min(width, pad.width, pad.height), pad.x, pad.y, x, y)
                    )
        begin = 0
        for place in range(1, len(points)):
            if points[place][0] != points[place - 1][0]:
                self._straight(net, width, points[begin:place], routes)
                routes.vias.append(Via(net, points[place][1], points[place][2]))
                begin = place
        self._straight(net, width, points[begin:], routes)

    @staticmethod
    def _straight(net: str, width: float, points: Sequence[tuple[int, float, float]], routes: Routes) -> None:
        begin = 0
        for place in range(1, len(points)):
            (layer, x0, y0), (_, x1, y1) = points[place - 1], points[place]
            last = place == len(points) - 1
            if not last:
                _, x2, y2 = points[place + 1]
                last = abs((x1 - x0) - (x2 - x1)) > 1e-6 or abs((y1 - y0) - (y2 - y1)) > 1e-6
            if last:
                routes.tracks.append(Track(net, LAYERS[layer], width, points[begin][1], points[begin][2], x1, y1))
                begin = place


def _apart(one: Pad, other: Pad) -> float:
    return hypot(one.x - other.x, one.y - other.y)


def _meet(one: Routes, other: Routes) -> bool:
    for a in one.tracks:
        for b in other.tracks:
            if a.layer == b.layer and _between(a, b) < (a.width + b.width) / 2 + CLEARANCE - 1e-6:
                return True
    for routes, against in ((one, other), (other, one)):
        for via in routes.vias:
            if any(
                track.distance(via.x, via.y) < (VIA[0] + track.width) / 2 + CLEARANCE - 1e-6 for track in against.tracks
            ):
                return True
            if any(hypot(via.x - each.x, via.y - each.y) < VIA[0] + CLEARANCE - 1e-6 for each in against.vias):
                return True
    return False


def _between(a: Track, b: Track) -> float:
    """The least distance of two tracks' middle lines."""
    if _cross(a, b):
        return 0.0
    return min(b.distance(a.x1, a.y1), b.distance(a.x2, a.y2), a.distance(b.x1, b.y1), a.distance(b.x2, b.y2))


def _cross(a: Track, b: Track) -> bool:
    def side(t: Track, x: float, y: float) -> float:
        return (t.x2 - t.x1) * (y - t.y1) - (t.y2 - t.y1) * (x - t.x1)

    return side(a, b.x1, b.y1) * side(a, b.x2, b.y2) < 0 and side(b, a.x1, a.y1) * side(b, a.x2, a.y2) < 0
