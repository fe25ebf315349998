"""What one sees of a display: outlines of its segments and dots, as wells in the mask and as windows in the wall.

In the display's place as one looks at it: x to the right from its middle, y up from the table, z outwards from the
box's middle.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from math import cos, pi, sin, sqrt
from typing import Final

from build123d import Location, Solid

from hardware.enclosure.shapes import Span, prism
from hardware.flat.case.sizes import Sizes
from hardware.flat.layout import COLON, DIGIT, DIGITS, POINT

_STEP: Final = 0.5
UPRIGHT: Final = Location((0, 0, 0), (90, 0, 0))
"""From the display's place to side A's."""
_CORNERS: Final = 8  # of a dot, a side of it level: what a printer bridges


def segment(sizes: Sizes, name: str, shy: float = 0.0) -> list[Span]:
    """A segment's outline around a digit's middle; `shy` is how much narrower it is on each side: a window then, whose
    level edges end in a step, so that a printer bridges them.
    """
    width, height = DIGIT
    lies = name in "adg"
    reach = (width / 2 if lies else height / 4) - (sizes.mask.apart / 2 + shy) * sqrt(2)
    half = sizes.mask.stroke / 2 - shy
    step = _STEP if shy and lies else 0.0
    right = [(reach - half, -half), (reach - half, step - half), (reach - step, 0.0), (reach - half, half - step)]
    right.append((reach - half, half))
    if not step:
        right = [right[0], right[2], right[4]]
    along = right + [(-x, -y) for x, y in right]
    across = {"b": width / 2, "c": width / 2, "e": -width / 2, "f": -width / 2}.get(name, 0.0)
    up = {"a": height / 2, "b": height / 4, "c": -height / 4, "d": -height / 2, "e": -height / 4, "f": height / 4}
    middle = across, up.get(name, 0.0)
    return [(middle[0] + (x if lies else -y), middle[1] + (y if lies else x)) for x, y in along]


def dots() -> list[Span]:
    """The digits' points and the colon, from the display's middle."""
    return [(digit + POINT, -DIGIT[1] / 2) for digit in DIGITS] + [(0.0, COLON), (0.0, -COLON)]


def outlines(sizes: Sizes, shy: float = 0.0, lit: str | None = None) -> Iterator[list[Span]]:
    """All of them, or those that are lit when the display says that: a character for each digit, a colon if any; a
    point behind a digit is that digit's.
    """
    up = sizes.boards.display_middle
    shown = re.findall(r"([^:.])(\.?)", "8.8.:8.8." if lit is None else lit)
    for digit, (character, _) in zip(DIGITS, shown, strict=True):
        for name in LIT[character]:
            yield [(digit + x, up + y) for x, y in segment(sizes, name, shy)]
    radius = (sizes.mask.dot / 2 - shy) / cos(pi / _CORNERS)
    *points, upper, lower = dots()
    wanted = [at for at, (_, point) in zip(points, shown, strict=True) if point]
    wanted += [upper, lower] if lit is None or ":" in lit else []
    for x, y in wanted:
        turns = [2 * pi * (step + 0.5) / _CORNERS for step in range(_CORNERS)]
        yield [(x + radius * cos(turn), up + y + radius * sin(turn)) for turn in turns]


def prisms(sizes: Sizes, z: Span, shy: float = 0.0, lit: str | None = None) -> list[Solid]:
    """The same as bodies between two distances."""
    return [prism(outline, z) for outline in outlines(sizes, shy, lit)]


LIT: Final = {
    "0": "abcdef", "1": "bc", "2": "abged", "3": "abgcd", "4": "fgbc", "5": "afgcd", "6": "afgedc", "7": "abc",
    "8": "abcdefg", "9": "abcfgd", " ": "",
}  # fmt: skip
