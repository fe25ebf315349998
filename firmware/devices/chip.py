"""What the box asks of its chip: memory that a reset leaves intact, randomness, a watchdog, and what memory is left."""

import gc
import os

import esp32
import machine

from devices import rtc
from moveclock.upkeep import Board

RADIO_MS = 10000  # for an attempt to switch it on: one that merely fails was seen to take 4 s

_WATCHDOG_MS = 8000
_STARTING_MS = 60000  # a journal of a whole day takes its time to be read


class Chip(Board):
    """An ESP32. RTC memory is lost with the power and by the EN button, and by nothing else."""

    def load(self) -> bytes:
        return rtc.state()

    def save(self, data: bytes) -> None:
        rtc.keep(data)

    def random(self, count: int) -> bytes:
        return os.urandom(count)


class Watchdog:
    """Resets the chip unless it is fed; begun as late as may be, because it cannot be ended."""

    def __init__(self) -> None:
        self._dog: machine.WDT | None = None

    def wait(self, patience: int = _STARTING_MS) -> None:
        """Be patient for so many ms, or until the first meal."""
        machine.WDT(timeout=patience).feed()

    def feed(self) -> None:
        if self._dog is None:
            self._dog = machine.WDT(timeout=_WATCHDOG_MS)  # on an ESP32 the same dog with another patience
        self._dog.feed()


def memory() -> tuple[int, tuple[int, int]]:
    """Bytes free in the heap; and those that the chip has left, for the radio too, with the largest piece of them."""
    regions = esp32.idf_heap_info(esp32.HEAP_DATA)
    largest = max([region[2] for region in regions])
    free = gc.mem_free()  # type: ignore[attr-defined]  # PC's gc has none; this one counts that piece as free already
    return max(0, free - largest), (sum([region[1] for region in regions]), largest)
