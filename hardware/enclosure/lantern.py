"""The lantern: the ring of lamps and the red button's seat in one translucent piece, printed with its top on the bed.

It stands proud of the box, so that the ring is seen from the side as well as from above.
"""

from __future__ import annotations

from typing import Final

from build123d import Solid

from hardware.enclosure.layout import Layout
from hardware.enclosure.shapes import box, join, less, rod, tube, turned
from hardware.enclosure.sizes import Sizes

GAP: Final = 6.5  # from the lamps to the skin: enough for points to become a band
RIBS: Final = 8  # between lamps, one at each corner of the box; the ring rests on them
WALL: Final = 1.6
SEAT: Final = 3.0  # thickness at the red button


def ring_face(sizes: Sizes) -> float:
    """Upper face of the ring's board, in the box."""
    return Layout(sizes).roof + sizes.lantern - sizes.skin - GAP - sizes.ring.lamp


def lantern(sizes: Sizes) -> Solid:
    """As it stands in the box."""
    layout = Layout(sizes)
    low, high = layout.roof, layout.roof + sizes.lantern
    ring = sizes.ring
    inner = ring.inner / 2 - ring.tolerance
    under = high - sizes.skin
    body = rod((0.0, 0.0), layout.lantern_radius, (low, high))
    body = body.chamfer(1.0, None, [edge for edge in body.edges() if abs(edge.center().Z - high) < 1e-6])
    body = less(body, rod((0.0, 0.0), layout.lantern_radius - WALL, (low - 1, under)))
    body = join(
        body,
        tube((0.0, 0.0), (inner - WALL, inner), (low, under + 0.2)),
        rod((0.0, 0.0), sizes.button.hole / 2 + 3.0, (high - SEAT, under + 0.2)),
        *[rod(at, sizes.screw.boss / 2, (low, under + 0.2)) for at in layout.ring_bosses],
        *_ribs(sizes, layout, inner),
        cup(sizes, layout),
    )
    pilots = [rod(at, sizes.screw.pilot / 2, (low - 1, high - 2.5)) for at in layout.ring_bosses]
    return less(body, rod((0.0, 0.0), sizes.button.hole / 2 + 0.15, (low - 1, high + 1)), *pilots)


def cup(sizes: Sizes, layout: Layout) -> Solid:
    """Where the red button's lamp is pressed in."""
    under = layout.roof + sizes.lantern - sizes.skin
    radius = sizes.pixel.diameter / 2 + sizes.pixel.tolerance
    return tube((0.0, -layout.ring_boss), (radius, radius + 1.4), (under - 3.5, under + 0.2))


def _ribs(sizes: Sizes, layout: Layout, inner: float) -> list[Solid]:
    """Each bears the ring's board from above, and centres it from outside."""
    ring = sizes.ring
    low, under = layout.roof, layout.roof + sizes.lantern - sizes.skin + 0.2
    outer = ring.outer / 2 + ring.tolerance
    bearing = box((inner - 0.5, outer + 1.0), (-0.8, 0.8), (ring_face(sizes), under))
    centring = box((outer, layout.lantern_radius - WALL / 2), (-0.8, 0.8), (low + 1.0, under))
    rib = join(bearing, centring)
    return [turned(rib, 45 + 360 * number / RIBS) for number in range(RIBS)]
