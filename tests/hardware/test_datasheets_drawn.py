"""Carrier, schematic and leads are drawn and listed as data sheets ask for (tests/hardware/datasheets.py has them by
hand). The drawings are made here; no kept one is asked.
"""

from __future__ import annotations

import re
from itertools import pairwise
from math import dist
from typing import Any, Final
from xml.etree import ElementTree as ET

import pytest

from hardware import harness, harness_list, harness_picture
from hardware.circuit import carrier_picture
from hardware.circuit.box import CHIPS
from hardware.circuit.carrier import COLUMNS, PITCH, Hole, spots
from hardware.circuit.netlist import Netlist, Part, netlist
from hardware.circuit.sketch import Pen
from hardware.circuit.wirelist import part_rows
from tests.hardware import datasheets as said
from tests.hardware.boxes import each_box, listed

SVG: Final = "{http://www.w3.org/2000/svg}"
Point = tuple[float, float]

box = each_box()


# The carrier


def at(hole: Hole) -> Point:
    """Millimetres to the right, and downwards as seen from the parts' side."""
    return PITCH * hole.column, PITCH * hole.row


def named(text: str) -> Hole:
    return Hole(1 + COLUMNS.index(text[0]), int(text[1:]))


def holes(box: Netlist, ref: str) -> dict[str, Hole]:
    """By the names of pins."""
    spot = spots(box)[ref]
    return {pin.name: spot.holes[pin.number] for pin in box.by_ref[ref].pins}


def test_what_can_be_turned_round_is_in_the_holes_written_down(box: Netlist) -> None:
    for ref, wanted in {**said.HOLES, "D1": said.DIODE_HOLES[box.chip]}.items():
        there = holes(box, ref)
        assert {name: str(there[name]) for name in wanted} == wanted, ref


def test_the_first_pole_of_each_plug_is_in_the_hole_written_down(box: Netlist) -> None:
    placed = spots(box)
    plugs = {part.ref for part in box.of_kind("connector")}

    assert {ref: str(placed[ref].holes["1"]) for ref in plugs} == {ref: said.FIRST_POLES[ref] for ref in plugs}


def test_the_holes_are_as_far_apart_as_pins() -> None:
    assert PITCH == said.PITCH_MM


def test_a_dip_is_counted_against_the_clock_from_its_notch(box: Netlist) -> None:
    where = {number: at(hole) for number, hole in spots(box)["U2"].holes.items()}
    ring = [where[str(number)] for number in range(1, 15)]

    area = sum(x1 * y2 - x2 * y1 for (x1, y1), (x2, y2) in pairwise([*ring, ring[0]]))
    assert area < 0, "y is downwards"
    for number in range(1, 7):
        assert dist(where[str(number)], where[str(number + 1)]) == pytest.approx(said.PITCH_MM)
        assert dist(where[str(number + 7)], where[str(number + 8)]) == pytest.approx(said.PITCH_MM)
    for number in range(1, 8):
        assert dist(where[str(number)], where[str(15 - number)]) == pytest.approx(said.DIP_MM)


def test_the_level_shifter_s_rows_are_those_of_the_module(box: Netlist) -> None:
    spot, part = spots(box)["U3"], box.by_ref["U3"]
    rows: dict[int, list[tuple[int, str]]] = {}
    for pin in part.pins:
        hole = spot.holes[pin.number]
        rows.setdefault(hole.row, []).append((hole.column, pin.name))
    high, low = ([name for _, name in sorted(rows[row])] for row in sorted(rows))

    assert (tuple(high), tuple(low)) == (said.SHIFTER_HIGH, said.SHIFTER_LOW)
    assert sorted(columns for columns, _ in rows[min(rows)]) == sorted(columns for columns, _ in rows[max(rows)])
    assert PITCH * (max(rows) - min(rows)) == pytest.approx(said.SHIFTER_MM)
    told = " ".join(said.SHIFTER_LOW), " ".join(said.SHIFTER_HIGH)
    assert f"order {told[0]}, opposite {told[1]}" in listed("level-shifter").look_for


@pytest.mark.parametrize("chip", CHIPS)
def test_the_rows_of_a_board_are_as_far_apart_as_its_maker_s_and_its_usb_is_below(chip: str) -> None:
    where = spots(netlist("full", chip))["U1"].holes
    left, right = ([where[f"{side}{place}"] for place in range(1, len(row.split()) + 1)]
                   for side, row in zip("LR", said.HEADERS[chip], strict=True))  # fmt: skip

    assert PITCH * (right[0].column - left[0].column) == pytest.approx(said.HEADERS_MM[chip])
    for row in (left, right):
        assert len({hole.column for hole in row}) == 1
        assert [b.row - a.row for a, b in pairwise(row)] == [1] * (len(row) - 1)
    assert [hole.row for hole in left] == [hole.row for hole in right]


