"""The pages of the main board: the power's way, the module with its bus, the lamps, keys with Kostka and buzzer."""

from __future__ import annotations

from typing import Final

from hardware.flat import budget
from hardware.flat.circuit import BUTTONS, SIDES, circuit
from hardware.flat.page import Page, Placed, Spot
from moveclock.view import RING

HEADING: Final = 3.0  # mm
_LINE: Final = 52  # of the power, from left to right
_PITCH: Final = 32  # of the lamps in a row
_ROW: Final = 8


def _places() -> dict[str, tuple[str, ...]]:
    """What may be read off the line: lines by place; sums are those of `budget`."""
    start, module, warmth = budget.start(), budget.module(), budget.warmth()
    asking, plugged = circuit().by_ref["R1"].kind.value, budget.capacitance(("VBUS", "VBUS_FUSED")) * 1e6
    plain, *more = budget.PORT_A
    holds, trips = budget.FUSE_A
    return {
        "USB-C": (
            f"{asking} on each CC line ask for 5 V.",
            f"A plain port gives {plain:g} A, a charger",
            f"{' A or '.join(f'{each:g}' for each in more)} A. U5 leads a touch away",
            "before it reaches the chip.",
        ),
        "Fuse": (
            f"Holds {holds:g} A for ever at 20 °C, trips",
            f"at {trips:g} A, heals when it is cold. Only C1,",
            f"{plugged:.0f} µF, is before Q1: so much USB",
            "allows a plug to charge at once.",
        ),
        "Slow start": (
            f"After {start.begins:.1f} s R3 and C2 begin to open Q1,",
            f"which fills the {budget.behind() * 1e3:.2f} mF behind it in",
            f"{start.fills * 1e3:.0f} ms with some {start.most:.1f} A; open at {start.opened:.1f} s.",
            "D3 empties C2 as 5 V fall: once they",
            "are gone, the next start is slow, too.",
        ),
        "5 V": (
            f"Lamps, displays, buzzer, U2: {budget.game():.1f} A",
            f"in a game, {budget.most():.1f} A at most. C3 bears",
            "their steps. R7 and R8 halve it for the",
            f"chip, which reads {budget.halved():.1f} V if all is well.",
        ),
        "3.3 V": (
            f"U2 gives up to {budget.REGULATOR_A:g} A; the module takes",
            f"{module[0]:.1f} A, at worst {module[1]:.2f} A while it sends:",
            f"{warmth[0]:.1f} to {warmth[1]:.1f} W become warmth in U2.",
        ),
    }


def _shunt(page: Page, ref: str, x: int, y: int, *, length: int = 4, ground: str = "GND", turn: int = 0) -> Placed:
    """A part with two pins from a wire at y down to ground."""
    placed = page.put(ref, x, y + length + 3, turn)
    top, bottom = sorted((placed.pin("1"), placed.pin("2")), key=lambda spot: spot[1])
    page.wire((x, y), top)
    page.wire(bottom, (x, bottom[1] + 1))
    page.rail(ground, (x, bottom[1] + 1))
    return placed


def power(page: Page) -> None:
    """One line from the socket to 3.3 V, what belongs to each place of it below."""
    page.note("Power: USB-C, fuse, slow start, 5 V, regulator, 3.3 V", 12, 12, HEADING, bold=True)
    y = _LINE
    socket = page.put("J1", 24, y + 21)
    _usb(page, socket)
    fuse = page.put("F1", 92, y)
    page.wire(socket.pin("A4"), fuse.pin("1"))
    page.tag("VBUS", (50, y), 5)
    switch = page.put("Q1", 128, y)
    page.wire(fuse.pin("2"), switch.pin("S"))
    page.tag("VBUS_FUSED", (100, y), 5)
    _shunt(page, "C1", 104, y)
    slow = y + 18
    timing = page.put("C2", 116, y + 9)
    page.wire((116, y), timing.pin("1"))
    page.wire(timing.pin("2"), (116, slow), (144, slow))
    page.wire(switch.pin("G"), (128, slow))
    page.flag("SLOW", (144, slow), "right")
    _shunt(page, "R3", 128, slow)
    _shunt(page, "D3", 141, slow, turn=90)  # its cathode above
    regulator = page.put("U2", 236, y + 2)
    page.wire(switch.pin("D"), regulator.pin("IN"))
    page.fed((144, y))
    page.put("TP1", 162, y, value=False)
    page.rail("+5V", (174, y))
    _shunt(page, "C3", 152, y)
    _shunt(page, "C4", 166, y)
    _shunt(page, "R9", 178, y)
    upper = page.put("R7", 190, y + 7)
    page.wire((190, y), upper.pin("1"))
    half = y + 14
    page.wire(upper.pin("2"), (190, half), (212, half))
    page.flag("BATTERY_HALF", (212, half), "right")
    _shunt(page, "R8", 190, half)
    _shunt(page, "C6", 205, half)
    x, bottom = regulator.pin("GND")
    page.wire((x, bottom), (x, bottom + 1))
    page.rail("GND", (x, bottom + 1))
    page.wire(regulator.pin("OUT"), (284, y))
    _shunt(page, "C5", 258, y)
    page.put("TP2", 268, y, value=False)
    page.rail("+3V3", (284, y))
    page.put("TP3", 296, y + 10, value=False)
    page.wire((296, y + 10), (296, y + 12), (304, y + 12))
    page.rail("GND", (304, y + 12))
    page.fed((304, y + 12))
    _read_off(page)


