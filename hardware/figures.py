"""What each part takes, as figures with their sources: the one place for numbers nobody can compute.

All currents at 5 V are in mA, typical and worst. None was measured on a box of ours. "Estimate" says that we found no
source worth naming; it is then chosen so that the worst is worse than what we would expect to see.
"""

from __future__ import annotations

from typing import Final, Literal, NamedTuple

Case = Literal["typical", "worst"]
CASES: Final[tuple[Case, ...]] = ("typical", "worst")


class Figure(NamedTuple):
    """A number with its range and where it is from; `unit` as it is written behind it."""

    what: str
    typical: float
    worst: float
    unit: str
    source: str

    def at(self, case: Case) -> float:
        """One end of the range."""
        return self.typical if case == "typical" else self.worst


CHIP: Final = {
    "esp32": Figure(
        "ESP32, Bluetooth advertising or linked", 55, 85, "mA",
        "esp32.com forum, topic 33330 (2023): modules with Bluetooth alone, advertising 55 mA, sending all the time 85 "
        "mA; the same order in espressif/esp-idf issue 947 (50 mA with modem sleep at 240 MHz). ESP-IDF switches modem "
        "sleep on (controller/esp32/Kconfig.in). Bounds: ESP32 Series Datasheet, current by power mode (CPU at "
        "240 MHz, which the firmware sets, 30 to 68 mA, receiver on 95 to 100 mA)",
    ),
    "esp32s3": Figure(
        "ESP32-S3, the same", 110, 125, "mA",
        "the same topic: 110 mA advertising, 125 mA sending. For this chip ESP-IDF leaves modem sleep off "
        "(controller/esp32c3/Kconfig.in, which the S3 shares), so the receiver is always on",
    ),
}  # fmt: skip
CHIP_PEAK: Final = Figure(
    "chip while it sends", 130, 240, "mA",
    "ESP32 Series Datasheet, current by RF mode: Bluetooth at 0 dBm 130 mA; worst: that of Wi-Fi, never used here",
)  # fmt: skip
BOARD: Final = Figure(
    "board: regulator, USB bridge, LED",
    11,
    20,
    "mA",
    'kohacraft.com, "ESP32-DevKitC\'s DeepSleep": 11.4 mA with the chip asleep, AMS1117 3.2 mA of it; worst: estimate',
)
SEGMENT: Final = Figure(
    "lit segment while its column is on",
    25,
    35,
    "mA",
    "HT16K33 data sheet, D.C. characteristics: a row's source current is 25 mA, typical; the worst is an estimate",
)
COLUMNS: Final = 8  # HT16K33 data sheet, "LED drive mode waveforms": each of eight columns in its turn
DIMMING_STEPS: Final = 16  # the same, "Digital dimming data input"
DISPLAY: Final = Figure(
    "display, dark", 1, 2, "mA", "HT16K33 data sheet, D.C. characteristics: operating current without load"
)
PIXEL: Final = Figure(
    "WS2812, dark",
    0.9,
    1.0,
    "mA",
    'pjrc.com, "How Much Current Do WS2812 LEDs Really Use?": two types, just under 1 mA',
)
CHANNEL: Final = Figure(
    "WS2812, one colour at 255",
    14,
    20,
    "mA",
    "the same page: 33.5 and 52.5 mA for white, so 11 and 17 mA a colour; worst: the 60 mA for white often named",
)
BUZZER: Final = Figure(
    "buzzer while a note is loud",
    35,
    70,
    "mA",
    "makers' pages for 12 mm, 5 V, 42 Ω magnetic transducers: 70 mA at most; typical: estimate. A piezo takes a tenth",
)
LOGIC: Final = Figure(
    "74AHCT125, level shifter, pull-ups", 1, 5, "mA", "estimate; the data sheets' quiescent currents are in µA"
)
CONVERTER_VOLTS: Final = Figure(
    "converter's output", 5.0, 5.15, "V", "IP5306 data sheet, as an example of such a board"
)
EFFICIENCY: Final = Figure(
    "converter's efficiency", 0.88, 0.80, "", "IP5306 data sheet: up to 92 %; typical and worst: estimates"
)
CONVERTER_OWN: Final = Figure("converter and its LEDs, from the battery", 3, 10, "mA", "estimate")
DIODE: Final = Figure(
    "Schottky diode 1N5819",
    0.35,
    0.60,
    "V",
    "1N5819 data sheet, forward voltage: at most 0.6 V at 1 A; typical: estimate for 0.4 A",
)
CELL: Final = Figure(
    "capacity of a cell 18650", 3.3, 2.6, "Ah",
    "sixteen cells sold as 3.5 Ah, measured at a fifth of that an hour: 3.3 to 3.46 Ah (micahmartin.com, \"Cell "
    "authenticity\"); worst: a cell of 3.2 Ah that is down to 80 %, where makers call it worn",
)  # fmt: skip
RESISTANCE: Final = Figure(
    "pack, protection board, fuse and leads",
    0.08,
    0.20,
    "Ω",
    "estimate: 6 cells of 40 mΩ in parallel, the fuse about 25 mΩ, the rest is leads",
)
EMPTY: Final = Figure(
    "box goes off below, under load",
    3.0,
    3.2,
    "V",
    "IP5306 data sheet: 3.0 V; protection boards 2.5 to 3.0 V; worst: estimate",
)
READING: Final = Figure(
    "error of a reading of the battery",
    0.04,
    0.10,
    "V",
    "ESP32 Series Datasheet, ADC calibration results: up to 0.06 V at the pin at 11 dB (S3: 0.05 V), twice that at the "
    "battery; worst: what line 6 of acceptance.md lets pass",
)
DIVIDER: Final = Figure("battery divider, 2 × 100 kΩ, from the battery", 0.02, 0.021, "mA", "Ohm's law at 4.2 V")
STANDBY: Final = Figure(
    "converter without load, from the battery",
    0.1,
    5,
    "mA",
    "IP5306 data sheet: under 0.1 mA in standby; boards that never sleep: estimate",
)
SELF_DISCHARGE: Final = Figure(
    "self-discharge in a month", 3, 5, "%", "estimate; cells keep 90 % for a month even at 60 °C"
)
RESERVE: Final = Figure(
    "brown-out reserve", 1000, 800, "µF", "an electrolytic capacitor may have 20 % less than is printed on it"
)
FLASH_RAIL: Final = Figure(
    "lowest 3.3 V rail for flash", 2.7, 3.0, "V", "W25Q32JV and ESP32-WROOM-32 data sheets, operating range"
)
REGULATOR: Final = Figure("regulator's dropout", 1.0, 1.2, "V", "AMS1117 data sheet: 1.1 V at 0.8 A, at most 1.3 V")
PAGE_MS: Final = Figure("flash: one page", 0.7, 3, "ms", "W25Q32JV data sheet, page program time")
SECTOR_MS: Final = Figure("flash: erase one sector", 45, 400, "ms", "the same, sector erase time")

FIGURES: Final = (
    *CHIP.values(), CHIP_PEAK, BOARD, SEGMENT, DISPLAY, PIXEL, CHANNEL, BUZZER, LOGIC, CONVERTER_VOLTS, EFFICIENCY,
    CONVERTER_OWN, DIODE, CELL, RESISTANCE, EMPTY, READING, DIVIDER, STANDBY, SELF_DISCHARGE, RESERVE, FLASH_RAIL,
    REGULATOR, PAGE_MS, SECTOR_MS,
)  # fmt: skip
