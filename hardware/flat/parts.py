"""The kinds of parts on the flat box's board: their pins, what each does to its net, and the footprint they are put on.

Pins are those of the makers' data sheets; footprints are KiCad's own, but for a key switch's socket, which it lacks.
`name` is the key of `order.csv`, which says what to order.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

IN: Final = "input"
OUT: Final = "output"
BOTH: Final = "bidirectional"
PASSIVE: Final = "passive"
OPEN: Final = "no_connect"
SUPPLIED: Final = "power_in"
SUPPLY: Final = "power_out"
"""KiCad's words for what a pin does."""

SOCKET: Final = "Dalej:Kailh_MX_Socket"
"""The one footprint that is drawn here, in `layout`."""


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of part. `pins`: number (a pad's), name, what it does; pads of one number are one pin."""

    name: str
    value: str
    footprint: str
    pins: tuple[tuple[str, str, str], ...]


def _two(name: str, value: str, footprint: str, first: str = "1", second: str = "2") -> Kind:
    return Kind(name, value, footprint, (("1", first, PASSIVE), ("2", second, PASSIVE)))


def _resistor(name: str, value: str) -> Kind:
    return _two(f"resistor-{name}", value, "Resistor_SMD:R_0603_1608Metric")


def _poles(name: str, value: str, footprint: str, poles: tuple[str, ...]) -> Kind:
    return Kind(name, value, footprint, tuple((str(pole), each, PASSIVE) for pole, each in enumerate(poles, 1)))


RESISTOR_150: Final = _resistor("150", "150 Ω")
RESISTOR_330: Final = _resistor("330", "330 Ω")
RESISTOR_1K: Final = _resistor("1k", "1 kΩ")
RESISTOR_4K7: Final = _resistor("4k7", "4.7 kΩ")
RESISTOR_5K1: Final = _resistor("5k1", "5.1 kΩ")
RESISTOR_10K: Final = _resistor("10k", "10 kΩ")
RESISTOR_39K: Final = _resistor("39k", "39 kΩ")
RESISTOR_100K: Final = _resistor("100k", "100 kΩ")
RESISTOR_470K: Final = _resistor("470k", "470 kΩ")
CAPACITOR_100N: Final = _two("capacitor-100n", "100 nF", "Capacitor_SMD:C_0603_1608Metric")
CAPACITOR_1U: Final = _two("capacitor-1u", "1 µF", "Capacitor_SMD:C_0603_1608Metric")
CAPACITOR_10U: Final = _two("capacitor-10u", "10 µF", "Capacitor_SMD:C_0805_2012Metric")
CAPACITOR_22U: Final = _two("capacitor-22u", "22 µF", "Capacitor_SMD:C_0805_2012Metric")
CAPACITOR_470U: Final = _two("capacitor-470u", "470 µF", "Capacitor_SMD:CP_Elec_8x10", "+", "-")
FUSE: Final = _two("fuse", "1.5 A, resettable", "Fuse:Fuse_1812_4532Metric")
DIODE: Final = _two("diode", "1N4148W", "Diode_SMD:D_SOD-123", "K", "A")
LED: Final = _two("led", "red", "LED_SMD:LED_0805_2012Metric", "K", "A")
BUZZER: Final = _two("buzzer", "passive, 5 V, 42 Ω", "Buzzer_Beeper:MagneticBuzzer_StarMicronics_QMX", "+", "-")
KEY: Final = _two("key-socket", "MX", SOCKET)
BOARD_BUTTON: Final = _two("board-button", "tact", "Button_Switch_SMD:SW_Push_1P1T_XKB_TS-1187A")
TEST_POINT: Final = Kind("test-point", "pad", "TestPoint:TestPoint_Pad_D1.5mm", (("1", "1", PASSIVE),))
KOSTKA_PLUG: Final = _poles(
    "kostka-plug", "JST XH 2", "Connector_JST:JST_XH_S2B-XH-A_1x02_P2.50mm_Horizontal", ("KOSTKA", "GND")
)
DISPLAY_POLES: Final = ("GND", "SCL", "SDA", "5V")
DISPLAY_PINS: Final = _poles(
    "display-pins", "4 pins", "Connector_PinHeader_2.54mm:PinHeader_1x04_P2.54mm_Horizontal", DISPLAY_POLES
)
DISPLAY_SOCKET: Final = _poles(
    "display-socket",
    "4 poles",
    "Connector_PinSocket_2.54mm:PinSocket_1x04_P2.54mm_Vertical_SMD_Pin1Right",
    DISPLAY_POLES,
)
TRANSISTOR: Final = Kind(  # onsemi, MMBT2222A
    "transistor", "MMBT2222A", "Package_TO_SOT_SMD:SOT-23",
    (("1", "B", PASSIVE), ("2", "E", PASSIVE), ("3", "C", PASSIVE)),
)  # fmt: skip
MOSFET_N: Final = Kind(  # onsemi, BSS138
    "mosfet-n", "BSS138", "Package_TO_SOT_SMD:SOT-23",
    (("1", "G", IN), ("2", "S", PASSIVE), ("3", "D", PASSIVE)),
)  # fmt: skip
MOSFET_P: Final = Kind(  # Alpha & Omega, AO3401A
    "mosfet-p", "AO3401A", "Package_TO_SOT_SMD:SOT-23",
    (("1", "G", IN), ("2", "S", PASSIVE), ("3", "D", PASSIVE)),
)  # fmt: skip
REGULATOR: Final = Kind(  # Texas Instruments, TLV1117LV33, package DCY; its tab is pin 2
    "regulator", "TLV1117LV33", "Package_TO_SOT_SMD:SOT-223-3_TabPin2",
    (("1", "GND", SUPPLIED), ("2", "OUT", SUPPLY), ("3", "IN", SUPPLIED)),
)  # fmt: skip
BUFFER: Final = Kind(  # Texas Instruments, SN74AHCT1G125, package DBV
    "buffer", "74AHCT1G125", "Package_TO_SOT_SMD:SOT-23-5",
    (("1", "OE", IN), ("2", "A", IN), ("3", "GND", SUPPLIED), ("4", "Y", OUT), ("5", "VCC", SUPPLIED)),
)  # fmt: skip
USB_GUARD: Final = Kind(  # STMicroelectronics, USBLC6-2SC6
    "usb-guard", "USBLC6-2", "Package_TO_SOT_SMD:SOT-23-6",
    (
        ("1", "I/O1", PASSIVE), ("2", "GND", SUPPLIED), ("3", "I/O2", PASSIVE),
        ("4", "I/O2", PASSIVE), ("5", "VBUS", SUPPLIED), ("6", "I/O1", PASSIVE),
    ),
)  # fmt: skip
USB_SOCKET: Final = Kind(  # Korean Hroparts, TYPE-C-31-M-12
    "usb-socket", "USB-C", "Connector_USB:USB_C_Receptacle_HRO_TYPE-C-31-M-12",
    (
        ("A1", "GND", PASSIVE), ("A4", "VBUS", SUPPLY), ("A5", "CC1", BOTH), ("A6", "D+", BOTH), ("A7", "D-", BOTH),
        ("A8", "SBU1", OPEN), ("A9", "VBUS", PASSIVE), ("A12", "GND", PASSIVE), ("B1", "GND", PASSIVE),
        ("B4", "VBUS", PASSIVE), ("B5", "CC2", BOTH), ("B6", "D+", BOTH), ("B7", "D-", BOTH), ("B8", "SBU2", OPEN),
        ("B9", "VBUS", PASSIVE), ("B12", "GND", PASSIVE), ("S1", "SHIELD", PASSIVE),
    ),
)  # fmt: skip
LAMP: Final = Kind(  # Worldsemi, WS2812B
    "lamp", "WS2812B", "LED_SMD:LED_WS2812B_PLCC4_5.0x5.0mm_P3.2mm",
    (("1", "VDD", SUPPLIED), ("2", "DOUT", OUT), ("3", "VSS", SUPPLIED), ("4", "DIN", IN)),
)  # fmt: skip
DISPLAY_DRIVER: Final = Kind(  # Holtek, HT16K33A, package 28SOP
    "display-driver", "HT16K33A", "Package_SO:SOIC-28W_7.5x17.9mm_P1.27mm",
    (
        ("1", "VSS", SUPPLIED),
        *((str(2 + com), f"COM{com}", OUT) for com in range(8)),
        *((str(10 + step), f"ROW{15 - step}", OUT) for step in range(16)),
        ("26", "SCL", IN), ("27", "SDA", BOTH), ("28", "VDD", SUPPLIED),
    ),
)  # fmt: skip
MODULE_PINS: Final = (
    "GND", "3V3", "EN", "IO4", "IO5", "IO6", "IO7", "IO15", "IO16", "IO17", "IO18", "IO8", "IO19", "IO20",
    "IO3", "IO46", "IO9", "IO10", "IO11", "IO12", "IO13", "IO14", "IO21", "IO47", "IO48", "IO45",
    "IO0", "IO35", "IO36", "IO37", "IO38", "IO39", "IO40", "IO41", "IO42", "RXD0", "TXD0", "IO2", "IO1", "GND", "GND",
)  # fmt: skip
"""Names of the pads 1 to 41 of Espressif's ESP32-S3-WROOM-1; 41 lies under it."""
MODULE: Final = Kind(
    "module", "ESP32-S3-WROOM-1-N8", "RF_Module:ESP32-S3-WROOM-1",
    tuple(
        (str(number), name, {"GND": SUPPLIED, "3V3": SUPPLIED, "EN": IN}.get(name, BOTH))
        for number, name in enumerate(MODULE_PINS, 1)
    ),
)  # fmt: skip
