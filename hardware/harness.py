"""The leads between the carrier and everything that is not on it: derived from the circuit, drawn by WireViz.

A lead is a plug on the carrier and the parts that are wired to it. Within a lead, pins on the same net are joined one
after the other, so that no wire has to be spliced. Lengths follow from the enclosure's layout.

Red is plus and black is minus, everywhere. What carries the cell's voltage, and not the box's 5 V and ground, has a
white sleeve at both ends.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import pairwise
from math import ceil
from typing import Final, NamedTuple

from hardware.circuit.netlist import Netlist, Part
from hardware.enclosure.layout import Layout
from hardware.enclosure.sizes import SIZES, Sizes

CARRIER: Final = "carrier"
SLACK: Final = 80  # mm in each wire: around corners, and for the hand that plugs it in
STEP: Final = 10  # mm, to which lengths are rounded up
JOINT: Final = 30  # mm between parts that sit beside each other, beyond the way: both ends are bared on the bench
TRAY_AWAY: Final = 250  # mm from the box's wall to the tray
COLOURS: Final = {
    "+5V": "RD", "GND": "BK", "SDA": "GN", "SCL": "YE", "IN": "BU", "OUT": "WH", "JUZ": "GN", "DALEJ": "YE",
    "RING IN": "BU", "RING OUT": "WH", "SEDZIA IN": "VT", "SEDZIA": "OG", "KOSTKA": "GY", "BATTERY": "RDWH",
}  # fmt: skip
"""By the name of the plug's pole; a part's own pins take the colour of the pole on their net."""
INNER: Final = {"+5V_CHARGER": "RD", "BATTERY_MINUS": "BKWH", "CELL": "RDWH", "PACK": "RD", "PACK_MINUS": "BK"}
BETWEEN: Final = "BU"  # from lamp to lamp


Place = tuple[float, float, float]


class End(NamedTuple):
    """A part's pin, by its number."""

    ref: str
    pin: str


class Wire(NamedTuple):
    """`colour`: WireViz's two letters, four for a wire with a sleeve; `length` in mm, 0 for what comes with a part."""

    net: str
    begin: End
    end: End
    colour: str
    length: int


class Lead(NamedTuple):
    """`plug`: on the carrier; `parts`: in the order in which they are joined."""

    name: str
    plug: Part
    parts: tuple[Part, ...]
    wires: tuple[Wire, ...]


class Joint(NamedTuple):
    """How a wire is joined to a part, and when: `8` is the guide's section, `9.2` the second step of its section 9.

    `how`: `S` soldered, `P` pushed on, `B` as bought; at the carrier's end there is always a plug.
    """

    how: str
    step: str


_STEPS: Final = {"display": "9.2", "ring": "9.3", "button-red": "9.3", "kostka-switch": "9.6"}


def joint(part: Part) -> Joint:
    """That of any wire at this part."""
    how = "B" if part.kind in ("battery", "pack-plug") else "P" if part.fields["sockets"].get("receptacle") else "S"
    step = {"top": "9.3", "battery bay": "8"}.get(part.place)
    return Joint(how, step or _STEPS.get(part.kind, "9.4"))


class Loose(ValueError):
    """A part is on no lead, or on a net that no plug brings; the message is one sentence."""


def leads(box: Netlist, sizes: Sizes = SIZES) -> tuple[Lead, ...]:
    """Every lead of a box, in the order of the carrier's plugs. Loose if a part cannot be reached."""
    plugs = [part for part in box.parts if "lead" in part.fields]
    of_plug: dict[str, list[Part]] = {plug.ref: [] for plug in plugs}
    for part in box.parts:
        if part.place != CARRIER:
            of_plug[_plug(part, box, plugs).ref].append(part)
    return tuple(_lead(plug, sorted(of_plug[plug.ref], key=_order), Layout(sizes)) for plug in plugs)


def metres(of: Iterable[Lead]) -> int:
    """Wire for these leads, rounded up."""
    return ceil(sum(wire.length for lead in of for wire in lead.wires) / 1000)


def _plug(part: Part, box: Netlist, plugs: list[Part]) -> Part:
    """The plug through which a part is wired."""
    if part.kind == "pixel":
        lit = [other for other in box.parts if f"{part.fields['lights']}_LEAD" in other.nets and other.place != CARRIER]
        if not lit:
            raise Loose(f"{part.ref} lights a button that is not there.")
        part = lit[0]
    own = [net for net in part.nets if net.endswith("_LEAD")]
    wanted = {"display": f"display {part.place[-1]}", "ring": "top"}.get(part.kind, "power")
    for plug in plugs:
        if own[0] in plug.nets if own else plug.fields["lead"] == wanted:
            return plug
    raise Loose(f"No plug of the carrier leads to {part.ref}.")


