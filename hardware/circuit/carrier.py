"""Where each part sits on the carrier, a perfboard with holes 2.54 mm apart, and which wires join the holes.

Columns are letters from the left, rows numbers from the top, seen from the side of the parts; 24 x 30 holes are enough,
so any board of 70 x 90 mm serves. The devkit sits on female headers with its USB socket at the lower edge; small parts
lie under it, each resistor beside its pin. Where a board's rows can be further apart, the next column is free: then the
right header goes there, and every wire that ends at it. Nobody has soldered one yet.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from math import hypot
from typing import Final, NamedTuple

from hardware.circuit.devkits import DEVKITS
from hardware.circuit.netlist import Netlist, Part, Pin

COLUMNS: Final = "ABCDEFGHIJKLMNOPQRSTUVWX"
ROWS: Final = 30
PITCH: Final = 2.54  # mm
WIDTH: Final = 70.0  # mm of the board
LENGTH: Final = 90.0
NEIGHBOURS: Final = 1.01 * PITCH
RAILS: Final = ("+3V3", "+5V", "+5V_BOARD", "GND")
MOST: Final = 3  # wires and bridges at a hole: no more than that can be soldered to one leg

_LEFT_PLUGS: Final = 2  # columns
_RIGHT_PLUGS: Final = 23
_LEFT_ROW: Final = 9  # of the devkit


class Hole(NamedTuple):
    """A hole by its column and row, both from 1."""

    column: int
    row: int

    def __str__(self) -> str:
        return f"{COLUMNS[self.column - 1]}{self.row}"


class Body(NamedTuple):
    """What a part covers, in holes, and its height in mm."""

    left: float
    top: float
    right: float
    bottom: float
    height: float

    def meets(self, other: Body) -> bool:
        """Whether the two cover the same place."""
        across = self.left < other.right - _TOUCH and other.left < self.right - _TOUCH
        return across and self.top < other.bottom - _TOUCH and other.top < self.bottom - _TOUCH

    def millimetres(self) -> Body:
        """The same in mm from the middle of the holes: to the right, and downwards."""
        across, down = (len(COLUMNS) + 1) / 2, (ROWS + 1) / 2
        left, right = (PITCH * (value - across) for value in (self.left, self.right))
        top, bottom = (PITCH * (value - down) for value in (self.top, self.bottom))
        return Body(left, top, right, bottom, self.height)


_TOUCH: Final = 0.01


@dataclass(frozen=True, slots=True)
class Spot:
    """Where a part sits: a hole for each of its pins by number, and its body."""

    ref: str
    holes: Mapping[str, Hole]
    body: Body


class End(NamedTuple):
    """A pin and its hole; `wide`: its hole if the board's rows are further apart, mostly the same."""

    ref: str
    pin: str
    hole: Hole
    wide: Hole

    @property
    def named(self) -> str:
        """Its hole, or `R/S12` for one that depends on the board."""
        return str(self.hole) if self.wide == self.hole else f"{COLUMNS[self.hole.column - 1]}/{self.wide}"

    def __str__(self) -> str:
        return f"{self.named} ({self.ref} {self.pin})"


class Wire(NamedTuple):
    """A wire of a net on the solder side; `bridge`: the holes are neighbours, and solder alone joins them."""

    net: str
    start: End
    end: End

    @property
    def length(self) -> float:
        """Millimetres from hole to hole."""
        return apart(self.start.hole, self.end.hole)

    @property
    def wide(self) -> float:
        """The same where the board's rows are further apart."""
        return apart(self.start.wide, self.end.wide)

    @property
    def bridge(self) -> bool:
        return self.length < NEIGHBOURS


def apart(one: Hole, other: Hole) -> float:
    """Millimetres from hole to hole."""
    return PITCH * hypot(one.column - other.column, one.row - other.row)


def spots(box: Netlist) -> dict[str, Spot]:
    """The place of every part that the carrier holds, by reference."""
    return {spot.ref: spot for spot in _spots(box)}


def wires(box: Netlist, placed: Mapping[str, Spot]) -> list[Wire]:
    """The shortest tree of wires for each net, solder bridges among them: first the rails, then the other nets.

    No hole takes more than `MOST` of them.
    """
    found = []
    for net, pins in sorted(box.nets.items(), key=lambda item: (item[0] not in RAILS, item[0])):
        ends = [end(box, pin, placed) for pin in pins if pin.ref in placed]
        found += _tree(net, sorted(ends, key=lambda end: (end.hole.row, end.hole.column)))
    return found


