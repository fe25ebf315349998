"""The base: a plate screwed on from below that carries the carrier board, the battery and the charger."""

from __future__ import annotations

from typing import Final

from build123d import Location, Solid

from hardware.enclosure.holders import LENGTH, bore, holder, placed
from hardware.enclosure.layout import SIDES, Layout
from hardware.enclosure.letters import lettering
from hardware.enclosure.shapes import QUARTERS, Span, box, each_side, join, less, rod, rounded
from hardware.enclosure.sizes import Sizes

FROM_CORNER: Final = 22.0  # from the outside of side C to the middle of the charger's holders, at least
SUNK: Final = 0.6  # depth of the letters
LETTER: Final = 9.0  # their height


def base(sizes: Sizes) -> Solid:
    """As it lies in the box, and as it is printed."""
    layout = Layout(sizes)
    plate = rounded(layout.half, sizes.corner, (0.0, sizes.plate))
    solid = join(
        plate, *_lips(sizes, layout), *_carrier(sizes, layout), *bay_walls(sizes, layout), *charger_seat(sizes, layout)
    )
    return less(solid, *_holes(sizes, layout))


def _lips(sizes: Sizes, layout: Layout) -> list[Solid]:
    """Two on each side: they centre the deck's walls."""
    outer = layout.half - sizes.wall - sizes.printing.clearance
    z = (sizes.plate - 0.5, sizes.plate + 3.0)
    return each_side(*[box(x, (-outer, -outer + 2.0), z) for x in ((-55.0, -25.0), (25.0, 55.0))])


def carrier_holders(layout: Layout) -> list[tuple[float, float, float]]:
    """x, y and direction of the four holders of the carrier board, at its short edges."""
    sizes = layout.sizes
    x, y = layout.carrier
    across, along = sizes.carrier.width / 2 - LENGTH / 2, sizes.carrier.length / 2
    return [(x + side * across, y + end * along, 90.0 * end) for side in (-1, 1) for end in (-1, 1)]


def _carrier(sizes: Sizes, layout: Layout) -> list[Solid]:
    carrier = sizes.carrier
    solids = holder(sizes, layout.carrier_under - sizes.plate, carrier.board, carrier.tolerance)
    return [one for x, y, turn in carrier_holders(layout) for one in placed(solids, x, y, sizes.plate, turn)]


def bar_posts(layout: Layout) -> list[Span]:
    """Where the bar over the battery is screwed down."""
    x, y = layout.battery
    away = layout.sizes.battery.length / 2 + layout.sizes.battery.tolerance + 1.5 + layout.sizes.screw.boss / 2
    return [(x, y - away), (x, y + away)]


def bay_walls(sizes: Sizes, layout: Layout) -> list[Solid]:
    """Walls around the pack with gaps at its corners for the leads, and the bar's two posts, each leaning on a wall."""
    x, y = layout.battery
    pack = sizes.battery
    half, long = pack.width / 2 + pack.tolerance, pack.length / 2 + pack.tolerance
    z = (sizes.plate - 0.5, sizes.plate + min(pack.height * 0.75, 20.0))
    solids = [box((x - half - 2, x - half), (y - long + 12, y + long - 12), z)]
    solids.append(box((x + half, x + half + 2), (y - long + 12, y + long - 12), z))
    solids += [box((x - half + 10, x + half - 10), (end, end + 2), z) for end in (y - long - 2, y + long)]
    post = (sizes.plate - 0.5, layout.battery_top)
    return solids + [rod(at, sizes.screw.boss / 2, post) for at in bar_posts(layout)]


def charger_holders(layout: Layout) -> list[tuple[float, float, float]]:
    """The two at the charger's long edges; those of a short board stay clear of the pillar in the corner."""
    x, middle = layout.charger
    y = min(middle, layout.half - FROM_CORNER)
    half = layout.sizes.charger.width / 2
    return [(x + half, y, 0.0), (x - half, y, 180.0)]


def charger_seat(sizes: Sizes, layout: Layout) -> list[Solid]:
    """Holders at its long edges, a stop behind it, ledges under its corners."""
    x, y = layout.charger
    charger = sizes.charger
    ledge = layout.charger_under - sizes.plate
    solids = holder(sizes, ledge, charger.board, charger.tolerance)
    parts = [one for hx, hy, turn in charger_holders(layout) for one in placed(solids, hx, hy, sizes.plate, turn)]
    back = y - charger.length / 2 - charger.tolerance
    top = layout.charger_under + charger.board + 2.0
    parts.append(box((x - 6.0, x + 6.0), (back - 2.4, back), (sizes.plate - 0.5, top)))
    parts.append(box((x - 6.0, x + 6.0), (back - 2.4, back + 2.5), (sizes.plate - 0.5, layout.charger_under)))
    front = y + charger.length / 2
    for side in (-1, 1):
        inner, outer = sorted((side * (charger.width / 2 - 3.0), side * charger.width / 2))
        parts.append(box((x + inner, x + outer), (front - 4.0, front), (sizes.plate - 0.5, layout.charger_under)))
    return parts


def _holes(sizes: Sizes, layout: Layout) -> list[Solid]:
    through = (-1.0, sizes.plate + 1.0)
    holes = [rod(at, sizes.screw.through / 2, through) for at in layout.base_screws]
    holes += [rod(at, sizes.foot.diameter / 2 + 0.3, (-1.0, sizes.foot.recess)) for at in layout.feet]
    deep = (sizes.plate - 1.0, layout.battery_top + 1.0)
    holes += [rod(at, sizes.screw.pilot / 2, deep) for at in bar_posts(layout)]
    for under, part, places in (
        (layout.carrier_under, sizes.carrier, carrier_holders(layout)),
        (layout.charger_under, sizes.charger, charger_holders(layout)),
    ):
        hole = [bore(sizes, under + part.board, part.tolerance)]
        holes += [one for x, y, turn in places for one in placed(hole, x, y, 0.0, turn)]
    return holes + tie_slots(sizes, layout) + _letters(layout)


def tie_slots(sizes: Sizes, layout: Layout) -> list[Solid]:
    """Two for each lead that leaves the box: a cable tie through the plate holds it."""
    y, z = (layout.half - 24, layout.half - 19), (-1.0, sizes.plate + 1.0)
    return [box((x + side - 1.2, x + side + 1.2), y, z) for x in layout.leads.values() for side in (-5, 5)]


def _letters(layout: Layout) -> list[Solid]:
    """Each side's letter in the floor before the middle of its wall, legible from its seat."""
    foot = Location((0, -layout.half + layout.sizes.wall + 8.0, layout.sizes.plate - SUNK))
    return [
        bar.moved(Location((0, 0, 0), (0, 0, turn)) * foot)
        for side, turn in zip(SIDES, QUARTERS, strict=True)
        for bar in lettering(side, LETTER, 1.6, 5.0)
    ]
