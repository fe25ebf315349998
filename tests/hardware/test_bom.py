"""The list of parts: what it lists is what boxes need, in the enclosure's measures, and it adds up."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Callable
from dataclasses import astuple

import pytest

from hardware import bom, harness
from hardware.bom import Row, WrongList
from hardware.circuit import devkits as circuit_devkits
from hardware.circuit.carrier import COLUMNS, PITCH, ROWS
from hardware.circuit.netlist import netlist
from hardware.enclosure.sizes import DEVKITS, SIZES
from hardware.power import CONVERTER_MA

LISTED = bom.rows()


def row(kind: str, chip: str = "") -> Row:
    return next(row for row in LISTED if (row.kind, row.chip) == (kind, chip))


def test_the_list_has_what_circuit_enclosure_and_harness_need_and_nothing_else() -> None:
    assert bom.differences(LISTED) == []


@pytest.mark.parametrize(
    ("change", "complaint"),
    [
        (lambda rows: rows[1:], "devkit has no row for full with esp32."),
        (lambda rows: [*rows, rows[0]._replace(kind="laser")], "Nobody needs laser."),
        (
            lambda rows: [one._replace(full=3) if one.kind == "display" else one for one in rows],
            "display: 3 listed for full with esp32, 4 counted.",
        ),
        (
            lambda rows: [one._replace(small=9) if one.kind == "pixel" else one for one in rows],
            "pixel: 9 listed for small with esp32s3, 3 counted.",
        ),
    ],
    ids=["a missing row", "a row too many", "a wrong quantity", "a wrong quantity of the small build"],
)
def test_a_list_that_is_not_what_a_box_needs_is_found(change: Callable[[list[Row]], list[Row]], complaint: str) -> None:
    assert complaint in bom.differences(change(LISTED))


@pytest.mark.parametrize("chip", bom.CHIPS)
def test_values_are_those_of_the_circuit(chip: str) -> None:
    for part in (part for part in netlist("full", chip).parts if "comes_with" not in part.fields):
        listed = row(part.kind, chip if part.kind == "devkit" else "")
        assert listed.value == part.value, part.ref


def test_measures_are_those_of_the_enclosure() -> None:
    sizes = SIZES
    measures = {
        ("perfboard", ""): [
            f"{sizes.carrier.width:g} x {sizes.carrier.length:g} mm",
            f"{len(COLUMNS)} x {ROWS} holes or more",
        ],
        ("display", ""): [
            f"board {sizes.display.width:g} x {sizes.display.board_height:g} mm",
            f"{sizes.display.digit:g} mm",
        ],
        ("ring", ""): [f"{sizes.ring.outer:g} mm outside, {sizes.ring.inner:g} mm inside"],
        ("pixel", ""): [f"{sizes.pixel.diameter:g} mm round"],
        ("battery", ""): [f"{sizes.battery.length:g} x {sizes.battery.width:g} x {sizes.battery.height:g} mm"],
        ("charger", ""): [f"{sizes.charger.length:g} x {sizes.charger.width:g} mm"],
        ("switch", ""): [
            f"{sizes.rocker.width:g} x {sizes.rocker.height:g} mm",
            f"up to {sizes.rocker.thickest_panel:g} mm",
        ],
        ("kostka-switch", ""): [" x ".join(f"{each:g}" for each in astuple(sizes.microswitch)[:3]) + " mm"],
        ("screw-m3x10", ""): [f"M{sizes.screw.diameter:g} x {sizes.screw.length:g}", f"up to {sizes.screw.head:g} mm"],
        ("foot", ""): [f"{sizes.foot.diameter:g} mm round, {sizes.foot.height:g} mm high"],
    }
    for colour in ("green", "amber", "red"):
        measures[f"button-{colour}", ""] = [f"hole {sizes.button.hole:g} mm", f"at most {sizes.button.depth:g} mm deep"]
    for chip, board in DEVKITS.items():
        measures["devkit", chip] = [f"{board.length:g} x {board.width:g} mm", f"rows of {board.pins_in_row} pins"]

    for (kind, chip), wanted in measures.items():
        told = f"{row(kind, chip).value} {row(kind, chip).package}"
        assert [each for each in wanted if each not in told] == [], kind


@pytest.mark.parametrize("build", bom.BUILDS)
def test_leads_that_come_with_a_plug_are_long_enough(build: str) -> None:
    for lead in harness.leads(netlist(build, "esp32")):
        told = re.search(r"leads of (\d+) mm", row(lead.plug.kind).package)
        assert told
        assert max(wire.length for wire in lead.wires if wire.begin.ref == lead.plug.ref) <= int(told[1])


def test_the_rows_of_an_s3_board_are_either_of_two_distances_apart() -> None:
    devkit = circuit_devkits.DEVKITS["esp32s3"]

    told = row("devkit", "esp32s3").package
    assert f"{PITCH * devkit.pitches:.2f} or {PITCH * devkit.wide:.2f} mm apart" in told


def test_the_battery_s_plug_is_bought_with_leads_that_reach_the_charger() -> None:
    lead = next(lead for lead in harness.leads(netlist("full", "esp32")) if lead.name == "power")
    told = re.search(r"(\d+) mm or longer", row("battery-plug").package)

    assert told
    assert max(wire.length for wire in lead.wires if "X2" in (wire.begin.ref, wire.end.ref)) <= int(told[1])
    assert "with a plug on its leads" in row("battery").look_for


def test_wire_for_the_rails_is_not_counted_as_thin_wire() -> None:
    """A small box has fewer signals, and nearly the same rails."""
    full, small = (bom.needed(build, "esp32") for build in bom.BUILDS)

    assert 0 < small["wire-thin"] < full["wire-thin"] < full["wire"]


def test_the_converter_and_the_switch_are_for_what_power_says() -> None:
    amperes = f"{CONVERTER_MA / 1000:g} A"

    assert row("charger").value.endswith(amperes)
    assert row("switch").value.endswith(amperes)


def test_a_set_for_eight_has_spares_and_one_box_has_none() -> None:
    assert row("display").for_tables(1, 4) == 4
    assert row("display").for_tables(8, 4) == 32 + row("display").spares
    assert row("display").for_tables(4, 4) == 16 + -(-row("display").spares // 2)
    assert row("display").for_tables(8, 0) == 0
    assert row("devkit", "esp32").quantity("full", "esp32s3") == 0
    assert row("solder").for_tables(8, 1) == 1
    assert row("solder").for_tables(9, 1) == 2
    assert all(each.spares for each in LISTED if each.place != bom.BENCH)


def test_a_box_without_kostka_buys_no_tray() -> None:
    bought = {each.kind: count for each, count in bom.shopping(LISTED, 1, "full", "esp32", kostka=False)}

    assert not {"kostka-switch", "connector-2"} & set(bought)
    assert bought["screw-m3x10"] < row("screw-m3x10").full
    assert bought["display"] == 4


def test_rows_are_in_the_order_of_their_places() -> None:
    assert [bom.PLACES.index(each.place) for each in LISTED] == sorted(bom.PLACES.index(each.place) for each in LISTED)


def test_prices_add_up() -> None:
    bought = bom.shopping(LISTED, 8, "full", "esp32s3")
    lines = list(csv.DictReader(io.StringIO(bom.as_csv(bought))))

    assert sum(float(line["price_eur_estimate"]) for line in lines) == pytest.approx(bom.cost(bought), abs=0.01)
    assert {line["kind"] for line in lines} == {each.kind for each in LISTED if each.chip in ("", "esp32s3")}
    assert 60 < bom.cost(bom.shopping(LISTED, 1, "small", "esp32")) < bom.cost(bom.shopping(LISTED, 1, "full", "esp32"))


def test_the_shopping_list_is_printed(capsys: pytest.CaptureFixture[str]) -> None:
    assert bom.main(["--tables", "8", "--build", "small"]) == 0
    printed = capsys.readouterr().out

    assert "# To buy for 8 × small, esp32" in printed
    assert f"| {8 + row('ring').spares} | ring of 24 WS2812B |" in printed
    assert "estimates, not offers" in printed
    assert bom.main(["--csv"]) == 0
    assert capsys.readouterr().out.startswith("quantity,kind,part,")


@pytest.mark.parametrize(
    ("line", "sentence"),
    [
        ("a,b,c", "Line 2 has 3 fields instead of 11."),
        ("ring,ring,,esp8266,1,1,0,round,top,any,1", "Line 2: esp8266 is no chip."),
        ("ring,ring,,,1,1,0,round,cellar,any,1", "Line 2: cellar is none of"),
        ("ring,ring,,,one,1,0,round,top,any,1", "Line 2: a quantity or the price is no number."),
        ("ring,ring,,,1,1,0,round,top,any,-1", "Line 2: quantities and price cannot be less than nothing"),
        ("ring,ring,,,1,1,0,,top,any,1", "Line 2 leaves out what the part is."),
        ("ring,ring,,,1,1,0,round,top,any,1\nring,ring,,,1,1,0,round,top,any,1", "There are two rows for ring."),
    ],
)
def test_a_list_that_cannot_be_read_says_where_in_one_sentence(line: str, sentence: str) -> None:
    heads = bom.FILE.read_text("utf-8").splitlines()[0]

    with pytest.raises(WrongList, match=f"^{re.escape(sentence)}"):
        bom.rows(f"{heads}\n{line}\n")
    with pytest.raises(WrongList, match=r"^The first line must be kind,"):
        bom.rows(line)
