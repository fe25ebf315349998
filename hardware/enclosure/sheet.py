"""A rendered view as SVG text with labels and measures: rounded numbers, no fonts of its own, the same every time."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Final

import numpy as np

from hardware.enclosure.render import Rendered, render
from hardware.enclosure.scene import Camera, Shown
from hardware.enclosure.trace import Line

MARGIN: Final = 30.0
_COLUMN: Final = 160.0  # for the names on one side
_FONT: Final = 'font-family="DejaVu Sans, Verdana, Arial, sans-serif"'


@dataclass(frozen=True)
class Label:
    """A few words at `text`, with a thin line to `point`; both in the picture's units, y up."""

    words: str
    point: tuple[float, float]
    text: tuple[float, float]


@dataclass(frozen=True)
class Measure:
    """A length between two points, drawn along a line that is moved by `off` at right angles to it."""

    start: tuple[float, float]
    end: tuple[float, float]
    words: str
    off: float


@dataclass
class Sheet:
    """One picture."""

    rendered: Rendered
    labels: Sequence[Label] = field(default_factory=list)
    measures: Sequence[Measure] = field(default_factory=list)
    caption: str = ""

    @property
    def size(self) -> float:
        """Of the letters: as large on a wide picture as on a narrow one, once both fill a page."""
        wide = self.rendered.high[0] - self.rendered.low[0]
        return max(15.0, (wide + 2 * _COLUMN * bool(self.labels)) / 42)

    def svg(self) -> str:
        """Its text."""
        low, high = self._bounds()
        self._low, self._high = low, high
        width, height = high[0] - low[0], high[1] - low[1]
        body = [*self._patches(), self._edges(), *self._lengths(), *self._words()]
        if self.caption:
            body += self._text(self.caption, ((low[0] + high[0]) / 2, low[1] + MARGIN + self.size), "middle")
        head = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:.0f} {height:.0f}">'
        return "\n".join([head, '<rect width="100%" height="100%" fill="#fff"/>', *body, "</svg>", ""])

    def _bounds(self) -> tuple[tuple[float, float], tuple[float, float]]:
        xs, ys = [self.rendered.low[0], self.rendered.high[0]], [self.rendered.low[1], self.rendered.high[1]]
        for label in self.labels:
            wide = len(label.words) * self.size * 0.62
            left = label.text[0] < label.point[0]
            xs += [label.text[0] - wide * left, label.text[0] + wide * (not left)]
            ys += [label.text[1] - self.size, label.text[1] + self.size]
        for measure in self.measures:
            for x, y in self._moved(measure):
                xs += [x - 2 * self.size, x + 2 * self.size]
                ys += [y - self.size, y + self.size]
        if self.caption:
            ys.append(min(ys) - 3 * self.size)
        return (min(xs) - MARGIN, min(ys) - MARGIN), (max(xs) + MARGIN, max(ys) + MARGIN)

    def _at(self, point: tuple[float, float]) -> str:
        return f"{_short(point[0] - self._low[0])} {_short(self._high[1] - point[1])}"

    def _path(self, line: Line) -> str:
        """One corner, and from there on the way from each to the next: half as long as the corners themselves."""
        tenths = [(round((x - self._low[0]) * 10), round((self._high[1] - y) * 10)) for x, y in line]
        steps = [f"{_tenth(x - fx)} {_tenth(y - fy)}" for (fx, fy), (x, y) in pairwise(tenths)]
        return f"M{_tenth(tenths[0][0])} {_tenth(tenths[0][1])}l" + " ".join(steps)

    def _patches(self) -> list[str]:
        made = []
        for (red, green, blue), loops in self.rendered.patches:
            colour = f"#{red:02x}{green:02x}{blue:02x}"
            path = "".join(self._path(loop[:-1]) + "Z" for loop in loops)
            made.append(f'<path fill="{colour}" stroke="{colour}" stroke-width="1" fill-rule="evenodd" d="{path}"/>')
        return made

    def _edges(self) -> str:
        path = "".join(self._path(line) for line in self.rendered.lines)
        return f'<path fill="none" stroke="#222" stroke-width="1.1" stroke-linejoin="round" d="{path}"/>'

    def _moved(self, measure: Measure) -> tuple[tuple[float, float], tuple[float, float]]:
        (ax, ay), (bx, by) = measure.start, measure.end
        length = ((bx - ax) ** 2 + (by - ay) ** 2) ** 0.5
        right, up = (by - ay) / length * measure.off, -(bx - ax) / length * measure.off
        return (ax + right, ay + up), (bx + right, by + up)

    def _lengths(self) -> list[str]:
        made = []
        for measure in self.measures:
            start, end = self._moved(measure)
            path = self._path([measure.start, start]) + self._path([measure.end, end]) + self._path([start, end])
            made.append(f'<path fill="none" stroke="#555" stroke-width="0.8" d="{path}"/>')
            made += [f'<circle cx="{a}" cy="{b}" r="2.4" fill="#555"/>' for a, b in map(self._split, (start, end))]
            middle = ((start[0] + end[0]) / 2, (start[1] + end[1]) / 2)
            made += self._text(measure.words, middle, "middle")
        return made

    def _split(self, point: tuple[float, float]) -> tuple[str, str]:
        x, _, y = self._at(point).partition(" ")
        return x, y

    def _words(self) -> list[str]:
        made = []
        for label in self.labels:
            path = self._path([label.point, label.text])
            x, y = self._split(label.point)
            made.append(f'<path fill="none" stroke="#555" stroke-width="0.9" d="{path}"/>')
            made.append(f'<circle cx="{x}" cy="{y}" r="2.6" fill="#555"/>')
            left = label.text[0] < label.point[0]
            beside = (label.text[0] + (-5 if left else 5), label.text[1])
            made += self._text(label.words, beside, "end" if left else "start")
        return made

    def _text(self, words: str, at: tuple[float, float], anchor: str) -> list[str]:
        """White behind, so that it reads over lines."""
        x, y = self._split((at[0], at[1] - self.size * 0.35))
        plain = f'x="{x}" y="{y}" {_FONT} font-size="{self.size:g}" text-anchor="{anchor}"'
        words = words.replace("&", "&amp;").replace("<", "&lt;")
        halo = f'<text {plain} fill="#fff" stroke="#fff" stroke-width="5" stroke-linejoin="round">{words}</text>'
        return [halo, f'<text {plain} fill="#111">{words}</text>']


