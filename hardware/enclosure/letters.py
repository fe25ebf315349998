"""The letters that are sunk into a display's plate, as strokes: a font differs from computer to computer."""

from __future__ import annotations

from itertools import pairwise
from math import atan2, degrees, hypot
from typing import Final

from build123d import Location, Solid

from hardware.enclosure.shapes import box

# points on a grid 4 wide and 6 high; each string of pairs is one stroke of the pen
_STROKES: Final = {
    "A": ["00 03 26 43 40", "02 42"],
    "B": ["00 06 36 45 44 33 03", "33 42 41 30 00"],
    "C": ["41 30 10 01 05 16 36 45"],
    "D": ["00 06 26 44 42 20 00"],
    "E": ["40 00 06 46", "03 33"],
    "J": ["01 10 30 41 46"],
    "L": ["06 00 40"],
    "O": ["01 05 16 36 45 41 30 10 01"],
    "T": ["06 46", "20 26"],
    "U": ["06 01 10 30 41 46"],
    "Z": ["06 46 00 40"],
    "Ż": ["06 46 00 40", "28 29"],
}
_ADVANCE: Final = 5.6  # grid units from one letter to the next


def strokes(text: str) -> list[tuple[tuple[float, float], tuple[float, float]]]:
    """Lines of the pen in grid units, the text's lower left at the origin; KeyError for a letter that has no shape."""
    lines: list[tuple[tuple[float, float], tuple[float, float]]] = []
    for place, letter in enumerate(text):
        for stroke in _STROKES[letter]:
            points = [(int(pair[0]) + _ADVANCE * place, float(pair[1])) for pair in stroke.split()]
            lines += pairwise(points)
    return lines


def width(text: str, height: float) -> float:
    """How wide a text of this height is, in mm."""
    return ((len(text) - 1) * _ADVANCE + 4) * height / 6


def lettering(text: str, height: float, pen: float, depth: float) -> list[Solid]:
    """Bars of that depth above z = 0, the text's middle line from the origin to both sides, its foot at y = 0."""
    scale = height / 6
    left = -width(text, height) / 2
    return [_bar(start, end, scale, left, pen, depth) for start, end in strokes(text)]


def _bar(
    start: tuple[float, float], end: tuple[float, float], scale: float, left: float, pen: float, depth: float
) -> Solid:
    across, up = (end[0] - start[0]) * scale, (end[1] - start[1]) * scale
    bar = box((-pen / 2, hypot(across, up) + pen / 2), (-pen / 2, pen / 2), (0.0, depth))
    return bar.move(Location((left + start[0] * scale, start[1] * scale, 0), (0, 0, degrees(atan2(up, across)))))
