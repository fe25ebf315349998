"""What data sheets say of the flat box's parts, copied by hand: pins, polarities, what stands where, a range for each
value.

Nothing here is taken from hardware/ or firmware/: it is what those two are compared with. Who changes a part writes
down here what its data sheet says, before anything is drawn anew.
"""

from __future__ import annotations

from typing import Final, NamedTuple


def _numbered(names: str) -> dict[str, str]:
    return {str(pad): name for pad, name in enumerate(names.split(), 1)}


# Numbers of pads and names of pins. A name with a bar over it (an enable) is written without it.

PINS: Final[dict[str, dict[str, str]]] = {
    # Espressif, "ESP32-S3-WROOM-1 & ESP32-S3-WROOM-1U Datasheet", "Pin Definitions".
    "module": _numbered(
        "GND 3V3 EN IO4 IO5 IO6 IO7 IO15 IO16 IO17 IO18 IO8 IO19 IO20 IO3 IO46 IO9 IO10 IO11 IO12 IO13 IO14 IO21 IO47"
        " IO48 IO45 IO0 IO35 IO36 IO37 IO38 IO39 IO40 IO41 IO42 RXD0 TXD0 IO2 IO1 GND GND"
    ),
    # Holtek, "HT16K33A", "Pin Assignment", 28 SOP; keys' names of the same pins are left out.
    "display-driver": _numbered(
        "VSS COM0 COM1 COM2 COM3 COM4 COM5 COM6 COM7 ROW15 ROW14 ROW13 ROW12 ROW11 ROW10 ROW9 ROW8 ROW7 ROW6 ROW5 ROW4"
        " ROW3 ROW2 ROW1 ROW0 SCL SDA VDD"
    ),
    # Worldsemi, "WS2812B", "PIN configuration"; the same of its copies in a housing of 5 x 5 mm with four pads.
    "lamp": {"1": "VDD", "2": "DOUT", "3": "VSS", "4": "DIN"},
    # Texas Instruments, "SN74AHCT1G125", "Pin Functions", DBV.
    "buffer": {"1": "OE", "2": "A", "3": "GND", "4": "Y", "5": "VCC"},
    # STMicroelectronics, "USBLC6-2", "Functional diagram (top view)", SOT23-6L.
    "usb-guard": {"1": "I/O1", "2": "GND", "3": "I/O2", "4": "I/O2", "5": "VBUS", "6": "I/O1"},
    # Texas Instruments, "TLV1117LV", "Pin Functions", DCY (SOT-223); the tab is OUT, too.
    "regulator": {"1": "GND", "2": "OUT", "3": "IN"},
    # Alpha & Omega, "AO3401A"; onsemi, "BSS138/D", style 21; SOT-23 from above.
    "mosfet-p": {"1": "G", "2": "S", "3": "D"},
    "mosfet-n": {"1": "G", "2": "S", "3": "D"},
    # onsemi, "MMBT2222LT1/D", style 6.
    "transistor": {"1": "B", "2": "E", "3": "C"},
    # USB-IF, "USB Type-C Specification", receptacle interface; those of a receptacle for USB 2.0 alone.
    "usb-socket": {
        "A1": "GND", "A4": "VBUS", "A5": "CC1", "A6": "D+", "A7": "D-", "A8": "SBU1", "A9": "VBUS", "A12": "GND",
        "B1": "GND", "B4": "VBUS", "B5": "CC2", "B6": "D+", "B7": "D-", "B8": "SBU2", "B9": "VBUS", "B12": "GND",
        "S1": "SHIELD",
    },
    # KiCad's footprints of parts with two poles: LEDs and diodes have their cathode at pad 1, electrolytics plus.
    "diode": {"1": "K", "2": "A"},
    "led": {"1": "K", "2": "A"},
    "capacitor-470u": {"1": "+", "2": "-"},
    "buzzer": {"1": "+", "2": "-"},
    # Ours alone: the pins of the main board and the socket of a display meet.
    "display-pins": {"1": "GND", "2": "SCL", "3": "SDA", "4": "5V"},
    "display-socket": {"1": "GND", "2": "SCL", "3": "SDA", "4": "5V"},
    "kostka-plug": {"1": "KOSTKA", "2": "GND"},
}  # fmt: skip

UNPOLARISED: Final = ("resistor-", "capacitor-1", "capacitor-22u", "fuse", "key-socket", "board-button", "test-point")

