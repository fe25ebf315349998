"""Circuit, carrier, leads, list of parts and firmware are what data sheets ask for, as tests/hardware/datasheets.py has
them by hand. No kept picture is asked here: whoever draws all of them anew has changed nothing of this.
"""

from __future__ import annotations

import ast
import re
import runpy
import sys
from collections.abc import Iterator
from itertools import pairwise, product
from math import dist
from pathlib import Path
from types import SimpleNamespace
from typing import Any, Final
from xml.etree import ElementTree as ET

import pytest

from hardware import bom, bom_polish, cell, figures, harness, harness_list, harness_picture, power
from hardware.circuit import carrier_picture
from hardware.circuit.box import BUILDS, CHIPS
from hardware.circuit.carrier import COLUMNS, PITCH, Hole, spots
from hardware.circuit.devkits import DEVKITS
from hardware.circuit.netlist import Netlist, Part, netlist
from hardware.circuit.sketch import Pen
from hardware.circuit.wirelist import part_rows
from moveclock import view
from moveclock.box import LOW_BATTERY_MV
from moveclock.settings import LOUD, SILENT, SOFT
from tests.hardware import datasheets as said
from tools.firmware import FIRMWARE

BOXES: Final = tuple(product(BUILDS, CHIPS, (True, False)))
MACHINES: Final = {"esp32": "Generic ESP32 module with ESP32", "esp32s3": "Generic ESP32S3 module with ESP32S3"}
SVG: Final = "{http://www.w3.org/2000/svg}"
Point = tuple[float, float]


@pytest.fixture(params=BOXES, ids=lambda box: f"{box[0]}-{box[1]}-{'kostka' if box[2] else 'bare'}", scope="module")
def box(request: pytest.FixtureRequest) -> Netlist:
    build, chip, kostka = request.param
    return netlist(build, chip, kostka=kostka)


# Pins


def test_pins_have_the_numbers_and_names_of_their_data_sheets(box: Netlist) -> None:
    for part in box.of_kind(*said.PINS):
        assert {pin.number: pin.name for pin in part.pins} == said.PINS[part.kind], part.ref


def test_pads_have_the_names_that_are_printed_beside_them(box: Netlist) -> None:
    for part in (part for part in box.parts if part.kind in said.PADS):
        assert {pin.name for pin in part.pins} == said.PADS[part.kind], part.ref


def test_no_part_is_left_out_of_the_table(box: Netlist) -> None:
    known = (*said.PINS, *said.PADS, *said.UNPOLARISED, "devkit", "connector-")

    assert [part.ref for part in box.parts if not part.kind.startswith(known)] == []
    polarised = set(said.NETS) | {part.ref for part in box.of_kind("pixel", "button", "kostka-switch")}
    wired = {part.ref for part in box.of_kind(*said.PINS, *said.PADS, "fuse", "switch")}
    assert wired <= polarised


def test_parts_are_of_the_types_whose_data_sheets_these_are(box: Netlist) -> None:
    for kind, name in said.TYPES.items():
        for part in box.of_kind(kind):
            assert part.value.startswith(name), part.ref
        assert [row.value.startswith(name) for row in bom.rows() if row.kind == kind] == [True]


@pytest.mark.parametrize("chip", CHIPS)
def test_the_headers_of_a_board_are_those_of_its_maker(chip: str) -> None:
    rows = [tuple(map(_header, row.split())) for row in said.HEADERS[chip]]

    assert (DEVKITS[chip].left, DEVKITS[chip].right) == tuple(rows)
    u1 = netlist("full", chip).by_ref["U1"]
    numbered = [
        (f"{side}{place}", name) for side, row in zip("LR", rows, strict=True) for place, name in enumerate(row, 1)
    ]
    assert [(pin.number, pin.name) for pin in u1.pins] == numbered


def _header(printed: str) -> str:
    name = said.PRINTED.get(printed, printed).removeprefix("IO")
    return f"GPIO{name}" if name.isdigit() else name


