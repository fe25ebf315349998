"""The base: a floor that closes the deck from below, printed as it stands; four screws go through it into the deck.

It is the same on all sides: it fits any way round.
"""

from __future__ import annotations

from typing import Final

from build123d import Solid

from hardware.enclosure.shapes import Span, box, each_side, join, less, prism, rod
from hardware.flat.case.deck import behind
from hardware.flat.case.sizes import Sizes
from hardware.flat.layout import DISPLAY

_POST: Final = 4.9  # radius of what a screw goes through
_PROP: Final = 3.0  # and of what stands under the keys
_RIM: Final = 1.6
_THICK: Final = 79.0  # half the width of the floor's thick middle
_AROUND: Final = 1.6  # material around a foot


def base(sizes: Sizes) -> Solid:
    """As it stands."""
    part = sizes.shell
    under, bottom = part.foot, sizes.boards.bottom
    floor = prism(sizes.outline(), (under, sizes.floor))
    thick = prism(sizes.outline(part.side - _THICK), (under, under + part.base))
    posts = [rod(at, _POST, (under, bottom)) for at in sizes.posts()]
    posts += [rod(at, _PROP, (under, bottom)) for at in props()]
    pads = [
        rod(at, sizes.foot.diameter / 2 + 0.4 + _AROUND, (under, _foot_top(sizes) + part.thin)) for at in sizes.feet()
    ]
    body = join(floor, thick, _rim(sizes), *posts, *pads, *behind(sizes, (under, sizes.boards.display_z[0] + 4.0)))
    holes = [rod(at, sizes.foot.diameter / 2 + 0.4, (0.0, _foot_top(sizes))) for at in sizes.feet()]
    for at in sizes.posts():
        holes += [
            rod(at, sizes.screw.head / 2 + 0.3, (0.0, sizes.screw.seat)),
            rod(at, sizes.screw.through / 2, (0.0, bottom + 1)),
        ]
    return less(body, *holes)


def props() -> list[Span]:
    """What keeps the main board from bending under a blow: between and beside the keys, beside the middle one."""
    around = [(0.0, -13.0), (0.0, -60.0), (30.0, -62.0), (-30.0, -62.0)]
    return [turn for x, y in around for turn in ((x, y), (y, -x), (-x, -y), (-y, x))]


def _foot_top(sizes: Sizes) -> float:
    return sizes.foot.height


def _rim(sizes: Sizes) -> Solid:
    """Within the deck's walls."""
    part = sizes.shell
    out = part.wall + part.clearance
    z = (part.foot, sizes.floor + part.rim)
    ring = less(prism(sizes.outline(out), z), prism(sizes.outline(out + _RIM), (z[0] - 1, z[1] + 1)))
    half = DISPLAY[0] / 2 + 1.0
    ways = each_side(box((-half, half), (-part.side, 6.0 - part.side), (sizes.floor, z[1] + 1)))  # displays go in there
    return less(ring, *ways)
