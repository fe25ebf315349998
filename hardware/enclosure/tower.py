"""The tower: four inclined sides with a frame for each display's plate, printed upside down, standing on its top.

A plate slides up into its groove from below, and the deck closes the groove; so no edge of a window is a bridge.
"""

from __future__ import annotations

from math import cos, radians, sin, tan
from typing import Final

from build123d import Location, Plane, Solid, Vector

from hardware.enclosure.layout import Layout
from hardware.enclosure.letters import lettering
from hardware.enclosure.shapes import Span, box, common, each_side, frustum, join, less, rod, turned
from hardware.enclosure.sizes import Sizes

LIP: Final = 1.4  # of the frame in front of a display's plate
DEPTH: Final = 6.0  # of the tower's walls, at right angles to the slope
GROOVE: Final = 3.2  # how far a plate reaches behind its frame on each side


def slope(sizes: Sizes) -> Plane:
    """Side A's outer face: x to the player's right, y up the slope from the deck, z towards the player."""
    layout = Layout(sizes)

    angle = radians(sizes.slope)
    return Plane((0, -layout.tower_half, sizes.deck), x_dir=(1, 0, 0), z_dir=(0, -sin(angle), cos(angle)))


def tower(sizes: Sizes) -> Solid:
    """As it stands in the box."""
    layout = Layout(sizes)
    solid = frustum(layout.tower_half, sizes.top / 2, (sizes.deck, layout.roof))
    solid = join(less(solid, _hollow(sizes, layout)), *_letter(sizes, layout))
    return less(solid, *each_side(*_frame(sizes, layout)), *_holes(sizes, layout))


def _hollow(sizes: Sizes, layout: Layout) -> Solid:
    """The inside; its corners stay full, to take the deck's screws."""
    low, high = sizes.deck - 1.0, layout.roof - sizes.plate
    inward = DEPTH / sin(radians(sizes.slope))
    grow = tan(radians(sizes.slope))
    lower = layout.tower_half + 1.0 / grow - inward
    upper = layout.tower_half - (high - sizes.deck) / grow - inward
    diamond = layout.tower_corner / 2**0.5
    across = turned(box((-diamond, diamond), (-diamond, diamond), (low, high)), 45)
    return common(frustum(lower, upper, (low, high)), across)


def _letter(sizes: Sizes, layout: Layout) -> list[Solid]:
    """An A that stands out of the roof's inside, before side A's plate."""
    foot = Location((12.0, -35.0, layout.roof - sizes.plate - 0.8))
    return [bar.moved(foot) for bar in lettering("A", 6.0, 1.4, 1.0)]


def on_slope(sizes: Sizes, x: Span, up: Span, out: Span) -> Solid:
    """A block in the coordinates of `slope`."""
    plane = slope(sizes)
    corner = plane.from_local_coords(Vector(x[0], up[0], out[0]))
    return Solid.make_box(
        x[1] - x[0], up[1] - up[0], out[1] - out[0], Plane(corner, x_dir=plane.x_dir, z_dir=plane.z_dir)
    )


def _frame(sizes: Sizes, layout: Layout) -> list[Solid]:
    """What is cut out for side A's plate: what one sees, the groove, and room for what is on its back."""
    seen = layout.opening
    clear = sizes.printing.clearance / 2
    top = layout.panel_top
    back = -(LIP + sizes.panel + 2 * clear)
    return [
        on_slope(sizes, (-seen, seen), (-20.0, top - 1.0), (-LIP - 1.0, 5.0)),
        on_slope(sizes, (-seen - GROOVE, seen + GROOVE), (-20.0, top + 0.2), (back, -LIP)),
        on_slope(sizes, (-seen - 1.0, seen + 1.0), (-20.0, top + 0.2), (-35.0, back + 0.1)),
    ]


def _holes(sizes: Sizes, layout: Layout) -> list[Solid]:
    through = (layout.roof - sizes.plate - 1.0, layout.roof + 1.0)
    holes = [rod(at, sizes.screw.pilot / 2, (sizes.deck - 1.0, sizes.deck + 10.0)) for at in layout.tower_screws]
    holes.append(rod((0.0, 0.0), sizes.button.hole / 2 + 2.0, through))
    holes += [rod(at, sizes.screw.through / 2, through) for at in layout.ring_bosses]
    middle = (sizes.ring.outer + sizes.ring.inner) / 4
    return holes + each_side(box((-6.0, 6.0), (-middle - 3.5, -middle + 3.5), through))
