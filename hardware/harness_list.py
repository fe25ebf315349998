"""The leads as a page to print and tick off: every wire with both its ends, and how and when it is joined."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from hardware.circuit.list_picture import Row, page
from hardware.circuit.netlist import Part, netlist
from hardware.drawing import Drawing
from hardware.harness import End, Lead, Wire, joint, leads

_LINES: Final = 52  # in a column
_COLUMN: Final = 460.0
HEAD: Final[Row] = (
    "",
    ((0, "W"), (24, "from / z"), (150, "to / do"), (268, "colour / kolor"), (378, "mm"), (412, "S P B")),
)


def drawings(*, kostka: bool = True) -> Iterable[Drawing]:
    """The page of each build."""
    return [
        Drawing("harness-list", lambda: list_page(leads(netlist("full", "esp32", kostka=kostka)))),
        Drawing("harness-list-small", lambda: list_page(leads(netlist("small", "esp32", kostka=kostka)))),
    ]


def list_page(of: Iterable[Lead]) -> str:
    """Below each lead's name its wires: poles of its plug by their numbers, whatever colours a ready-made lead has."""
    rows: list[Row] = []
    for lead in of:
        if len(rows) % _LINES + len(lead.wires) >= _LINES:  # no lead is torn apart
            rows += [("", ())] * (-len(rows) % _LINES)
        if len(rows) % _LINES == 0:
            rows.append(HEAD)
        rows.append((f"W{lead.plug.ref.removeprefix('J')}   {lead.plug.ref} {lead.name}", ()))
        rows += [_row(wire, lead) for wire in lead.wires]
    return page(rows, _LINES, _COLUMN)


def _row(wire: Wire, lead: Lead) -> Row:
    parts = {part.ref: part for part in (lead.plug, *lead.parts)}
    ends = [_end(end, parts[end.ref]) for end in (wire.begin, wire.end)]
    how = joint(parts[wire.end.ref])
    length = str(wire.length or "")
    return "", ((24, ends[0]), (150, ends[1]), (268, wire.colour), (378, length), (412, f"{how.how}  {how.step}"))


def _end(end: End, part: Part) -> str:
    name = next(pin.name for pin in part.pins if pin.number == end.pin)
    return f"{part.ref} {end.pin}  {name}" if part.kind.startswith("connector") else f"{part.ref} {name}"