def _tenth(tenths: int) -> str:
    return f"{tenths / 10:g}"


def _short(number: float) -> str:
    text = f"{number:.1f}"
    return text.removesuffix(".0") if text != "-0.0" else "0"


def called(shown: Sequence[Shown], camera: Camera, points: dict[str, tuple[float, float, float]]) -> str:
    """The SVG of these things with a name beside each point of the box."""
    rendered = render(shown, camera)
    at = {name: camera.seen(np.array(point)) for name, point in points.items()}
    return Sheet(rendered, callouts({name: (float(x), float(y)) for name, (x, y, _) in at.items()}, rendered)).svg()


def callouts(points: dict[str, tuple[float, float]], rendered: Rendered) -> list[Label]:
    """Names in two columns beside the picture, each at its point's height or below the one above it."""
    (left, low), (right, high) = rendered.low, rendered.high
    by_side = sorted(points, key=lambda name: points[name][0])
    halves = by_side[: len(points) // 2], by_side[len(points) // 2 :]
    size = max(15.0, (right - left + 2 * _COLUMN) / 42)
    labels = []
    for column, names in zip((left - 45.0, right + 45.0), halves, strict=True):
        step, free = size * 1.7, high
        for number, name in enumerate(sorted(names, key=lambda name: -points[name][1])):
            # those still to come need their room above the picture's lower edge
            lowest = low + step * (len(names) - 1 - number)
            height = min(free, max(points[name][1], lowest))
            labels.append(Label(name, points[name], (column, height)))
            free = height - step
    return labels