def _usb(page: Page, socket: Placed) -> None:
    """What hangs on the socket besides the line."""
    x, y = socket.pin("A4")
    page.wire((x, y), (x + 2, y))
    for pin in ("A9", "B4", "B9"):
        at = socket.pin(pin)
        page.wire(at, (x + 2, at[1]))
    page.wire((x + 2, y), (x + 2, socket.pin("B9")[1]))
    for line, ref, pin in (("CC1", "R1", "A5"), ("CC2", "R2", "B5")):
        at = socket.pin(pin)
        resistor = page.put(ref, 54, at[1], 90)
        page.wire(at, resistor.pin("1"))
        page.tag(line, (38, at[1]), 2)
        page.wire(resistor.pin("2"), (62, at[1]), (62, socket.pin("B5")[1] + 1))
    page.rail("GND", (62, socket.pin("B5")[1] + 1))
    guard = page.put("U5", 76, socket.pin("A6")[1] + 4)
    for first, second, name, into, out in (("A6", "B6", "USB_P", "3", "4"), ("A7", "B7", "USB_N", "1", "6")):
        at, other = socket.pin(first), socket.pin(second)
        page.wire(at, guard.pin(into))
        page.tag(name, (50, at[1]), 3 if name == "USB_P" else -3)
        page.wire(other, (at[0] + 3, other[1]), (at[0] + 3, at[1]))
        page.wire(guard.pin(out), (90, at[1]))
        page.flag(name, (90, at[1]), "right")
    page.wire(guard.pin("VBUS"), (76, _LINE))
    page.rail("GND", guard.pin("GND"))
    grounds = [socket.pin(pin) for pin in ("A1", "A12", "B1", "B12", "S1")]
    for x, y in grounds:
        page.wire((x, y), (x, y + 1))
    page.wire((grounds[0][0], grounds[0][1] + 1), (grounds[-1][0], grounds[-1][1] + 1))
    page.rail("GND", (grounds[2][0], grounds[2][1] + 1))


def _read_off(page: Page) -> None:
    """What each place of the line bears."""
    for place, (name, lines) in enumerate(_places().items()):
        page.note(name, 14 + 62 * place, 122, 2.6, bold=True)
        page.note("\n".join(lines), 14 + 62 * place, 127)
    page.note("None of these figures is measured; hardware/flat/budget.py has their sums and sources.", 14, 144)


def module(page: Page) -> None:
    """The module between its labels; reset and start; the bus and its way to the displays."""
    page.note("Module, reset, bus to the displays", 12, 12, HEADING, bold=True)
    chip = page.put("U1", 120, 96)
    x, y = chip.pin("3V3")
    page.wire((x, y), (x, y - 9), (76, y - 9))
    page.rail("+3V3", (x, y - 9))
    for ref, at in (("C7", 76), ("C8", 90)):
        _shunt(page, ref, at, y - 9)
    grounds = [chip.pin(number) for number in ("1", "40", "41")]
    for x, y in grounds:
        page.wire((x, y), (x, y + 1))
    page.wire((grounds[0][0], y + 1), (grounds[2][0], y + 1))
    page.rail("GND", (grounds[1][0], y + 1))
    assert chip.part is not None
    for pin in chip.symbol.pins:
        net, (x, y) = chip.part.net(pin.number), chip.pin(pin.number)
        if net and pin.side == "left":
            page.wire((x, y), (x - 3, y))
            page.flag(net, (x - 3, y), "left")
        elif net and pin.side == "right" and net not in ("SDA", "SCL"):
            page.wire((x, y), (x + 3, y))
            page.flag(net, (x + 3, y), "right")
    _shifter(page, "SDA", 2, chip.pin("IO8"), 57)
    _shifter(page, "SCL", 3, chip.pin("IO9"), 96)
    for place, side in enumerate(SIDES):
        _display_pins(page, f"J{2 + place}", side, 46 + 34 * place)
    page.note("Reset", 30, 162, 2.2, bold=True)
    _started(page, "EN", "R20", "S11", 40, 184)
    _shunt(page, "C9", 54, 184)
    page.note("Start from USB: held while Reset is pressed", 110, 162, 2.2, bold=True)
    _started(page, "BOOT", "R22", "S12", 120, 184)
    page.note(
        "IO3, IO45 and IO46 stay open, as the module's own\nresistors want them while it starts. The keys'\n"
        "pull-ups are the chip's own.",
        14, 30,
    )  # fmt: skip
    page.note(
        "Q2 and Q3 join a line of 3.3 V with one of 5 V (NXP, AN10441):\nwho pulls either side low pulls both. "
        "The displays' driver asks for\n3.5 V as its high, so 3.3 V alone would not do.",
        170, 122,
    )  # fmt: skip


