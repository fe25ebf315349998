"""The page of a display's board: its driver, and its digits as a matrix of the driver's columns and rows."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from hardware.flat.circuit import ADDRESS, COLON_COM, DIGIT_COMS, SEGMENTS, SIDES
from hardware.flat.page import Page, Placed
from hardware.flat.symbols import COLUMNS, ROWS

_DRIVER: Final = (48, 101)
_RIGHT: Final = 60  # the ends of its pins there
_CELLS: Final = (80, 44)  # where the first column's cells begin; how wide each is
_COLUMN: Final = 31  # from a cell's left end
_ENDS: Final = 304  # where the rows end
_POINTS: Final = 7  # their row
_UPPER, _LOWER = 5, 11  # a segment's two LEDs, below their row
_SEGMENT: Final = {  # lines of a digit four wide and eight high, and where their letters stand
    "a": ((0.4, 0), (3.6, 0), (1.6, -1.4)),
    "b": ((4, 0.4), (4, 3.6), (4.5, 1.5)),
    "c": ((4, 4.4), (4, 7.6), (4.5, 5.5)),
    "d": ((0.4, 8), (3.6, 8), (1.6, 8.4)),
    "e": ((0, 4.4), (0, 7.6), (-1.4, 5.5)),
    "f": ((0, 0.4), (0, 3.6), (-1.4, 1.5)),
    "g": ((0.4, 4), (3.6, 4), (1.6, 4.4)),
}


def display(page: Page, side: str) -> None:
    """Draws that side's."""
    place = SIDES.index(side)
    base = 100 * (place + 1)
    page.note(f"Display {side}: a board of its own, plugged onto the main one", 12, 12, 3.0, bold=True)
    driver = page.put(f"U{base + 1}", *_DRIVER)
    _supply(page, side, base, driver)
    _matrix(page, side, base)
    _address(page, side, place, base)
    _digit(page, 20, 150)


def _leds(page: Page, side: str) -> Iterator[str]:
    """References, in the circuit's order."""
    return (part.ref for part in page.parts.values() if part.piece == side and part.kind.name == "led")


def _matrix(page: Page, side: str, base: int) -> None:
    rows = [_DRIVER[1] + at for at, _ in ROWS]
    columns = [_CELLS[0] + _CELLS[1] * com + _COLUMN for com in range(len(COLUMNS))]
    for com, (at, _) in enumerate(COLUMNS):
        y = _DRIVER[1] + at
        page.wire((_RIGHT, y), (columns[com], y), (columns[com], rows[0] - 6))
        page.flag(f"{side}_COM{com}", (columns[com], rows[0] - 6), "right")
        name = "colon" if com == COLON_COM else f"digit {DIGIT_COMS.index(com) + 1}"
        page.note(name, columns[com] - 22, rows[0] - 7, 2.2, bold=True)
    resistor = page.put(f"R{base + 3}", 70, rows[_POINTS], 90)
    page.wire((_RIGHT, rows[_POINTS]), resistor.pin("1"))
    page.tag(f"{side}_ROW{_POINTS}", (62, rows[_POINTS]), 5)
    for row, y in enumerate(rows):
        page.wire(resistor.pin("2") if row == _POINTS else (_RIGHT, y), (_ENDS, y))
        page.flag(f"{side}_POINTS" if row == _POINTS else f"{side}_ROW{row}", (_ENDS, y), "right")
    leds = _leds(page, side)
    for com in DIGIT_COMS:
        for row, segment in enumerate(SEGMENTS):
            _segment(page, leds, rows[row], columns[com])
            page.note(segment, columns[com] + 1.5, rows[row] + (_UPPER + _LOWER) / 2 - 1, 2.5, bold=True)
        _point(page, next(leds), rows[_POINTS], columns[com])
    colon = SEGMENTS.index("b")
    _segment(page, leds, rows[colon], columns[COLON_COM])


