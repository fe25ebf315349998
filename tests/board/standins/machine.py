# mypy: ignore-errors
"""Stands in for ESP32's `machine`, as far as a table box uses it; see docs.micropython.org and ports/esp32.

What it holds to: `Pin.irq` has no `hard`, callbacks wait in the scheduler; input-only pins have no pull-up; a watchdog
never stops and resets; what `RTC().memory` holds survives a reset and not the power; an absent I2C device is ENODEV.
"""

import outside
from machine_bus import I2C, SoftI2C
from machine_parts import part
from machine_pins import ADC, PWM, Pin
from machine_time import RTC, WDT, Timer
from outside import ask, say, sleep

__all__ = ["ADC", "I2C", "PWM", "RTC", "WDT", "Pin", "SoftI2C", "Timer"]

PWRON_RESET = 1
HARD_RESET = 2
WDT_RESET = 3
DEEPSLEEP_RESET = 4
SOFT_RESET = 5


def reset() -> None:
    """End this run of the board; it starts again by itself."""
    ask("reset", "hard")


def soft_reset() -> None:
    """As ctrl-D at the prompt."""
    raise SystemExit


def deepsleep(time_ms: int | None = None) -> None:
    """End this run of the board; it starts again after that time, or never."""
    ask("reset", "deepsleep", time_ms)


def lightsleep(time_ms: int = 0) -> None:
    """Wait; the radio is off meanwhile on a real board."""
    sleep(time_ms * 1000)


def idle() -> None:
    """Wait for less than a millisecond."""
    sleep(100)


def reset_cause() -> int:
    """Why the board has started."""
    return part["cause"]


def unique_id() -> bytes:
    """Six bytes."""
    return bytes(part["uid"])


def freq(hz: int | None = None) -> int | None:
    """The processor's frequency."""
    if hz is None:
        return part["freq"]
    if hz not in (20000000, 40000000, 80000000, 160000000, 240000000):
        raise ValueError("frequency must be 20MHz, 40MHz, 80MHz, 160MHz or 240MHz")
    part["freq"] = hz
    return None


def disable_irq() -> int:
    """Callbacks wait."""
    outside.lock()
    return 1


def enable_irq(state: int) -> None:
    """Callbacks run again."""
    outside.unlock()


def bitstream(pin: Pin, encoding: int, timing: object, data: bytes) -> None:
    """What `neopixel` writes: green, red, blue for every pixel."""
    say("pixels", pin.number, json_hex(data))


def json_hex(data: bytes) -> str:
    """Bytes as JSON carries them."""
    return bytes(data).hex()