@pytest.mark.parametrize("chip", CHIPS)
def test_what_the_pins_of_a_chip_cannot_do_is_what_its_data_sheet_says(chip: str) -> None:
    devkit = DEVKITS[chip]
    there = {int(name[4:]) for _, name in devkit.rows if name.startswith("GPIO")}

    assert devkit.strapping == said.STRAPPING[chip]
    assert devkit.adc1 == said.ADC1[chip]
    assert devkit.input_only & there == said.INPUT_ONLY[chip]
    assert devkit.taken >= said.FLASH_AND_PORT[chip]
    used = set(said.GPIOS[chip].values())
    assert len(used) == len(said.GPIOS[chip])
    assert not used & (said.STRAPPING[chip] | said.FLASH_AND_PORT[chip])
    driven = {said.GPIOS[chip][name] for name in ("SDA", "SCL", "LAMPS", "BUZZER")}
    assert not driven & said.INPUT_ONLY[chip]
    assert said.GPIOS[chip]["BATTERY_HALF"] in said.ADC1[chip]


@pytest.mark.parametrize("chip", CHIPS)
def test_the_firmware_has_each_thing_on_its_pin(chip: str) -> None:
    pins: Any = runpy.run_path(str(FIRMWARE / "board.py"))["pins"](MACHINES[chip])
    wanted = said.GPIOS[chip]
    seats = [wanted[f"{button}_{side}"] for side in "ABCD" for button in ("JUZ", "DALEJ")]

    assert list(pins.buttons) == seats
    assert {
        "SEDZIA": pins.sedzia, "KOSTKA": pins.kostka, "SDA": pins.sda, "SCL": pins.scl, "LAMPS": pins.lamps,
        "BUZZER": pins.buzzer, "BATTERY_HALF": pins.battery,
    } == {name: pin for name, pin in wanted.items() if pin not in seats}  # fmt: skip
    assert set(pins.bare) == said.INPUT_ONLY[chip] & {pins.kostka, pins.sedzia, *pins.buttons}


# The circuit


def test_each_pin_of_the_chip_s_board_is_on_the_net_of_its_name(box: Netlist) -> None:
    feeds = {"GND": "GND", "3V3": "+3V3", "5V": "+5V_BOARD"}
    names = {pin: name for name, pin in said.GPIOS[box.chip].items() if box.kostka or name != "KOSTKA"}
    if box.build == "small":
        seats = {pin: name.removesuffix("_A") for pin, name in names.items() if name.endswith("_A")}
        names = {pin: name for pin, name in names.items() if name[-2:] not in ("_B", "_C", "_D")} | seats
    nets = {pin.number: (pin.name, pin.net) for pin in box.by_ref["U1"].pins}

    for name, net in nets.values():
        wanted = names.get(int(name[4:]), "") if name.startswith("GPIO") else feeds.get(name, "")
        assert net == wanted, name


def test_what_can_be_wired_the_wrong_way_round_is_wired_as_written_down(box: Netlist) -> None:
    for ref, wanted in said.NETS.items():
        for pin in box.by_ref[ref].pins:
            assert pin.net == wanted.get(pin.name, pin.net), f"{ref} {pin.name}"
        assert wanted.keys() <= {pin.name for pin in box.by_ref[ref].pins}


def test_each_contact_is_a_button_of_its_colour_on_its_side_that_closes_to_ground(box: Netlist) -> None:
    contacts = [*said.CHAIN[box.build], *(["KOSTKA"] if box.kostka else [])]
    closing = list(box.of_kind("button", "kostka-switch"))

    assert {part.net("NO") for part in closing} == {f"{contact}_LEAD" for contact in contacts}
    for part in closing:
        name, _, side = part.net("NO").removesuffix("_LEAD").partition("_")
        assert (part.kind, part.net("COM")) == (said.BUTTONS[name], "GND"), part.ref
        place = {"SEDZIA": "top", "KOSTKA": "tray"}.get(name, f"side {side or 'A'}")
        assert part.place == place, part.ref


