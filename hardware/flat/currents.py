"""What the flat box takes at 5 V: its parts' currents with their sources, and what is lit, as the firmware decides it.

All currents are in mA, typical and worst. None was measured on a box of ours. "Estimate" says that we found no source
worth naming; it is then chosen so that the worst is worse than what we would expect to see.
"""

from __future__ import annotations

from functools import cache
from typing import Final, Literal, NamedTuple

from hardware import firmware
from moveclock import facts as k
from moveclock import view as v
from moveclock.clock import Clock
from moveclock.settings import Settings

Case = Literal["typical", "worst"]
CASES: Final[tuple[Case, ...]] = ("typical", "worst")


class Figure(NamedTuple):
    """A current with its range and where it is from."""

    what: str
    typical: float
    worst: float
    source: str

    def at(self, case: Case) -> float:
        """One end of the range."""
        return self.typical if case == "typical" else self.worst


CHIP: Final = Figure(
    "ESP32-S3, Bluetooth advertising or linked", 110, 125,
    "esp32.com forum, topic 33330 (2023): 110 mA advertising, 125 mA sending all the time. For this chip ESP-IDF "
    "leaves modem sleep off (controller/esp32c3/Kconfig.in, which the S3 shares), so the receiver is always on",
)  # fmt: skip
CHIP_PEAK: Final = Figure(
    "chip while it sends", 130, 240,
    "ESP32 Series Datasheet, current by RF mode: Bluetooth at 0 dBm 130 mA; worst: that of Wi-Fi, never used here",
)  # fmt: skip
SEGMENT: Final = Figure(
    "lit segment while its column is on",
    25,
    35,
    "HT16K33 data sheet, D.C. characteristics: a row's source current is 25 mA, typical; the worst is an estimate",
)
DISPLAY: Final = Figure(
    "display, dark", 1, 2, "HT16K33 data sheet, D.C. characteristics: operating current without load"
)
PIXEL: Final = Figure(
    "WS2812, dark",
    0.9,
    1.0,
    'pjrc.com, "How Much Current Do WS2812 LEDs Really Use?": two types, just under 1 mA',
)
CHANNEL: Final = Figure(
    "WS2812, one colour at 255",
    14,
    20,
    "the same page: 33.5 and 52.5 mA for white, so 11 and 17 mA a colour; worst: the 60 mA for white often named",
)
BUZZER: Final = Figure(
    "buzzer while a note is loud",
    35,
    70,
    "makers' pages for 12 mm, 5 V, 42 Ω magnetic transducers: 70 mA at most; typical: estimate. A piezo takes a tenth",
)
LOGIC: Final = Figure(
    "buffer, pull-ups, divider, R9",
    6,
    10,
    "Ohm's law for R9; the rest is an estimate",
)
FIGURES: Final = (CHIP, CHIP_PEAK, SEGMENT, DISPLAY, PIXEL, CHANNEL, BUZZER, LOGIC)
COLUMNS: Final = 8  # HT16K33 data sheet, "LED drive mode waveforms": each of eight columns in its turn
DIMMING_STEPS: Final = 16  # the same, "Digital dimming data input"

MODES: Final = ("idle", "ready", "running", "expired", "stopped", "self-test")
MOVE_S: Final = 25  # a move's length, for the sounds alone: a guess
LATE_S: Final = 20  # how long a table stays late: a guess
STEP_MS: Final = 1000
SEATS: Final = 4
BUTTONS: Final = 8
ALL_JUZ: Final = 0x55
ALL_DALEJ: Final = 0xAA
ALL_SEGMENTS: Final = 34  # of one display: four digits with their points, and the colon's two dots
BLINKING: Final = 0.5  # so much of the time a blinking light is on

Colour = tuple[int, int, int]


class Lit(NamedTuple):
    """Segments of all displays, and pixels: each colour with how many of it are lit."""

    segments: int
    pixels: tuple[tuple[Colour, float], ...]


class Taken(NamedTuple):
    """Milliamperes by what takes them."""

    chip: float
    displays: float
    lamps: float
    buzzer: float
    rest: float


