"""A display's plate: window, side letter and the buttons' names, printed with its face on the bed."""

from __future__ import annotations

from collections.abc import Sequence
from math import cos, radians, sin
from typing import Final

from build123d import Location, Solid

from hardware.enclosure.holders import bore, holder, placed
from hardware.enclosure.layout import SIDES, Layout
from hardware.enclosure.letters import lettering
from hardware.enclosure.shapes import Span, box, join, less, wedge
from hardware.enclosure.sizes import Sizes
from hardware.enclosure.tower import GROOVE, LIP, slope

SUNK: Final = 0.6  # depth of the letters
RECESS: Final = 1.0  # the digits' front behind the plate's


def front(sizes: Sizes) -> float:
    """The plate's face behind the tower's outer face."""
    return -(LIP + sizes.printing.clearance / 2)


def board_front(sizes: Sizes) -> float:
    """From the plate's back to the front of the display's board."""
    return RECESS + sizes.display.block - sizes.panel


def panels(sizes: Sizes, named: Sequence[str] = SIDES) -> dict[str, Solid]:
    """Of each side, as they lie on the bed: x to the player's left, y up the slope from the deck, z into the box.

    Sides in `named` have buttons, whose names stand under the window.
    """
    layout = Layout(sizes)
    plain = _plate(sizes, layout)
    words = [("DALEJ", -sizes.apart / 2 + 14.0), ("JUŻ", sizes.apart / 2 - 14.0)]
    common = less(plain, *[bar for text, across in words for bar in _sunk(text, (across, 3.4), 4.4, 1.0)])
    middle = layout.opening - 5.0, sum(layout.window) / 2 - 3.5
    return {side: less(common if side in named else plain, *_sunk(side, middle, 7.0, 1.4)) for side in SIDES}


def _plate(sizes: Sizes, layout: Layout) -> Solid:
    side = layout.opening + GROOVE - sizes.printing.clearance / 2
    angle = radians(sizes.slope)
    feet = [(0.3 - (front(sizes) - depth) * cos(angle)) / sin(angle) for depth in (0.0, sizes.panel)]
    top = layout.panel_top
    plate = wedge([(feet[0], 0.0), (top, 0.0), (top, sizes.panel), (feet[1], sizes.panel)], (-side, side))
    plate = join(plate, *_holders(sizes, layout))
    hole = bore(sizes, board_front(sizes) + sizes.display.board, sizes.display.tolerance)
    return less(plate, _window(sizes, layout), *_at_both_ends(sizes, layout, [hole]))


def _window(sizes: Sizes, layout: Layout) -> Solid:
    half = sizes.display.width / 2 + sizes.display.tolerance
    return box((-half, half), layout.window, (-1.0, sizes.panel + 1.0))


def _holders(sizes: Sizes, layout: Layout) -> list[Solid]:
    """At both ends of the board one block with its screw, and ledges under the board's four corners."""
    display = sizes.display
    ledge = board_front(sizes)
    block, _ = holder(sizes, ledge, display.board, display.tolerance)
    corner = display.board_height / 2
    wings = []
    for up in (-1, 1):
        inner, outer = sorted((up * (corner - 3.6), up * corner))
        wings.append(box((-3.5, display.tolerance + 4.0), (inner, outer), (-0.5, ledge)))
    upright = box((display.tolerance, display.tolerance + 4.0), (-corner, corner), (-0.5, ledge + display.board - 0.2))
    parts = [block, upright, *wings]
    return _at_both_ends(sizes, layout, parts)


def _at_both_ends(sizes: Sizes, layout: Layout, parts: list[Solid]) -> list[Solid]:
    edge, middle = sizes.display.width / 2, sum(layout.window) / 2
    return placed(parts, edge, middle, sizes.panel, 0) + placed(parts, -edge, middle, sizes.panel, 180)


def _sunk(text: str, at: Span, height: float, pen: float) -> list[Solid]:
    """Letters in the face, mirrored, since that lies on the bed."""
    turned_over = Location((0, 0, 0), (0, 180, 0)) * Location((at[0], at[1], -SUNK))
    return [bar.move(turned_over) for bar in lettering(text, height, pen, SUNK + 1.0)]


def in_tower(sizes: Sizes) -> Location:
    """From the bed to side A of the tower."""
    return slope(sizes).location * Location((0, 0, front(sizes)), (0, 180, 0))