def test_data_runs_from_lamp_to_lamp_in_the_order_written_down(box: Netlist) -> None:
    net = "LAMPS_AFTER_RING"
    lamps = {part.fields["lights"]: part for part in box.of_kind("pixel")}

    assert int(box.by_ref["LP0"].fields["pixels"]) == said.RING_PIXELS == view.RING
    assert list(lamps) == list(said.CHAIN[box.build])
    for name in said.CHAIN[box.build]:
        after = "" if name == "SEDZIA" else f"LAMPS_AFTER_{name}"
        assert (lamps[name].net("DIN"), lamps[name].net("DOUT")) == (net, after)
        assert (lamps[name].net("5V"), lamps[name].net("GND")) == ("+5V", "GND")
        net = after


def test_data_goes_in_at_din_and_comes_out_at_dout(box: Netlist) -> None:
    ways = {"DIN": "INPUT", "DOUT": "OUTPUT", **{f"{gate}{way}": func for gate in "1234" for way, func in
            (("A", "INPUT"), ("OE", "INPUT"), ("Y", "OUTPUT"))}}  # fmt: skip
    for part in box.of_kind("ring", "pixel", "buffer"):
        assert [pin.name for pin in part.pins if pin.func != ways.get(pin.name, "PWRIN")] == [], part.ref


def test_each_display_has_the_address_of_its_side(box: Netlist) -> None:
    assert {part.place: part.fields["address"] for part in box.of_kind("display")} == said.ADDRESSES


# Values


def test_each_resistor_and_capacitor_is_where_its_role_is_and_within_its_range(box: Netlist) -> None:
    roles = said.roles(box.build)
    found = {part.ref: part for part in box.of_kind("resistor", "capacitor")}
    without = set() if box.kostka else {"R20", "C20", "R21"}

    assert set(found) == set(roles) - without
    for ref, part in found.items():
        assert frozenset(part.nets) == roles[ref].nets, f"{ref}, {roles[ref].what}"
        assert roles[ref].least <= amount(part) <= roles[ref].most, f"{ref}, {roles[ref].what}: {part.value}"


def amount(part: Part) -> float:
    """Ohm or farad, read without the circuit's own reader; the part's kind says the same."""
    found = re.fullmatch(r"([\d.]+) ([knµ]?)([ΩF])", part.value)
    assert found, part.value
    prefix, unit = found[2], found[3]
    kind = re.fullmatch(r"(resistor|capacitor)-(\d+)([knuµ]?)(\d*)", part.kind)
    assert kind, part.kind
    assert (kind[1], kind[3].replace("u", "µ")) == ("resistor" if unit == "Ω" else "capacitor", prefix)
    assert float(f"{kind[2]}.{kind[4] or 0}") == float(found[1])
    return float(found[1]) * {"": 1, "k": 1e3, "n": 1e-9, "µ": 1e-6}[prefix]


def ohms(box: Netlist, ref: str) -> float:
    return amount(box.by_ref[ref])


def test_the_halves_of_the_divider_are_equal(box: Netlist) -> None:
    assert ohms(box, "R7") == ohms(box, "R8")
    taken = 1000 * said.CELL_VOLTS[1] / (ohms(box, "R7") + ohms(box, "R8"))
    assert figures.DIVIDER.typical <= taken <= figures.DIVIDER.worst
    assert said.ADC_MV[0] > 1000 * said.CHARGED_VOLTS / said.DIVIDER


def test_a_contact_that_closes_is_seen_at_once_and_pulls_its_pin_low(box: Netlist) -> None:
    """A pin reads low below a quarter of 3.3 V. An ESP32's own pull-up has about 45 kOhm; Kostka's is R21."""
    for part in box.of_kind("resistor-1k"):
        lead = next((net for net in part.nets if net.endswith("_LEAD")), None)
        if lead:
            pull_up = ohms(box, "R21") if lead == "KOSTKA_LEAD" else 45e3
            assert amount(part) / (amount(part) + pull_up) < 0.25
            (capacitor,) = box.between(lead, "GND", "capacitor")
            assert amount(part) * amount(capacitor) < 1e-3
            assert pull_up * amount(capacitor) < 0.030 / 3, "and a contact that opens long before a bounce is over"