TYPES: Final = {
    "module": "ESP32-S3-WROOM-1", "display-driver": "HT16K33A", "lamp": "WS2812B", "buffer": "74AHCT1G125",
    "usb-guard": "USBLC6-2", "regulator": "TLV1117LV33", "mosfet-p": "AO3401A", "mosfet-n": "BSS138",
    "transistor": "MMBT2222A", "diode": "1N4148W", "usb-socket": "USB-C",
}  # fmt: skip
"""Whose data sheets these are: a part of another type has other pins."""

FOOTPRINTS: Final = {
    "module": "RF_Module:ESP32-S3-WROOM-1",
    "display-driver": "Package_SO:SOIC-28W_7.5x17.9mm_P1.27mm",
    "lamp": "LED_SMD:LED_WS2812B_PLCC4_5.0x5.0mm_P3.2mm",
    "buffer": "Package_TO_SOT_SMD:SOT-23-5",
    "usb-guard": "Package_TO_SOT_SMD:SOT-23-6",
    "regulator": "Package_TO_SOT_SMD:SOT-223-3_TabPin2",
    "mosfet-p": "Package_TO_SOT_SMD:SOT-23",
    "mosfet-n": "Package_TO_SOT_SMD:SOT-23",
    "transistor": "Package_TO_SOT_SMD:SOT-23",
    "diode": "Diode_SMD:D_SOD-123",
    "led": "LED_SMD:LED_0805_2012Metric",
    "capacitor-470u": "Capacitor_SMD:CP_Elec_8x10",
    "buzzer": "Buzzer_Beeper:MagneticBuzzer_StarMicronics_QMX",
    "usb-socket": "Connector_USB:USB_C_Receptacle_HRO_TYPE-C-31-M-12",
}
"""Those whose pads have the numbers above."""

ORDERED: Final = {
    "module": "WROOM-1-N8", "display-driver": "HT16K33A-28SOP", "lamp": "WS2812B", "usb-socket": "TYPE-C-31-M-12",
    "usb-guard": "USBLC6-2SC6", "mosfet-p": "AO3401A", "mosfet-n": "BSS138", "transistor": "MMBT2222A",
    "regulator": "TLV1117LV33DCY", "buffer": "AHCT1G125DBV", "diode": "1N4148W", "fuse": "1812P150", "buzzer": "R42",
    "kostka-plug": "S2B-XH-A",
    # three digits (capacitors, pF) or four (resistors, ohm), of which the last says how many noughts follow
    "capacitor-100n": "104", "capacitor-1u": "105", "capacitor-10u": "106", "capacitor-22u": "226",
    "capacitor-470u": "471M1C",  # 1C: 16 V
    "resistor-150": "1500", "resistor-330": "3300", "resistor-1k": "1001", "resistor-4k7": "4701",
    "resistor-5k1": "5101", "resistor-10k": "1002", "resistor-39k": "3902", "resistor-100k": "1003",
    "resistor-470k": "4703",
}  # fmt: skip
"""What a maker's number has in it for a part of the type, value and housing above."""

# What is on the pins of each part of the main board that can be put in or wired the wrong way round.