def _segment(page: Page, leds: Iterator[str], row: int, column: int) -> None:
    """Two LEDs in parallel from a row to a column, one above the other."""
    for down in (_UPPER, _LOWER):
        _led(page, next(leds), row, down, column)


def _led(page: Page, led: str, row: int, down: int, column: int) -> None:
    left, y = column - _COLUMN, row + down
    placed = page.put(led, left + 17, y, value=False)
    page.wire((left + 3, row), (left + 3, y), placed.pin("A"))
    page.wire(placed.pin("K"), (column, y))


def _point(page: Page, led: str, row: int, column: int) -> None:
    _led(page, led, row, _UPPER, column)
    page.note("point", column + 1.5, row + _UPPER - 1, 1.8, bold=True)


def _supply(page: Page, side: str, base: int, driver: Placed) -> None:
    """Socket, capacitors, rails."""
    ground, supply = f"{side}_GND", f"{side}_5V"
    socket = page.put(f"J{base + 1}", 17, driver.pin("SDA")[1], value=False)
    for line, x, rise in (("SCL", 28, 3), ("SDA", 29, -3)):
        page.wire(socket.pin(line), driver.pin(line))
        page.tag(f"{side}_{line}", (x, driver.pin(line)[1]), rise)
    for pole, net, down in (("5V", supply, -4), ("GND", ground, 1)):
        x, y = socket.pin(pole)
        page.wire((x, y), (x + 3, y), (x + 3, y + down))
        page.rail(net, (x + 3, y + down))
    page.wire((14, 64), (30, 64))
    page.wire((14, 72), (30, 72))
    for number, x in ((1, 16), (2, 28)):
        capacitor = page.put(f"C{base + number}", x, 68)
        page.wire(capacitor.pin("1"), (x, 64))
        page.wire(capacitor.pin("2"), (x, 72))
    page.rail(supply, (30, 64))
    page.rail(ground, (30, 72))
    page.fed((14, 64))
    page.fed((14, 72), below=True)
    page.rail(supply, driver.pin("VDD"))
    page.rail(ground, driver.pin("VSS"))


def _address(page: Page, side: str, place: int, base: int) -> None:
    """The two bits of it that the sides need."""
    diode = page.put(f"D{base + 90}", 118, 205)
    page.wire((110, 205), diode.pin("A"))
    page.flag(f"{side}_COM0", (110, 205), "left")
    page.wire(diode.pin("K"), (143, 205))
    page.tag(f"{side}_ADDRESS", (124, 205), -4)
    for bit, row, y in ((0, 2, 200), (1, 1, 210)):
        resistor = page.put(f"R{base + 1 + bit}", 153, y, 90)
        page.wire((143, 205), (143, y), resistor.pin("1"))
        page.wire(resistor.pin("2"), (159, y))
        page.flag(f"{side}_ROW{row}", (159, y), "right")
    fitted = [ref for ref in (f"R{base + 1}", f"R{base + 2}") if page.parts[ref].fitted]
    page.note(
        f"The bus address is 0x{ADDRESS + place:02x}: R{base + 1} adds 1, R{base + 2} adds 2;\n"
        f"fitted here: {' and '.join(fitted) or 'neither'}. The driver reads it in every frame.",
        70, 186,
    )  # fmt: skip
    page.note(
        "Current flows from a row through two red LEDs in parallel to\n"
        "a column, one column after the other. A point is one LED, so\n"
        f"R{base + 3} leaves it about what one of two has (estimate).",
        170, 186,
    )  # fmt: skip


def _digit(page: Page, x: float, y: float, scale: float = 2.2) -> None:
    """Which segment is which."""
    for segment, (*ends, (letter_x, letter_y)) in _SEGMENT.items():
        page.stroke(*((x + scale * at, y + scale * down) for at, down in ends), wide=1.0)
        page.note(segment, x + scale * letter_x, y + scale * letter_y, 2.2, bold=True)