def test_the_buzzer_s_transistor_is_switched_on_and_its_diode_bears_the_coil(box: Netlist) -> None:
    most = 1000 * 5.25 / said.BUZZER_OHMS
    base = 1000 * (3.3 - said.BASE_VOLTS) / ohms(box, "R5")

    assert most < base * said.GAIN
    assert base < said.GPIO_MA
    assert most < said.FLYBACK_MA
    told = re.search(r"(\d+) Ω or more", box.by_ref["LS1"].value)
    assert told
    assert int(told[1]) >= said.BUZZER_OHMS
    assert box.by_ref["LS1"].value.startswith("passive")


def test_a_display_can_pull_the_bus_down(box: Netlist) -> None:
    for ref in ("R3", "R4"):
        assert 1000 * (3.3 / ohms(box, ref) + 3.3 / 10e3 + 5.25 / 10e3) < said.SINK_MA


def test_the_diode_to_the_board_bears_what_the_board_takes() -> None:
    assert figures.CHIP_PEAK.worst + figures.BOARD.worst < said.SCHOTTKY_MA / 2


# The list of parts


def listed(kind: str) -> bom.Row:
    (found,) = (row for row in bom.rows() if row.kind == kind)
    return found


@pytest.mark.parametrize("kind", ["capacitor-470u", "capacitor-1000u"])
def test_capacitors_on_5_v_bear_more(kind: str) -> None:
    told = re.search(r"(\d+) V or more", listed(kind).package)

    assert told
    assert int(told[1]) >= said.BULK_VOLTS


def test_the_cells_are_bought_in_parallel_and_as_many_as_are_reckoned_with() -> None:
    battery, polish = listed("battery"), bom_polish.words()["battery", ""]
    few, many = (cells * said.CELLS / 1000 for cells in said.CELL_MAH)

    assert power.CELLS == said.CELLS
    for text in (battery.look_for, polish.look_for):
        assert f"1S{said.CELLS}P" in text
        assert not re.search(rf"[2-9]S\d?P|1S(?!{said.CELLS}P)\d+P", text)
    assert re.search(rf"\b{said.CELLS} cells of 3\.\d Ah or more in parallel, never in series", battery.look_for)
    assert re.search(rf"\b{said.CELLS} ogniw po 3,\d Ah lub więcej równolegle, nigdy szeregowo", polish.look_for)
    assert "three by two cells" in battery.package
    assert "trzy na dwa ogniwa" in polish.package
    for text in (battery.look_for, polish.look_for):
        told = re.search(r"(\d+) Ah", text[text.index("3.7 V" if text is battery.look_for else "3,7 V") :])
        assert told
        assert few <= int(told[1]) <= many
    assert battery.value == "3.7 V, protected"
    assert (battery.full, battery.small) == (1, 1)
    assert all(few <= said.CELLS * each <= many for each in (figures.CELL.typical, figures.CELL.worst))
    assert f"{said.CELLS} cells of 40 mΩ in parallel" in figures.RESISTANCE.source
    assert "one cell (1S, 3.7 V)" in listed("charger").look_for


def test_the_fuse_bears_the_charger_and_blows_before_its_lead_is_hot(box: Netlist) -> None:
    low, high = said.FUSE_A
    told = [float(re.match(r"[\d.]+", text)[0]) for text in (box.by_ref["F1"].value, listed("fuse").value)]  # type: ignore[index]

    assert set(told) == {power.FUSE_A}
    assert power.CHARGING_A < low <= power.FUSE_A <= high
    assert box.by_ref["F1"].value.endswith("A, slow")


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


# The firmware


def constants(name: str) -> dict[str, Any]:
    """What the only file of devices that assigns this name assigns at its top, where it is a plain value."""
    (found,) = (values for file in sorted((FIRMWARE / "devices").glob("*.py")) if name in (values := _plain(file)))
    return found


