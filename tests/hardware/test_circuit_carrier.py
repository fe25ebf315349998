"""Every part of the carrier has its place, none in another's; the wires join each net, and nothing else."""

from __future__ import annotations

import csv
import io
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from typing import Final

import pytest

from hardware.circuit import carrier
from hardware.circuit.box import BUILDS, CHIPS
from hardware.circuit.carrier import LENGTH, MOST, PITCH, ROWS, WIDTH, Body, Hole, Spot, spots, wires
from hardware.circuit.devkits import DEVKITS
from hardware.circuit.netlist import Netlist, netlist
from hardware.circuit.placing import faults
from hardware.circuit.wirelist import PARTS, WIRES, as_csv, part_rows, wire_rows
from tests.hardware.boxes import each_box

Placed = dict[str, Spot]


box = each_box()


def test_every_part_has_its_place_and_none_is_in_another_s(box: Netlist) -> None:
    assert faults(box, spots(box)) == []


def test_wires_join_every_net_and_no_two(box: Netlist) -> None:
    placed = spots(box)
    net_of = {placed[pin.ref].holes[pin.number]: name for name, pins in box.nets.items() for pin in pins
              if pin.ref in placed}  # fmt: skip
    groups = {hole: {hole} for hole in net_of}
    for wire in wires(box, placed):
        assert net_of[wire.start.hole] == net_of[wire.end.hole] == wire.net
        joined = groups[wire.start.hole] | groups[wire.end.hole]
        for hole in joined:
            groups[hole] = joined
    for hole, name in net_of.items():
        assert groups[hole] == {other for other in net_of if net_of[other] == name}


def test_no_wire_is_one_too_many(box: Netlist) -> None:
    placed = spots(box)
    joined = [len([pin for pin in pins if pin.ref in placed]) for pins in box.nets.values()]
    assert len(wires(box, placed)) == sum(count - 1 for count in joined if count)


def test_the_lists_hold_every_part_and_wire(box: Netlist) -> None:
    placed = spots(box)
    assert sorted(row[0] for row in part_rows(box)) == sorted(placed)
    assert len(wire_rows(box)) == len(wires(box, placed))
    header, *rows = csv.reader(io.StringIO(as_csv(WIRES, wire_rows(box))))
    assert tuple(header) == WIRES
    assert [row[0] for row in rows] == [str(number) for number in range(1, len(rows) + 1)]
    assert {len(row) for row in part_rows(box)} == {len(PARTS)}


@pytest.mark.parametrize("chip", CHIPS)
def test_the_rows_of_the_devkit_are_as_far_apart_as_its_pins(chip: str) -> None:
    holes = spots(netlist("full", chip))["U1"].holes
    assert holes["R1"].column - holes["L1"].column == DEVKITS[chip].pitches
    assert holes["R1"].row == holes["L1"].row
    assert max(hole.row for hole in holes.values()) == ROWS


@pytest.mark.parametrize("build", BUILDS)
def test_an_s3_board_whose_rows_are_further_apart_fits_too(build: str) -> None:
    placed = spots(netlist(build, "esp32s3"))
    devkit = DEVKITS["esp32s3"]
    assert devkit.wide == devkit.pitches + 1
    right = {hole for number, hole in placed["U1"].holes.items() if number.startswith("R")}
    beside = [Hole(hole.column + 1, hole.row) for hole in right]
    assert [(ref, str(hole)) for hole in beside for ref, spot in placed.items() if _covers(spot, hole)] == []


def _covers(spot: Spot, hole: Hole) -> bool:
    body = spot.body
    across = body.left < hole.column + 0.5 and hole.column - 0.5 < body.right
    return spot.ref != "U1" and across and body.top < hole.row + 0.5 and hole.row - 0.5 < body.bottom


@pytest.mark.parametrize("chip", CHIPS)
def test_most_contacts_have_their_resistor_beside_their_pin(chip: str) -> None:
    box = netlist("full", chip)
    found = wires(box, spots(box))
    bridged = {wire.net for wire in found if wire.bridge}
    assert len([part for part in box.of_kind("button", "kostka-switch") if part.net("NO") in bridged]) == 10
    assert len([net for net in bridged if net.startswith(("JUZ", "DALEJ")) and not net.endswith("LEAD")]) >= 7


def moved(ref: str, number: str, hole: Hole) -> Callable[[Placed], Placed]:
    return lambda placed: placed | {ref: replace(placed[ref], holes={**placed[ref].holes, number: hole})}


def grown(ref: str, **changes: float) -> Callable[[Placed], Placed]:
    def grow(placed: Placed) -> Placed:
        body: Body = placed[ref].body
        return placed | {ref: replace(placed[ref], body=body._replace(**changes))}

    return grow


