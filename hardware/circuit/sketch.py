"""schemdraw, brought in without matplotlib, and a pen that draws parts of a netlist with it.

The pen takes every reference, value and net from the netlist: a sheet says only what stands where.
"""

from __future__ import annotations

import importlib
import re
import sys
from collections.abc import Sequence
from functools import partial
from typing import Any, Final
from xml.etree import ElementTree as ET

from hardware.circuit.netlist import Netlist, Part

Point = tuple[float, float]

_SVG: Final = "http://www.w3.org/2000/svg"
_WORDS: Final = 12.0
_SMALL: Final = 10.0
_STEP: Final = 3.2  # from node to node of a row
_PIN: Final = 0.72  # from pin to pin of a block


def _brought_in() -> tuple[Any, Any, Any]:
    found = sys.modules.get("matplotlib")
    sys.modules["matplotlib"] = None  # type: ignore[assignment] # it would be loaded for a backend that is not used
    try:
        schemdraw = importlib.import_module("schemdraw")
        schemdraw.use("svg")
        return schemdraw, importlib.import_module("schemdraw.elements"), importlib.import_module("schemdraw.segments")
    finally:
        del sys.modules["matplotlib"]
        if found is not None:
            sys.modules["matplotlib"] = found


schemdraw, elements, segments = _brought_in()

_SYMBOLS: Final = {
    "resistor": elements.ResistorIEC,
    "capacitor-100n": elements.Capacitor,
    "capacitor": partial(elements.Capacitor2, polar=True),
    "schottky": elements.Schottky,
    "flyback-diode": elements.Diode,
    "button": elements.Button,
    "kostka-switch": elements.Switch,
    "switch": elements.Switch,
    "battery": elements.BatteryCell,
    "fuse": elements.FuseIEC,
}


