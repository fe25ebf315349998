"""What data sheets say of the parts, copied by hand: pins, polarities, what stands where, a range for each value.

Nothing here is taken from hardware/ or firmware/: it is what those two are compared with. Who changes a part writes
down here what its data sheet says, before anything is drawn anew.

Left out, because no data sheet says it for every maker: the order of the pads of displays, lamps, charger and switch
(theirs are names alone), which way round the level shifter's rows are printed, on which side of a JST-XH header the
first pole is seen from its slots, and how the maker of a battery has wired its plug: the guide has them measured.
"""

from __future__ import annotations

from typing import Final, NamedTuple

# Numbers and names of pins. A name with a bar over it (an enable) is written without it.

PINS: Final[dict[str, dict[str, str]]] = {
    # Texas Instruments, SN74AHCT125, "Pin Functions", package N: DIP-14.
    "buffer": {
        "1": "1OE", "2": "1A", "3": "1Y", "4": "2OE", "5": "2A", "6": "2Y", "7": "GND",
        "8": "3Y", "9": "3A", "10": "3OE", "11": "4Y", "12": "4A", "13": "4OE", "14": "VCC",
    },
    # onsemi, BC337/D: TO-92, case 29, style 17; Fairchild, BC337 / BC338: the same. A 2N3904 has E, B, C.
    "transistor": {"1": "C", "2": "B", "3": "E"},
}  # fmt: skip

# Pads that have names and no numbers.
PADS: Final[dict[str, set[str]]] = {
    # The backpack of Holtek's HT16K33 with four digits; Adafruit's says D, C, + and -.
    "display": {"VCC", "GND", "SDA", "SCL"},
    # Worldsemi, WS2812B: VDD, VSS, DIN, DOUT; rings and round boards print 5V and GND for the first two.
    "ring": {"5V", "GND", "DIN", "DOUT"},
    "pixel": {"5V", "GND", "DIN", "DOUT"},
    # Boards with an IP5306: a cell, and 5 V out; some print other words for the same four.
    "charger": {"BAT+", "BAT-", "OUT+", "OUT-"},
    # SparkFun, BOB-12009 and its many copies, two rows of six.
    "level-shifter": {"LV", "LV1", "LV2", "LV3", "LV4", "HV", "HV1", "HV2", "HV3", "HV4", "GND"},
    # Semiconductors and capacitors with two leads: a ring around the cathode, a stripe beside the minus.
    "schottky": {"K", "A"},
    "flyback-diode": {"K", "A"},
    "capacitor-470u": {"+", "-"},
    "capacitor-1000u": {"+", "-"},
    "buzzer": {"+", "-"},
    "battery": {"+", "-"},
    "pack-plug": {"+", "-"},
    "battery-plug": {"+", "-"},
    # A microswitch's third tab, NC, stays free.
    "button-green": {"NO", "COM"},
    "button-amber": {"NO", "COM"},
    "button-red": {"NO", "COM"},
    "kostka-switch": {"NO", "COM"},
}

UNPOLARISED: Final = ("resistor-", "capacitor-100n", "fuse", "switch")

# From end to end on either edge of a BOB-12009; what stands opposite each other is one channel.
SHIFTER_LOW: Final = ("LV1", "LV2", "LV", "GND", "LV3", "LV4")
SHIFTER_HIGH: Final = ("HV1", "HV2", "HV", "GND", "HV3", "HV4")
SHIFTER_MM: Final = 10.16
DIP_MM: Final = 7.62
PITCH_MM: Final = 2.54

# Espressif, "ESP32-DevKitC V4 Getting Started Guide", header block J1 (left, the antenna up) and J3 (right).
# Espressif, "ESP32-S3-DevKitC-1", header blocks J1 and J3.
HEADERS: Final[dict[str, tuple[str, str]]] = {
    "esp32": (
        "3V3 EN IO36 IO39 IO34 IO35 IO32 IO33 IO25 IO26 IO27 IO14 IO12 GND IO13 IO9 IO10 IO11 5V0",
        "GND IO23 IO22 IO1 IO3 IO21 GND IO19 IO18 IO5 IO17 IO16 IO4 IO0 IO2 IO15 IO8 IO7 IO6",
    ),
    "esp32s3": (
        "3V3 3V3 RST 4 5 6 7 15 16 17 18 8 3 46 9 10 11 12 13 14 5V G",
        "G TX RX 1 2 42 41 40 39 38 37 36 35 0 45 48 47 21 20 19 G G",
    ),
}
PRINTED: Final = {"5V0": "5V", "G": "GND", "RST": "EN", "TX": "43", "RX": "44"}
"""Words of the header blocks that the circuit has another for."""
HEADERS_MM: Final = {"esp32": 25.4, "esp32s3": 22.86}  # from row to row

