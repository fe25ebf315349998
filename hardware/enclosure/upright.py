"""The picture of the open box with its leads plugged in: how its upper part stands beside the base, and they reach."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from typing import Final

from build123d import Location, Plane, Solid, Vector

from hardware.circuit.netlist import netlist
from hardware.enclosure.bought import ON_CARRIER
from hardware.enclosure.gallery import BOOK, LEAD, Gallery
from hardware.enclosure.layout import Layout
from hardware.enclosure.scene import Camera
from hardware.enclosure.shapes import box
from hardware.enclosure.sheet import called
from hardware.harness import leads
from hardware.reach import APART, UPRIGHT, in_upper_part, lid, paths

_THICK: Final = 1.2  # half of a lead's


def books_high(layout: Layout) -> float:
    """As high as the edge of the tower's roof, the upper part standing on its side A."""
    return layout.half - layout.sizes.top / 2


def upright(gallery: Gallery) -> str:
    """Seen from side C, over the base into the upper part behind it."""
    sizes, layout = gallery.sizes, Layout(gallery.sizes)
    beside = Location((0.0, sizes.plate - layout.half - APART, layout.half), (90, 0, 0))
    names = ("deck", "tower", "lantern", "panel-a", "panel-b", "panel-c", "panel-d")
    upper = [one for name in names for one in gallery.piece(name)]
    upper += gallery.bought("button-green", "button-amber", "button-red", "display", "pixel")
    shown = [one.moved(beside) for one in upper]
    shown += gallery.piece("base") + gallery.piece("battery-bar")
    shown += gallery.bought(*ON_CARRIER, "battery", "charger")
    shown += [gallery.other(one, LEAD) for one in _leads(gallery, layout)]
    _, near, _ = lid((0.0, 0.0, layout.roof - 4.0), layout, UPRIGHT)
    shown.append(gallery.other(box((-75.0, 75.0), (near - 90.0, near), (0.0, books_high(layout))), BOOK))
    points = {
        "base": (layout.half, -40.0, 2.0),
        "carrier": (layout.carrier[0] - 20, 40.0, layout.carrier_under),
        "battery": (layout.battery[0] + 20, 30.0, 40.0),
        "deck": lid((layout.half, 60.0, 20.0), layout, UPRIGHT),
        "display": lid((-layout.tower_half + 18.0, 0.0, sizes.deck + 12), layout, UPRIGHT),
    }
    return called(shown, Camera(205, 40, 1.7), points)


def _leads(gallery: Gallery, layout: Layout) -> Iterator[Solid]:
    """One line for each lead to the upper part, as if it were pulled straight."""
    wired = netlist(gallery.build, "esp32")
    for lead in leads(wired):
        part = wired.by_ref[lead.wires[0].end.ref]
        if in_upper_part(part):
            (begin,), end = paths(lead.plug, wired, layout, UPRIGHT)[0], paths(part, wired, layout, UPRIGHT)[0]
            for one, other in pairwise([begin, *reversed(end)]):
                along = Vector(*other) - Vector(*one)
                yield Solid.make_cylinder(_THICK, along.length, Plane(one, z_dir=along))
