"""Whether leads reach: where their ends are in the closed box, and while its upper part is beside the base.

What the harness reckons with is a way along the box's edges; here are the places themselves, the farthest of those that
makers of a part choose.
"""

from __future__ import annotations

from itertools import pairwise, product
from math import asin, cos, degrees, dist, radians, sin
from typing import Final

from hardware.circuit.carrier import spots
from hardware.circuit.netlist import Netlist, Part
from hardware.enclosure.layout import SIDES, Layout
from hardware.harness import CARRIER, TRAY_AWAY, Place, Wire

UPRIGHT: Final = 90.0  # degrees: on the outside of side A, its open side towards the base
PROPPED: Final = 100.0  # mm below the upper part's edge of side C, while the main switch goes in
APART: Final = 5.0  # mm between the base and the upper part beside it
PLUG: Final = 12.0  # height of a plug in its header
EASE: Final = 20.0  # mm of a wire that are not straight: its ends, its twist, a hand


def way(wire: Wire, box: Netlist, layout: Layout, opened: float = 0.0) -> float:
    """Straight from end to end, through the tower's roof where it is in between; of all possible ends the farthest.

    `opened`: degrees by which the upper part is turned about the base's edge of side A, like a lid.
    """
    one, other = box.by_ref[wire.begin.ref], box.by_ref[wire.end.ref]
    return max(
        sum(dist(a, b) for a, b in pairwise([*begin, *reversed(end)]))
        for begin, end in product(paths(one, box, layout, opened), paths(other, box, layout, opened))
    )


def in_upper_part(part: Part) -> bool:
    """Whether it is turned with it. The main switch lies in the base until the box is closed."""
    return part.place == "top" or part.place.startswith("side")


def propped(layout: Layout) -> float:
    """Degrees by which it is open like a lid, with books below its edge of side C."""
    return degrees(asin(PROPPED / layout.sizes.outer))


def lid(place: Place, layout: Layout, opened: float) -> Place:
    """A place of the upper part after that has been turned about the base's edge of side A, and put down beside it."""
    x, y, z = place
    along, up, turn = y + layout.half, z - layout.sizes.plate, radians(opened)
    beside = APART if opened == UPRIGHT else 0.0
    return (
        x,
        along * cos(turn) - up * sin(turn) - layout.half - beside,
        along * sin(turn) + up * cos(turn) + layout.sizes.plate * (opened != UPRIGHT),
    )


def header(ref: str, box: Netlist, layout: Layout) -> Place:
    """The middle of a lead's plug in its header, where its wires leave it."""
    body, (x, y) = spots(box)[ref].body.millimetres(), layout.carrier
    over = layout.carrier_under + layout.sizes.carrier.board
    return x - (body.left + body.right) / 2, y + (body.top + body.bottom) / 2, over + PLUG


def ends(part: Part, layout: Layout) -> list[Place]:
    """Where a wire can end at a part, in the closed box."""
    sizes, pack = layout.sizes, layout.battery
    if part.kind == "charger":
        (x, y), half, long = layout.charger, sizes.charger.width / 2, sizes.charger.length / 2
        return [(x + a, y + b, layout.charger_under) for a in (-half, half) for b in (-long, long)]
    if part.kind == "switch":
        x, z = layout.rocker
        return [(x, layout.half - sizes.rocker.depth, z)]
    if part.place == "battery bay":
        return [(pack[0], pack[1] + sizes.battery.length / 2, sizes.plate)]
    if part.place == "tray":
        return [(0.0, layout.half + TRAY_AWAY, sizes.plate)]
    return _top(part, layout) if part.place == "top" else _side(part, layout)


def _top(part: Part, layout: Layout) -> list[Place]:
    sizes = layout.sizes
    if part.kind == "ring":
        middle = (sizes.ring.outer + sizes.ring.inner) / 4
        pads = [radians(turn) for turn in (225, 270, 315)]
        return [(middle * cos(at), middle * sin(at), layout.roof + sizes.lantern) for at in pads]
    if part.kind == "pixel":
        return [(0.0, -layout.ring_boss, layout.roof + sizes.lantern)]
    return [(0.0, 0.0, layout.roof + sizes.lantern - sizes.button.depth)]


def _side(part: Part, layout: Layout) -> list[Place]:
    sizes, turns = layout.sizes, SIDES.index(part.place[-1])
    if part.kind == "display":
        slope, deep = radians(sizes.slope), sizes.display.block + sizes.display.board + sizes.display.plug
        places = []
        for edge in (-1, 1):  # makers put the header at either
            up = sum(layout.window) / 2 + edge * sizes.display.board_height / 2
            out = -layout.tower_half + up * cos(slope) + deep * sin(slope)
            places.append((0.0, out, sizes.deck + up * sin(slope) - deep * cos(slope)))
    else:
        juz = part.kind == "button-green" or "JUZ" in str(part.fields.get("lights"))
        x, y = layout.buttons["juz" if juz else "dalej"]
        if part.kind == "pixel":
            places = [(x - (layout.pixel_from_button if juz else -layout.pixel_from_button), y, layout.lamp_under)]
        else:
            places = [(x, y, layout.terminals)]
    for _ in range(turns):
        places = [(y, -x, z) for x, y, z in places]
    return places


def paths(part: Part, box: Netlist, layout: Layout, opened: float) -> list[list[Place]]:
    """From each place where a wire can end to where it goes straight on: ring and lamp are behind the tower's roof."""
    if part.place == CARRIER:
        return [[header(part.ref, box, layout)]]
    paths = [[end] for end in ends(part, layout)]
    if part.place == "top" and part.kind in ("ring", "pixel"):
        sizes = layout.sizes
        window = -(sizes.ring.outer + sizes.ring.inner) / 4 if part.kind == "ring" else 0.0
        paths = [[end, (0.0, window, layout.roof - sizes.plate)] for (end,) in paths]
    if part.kind == "switch" and 0 < opened < UPRIGHT:  # its receptacles are led out through the window
        return [[lid((x, layout.half + layout.sizes.receptacle.bend, z), layout, opened)] for ((x, _, z),) in paths]
    if opened and in_upper_part(part):
        paths = [[lid(place, layout, opened) for place in path] for path in paths]
    return paths