# ESP32 Series Datasheet and ESP32-S3 Series Datasheet: "Strapping Pins", "Pin Overview", "ADC".
STRAPPING: Final = {"esp32": {0, 2, 5, 12, 15}, "esp32s3": {0, 3, 45, 46}}
INPUT_ONLY: Final[dict[str, set[int]]] = {"esp32": {34, 35, 36, 39}, "esp32s3": set()}
ADC1: Final = {"esp32": {32, 33, 34, 35, 36, 37, 38, 39}, "esp32s3": {1, 2, 3, 4, 5, 6, 7, 8, 9, 10}}
FLASH_AND_PORT: Final = {
    "esp32": {6, 7, 8, 9, 10, 11, 1, 3},  # SPI flash; UART0
    "esp32s3": {26, 27, 28, 29, 30, 31, 32, 33, 34, 35, 36, 37, 43, 44, 19, 20},  # flash, octal PSRAM; UART0; USB
}

# Which pin of the chip is what: the table of hardware/README.md, once more by hand.
GPIOS: Final = {
    "esp32": {
        "JUZ_A": 32, "DALEJ_A": 33, "JUZ_B": 25, "DALEJ_B": 26, "JUZ_C": 27, "DALEJ_C": 14, "JUZ_D": 13, "DALEJ_D": 23,
        "SEDZIA": 19, "KOSTKA": 34, "SDA": 21, "SCL": 22, "LAMPS": 18, "BUZZER": 4, "BATTERY_HALF": 35,
    },
    "esp32s3": {
        "JUZ_A": 4, "DALEJ_A": 5, "JUZ_B": 6, "DALEJ_B": 7, "JUZ_C": 15, "DALEJ_C": 16, "JUZ_D": 17, "DALEJ_D": 18,
        "SEDZIA": 21, "KOSTKA": 10, "SDA": 8, "SCL": 9, "LAMPS": 14, "BUZZER": 13, "BATTERY_HALF": 1,
    },
}  # fmt: skip

# What is on the pins of each part that can be put in or wired the wrong way round.

NETS: Final[dict[str, dict[str, str]]] = {
    "BT1": {"+": "PACK", "-": "PACK_MINUS"},
    "X1": {"+": "PACK", "-": "PACK_MINUS"},
    "X2": {"+": "CELL", "-": "BATTERY_MINUS"},
    "F1": {"1": "CELL", "2": "BATTERY"},
    "U4": {"BAT+": "BATTERY", "BAT-": "BATTERY_MINUS", "OUT+": "+5V_CHARGER", "OUT-": "GND"},
    "SW1": {"1": "+5V_CHARGER", "2": "+5V"},
    "D1": {"A": "+5V", "K": "+5V_BOARD"},  # it lets current in to the board alone
    "D2": {"A": "BUZZER_LOW", "K": "+5V"},  # it blocks, and takes what the coil gives back
    "C1": {"+": "+5V_BOARD", "-": "GND"},
    "C3": {"+": "+5V", "-": "GND"},
    "LS1": {"+": "+5V", "-": "BUZZER_LOW"},
    "Q1": {"C": "BUZZER_LOW", "B": "BUZZER_BASE", "E": "GND"},
    "LP0": {"5V": "+5V", "GND": "GND", "DIN": "LAMPS_5V", "DOUT": "LAMPS_AFTER_RING"},
    "U2": {"1OE": "GND", "1A": "LAMPS", "1Y": "LAMPS_BUFFERED", "GND": "GND", "VCC": "+5V"},
    "U3": {
        "LV1": "SDA", "HV1": "SDA_5V", "LV2": "SCL", "HV2": "SCL_5V", "LV": "+3V3", "HV": "+5V", "GND": "GND",
        "LV3": "", "LV4": "", "HV3": "", "HV4": "",
    },
    **{
        f"DS{number}": {"VCC": "+5V", "GND": "GND", "SDA": "SDA_5V", "SCL": "SCL_5V"} for number in (1, 2, 3, 4)
    },
}  # fmt: skip

CHAIN: Final = {  # of lamps, after the ring; Sędzia's lamp gives its data to nobody
    "full": ("JUZ_A", "DALEJ_A", "JUZ_B", "DALEJ_B", "JUZ_C", "DALEJ_C", "JUZ_D", "DALEJ_D", "SEDZIA"),
    "small": ("JUZ", "DALEJ", "SEDZIA"),
}
RING_PIXELS: Final = 24
BUTTONS: Final = {"JUZ": "button-green", "DALEJ": "button-amber", "SEDZIA": "button-red", "KOSTKA": "kostka-switch"}
"""What closes a contact, by what it says."""
TYPES: Final = {
    "buffer": "74AHCT125", "transistor": "BC337", "schottky": "1N5819", "flyback-diode": "1N4148", "display": "HT16K33",
    "level-shifter": "BSS138", "ring": "24 × WS2812B", "pixel": "WS2812B",
}  # fmt: skip
"""Whose data sheets these are: a part of another type has other pins."""

