"""How boards are held, everywhere alike: a block beside the edge, a ledge under it, a clamp over it, one M3 screw.

Screws cut their thread into the printed block, so that a school needs a screwdriver and no inserts; a block takes a
dozen screwings when the screw is turned back until it falls into its old thread.
"""

from __future__ import annotations

from typing import Final

from build123d import Location, Solid

from hardware.enclosure.layout import HOLDER
from hardware.enclosure.shapes import box, less, rod
from hardware.enclosure.sizes import Sizes

DEPTH: Final = HOLDER
LENGTH: Final = 10.0  # of a clamp along the board's edge


def holder(sizes: Sizes, ledge: float, board: float, gap: float) -> list[Solid]:
    """For a board whose edge is at x = 0 and which lies on x < 0: `[block, ledge]`, standing on z = 0.

    `ledge` is the board's lower face, `board` its thickness, `gap` what is left beside it.
    """
    return [
        box((gap, gap + DEPTH), (-LENGTH / 2, LENGTH / 2), (-0.5, ledge + board - 0.2)),
        box((-sizes.grip, gap + 0.5), (-LENGTH / 2, LENGTH / 2), (-0.5, ledge)),
    ]


def bore(sizes: Sizes, top: float, gap: float) -> Solid:
    """What to cut out of a holder that is `top` high: as deep as the screw goes, and a millimetre more."""
    deep = sizes.screw.length - sizes.clamp + 1.0
    return rod((gap + DEPTH / 2, 0.0), sizes.screw.pilot / 2, (top - deep, top + 1))


def clamp(sizes: Sizes, gap: float) -> Solid:
    """The small plate that is screwed onto a holder; its finger reaches over the board at x < 0."""
    plate = box((-sizes.grip, gap + DEPTH), (-LENGTH / 2, LENGTH / 2), (0.0, sizes.clamp))
    return less(plate, rod((gap + DEPTH / 2, 0.0), sizes.screw.through / 2, (-1.0, sizes.clamp + 1)))


def placed(solids: list[Solid], x: float, y: float, z: float, degrees: float) -> list[Solid]:
    """The same, turned about the upright axis and put there."""
    return [solid.moved(Location((x, y, z), (0, 0, degrees))) for solid in solids]
