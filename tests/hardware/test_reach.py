"""Leads reach in every posture that the guide asks for: closed, stood beside the base, propped open like a lid."""

from __future__ import annotations

from math import dist

import pytest

from hardware import harness, reach
from hardware.circuit.box import BUILDS
from hardware.circuit.netlist import Netlist, netlist
from hardware.drawing import PICTURES
from hardware.enclosure import SIZES
from hardware.enclosure.layout import Layout
from hardware.harness import Place, Wire
from tests.documents import ROOT
from tests.hardware.guide import GUIDES, LANGUAGES, pictures, sections

LAYOUT = Layout(SIZES)
UPPER = ("button-green", "button-amber", "button-red", "display", "pixel", "ring")


@pytest.fixture(scope="module", params=BUILDS)
def box(request: pytest.FixtureRequest) -> Netlist:
    return netlist(request.param, "esp32")


def short(box: Netlist, opened: float, wires: list[Wire] | None = None) -> list[str]:
    """Wires that do not reach with their ease in a box that is open so far; what comes with a part is left out."""
    if wires is None:
        wires = [wire for lead in harness.leads(box) for wire in lead.wires if wire.length]
    ways = [(wire, reach.way(wire, box, LAYOUT, opened) + reach.EASE) for wire in wires]
    return [
        f"{wire.begin.ref} - {wire.end.ref}: {wire.length} of {way:.0f} mm" for wire, way in ways if way > wire.length
    ]


def test_every_wire_is_longer_than_the_straight_way_between_its_ends(box: Netlist) -> None:
    assert short(box, 0.0) == []


def test_a_lamp_is_wired_to_its_button_across_and_down_with_both_ends_to_be_bared(box: Netlist) -> None:
    wires = [wire for lead in harness.leads(box) for wire in lead.wires]
    joints = [wire for wire in wires if (wire.begin.ref[:2], wire.end.ref[0]) == ("LP", "S") and wire.net == "GND"]
    across, down = LAYOUT.pixel_from_button, LAYOUT.lamp_under - LAYOUT.terminals

    assert len(joints) == {"full": 8, "small": 2}[box.build]
    for wire in joints:
        assert reach.way(wire, box, LAYOUT) == pytest.approx(dist((0, 0), (across, down)))
        assert across + down + harness.JOINT <= wire.length <= 100


def test_every_lead_reaches_while_the_upper_part_stands_beside_the_base(box: Netlist) -> None:
    assert short(box, reach.UPRIGHT) == []


def beside_b(place: Place, quarters: int) -> Place:
    """A place of the tower while it stands on the table, so far turned."""
    x, y, z = place
    for _ in range(quarters):
        x, y = y, -x
    return x - LAYOUT.half - reach.APART - LAYOUT.tower_half, y, z - SIZES.deck


@pytest.mark.parametrize("quarters", range(4))
def test_the_top_s_lead_reaches_a_tower_that_stands_at_side_b_however_it_is_turned(box: Netlist, quarters: int) -> None:
    """Before it is on the deck, its foot on the table."""
    (top,) = [lead for lead in harness.leads(box) if lead.name == "top"]
    begin = reach.header(top.plug.ref, box, LAYOUT)
    for wire in (wire for wire in top.wires if wire.begin.ref == top.plug.ref):
        for path in reach.paths(box.by_ref[wire.end.ref], box, LAYOUT, 0.0):
            stood = [beside_b(place, quarters) for place in path]
            assert sum(map(dist, [begin, *reversed(stood)], reversed(stood))) + reach.EASE <= wire.length, wire


def test_the_main_switch_is_pushed_on_outside_while_the_box_is_propped_open(box: Netlist) -> None:
    assert short(box, reach.propped(LAYOUT)) == []


def test_the_upper_part_stands_on_the_table_with_its_open_side_at_the_base() -> None:
    at = [reach.lid((0.0, along, up), LAYOUT, reach.UPRIGHT) for along in (-108.0, 108.0) for up in (3.0, 56.0)]

    assert at[0] == pytest.approx((0.0, -LAYOUT.half - reach.APART, 0.0))
    assert at[1] == pytest.approx((0.0, -LAYOUT.half - reach.APART - 53.0, 0.0))
    assert at[3] == pytest.approx((0.0, -LAYOUT.half - reach.APART - 53.0, SIZES.outer))
    assert reach.lid((1.0, 2.0, 3.0), LAYOUT, 0.0) == pytest.approx((1.0, 2.0, 3.0))


def test_what_is_turned_with_the_upper_part_is_what_is_built_into_it(box: Netlist) -> None:
    assert {part.kind for part in box.parts if reach.in_upper_part(part)} == set(UPPER)


def test_a_wire_that_is_too_short_is_found(box: Netlist) -> None:
    wires = [wire for lead in harness.leads(box) for wire in lead.wires]
    display = next(wire for wire in wires if wire.end.ref == "DS4")._replace(length=230)
    joint = next(wire for wire in wires if (wire.begin.ref, wire.end.ref) == ("LP1", "S1"))._replace(length=30)

    assert short(box, 0.0, [display]) == []
    assert short(box, reach.UPRIGHT, [display]) == ["J4 - DS4: 230 of 245 mm"]
    assert len(short(box, 0.0, [joint])) == 1


def test_the_main_switch_would_not_reach_an_upper_part_that_stands(box: Netlist) -> None:
    """That is why the guide has it put in after the box is lowered."""
    x, z = LAYOUT.rocker
    window = reach.lid((x, LAYOUT.half, z), LAYOUT, reach.UPRIGHT)
    (wire,) = [wire for lead in harness.leads(box) for wire in lead.wires if (wire.end.ref, wire.net) == ("SW1", "+5V")]

    assert dist(reach.header(wire.begin.ref, box, LAYOUT), window) > wire.length


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_guide_says_how_high_the_books_are(language: str) -> None:
    said = {section.title[0]: section for section in sections(GUIDES[language]) if section.level == 3}
    high = (LAYOUT.half - SIZES.top / 2) / 10

    assert f"{high:g} cm" in said["5"].text
    assert "step-upright" in pictures(said["5"].text)
    assert (PICTURES / "step-upright.svg").is_file()
    assert f"{reach.PROPPED / 10:g} cm" in said["7"].text


def test_the_page_says_how_long_the_leads_of_the_displays_are() -> None:
    lengths = {
        wire.length for lead in harness.leads(netlist("full", "esp32")) for wire in lead.wires if "DS" in wire.end.ref
    }
    page = " ".join((ROOT / "hardware" / "README.md").read_text("utf-8").split())

    assert [f"for four leads of {length / 10:g} cm" in page for length in lengths] == [True]
