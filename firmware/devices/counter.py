"""MicroPython's counters, under one roof: PC's `time` does not have them, so type checkers must be told once."""

from time import sleep_ms, ticks_ms  # type: ignore[attr-defined]  # MicroPython alone has them

__all__ = ("ago", "since", "sleep_ms", "ticks_ms")

_MASK = (1 << 30) - 1  # the period of ticks_ms


def since(start: int) -> int:
    """Milliseconds from `start`, a reading of ticks_ms less than six days old, to now."""
    return int(ticks_ms() - start & _MASK)


def ago(ms: int) -> int:
    """The reading of ticks_ms so many milliseconds before now; after it, if they are negative."""
    return int(ticks_ms() - ms & _MASK)