# The marks that the carrier is drawn with; the drawing is made here, not the one that is kept.


class Marks:
    """Signs and lines of the carrier as it is drawn now."""

    def __init__(self, box: Netlist) -> None:
        self.svg = ET.fromstring(carrier_picture.top(box))

    def bars(self) -> list[tuple[Point, Point]]:
        """Thick lines: a diode's ring, the transistor's flat side."""
        lines = [line for line in self.svg.iter(f"{SVG}line") if line.get("style") == "stroke-width:5"]
        return [(self._point(line, "x1", "y1"), self._point(line, "x2", "y2")) for line in lines]

    def notches(self) -> list[Point]:
        return [self._point(one, "cx", "cy") for one in self.svg.iter(f"{SVG}circle") if one.get("r") == "9"]

    def squares(self) -> list[Point]:
        """The middles of black ones: first pins, and what is wired of the chip's board."""
        found = [one for one in self.svg.iter(f"{SVG}rect") if one.get("style") == "fill:black"]
        corners = [(self._point(one, "x", "y"), float(one.attrib["width"]) / 2) for one in found]
        return [(x + half, y + half) for (x, y), half in corners]

    def slots(self) -> list[Point]:
        """The middles of the bars of which a header's wall with two slots is drawn."""
        lines = [line for line in self.svg.iter(f"{SVG}line") if line.get("style") == "stroke-width:7"]
        return [middle(self._point(line, "x1", "y1"), self._point(line, "x2", "y2")) for line in lines]

    def signs(self, text: str) -> list[Point]:
        return [self._point(one, "x", "y") for one in self.svg.iter(f"{SVG}text") if one.text == text]

    def _point(self, one: ET.Element, x: str, y: str) -> Point:
        return float(one.attrib[x]), float(one.attrib[y])


@pytest.fixture(scope="module")
def marks(box: Netlist) -> Marks:
    return Marks(box)


def drawn(hole: str | Hole) -> Point:
    return carrier_picture._at(named(hole) if isinstance(hole, str) else hole, mirrored=False)


def nearest(points: list[Point], to: Point) -> Point:
    return min(points, key=lambda point: dist(point, to))


def middle(one: Point, other: Point) -> Point:
    return (one[0] + other[0]) / 2, (one[1] + other[1]) / 2


def test_the_ring_of_each_diode_is_drawn_at_its_cathode(box: Netlist, marks: Marks) -> None:
    for ref, there in (("D1", said.DIODE_HOLES[box.chip]), ("D2", said.HOLES["D2"])):
        cathode, anode = drawn(there["K"]), drawn(there["A"])
        ring = nearest([middle(*bar) for bar in marks.bars()], middle(cathode, anode))
        assert dist(ring, cathode) < dist(ring, anode), ref
        assert dist(ring, cathode) + dist(ring, anode) == pytest.approx(dist(cathode, anode), abs=1)


@pytest.mark.parametrize("ref", ["C1", "C3", "LS1"])
def test_plus_and_minus_are_drawn_beside_the_pins_that_they_are(marks: Marks, ref: str) -> None:
    plus, minus = (drawn(said.HOLES[ref][name]) for name in "+-")
    both = {**dict.fromkeys(marks.signs("+"), "+"), **dict.fromkeys(marks.signs("−"), "−")}

    assert both[nearest(list(both), plus)] == "+"
    assert both[nearest(list(both), minus)] == "−"
    assert max(dist(nearest(list(both), pin), pin) for pin in (plus, minus)) < 30


def test_whoever_looks_at_the_transistor_s_flat_side_has_its_collector_to_the_left(marks: Marks) -> None:
    collector, base, emitter = (drawn(said.HOLES["Q1"][name]) for name in "CBE")
    flat = nearest([middle(*bar) for bar in marks.bars()], base)
    looks = (base[0] - flat[0], base[1] - flat[1])
    left = (looks[1], -looks[0])  # y is downwards
    to_collector = (collector[0] - emitter[0], collector[1] - emitter[1])

    assert left[0] * to_collector[0] + left[1] * to_collector[1] > 0
    assert dist(flat, base) < 30


def test_the_notch_is_drawn_between_the_first_and_the_last_pin(marks: Marks) -> None:
    first, last = drawn(said.HOLES["U2"]["1OE"]), drawn(said.HOLES["U2"]["VCC"])

    assert dist(nearest(marks.notches(), middle(first, last)), middle(first, last)) < 30


