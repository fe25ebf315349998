"""The deck: the shelf with the buttons and the outer walls, printed upside down, its smooth face on the bed."""

from __future__ import annotations

from typing import Final

from build123d import Location, Solid

from hardware.enclosure.base import LETTER
from hardware.enclosure.layout import Layout
from hardware.enclosure.letters import lettering
from hardware.enclosure.shapes import Span, box, common, each_side, join, less, rod, rounded, tube, turned
from hardware.enclosure.sizes import Sizes

CHAMFER: Final = 1.0
LOCAL: Final = 0.6  # how much thinner the deck is where a button's clips hold it
RIB: Final = 5.0  # height of the rim under the opening: a tall battery passes below
SLOTS: Final = 6  # of sound and air, on sides B and D


def deck(sizes: Sizes) -> Solid:
    """As it lies in the box."""
    layout = Layout(sizes)
    walls = join(_shell(sizes), *_pillars(sizes, layout), *each_side(*_side(sizes, layout)))
    holes = [*each_side(*_side_holes(sizes, layout)), *_screw_holes(sizes, layout), *_wall_holes(sizes, layout)]
    return less(walls, *holes, *_letter(sizes, layout))


def _letter(sizes: Sizes, layout: Layout) -> list[Solid]:
    """An A in the underside before side A: its two halves are alike, so it reads from below as well."""
    foot = Location((layout.half - 40.0, 8.0 - layout.half, sizes.deck - sizes.plate - 4.4))
    return [bar.moved(foot) for bar in lettering("A", LETTER, 1.6, 5.0)]


def _shell(sizes: Sizes) -> Solid:
    layout = Layout(sizes)
    block = rounded(layout.half, sizes.corner, (sizes.plate, sizes.deck))
    block = block.chamfer(CHAMFER, None, [edge for edge in block.edges() if abs(edge.center().Z - sizes.deck) < 1e-6])
    inside = rounded(layout.half - sizes.wall, sizes.corner - sizes.wall, (sizes.plate - 1, sizes.deck - sizes.plate))
    return less(block, inside, opening(sizes, (sizes.deck - sizes.plate - 1, sizes.deck + 1)))


def opening(sizes: Sizes, z: Span) -> Solid:
    """The hole under the tower: a square whose corners stay, to take its screws."""
    layout = Layout(sizes)
    half = layout.tower_half - 6.0
    diamond = layout.tower_corner / 2**0.5
    across = turned(box((-diamond, diamond), (-diamond, diamond), z), 45)
    return common(box((-half, half), (-half, half), z), across)


def _pillars(sizes: Sizes, layout: Layout) -> list[Solid]:
    under = (sizes.plate, sizes.deck - sizes.plate + 0.5)
    return [rod(at, sizes.screw.boss / 2, under) for at in layout.base_screws]


def _side(sizes: Sizes, layout: Layout) -> list[Solid]:
    """Side A's rib under the opening's rim and the cups of its two lamps."""
    below = sizes.deck - sizes.plate
    rim = layout.tower_half - 6.0
    parts = [box((-40.0, 40.0), (-rim - 2.4, -rim), (below - RIB, below + 0.5))]
    radius = sizes.pixel.diameter / 2 + sizes.pixel.tolerance
    parts += [tube(at, (radius, radius + 1.4), (below - 3.5, below + 0.5)) for at in lamps(layout)]
    return parts


def lamps(layout: Layout) -> list[Span]:
    """Middles of side A's two lamps: Dalej's, Już's."""
    near = layout.pixel_from_button
    (dalej, out), (juz, _) = layout.buttons["dalej"], layout.buttons["juz"]
    return [(dalej + near, out), (juz - near, out)]


def _side_holes(sizes: Sizes, layout: Layout) -> list[Solid]:
    """Side A's two holes for buttons, thinner around them, and the two for the light."""
    through = (sizes.deck - sizes.plate - 1, sizes.deck + 1)
    thinner = (sizes.deck - sizes.plate - 1, sizes.deck - sizes.plate + LOCAL)
    holes = [rod(at, sizes.button.hole / 2 + 0.15, through) for at in layout.buttons.values()]
    holes += [rod(at, sizes.button.hole / 2 + 3.5, thinner) for at in layout.buttons.values()]
    return holes + [rod(at, sizes.pixel.diameter / 2 - 1, through) for at in lamps(layout)]


def _screw_holes(sizes: Sizes, layout: Layout) -> list[Solid]:
    depth = (sizes.plate - 1, sizes.plate + sizes.screw.length + 1)
    holes = [rod(at, sizes.screw.pilot / 2, depth) for at in layout.base_screws]
    through = (sizes.deck - sizes.plate - 1, sizes.deck + 1)
    return holes + [rod(at, sizes.screw.through / 2, through) for at in layout.tower_screws]


def _wall_holes(sizes: Sizes, layout: Layout) -> list[Solid]:
    """USB-C, main switch and notches on side C; slots on B and D."""
    outside = layout.half + 1
    inside = layout.half - sizes.wall
    charger, rocker = sizes.charger, sizes.rocker
    x, z = layout.usb
    width, height = charger.plug_width / 2 + 0.5, charger.plug_height / 2 + 0.5
    holes = [box((x - width, x + width), (inside - 1, outside), (z - height, z + height))]
    x, z = layout.rocker
    half = rocker.width / 2
    holes.append(box((x - half, x + half), (inside - 1, outside), (z - rocker.height / 2, z + rocker.height / 2)))
    holes.append(
        box((x - half - 2, x + half + 2), (inside - 1, layout.half - rocker.thickest_panel + 0.2), (z - 7.0, z + 7.0))
    )
    low = (sizes.plate - 1, sizes.plate + 8.0)
    holes += [box((x - 3.0, x + 3.0), (inside - 1, outside), low) for x in layout.leads.values()]
    first = layout.half - 24.0 - 6.0 * (SLOTS - 1)
    for number in range(SLOTS):
        y = first + 6.0 * number
        slot = box((-outside, -inside + 1), (-y - 1.0, -y + 1.0), (sizes.deck - 26.0, sizes.deck - 10.0))
        holes += [slot, slot.moved(Location((0, 0, 0), (0, 0, 180)))]
    return holes