def _plain(file: Path) -> dict[str, Any]:
    found = {}
    for node in ast.parse(file.read_text("utf-8")).body:
        if isinstance(node, ast.Assign) and isinstance(target := node.targets[0], ast.Name):
            try:
                found[target.id] = ast.literal_eval(node.value)
            except ValueError:
                continue
    return found


def buses() -> Iterator[object]:
    """The hertz of every I2C bus that the firmware makes for these displays; None: whatever the chip takes."""
    for file in sorted((FIRMWARE / "devices").glob("*.py")):
        values = _plain(file)
        for node in ast.walk(ast.parse(file.read_text("utf-8"))):
            if isinstance(node, ast.Call) and ast.unparse(node.func).rpartition(".")[2] in ("I2C", "SoftI2C"):
                speeds = [ast.unparse(each.value) for each in node.keywords if each.arg == "freq"]
                yield next((values[name] if name in values else ast.literal_eval(name) for name in speeds), None)


def test_every_bus_runs_at_100_khz() -> None:
    assert list(buses()) == [said.I2C_HZ] * 2, "that of a box that plays, and of one that fails to"


def test_displays_are_spoken_to_as_their_data_sheet_says() -> None:
    display, font = constants("_SYSTEM_ON"), constants("GLYPHS")

    assert [f"0x{display['ADDRESS'] + seat:02X}" for seat in range(4)] == list(said.ADDRESSES.values())
    assert {name: display[name] for name in said.HT16K33} == said.HT16K33
    assert display["_BRIGHTNESS"][0] in said.DIMMING
    assert (display["_PLACES"], (display["_COLON_AT"], display["_COLON"])) == (said.DIGITS_AT, said.COLON_AT)
    assert display["_POINT"] == 1 << 7
    shapes = dict(zip(font["GLYPHS"], font["_SEGMENTS"], strict=True))
    for glyph, letters in said.SEGMENTS.items():
        assert shapes[glyph] == sum(1 << "abcdefg".index(letter) for letter in letters), glyph


class Heard:
    """A tone's pin that says what becomes of it: duties, in their order, beginning with that of power-on."""

    duties: Final[list[int]] = []

    def __init__(self, pin: object, freq: int, duty_u16: int = 32768) -> None:
        self.duties.append(duty_u16)

    def freq(self, hertz: int) -> None:
        assert 20 <= hertz <= 20_000

    def duty_u16(self, duty: int) -> None:
        self.duties.append(duty)


@pytest.fixture
def pins_made(monkeypatch: pytest.MonkeyPatch) -> list[tuple[int, ...]]:
    """Numbers and modes of the pins that the firmware makes from now on; tones are heard, the battery has 2 V."""
    made: list[tuple[int, ...]] = []

    def pin(number: int, *how: int) -> tuple[int, ...]:
        made.append((number, *how))
        return made[-1]

    vars(pin).update(IN=1, OUT=3, PULL_UP=2)
    Heard.duties.clear()
    monkeypatch.setitem(sys.modules, "machine", SimpleNamespace(Pin=pin, PWM=Heard, ADC=Converter))
    return made


def made(name: str, what: str) -> Any:
    """A class of a device's file, which brings in the machine that is there now."""
    return runpy.run_path(str(FIRMWARE / "devices" / f"{name}.py"))[what]


def test_the_buzzer_is_silent_until_something_is_played_and_after_it(pins_made: list[tuple[int, ...]]) -> None:
    buzzer = made("buzzer", "Buzzer")(4)
    assert Heard.duties == [0], "its pin is low, and the transistor does not conduct"
    assert pins_made == [(4, 3)]

    buzzer.play(view.TURN, SILENT, 0)
    buzzer.go_on(10)
    assert Heard.duties == [0]
    for loudness, sound in product((SOFT, LOUD), (view.CLICK, view.TURN, view.REFUSE, view.END, view.TIME_OVER)):
        buzzer.play(sound, loudness, 0)
        assert 0 < Heard.duties[-1] <= 32768, "half of the time at most: a coil takes no more for it"
        for now in range(0, 3000, 5):
            buzzer.go_on(now)
        assert not buzzer.sounds()
        assert Heard.duties[-1] == 0
    Heard.duties.clear()
    buzzer.play(view.TIME_OVER, LOUD, 0)
    for now in range(0, 3000, 5):
        buzzer.go_on(now)
    loud, rest, again, end = Heard.duties
    assert (rest, end) == (0, 0), "nor in the rest between two notes"
    assert loud == again > 0