def _shifter(page: Page, line: str, number: int, begin: Spot, y: int) -> None:
    """From the chip's pin to the displays' side."""
    x, from_y = begin
    page.wire((x, from_y), (164, from_y), (164, y), (200, y))
    page.tag(line, (168, y), 3)
    _pull(page, f"R{23 + number}", 184, y, "+3V3")
    transistor = page.put(f"Q{number}", 204, y)
    page.wire(transistor.pin("G"), (204, y - 10))
    page.rail("+3V3", (204, y - 10))
    page.wire(transistor.pin("D"), (238, y))
    _pull(page, f"R{25 + number}", 222, y, "+5V")
    page.flag(f"{line}_5V", (238, y), "right")


def _pull(page: Page, ref: str, x: int, y: int, rail: str) -> None:
    """A resistor from a wire at y up to a rail."""
    resistor = page.put(ref, x, y - 7)
    page.wire((x, y), resistor.pin("2"))
    page.rail(rail, resistor.pin("1"))


def _display_pins(page: Page, ref: str, side: str, y: int) -> None:
    plug = page.put(ref, 292, y)
    for line in ("SCL", "SDA"):
        x, at = plug.pin(line)
        page.wire((x, at), (x - 3, at))
        page.flag(f"{line}_5V", (x - 3, at), "left")
    for pole, net in (("5V", "+5V"), ("GND", "GND")):
        x, at = plug.pin(pole)
        page.wire((x, at), (x - 3, at))
        page.rail(net, (x - 3, at))
    page.note(f"to display {side}", 299, y - 2)


def _started(page: Page, net: str, resistor: str, button: str, x: int, y: int) -> None:
    """A line that a small button pulls low."""
    page.flag(net, (x - 8, y), "left")
    _pull(page, resistor, x, y, "+3V3")
    key = page.put(button, x + 32, y)
    page.wire((x - 8, y), key.pin("1"))
    end = key.pin("2")
    page.wire(end, (end[0] + 2, end[1]), (end[0] + 2, end[1] + 2))
    page.rail("GND", (end[0] + 2, end[1] + 2))


