"""The schematic's sheets: which part stands where. What the parts are and what they are joined to is the circuit's."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Final

from hardware.circuit.box import SIDES
from hardware.circuit.netlist import Netlist
from hardware.circuit.sketch import Pen

Sheet = Callable[[Pen, Netlist], None]


def power(pen: Pen, _: Netlist) -> None:
    """Pack, its plug, fuse, charger, switch, the board's diode and reserve, the divider."""
    pen.row((-8, -1.6), "PACK_MINUS", "BT1")
    pen.block((-5.2, 1.2), "X1", ("1", "2"), ())  # the two halves of the plug, face to face
    pen.block((-2.4, 1.2), "X2", (), ("1", "2"))
    pen.row((-0.5, -1.6), "CELL", "F1")
    pen.block((8, 1.2), "U4", ("1", "2"), ("3", "4"))
    pen.block((20, 1.2), "J11", ("1", "2", "3"), ())
    pen.row((0, -4), "+5V_CHARGER", "SW1", "D1", "/C1")
    pen.row((13.5, -4), "BATTERY", "R7", "/C2", "R8")


def brain(pen: Pen, box: Netlist) -> None:
    """The development board as it lies, the antenna up."""
    numbers = [pin.number for pin in box.by_ref["U1"].pins]
    left = [number for number in numbers if number.startswith("L")]
    right = [number for number in numbers if number.startswith("R")]
    pen.block((0, 0), "U1", left, right)


def sides(pen: Pen, box: Netlist) -> None:
    """Plug, buttons and their protection, side by side."""
    for place, plug in enumerate(box.of_kind("connector-6")):
        x, y = 16.6 * (place % 2), -9 * (place // 2)
        pen.block((x, y), plug.ref, ("1", "2", "3", "4", "5", "6"), ())
        for step in range(2):
            number = 2 * place + step + 1
            pen.row(
                (x + 4.8, y - 0.4 - 4.2 * step),
                _chip(box, 10 + number),
                f"R{10 + number}",
                f"/C{10 + number}",
                f"S{number}",
            )


def top(pen: Pen, box: Netlist) -> None:
    """The plug to ring and Sędzia, Sędzia itself; the plug of the Kostka with its contact."""
    pen.block((0, 0), "J9", [str(number) for number in range(1, 8)], ())
    pen.row((6, -0.4), _chip(box, 19), "R19", "/C19", "S9")
    if box.kostka:
        pen.block((0, -8), "J10", ("1", "2"), ())
        pen.row((6, -8.4), _chip(box, 20), "^R21", "R20", "/C20", "S10")


def _chip(box: Netlist, number: int) -> str:
    """The net between a contact's resistor and the chip."""
    return box.by_ref[f"R{number}"].net("2")


def lamps(pen: Pen, box: Netlist) -> None:
    """Buffer and resistor, then the chain as data runs through it."""
    pen.block((0, 0), "U2", [str(number) for number in range(1, 8)], [str(number) for number in range(14, 7, -1)])
    pen.row((10.5, -0.4), "LAMPS_BUFFERED", "R1")
    pen.row((17.5, -0.4), "LAMPS", "/R2")
    pen.row((20.5, -0.4), "+5V", "/C4")
    pen.row((23.5, -0.4), "+5V", "/C3")
    chain = [part.ref for part in box.parts if part.kind in ("ring", "pixel")]
    for place, ref in enumerate(chain):
        pen.block((1 + 11 * (place % 3), -8 - 3.6 * (place // 3)), ref, ("3", "1"), ("4", "2"))


def displays(pen: Pen, _: Netlist) -> None:
    """Shifter and pull-ups, then plug and display of each side."""
    pen.block((0, 0), "U3", [str(number) for number in range(1, 7)], [str(number) for number in range(12, 6, -1)])
    pen.row((10, -3), "SDA", "^R3")
    pen.row((13, -3), "SCL", "^R4")
    for place in range(len(SIDES)):
        y = -7.5 - 4.6 * (place // 2)
        pen.block((0.5 + 14 * (place % 2), y), f"J{place + 1}", ("1", "2", "3", "4"), ())
        pen.block((7 + 14 * (place % 2), y), f"DS{place + 1}", ("1", "2", "3", "4"), ())


def buzzer(pen: Pen, _: Netlist) -> None:
    """The transistor, and what is across the buzzer."""
    pen.row((0, 0), "BUZZER", "R5", "/R6")
    pen.transistor((8, 0.5), "Q1")
    pen.block((14.5, 2.5), "LS1", ("1",), ("2",))
    for place, ref in enumerate(("D2", "R9")):
        pen.row((14, -1.2 - 2.4 * place), "+5V", ref)


SHEETS: Final[Mapping[str, Sheet]] = {
    "power": power,
    "brain": brain,
    "sides": sides,
    "top": top,
    "lamps": lamps,
    "displays": displays,
    "buzzer": buzzer,
}


def drawn(box: Netlist, sheet: str) -> tuple[str, list[str]]:
    """A sheet of this box as SVG, and the references on it."""
    pen = Pen(box)
    SHEETS[sheet](pen, box)
    return pen.svg(), pen.drawn


def all_drawn(box: Netlist) -> Iterator[tuple[str, str, list[str]]]:
    """Name, SVG and references of every sheet."""
    return ((sheet, *drawn(box, sheet)) for sheet in SHEETS)