# Where the pins of parts that can be turned round are on the carrier: a hole for each.

HOLES: Final[dict[str, dict[str, str]]] = {
    "D2": {"K": "D26", "A": "G26"},
    "C1": {"+": "F22", "-": "F24"},
    "C3": {"+": "K2", "-": "L3"},
    "LS1": {"+": "F17", "-": "F20"},
    "Q1": {"C": "E15", "B": "F15", "E": "G15"},
    "U2": {"1OE": "N5", "GND": "T5", "3Y": "T2", "VCC": "N2"},
    "U3": {"LV1": "D5", "LV": "F5", "LV4": "I5", "HV1": "D1", "HV": "F1", "HV4": "I1"},
}
DIODE_HOLES: Final = {"esp32": {"K": "G30", "A": "D30"}, "esp32s3": {"K": "G29", "A": "D29"}}
"""Those of D1, beside the board's 5 V pin."""
FIRST_POLES: Final = {
    "J1": "B2", "J2": "B14", "J3": "W5", "J4": "W17", "J5": "B7", "J6": "B19", "J7": "W12", "J8": "W24", "J9": "E7",
    "J10": "W27", "J11": "B26",
}  # fmt: skip

RIGHT_PLUGS: Final = ("J3", "J4", "J7", "J8", "J10")
"""Headers whose slots look to the right; those of all others look to the left."""

# What each pole of a plug carries, the colour of its wire and where that ends: part, and its pin.

LEADS: Final[dict[str, tuple[tuple[str, str, str, str], ...]]] = {
    **{
        f"display {side}": (
            ("+5V", "RD", f"DS{place}", "VCC"), ("GND", "BK", f"DS{place}", "GND"),
            ("SDA", "GN", f"DS{place}", "SDA"), ("SCL", "YE", f"DS{place}", "SCL"),
        )
        for place, side in enumerate("ABCD", 1)
    },
    **{
        f"buttons {side}": (
            ("+5V", "RD", f"LP{2 * place - 1}", "5V"), ("GND", "BK", f"LP{2 * place - 1}", "GND"),
            ("IN", "BU", f"LP{2 * place - 1}", "DIN"), ("OUT", "WH", f"LP{2 * place}", "DOUT"),
            ("JUZ", "GN", f"S{2 * place - 1}", "NO"), ("DALEJ", "YE", f"S{2 * place}", "NO"),
        )
        for place, side in enumerate("ABCD", 1)
    },
    "top": (
        ("+5V", "RD", "LP0", "5V"), ("GND", "BK", "LP0", "GND"), ("RING IN", "BU", "LP0", "DIN"),
        ("RING OUT", "WH", "LP0", "DOUT"), ("SEDZIA IN", "VT", "LP9", "DIN"), ("SEDZIA", "OG", "S9", "NO"),
        ("GND", "BK", "S9", "COM"),
    ),
    "kostka": (("KOSTKA", "GY", "S10", "NO"), ("GND", "BK", "S10", "COM")),
    "power": (("+5V", "RD", "SW1", "2"), ("GND", "BK", "U4", "OUT-"), ("BATTERY", "RDWH", "U4", "BAT+")),
}  # fmt: skip
LEADS["buttons"] = LEADS["buttons A"]

INNER: Final = {"+5V_CHARGER": "RD", "BATTERY_MINUS": "BKWH", "CELL": "RDWH", "PACK": "RD", "PACK_MINUS": "BK"}
"""The colours of wires that no plug of the carrier brings. Red is plus, black is minus, a sleeve is the cell's."""


class Role(NamedTuple):
    """What a resistor or capacitor is for: between which nets, and from how much to how much (ohm or farad)."""

    what: str
    nets: frozenset[str]
    least: float
    most: float


def _role(what: str, one: str, other: str, least: float, most: float) -> Role:
    return Role(what, frozenset((one, other)), least, most)


_CONTACTS: Final = {
    "full": {
        11: "JUZ_A", 12: "DALEJ_A", 13: "JUZ_B", 14: "DALEJ_B", 15: "JUZ_C", 16: "DALEJ_C", 17: "JUZ_D", 18: "DALEJ_D",
        19: "SEDZIA", 20: "KOSTKA",
    },
    "small": {11: "JUZ", 12: "DALEJ", 19: "SEDZIA", 20: "KOSTKA"},
}  # fmt: skip


