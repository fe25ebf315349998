"""The lists of the carrier's parts and wires as a page to print and tick off."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby
from typing import Final

from hardware.circuit.canvas import Canvas
from hardware.circuit.checks import powered, unpowered
from hardware.circuit.netlist import Netlist
from hardware.circuit.wirelist import part_rows, wire_rows

_LINE: Final = 19.0
_COLUMN: Final = 360.0
_WIDER: Final = 420.0
_MARGIN: Final = 24.0
_LINES: Final = 60  # in a column

Row = tuple[str, Sequence[tuple[float, str]]]  # a heading, or "", and words at their places

_BLANK: Final[Row] = ("", ())
PARTS_HEAD: Final[Row] = ("", ((0, "part / część"), (304, "holes / otwory")))
PROBES: Final = ("+ red, − black probe / + czerwona, − czarna sonda",)
OHMS: Final = ("∞: no beep / bez sygnału; D1: diode test / pomiar diody",)
"""Below `Ω` and `V`, and below `Ω` alone."""
WIRES_HEAD: Final[Row] = ("", ((0, "№"), (54, "from / z"), (170, "to / do"), (290, "mm")))


def parts_page(box: Netlist) -> str:
    """Reference, value and holes of each part, flat ones first; then what to measure, before any power and with it."""
    rows: list[Row] = [PARTS_HEAD]
    rows += [
        ("", ((24, ref), (64, value), (304, f"{first} – {last}"))) for ref, _, value, first, last in part_rows(box)
    ]
    for title, checks, notes in (("Ω", unpowered(box), (*PROBES, *OHMS)), ("V", powered(box), PROBES)):
        rows += [_BLANK, (title, ((24, "+"), (84, "−"))), *[("", ((0, note),)) for note in notes]]
        rows += [
            ("", ((24, check.plus.named), (84, check.minus.named), (134, check.what), (304, check.expect)))
            for check in checks
        ]
    half = -(-(len(rows) + 1) // 2)
    rows.insert(half, PARTS_HEAD)
    return page(rows, half, _WIDER)


def wires_page(box: Netlist) -> str:
    """Number, ends and millimetres of each wire below its net; `=` is a bridge of solder."""
    rows: list[Row] = []
    for net, wires in groupby(wire_rows(box), key=lambda row: row[1]):
        if len(rows) % _LINES == _LINES - 1:  # no heading at a column's end
            rows.append(_BLANK)
        if len(rows) % _LINES == 0:
            rows.append(WIRES_HEAD)
        rows.append((net, ()))
        for number, _, start, end, length in wires:
            if len(rows) % _LINES == 0:
                rows.append(WIRES_HEAD)
            words = length.replace("solder or", "= /").replace("solder", "=")
            rows.append(("", ((24, number), (54, start), (170, end), (290, words))))
    return page(rows, _LINES)


def page(rows: Sequence[Row], lines: int, column: float = _COLUMN) -> str:
    """Rows one below the other, so many in a column of so many pixels; a heading or a box to tick at each."""
    columns = -(-len(rows) // lines)
    canvas = Canvas(2 * _MARGIN + column * columns, 2 * _MARGIN + _LINE * lines)
    for place, (heading, words) in enumerate(rows):
        x, y = _MARGIN + column * (place // lines), _MARGIN + _LINE * (place % lines + 0.5)
        if heading:
            canvas.words((x, y), heading, 13, "start", bold=True)
        elif words and words[0][0]:
            canvas.box((x, y - 6), (12, 12))
        for across, text in words:
            canvas.words((x + across, y), text, 12, "start")
    return canvas.svg()
