"""Every box that can be built: both sizes, both chips, with Kostka and without."""

from __future__ import annotations

import re
from itertools import product
from typing import Any, Final

import pytest

from hardware import bom
from hardware.circuit.box import BUILDS, CHIPS
from hardware.circuit.netlist import Netlist, Part, netlist

BOXES: Final = tuple(product(BUILDS, CHIPS, (True, False)))


def each_box() -> Any:
    """A fixture for one file: every box in turn."""

    @pytest.fixture(params=BOXES, ids=lambda box: f"{box[0]}-{box[1]}-{'kostka' if box[2] else 'bare'}", scope="module")
    def box(request: pytest.FixtureRequest) -> Netlist:
        build, chip, kostka = request.param
        return netlist(build, chip, kostka=kostka)

    return box


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


def listed(kind: str) -> bom.Row:
    (found,) = (row for row in bom.rows() if row.kind == kind)
    return found