def roles(build: str) -> dict[str, Role]:
    """That of each resistor and capacitor of a build, by its reference."""
    found = {
        # Adafruit, "NeoPixel Überguide": 300 to 500 ohm before the first pixel, 500 to 1000 µF across its supply
        "R1": _role("series resistor of the lamps' data", "LAMPS_BUFFERED", "LAMPS_5V", 220, 470),
        "R2": _role("rest level of the lamps' data", "LAMPS", "GND", 4700, 100e3),
        # NXP, UM10204, "I2C-bus specification": at most 3 mA, and at 100 kHz at most 1 µs to rise
        "R3": _role("pull-up of SDA", "SDA", "+3V3", 2200, 10e3),
        "R4": _role("pull-up of SCL", "SCL", "+3V3", 2200, 10e3),
        "R5": _role("base resistor", "BUZZER", "BUZZER_BASE", 220, 470),
        "R6": _role("rest level of the base", "BUZZER_BASE", "GND", 4700, 47e3),
        "R7": _role("upper half of the divider", "BATTERY", "BATTERY_HALF", 47e3, 220e3),
        "R8": _role("lower half of the divider", "BATTERY_HALF", "GND", 47e3, 220e3),
        "R9": _role("what discharges a piezo", "+5V", "BUZZER_LOW", 470, 2200),
        "R21": _role("pull-up of Kostka", "KOSTKA", "+3V3", 4700, 22e3),
        "C1": _role("reserve of the board", "+5V_BOARD", "GND", 470e-6, 2200e-6),
        "C2": _role("reserve of the converter's input", "BATTERY_HALF", "GND", 47e-9, 220e-9),
        "C3": _role("reserve of the ring", "+5V", "GND", 470e-6, 2200e-6),
        "C4": _role("capacitor of the buffer", "+5V", "GND", 47e-9, 220e-9),
    }
    for number, contact in _CONTACTS[build].items():
        lead = f"{contact}_LEAD"
        found[f"R{number}"] = _role(f"series resistor of {contact}", lead, contact, 470, 2200)
        found[f"C{number}"] = _role(f"capacitor of {contact}", lead, "GND", 47e-9, 220e-9)
    return found


BULK_VOLTS: Final = 6.3  # the least that a capacitor on 5 V must bear
SCHOTTKY_MA: Final = 1000  # 1N5819: in the mean
FLYBACK_MA: Final = 150  # 1N4148: in the mean
GAIN: Final = 60  # the least of a BC337 at 300 mA (BC337/D; 100 at 100 mA)
BASE_VOLTS: Final = 1.2  # the most between base and emitter of a conducting BC337 (the same)
BUZZER_OHMS: Final = 40  # the least that the list of parts lets a buzzer have
SINK_MA: Final = 3.0  # what everything on an I2C bus must be able to pull down (UM10204)
GPIO_MA: Final = 20.0  # half of the 40 mA that an ESP32's pin may give at most

# The battery.

CELLS: Final = 6  # 18650 in parallel: 1S6P
CELL_MAH: Final = (2500, 3600)  # what a cell 18650 can honestly have
CELL_VOLTS: Final = (2.5, 4.2)  # empty by its data sheet, full
CHARGED_VOLTS: Final = 4.25  # full, and a charger's tolerance
DIVIDER: Final = 2
ADC_MV: Final = (2450, 3100)  # at 11 dB: linear to the first (ESP-IDF); about the second is read at most
FUSE_A: Final = (2.5, 3.5)  # above what charges and feeds the box; below what 0.25 mm² carries in free air

# The firmware.

I2C_HZ: Final = 100_000  # standard mode; four leads of 25 cm are no bus for 400 kHz
ADDRESSES: Final = {"side A": "0x70", "side B": "0x71", "side C": "0x72", "side D": "0x73"}
# Holtek, HT16K33, "Command Summary": system set-up with the oscillator on; display on and not blinking; dimming.
HT16K33: Final = {"_SYSTEM_ON": b"\x21", "_DISPLAY_ON": b"\x81"}
DIMMING: Final = range(0xE0, 0xF0)
# Adafruit, LED backpack library: digits at 0, 2, 6, 8 of the memory, the colon's two dots are bit 1 at 4.
DIGITS_AT: Final = (0, 2, 6, 8)
COLON_AT: Final = (4, 0x02)
# Segments by their letters, a on top, then clockwise, g in the middle; a is bit 0, the point bit 7.
SEGMENTS: Final = {
    "0": "abcdef", "1": "bc", "2": "abdeg", "3": "abcdg", "4": "bcfg", "5": "acdfg", "6": "acdefg", "7": "abc",
    "8": "abcdefg", "9": "abcdfg", "-": "g", " ": "",
}  # fmt: skip
