"""What the guide says of pins, codes, wires, screws, voltages and prices is what code and lists say."""

from __future__ import annotations

import re
import runpy
from typing import Any

import pytest

from dalej.office.paper.card import scenes
from hardware import bom, harness
from hardware.cell import ROUND, Pack
from hardware.circuit.carrier import spots, wires
from hardware.circuit.netlist import netlist
from hardware.drawing import PICTURES
from hardware.enclosure import SIZES
from hardware.enclosure.layout import Layout
from moveclock import facts as k
from moveclock.box import LOW_BATTERY_MV
from tests.documents import ROOT
from tests.hardware.guide import FOLDER, GUIDES, LANGUAGES, README, codes, pictures, sections, table
from tools.firmware import FIRMWARE


def test_the_table_of_pins_is_that_of_the_firmware() -> None:
    rows = table(README.read_text(encoding="utf-8"), "Pins")
    pins: Any = runpy.run_path(str(FIRMWARE / "board.py"))["pins"]

    for column, chip in ((1, "x with ESP32"), (2, "x with ESP32S3")):
        board = pins(chip)
        told = [int(number) for row in rows for number in re.findall(r"\d+", row[column])]
        expected = [*board.buttons, board.sedzia, board.kostka, board.sda, board.scl, board.lamps, board.buzzer]
        assert told == [*expected, board.battery]


def test_the_codes_of_the_guide_are_those_of_the_firmware() -> None:
    named = {int(code) for code in re.findall(r"\bE (\d\d)\b", GUIDES["en"])}
    known = {code + more for name, code in vars(k).items() if name.startswith("E_") for more in range(12)}

    assert {60, 61, 62, 63, 66, 71} <= named <= known


def test_every_display_has_the_address_of_the_firmware() -> None:
    addresses = [part.fields["address"].lower() for part in netlist("full", "esp32").of_kind("display")]
    for text in GUIDES.values():
        assert re.findall(r"0x7\d", text) == addresses


def test_the_displays_of_the_page_are_those_that_a_box_shows() -> None:
    shown = {one.text.strip() for one in scenes()} | {"PLAY", "1", "2"}
    said = {
        code.strip() for row in table(README.read_text(encoding="utf-8"), "What the disp") for code in codes(row[0])
    }

    assert said - {"2", "1"} <= shown
    assert shown - {"2.6", "0:31", "E 60"} <= said


def test_what_the_multimeter_finds_is_what_the_circuit_says() -> None:
    box = netlist("full", "esp32")
    (series,) = box.between("JUZ_A_LEAD", "JUZ_A", "resistor")
    divider = [*box.between("BATTERY", "BATTERY_HALF", "resistor"), *box.between("BATTERY_HALF", "GND", "resistor")]

    assert [part.value for part in divider] == ["100 kΩ", "100 kΩ"]
    expected = {row[0]: row[1] for row in table(GUIDES["en"], "7.")}
    assert expected["JUZ pole of a buttons' header to its pin of the board"] == series.value
    assert expected["battery pole of the power header to GND"] == "200 kΩ"


def test_the_carrier_has_as_many_wires_as_the_guide_says() -> None:
    box = netlist("full", "esp32")
    bridges = [wire.bridge for wire in wires(box, spots(box))]
    said = re.search(r"(\d+) wires and (\d+) places", GUIDES["en"])

    assert said is not None
    assert (int(said[1]), int(said[2])) == (bridges.count(False), bridges.count(True))


def test_the_box_is_closed_with_as_many_screws_as_the_guide_says() -> None:
    layout = Layout(SIZES)
    tower = next(section.text for section in sections(GUIDES["en"]) if section.title.endswith("The tower"))
    close = next(section.text for section in sections(GUIDES["en"]) if section.title.endswith("Close it"))

    assert re.findall(r"(\d+) screws", tower)[-1] == str(len(layout.tower_screws))
    assert re.findall(r"(\d+) screws", close) == [str(len(layout.base_screws))]
    assert f"{len(layout.feet)} feet" in close


def test_charging_takes_as_long_as_the_page_of_power_says() -> None:
    power = (ROOT / "hardware" / "power.md").read_text(encoding="utf-8")
    hours = re.search(r"takes about (\d+) h at 2 A", power)

    assert hours is not None
    assert f"[about {hours[1]} hours](../power.md)" in GUIDES["en"]


def test_the_voltage_of_a_low_battery_is_that_of_the_firmware() -> None:
    assert f"below {LOW_BATTERY_MV / 1000:.1f} V every test" in GUIDES["en"]


def test_the_voltage_of_a_stored_box_is_that_of_its_cells() -> None:
    said = re.search(r"at 40 to 60 % \(`dalej box info` says ([\d.]+) to ([\d.]+) V\)", GUIDES["en"])
    pack = Pack(ROUND, 1.0, 0.0, 3.0)

    assert said is not None
    assert [round(pack.at_rest(left), 1) for left in (0.4, 0.6)] == [float(said[1]), float(said[2])]


def test_a_maker_without_make_is_told_options_that_exist() -> None:
    page = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    typed = re.findall(r"(?m)^\.venv\\Scripts\\python -m hardware(.*)$", page)
    made = re.findall(r'make hardware ARGS="([^"]*)"', (FOLDER / "en.md").read_text(encoding="utf-8"))

    assert [line.strip() for line in typed] == ["", *made]
    assert r"-r hardware\requirements.lock" in page
    assert (ROOT / "hardware" / "requirements.lock").is_file()


def test_every_box_has_its_own_pictures_and_lists_in_the_guide() -> None:
    drawn = {file.stem for file in PICTURES.glob("carrier-*.svg")}
    for text in GUIDES.values():
        assert drawn <= set(pictures(text))


def test_the_readme_says_what_the_parts_of_the_first_box_cost() -> None:
    said = re.search(r"about (\d+) € of parts", (ROOT / "README.md").read_text(encoding="utf-8"))

    assert said is not None
    assert int(said[1]) == pytest.approx(bom.cost(bom.shopping(bom.rows(), 1, "full", "esp32")), rel=0.1)


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_steps_and_colours_of_the_leads_are_those_of_the_guide(language: str) -> None:
    shown = {section.title[0]: pictures(section.text) for section in sections(GUIDES[language]) if section.level == 3}
    where = {"display": "step-display", "ring": "step-ring", "button-red": "step-ring", "kostka-switch": "step-tray"}
    box = netlist("full", "esp32")
    for part in box.parts:
        section, _, step = harness.joint(part).step.partition(".")
        if part.place != harness.CARRIER and section == "9":
            assert where.get(part.kind, "step-ring" if part.place == "top" else "step-buttons") in shown[step], part.ref

    colours = {wire.colour for lead in harness.leads(box) for wire in lead.wires}
    leads = next(section.text for section in sections(GUIDES[language]) if section.title.startswith("8."))
    assert {colour for colour in colours if not re.search(rf"\b{colour}\b", leads)} == set()