NETS: Final[dict[str, dict[str, str]]] = {
    "F1": {"1": "VBUS", "2": "VBUS_FUSED"},
    "U5": {"I/O1": "USB_N", "I/O2": "USB_P", "VBUS": "VBUS", "GND": "GND"},
    "Q1": {"G": "SLOW", "S": "VBUS_FUSED", "D": "+5V"},  # its diode leads from drain to source: it does not feed back
    "D3": {"K": "SLOW", "A": "GND"},
    "D2": {"K": "+5V", "A": "BUZZER_LOW"},  # it blocks, and takes what the coil gives back
    "C3": {"+": "+5V", "-": "GND"},
    "U2": {"IN": "+5V", "OUT": "+3V3", "GND": "GND"},
    "U3": {"OE": "GND", "A": "LAMPS", "Y": "LAMPS_BUFFERED", "GND": "GND", "VCC": "+5V"},
    "Q2": {"G": "+3V3", "S": "SDA", "D": "SDA_5V"},  # NXP, AN10441, figure 1: source and gate at the lower voltage
    "Q3": {"G": "+3V3", "S": "SCL", "D": "SCL_5V"},
    "Q4": {"B": "BUZZER_BASE", "E": "GND", "C": "BUZZER_LOW"},
    "LS1": {"+": "+5V", "-": "BUZZER_LOW"},
    "J6": {"KOSTKA": "KOSTKA_KEY", "GND": "GND"},
    **{f"J{number}": {"GND": "GND", "SCL": "SCL_5V", "SDA": "SDA_5V", "5V": "+5V"} for number in (2, 3, 4, 5)},
}
SOCKET: Final = {
    "GND": "GND", "VBUS": "VBUS", "CC1": "CC1", "CC2": "CC2", "D+": "USB_P", "D-": "USB_N", "SHIELD": "GND",
    "SBU1": "", "SBU2": "",
}  # fmt: skip
GPIOS: Final = {  # of the chip: the table of hardware/README.md, once more by hand
    "esp32": {
        "JUZ_A": 32, "DALEJ_A": 33, "JUZ_B": 25, "DALEJ_B": 26, "JUZ_C": 27, "DALEJ_C": 14, "JUZ_D": 13, "DALEJ_D": 23,
        "SEDZIA": 19, "KOSTKA": 34, "SDA": 21, "SCL": 22, "LAMPS": 18, "BUZZER": 4, "BATTERY_HALF": 35,
    },
    "esp32s3": {
        "JUZ_A": 4, "DALEJ_A": 5, "JUZ_B": 6, "DALEJ_B": 7, "JUZ_C": 15, "DALEJ_C": 16, "JUZ_D": 17, "DALEJ_D": 18,
        "SEDZIA": 21, "KOSTKA": 10, "SDA": 8, "SCL": 9, "LAMPS": 14, "BUZZER": 13, "BATTERY_HALF": 1,
    },
}  # fmt: skip
OWN: Final = {"IO19": "USB_N", "IO20": "USB_P", "IO0": "BOOT", "EN": "EN", "3V3": "+3V3", "GND": "GND"}
"""The same data sheet as the module's: what its other pins are; all that are named nowhere stay open."""
# ESP32 Series Datasheet and ESP32-S3 Series Datasheet: "Strapping Pins", "Pin Overview", "ADC".
STRAPPING: Final = {"esp32": {0, 2, 5, 12, 15}, "esp32s3": {0, 3, 45, 46}}
INPUT_ONLY: Final[dict[str, set[int]]] = {"esp32": {34, 35, 36, 39}, "esp32s3": set()}
ADC1: Final = {"esp32": {32, 33, 34, 35, 36, 37, 38, 39}, "esp32s3": {1, 2, 3, 4, 5, 6, 7, 8, 9, 10}}
FLASH_AND_PORT: Final = {
    "esp32": {6, 7, 8, 9, 10, 11, 1, 3},  # SPI flash; UART0
    "esp32s3": {26, 27, 28, 29, 30, 31, 32, 33, 34, 35, 36, 37, 43, 44, 19, 20},  # flash, octal PSRAM; UART0; USB
}
KEYS: Final = ("JUZ_A", "DALEJ_A", "JUZ_B", "DALEJ_B", "JUZ_C", "DALEJ_C", "JUZ_D", "DALEJ_D", "SEDZIA")
"""S1 to S9, and the chain's lamps after the ring."""
RING_PIXELS: Final = 24

# A display: its LEDs by digit and segment, the letters as everywhere; Holtek's memory.

COLUMNS: Final = {"1": "COM0", "2": "COM1", "0": "COM2", "3": "COM3", "4": "COM4"}
"""Of the digits from the left, and of the colon (0): Adafruit, LED backpack: digits at 0, 2, 6, 8, the colon at 4."""
ROWS: Final = {
    "a": "ROW0", "b": "ROW1", "c": "ROW2", "d": "ROW3", "e": "ROW4", "f": "ROW5", "g": "ROW6", "point": "POINTS",
    "colon": "ROW1",
}  # fmt: skip
LEDS: Final = {**dict.fromkeys("abcdefg", 2), "point": 1, "colon": 2}
WHERE: Final = {  # to the right of the middle of a digit, and below it, seen from in front
    "a": (0, -1),
    "b": (1, -1),
    "c": (1, 1),
    "d": (0, 1),
    "e": (-1, 1),
    "f": (-1, -1),
    "g": (0, 0),
    "point": (1, 1),
}
STRAPS: Final[dict[str, set[str]]] = {"A": set(), "B": {"ROW2"}, "C": {"ROW1"}, "D": {"ROW1", "ROW2"}}
"""Holtek, "Slave Addressing": a resistor from COM0's diode to ROW2 is A0, one to ROW1 is A1."""

# What stands on the board, as its makers' drawings have it before it is turned: x to the right, y downwards.

