"""The flat box's board as a board house and KiCad see it: every rule passes, every file opens and says the same."""

from __future__ import annotations

import csv
import io
import json
import re
import shutil
import zipfile
from collections import Counter
from math import cos, radians, sin
from pathlib import Path

import pypdf
import pytest

from hardware.flat import board, files, kicad, layout, order
from hardware.flat.circuit import MAIN, SIDES, circuit
from hardware.flat.copper import VIA

HOUSE = {  # least measures in mm that any house makes of four layers without an extra
    "min_clearance": 0.127, "min_track_width": 0.127, "min_through_hole_diameter": 0.3, "min_via_annular_width": 0.13,
    "min_copper_edge_clearance": 0.3, "min_hole_to_hole": 0.25, "min_hole_clearance": 0.2, "min_via_diameter": 0.5,
    "min_text_height": 0.8, "min_text_thickness": 0.1,
}  # fmt: skip


@pytest.fixture(scope="module")
def project(installed: None, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of KiCad's project, made as a maker makes it."""
    folder = tmp_path_factory.mktemp("flat") / "kicad"
    for _ in files.write_project(folder):
        pass
    return folder


@pytest.fixture(scope="module")
def panel(project: Path) -> Path:
    return project / f"{files.NAME}.kicad_pcb"


@pytest.fixture(scope="module")
def ordered(panel: Path) -> Path:
    """The folder of what is ordered from."""
    folder = panel.parents[1] / "order"
    for _ in files.write_order(panel, folder):
        pass
    return folder


def read(file: Path) -> list[dict[str, str]]:
    """The rows of a CSV file."""
    return list(csv.DictReader(io.StringIO(file.read_text("utf-8"))))


def test_every_design_rule_passes_and_the_board_is_the_schematic(panel: Path) -> None:
    report = panel.with_name("drc.json")
    kicad.command(
        "pcb", "drc", "--severity-all", "--schematic-parity", "--format", "json", "-o", str(report), str(panel)
    )  # fmt: skip
    said = json.loads(report.read_text("utf-8"))
    assert said["violations"] == []
    assert said["unconnected_items"] == []
    assert said["schematic_parity"] == []


def test_every_electrical_rule_passes_in_the_project(panel: Path) -> None:
    said = kicad.command(
        "sch", "erc", "--severity-all", "--exit-code-violations", "-o", str(panel.with_name("erc.rpt")),
        str(panel.with_suffix(".kicad_sch")),
    )  # fmt: skip
    assert "Found 0 violations" in said


def test_a_spoilt_board_does_not_pass(panel: Path) -> None:
    """Given the board with one track that leads across others, then the same rules find it."""
    spoilt = panel.with_name("spoilt.kicad_pcb")
    text = panel.read_text("utf-8")
    segment = re.search(r"\(segment\s+\(start ([\d.]+) ([\d.]+)\)", text)
    assert segment is not None
    across = f"(segment\n\t\t(start {float(segment[1]) + 60:.3f} {segment[2]})"
    spoilt.write_text(text.replace(segment[0], across, 1), "utf-8")
    shutil.copy(panel.with_suffix(".kicad_pro"), spoilt.with_suffix(".kicad_pro"))
    report = panel.with_name("spoilt.json")
    kicad.command("pcb", "drc", "--severity-all", "--format", "json", "-o", str(report), str(spoilt))
    said = json.loads(report.read_text("utf-8"))
    assert {each["type"] for each in said["violations"]} & {"shorting_items", "tracks_crossing", "clearance"}


def test_the_rules_are_those_that_every_house_keeps(panel: Path) -> None:
    settings = json.loads(panel.with_suffix(".kicad_pro").read_text("utf-8"))["board"]["design_settings"]
    for rule, least in HOUSE.items():
        assert settings["rules"][rule] >= least, rule
    found = settings["rule_severities"]
    assert {found[rule] for rule in ("clearance", "unconnected_items", "courtyards_overlap", "shorting_items")} == {
        "error"
    }


def test_nothing_of_copper_is_near_the_antenna(panel: Path) -> None:
    """Espressif, "ESP32-S3-WROOM-1 Datasheet", 10.2: nothing below it and 15 mm around; beside it is no board."""
    module = [pad for pad in board.pads(MAIN) if pad.ref == "U1"]
    along = max((layout.turned(pad.x, pad.y, -board.ANTENNA) for pad in module), key=lambda at: at[1])[1]
    assert along < 81.5
    text = panel.read_text("utf-8")
    of_tracks = r"\((?:start|end|at) ([\d.]+) ([\d.]+)\)\s+\((?:end|width|size)"
    points = [(float(x), float(y)) for x, y in re.findall(of_tracks, text)]
    filled = re.findall(r"\(filled_polygon.*?\n\t\t\)", text, re.DOTALL)
    points += [(float(x), float(y)) for each in filled for x, y in re.findall(r"\(xy ([\d.]+) ([\d.]+)\)", each)]
    assert len(points) > 10_000
    for x, y in points:
        across, out = layout.turned(x - 120, y - 100, -board.ANTENNA)
        assert not (81.7 < out < layout.CORNER + 5 and abs(across) < 17), (across, out)


def test_the_usb_pair_has_ninety_ohms() -> None:
    """USB 2.0, 7.1.1.3: 90 ohm, 15 % more or less."""
    width, gap = board.PAIR
    assert board.impedance(width, gap) == pytest.approx(90, rel=0.1)
    assert board.impedance(width / 2, gap) > 103
    assert board.impedance(width, 4 * gap) > 103


def test_gerber_and_drill_open_and_have_the_boards_layers(ordered: Path) -> None:
    with zipfile.ZipFile(ordered / "gerber.zip") as archive:
        assert archive.testzip() is None
        names = [name.removeprefix(f"{files.NAME}-") for name in archive.namelist()]
        layers = [*(f"{name}_Cu" for name in ("F", "In1", "In2", "B")), "Edge_Cuts"]
        layers += [f"{side}_{name}" for side in "FB" for name in ("Mask", "Paste", "Silkscreen")]
        assert set(names) >= {*(f"{layer}.gbr" for layer in layers), "PTH.drl", "NPTH.drl"}
        for layer in layers:
            text = archive.read(f"{files.NAME}-{layer}.gbr").decode("ascii")
            assert text.startswith("%TF.GenerationSoftware"), layer
            assert text.rstrip().endswith("M02*"), layer
        drills = archive.read(f"{files.NAME}-PTH.drl").decode("ascii")
        bits = [float(size) for size in re.findall(r"^T\d+C([\d.]+)", drills, re.MULTILINE)]
        assert min(bits) >= VIA[1] - 1e-9


def test_each_placed_part_is_once_in_the_list_and_once_in_the_places(ordered: Path) -> None:
    bom = read(ordered / "bom.csv")
    listed = Counter(ref for row in bom for ref in row["Designator"].split(","))
    placed = Counter(row["Designator"] for row in read(ordered / "placement.csv"))
    house = order.of_house()
    wanted = Counter(part.ref for part in circuit().parts if part.fitted and part.kind.name in house)
    assert listed == placed == wanted
    assert all(re.fullmatch(r"C\d+", row["LCSC"]) for row in bom)


def test_parts_on_the_back_are_placed_there(ordered: Path) -> None:
    sides = {row["Designator"]: row["Layer"] for row in read(ordered / "placement.csv")}
    assert {sides[f"S{number}"] for number in range(1, 10)} == {"bottom"}
    assert sides["U1"] == sides["D101"] == "top"
    assert sides["U101"] == "bottom"


def test_what_is_read_can_be_read(panel: Path) -> None:
    folder = panel.parents[1] / "read"
    made = {file.name: file for file in files.write_reading(panel, folder)}
    wanted = {"schematic.pdf", "board-top.pdf", "board-bottom.pdf", "board-top.png", "board-bottom.png", "board-3d.png"}
    assert made.keys() == wanted | {"parts.html"}
    assert len(pypdf.PdfReader(made["schematic.pdf"]).pages) == 8
    assert all(file.stat().st_size > 20_000 for file in made.values())
    assert made["board-top.png"].read_bytes().startswith(b"\x89PNG")
    assert "pcbdata" in made["parts.html"].read_text("utf-8")


def test_no_via_drinks_the_solder_of_a_pad(panel: Path) -> None:
    """Its hole is beside all that is soldered flat, on either side and of its own net, too."""
    found = re.findall(r"\(via\s+\(at ([\d.]+) ([\d.]+)\)", panel.read_text("utf-8"))
    vias = [(float(x) - layout.PAPER[0], float(y) - layout.PAPER[1]) for x, y in found]
    flat = [pad for pad in board.pads(MAIN, *SIDES) if pad.number and not pad.drill]
    assert len(vias) > 300
    for pad in flat:
        near = [(x, y) for x, y in vias if abs(x - pad.x) < 8 and abs(y - pad.y) < 8]
        assert all(pad.distance(x, y) > VIA[1] / 2 + 0.1 for x, y in near), f"a via in pad {pad.number} of {pad.ref}"


@pytest.mark.usefixtures("installed")
def test_a_display_plugs_onto_its_own_pins() -> None:
    """Pole for pole: as it stands before the main board, each socket's hole is at its pin."""
    pads = {(pad.ref, pad.number): pad for pad in board.pads(MAIN, *SIDES)}
    for place, side in enumerate(SIDES):
        left, _ = layout.origin(side)
        for pole in "1234":
            pin = pads[f"J{2 + place}", pole]
            across, _ = layout.turned(pin.x, pin.y, 90.0 * place)  # as side's player sees it
            hole = pads[f"J{100 * (place + 1) + 1}", pole]
            assert hole.x - left == pytest.approx(across, abs=0.01), (side, pole)


@pytest.mark.usefixtures("installed")
def test_a_switchs_pins_meet_their_socket() -> None:
    """Cherry, "MX Series", PCB layout seen from the switch: pins at (-3.81, -2.54) and (2.54, -5.08) of its middle."""
    pads = [pad for pad in board.pads(MAIN) if re.fullmatch("S[1-9]", pad.ref)]
    at = layout.places(circuit())
    frames = {"S9": 0.0, **{f"S{number}": -90.0 * ((number - 1) // 2) for number in range(1, 9)}}
    for ref, frame in frames.items():
        own = {
            tuple(round(each, 1) for each in layout.turned(pad.x - at[ref].x, pad.y - at[ref].y, -frame)): pad
            for pad in pads
            if pad.ref == ref
        }
        holes = {place: pad.drill for place, pad in own.items() if not pad.number}
        assert holes == {(0, 0): 4.0, (-5.1, 0): 1.75, (5.1, 0): 1.75, (-3.8, -2.5): 3.0, (2.5, -5.1): 3.0}
        of_socket = {pad.number: (*place, pad.layers) for place, pad in own.items() if pad.number}
        assert of_socket == {"1": (-7.1, -2.5, "B"), "2": (5.8, -5.1, "B")}


@pytest.mark.usefixtures("installed")
def test_a_parts_middle_is_that_of_its_pads_along_its_own_axes() -> None:
    """By hand, mm from the anchor, the footprint not turned: all of these stand at 45° on the board."""
    middles, at = board.centres(), layout.places(circuit())
    for ref, across, down in (("U2", 0, 0), ("Q1", 0, 0), ("U1", 0, 3.62), ("J1", 0, -1.5)):
        left, top = layout.origin(MAIN)
        angle = radians(at[ref].angle)
        x = at[ref].x + left + across * cos(angle) + down * sin(angle)
        y = at[ref].y + top + down * cos(angle) - across * sin(angle)
        found = (middles[ref][0] - layout.PAPER[0], -middles[ref][1] - layout.PAPER[1])
        assert found == pytest.approx((x, y), abs=0.01), ref