def test_the_buzzer_s_pin_low_is_off_and_open_is_off(box: Netlist) -> None:
    """An NPN transistor below the buzzer, and a resistor that holds its base at its emitter."""
    assert box.by_ref["Q1"].net("E") == "GND"
    assert frozenset(box.by_ref["R6"].nets) == frozenset((box.by_ref["Q1"].net("B"), "GND"))
    assert frozenset(box.by_ref["LS1"].nets) == frozenset(("+5V", box.by_ref["Q1"].net("C")))
    assert 3.3 * ohms(box, "R6") / (ohms(box, "R5") + ohms(box, "R6")) > said.BASE_VOLTS, "nor does it keep it off"


# The battery


class Converter:
    """An input at which `volts` are."""

    ATTN_11DB: Final = 3
    volts = 2.0

    def __init__(self, pin: object, atten: int = 0) -> None:
        assert atten == self.ATTN_11DB

    def read_uv(self) -> int:
        return int(1e6 * min(self.volts, said.ADC_MV[1] / 1000))


def board_divider() -> int:
    return int(runpy.run_path(str(FIRMWARE / "board.py"))["DIVIDER"])


@pytest.fixture
def read(pins_made: list[tuple[int, ...]], monkeypatch: pytest.MonkeyPatch) -> Any:
    """What the firmware makes of volts at its pin: millivolts, and whether it believes them."""
    battery = made("battery", "Battery")

    def reads(volts: float) -> tuple[int, bool]:
        monkeypatch.setattr(Converter, "volts", volts)
        there = battery(35, board_divider())
        return there.millivolts(), there.plausible()

    return reads


def test_a_cell_from_empty_to_full_is_read_as_it_is_and_believed(read: Any) -> None:
    low, high = said.CELL_VOLTS[0], said.CHARGED_VOLTS + figures.READING.worst
    for step in range(21):
        volts = low + (high - low) * step / 20
        millivolts, believed = read(volts / said.DIVIDER)
        assert millivolts == pytest.approx(1000 * volts, abs=3)
        assert believed, volts


def test_a_divider_with_a_resistor_missing_and_two_cells_in_series_are_not_believed(read: Any) -> None:
    assert read(0.0) == (0, False), "the upper one is missing"
    for volts in (said.ADC_MV[1] / 1000, 2 * 3.0):
        assert not read(volts)[1], "the lower one is missing, or a second cell is in series: more than can be read"


def test_the_limits_of_the_battery_are_the_same_in_firmware_power_and_cell(box: Netlist) -> None:
    battery = constants("_LEAST_MV")
    empty, full = said.CELL_VOLTS

    assert board_divider() == said.DIVIDER == 1 + ohms(box, "R7") / ohms(box, "R8")
    assert (cell.ROUND[0][1], cell.ROUND[-1][1], cell.FLAT[-1][1]) == (empty, full, full)
    assert 2000 <= battery["_LEAST_MV"] <= 1000 * empty
    assert 1000 * (said.CHARGED_VOLTS + figures.READING.worst) < battery["_MOST_MV"]
    assert battery["_MOST_MV"] < said.DIVIDER * said.ADC_MV[1] * 0.95
    assert battery["_MOST_MV"] < 2000 * figures.EMPTY.typical
    assert empty < figures.EMPTY.typical <= figures.EMPTY.worst < LOW_BATTERY_MV / 1000 - figures.READING.worst < full
    assert power.Setting(box.chip).pack().empty == figures.EMPTY.typical
    assert power.Setting(box.chip).pack().ampere_hours == pytest.approx(said.CELLS * figures.CELL.typical)