def taken(mode: str, case: Case) -> Taken:
    """The mean of a mode of `MODES`."""
    lit = pictures(mode)
    return Taken(
        chip=CHIP.at(case),
        displays=sum(_displays(picture, case) for picture in lit) / len(lit),
        lamps=sum(_lamps(picture, case) for picture in lit) / len(lit),
        buzzer=_sounding(mode) * BUZZER.at(case),
        rest=LOGIC.at(case),
    )


def peak(case: Case) -> float:
    """The most at any moment: the brightest picture, while the chip sends and a note is loud."""
    brightest = max(
        _displays(picture, case) + _lamps(picture, case) for mode in MODES for picture in pictures(mode, blinking=1.0)
    )
    return max(CHIP_PEAK.at(case), CHIP.at(case)) + brightest + BUZZER.at(case) + LOGIC.at(case)


@cache
def pictures(mode: str, blinking: float = BLINKING) -> tuple[Lit, ...]:
    """What is lit in a mode, second by second of it. `blinking`: what a blinking light counts."""
    if mode == "self-test":
        return (_self_test(),)
    clock, begin, end = _clock(mode)
    seen = [v.view(clock, at) for at in range(begin, end, STEP_MS)]
    return tuple(Lit(sum(map(firmware.segments, one.displays)), _pixels(one, blinking)) for one in seen)


def _clock(mode: str) -> tuple[Clock, int, int]:
    """A clock in that mode, and from when to when it is to be looked at."""
    clock = Clock(Settings())
    limit = clock.settings.limit_ms
    if mode == "idle":
        return clock, 0, STEP_MS
    clock.prepare(0, 1, k.NOBODY if mode == "ready" else k.SEAT_A, k.TABLE)
    if mode == "ready":
        return clock, 0, STEP_MS
    clock.press(0, False, 0)  # Już of A
    if mode == "running":
        return clock, 0, limit
    if mode == "stopped":
        clock.press(k.SEDZIA, True, STEP_MS)
        return clock, STEP_MS, 2 * STEP_MS
    clock.expire(limit)
    return clock, limit, limit + LATE_S * 1000


def _pixels(picture: v.View, blinking: float) -> tuple[tuple[Colour, float], ...]:
    """What `devices.lamps` paints for a picture."""
    colour, pixels, _ = picture.ring
    juz, dalej, _ = firmware.button_colours()
    painted = [(firmware.colours()[colour], float(pixels))]
    for own, mask in ((juz, ALL_JUZ), (dalej, ALL_DALEJ)):
        for lights, share in ((picture.lit, 1.0), (picture.blinking & ~picture.lit, blinking)):
            count = (lights & mask).bit_count()
            painted.append((own, share * count))
    return tuple(painted)


def _self_test() -> Lit:
    """One side of `devices.selftest`: a display with all segments, a quarter of the ring, two buttons and Sędzia."""
    lights = [(own, 1.0) for own in firmware.button_colours()]
    return Lit(ALL_SEGMENTS, ((firmware.colours()[v.WHITE], v.RING / SEATS), *lights))


def _sounding(mode: str) -> float:
    """The share of time in which a note is loud."""
    if mode == "running":
        return (firmware.sounding(v.TURN) + firmware.sounding(v.CLICK)) / MOVE_S
    if mode == "expired":
        return firmware.sounding(v.TIME_OVER) / LATE_S
    return firmware.duty(loud=False) / firmware.duty(loud=True) if mode == "self-test" else 0.0


def _displays(lit: Lit, case: Case) -> float:
    on = firmware.dimming() / DIMMING_STEPS / COLUMNS
    return SEATS * DISPLAY.at(case) + lit.segments * on * SEGMENT.at(case)


def _lamps(lit: Lit, case: Case) -> float:
    channels = sum(share * sum(colour) / 255 for colour, share in lit.pixels)
    return (v.RING + BUTTONS + 1) * PIXEL.at(case) + channels * CHANNEL.at(case)