def test_the_first_pin_is_drawn_as_a_square(box: Netlist, marks: Marks) -> None:
    """But for the only plug with two poles: its switch does not mind which is which."""
    firsts = [said.FIRST_POLES[part.ref] for part in box.of_kind("connector") if len(part.pins) > 2]
    firsts += [said.HOLES["U2"]["1OE"], said.HOLES["U3"]["LV1"], said.HOLES["Q1"]["C"]]
    squares = marks.squares()

    for hole in firsts:
        assert dist(nearest(squares, drawn(hole)), drawn(hole)) < 1, hole
    used = [drawn(spots(box)["U1"].holes[pin.number]) for pin in box.by_ref["U1"].pins if pin.net]
    others = [one for one in squares if min(dist(one, pin) for pin in [*used, *map(drawn, firsts)]) > 2]
    assert len(others) == 1, "that of the key"


def test_a_header_s_slots_are_drawn_at_the_outer_edge(box: Netlist, marks: Marks) -> None:
    bars = marks.slots()
    for part in box.of_kind("connector"):
        x, y = drawn(spots(box)[part.ref].holes["1"])
        beside = [bar[0] for bar in bars if abs(bar[0] - x) < 40 and abs(bar[1] - y) < 40]
        outwards = 1 if part.ref in said.RIGHT_PLUGS else -1
        assert beside, part.ref
        assert all((bar - x) * outwards > 0 for bar in beside), part.ref


def test_letters_and_numbers_are_those_of_the_holes_and_mirrored_on_the_side_of_the_solder(box: Netlist) -> None:
    above, below = ({one.text: float(one.attrib["x"]) for one in ET.fromstring(svg).iter(f"{SVG}text")}
                    for svg in (carrier_picture.top(box), carrier_picture.bottom(box, rails=True)))  # fmt: skip
    for letter in (COLUMNS[0], COLUMNS[-1]):
        hole = named(f"{letter}1")
        assert above[letter] == pytest.approx(drawn(hole)[0], abs=0.1)
        assert below[letter] == pytest.approx(carrier_picture._at(hole, mirrored=True)[0], abs=0.1)
    assert above["A"] < above["X"]
    assert below["A"] > below["X"]


def test_the_list_to_solder_by_begins_with_the_pin_that_is_marked(box: Netlist) -> None:
    """Plus, cathode, collector, first pin: then the last pin."""
    rows = {row[0]: row[3:] for row in part_rows(box)}
    pins = {"D1": ("K", "A"), "D2": ("K", "A"), "Q1": ("C", "E"), **dict.fromkeys(("C1", "C3", "LS1"), ("+", "-"))}
    for ref, (first, last) in pins.items():
        there = said.DIODE_HOLES[box.chip] if ref == "D1" else said.HOLES[ref]
        assert rows[ref] == (there[first], there[last]), ref
    assert rows["U2"] == (said.HOLES["U2"]["1OE"], said.HOLES["U2"]["VCC"])
    assert rows["U3"] == (said.HOLES["U3"]["LV1"], said.HOLES["U3"]["HV1"])


# The schematic's symbols, drawn here one by one.


@pytest.mark.parametrize(("ref", "plus"), [("D1", "A"), ("D2", "A"), ("C1", "+"), ("C3", "+"), ("BT1", "+")])
def test_a_symbol_stands_the_right_way_round_from_wherever_it_is_drawn(ref: str, plus: str) -> None:
    """A symbol begins with its anode or plus: it is drawn from left to right from either of its nets."""
    box = netlist("full", "esp32")
    for pin in box.by_ref[ref].pins:
        pen = Pen(box)
        pen.row((0, 0), pin.net, ref)
        ends = [(one.absanchors["start"].x, one.absanchors["end"].x) for one in pen._drawing.elements
                if {"start", "end"} <= one.absanchors.keys()]  # fmt: skip
        ((begin, end),) = ((begin, end) for begin, end in ends if begin != end)
        assert (begin < end) == (said.NETS[ref][plus] == pin.net)


def test_the_transistor_s_symbol_has_the_nets_of_its_pins() -> None:
    pen = Pen(netlist("full", "esp32"))
    pen.transistor((0, 0), "Q1")
    (symbol,) = (one for one in pen._drawing.elements if "collector" in one.absanchors)
    nets = {one.xy: one.text for one in pen._plain.segments if one.text in said.NETS["Q1"].values()}
    for pin, anchor in (("C", "collector"), ("E", "emitter"), ("B", "base")):
        there = symbol.absanchors[anchor]
        assert nets[nearest(list(nets), (there.x, there.y))] == said.NETS["Q1"][pin]