def end(box: Netlist, pin: Pin, placed: Mapping[str, Spot]) -> End:
    """Where a wire to this pin ends."""
    hole = wide = placed[pin.ref].holes[pin.number]
    if pin.ref == "U1" and pin.number.startswith("R"):
        devkit = DEVKITS[box.chip]
        wide = hole._replace(column=hole.column + devkit.wide - devkit.pitches)
    return End(pin.ref, _label(box, pin.ref, pin.number), hole, wide)


def _label(box: Netlist, ref: str, number: str) -> str:
    """What to look for at the part: a number, or what is printed there."""
    part = box.by_ref[ref]
    name = next(pin.name for pin in part.pins if pin.number == number)
    if part.kind == "devkit":
        return name.removeprefix("GPIO")
    return name if part.kind in ("level-shifter", "transistor", "schottky", "flyback-diode") else number


def _tree(net: str, ends: list[End]) -> list[Wire]:
    joined, left = ends[:1], ends[1:]
    taken: Counter[End] = Counter()
    found = []
    while left:
        wire = min(
            (Wire(net, start, end) for start in joined if taken[start] < MOST for end in left),
            key=lambda wire: (round(wire.length, 6), wire.start.hole, wire.end.hole),
        )
        found.append(wire)
        taken.update((wire.start, wire.end))
        joined.append(wire.end)
        left.remove(wire.end)
    return found


# The places: plugs at the left and right edges, shifter and buffer above the devkit, the tall rest to its left.


def _spots(box: Netlist) -> Iterator[Spot]:
    devkit = DEVKITS[box.chip]
    first = ROWS - len(devkit.left) + 1
    right = _LEFT_ROW + devkit.pitches
    holes = {f"L{place}": Hole(_LEFT_ROW, first + place - 1) for place in range(1, len(devkit.left) + 1)}
    holes |= {f"R{place}": Hole(right, first + place - 1) for place in range(1, len(devkit.right) + 1)}
    ends = (first - devkit.antenna / PITCH, ROWS + devkit.socket / PITCH)
    yield Spot("U1", holes, Body(_LEFT_ROW - 0.5, ends[0], right + 0.5, ends[1], 16))
    yield from _plugs(box)
    yield _module()
    yield _dip()
    yield from _beside(holes["L19" if box.chip == "esp32" else "L21"].row)
    yield from _below(box, holes, right)


_PLUGS: Final = {  # column and first row
    "J1": (_LEFT_PLUGS, 2), "J5": (_LEFT_PLUGS, 7), "J2": (_LEFT_PLUGS, 14), "J6": (_LEFT_PLUGS, 19),
    "J11": (_LEFT_PLUGS, 26), "J3": (_RIGHT_PLUGS, 2), "J7": (_RIGHT_PLUGS, 7), "J4": (_RIGHT_PLUGS, 14),
    "J8": (_RIGHT_PLUGS, 19), "J10": (_RIGHT_PLUGS, 26), "J9": (5, 7),
}  # fmt: skip


def _plugs(box: Netlist) -> Iterator[Spot]:
    """JST-XH: 2.5 mm from pole to pole, 2.45 mm beyond the outer ones, 5.75 mm deep (data sheet of the series)."""
    for part in box.of_kind("connector"):
        column, row = _PLUGS[part.ref]
        numbers = [pin.number for pin in part.pins]
        if column == _RIGHT_PLUGS:  # the slots of all are at the outer edge, so these are turned round
            numbers.reverse()
        holes = {number: Hole(column, row + place) for place, number in enumerate(numbers)}
        inner = 1.34 if column < len(COLUMNS) / 2 else 0.93
        body = Body(column + inner - 2.27, row - 0.97, column + inner, row + len(part.pins) - 0.03, 12)
        yield Spot(part.ref, holes, body)


def _module() -> Spot:
    low = {str(place): Hole(3 + place, 5) for place in range(1, 7)}
    high = {str(13 - place): Hole(3 + place, 1) for place in range(1, 7)}
    return Spot("U3", low | high, Body(3.4, 0.4, 9.6, 5.6, 12))


