"""An SVG in millimetres or in the units of a rendered view: shapes, measures, and numbers in rings.

Everything is rounded, so that it is the same text every time.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Final, TypeAlias

from hardware.enclosure.render import Rendered

Point: TypeAlias = tuple[float, float]
FONT: Final = "DejaVu Sans, Verdana, Arial, sans-serif"
INK: Final = "#222"
_THIN: Final = "#555"


class Canvas:
    """`low` and `high` are the picture's corners, y up; `letter` is the height of its letters; `unit` is "mm" for a
    picture that has its size on paper.
    """

    def __init__(self, low: Point, high: Point, letter: float, unit: str = "") -> None:
        self._low, self._high, self.letter, self._unit = low, high, letter, unit
        self._body: list[str] = []

    def svg(self) -> str:
        """Its text."""
        wide, tall = self._high[0] - self._low[0], self._high[1] - self._low[1]
        size = f' width="{wide:g}{self._unit}" height="{tall:g}{self._unit}"' if self._unit else ""
        head = f'<svg xmlns="http://www.w3.org/2000/svg"{size} viewBox="0 0 {wide:g} {tall:g}">'
        return "\n".join([head, '<rect width="100%" height="100%" fill="#fff"/>', *self._body, "</svg>", ""])

    def rendered(self, view: Rendered) -> None:
        """Patches of colour, and edges over them."""
        for (red, green, blue), loops in view.patches:
            colour = f"#{red:02x}{green:02x}{blue:02x}"
            path = "".join(self._path(loop[:-1]) + "Z" for loop in loops)
            self._body.append(
                f'<path fill="{colour}" stroke="{colour}" stroke-width="1" fill-rule="evenodd" d="{path}"/>'
            )
        path = "".join(self._path(line) for line in view.lines)
        self._body.append(f'<path fill="none" stroke="{INK}" stroke-width="1.1" stroke-linejoin="round" d="{path}"/>')

    def line(self, points: Sequence[Point], width: float = 0.4, colour: str = INK, dash: str = "") -> None:
        """From each to the next."""
        dashed = f' stroke-dasharray="{dash}"' if dash else ""
        self._body.append(
            f'<path fill="none" stroke="{colour}" stroke-width="{width:g}" stroke-linejoin="round"'
            f' stroke-linecap="round"{dashed} d="{self._path(points)}"/>'
        )

    def area(self, points: Sequence[Point], fill: str, width: float = 0.4, dash: str = "", colour: str = INK) -> None:
        """A closed shape."""
        dashed = f' stroke-dasharray="{dash}"' if dash else ""
        self._body.append(
            f'<path fill="{fill}" stroke="{colour}" stroke-width="{width:g}" stroke-linejoin="round"{dashed}'
            f' d="{self._path(points)}Z"/>'
        )

    def box(
        self, x: Point, y: Point, fill: str = "none", width: float = 0.4, dash: str = "", colour: str = INK
    ) -> None:
        """A rectangle between these."""
        self.area([(x[0], y[0]), (x[1], y[0]), (x[1], y[1]), (x[0], y[1])], fill, width, dash, colour)

    def ring(self, at: Point, radius: float, fill: str = "none", width: float = 0.4, dash: str = "") -> None:
        """A circle."""
        x, y = self._at(at)
        dashed = f' stroke-dasharray="{dash}"' if dash else ""
        self._body.append(
            f'<circle cx="{x}" cy="{y}" r="{radius:g}" fill="{fill}" stroke="{INK}" stroke-width="{width:g}"{dashed}/>'
        )

    def cross(self, at: Point, arm: float, width: float = 0.25) -> None:
        """The middle of something round."""
        x, y = at
        self.line([(x - arm, y), (x + arm, y)], width)
        self.line([(x, y - arm), (x, y + arm)], width)

    def text(self, words: str, at: Point, anchor: str = "middle", size: float = 0.0, turn: float = 0.0) -> None:
        """Its middle line at this height, white behind, so that it reads over lines."""
        size = size or self.letter
        x, y = self._at((at[0], at[1]))
        turned = f' transform="rotate({turn:g} {x} {y})"' if turn else ""
        words = words.replace("&", "&amp;").replace("<", "&lt;")
        plain = f'x="{x}" y="{y}" dy="0.36em" font-family="{FONT}" font-size="{size:g}" text-anchor="{anchor}"{turned}'
        self._body.append(
            f'<text {plain} fill="#fff" stroke="#fff" stroke-width="{size / 3:.2g}" stroke-linejoin="round">{words}'
            f'</text><text {plain} fill="#111">{words}</text>'
        )

    def number(self, number: int, at: Point, to: Point | None = None) -> None:
        """A number in a ring, with a line to what it is about."""
        radius = self.letter * 0.95
        if to is not None:
            self.line([at, to], self.letter / 12, _THIN)
            self.ring(to, self.letter / 6, _THIN, 0)
        self.ring(at, radius, "#fff", self.letter / 9)
        x, y = self._at(at)
        self._body.append(
            f'<text x="{x}" y="{y}" dy="0.36em" font-family="{FONT}" font-size="{self.letter:g}" font-weight="bold"'
            f' text-anchor="middle" fill="#111">{number}</text>'
        )

    def measure(self, start: Point, end: Point, off: float, words: str = "") -> None:
        """The length between two points that lie level or upright, drawn beside them: `off` to the right of the way."""
        (ax, ay), (bx, by) = start, end
        length = ((bx - ax) ** 2 + (by - ay) ** 2) ** 0.5
        right, up = (by - ay) / length, -(bx - ax) / length
        a, b = (ax + right * off, ay + up * off), (bx + right * off, by + up * off)
        beyond = off + (1.0 if off > 0 else -1.0) * self.letter * 0.4
        for x, y in (start, end):
            self.line([(x, y), (x + right * beyond, y + up * beyond)], self.letter / 22, _THIN)
        self.line([a, b], self.letter / 22, _THIN)
        along = ((bx - ax) / length, (by - ay) / length)
        for (x, y), way in ((a, 1.0), (b, -1.0)):
            tip, wing = self.letter * 0.55 * way, self.letter * 0.18
            corners = [
                (x, y),
                (x + along[0] * tip + right * wing, y + along[1] * tip + up * wing),
                (x + along[0] * tip - right * wing, y + along[1] * tip - up * wing),
            ]
            self.area(corners, _THIN, 0)
        turn = -90.0 if abs(bx - ax) < abs(by - ay) else 0.0
        self.text(words or f"{length:g}", ((a[0] + b[0]) / 2, (a[1] + b[1]) / 2), turn=turn)

    def _at(self, point: Point) -> tuple[str, str]:
        return _short(point[0] - self._low[0]), _short(self._high[1] - point[1])

    def _path(self, line: Sequence[Point]) -> str:
        """One corner, and from there on the way from each to the next."""
        places = [(round((x - self._low[0]) * 100), round((self._high[1] - y) * 100)) for x, y in line]
        steps = [f"{(x - fx) / 100:g} {(y - fy) / 100:g}" for (fx, fy), (x, y) in pairwise(places)]
        return f"M{places[0][0] / 100:g} {places[0][1] / 100:g}" + (f"l{' '.join(steps)}" if steps else "")


def _short(number: float) -> str:
    text = f"{number:.2f}".rstrip("0").rstrip(".")
    return "0" if text == "-0" else text
