"""The flat box's circuit as code: every part of the board's five pieces, and every net that joins their pins.

Numbers of the chip's pins come from firmware/board.py alone. The four displays are boards of their own that are broken
off and plugged onto the main one, so that a rail of a display is a net of its own. Nobody has built this circuit yet.
"""

from __future__ import annotations

import itertools
from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cache, cached_property
from typing import Final

from hardware.firmware import firmware_pins
from hardware.flat import parts as kinds
from hardware.flat.parts import Kind
from moveclock.view import RING

SIDES: Final = "ABCD"
MAIN: Final = "main"
ADDRESS: Final = 0x70  # of side A's display on the bus; B, C, D follow
SEGMENTS: Final = "abcdefg"
DIGIT_COMS: Final = (0, 1, 3, 4)
"""The columns of the four digits; the colon's is 2, in the row of segment b (firmware/devices/display.py)."""
COLON_COM: Final = 2
BUTTONS: Final = tuple(f"{button}_{side}" for side in SIDES for button in ("JUZ", "DALEJ"))
SUPPLIES: Final = ("GND", "VBUS", "VBUS_FUSED", "+5V", "+3V3")


@dataclass(frozen=True, slots=True)
class Part:
    """A part. `nets`: what each pin of its kind is on, `""` for one that stays open; `piece`: `main`, or a side's.

    `fitted`: whether it is put on the board at all. `fields`: `lights` of a lamp, `digit` and `segment` of an LED.
    """

    ref: str
    kind: Kind
    nets: tuple[str, ...]
    piece: str
    fitted: bool = True
    fields: tuple[tuple[str, str], ...] = ()

    def net(self, pin: str) -> str:
        """What the pin of that name or number is on; KeyError if there is none."""
        for (number, name, _), net in zip(self.kind.pins, self.nets, strict=True):
            if pin in (number, name):
                return net
        raise KeyError(f"{self.ref} has no pin {pin}")

    def field(self, name: str) -> str:
        """`""` if it has none of that name."""
        return dict(self.fields).get(name, "")

    def across(self, net: str) -> str:
        """The other end of a part with two pins."""
        first, second = self.nets
        return second if net == first else first


@dataclass(frozen=True)
class Circuit:
    """All parts, in the order of their references."""

    parts: tuple[Part, ...]

    @cached_property
    def by_ref(self) -> Mapping[str, Part]:
        return {part.ref: part for part in self.parts}

    @cached_property
    def nets(self) -> Mapping[str, tuple[tuple[Part, str], ...]]:
        """Every net by its name: parts and their pins' numbers; without pins that stay open."""
        found: defaultdict[str, list[tuple[Part, str]]] = defaultdict(list)
        for part in self.parts:
            for (number, _, _), net in zip(part.kind.pins, part.nets, strict=True):
                if net:
                    found[net].append((part, number))
        return {name: tuple(found[name]) for name in sorted(found)}

    def of_kind(self, *names: str) -> Iterator[Part]:
        """Parts whose kind's name begins so; all, if none is named."""
        return (part for part in self.parts if not names or part.kind.name.startswith(names))

    def on(self, net: str, *names: str) -> Iterator[Part]:
        """Parts of these kinds with a pin on this net."""
        return (part for part in self.of_kind(*names) if net in part.nets)

    def between(self, first: str, second: str, *names: str) -> list[Part]:
        """Parts with two pins that join these nets."""
        return [part for part in self.on(first, *names) if len(part.nets) == 2 and part.across(first) == second]

    def rewired(self, ref: str, pin: str, net: str) -> Circuit:
        """The same with one pin, by name or number, put on another net."""
        part = self.by_ref[ref]
        names = [(number, name) for number, name, _ in part.kind.pins]
        nets = tuple(net if pin in name else old for name, old in zip(names, part.nets, strict=True))
        return self.swapped(replace(part, nets=nets))

    def swapped(self, changed: Part) -> Circuit:
        """The same with this part in place of that of its reference."""
        return Circuit(tuple(changed if part.ref == changed.ref else part for part in self.parts))

    def without(self, ref: str) -> Circuit:
        """The same with a part left out."""
        return Circuit(tuple(part for part in self.parts if part.ref != ref))


class _Bench:
    """A circuit in the making."""

    def __init__(self) -> None:
        self.parts: list[Part] = []

    def put(self, ref: str, kind: Kind, *nets: str, piece: str = MAIN, fitted: bool = True, **fields: str) -> None:
        """A part whose pins, in order, are on these nets."""
        if len(nets) != len(kind.pins):
            raise ValueError(f"{ref} has {len(kind.pins)} pins, and {len(nets)} nets are named")
        self.parts.append(Part(ref, kind, nets, piece, fitted, tuple(sorted(fields.items()))))


@cache
def circuit() -> Circuit:
    """That of the whole box."""
    bench = _Bench()
    _power(bench)
    _module(bench)
    _lamps(bench)
    _buttons(bench)
    _kostka(bench)
    _buzzer(bench)
    _bus(bench)
    for place, side in enumerate(SIDES):
        _display(bench, place, side)
    return Circuit(tuple(sorted(bench.parts, key=lambda part: _natural(part.ref))))