def _order(part: Part) -> tuple[int, int]:
    """Lamp and button of the same place beside each other; the charger before its switch, fuse, plug and battery."""
    rank = {"ring": 0, "charger": 0, "switch": 1, "fuse": 2, "battery-plug": 3, "pack-plug": 4, "battery": 5}
    number = int(part.ref.lstrip("ABCDEFGHIJKLMNOPQRSTUVWXYZ"))
    return (rank[part.kind], 0) if part.kind in rank else (2 * number, part.kind != "pixel")


def _lead(plug: Part, parts: list[Part], layout: Layout) -> Lead:
    nets = dict.fromkeys([*plug.nets, *(net for part in parts for net in part.nets if net)])
    wires = [wire for net in nets for wire in _joined(net, plug, parts, layout)]
    return Lead(plug.fields["lead"], plug, tuple(parts), tuple(wires))


def _joined(net: str, plug: Part, parts: list[Part], layout: Layout) -> Iterator[Wire]:
    """The wires of one net: from each of the plug's poles through an equal share of the parts."""
    poles = [pin for pin in plug.pins if pin.net == net]
    on_it = [pin for part in parts for pin in part.pins if pin.net == net]
    if poles and not on_it:
        raise Loose(f"{plug.ref} brings {net}, and no part of its lead is on it.")
    share = ceil(len(on_it) / max(1, len(poles)))
    by_ref = {part.ref: part for part in [plug, *parts]}
    for place in range(max(1, len(poles))):
        chain = [*poles[place : place + 1], *on_it[place * share : (place + 1) * share]]
        for one, other in pairwise(chain):
            ends = End(one.ref, one.number), End(other.ref, other.number)
            length = _length(by_ref[one.ref], by_ref[other.ref], layout)
            yield Wire(net, *ends, COLOURS[poles[0].name] if poles else INNER.get(net, BETWEEN), length)


def _length(one: Part, other: Part, layout: Layout) -> int:
    """From part to part along the box's edges, with slack; rounded up. All sides' leads are as long as the longest.

    0 for the pack's own lead. That they reach while the box is open as well is checked with `hardware.reach`.
    """
    if one.fields.get("comes_with") == other.ref:
        return 0
    turns = range(4 if one.place == CARRIER and (other.place.startswith("side") or other.place == "top") else 1)
    begin, end = _at(one, layout), _at(other, layout)
    way = max(sum(abs(a - b) for a, b in zip(begin, _turned(end, turn), strict=True)) for turn in turns)
    if one.place == other.place == "top":
        way = layout.sizes.ring.outer / 2  # down through the roof's window and up through the hole in its middle
    if way < JOINT:
        way, slack = layout.lamp_to_switch if "pixel" in (one.kind, other.kind) else 0.0, JOINT
    else:
        slack = SLACK
    return STEP * ceil((way + slack) / STEP)


def _turned(at: Place, quarters: int) -> Place:
    """The same place on another side."""
    x, y, z = at
    for _ in range(quarters):
        x, y = y, -x
    return x, y, z


def _pack_end(layout: Layout) -> tuple[float, float]:
    """The end of the battery that looks to side C, where its plug and the fuse lie."""
    x, y = layout.battery
    return x, y + layout.sizes.battery.length / 2


def _at(part: Part, layout: Layout) -> Place:
    """Where a part sits, in mm; what is on a side, as if it were on side A."""
    sizes = layout.sizes
    if part.place == CARRIER:
        return *layout.carrier, layout.carrier_under + sizes.carrier.board
    if part.place == "battery bay":
        x, y = {"charger": layout.charger, "switch": (layout.rocker[0], layout.half)}.get(part.kind, _pack_end(layout))
        return x, y, sizes.plate
    if part.place == "tray":
        return 0.0, layout.half + TRAY_AWAY, sizes.plate
    if part.kind == "display":
        return 0.0, -layout.tower_half, sizes.deck + sizes.rise / 2
    if part.place == "top":
        return 0.0, -sizes.ring.outer / 2, layout.roof + sizes.lantern  # the lamp's wire goes round through the middle
    juz = part.kind == "button-green" or "JUZ" in str(part.fields.get("lights"))
    return *layout.buttons["juz" if juz else "dalej"], sizes.deck
