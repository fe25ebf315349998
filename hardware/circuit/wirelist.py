"""The carrier as lists to tick off: which part goes into which holes, and which wire from where to where."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Mapping
from typing import Final

from hardware.circuit.carrier import NEIGHBOURS, Spot, Wire, end, spots, wires
from hardware.circuit.netlist import Netlist, Part

PARTS: Final = ("part", "kind", "value", "pin 1", "last pin")
WIRES: Final = ("wire", "net", "from", "to", "mm")


def part_rows(box: Netlist) -> list[tuple[str, ...]]:
    """A row as in `PARTS` for each part on the carrier, the lowest first, as they are soldered."""
    placed = spots(box)
    order = sorted((part for part in box.parts if part.ref in placed), key=lambda part: placed[part.ref].body.height)
    return [_part(box, part, placed) for part in order]


def wire_rows(box: Netlist) -> list[tuple[str, ...]]:
    """A row as in `WIRES` for each wire, numbered as in the pictures; `mm` is `solder` where solder alone reaches."""
    return [_wire(number, wire) for number, wire in enumerate(wires(box, spots(box)), 1)]


def as_csv(header: Iterable[str], rows: Iterable[Iterable[str]]) -> str:
    """The rows as a file that every spreadsheet opens."""
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerows((header, *rows))
    return text.getvalue()


def files(box: Netlist) -> list[tuple[str, str]]:
    """Name and text of both lists."""
    return [
        ("carrier-parts.csv", as_csv(PARTS, part_rows(box))),
        ("carrier-wires.csv", as_csv(WIRES, wire_rows(box))),
    ]


def _part(box: Netlist, part: Part, placed: Mapping[str, Spot]) -> tuple[str, ...]:
    first, last = (end(box, part.pins[place], placed).named for place in (0, -1))
    return part.ref, part.kind, part.value, first, last


def _wire(number: int, wire: Wire) -> tuple[str, ...]:
    return str(number), wire.net, str(wire.start), str(wire.end), _length(wire)


def _length(wire: Wire) -> str:
    """One for either kind of board; where solder does not reach on the wider one, both."""
    if wire.bridge:
        return "solder" if wire.wide < NEIGHBOURS else f"solder or {wire.wide:.0f}"
    return f"{max(wire.length, wire.wide):.0f}"
