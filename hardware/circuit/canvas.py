"""Lines, boxes, circles and words as SVG text, rounded so that each drawing is the same every time."""

from __future__ import annotations

from collections.abc import Iterable
from html import escape
from typing import Final, NamedTuple

_FONT: Final = "Helvetica, Arial, sans-serif"
_LETTER, _BOLD, _TALL = 0.62, 0.68, 0.76  # of the font's size: more than a letter of a usual font takes


class Frame(NamedTuple):
    """The box that a line of text fills, in pixels."""

    left: float
    top: float
    right: float
    bottom: float

    def meets(self, other: Frame) -> bool:
        """Whether one text covers the other."""
        across = self.left < other.right and other.left < self.right
        return across and self.top < other.bottom and other.top < self.bottom

    def holds(self, point: tuple[float, float], radius: float) -> bool:
        """Whether it covers a circle there, or a part of it."""
        x, y = point
        return self.left - radius < x < self.right + radius and self.top - radius < y < self.bottom + radius


def frame(
    where: tuple[float, float], text: str, size: float, anchor: str = "middle", *, turn: float = 0, bold: bool = False
) -> Frame:
    """Of words as `Canvas.words` writes them; `turn` in quarters of a circle, in degrees."""
    x, y = where
    wide, tall = size * (_BOLD if bold else _LETTER) * len(text), size * _TALL
    before = {"start": 0.0, "middle": wide / 2, "end": wide}[anchor]
    if turn:
        up, down = (before, wide - before) if turn > 0 else (wide - before, before)
        return Frame(x - tall / 2, y - up, x + tall / 2, y + down)
    return Frame(x - before, y - tall / 2, x + wide - before, y + tall / 2)


class Canvas:
    """A picture in the making; measures in pixels, y downwards. Words stand above everything else."""

    def __init__(self, width: float, height: float) -> None:
        self._size = (width, height)
        self._drawn: list[str] = []
        self._words: list[str] = []
        self.frames: list[Frame] = []  # of all words

    def line(self, start: tuple[float, float], end: tuple[float, float], style: str = "") -> None:
        """A line; `style` is CSS over that of a thin black one."""
        where = "".join(
            f' {name}="{_short(value)}"'
            for name, value in zip(("x1", "y1", "x2", "y2"), (*start, *end), strict=True)
        )  # fmt: skip
        self._drawn.append(f"<line{where}{_style(style)}/>")

    def arc(self, start: tuple[float, float], end: tuple[float, float], bend: float, style: str = "") -> None:
        """A line that goes `bend` of its length aside in its middle, so that two on one way stay two."""
        (x1, y1), (x2, y2) = start, end
        across, down = (x1 + x2) / 2 - 2 * bend * (y2 - y1), (y1 + y2) / 2 + 2 * bend * (x2 - x1)
        path = f"M{_short(x1)} {_short(y1)}Q{_short(across)} {_short(down)} {_short(x2)} {_short(y2)}"
        self._drawn.append(f'<path d="{path}" fill="none"{_style(style)}/>')

    def box(self, corner: tuple[float, float], size: tuple[float, float], style: str = "", radius: float = 0) -> None:
        """A rectangle, white with a black border."""
        where = "".join(
            f' {name}="{_short(value)}"'
            for name, value in zip(("x", "y", "width", "height", "rx"), (*corner, *size, radius), strict=True)
        )
        self._drawn.append(f"<rect{where}{_style(style)}/>")

    def circle(self, centre: tuple[float, float], radius: float, style: str = "") -> None:
        """A circle, white with a black border."""
        x, y = centre
        self._drawn.append(f'<circle cx="{_short(x)}" cy="{_short(y)}" r="{_short(radius)}"{_style(style)}/>')

    def dots(self, centres: Iterable[tuple[float, float]], size: float, colour: str) -> None:
        """Many small dots as one thing."""
        path = "".join(f"M{_short(x)} {_short(y)}h0" for x, y in centres)
        self._drawn.append(f'<path d="{path}" stroke="{colour}" stroke-width="{_short(size)}" stroke-linecap="round"/>')

    def words(
        self, where: tuple[float, float], text: str, size: float = 12, anchor: str = "middle", *, turn: float = 0,
        bold: bool = False, halo: bool = False,
    ) -> None:  # fmt: skip
        """A line of text, its middle at `where`; `halo`: on a white edge that covers what is below."""
        x, y = where
        self.frames.append(frame(where, text, size, anchor, turn=turn, bold=bold))
        weight = ' font-weight="bold"' if bold else ""
        edge = ' stroke="white" stroke-width="4" paint-order="stroke"' if halo else ""
        turned = f' transform="rotate({_short(turn)} {_short(x)} {_short(y)})"' if turn else ""
        aligned = "" if anchor == "middle" else f' text-anchor="{anchor}"'
        self._words.append(
            f'<text x="{_short(x)}" y="{_short(y + 0.35 * size)}" font-size="{_short(size)}"'
            f"{aligned}{weight}{edge}{turned}>{escape(text, quote=False)}</text>"
        )

    def svg(self) -> str:
        width, height = (_short(value) for value in self._size)
        head = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" font-family="{_FONT}">'
        paper = f'<rect width="{width}" height="{height}" fill="white"/>'
        shapes = ('<g fill="white" stroke="black">', *self._drawn, "</g>")
        return "\n".join((head, paper, *shapes, '<g text-anchor="middle">', *self._words, "</g>", "</svg>\n"))


def _short(value: float) -> str:
    return f"{value:.1f}".rstrip("0").rstrip(".") or "0"


def _style(style: str) -> str:
    return f' style="{style}"' if style else ""
