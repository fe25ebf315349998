"""The harness: every wire is a net of the circuit with both its ends, and everything off the carrier is on one lead."""

from __future__ import annotations

import json
import re
import shutil
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from hardware import harness, harness_list, harness_picture, reach
from hardware.circuit.netlist import Netlist, netlist
from hardware.drawing import PICTURES, Drawing
from hardware.enclosure import SIZES
from hardware.enclosure.layout import SIDES, Layout
from hardware.harness import Lead, Loose

BUILDS = [("full", True), ("full", False), ("small", True), ("small", False)]
needs_dot = pytest.mark.skipif(shutil.which("dot") is None, reason="needs Graphviz (Debian: graphviz)")


@pytest.fixture(scope="module", params=BUILDS, ids=lambda of: f"{of[0]}{'' if of[1] else '-without-kostka'}")
def box(request: pytest.FixtureRequest) -> Netlist:
    return netlist(request.param[0], "esp32", kostka=request.param[1])


@pytest.fixture(scope="module")
def full() -> Netlist:
    return netlist("full", "esp32")


def wired(leads: tuple[Lead, ...]) -> Iterator[tuple[str, str, str]]:
    """Each end of each wire: net, part, pin."""
    for lead in leads:
        for wire in lead.wires:
            for end in (wire.begin, wire.end):
                yield wire.net, end.ref, end.pin


def test_every_wire_is_on_the_net_of_both_its_ends(box: Netlist) -> None:
    nets = {(pin.ref, pin.number): pin.net for part in box.parts for pin in part.pins}

    for net, ref, number in wired(harness.leads(box)):
        assert nets[ref, number] == net


def test_every_pin_off_the_carrier_is_on_one_lead_and_every_pole_of_a_plug_is_used(box: Netlist) -> None:
    leads = harness.leads(box)
    held = [
        (part.ref, pin.number)
        for part in box.parts
        for pin in part.pins
        if pin.net and (part.place != harness.CARRIER or "lead" in part.fields)
    ]
    of_lead = [{(ref, number) for _, ref, number in wired((lead,))} for lead in leads]

    assert Counter(end for ends in of_lead for end in ends) == Counter(dict.fromkeys(held, 1))


def test_pins_of_a_lead_on_the_same_net_are_joined_whole_and_without_a_ring(box: Netlist) -> None:
    for lead in harness.leads(box):
        for net in {wire.net for wire in lead.wires}:
            wires = [wire for wire in lead.wires if wire.net == net]
            ends = {end for wire in wires for end in (wire.begin, wire.end)}
            poles = sum(end.ref == lead.plug.ref for end in ends)
            assert len(wires) == len(ends) - max(1, poles), f"{lead.name}: {net}"
            reached = {end for end in ends if end.ref == lead.plug.ref} or {wires[0].begin}
            for wire in wires * len(wires):
                if reached & {wire.begin, wire.end}:
                    reached |= {wire.begin, wire.end}
            assert reached == ends


def test_each_pole_of_a_plug_has_a_colour_of_its_own(box: Netlist) -> None:
    for lead in harness.leads(box):
        at_plug = [(wire.net, wire.colour) for wire in lead.wires if wire.begin.ref == lead.plug.ref]
        assert len({colour for _, colour in at_plug}) == len({net for net, _ in at_plug})
        assert dict(at_plug)["GND"] == "BK"
        assert dict(at_plug).get("+5V", "RD") == "RD"


def test_red_is_plus_and_black_is_minus_everywhere_and_the_cell_s_leads_have_a_sleeve(box: Netlist) -> None:
    plus, minus = {"+5V", "+5V_CHARGER", "BATTERY", "CELL", "PACK"}, {"GND", "BATTERY_MINUS", "PACK_MINUS"}
    for lead in harness.leads(box):
        for wire in lead.wires:
            assert (wire.colour[:2] == "RD") == (wire.net in plus), wire
            assert (wire.colour[:2] == "BK") == (wire.net in minus), wire
            assert (wire.colour[2:] == "WH") == (wire.net in ("BATTERY", "CELL", "BATTERY_MINUS")), wire
            assert wire.colour != "BN", "the live wire of a mains lead"
            assert (wire.colour == "OG") == (wire.net == "SEDZIA_LEAD"), wire


