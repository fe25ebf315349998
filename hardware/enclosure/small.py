"""The small pieces: collars around the buttons, plugs for holes that stay empty, clamps, the bar over the battery."""

from __future__ import annotations

from build123d import Location, Solid

from hardware.enclosure.base import bar_posts
from hardware.enclosure.layout import Layout
from hardware.enclosure.shapes import box, join, less, prism, rod, tube
from hardware.enclosure.sizes import Sizes

RAISED = 1.0  # height of the marks: a finger tells a dot from two arrows without looking


def _plate(sizes: Sizes) -> Solid:
    """A disc around the button, its tongue over the lamp towards +x, ending short of the neighbour's."""
    layout = Layout(sizes)
    end = sizes.apart / 2 - 1.0
    tongue = box((0.0, end), (-11.0, 11.0), (0.0, sizes.collar))
    upright = [edge for edge in tongue.edges() if abs(edge.tangent_at(0).Z) > 0.99 and edge.center().X > 1.0]
    return join(rod((0.0, 0.0), layout.collar_radius, (0.0, sizes.collar)), tongue.fillet(4.0, upright))


def _collar(sizes: Sizes) -> Solid:
    hole = rod((0.0, 0.0), sizes.button.hole / 2 + 0.15, (-1.0, sizes.collar + 1))
    return less(_plate(sizes), hole)


def collar_juz(sizes: Sizes) -> Solid:
    """Mirrored by turning: its tongue points to -x. One raised dot: done."""
    near = Layout(sizes).pixel_from_button
    dot = rod((near, 0.0), 4.5, (sizes.collar - 0.5, sizes.collar + RAISED))
    return join(_collar(sizes), dot).moved(Location((0, 0, 0), (0, 0, 180)))


def collar_dalej(sizes: Sizes) -> Solid:
    """Two raised arrows that point to the player's left, to the next seat."""
    near = Layout(sizes).pixel_from_button
    arrows = []
    for tip in (near - 5.2, near - 0.6):
        arm, pen = 4.2, 2.0
        points = [(tip, 0.0), (tip + arm, arm), (tip + arm + pen, arm), (tip + pen, 0.0)]
        points += [(tip + arm + pen, -arm), (tip + arm, -arm)]
        arrows.append(prism(points, (sizes.collar - 0.5, sizes.collar + RAISED)))
    return join(_collar(sizes), *arrows)


def plug(sizes: Sizes) -> Solid:
    """Closes a hole and its lamp's; pressed in. As it is printed: its face on the bed, its stem up."""
    outer = sizes.button.hole / 2
    stem = tube((0.0, 0.0), (outer - 1.8, outer - 0.1), (sizes.collar - 0.5, sizes.collar + 6.0))
    ribs = [
        box((outer - 0.6, outer + 0.25), (-0.6, 0.6), (sizes.collar - 0.5, sizes.collar + 5.0)).moved(
            Location((0, 0, 0), (0, 0, 60.0 * number))
        )
        for number in range(6)
    ]
    return join(_plate(sizes), stem, *ribs)


def battery_bar(sizes: Sizes) -> Solid:
    """Lies along the pack, on foam; centred on it."""
    layout = Layout(sizes)
    ends = [y - layout.battery[1] for _, y in bar_posts(layout)]
    bar = box((-9.0, 9.0), (ends[0] - 5.0, ends[1] + 5.0), (0.0, sizes.clamp))
    return less(bar, *[rod((0.0, y), sizes.screw.through / 2, (-1.0, sizes.clamp + 1)) for y in ends])
