"""What the box asks of its chip: memory that a reset leaves intact, randomness, and a watchdog."""

import os

import machine

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