def _dip() -> Spot:
    """Its notch to the left."""
    lower = {str(place): Hole(13 + place, 5) for place in range(1, 8)}
    upper = {str(15 - place): Hole(13 + place, 2) for place in range(1, 8)}
    return Spot("U2", lower | upper, Body(13.2, 1.4, 20.8, 5.6, 9))


def _beside(supply: int) -> Iterator[Spot]:
    """What needs height or has its place near the plugs. `supply`: the row of the devkit's 5 V pin."""
    yield _axial("C4", Hole(12, 5), Hole(10, 5), 0.5)
    yield _round("C3", Hole(11, 2), Hole(12, 3), 8, 12)
    yield Spot("Q1", {"1": Hole(5, 15), "2": Hole(6, 15), "3": Hole(7, 15)}, Body(5, 14.3, 7, 15.9, 7))
    yield _round("LS1", Hole(6, 17), Hole(6, 20), 12, 9.5)
    yield _round("C1", Hole(6, 22), Hole(6, 24), 10, 20)
    yield _axial("D2", Hole(4, 26), Hole(7, 26), 0.5)
    yield _axial("R9", Hole(4, 27), Hole(7, 27))
    yield _axial("R6", Hole(4, 28), Hole(7, 28))
    yield _axial("D1", Hole(7, supply), Hole(4, supply), 0.53)
    yield _axial("R1", Hole(21, 7), Hole(21, 11))
    yield _axial("R2", Hole(21, 13), Hole(21, 17))
    yield _axial("R5", Hole(21, 19), Hole(21, 23))


def _axial(ref: str, first: Hole, second: Hole, half: float = 0.47) -> Spot:
    """Two leads in a line; `half` of its thickness in holes."""
    columns, rows = sorted((first.column, second.column)), sorted((first.row, second.row))
    flat = rows[0] == rows[1]
    body = Body(
        columns[0] - (0.2 if flat else half), rows[0] - (half if flat else 0.2),
        columns[1] + (0.2 if flat else half), rows[1] + (half if flat else 0.2), 6 if ref.startswith("C") else 3,
    )  # fmt: skip
    return Spot(ref, {"1": first, "2": second}, body)


def _round(ref: str, first: Hole, second: Hole, diameter: float, height: float) -> Spot:
    across, down = (first.column + second.column) / 2, (first.row + second.row) / 2
    half = diameter / PITCH / 2
    return Spot(ref, {"1": first, "2": second}, Body(across - half, down - half, across + half, down + half, height))


def _below(box: Netlist, holes: Mapping[str, Hole], right: int) -> Iterator[Spot]:
    """Under the devkit: a resistor with what belongs to it, in the row of its pin or the next free one."""
    free = sorted({hole.row for hole in holes.values()})
    for resistor, capacitor in _pairs(box):
        number = _pin(box, resistor)
        mirrored = number.startswith("R")
        row = min(free, key=lambda row: (abs(row - holes[number].row), row))
        free.remove(row)
        begin, step = (right - 1, -1) if mirrored else (_LEFT_ROW + 1, 1)
        near, far = Hole(begin, row), Hole(begin + 4 * step, row)
        chip = box.by_ref["U1"].net(number)
        ends = (near, far) if resistor.net("1") == chip else (far, near)
        yield _axial(resistor.ref, *ends)
        if capacitor:
            inner, outer = Hole(begin + 5 * step, row), Hole(begin + 7 * step, row)
            yield _axial(capacitor.ref, inner, outer, 0.49)


def _pairs(box: Netlist) -> Iterator[tuple[Part, Part | None]]:
    """Each contact's resistor with its capacitor, those of the battery, then single pull-ups."""
    for number in (*range(11, 19), 19, 20):
        if f"R{number}" in box.by_ref:
            yield box.by_ref[f"R{number}"], box.by_ref[f"C{number}"]
    yield box.by_ref["R8"], box.by_ref["C2"]
    for ref in ("R7", "R21", "R3", "R4"):
        if ref in box.by_ref:
            yield box.by_ref[ref], None


def _pin(box: Netlist, resistor: Part) -> str:
    """The number of the devkit's pin that the resistor is on."""
    return next(pin.number for pin in box.by_ref["U1"].pins if pin.name.startswith("GPIO") and pin.net in resistor.nets)