class Pen:
    """Draws one sheet. `drawn`: the references on it, in order."""

    def __init__(self, box: Netlist) -> None:
        self.drawn: list[str] = []
        self._box = box
        self._drawing = schemdraw.Drawing(show=False)
        self._drawing.config(fontsize=_WORDS, lw=1.5, unit=_STEP, bgcolor="white")
        self._plain = elements.Element()  # lines and words, at their own places whatever stands before them

    def svg(self) -> str:
        """The sheet, its numbers rounded; nothing can be added then."""
        self._drawing += self._plain.at((0, 0)).theta(0)
        ET.register_namespace("", _SVG)  # as schemdraw did, before another library named it otherwise
        text = self._drawing.get_imagedata("svg").decode()
        return re.sub(r"\d+\.\d{3,}", lambda number: f"{float(number.group()):.2f}", text) + "\n"

    def row(self, where: Point, net: str, *steps: str) -> None:
        """Parts in series from a net on; `/C11` hangs a part from the node down, `^R21` holds it up.

        ValueError if a part is not on the net of the node that it is drawn at.
        """
        x, y = where
        self._node((x, y), net, end=True)
        for step in steps:
            part = self._take(step.lstrip("/^"))
            if net not in part.nets:
                raise ValueError(f"{part.ref} is not on {net}")
            if step.startswith(("/", "^")):
                self._hang(part, (x, y), net, down=step.startswith("/"))
                continue
            following = part.across(net)
            self._symbol(part, net, (x, y), (x + _STEP, y))
            x, net = x + _STEP, following
            self._node((x, y), net)

    def block(self, where: Point, ref: str, left: Sequence[str], right: Sequence[str]) -> None:
        """A part as a box with pins by number on either side, from the top, each with its net; `""` leaves a gap."""
        part = self._take(ref)
        x, y = where
        width = (
            2.6
            if part.kind.startswith(("connector", "display", "pixel", "ring", "buzzer", "pack-plug", "battery-plug"))
            else 4.2
        )
        height = _PIN * max(len(left), len(right)) + 0.2
        corners = [(x, y), (x + width, y), (x + width, y - height), (x, y - height)]
        self._plain.segments.append(segments.SegmentPoly(corners, closed=True))
        self._words((x + width / 2, y + 0.62), part.ref, 13)
        self._words((x + width / 2, y + 0.25), _subtitle(part), _SMALL)
        pins = {pin.number: pin for pin in part.pins}
        for side, numbers in ((-1, left), (1, right)):
            edge = x if side < 0 else x + width
            for place, number in enumerate(numbers):
                if number:
                    level = y - _PIN * (place + 0.6)
                    self._pin((edge, level), side, pins[number].name, number, pins[number].net)

    def transistor(self, where: Point, ref: str) -> None:
        """An NPN transistor, base to the left at `where`."""
        part = self._take(ref)
        element = elements.BjtNpn(circle=True).theta(0).at(where).anchor("base")
        self._drawing += element
        x, y = where
        self._words((x + 1.5, y), f"{part.ref} {part.value}", _WORDS, "left")
        self._node(where, part.net("B"), end=True)
        for name, end in (("C", element.absanchors["collector"]), ("E", element.absanchors["emitter"])):
            self._end((end.x, end.y), part.net(name), down=name == "E")

    def _take(self, ref: str) -> Part:
        self.drawn.append(ref)
        return self._box.by_ref[ref]

    def _symbol(self, part: Part, net: str, start: Point, end: Point) -> None:
        kind = next(symbol for kind, symbol in _SYMBOLS.items() if part.kind.startswith(kind))
        backwards = net != part.pins[0].net
        if part.kind in ("schottky", "flyback-diode"):  # their symbols point to the cathode, which is the first pin
            backwards = not backwards
        begin, finish = (end, start) if backwards else (start, end)
        self._drawing += kind().at(begin).to(finish)
        if start[1] == end[1]:
            middle = (start[0] + end[0]) / 2
            self._words((middle, start[1] + 0.75), part.ref, _WORDS)
            self._words((middle, start[1] - 0.7), part.value, _SMALL)
        else:
            middle = (start[1] + end[1]) / 2
            self._words((start[0] - 0.45, middle + 0.2), part.ref, _WORDS, "right")
            self._words((start[0] - 0.45, middle - 0.2), part.value, _SMALL, "right")

    def _hang(self, part: Part, where: Point, net: str, *, down: bool) -> None:
        x, y = where
        far = y - 2.2 if down else y + 2.2
        self._symbol(part, net, where, (x, far))
        self._end((x, far), part.across(net), down=down)

    def _end(self, where: Point, net: str, *, down: bool) -> None:
        """A net at the end of something vertical."""
        x, y = where
        if net == "GND":
            self._drawing += elements.GroundSignal().theta(0).at(where)
            self._words((x + 0.75, y - 0.3), net, _SMALL)
        else:
            self._drawing += elements.Dot(open=True, radius=0.09).theta(0).at(where)
            self._words((x, y - 0.3 if down else y + 0.3), net, _SMALL)

    def _node(self, where: Point, net: str, *, end: bool = False) -> None:
        x, y = where
        self._drawing += elements.Dot(open=end, radius=0.09).theta(0).at(where)
        if net == "GND":
            self._drawing += elements.GroundSignal().theta(0).at(where)
            self._words((x + 0.75, y - 0.3), net, _SMALL)
        elif end:
            self._words((x - 0.2, y), net, _SMALL, "right")
        else:
            self._words((x, y + 0.3), net, _SMALL)

    def _pin(self, edge: Point, side: int, name: str, number: str, net: str) -> None:
        x, y = edge
        out = x + 0.6 * side
        self._plain.segments.append(segments.Segment([edge, (out, y)]))
        self._words((x - 0.12 * side, y), name, _SMALL, "left" if side < 0 else "right")
        self._words((x + 0.3 * side, y + 0.16), number, 7)
        if net:
            self._words((out + 0.12 * side, y), net, _SMALL, "right" if side < 0 else "left")
        else:
            self._words((out, y), "×", _WORDS)

    def _words(self, where: Point, text: str, size: float, side: str = "center") -> None:
        self._plain.segments.append(segments.SegmentText(where, text, align=(side, "center"), fontsize=size))


def _subtitle(part: Part) -> str:
    said = part.fields.get("lead") or part.fields.get("address") or part.fields.get("lights") or ""
    return f"{part.value} {said}".strip()