@pytest.mark.parametrize("ref", ["U2", "U3"])
def test_each_pin_of_a_block_has_its_number_its_name_and_its_net_beside_each_other(ref: str) -> None:
    box = netlist("full", "esp32")
    part = box.by_ref[ref]
    numbers = [pin.number for pin in part.pins]
    pen = Pen(box)
    half = len(numbers) // 2
    pen.block((0, 0), ref, numbers[:half], numbers[half:][::-1])
    texts = [one for one in pen._plain.segments if hasattr(one, "text")]
    rows: dict[tuple[bool, float], set[str]] = {}
    for one in texts:
        x, y = one.xy
        rows.setdefault((x > 2.1, round(y - (0.16 if one.text in numbers else 0), 3)), set()).add(one.text)
    for pin in part.pins:
        assert {pin.number, pin.name, pin.net or "×"} in rows.values(), pin


# Leads


def test_whoever_draws_or_lists_the_leads_is_told_which_end_is_which(box: Netlist) -> None:
    leads = list(harness.leads(box))
    names = {(pin.ref, pin.number): f"{pin.ref} {pin.name}" for part in box.parts for pin in part.pins}
    cut = sorted((names[wire.begin], names[wire.end], wire.colour) for lead in leads for wire in lead.wires)

    told = harness_picture.document(leads)
    plugs = {lead.plug.ref: lead.plug for lead in leads}
    assert sorted(_told(told, each, plugs) for each in told["connections"] if "==>" not in each) == cut

    rows: dict[tuple[str, int], list[tuple[float, str]]] = {}
    for one in ET.fromstring(harness_list.list_page(leads)).iter(f"{SVG}text"):
        x = float(one.attrib["x"]) - 24
        rows.setdefault((one.attrib["y"], int(x // harness_list._COLUMN)), []).append((x, one.text or ""))
    listed = [[text for _, text in sorted(row)] for row in rows.values()]
    ends = [(_unnumbered(row[0]), _unnumbered(row[1]), row[2]) for row in listed if len(row) > 3 and row[0] != "W"]
    assert sorted(ends) == cut


def _told(document: Any, connection: list[dict[str, Any]], plugs: dict[str, Part]) -> tuple[str, str, str]:
    """A connection of WireViz: what its wire joins, and its colour."""
    begin, cable, end = (next(iter(each.items())) for each in connection)
    ends = [f"{ref} {plugs[ref].pins[pin - 1].name if ref in plugs else pin}" for ref, pin in (begin, end)]
    return ends[0], ends[1], document["cables"][cable[0]]["colors"][cable[1] - 1]


def _unnumbered(text: str) -> str:
    """`J5 3  IN` as `J5 IN`."""
    return re.sub(r"^(J\d+) \d+  ", r"\1 ", text)


def test_each_pole_has_its_colour_and_its_end(box: Netlist) -> None:
    for lead in harness.leads(box):
        parts = {part.ref: part for part in (lead.plug, *lead.parts)}
        from_plug = {wire.begin.pin: wire for wire in lead.wires if wire.begin.ref == lead.plug.ref}
        for number, (pole, colour, ref, pin) in enumerate(said.LEADS[lead.name], 1):
            wire = from_plug[str(number)]
            name = next(each.name for each in parts[wire.end.ref].pins if each.number == wire.end.pin)
            assert lead.plug.pins[number - 1].name == pole, lead.name
            assert (wire.colour, wire.end.ref, name) == (colour, ref, pin), f"{lead.name} {pole}"
        assert len(from_plug) == len(said.LEADS[lead.name])


def test_wires_that_no_plug_brings_have_their_colour(box: Netlist) -> None:
    (bay,) = (lead for lead in harness.leads(box) if lead.name == "power")

    assert {wire.net: wire.colour for wire in bay.wires if wire.net in said.INNER} == said.INNER


def test_a_wire_between_lamps_leads_from_dout_to_din(box: Netlist) -> None:
    between = [wire for lead in harness.leads(box) for wire in lead.wires
               if wire.net.startswith("LAMPS") and wire.begin.ref != lead.plug.ref]  # fmt: skip

    assert len(between) == (4 if box.build == "full" else 1)
    for wire in between:
        names = [next(pin.name for pin in box.by_ref[end.ref].pins if pin.number == end.pin)
                 for end in (wire.begin, wire.end)]  # fmt: skip
        assert names == ["DOUT", "DIN"]
