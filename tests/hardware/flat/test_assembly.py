"""What a board house's machines read: every part once, under its number, at its place, turned as that house has it."""

from __future__ import annotations

import csv
import io
from dataclasses import replace
from typing import Final

import pytest

from hardware.flat import assembly, order
from hardware.flat.circuit import circuit

BOX: Final = circuit()
FITTED: Final = [part for part in BOX.parts if part.fitted]


def test_the_houses_list_names_each_part_once_with_its_number() -> None:
    head, *lines = csv.reader(io.StringIO(assembly.bom()))
    named = [ref for _, refs, *_ in lines for ref in refs.split(",")]

    assert tuple(head) == ("Comment", "Designator", "Footprint", "LCSC")
    assert sorted(named) == sorted(part.ref for part in FITTED if part.kind.name != "test-point")
    for comment, refs, footprint, number in lines:
        kinds = {BOX.by_ref[ref].kind for ref in refs.split(",")}
        (kind,) = kinds
        row = order.of_house()[kind.name]
        assert (footprint, number) == (kind.footprint.split(":")[1], row.lcsc.number)
        assert row.number in comment


def test_a_part_that_nobody_listed_is_refused() -> None:
    part = BOX.by_ref["R1"]
    other = BOX.swapped(replace(part, kind=replace(part.kind, name="resistor-7k7")))
    with pytest.raises(KeyError, match="resistor-7k7"):
        assembly.bom(other)


def test_what_is_not_fitted_is_not_on_the_houses_list() -> None:
    left_out = BOX.swapped(replace(BOX.by_ref["LS1"], fitted=False))
    assert "LS1" in assembly.bom()
    assert "LS1" not in assembly.bom(left_out)


def exported(*refs: str) -> str:
    lines = [f'"{ref}","x","y",1.5,-2.25,90.0,top' for ref in refs]
    return "\n".join([",".join(assembly.EXPORTED_HEAD), *lines]) + "\n"


def test_the_machines_file_has_the_houses_head_and_what_it_places() -> None:
    refs = [part.ref for part in FITTED]
    head, *lines = csv.reader(io.StringIO(assembly.placement(exported(*refs, "R101", "H1"))))

    assert tuple(head) == ("Designator", "Val", "Package", "Mid X", "Mid Y", "Rotation", "Layer")
    assert [line[0] for line in lines] == [ref for ref in refs if not ref.startswith("TP")]
    assert lines[0][3:] == ["1.5", "-2.25", "90.0", "top"]


def test_a_machines_file_in_which_a_part_is_missing_or_twice_is_refused() -> None:
    refs = [part.ref for part in FITTED]
    with pytest.raises(ValueError, match="U1"):
        assembly.placement(exported(*(ref for ref in refs if ref != "U1")))
    with pytest.raises(ValueError, match="U1"):
        assembly.placement(exported(*refs, "U1"))
    with pytest.raises(ValueError, match="no file of positions"):
        assembly.placement(assembly.placement(exported(*refs)))


def turned(package: str, angle: float, layer: str) -> float:
    placed = ",".join(assembly.PLACEMENT_HEAD) + f'\nX1,"x","{package}",1.0,2.0,{angle},{layer}\n'
    (row,) = csv.DictReader(io.StringIO(assembly.for_jlcpcb(placed, {"X1": (3.5, -4.25)})))
    assert (row["Mid X"], row["Mid Y"], row["Layer"]) == ("3.5000", "-4.2500", layer)
    return float(row["Rotation"])


@pytest.mark.parametrize(
    ("package", "angle", "front", "back"),
    [
        ("R_0402_1005Metric", 0.0, 0.0, 180.0),
        ("R_0402_1005Metric", -90.0, 270.0, 270.0),
        ("SOT-23", 0.0, 180.0, 0.0),
        ("SOT-23-6", 0.0, 270.0, 90.0),
        ("SOT-223-3_TabPin2", 45.0, 225.0, 315.0),
        ("SOIC-28W_7.5x17.9mm_P1.27mm", 0.0, 270.0, 90.0),
        ("CP_Elec_8x10.5", 135.0, 315.0, 225.0),
    ],
)
def test_a_part_is_turned_from_kicads_angle_to_jlcpcbs_and_mirrored_on_the_back(
    package: str, angle: float, front: float, back: float
) -> None:
    """The angles by hand: 180° less KiCad's on the back, then that house's own turn of the kind."""
    assert (turned(package, angle, "top"), turned(package, angle, "bottom")) == (front, back)


def test_every_kind_that_is_turned_is_on_the_board() -> None:
    packages = {part.kind.footprint.partition(":")[2] for part in FITTED}
    for start, _ in assembly.TURNED:
        assert any(package.startswith(start) for package in packages), start