def _natural(ref: str) -> tuple[str, int]:
    letters = ref.rstrip("0123456789")
    return letters, int(ref[len(letters) :])


def _power(bench: _Bench) -> None:
    """USB-C, a fuse, a switch that lets current in slowly, 3.3 V; half of 5 V for the chip to read."""
    socket = {"VBUS": "VBUS", "GND": "GND", "SHIELD": "GND", "CC1": "CC1", "CC2": "CC2", "D+": "USB_P", "D-": "USB_N"}
    bench.put("J1", kinds.USB_SOCKET, *(socket.get(name, "") for _, name, _ in kinds.USB_SOCKET.pins))
    bench.put("R1", kinds.RESISTOR_5K1, "CC1", "GND")
    bench.put("R2", kinds.RESISTOR_5K1, "CC2", "GND")
    bench.put("U5", kinds.USB_GUARD, "USB_N", "GND", "USB_P", "USB_P", "VBUS", "USB_N")
    bench.put("F1", kinds.FUSE, "VBUS", "VBUS_FUSED")
    bench.put("C1", kinds.CAPACITOR_10U, "VBUS_FUSED", "GND")
    bench.put("Q1", kinds.MOSFET_P, "SLOW", "VBUS_FUSED", "+5V")
    bench.put("C2", kinds.CAPACITOR_1U, "VBUS_FUSED", "SLOW")
    bench.put("R3", kinds.RESISTOR_470K, "SLOW", "GND")
    bench.put("D3", kinds.DIODE, "SLOW", "GND")  # empties C2 when the plug is pulled: the next start is slow, too
    bench.put("C3", kinds.CAPACITOR_470U, "+5V", "GND")
    bench.put("C4", kinds.CAPACITOR_10U, "+5V", "GND")
    bench.put("R9", kinds.RESISTOR_1K, "+5V", "GND")  # what D3 waits for: nothing else draws below 1.5 V
    bench.put("U2", kinds.REGULATOR, "GND", "+3V3", "+5V")
    bench.put("C5", kinds.CAPACITOR_22U, "+3V3", "GND")
    bench.put("R7", kinds.RESISTOR_100K, "+5V", "BATTERY_HALF")
    bench.put("R8", kinds.RESISTOR_100K, "BATTERY_HALF", "GND")
    bench.put("C6", kinds.CAPACITOR_100N, "BATTERY_HALF", "GND")
    for number, net in enumerate(("+5V", "+3V3", "GND"), 1):
        bench.put(f"TP{number}", kinds.TEST_POINT, net)


def _module(bench: _Bench) -> None:
    """The module on the firmware's pins, its reset and its two small buttons for who repairs it."""
    pins = firmware_pins()
    of_gpio = {
        **dict(zip(pins.buttons, BUTTONS, strict=True)),
        pins.sedzia: "SEDZIA", pins.kostka: "KOSTKA", pins.sda: "SDA", pins.scl: "SCL", pins.lamps: "LAMPS",
        pins.buzzer: "BUZZER", pins.battery: "BATTERY_HALF", 19: "USB_N", 20: "USB_P", 0: "BOOT",
    }  # fmt: skip
    nets = {"GND": "GND", "3V3": "+3V3", "EN": "EN", **{f"IO{gpio}": net for gpio, net in of_gpio.items()}}
    bench.put("U1", kinds.MODULE, *(nets.get(name, "") for _, name, _ in kinds.MODULE.pins))
    bench.put("C7", kinds.CAPACITOR_22U, "+3V3", "GND")
    bench.put("C8", kinds.CAPACITOR_100N, "+3V3", "GND")
    bench.put("R20", kinds.RESISTOR_10K, "+3V3", "EN")
    bench.put("C9", kinds.CAPACITOR_1U, "EN", "GND")
    bench.put("R22", kinds.RESISTOR_10K, "+3V3", "BOOT")
    bench.put("S11", kinds.BOARD_BUTTON, "EN", "GND")
    bench.put("S12", kinds.BOARD_BUTTON, "BOOT", "GND")


def _lamps(bench: _Bench) -> None:
    """The buffer, then the chain as data runs through it: ring, buttons, Sędzia; a capacitor at each."""
    bench.put("U3", kinds.BUFFER, "GND", "LAMPS", "GND", "LAMPS_BUFFERED", "+5V")
    bench.put("C10", kinds.CAPACITOR_100N, "+5V", "GND")
    bench.put("R5", kinds.RESISTOR_10K, "LAMPS", "GND")  # while the chip starts, its pin is open
    bench.put("R6", kinds.RESISTOR_330, "LAMPS_BUFFERED", "LAMPS_5V")
    chain = [*(f"RING_{place}" for place in range(RING)), *BUTTONS, "SEDZIA"]
    data = "LAMPS_5V"
    for number, lights in enumerate(chain, 1):
        after = "" if number == len(chain) else f"LAMPS_{number}"
        bench.put(f"LP{number}", kinds.LAMP, "+5V", after, "GND", data, lights=lights)
        bench.put(f"C{50 + number}", kinds.CAPACITOR_100N, "+5V", "GND")
        data = after


