"""Four figures of seven segments each, as lines of text: exactly what a display of the box is told to show."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

# Segments a to g are bits 0 to 6: top, upper right, lower right, bottom, lower left, upper left, middle.
SEGMENTS: Final[Mapping[str, int]] = {
    " ": 0, "-": 0x40, "E": 0x79, "d": 0x5E, "n": 0x54,
    "0": 0x3F, "1": 0x06, "2": 0x5B, "3": 0x4F, "4": 0x66, "5": 0x6D, "6": 0x7D, "7": 0x07, "8": 0x7F, "9": 0x6F,
}  # fmt: skip
POINTS: Final = (":", ".")
_UNKNOWN: Final = 0x49  # three bars: a character that seven segments do not know

# Where lines meet; the index has bit 0 for a line upwards, then clockwise.
_JOINTS: Final = " ╹╺┗╻┃┏┣╸┛━┻┓┫┳╋"
_UP, _RIGHT, _DOWN, _LEFT = 1, 2, 4, 8
# Rows of joints from the top: (segment, direction) of the left joint, the segment between, those of the right joint.
_ROWS: Final = (
    (((0, _RIGHT), (5, _DOWN)), 0, ((0, _LEFT), (1, _DOWN))),
    (((5, _UP), (6, _RIGHT), (4, _DOWN)), 6, ((1, _UP), (6, _LEFT), (2, _DOWN))),
    (((4, _UP), (3, _RIGHT)), 3, ((2, _UP), (3, _LEFT))),
)
_BETWEEN: Final = ((5, 1), (4, 2))  # the uprights left and right between two rows of joints


def split(text: str) -> tuple[str, str]:
    """The four characters of a display and its point: ":", "." or ""."""
    if text[2:3] in POINTS:
        return text[:2] + text[3:], text[2]
    return text, ""


def width(size: int) -> int:
    """Columns of a display; `size` is how long a segment is, 1 or more."""
    return 4 * (size + 2) + 2 + _gap(size)


def height(size: int) -> int:
    """Rows of a display."""
    return 3 + 2 * (size // 2)


def figures(text: str, size: int) -> list[str]:
    """A display's text in `height(size)` lines of `width(size)` characters."""
    characters, point = split(text)
    drawn = [_figure(SEGMENTS.get(character, _UNKNOWN), size) for character in characters]
    lines = []
    for line in range(height(size)):
        left, right = (" ".join(figure[line] for figure in pair) for pair in (drawn[:2], drawn[2:]))
        lines.append(f"{left}{_point(point, line, size)}{right}")
    return lines


def _figure(lit: int, size: int) -> list[str]:
    lines = []
    for place, (left, bar, right) in enumerate(_ROWS):
        between = "━" if lit >> bar & 1 else " "
        lines.append(f"{_joint(lit, left)}{between * size}{_joint(lit, right)}")
        if place < len(_BETWEEN):
            uprights = ["┃" if lit >> segment & 1 else " " for segment in _BETWEEN[place]]
            lines += [(" " * size).join(uprights)] * (size // 2)
    return lines


def _joint(lit: int, ends: tuple[tuple[int, int], ...]) -> str:
    return _JOINTS[sum(direction for segment, direction in ends if lit >> segment & 1)]


def _gap(size: int) -> int:
    return 1 if size == 1 else 3


def _point(point: str, line: int, size: int) -> str:
    last = height(size) - 1
    lit = point == "." and line == last
    if point == ":":
        lit = line == 1 if size == 1 else line in (1, last - 1)
    dot = " " if not lit else point if size == 1 else "●"
    return dot.center(_gap(size))
