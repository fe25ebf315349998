"""The flat box's schematic says what its circuit says, by our own reading and by KiCad's, and can be read by people."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from itertools import combinations
from pathlib import Path
from typing import Final
from xml.etree import ElementTree as ET

import pypdf
import pytest

from hardware.flat import parts, schematic
from hardware.flat.circuit import Circuit, circuit
from hardware.flat.kicad import command
from hardware.flat.page import HIGH, PROJECT, WIDE, Box, Page
from hardware.flat.symbols import symbol_of
from tests.documents import ROOT

PAGES: Final = schematic.pages()
STEP: Final = 1.27
TITLE: Final = (235, 197, WIDE - 9, HIGH - 8)  # what KiCad's frame leaves for itself
FRAME: Final = (10, 10, WIDE - 9, HIGH - 8)


def test_every_part_stands_on_one_page() -> None:
    drawn = Counter(placed.ref for page in PAGES for placed in page.placed if placed.part is not None)
    assert drawn == Counter(part.ref for part in circuit().parts)


def test_what_is_joined_has_the_circuits_names() -> None:
    wanted = {name: frozenset((part.ref, number) for part, number in pins) for name, pins in circuit().nets.items()}
    assert schematic.nets(PAGES) == wanted


@pytest.mark.parametrize(
    "changed",
    [
        circuit().rewired("Q1", "G", "GND"),
        circuit().rewired("LP7", "DIN", "LAMPS_5V"),
        circuit().without("C4"),
        circuit().rewired("U1", "IO2", "SDA"),
    ],
    ids=["another gate", "another lamp's data", "a part less", "a pin that was open"],
)
def test_a_drawing_of_another_circuit_is_refused(changed: Circuit, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(schematic, "circuit", lambda: changed)
    with pytest.raises(ValueError, match="drawn"):
        schematic._compare(PAGES)


def test_a_short_circuit_in_the_drawing_is_refused() -> None:
    page = replace(PAGES[0], wires=list(PAGES[0].wires))
    (x, y), (to_x, to_y) = page.find("Q1", "1"), page.find("Q1", "2")
    page.wire((x, y), (to_x, y), (to_x, to_y))
    with pytest.raises(ValueError, match="Power joins SLOW, VBUS_FUSED"):
        schematic._compare((page, *PAGES[1:]))


def test_one_net_with_two_names_is_refused() -> None:
    page = Page(9, "Two names", "two-names", circuit().by_ref)
    resistor = page.put("R1", 50, 50)
    page.flag("CC1", resistor.pin("1"), "right")
    page.rail("GND", resistor.pin("1"))
    page.flag("CC2", resistor.pin("2"), "right")
    with pytest.raises(ValueError, match="joins CC1, GND"):
        schematic.nets((page,))


def test_a_net_without_a_name_is_refused() -> None:
    page = Page(9, "No name", "no-name", circuit().by_ref)
    page.put("R1", 50, 50)
    with pytest.raises(ValueError, match="nothing names"):
        schematic.nets((page,))


def test_wires_that_cross_are_not_joined_and_those_that_end_on_another_are() -> None:
    page = Page(9, "Cross", "cross", circuit().by_ref)
    page.wire((10, 20), (30, 20))
    page.wire((20, 10), (20, 30))
    assert page.joined().junctions == ()
    page.wire((25, 20), (25, 30))
    assert page.joined().junctions == ((25, 20),)


def test_a_symbol_has_the_pins_of_its_kind_each_at_a_place_of_its_own() -> None:
    for kind in {part.kind for part in circuit().parts}:
        pins = symbol_of(kind).pins
        assert tuple((pin.number, pin.name, pin.does) for pin in pins) == kind.pins
        assert len({(pin.x, pin.y) for pin in pins}) == len(pins)


@pytest.mark.parametrize(
    ("kind", "left", "right"),
    [
        (parts.LED, "A", "K"),
        (parts.DIODE, "A", "K"),
        (parts.MOSFET_P, "S", "D"),
        (parts.MOSFET_N, "S", "D"),
        (parts.REGULATOR, "IN", "OUT"),
        (parts.BUFFER, "A", "Y"),
        (parts.LAMP, "DIN", "DOUT"),
    ],
    ids=lambda value: getattr(value, "name", None),
)
def test_what_has_a_direction_is_drawn_from_left_to_right(kind: parts.Kind, left: str, right: str) -> None:
    symbol = symbol_of(kind)
    assert symbol.pin(left).x < 0 < symbol.pin(right).x


def test_a_capacitors_plus_is_above() -> None:
    symbol = symbol_of(parts.CAPACITOR_470U)
    assert symbol.pin("+").y < 0 < symbol.pin("-").y


def seen(page: Page) -> Iterator[tuple[str, Box]]:
    """All that takes room, by a name: what belongs to one symbol may touch."""
    for placed in page.placed:
        yield placed.ref, placed.body
        for field in placed.fields:
            yield f"{placed.ref} {field.name}", field.box
    for flag in page.flags:
        yield f"label {flag.net} at {flag.x}, {flag.y}", flag.box
    for note in page.notes:
        yield f"note {note.text!r}", note.box
    for door in page.doors:
        yield f"sheet {door.page.name}", door.box
    yield "KiCad's title", TITLE


def lines(page: Page) -> Iterator[tuple[str, Box]]:
    """Wires and pins, by the symbol they may touch."""
    for (x, y), (to_x, to_y) in page.wires:
        yield "", (min(x, to_x), min(y, to_y), max(x, to_x), max(y, to_y))
    for placed in page.placed:
        for pin in placed.symbol.pins:
            across = {"left": pin.length, "right": -pin.length}.get(pin.side, 0)
            down = {"up": pin.length, "down": -pin.length}.get(pin.side, 0)
            end, root = placed.at(pin.x, pin.y), placed.at(pin.x + across, pin.y + down)
            yield placed.ref, (*map(min, end, root), *map(max, end, root))  # type: ignore[misc]


def meet(one: Box, other: Box) -> bool:
    """Whether they share more than an edge."""
    near = 0.04
    return (
        one[0] < other[2] - near and other[0] + near < one[2] and one[1] < other[3] - near and other[1] + near < one[3]
    )


def passes(line: Box, box: Box) -> bool:
    near = 0.04
    return (
        (line[0] < box[2] - near and box[0] + near < line[2])
        or (line[0] == line[2] and box[0] + near < line[0] < box[2] - near)
    ) and (
        (line[1] < box[3] - near and box[1] + near < line[3])
        or (line[1] == line[3] and box[1] + near < line[1] < box[3] - near)
    )


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_no_two_symbols_or_texts_overlap(page: Page) -> None:
    things = list(seen(page))
    assert [(one, other) for (one, a), (other, b) in combinations(things, 2) if meet(a, b)] == []


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_no_wire_runs_through_a_symbol_or_a_text(page: Page) -> None:
    things = list(seen(page))
    assert [
        (owner, line, name)
        for owner, line in lines(page)
        for name, box in things
        if owner != name and passes(line, box)
    ] == []


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_all_is_within_the_frame(page: Page) -> None:
    left, top, right, bottom = FRAME
    outside = [name for name, box in seen(page) if box[0] < left or box[1] < top or box[2] > right or box[3] > bottom]
    assert outside == []


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("schematic")
    schematic.write(folder, {"resistor-1k": {"LCSC": "C21190"}, "R12": {"LCSC": "C1", "MPN": "an own one"}})
    return folder


def test_what_is_joined_lies_on_the_grid(folder: Path) -> None:
    for file in folder.glob("*.kicad_sch"):
        placed = file.read_text(encoding="utf-8").partition("(junction")[2]
        for found in re.findall(
            r"\((?:wire|junction|no_connect|global_label[^(]*|symbol)\s.*?\(uuid", placed, re.DOTALL
        ):
            for number in re.findall(r"\((?:xy|at) (-?[\d.]+) (-?[\d.]+)", found):
                assert all(abs(float(each) / STEP - round(float(each) / STEP)) < 1e-3 for each in number), found


def test_the_same_text_each_time_and_no_identity_twice(folder: Path, tmp_path: Path) -> None:
    schematic.write(tmp_path / "one")
    schematic.pages.cache_clear()
    schematic._places.cache_clear()
    files = schematic.write(tmp_path / "two")
    for file in files:
        assert file.read_bytes() == (tmp_path / "one" / file.name).read_bytes()
    named = [name for file in files for name in re.findall(r'\(uuid "([^"]+)"\)', file.read_text(encoding="utf-8"))]
    assert len(named) == len(set(named)) > 2000


def test_properties_of_a_kind_and_of_one_part(folder: Path) -> None:
    text = (folder / f"{PROJECT}-keys.kicad_sch").read_text(encoding="utf-8")
    assert text.count('(property "LCSC" "C21190"') == 9
    assert text.count('(property "LCSC" "C1"') == text.count('(property "MPN" "an own one"') == 1


def test_what_is_not_fitted_says_so(folder: Path) -> None:
    for side in "abcd":
        text = (folder / f"{PROJECT}-display-{side}.kicad_sch").read_text(encoding="utf-8")
        unfitted = [part for part in circuit().parts if part.piece == side.upper() and not part.fitted]
        assert text.count("(dnp yes)") == len(unfitted)


def test_a_bare_pad_is_not_bought(folder: Path) -> None:
    text = (folder / f"{PROJECT}.kicad_sch").read_text(encoding="utf-8")
    assert text.count("(in_bom no)") == len(list(circuit().of_kind("test-point"))) == 3


def test_a_part_is_found_by_its_path(folder: Path) -> None:
    assert len({schematic.path_of(part.ref) for part in circuit().parts}) == len(circuit().parts)
    for ref, depth in (("J1", 1), ("U1", 2), ("D437", 2)):
        *sheet, symbol = schematic.path_of(ref).removeprefix("/").split("/")
        assert len(sheet) == depth - 1
        name, file = schematic.sheet_of(ref)
        assert f'(uuid "{symbol}")' in (folder / file).read_text(encoding="utf-8")
        root = (folder / f"{PROJECT}.kicad_sch").read_text(encoding="utf-8")
        assert all(f'(uuid "{each}")' in root and f'"{name.strip("/")}"' in root for each in sheet)


@pytest.fixture(scope="module")
def project(installed: None, folder: Path) -> Path:
    """The same with what else KiCad asks for, in a home of its own; without KiCad, no test."""
    (folder / f"{PROJECT}.kicad_pro").write_text("{}\n", encoding="utf-8")
    own = f'(name "Dalej")(type "KiCad")(uri "{ROOT / "hardware/flat/Dalej.pretty"}")(options "")(descr "")'
    (folder / "fp-lib-table").write_text(f"(fp_lib_table (version 7) (lib {own}))\n", encoding="utf-8")
    return folder


def kicads(project: Path, *words: str) -> str:
    """What `kicad-cli sch` writes into a file. NoKicad if it found fault."""
    made = project / "made"
    command("sch", *words, "-o", str(made), str(project / f"{PROJECT}.kicad_sch"))
    return made.read_text(encoding="utf-8", errors="replace")


def test_kicads_electrical_rules_find_nothing(project: Path) -> None:
    said = kicads(project, "erc", "--severity-all")
    assert "ERC messages: 0  Errors 0  Warnings 0" in said


def test_the_netlist_that_kicad_reads_is_the_circuit(project: Path) -> None:
    tree = ET.fromstring(kicads(project, "export", "netlist", "--format", "kicadxml"))
    found = {
        component.attrib["ref"]: (component.findtext("value"), component.findtext("footprint"))
        for component in tree.iterfind("components/comp")
    }
    assert found == {part.ref: (part.kind.value, part.kind.footprint) for part in circuit().parts}
    joined = {
        (node.attrib["ref"], node.attrib["pin"]): net.attrib["name"]
        for net in tree.iterfind("nets/net")
        for node in net.iterfind("node")
    }
    assert joined == {
        (part.ref, number): schematic.net_of(part.ref, number)
        for part in circuit().parts
        for number, _, _ in part.kind.pins
    }
    sheets = {component.attrib["ref"]: component.find("sheetpath") for component in tree.iterfind("components/comp")}
    stamps = {component.attrib["ref"]: component.findtext("tstamps") for component in tree.iterfind("components/comp")}
    for ref, sheet in sheets.items():
        assert sheet is not None
        assert sheet.attrib["names"] == schematic.sheet_of(ref)[0]
        assert f"{sheet.attrib['tstamps']}{stamps[ref]}" == schematic.path_of(ref)


def test_the_pdf_has_a_page_for_each(project: Path) -> None:
    kicads(project, "export", "pdf")
    assert len(pypdf.PdfReader(project / "made").pages) == len(PAGES)
