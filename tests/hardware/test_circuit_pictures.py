"""What the sheets and the carrier's pictures draw is what the circuit holds."""

from __future__ import annotations

from collections import Counter
from html import unescape
from re import findall
from typing import Final
from xml.etree import ElementTree as ET

import pytest

from hardware.circuit import sheets
from hardware.circuit.checks import powered, unpowered
from hardware.circuit.netlist import netlist
from hardware.circuit.pictures import VARIANTS, drawings
from hardware.circuit.sketch import Pen
from hardware.circuit.wirelist import part_rows, wire_rows

NAMES: Final = tuple(drawing.name for drawing in drawings())
Sheets = list[tuple[str, str, list[str]]]


@pytest.fixture(scope="module")
def pictures() -> dict[str, str]:
    return {drawing.name: drawing.svg() for drawing in drawings()}


@pytest.fixture(scope="module")
def drawn() -> dict[tuple[str, str], Sheets]:
    """Every sheet of every variant: name, SVG, references."""
    return {variant: list(sheets.all_drawn(netlist(*variant))) for variant in VARIANTS.values()}


def words(svg: str) -> set[str]:
    """All texts of a picture."""
    return {"".join(text.itertext()) for text in ET.fromstring(svg).iter("{http://www.w3.org/2000/svg}text")}


@pytest.mark.parametrize("variant", VARIANTS.values(), ids="-".join)
def test_every_part_stands_on_one_sheet_with_its_value_and_its_nets(
    drawn: dict[tuple[str, str], Sheets], variant: tuple[str, str]
) -> None:
    box = netlist(*variant)
    counted: Counter[str] = Counter()
    for _, svg, refs in drawn[variant]:
        counted.update(refs)
        there = words(svg)
        said = " ".join(there)
        for part in (box.by_ref[ref] for ref in refs):
            assert part.ref in there or f"{part.ref} {part.value}" in there
            assert part.value in said
            assert {net for net in part.nets if net} <= there
            for pin in part.pins:
                assert len(part.pins) < 3 or part.kind == "transistor" or pin.name in there
    assert counted == Counter(list(box.by_ref))


def test_a_sheet_is_the_same_after_another_library_has_named_its_elements() -> None:
    """Given svgpathtools, which comes with build123d: it gives SVG a prefix, for all of Python."""
    box = netlist("full", "esp32")
    before = sheets.drawn(box, "buzzer")
    ET.register_namespace("svg", "http://www.w3.org/2000/svg")
    assert sheets.drawn(box, "buzzer") == before


def test_a_part_that_is_not_on_the_net_is_not_drawn_there() -> None:
    pen = Pen(netlist("full", "esp32"))
    with pytest.raises(ValueError, match="R12 is not on JUZ_A"):
        pen.row((0, 0), "JUZ_A", "R12")
    with pytest.raises(ValueError, match="S1 is not on JUZ_A"):
        pen.row((0, 0), "JUZ_A", "/S1")


def test_each_variant_s_sheets_are_pictures_and_drawn_the_same_every_time(
    pictures: dict[str, str], drawn: dict[tuple[str, str], Sheets]
) -> None:
    kept = {svg for name, svg in pictures.items() if name.startswith("schematic")}
    assert {svg for of_it in drawn.values() for _, svg, _ in of_it} == kept


def test_no_picture_is_drawn_twice(pictures: dict[str, str]) -> None:
    assert len(set(pictures.values())) == len(pictures) == len(NAMES)


def test_a_carrier_is_drawn_the_same_every_time(pictures: dict[str, str]) -> None:
    again = {drawing.name: drawing.svg() for drawing in drawings() if drawing.name.startswith("carrier")}
    assert again
    assert again.items() <= pictures.items()


def test_pictures_are_whole_and_their_numbers_short(pictures: dict[str, str]) -> None:
    for svg in pictures.values():
        assert ET.fromstring(svg).tag == "{http://www.w3.org/2000/svg}svg"
        assert svg.endswith("\n")
        assert not findall(r"\d\.\d{3}", svg)


@pytest.mark.parametrize(("ending", "variant"), VARIANTS.items(), ids=lambda value: "-".join(value) or "full")
def test_the_carrier_s_picture_names_every_part_on_it(
    pictures: dict[str, str], ending: str, variant: tuple[str, str]
) -> None:
    said = unescape(" ".join(words(pictures[f"carrier-top{ending}"]))).split()
    assert {part.ref for part in netlist(*variant).parts if part.place == "carrier"} <= set(said)


def test_every_plug_shows_its_slots_and_the_key_shows_each_mark(pictures: dict[str, str]) -> None:
    for ending, variant in VARIANTS.items():
        svg = pictures[f"carrier-top{ending}"]
        plugs = len(list(netlist(*variant).of_kind("connector")))
        assert svg.count("stroke-width:7") == 3 * (plugs + 1), "a bar with two gaps at each, and once in the key"
        assert set("123456") <= words(svg)


def test_the_columns_of_a_board_with_two_widths_are_named(pictures: dict[str, str]) -> None:
    for view in ("top", "rails", "signals"):
        assert {"R 22.86 mm", "S 25.40 mm"} <= words(pictures[f"carrier-{view}-s3"])
        assert not [word for word in words(pictures[f"carrier-{view}"]) if word.endswith(" mm")]


def test_the_wires_pictures_number_what_is_not_solder_alone(pictures: dict[str, str]) -> None:
    rows = wire_rows(netlist("full", "esp32"))
    numbers = words(pictures["carrier-rails"]) | words(pictures["carrier-signals"])
    assert {row[0] for row in rows if row[-1] != "solder"} <= numbers


@pytest.mark.parametrize(("ending", "variant"), VARIANTS.items(), ids=lambda value: "-".join(value) or "full")
def test_the_pages_to_tick_off_hold_every_part_and_wire(
    pictures: dict[str, str], ending: str, variant: tuple[str, str]
) -> None:
    box = netlist(*variant)
    parts, wires = pictures[f"carrier-parts{ending}"], pictures[f"carrier-wires{ending}"]
    assert {row[0] for row in part_rows(box)} <= words(parts)
    assert {word for _, net, start, end, _ in wire_rows(box) for word in (net, start, end)} <= words(wires)
    assert wires.count("<rect") == len(wire_rows(box)) + 1
    assert parts.count("<rect") == len(part_rows(box)) + len(unpowered(box)) + len(powered(box)) + 1
    assert {"№", "mm", "from / z", "to / do"} <= words(wires)