LOOKS: Final[dict[str, tuple[int, int]]] = {
    "U1": (0, -1),  # the antenna
    "J1": (0, 1),  # the mouth
    "J6": (0, 1),
    **{f"J{number}": (1, 0) for number in (2, 3, 4, 5)},  # the pins
}
"""Of parts that look out of the box, at its edge."""
PINS_MM: Final = ((0.0, 0.0), (0.0, 2.54), (0.0, 5.08), (0.0, 7.62))  # KiCad, PinHeader_1x04_P2.54mm_Horizontal
SOCKET_MM: Final = (-3.81, -1.27, 1.27, 3.81)  # along KiCad's PinSocket_1x04_P2.54mm_Vertical_SMD_Pin1Right
"""Pads 1 to 4 of the two halves of a display's plug."""


class Role(NamedTuple):
    """What a resistor or capacitor is for: between which nets, and from how much to how much (ohm or farad)."""

    what: str
    nets: frozenset[str]
    least: float
    most: float


def _role(what: str, one: str, other: str, least: float, most: float) -> Role:
    return Role(what, frozenset((one, other)), least, most)


def roles() -> dict[str, Role]:
    """That of each resistor and capacitor, by its reference."""
    found = {
        # USB-IF, "USB Type-C Specification", table of Rd: 5.1 kohm, 10 % to be told as a sink
        "R1": _role("pull-down of CC1", "CC1", "GND", 4600, 5600),
        "R2": _role("pull-down of CC2", "CC2", "GND", 4600, 5600),
        # USB 2.0, 7.2.4.1: 1 to 10 µF as it is plugged
        "C1": _role("capacitor of the plug", "VBUS_FUSED", "GND", 1e-6, 10e-6),
        "C2": _role("what makes the switch slow", "VBUS_FUSED", "SLOW", 470e-9, 4.7e-6),
        "R3": _role("what opens the switch", "SLOW", "GND", 220e3, 1e6),
        "C3": _role("reserve of 5 V", "+5V", "GND", 470e-6, 1000e-6),
        "R9": _role("what empties 5 V when the plug is pulled", "+5V", "GND", 470, 4700),
        "C4": _role("capacitor before the regulator", "+5V", "GND", 1e-6, 22e-6),
        # Texas Instruments, TLV1117LV: ceramic capacitors of 1 µF or more on either side
        "C5": _role("capacitor behind the regulator", "+3V3", "GND", 1e-6, 100e-6),
        "R7": _role("upper half of the divider", "+5V", "BATTERY_HALF", 47e3, 220e3),
        "R8": _role("lower half of the divider", "BATTERY_HALF", "GND", 47e3, 220e3),
        "C6": _role("reserve of the converter's input", "BATTERY_HALF", "GND", 47e-9, 220e-9),
        # Espressif, "ESP32-S3 Hardware Design Guidelines": 10 µF and 100 nF at the supply, 10 kohm and 1 µF at CHIP_PU
        "C7": _role("reserve of the module", "+3V3", "GND", 10e-6, 47e-6),
        "C8": _role("capacitor of the module", "+3V3", "GND", 47e-9, 220e-9),
        "R20": _role("pull-up of EN", "EN", "+3V3", 4700, 22e3),
        "C9": _role("capacitor of EN", "EN", "GND", 470e-9, 2.2e-6),
        "R22": _role("pull-up of BOOT", "BOOT", "+3V3", 4700, 22e3),
        # Adafruit, "NeoPixel Überguide": 300 to 500 ohm before the first pixel
        "R6": _role("series resistor of the lamps' data", "LAMPS_BUFFERED", "LAMPS_5V", 220, 470),
        "R5": _role("rest level of the lamps' data", "LAMPS", "GND", 4700, 100e3),
        "C10": _role("capacitor of the buffer", "+5V", "GND", 47e-9, 220e-9),
        "R23": _role("base resistor", "BUZZER", "BUZZER_BASE", 220, 470),
        "R24": _role("rest level of the base", "BUZZER_BASE", "GND", 4700, 47e3),
        # NXP, UM10204, "I2C-bus specification": at most 3 mA, and at 100 kHz at most 1 µs to rise
        "R25": _role("pull-up of SDA", "SDA", "+3V3", 2200, 10e3),
        "R26": _role("pull-up of SCL", "SCL", "+3V3", 2200, 10e3),
        "R27": _role("pull-up of SDA at 5 V", "SDA_5V", "+5V", 3300, 5600),
        "R28": _role("pull-up of SCL at 5 V", "SCL_5V", "+5V", 3300, 5600),
        "R10": _role("series resistor of Kostka", "KOSTKA_KEY", "KOSTKA", 470, 2200),
        "C20": _role("capacitor of Kostka", "KOSTKA_KEY", "GND", 47e-9, 220e-9),
        "R21": _role("pull-up of Kostka", "KOSTKA", "+3V3", 4700, 22e3),
    }
    for number, key in enumerate(KEYS, 11):
        found[f"R{number}"] = _role(f"series resistor of {key}", f"{key}_KEY", key, 470, 2200)
        found[f"C{number}"] = _role(f"capacitor of {key}", key, "GND", 47e-9, 220e-9)
    for number in range(51, 51 + RING_PIXELS + len(KEYS)):
        found[f"C{number}"] = _role("capacitor of a lamp", "+5V", "GND", 47e-9, 220e-9)
    for base, side in ((100, "A"), (200, "B"), (300, "C"), (400, "D")):
        ground, supply = f"{side}_GND", f"{side}_5V"
        found[f"C{base + 1}"] = _role(f"capacitor of display {side}", supply, ground, 47e-9, 220e-9)
        found[f"C{base + 2}"] = _role(f"reserve of display {side}", supply, ground, 4.7e-6, 22e-6)
        # Holtek, "Slave Addressing": 39 kohm
        found[f"R{base + 1}"] = _role(f"A0 of display {side}", f"{side}_ADDRESS", f"{side}_ROW2", 33e3, 47e3)
        found[f"R{base + 2}"] = _role(f"A1 of display {side}", f"{side}_ADDRESS", f"{side}_ROW1", 33e3, 47e3)
        found[f"R{base + 3}"] = _role(f"points of display {side}", f"{side}_ROW7", f"{side}_POINTS", 100, 330)
    return found


