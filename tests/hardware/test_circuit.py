"""Each box's circuit passes SKiDL's electrical rules and ours, and has what README.md and the firmware ask for."""

from __future__ import annotations

import ast
import logging
import os
import subprocess
import sys
from collections.abc import Iterator
from itertools import product
from pathlib import Path
from typing import Any, Final

import pytest

from hardware.circuit.box import ADDRESS, BUILDS, CHIPS, circuit
from hardware.circuit.library import skidl
from hardware.circuit.netlist import electrical, netlist, quantities, read
from hardware.circuit.rules import faults
from hardware.circuit.rules.chip import worst_current
from hardware.circuit.rules.lamps import chained
from tests.documents import ROOT
from tests.vm import machine
from tools.firmware import FIRMWARE

BOXES: Final = tuple(product(BUILDS, CHIPS, (True, False)))
IDLE: Final = ROOT / "tests" / "firmware" / "idle"


@pytest.fixture(scope="module")
def circuits() -> dict[tuple[str, str, bool], Any]:
    return {(build, chip, kostka): circuit(build, chip, kostka=kostka) for build, chip, kostka in BOXES}


@pytest.mark.parametrize("box", BOXES, ids=lambda box: f"{box[0]}-{box[1]}-{'kostka' if box[2] else 'bare'}")
def test_every_box_passes_both_sets_of_rules(
    circuits: dict[tuple[str, str, bool], Any], box: tuple[str, str, bool]
) -> None:
    assert electrical(circuits[box]) == []
    assert faults(read(circuits[box])) == []


def test_bringing_skidl_in_prints_nothing_and_leaves_no_file_behind(tmp_path: Path) -> None:
    program = (
        "from hardware.circuit.box import circuit\n"
        "from hardware.circuit.netlist import electrical, netlist\n"
        "from hardware.circuit.sheets import drawn\n"
        "assert electrical(circuit('small', 'esp32')) == []\n"
        "drawn(netlist('small', 'esp32'), 'power')\n"
    )
    names = ("HOME", "XDG_DATA_HOME", "XDG_CONFIG_HOME", "XDG_CACHE_HOME", "TMPDIR")
    elsewhere = dict.fromkeys(names, str(tmp_path)) | {"PYTHONPATH": str(ROOT)}
    done = subprocess.run(
        [sys.executable, "-W", "error", "-B", "-c", program],
        cwd=tmp_path, env=os.environ | elsewhere, capture_output=True, text=True, check=False,
        timeout=60,
    )  # fmt: skip
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    assert list(tmp_path.iterdir()) == []


def test_later_loggers_are_those_of_python() -> None:
    assert logging.getLoggerClass() is logging.Logger


def _joined_outputs(broken: Any) -> None:
    parts = {part.ref: part for part in broken.parts}
    parts["LP1"]["DOUT"].net.connect(parts["LP2"]["DOUT"])


def _pin_left_open(broken: Any) -> None:
    {part.ref: part for part in broken.parts}["DS1"]["SDA"].disconnect()


def _no_supply(broken: Any) -> None:
    {part.ref: part for part in broken.parts}["BT1"]["+"].disconnect()


def _net_to_nowhere(broken: Any) -> None:
    skidl.Net("NOWHERE", circuit=broken).connect({part.ref: part for part in broken.parts}["LP9"]["DOUT"])


@pytest.mark.parametrize("fault", [_joined_outputs, _pin_left_open, _no_supply, _net_to_nowhere])
def test_skidl_finds_a_broken_circuit(fault: Any) -> None:
    broken = circuit("small", "esp32")
    fault(broken)
    assert electrical(broken)


def test_a_build_or_chip_that_is_not_drawn_is_refused() -> None:
    with pytest.raises(KeyError):
        circuit("large", "esp32")
    with pytest.raises(KeyError):
        circuit("full", "esp32c3")


def test_a_full_box_has_as_many_parts_as_the_readme_says() -> None:
    found = quantities(netlist("full", "esp32"))
    assert found["display"] == 4
    assert found["button-green"] + found["button-amber"] + found["button-red"] == 9
    assert sum(int(part.fields["pixels"]) for part in chained(netlist("full", "esp32"))) == 33
    assert (found["header-female-19"], found["connector-6"], found["resistor-1k"]) == (2, 4, 11)


def test_a_small_box_has_three_buttons_and_27_lamps() -> None:
    found = quantities(netlist("small", "esp32s3"))
    assert found["button-green"] + found["button-amber"] + found["button-red"] == 3
    assert sum(int(part.fields["pixels"]) for part in chained(netlist("small", "esp32s3"))) == 27
    assert (found["header-female-22"], found["connector-6"]) == (2, 1)


def test_a_box_without_kostka_has_no_part_of_it() -> None:
    parts = netlist("full", "esp32", kostka=False).parts
    assert {part.place for part in parts} == {"carrier", "top", "battery bay", *(f"side {side}" for side in "ABCD")}
    assert not [net for part in parts for net in part.nets if "KOSTKA" in net]


def test_the_pins_of_the_worst_give_10_ma() -> None:
    box = netlist("full", "esp32")
    assert worst_current(box, "BUZZER") == pytest.approx(0.010)
    assert worst_current(box, "SDA") < 0.004


def test_displays_have_the_addresses_that_the_firmware_asks() -> None:
    tree = ast.parse((FIRMWARE / "devices" / "display.py").read_text("utf-8"))
    assert dict(_numbers(tree, "ADDRESS")) == {"ADDRESS": ADDRESS}


def _numbers(tree: ast.Module, name: str) -> Iterator[tuple[str, int]]:
    for node in tree.body:
        if isinstance(node, ast.Assign) and isinstance(target := node.targets[0], ast.Name) and target.id == name:
            yield name, ast.literal_eval(node.value)


LIT: Final = """
from devices.lamps import Lamps
lamps = Lamps(18, {shared})
print(len(lamps._chain.buf) // 3)
for seat in range(4):
    lamps.light(seat)
    print(*[place for place in range(len(lamps._chain.buf) // 3) if any(lamps._chain.buf[3 * place : 3 * place + 3])])
"""


@pytest.mark.parametrize("build", BUILDS)
def test_the_firmware_lights_the_pixels_that_the_chain_has_at_those_places(build: str) -> None:
    chain = [part for part in chained(netlist(build, "esp32")) for _ in range(int(part.fields["pixels"]))]
    devices = (IDLE, FIRMWARE / "devices")
    said = machine.run(LIT.format(shared=build == "small"), devices, path=(IDLE, FIRMWARE))
    count, *seats = said.splitlines()
    assert int(count) == len(chain)
    for side, places in zip("ABCD", seats, strict=True):
        lit = [chain[int(place)].fields["lights"] for place in places.split()]
        buttons = ["JUZ", "DALEJ"] if build == "small" else [f"JUZ_{side}", f"DALEJ_{side}"]
        assert lit == ["RING"] * 6 + buttons + ["SEDZIA"]