def test_between_the_battery_and_the_fuse_is_a_plug_that_is_pushed_together(box: Netlist) -> None:
    wires = [wire for lead in harness.leads(box) for wire in lead.wires]
    joined = {frozenset((wire.begin.ref, wire.end.ref)) for wire in wires}

    assert {pair for pair in joined if "BT1" in pair} == {frozenset(("BT1", "X1"))}
    assert {pair for pair in joined if "X1" in pair} == {frozenset(("BT1", "X1"))}
    assert {pair for pair in joined if "F1" in pair} == {frozenset(("F1", "X2")), frozenset(("F1", "U4"))}
    assert {wire.length for wire in wires if "BT1" in (wire.begin.ref, wire.end.ref)} == {0}
    power = [lead for lead in harness.leads(box) if lead.name == "power"]
    assert ["X2", "==>", "X1"] in harness_picture.document(power)["connections"]


def test_a_fuse_that_is_soldered_to_the_pack_is_found(full: Netlist) -> None:
    wires = [wire for lead in harness.leads(full.rewired("F1", "1", "PACK")) for wire in lead.wires]

    assert {"F1", "X1"} in [{wire.begin.ref, wire.end.ref} for wire in wires]


def test_the_main_switch_is_pushed_onto_its_leads_and_the_pack_is_joined_as_bought(full: Netlist) -> None:
    how = {part.ref: harness.joint(part) for part in full.parts if part.place != harness.CARRIER}

    assert {ref for ref, each in how.items() if each.how == "P"} == {"SW1"}
    assert {ref for ref, each in how.items() if each.how == "B"} == {"BT1", "X1"}
    assert {ref for ref, each in how.items() if each.step == "9.2"} == {"DS1", "DS2", "DS3", "DS4"}
    assert {ref for ref, each in how.items() if each.step == "9.3"} == {"LP0", "LP9", "S9"}
    assert {ref for ref, each in how.items() if each.step == "9.6"} == {"S10"}
    assert {
        each.step for ref, each in how.items() if ref[0] in "SL" and ref not in ("LP0", "LP9", "S9", "S10", "SW1")
    } == {"9.4"}


@pytest.mark.parametrize("drawing", harness_list.drawings(), ids=lambda drawing: drawing.name)
def test_the_page_to_tick_off_is_kept_as_it_is_drawn(drawing: Drawing) -> None:
    assert (PICTURES / f"{drawing.name}.svg").read_text("utf-8") == drawing.svg()


def test_the_page_to_tick_off_has_a_box_for_each_wire_and_names_its_ends(box: Netlist) -> None:
    of = harness.leads(box)
    svg = harness_list.list_page(of)
    said = texts(svg)

    assert svg.count("<rect") == 1 + sum(len(lead.wires) for lead in of)
    assert said["J11 3  BATTERY"] == said["X1 +"] == 1
    assert said["U4 BAT+"] == 2
    assert said["P  8"] == 2
    assert {str(wire.length) for lead in of for wire in lead.wires if wire.length} <= set(said)


def test_the_four_sides_are_wired_alike(full: Netlist) -> None:
    leads = {lead.name: lead for lead in harness.leads(full)}

    for what in ("display", "buttons"):
        cut = [[(wire.colour, wire.length) for wire in leads[f"{what} {side}"].wires] for side in SIDES]
        assert all(each == cut[0] for each in cut)


