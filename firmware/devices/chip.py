"""What the box asks of its chip: memory that a reset leaves intact, randomness, why it started, and a watchdog."""

import os

import machine

from moveclock import facts as k
from moveclock.upkeep import Board

_WATCHDOG_MS = 8000
_STARTING_MS = 60000


class Chip(Board):
    """An ESP32. RTC memory is lost with the power and by the EN button, and by nothing else."""

    def __init__(self) -> None:
        self._memory = machine.RTC()

    def load(self) -> bytes:
        return bytes(self._memory.memory())

    def save(self, data: bytes) -> None:
        self._memory.memory(data)

    def random(self, count: int) -> bytes:
        return os.urandom(count)


def reset_cause() -> int:
    """Why the box starts, in the numbers of `moveclock.facts`. A brown-out counts as a power-on (ports/esp32)."""
    cause = machine.reset_cause()
    if cause == machine.WDT_RESET:
        return k.WATCHDOG
    if cause == machine.SOFT_RESET:
        return k.SOFT_RESET
    return k.POWER_ON if cause == machine.PWRON_RESET else k.HARD_RESET


class Watchdog:
    """Resets the chip unless it is fed; begun as late as may be, because it cannot be ended."""

    def __init__(self) -> None:
        self._dog: machine.WDT | None = None

    def wait(self) -> None:
        """Be patient until the first meal."""
        machine.WDT(timeout=_STARTING_MS)

    def feed(self) -> None:
        if self._dog is None:
            self._dog = machine.WDT(timeout=_WATCHDOG_MS)  # on an ESP32 the same dog with another patience
        self._dog.feed()