# Limits.

SUPPLIES: Final = {  # volts that a part's supply may have, by the data sheets above
    "module": (3.0, 3.6), "display-driver": (4.5, 5.5), "lamp": (3.5, 5.5), "buffer": (4.5, 5.5),
    "regulator": (2.0, 5.5),
}  # fmt: skip
RAIL_VOLTS: Final = (4.5, 5.5)
"""What the box is to work with: USB's 4.75 to 5.5 V, less 0.25 V in cable, fuse and switch."""
LEAST_VOLTS: Final = 2.7  # at which a chip still runs (Espressif: 3.0 V, its brown-out detector trips at 2.7)
OUT_VOLTS: Final = 3.3  # of the regulator
DROPOUT_VOLTS: Final = 0.5  # TLV1117LV: at most, at 0.5 A
GAIN: Final = 50  # the least of an MMBT2222A at 150 mA and 1 V (its data sheet); 100 at 10 V
BASE_VOLTS: Final = 1.2  # the most between base and emitter of one that conducts (the same)
BUZZER_OHMS: Final = 40
FLYBACK_MA: Final = 150  # 1N4148W: in the mean
SINK_MA: Final = 3.0  # what everything on an I2C bus must be able to pull down (UM10204)
GPIO_MA: Final = 20.0  # half of the 40 mA that a pin may give at most
PULL_UP_OHMS: Final = 45e3  # of a pin of the chip, typical
ADC_MV: Final = {"esp32": 2450, "esp32s3": 2900}
"""Up to which the converter is linear at 11 dB: ESP-IDF for the one, the data sheet for the other."""
READ_MV: Final = 3100  # about the most that either reads

# The firmware.

DIVIDER: Final = 2
I2C_HZ: Final = 100_000  # standard mode: what the pull-ups above are made for
FIRST_ADDRESS: Final = 0x70  # Holtek: 1110 A2 A1 A0
# Holtek, "Command Summary": system set-up with the oscillator on; display on and not blinking; dimming.
HT16K33: Final = {"_SYSTEM_ON": b"\x21", "_DISPLAY_ON": b"\x81"}
DIMMING: Final = range(0xE0, 0xF0)
DIGITS_AT: Final = (0, 2, 6, 8)
COLON_AT: Final = (4, 0x02)
# Segments by their letters, a on top, then clockwise, g in the middle; a is bit 0, the point bit 7.
SEGMENTS: Final = {
    "0": "abcdef", "1": "bc", "2": "abdeg", "3": "abcdg", "4": "bcfg", "5": "acdfg", "6": "acdefg", "7": "abc",
    "8": "abcdefg", "9": "abcdfg", "-": "g", " ": "",
}  # fmt: skip