def _buttons(bench: _Bench) -> None:
    """Nine contacts to ground, each with its resistor and capacitor (facts.md 8.2)."""
    for number, name in enumerate((*BUTTONS, "SEDZIA"), 1):
        bench.put(f"S{number}", kinds.KEY, f"{name}_KEY", "GND")
        bench.put(f"R{10 + number}", kinds.RESISTOR_1K, f"{name}_KEY", name)
        bench.put(f"C{10 + number}", kinds.CAPACITOR_100N, name, "GND")


def _kostka(bench: _Bench) -> None:
    bench.put("J6", kinds.KOSTKA_PLUG, "KOSTKA_KEY", "GND")
    bench.put("R10", kinds.RESISTOR_1K, "KOSTKA_KEY", "KOSTKA")
    bench.put("C20", kinds.CAPACITOR_100N, "KOSTKA_KEY", "GND")
    bench.put("R21", kinds.RESISTOR_10K, "+3V3", "KOSTKA")


def _buzzer(bench: _Bench) -> None:
    bench.put("R23", kinds.RESISTOR_330, "BUZZER", "BUZZER_BASE")
    bench.put("R24", kinds.RESISTOR_10K, "BUZZER_BASE", "GND")  # silent while the chip starts
    bench.put("Q4", kinds.TRANSISTOR, "BUZZER_BASE", "GND", "BUZZER_LOW")
    bench.put("LS1", kinds.BUZZER, "+5V", "BUZZER_LOW")
    bench.put("D2", kinds.DIODE, "+5V", "BUZZER_LOW")


def _bus(bench: _Bench) -> None:
    """I2C at 3.3 V and, behind two transistors, at the displays' 5 V (NXP, AN10441)."""
    for number, line in ((2, "SDA"), (3, "SCL")):
        bench.put(f"Q{number}", kinds.MOSFET_N, "+3V3", line, f"{line}_5V")
        bench.put(f"R{23 + number}", kinds.RESISTOR_4K7, "+3V3", line)
        bench.put(f"R{25 + number}", kinds.RESISTOR_4K7, "+5V", f"{line}_5V")
    for place in range(len(SIDES)):
        bench.put(f"J{2 + place}", kinds.DISPLAY_PINS, "GND", "SCL_5V", "SDA_5V", "+5V")


def _display(bench: _Bench, place: int, side: str) -> None:
    """A side's board: driver, its address, digits of two LEDs a segment, a colon of two. References are in hundreds.

    The two are in parallel: together they are to the driver what the one of a common digit is, down to 4.5 V.

    Where a bit of the address is 1, a diode and 39 kOhm lead from COM0 to its row (Holtek, "HT16K33", addresses).
    """
    base = 100 * (place + 1)

    def put(letters: str, number: int, kind: Kind, *nets: str, fitted: bool = True, **fields: str) -> None:
        named = [f"{side}_{net}" if net else "" for net in nets]
        bench.put(f"{letters}{base + number}", kind, *named, piece=side, fitted=fitted, **fields)

    put("J", 1, kinds.DISPLAY_SOCKET, "GND", "SCL", "SDA", "5V")
    used = {"VSS": "GND", "VDD": "5V", "SCL": "SCL", "SDA": "SDA"}
    used |= {f"COM{com}": f"COM{com}" for com in (*DIGIT_COMS, COLON_COM)} | {
        f"ROW{row}": f"ROW{row}" for row in range(8)
    }
    put("U", 1, kinds.DISPLAY_DRIVER, *(used.get(name, "") for _, name, _ in kinds.DISPLAY_DRIVER.pins))
    put("C", 1, kinds.CAPACITOR_100N, "5V", "GND")
    put("C", 2, kinds.CAPACITOR_10U, "5V", "GND")
    put("D", 90, kinds.DIODE, "ADDRESS", "COM0")
    for bit, row in ((0, 2), (1, 1)):
        put("R", 1 + bit, kinds.RESISTOR_39K, "ADDRESS", f"ROW{row}", fitted=bool(place >> bit & 1))
    put("R", 3, kinds.RESISTOR_150, "ROW7", "POINTS")
    numbers = itertools.count(1)
    for digit, com in enumerate(DIGIT_COMS, 1):
        for row, segment in enumerate(SEGMENTS):
            for _ in range(2):
                put("D", next(numbers), kinds.LED, f"COM{com}", f"ROW{row}", digit=str(digit), segment=segment)
        put("D", next(numbers), kinds.LED, f"COM{com}", "POINTS", digit=str(digit), segment="point")
    for _ in range(2):
        row = SEGMENTS.index("b")
        put("D", next(numbers), kinds.LED, f"COM{COLON_COM}", f"ROW{row}", digit="0", segment="colon")
