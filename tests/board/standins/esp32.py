# mypy: ignore-errors
# ruff: noqa: A002
"""Stands in for `esp32`: the heap that MicroPython has from the system, as a table box might ask for it; and the RMT,
whose pulses go over the wire that the outside has put between two pins.
"""

import outside
from machine_parts import part
from machine_pins import Pin

HEAP_DATA = 4
HEAP_EXEC = 1

LEFT = 110000
PIECE = 65536  # the largest block of it
FREE = 20000  # in the heap


def mem_free() -> int:
    """What `gc.mem_free` of a board says: its heap may still grow by that block, so it counts as free."""
    return FREE + PIECE


def idf_heap_info(capabilities: int) -> list:
    """(total, free, largest free block, least free ever) of each region."""
    return [(160000, LEFT, PIECE, 100000)]


class RMT:
    """One channel that sends; it takes what ports/esp32/esp32_rmt.c takes, and repeats it for ever."""

    PULSE_MAX = 32767
    _SOURCE = 80000000
    _SYMBOLS = 47  # of the 48 of an ESP32-S3; the last one ends the loop

    def __init__(
        self, id: int = -1, *, pin: Pin, clock_div: int = 8, idle_level: bool = False, num_symbols: int = 48
    ) -> None:
        if not 1 <= clock_div <= 255:
            raise ValueError("clock_div must be between 1 and 255")
        self._pin = pin
        pin._mode = Pin.IN  # what it was told is over; it reads what is sent
        _put(pin, int(idle_level))
        self._div = clock_div
        self._loops = False

    def loop(self, enable: bool) -> None:
        self._loops = enable

    def write_pulses(self, duration: list, data: list) -> None:
        if not self._loops:
            raise NotImplementedError  # only what repeats itself goes on without the processor
        if len(duration) != len(data):
            raise ValueError("duration and data must have same length")
        if len(duration) > 2 * self._SYMBOLS or len(duration) % 2 or not 0 < max(duration) <= self.PULSE_MAX:
            raise OSError(-258, "ESP_ERR_INVALID_ARG")
        self._changes = []  # (microseconds into the loop, level)
        ticks, level = 0, None
        for place in range(len(data)):
            if data[place] != level:
                level = data[place]
                self._changes.append((ticks * self._div * 1000000 // self._SOURCE, level))
            ticks += duration[place]
        self._length = ticks * self._div * 1000000 // self._SOURCE
        self._begin = (outside.now() // 1000 + 1) * 1000 + 500  # amid a millisecond: what asks for the time costs some
        self._place = 0
        self._count = 0  # presses so far
        outside.alarm(self._begin + self._changes[0][0], self._change)

    def _change(self) -> None:
        at, level = self._changes[self._place]
        self._send(self._begin + at, level)
        self._place += 1
        if self._place == len(self._changes):
            self._place = 0
            self._begin += self._length
        outside.alarm(self._begin + self._changes[self._place][0], self._change)

    def _send(self, at: int, level: int) -> None:
        _put(self._pin, level)
        wire = part.get("wire")
        if wire is None or wire["start"] != self._pin.number:
            return
        if not level:
            self._count += 1
        cut = wire["cut_after"]
        if _is(self._count, wire["lost_every"]) or (cut and self._count > cut):
            return
        if _is(self._count, wire["late_every"]):
            outside.alarm(at + wire["late_us"], lambda: self._arrive(level))
            return
        self._arrive(level)
        if level and _is(self._count, wire["twice_every"]):
            for after, again in ((60000, 0), (120000, 1)):
                outside.alarm(at + after, lambda again=again: self._arrive(again))

    def _arrive(self, level: int) -> None:
        _put(Pin(part["wire"]["end"]), level)


def _put(pin: Pin, level: int) -> None:
    part["levels"][str(pin.number)] = level
    pin._edge(level)


def _is(number: int, every: int) -> bool:
    return every > 0 and number % every == 0
