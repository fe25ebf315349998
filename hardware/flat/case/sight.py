"""What of the field a box takes from a seat's sight, and how large its digits are for a referee. Numbers only.

The field is 60 x 60 cm in the middle of the table. `hidden` is the share of it that lies behind the box as an eye sees
it; what the box stands on is counted apart (`taken`): no tile lies there. In the middle of a table of 80 cm the old box
of 216 x 216 x 116 mm stood on 13 % and hid 20 % from a child by this sum (15 % by the audit's); this one stands on 8 %
and hides 5 %. A child on an adults' chair loses 7 %. At a corner, a legal place, nobody loses more than half a percent.

Eyes are Pheasant's ("Bodyspace", sitting eye height: British women, 5th percentile, 685 mm; children of seven, median,
565 mm) on a chair 300 mm below the table's top, as tables for adults are (EN 1729-1, size 6: 460 and 760), or, for a
child on furniture of its size, as the evening box has them. A referee stands: British men, median, 1630 mm.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import asin, atan2, cos, degrees, tan
from typing import Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

from hardware.flat.case.sizes import Sizes
from hardware.flat.layout import DIGIT

FIELD: Final = 600.0
_STEP: Final = 4.0  # between points of the field that are looked at
Point: TypeAlias = tuple[float, float]


@dataclass(frozen=True)
class Eye:
    """Above the table's top and beyond its edge."""

    name: str
    height: float
    beyond: float


EYES: Final = (
    Eye("child of seven, chair of its size", 350.0, 130.0),
    Eye("child of seven, adults' chair", 265.0, 130.0),
    Eye("small adult", 385.0, 200.0),
    Eye("adult", 500.0, 200.0),
)


@dataclass(frozen=True)
class Block:
    """An upright prism on a convex outline."""

    outline: tuple[Point, ...]
    height: float

    def moved(self, at: Point) -> Block:
        """The same elsewhere."""
        return Block(tuple((x + at[0], y + at[1]) for x, y in self.outline), self.height)


OLD: Final = (Block(((-108.0, -108.0), (108.0, -108.0), (108.0, 108.0), (-108.0, 108.0)), 116.0),)


def flat(sizes: Sizes) -> tuple[Block, ...]:
    """The box in the middle: its body, and its caps."""
    half = sizes.cap.side / 2
    square = ((-half, -half), (half, -half), (half, half), (-half, half))
    caps = [Block(square, sizes.cap.top).moved((x, y)) for x, y, _ in sizes.key_places().values()]
    return Block(tuple(sizes.outline()), sizes.shell.deck), *caps


def seats(eye: Eye, table: float) -> list[tuple[float, float, float]]:
    """Where the eyes of A, B, C and D are, at the middles of the sides of a square table."""
    out = table / 2 + eye.beyond
    return [(x, y, eye.height) for x, y in ((0.0, -out), (-out, 0.0), (0.0, out), (out, 0.0))]


def taken(blocks: Sequence[Block]) -> float:
    """Share of the field that the box stands on."""
    points = _field()
    return float(np.any([_within(points, block.outline) for block in blocks], axis=0).mean())


def hidden(blocks: Sequence[Block], eye: tuple[float, float, float]) -> float:
    """Share of the field that is behind the box from there."""
    points = _field()
    under = np.any([_within(points, block.outline) for block in blocks], axis=0)
    shadow = np.any([_within(points, _hull(_shadow(block, eye))) for block in blocks], axis=0)
    return float((shadow & ~under).mean())


def digit_angle(sizes: Sizes, away: float, eye: float, table: float = 740.0) -> float:
    """Minutes of arc of a digit's height, seen from that far, the eye so high above the floor; what the wall hides of
    its edges does not count.
    """
    down = asin((eye - table - sizes.boards.display_middle) / away)
    tall = DIGIT[1] + sizes.mask.stroke - 2 * sizes.mask.shy - sizes.shell.wall * tan(down)
    return degrees(2 * atan2(tall * cos(down) / 2, away)) * 60


def stroke_seen(sizes: Sizes, eye: Eye, table: float) -> float:
    """Millimetres of a level segment's height that a player sees through the wall of the display before them."""
    away = table / 2 + eye.beyond - sizes.shell.side
    down = atan2(eye.height - sizes.boards.display_middle, away)
    return sizes.mask.stroke - 2 * sizes.mask.shy - sizes.shell.wall * tan(down)


def _field() -> NDArray[np.float64]:
    side = np.arange(-FIELD / 2 + _STEP / 2, FIELD / 2, _STEP)
    x, y = np.meshgrid(side, side)
    return np.stack([x.ravel(), y.ravel()], axis=1)


def _shadow(block: Block, eye: tuple[float, float, float]) -> list[Point]:
    """The outline, and its upper edge thrown onto the table."""
    ex, ey, ez = eye
    longer = ez / (ez - block.height)
    return [*block.outline, *((ex + (x - ex) * longer, ey + (y - ey) * longer) for x, y in block.outline)]


def _hull(points: Sequence[Point]) -> list[Point]:
    """Counter-clockwise (Andrew's monotone chain)."""
    ordered = sorted(set(points))

    def half(line: Sequence[Point]) -> list[Point]:
        kept: list[Point] = []
        for point in line:
            while len(kept) > 1 and _turn(kept[-2], kept[-1], point) <= 0:
                kept.pop()
            kept.append(point)
        return kept[:-1]

    return half(ordered) + half(ordered[::-1])


def _turn(one: Point, two: Point, three: Point) -> float:
    return (two[0] - one[0]) * (three[1] - one[1]) - (two[1] - one[1]) * (three[0] - one[0])


def _within(points: NDArray[np.float64], outline: Sequence[Point]) -> NDArray[np.bool_]:
    """Which of them lie in a convex outline, counter-clockwise."""
    corners = np.array(outline)
    ahead = np.roll(corners, -1, axis=0) - corners
    beside = points[:, None] - corners[None]
    inside: NDArray[np.bool_] = (ahead[None, :, 0] * beside[:, :, 1] - ahead[None, :, 1] * beside[:, :, 0] >= 0).all(
        axis=1
    )
    return inside
