"""What is wrong with the places of the carrier's parts."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import combinations
from typing import Final

from hardware.circuit.carrier import COLUMNS, ROWS, Body, Hole, Spot, apart
from hardware.circuit.netlist import Netlist

UNDER: Final = 8.0  # mm of height below the devkit
NEAR: Final = 25.0  # mm between the ring's reserve and the ring's plug


def faults(box: Netlist, placed: Mapping[str, Spot]) -> list[str]:
    """What is wrong with a placement: parts without a place, holes off the board or used twice, bodies that meet."""
    found = []
    for part in box.parts:
        if (part.place == "carrier") != (part.ref in placed):
            found.append(f"{part.ref} has {'no' if part.place == 'carrier' else 'a'} place")
        elif part.ref in placed and set(placed[part.ref].holes) != {pin.number for pin in part.pins}:
            found.append(f"{part.ref} has other pins")
    used: dict[Hole, str] = {}
    for spot in placed.values():
        for number, hole in spot.holes.items():
            if not (1 <= hole.column <= len(COLUMNS) and 1 <= hole.row <= ROWS):
                found.append(f"{spot.ref} {number} is off the board")
            if hole in used:
                found.append(f"{spot.ref} {number} and {used[hole]} share {hole}")
            used[hole] = f"{spot.ref} {number}"
    solid = [(spot.ref, body) for spot in placed.values() for body in _solid(spot)]
    found += [
        f"{one} and {other} meet" for (one, a), (other, b) in combinations(solid, 2) if one != other and a.meets(b)
    ]
    devkit = placed.get("U1")
    if devkit:
        found += [
            f"{ref} is too high for the devkit above it"
            for ref, body in solid
            if ref != "U1" and body.height > UNDER and body.meets(devkit.body)
        ]
    return [*found, *_far_reserve(placed)]


def _far_reserve(placed: Mapping[str, Spot]) -> Iterator[str]:
    """The ring's lead begins at its reserve: plus to plus, ground to ground."""
    for number in ("1", "2"):
        if {"C3", "J9"} <= set(placed):
            far = apart(placed["C3"].holes[number], placed["J9"].holes[number])
            if far > NEAR:
                yield f"C3 {number} is {far:.0f} mm from the ring's plug"


def _solid(spot: Spot) -> list[Body]:
    """What stands on the board: of the devkit only its two headers."""
    if spot.ref != "U1":
        return [spot.body]
    columns = sorted({hole.column for hole in spot.holes.values()})
    rows = [hole.row for hole in spot.holes.values()]
    return [Body(column - 0.5, min(rows) - 0.5, column + 0.5, max(rows) + 0.5, 8.5) for column in columns]