BROKEN: Final[tuple[tuple[Callable[[Placed], Placed], str], ...]] = (
    (lambda placed: {ref: spot for ref, spot in placed.items() if ref != "R11"}, "R11 has no place"),
    (lambda placed: placed | {"DS1": replace(placed["R11"], ref="DS1")}, "DS1 has a place"),
    (lambda placed: placed | {"Q1": replace(placed["Q1"], holes={"1": Hole(5, 15)})}, "Q1 has other pins"),
    (moved("R1", "1", Hole(25, 3)), "R1 1 is off the board"),
    (moved("R1", "1", Hole(3, 31)), "R1 1 is off the board"),
    (moved("R1", "1", Hole(21, 23)), "share U23"),
    (grown("LS1", bottom=22.0), "LS1 and C1 meet"),
    (grown("J1", right=4.0), "J1 and U3 meet"),
    (grown("C11", height=9.0), "C11 is too high for the devkit above it"),
    (grown("J9", right=8.7), "U1 and J9 meet"),
    (moved("C3", "1", Hole(16, 9)), "C3 1 is 28 mm from the ring's plug"),
)


@pytest.mark.parametrize(("breaks", "says"), BROKEN, ids=[f"{place}-{says}" for place, (_, says) in enumerate(BROKEN)])
def test_a_bad_place_is_found(breaks: Callable[[Placed], Placed], says: str) -> None:
    box = netlist("full", "esp32")
    found = faults(box, breaks(spots(box)))
    assert any(says in sentence for sentence in found), found


def test_no_hole_takes_more_wires_than_can_be_soldered_to_a_leg(box: Netlist) -> None:
    ends = Counter(end.hole for wire in wires(box, spots(box)) for end in (wire.start, wire.end))
    assert max(ends.values()) <= MOST


def test_a_hole_amid_five_others_shares_them_with_its_neighbours(monkeypatch: pytest.MonkeyPatch) -> None:
    """Given parts on one net, one in the middle of five: the shortest tree would have five wires there."""
    box = netlist("full", "esp32")
    middle = Hole(12, 12)
    around = [Hole(12, 9), Hole(15, 11), Hole(14, 15), Hole(10, 15), Hole(9, 11)]
    refs = ("R1", "R2", "R5", "R6", "R9", "R21")
    placed = {
        ref: Spot(ref, {"1": hole}, Body(0, 0, 1, 1, 1)) for ref, hole in zip(refs, (middle, *around), strict=True)
    }
    for ref in refs:
        box = box.rewired(ref, "2", "").rewired(ref, "1", "STAR")

    def most() -> int:
        return max(Counter(end.hole for wire in wires(box, placed) for end in (wire.start, wire.end)).values())

    assert most() == MOST
    monkeypatch.setattr(carrier, "MOST", 9)
    assert most() == 5


def test_wires_to_a_board_whose_rows_can_be_further_apart_name_either_column() -> None:
    box = netlist("full", "esp32s3")
    ends = {end for wire in wires(box, spots(box)) for end in (wire.start, wire.end)}
    right = {end.hole for end in ends if end.ref == "U1" and end.hole.column > 15}
    assert {end.named for end in ends if end.hole in right} == {f"R/S{hole.row}" for hole in right} != set()
    assert [end for end in ends if end.hole not in right and end.wide != end.hole] == []
    assert ("U1", "R/S30") in {(row[0], row[-1]) for row in part_rows(box)}
    lengths = {row[4] for row in wire_rows(box) if "R/S26" in row[2] + row[3]}
    assert lengths == {"solder or 5"}, "R19 lies beside column R, and a hole further away from column S"
    assert not [row for row in wire_rows(netlist("full", "esp32")) if "/" in row[2] + row[3]]


def test_the_length_of_a_wire_is_that_between_its_holes() -> None:
    box = netlist("full", "esp32")
    for wire in wires(box, spots(box)):
        straight = wire.start.hole.column == wire.end.hole.column or wire.start.hole.row == wire.end.hole.row
        if straight:
            steps = abs(sum(wire.start.hole) - sum(wire.end.hole))
            assert wire.length == pytest.approx(PITCH * steps)
            assert wire.bridge == (steps == 1)


def test_a_lead_fits_either_edge_the_same_way() -> None:
    """The slots of all plugs are at the outer edge, so those at the right are the left ones turned by half a turn."""
    placed = spots(netlist("full", "esp32"))
    for left, right in (("J1", "J3"), ("J2", "J4"), ("J5", "J7"), ("J6", "J8")):
        rows = [[hole.row for _, hole in sorted(placed[ref].holes.items())] for ref in (left, right)]
        assert rows[0] == sorted(rows[0])
        assert rows[1] == sorted(rows[1], reverse=True)


@pytest.mark.parametrize("chip", CHIPS)
def test_everything_but_a_socket_s_end_lies_on_a_board_of_70_by_90_mm(chip: str) -> None:
    placed = spots(netlist("full", chip))
    for spot in placed.values():
        left, top, right, bottom, _ = spot.body.millimetres()
        assert -WIDTH / 2 <= left < right <= WIDTH / 2, spot.ref
        assert -LENGTH / 2 <= top < bottom <= LENGTH / 2 + (1 if spot.ref == "U1" else 0), spot.ref


def test_holes_are_named_by_letter_and_number() -> None:
    assert (str(Hole(1, 1)), str(Hole(24, 30))) == ("A1", "X30")