def lamps(page: Page) -> None:
    """The buffer, then a row for each third of the ring, and one for the buttons and Sędzia."""
    page.note("Lamps: one chain, in the order of the data", 12, 12, HEADING, bold=True)
    buffer = page.put("U3", 80, 40)
    x, y = buffer.pin("A")
    page.flag("LAMPS", (36, y), "left")
    page.wire((36, y), (x, y))
    _shunt(page, "R5", 46, y)
    x, y = buffer.pin("OE")
    page.wire((x, y), (x - 3, y), (x - 3, y + 2))
    page.rail("GND", (x - 3, y + 2))
    page.rail("GND", buffer.pin("GND"))
    x, y = buffer.pin("VCC")
    page.wire((x, y), (x, y - 8), (106, y - 8))
    page.rail("+5V", (x, y - 8))
    _shunt(page, "C10", 106, y - 8, length=2)
    resistor = page.put("R6", 120, 40, 90)
    page.wire(buffer.pin("Y"), resistor.pin("1"))
    page.tag("LAMPS_BUFFERED", (92, 40), -4)
    page.wire(resistor.pin("2"), (130, 40))
    page.flag("LAMPS_5V", (130, 40), "right")
    page.note(
        "U3 lifts 3.3 V to the 5 V that the lamps want. R5 keeps them still while the chip starts.\n"
        "Every lamp is a WS2812B with a capacitor of its own: 60 mA at full white, 1 mA dark.\n"
        "All at full white would be 2 A: the firmware's colours take 0.2 A.",
        156, 30,
    )  # fmt: skip
    rows = [list(range(1 + _ROW * row, 1 + _ROW * (row + 1))) for row in range(RING // _ROW)]
    rows.append(list(range(RING + 1, RING + len(BUTTONS) + 2)))
    for place, row in enumerate(rows):
        _chain(page, row, 58 + 35 * place)


def _chain(page: Page, numbers: list[int], y: int) -> None:
    """A row of the chain under its rail."""
    page.rail("+5V", (22, y))
    page.wire((22, y), (32 + _PITCH * (len(numbers) - 1) + 13, y))
    before: Placed | None = None
    for place, number in enumerate(numbers):
        lamp = page.put(f"LP{number}", 32 + _PITCH * place, y + 19, shown="lights")
        assert lamp.part is not None
        page.wire((lamp.x, y), lamp.pin("VDD"))
        page.rail("GND", lamp.pin("VSS"))
        _shunt(page, f"C{50 + number}", lamp.x + 13, y, length=2)
        x, data = lamp.pin("DIN")
        if before is None:
            page.flag(lamp.part.net("DIN"), (x, data), "left")
        else:
            page.wire(before.pin("DOUT"), (x, data))
            page.tag(lamp.part.net("DIN"), (before.x + 10, data), -3)
        before = lamp
    assert before is not None
    assert before.part is not None
    if after := before.part.net("DOUT"):
        page.flag(after, before.pin("DOUT"), "right")


def keys(page: Page) -> None:
    """A cell for each key, a column for each side; Kostka's contact; the buzzer."""
    page.note("Keys, Kostka, buzzer", 12, 12, HEADING, bold=True)
    for number, name in enumerate((*BUTTONS, "SEDZIA"), 1):
        column, row = divmod(number - 1, 2) if name in BUTTONS else (0, 2)
        _key(page, number, name, 14 + 77 * column, 48 + 36 * row)
    page.note("Sędzia", 14, 114, 2.2, bold=True)
    for column, side in enumerate(SIDES):
        page.note(f"Side {side}", 14 + 77 * column, 28, 2.4, bold=True)
        for row, word in enumerate(("Już", "Dalej")):
            page.note(word, 14 + 77 * column, 42 + 36 * row, 2.2, bold=True)
    page.note(
        "A key pulls its line low through 1 kΩ within 0.1 ms; the chip's own 45 kΩ lift it within 5 ms.\n"
        "A touch by somebody who is charged meets the resistor and the capacitor before the chip.",
        91, 186,
    )  # fmt: skip
    _kostka(page, 91, 130)
    _buzzer(page, 14, 186)


def _key(page: Page, number: int, name: str, x: int, y: int) -> None:
    page.flag(name, (x + 14, y), "left")
    _shunt(page, f"C{10 + number}", x + 18, y)
    resistor = page.put(f"R{10 + number}", x + 30, y, 270)
    page.wire((x + 14, y), resistor.pin("2"))
    key = page.put(f"S{number}", x + 50, y)
    page.wire(resistor.pin("1"), key.pin("1"))
    page.tag(f"{name}_KEY", (x + 36, y), -5)
    end = key.pin("2")
    page.wire(end, (end[0] + 4, end[1]), (end[0] + 4, end[1] + 2))
    page.rail("GND", (end[0] + 4, end[1] + 2))


def _kostka(page: Page, x: int, y: int) -> None:
    page.note("Kostka: the contact is closed while the tile is taken", x, y - 20, 2.2, bold=True)
    page.flag("KOSTKA", (x + 14, y), "left")
    _pull(page, "R21", x + 20, y, "+3V3")
    resistor = page.put("R10", x + 34, y, 270)
    page.wire((x + 14, y), resistor.pin("2"))
    plug = page.put("J6", x + 90, y + 3)
    page.wire(resistor.pin("1"), plug.pin("KOSTKA"))
    page.tag("KOSTKA_KEY", (x + 40, y), -5)
    _shunt(page, "C20", x + 60, y)
    end = plug.pin("GND")
    page.wire(end, (end[0] - 2, end[1]), (end[0] - 2, end[1] + 2))
    page.rail("GND", (end[0] - 2, end[1] + 2))


def _buzzer(page: Page, x: int, y: int) -> None:
    page.note("Buzzer", x, y - 30, 2.2, bold=True)
    page.flag("BUZZER", (x + 14, y), "left")
    resistor = page.put("R23", x + 22, y, 90)
    page.wire((x + 14, y), resistor.pin("1"))
    transistor = page.put("Q4", x + 50, y)
    page.wire(resistor.pin("2"), transistor.pin("B"))
    page.tag("BUZZER_BASE", (x + 28, y), 4)
    _shunt(page, "R24", x + 36, y)
    page.wire(transistor.pin("E"), (x + 51, y + 5))
    page.rail("GND", (x + 51, y + 5))
    buzzer = page.put("LS1", x + 51, y - 18)
    diode = page.put("D2", x + 82, y - 18, 90)
    page.wire(buzzer.pin("-"), transistor.pin("C"))
    page.wire(diode.pin("A"), (x + 82, y - 10), (x + 51, y - 10))
    page.wire(diode.pin("K"), (x + 82, y - 23), (x + 51, y - 23), buzzer.pin("+"))
    page.rail("+5V", (x + 51, y - 23))
    page.flag("BUZZER_LOW", (x + 82, y - 10), "right")