def test_leads_are_long_enough_to_reach_and_short_enough_for_the_bus(full: Netlist) -> None:
    by_name = {lead.name: lead for lead in harness.leads(full)}
    longest = {name: max(wire.length for wire in lead.wires) for name, lead in by_name.items()}

    for wire in (wire for lead in by_name.values() for wire in lead.wires if wire.length):
        assert wire.length >= reach.way(wire, full, Layout(SIZES)) + reach.EASE, wire
    assert all(100 <= length <= 600 for length in longest.values())
    assert sum(longest[f"display {side}"] for side in SIDES) <= 1000
    assert 5 <= harness.metres(by_name.values()) <= 30


def test_a_part_that_no_plug_reaches_is_found(full: Netlist) -> None:
    display = full.by_ref["DS1"]

    with pytest.raises(Loose, match=r"^No plug of the carrier leads to DS1\.$"):
        harness.leads(full.swapped(replace(display, place="side E")))
    with pytest.raises(Loose, match=r"^J2 brings SDA_5V, and no part of its lead is on it\.$"):
        harness.leads(full.rewired("DS2", "SDA", "SDA"))
    with pytest.raises(Loose, match=r"^LP9 lights a button that is not there\.$"):
        harness.leads(full.without("S9"))


def test_a_wire_on_the_wrong_pin_is_found(full: Netlist) -> None:
    swapped = full.rewired("DS1", "SDA", "SCL_5V").rewired("DS1", "SCL", "SDA_5V")
    ends = {(net, ref, pin) for net, ref, pin in wired(harness.leads(swapped)) if ref == "DS1"}

    assert ("SCL_5V", "DS1", "3") in ends
    assert ("SDA_5V", "DS1", "3") not in ends


@needs_dot
@pytest.mark.parametrize("drawing", harness_picture.drawings(), ids=lambda drawing: drawing.name)
def test_the_picture_that_is_kept_is_the_one_that_is_drawn(drawing: Drawing) -> None:
    kept = (PICTURES / f"{drawing.name}.svg").read_text("utf-8")
    drawn = drawing.svg()

    assert texts(kept) == texts(drawn)
    assert colours(kept) == colours(drawn)
    assert size(kept) == pytest.approx(size(drawn), rel=0.05), "Graphviz' versions differ a little"


def texts(svg: str) -> Counter[str]:
    return Counter(re.findall(r"<text [^>]*>([^<]*)</text>", svg))


def colours(svg: str) -> Counter[str]:
    return Counter(re.findall(r'<path [^>]*stroke="([^"]*)"', svg))


def size(svg: str) -> list[float]:
    found = re.match(r'<svg width="(\d+)" height="(\d+)"', svg)
    assert found
    return [float(each) for each in found.groups()]


@needs_dot
def test_a_picture_shows_every_part_pin_and_length_of_its_leads_and_nothing_of_the_machine(full: Netlist) -> None:
    leads = harness.leads(full)
    svg = harness_picture.picture(leads, "display A", "buttons A")
    shown = set(texts(svg))

    for lead in leads:
        if lead.name in ("display A", "buttons A"):
            wanted = {part.ref for part in (lead.plug, *lead.parts)} | {f"{wire.length} mm" for wire in lead.wires}
            wanted |= {pin.name for part in (lead.plug, *lead.parts) for pin in part.pins}
            assert wanted <= shown
    assert not {"J2", "LP3"} & shown
    for personal in ("graphviz", "WireViz", "/tmp", "<title", "<!--", "arial"):
        assert personal not in svg


def test_wireviz_is_told_of_every_wire(full: Netlist) -> None:
    leads = list(harness.leads(full))
    described = json.loads(json.dumps(harness_picture.document(leads)))

    wires = [each for each in described["connections"] if "==>" not in each]
    assert len(wires) == sum(len(lead.wires) for lead in leads)
    assert sum(cable["wirecount"] for cable in described["cables"].values()) == len(wires)
    assert {"J1", "DS1", "LP9", "BT1"} <= set(described["connectors"])


def test_without_graphviz_there_is_one_sentence(full: Netlist, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))

    with pytest.raises(harness_picture.NotDrawn, match=r"^Graphviz' program dot is not installed.*\.$"):
        harness_picture.picture(harness.leads(full), "kostka")
