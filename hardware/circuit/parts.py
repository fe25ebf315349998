"""The kinds of parts a box is soldered from: their pins, and what each pin does to the net it is on.

No part comes from a library of KiCad. `kind` is the key of the bill of materials, `place` says where the part sits.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

from hardware.circuit.library import skidl

_TYPES: Final = skidl.Pin.types
IN: Final = _TYPES.INPUT
OUT: Final = _TYPES.OUTPUT
BOTH: Final = _TYPES.BIDIR
PASSIVE: Final = _TYPES.PASSIVE
PULLED_UP: Final = _TYPES.PULLUP
SUPPLIED: Final = _TYPES.PWRIN
SUPPLY: Final = _TYPES.PWROUT

type_of_pin = tuple[str, str, Any]  # number, name, type


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of part. `pins`: number, name, type of each; `sockets`: what it is plugged into, kind -> quantity."""

    name: str
    value: str
    pins: tuple[type_of_pin, ...]
    sockets: tuple[tuple[str, int], ...] = ()


def _two(kind: str, value: str, first: str = "1", second: str = "2") -> Kind:
    return Kind(kind, value, (("1", first, PASSIVE), ("2", second, PASSIVE)))


def connector(poles: tuple[str, ...]) -> Kind:
    """A plug for a lead that leaves the carrier, with these poles."""
    pins = tuple((str(number), name, PASSIVE) for number, name in enumerate(poles, 1))
    return Kind(f"connector-{len(poles)}", f"JST-XH {len(poles)}", pins)


RESISTOR_330: Final = _two("resistor-330", "330 Ω")
RESISTOR_1K: Final = _two("resistor-1k", "1 kΩ")
RESISTOR_4K7: Final = _two("resistor-4k7", "4.7 kΩ")
RESISTOR_10K: Final = _two("resistor-10k", "10 kΩ")
RESISTOR_100K: Final = _two("resistor-100k", "100 kΩ")
CAPACITOR_100N: Final = _two("capacitor-100n", "100 nF")
CAPACITOR_470U: Final = _two("capacitor-470u", "470 µF", "+", "-")
CAPACITOR_1000U: Final = _two("capacitor-1000u", "1000 µF", "+", "-")
SCHOTTKY: Final = _two("schottky", "1N5819", "K", "A")
FLYBACK_DIODE: Final = _two("flyback-diode", "1N4148", "K", "A")
TRANSISTOR: Final = Kind("transistor", "BC337-40", (("1", "C", PASSIVE), ("2", "B", PASSIVE), ("3", "E", PASSIVE)))
BUZZER: Final = _two("buzzer", "passive, 40 Ω or more", "+", "-")
BUTTON_GREEN: Final = _two("button-green", "30 mm, green", "NO", "COM")
BUTTON_AMBER: Final = _two("button-amber", "30 mm, amber", "NO", "COM")
BUTTON_RED: Final = _two("button-red", "30 mm, red", "NO", "COM")
KOSTKA_SWITCH: Final = _two("kostka-switch", "lever microswitch", "NO", "COM")
FUSE: Final = _two("fuse", "3.15 A, slow")
SWITCH: Final = Kind("switch", "on/off, 2 A", (("1", "1", PASSIVE), ("2", "2", PASSIVE)), (("receptacle", 2),))
BATTERY: Final = Kind("battery", "3.7 V, protected", (("1", "+", SUPPLY), ("2", "-", PASSIVE)))
PACK_PLUG: Final = _two("pack-plug", "2 poles", "+", "-")  # comes with the pack
BATTERY_PLUG: Final = _two("battery-plug", "2 poles", "+", "-")  # the half that fits it
CHARGER: Final = Kind(
    "charger",
    "USB-C, 5 V 2 A",
    (("1", "BAT+", SUPPLIED), ("2", "BAT-", PASSIVE), ("3", "OUT+", SUPPLY), ("4", "OUT-", PASSIVE)),
)
DISPLAY: Final = Kind(
    "display",
    "HT16K33",
    (("1", "VCC", SUPPLIED), ("2", "GND", SUPPLIED), ("3", "SDA", BOTH), ("4", "SCL", IN)),
)
_LAMP: Final = (("1", "5V", SUPPLIED), ("2", "GND", SUPPLIED), ("3", "DIN", IN), ("4", "DOUT", OUT))
RING: Final = Kind("ring", "24 × WS2812B", _LAMP)
PIXEL: Final = Kind("pixel", "WS2812B", _LAMP)
LEVEL_SHIFTER: Final = Kind(  # BSS138 with 10 kΩ to its supply on either side of each channel
    "level-shifter",
    "BSS138, 4 channels",
    (
        ("1", "LV1", PULLED_UP), ("2", "LV2", PULLED_UP), ("3", "LV", SUPPLIED),
        ("4", "GND", SUPPLIED), ("5", "LV3", PULLED_UP), ("6", "LV4", PULLED_UP),
        ("7", "HV4", PULLED_UP), ("8", "HV3", PULLED_UP), ("9", "GND", SUPPLIED),
        ("10", "HV", SUPPLIED), ("11", "HV2", PULLED_UP), ("12", "HV1", PULLED_UP),
    ),
    (("header-female-6", 2),),
)  # fmt: skip
BUFFER: Final = Kind(  # SN74AHCT125, DIP-14
    "buffer",
    "74AHCT125",
    (
        ("1", "1OE", IN), ("2", "1A", IN), ("3", "1Y", OUT), ("4", "2OE", IN), ("5", "2A", IN), ("6", "2Y", OUT),
        ("7", "GND", SUPPLIED),
        ("8", "3Y", OUT), ("9", "3A", IN), ("10", "3OE", IN), ("11", "4Y", OUT), ("12", "4A", IN), ("13", "4OE", IN),
        ("14", "VCC", SUPPLIED),
    ),
    (("socket-dip14", 1),),
)  # fmt: skip
