"""What the box shows in each of its modes, as the firmware itself decides it, and what that takes at 5 V."""

from __future__ import annotations

from functools import cache
from typing import Final, NamedTuple

from hardware import figures, firmware
from hardware.figures import Case
from moveclock import facts as k
from moveclock import view as v
from moveclock.clock import Clock
from moveclock.settings import Settings

MODES: Final = ("idle", "ready", "running", "expired", "stopped", "self-test")
MOVE_S: Final = 25  # a move's length, for the sounds alone: a guess
LATE_S: Final = 20  # how long a table stays late: a guess
STEP_MS: Final = 1000
SEATS: Final = 4
BUTTONS: Final = {"full": 8, "small": 2}
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
    """Milliamperes at 5 V by what takes them."""

    chip: float
    displays: float
    lamps: float
    buzzer: float
    rest: float


def taken(mode: str, case: Case, *, build: str = "full", chip: str = "esp32", brightness: int | None = None) -> Taken:
    """The mean of a mode of `MODES`. `brightness`: of the displays in sixteenths, if not the firmware's."""
    lit = pictures(mode, build)
    bright = firmware.dimming() if brightness is None else brightness
    return Taken(
        chip=figures.CHIP[chip].at(case) + figures.BOARD.at(case),
        displays=sum(_displays(picture, bright, case) for picture in lit) / len(lit),
        lamps=sum(_lamps(picture, build, case) for picture in lit) / len(lit),
        buzzer=_sounding(mode) * figures.BUZZER.at(case),
        rest=figures.LOGIC.at(case),
    )


def peak(case: Case, *, build: str = "full", chip: str = "esp32") -> float:
    """The most at any moment: the brightest picture, while the chip sends and a note is loud; in mA at 5 V."""
    sending = max(figures.CHIP_PEAK.at(case), figures.CHIP[chip].at(case))
    brightest = max(
        _displays(picture, firmware.dimming(), case) + _lamps(picture, build, case)
        for mode in MODES
        for picture in pictures(mode, build, blinking=1.0)
    )
    return sending + figures.BOARD.at(case) + brightest + figures.BUZZER.at(case) + figures.LOGIC.at(case)


@cache
def pictures(mode: str, build: str, blinking: float = BLINKING) -> tuple[Lit, ...]:
    """What is lit in a mode, second by second of it. `blinking`: what a blinking light counts."""
    if mode == "self-test":
        return (_self_test(),)
    clock, begin, end = _clock(mode)
    seen = [v.view(clock, at) for at in range(begin, end, STEP_MS)]
    return tuple(Lit(sum(map(firmware.segments, one.displays)), _pixels(one, build, blinking)) for one in seen)


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


def _pixels(picture: v.View, build: str, blinking: float) -> tuple[tuple[Colour, float], ...]:
    """What `devices.lamps` paints for a picture."""
    colour, pixels, _ = picture.ring
    juz, dalej, _ = firmware.button_colours()
    painted = [(firmware.colours()[colour], float(pixels))]
    for own, mask in ((juz, ALL_JUZ), (dalej, ALL_DALEJ)):
        for lights, share in ((picture.lit, 1.0), (picture.blinking & ~picture.lit, blinking)):
            count = (lights & mask).bit_count()
            painted.append((own, share * (count if build == "full" else min(1, count))))
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


def _displays(lit: Lit, bright: int, case: Case) -> float:
    on = bright / figures.DIMMING_STEPS / figures.COLUMNS
    return SEATS * figures.DISPLAY.at(case) + lit.segments * on * figures.SEGMENT.at(case)


def _lamps(lit: Lit, build: str, case: Case) -> float:
    channels = sum(share * sum(colour) / 255 for colour, share in lit.pixels)
    return (v.RING + BUTTONS[build] + 1) * figures.PIXEL.at(case) + channels * figures.CHANNEL.at(case)
