"""The wires of the carrier as drawn from below: each with a bend and its number where neither covers anything else."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import product
from math import hypot
from typing import Final, NamedTuple, TypeVar

from hardware.circuit.canvas import Canvas, Frame, frame
from hardware.circuit.carrier import Wire

Point = tuple[float, float]
Choice = TypeVar("Choice")

SIZE: Final = 13.0  # of the numbers
STYLES: Final = {  # net: how its wires are drawn
    "GND": "stroke-width:3",
    "+5V": "stroke-width:3;stroke-dasharray:9 5",
    "+5V_BOARD": "stroke-width:3;stroke-dasharray:2 4",
    "+3V3": "stroke-width:3;stroke-dasharray:12 4 2 4",
}
_BENDS: Final = tuple(side * 0.02 * step for step in range(2, 14) for side in (1, -1))
"""Shares of a wire's length by which its middle goes aside."""
_ALONG: Final = (0.5, 0.42, 0.58, 0.34, 0.66, 0.26, 0.74, 0.18, 0.82, 0.12, 0.88)
_CLEAR: Final = 9.0  # pixels between a wire and a hole that it only passes


class Drawn(NamedTuple):
    """A wire on the picture: its number, its ends, and its bend as a share of its length."""

    number: int
    wire: Wire
    start: Point
    end: Point
    bend: float

    def at(self, along: float) -> Point:
        """The point at this share of its way."""
        (x1, y1), (x2, y2) = self.start, self.end
        aside = 4 * self.bend * along * (1 - along)
        return x1 + along * (x2 - x1) - aside * (y2 - y1), y1 + along * (y2 - y1) + aside * (x2 - x1)

    def passes(self, holes: Iterable[Point]) -> list[Point]:
        """Those that it runs over without ending at them."""
        return [hole for hole in holes if hole not in (self.start, self.end) and self.far(hole) < _CLEAR]

    def far(self, point: Point) -> float:
        """About how many pixels a point is from the arc, or from its ends if it is not beside it."""
        (x1, y1), (x2, y2) = self.start, self.end
        across, down = x2 - x1, y2 - y1
        length = hypot(across, down)
        along = ((point[0] - x1) * across + (point[1] - y1) * down) / length**2
        if not 0 < along < 1:
            return min(hypot(point[0] - x, point[1] - y) for x, y in (self.start, self.end))
        x, y = self.at(along)
        return hypot(point[0] - x, point[1] - y) / hypot(1, 4 * self.bend * (1 - 2 * along))


def draw(canvas: Canvas, wires: Sequence[Drawn], holes: Sequence[Point], taken: Iterable[Frame]) -> list[Drawn]:
    """Bridges as bars, wires as arcs with their numbers; `taken`: where words stand already. The arcs as drawn."""
    frames = list(taken)
    kept_off = [*holes, *(((one.left + one.right) / 2, (one.top + one.bottom) / 2) for one in frames)]
    for one in wires:
        if one.wire.bridge:
            canvas.line(one.start, one.end, "stroke-width:9;stroke-linecap:round")
    arcs = sorted((one for one in wires if not one.wire.bridge), key=lambda one: (one.wire.length, one.number))
    drawn: list[Drawn] = []
    for one in arcs:
        bent = _best((one._replace(bend=bend) for bend in _bends(one)), lambda each: _cost(each, kept_off, drawn))
        drawn.append(bent)
        canvas.arc(bent.start, bent.end, bent.bend, STYLES.get(one.wire.net, "stroke-width:1.5"))
    for one in drawn:
        where = _number(one, drawn, frames, holes)
        frames.append(frame(where, str(one.number), SIZE, bold=True))
        canvas.words(where, str(one.number), SIZE, bold=True, halo=True)
    return drawn


def _number(one: Drawn, drawn: Sequence[Drawn], frames: Sequence[Frame], holes: Sequence[Point]) -> Point:
    """Where its number covers no word, no hole, and no other wire; words count most."""

    def cost(where: Point) -> int:
        own = frame(where, str(one.number), SIZE, bold=True)
        wires = sum(other.far(where) < SIZE / 2 for other in drawn) - 1
        words, covered = sum(own.meets(other) for other in frames), sum(own.holds(hole, 6) for hole in holes)
        return 100 * words + 2 * wires + covered

    return _best(_places(one), cost)


def _bends(one: Drawn) -> Iterator[float]:
    """Wires of one net go aside to one side first, those of the next to the other."""
    side = 1 if one.wire.net in ("GND", "SDA", "SDA_5V") else -1
    return (side * bend for bend in _BENDS)


def _best(choices: Iterable[Choice], cost: Callable[[Choice], int]) -> Choice:
    """The first that costs nothing, or the first of the cheapest; a choice further on is not looked at in vain."""
    found: list[tuple[int, Choice]] = []
    for choice in choices:
        found.append((cost(choice), choice))
        if not found[-1][0]:
            return choice
    return min(found, key=lambda each: each[0])[1]


def _cost(one: Drawn, holes: Sequence[Point], drawn: Sequence[Drawn]) -> int:
    """Holes and words that it passes, and wires that its middle is beside."""
    middle = one.at(0.5)
    return len(one.passes(holes)) + sum(other.far(middle) < _CLEAR for other in drawn)


def _places(one: Drawn) -> Iterator[Point]:
    """On the wire, its middle first; for a short one beside it, too."""
    (x1, y1), (x2, y2) = one.start, one.end
    length = hypot(x2 - x1, y2 - y1)
    for off, along in product((0, 9, -9, 15, -15), _ALONG):
        x, y = one.at(along)
        yield x - off * (y2 - y1) / length, y + off * (x2 - x1) / length
