# mypy: ignore-errors
"""Stands in for `time`: everything comes from outside. Ticks wrap at 2**30, as on the board."""

import outside

_PERIOD = 1 << 30
_start = {"ticks": 0}  # microseconds that the board's counters are ahead of power-on


def begin(ticks: int) -> None:
    """Let the counters stand at so many microseconds at power-on."""
    _start["ticks"] = ticks


def ticks_us() -> int:
    return (outside.now() + _start["ticks"]) % _PERIOD


def ticks_ms() -> int:
    return (outside.now() + _start["ticks"]) // 1000 % _PERIOD


def ticks_cpu() -> int:
    return ticks_us()


def ticks_add(ticks: int, delta: int) -> int:
    if not -_PERIOD // 2 <= delta < _PERIOD // 2:
        raise OverflowError("ticks interval overflow")
    return (ticks + delta) % _PERIOD


def ticks_diff(ticks1: int, ticks2: int) -> int:
    return (ticks1 - ticks2 + _PERIOD // 2) % _PERIOD - _PERIOD // 2


def sleep(seconds: float) -> None:
    outside.sleep(int(seconds * 1000000))


def sleep_ms(ms: int) -> None:
    outside.sleep(ms * 1000)


def sleep_us(us: int) -> None:
    outside.sleep(us)


def time() -> int:
    return outside.now() // 1000000


def time_ns() -> int:
    return outside.now() * 1000


def gmtime(seconds: int | None = None) -> tuple:
    seconds = time() if seconds is None else seconds
    return (2000, 1, 1 + seconds // 86400, seconds // 3600 % 24, seconds // 60 % 60, seconds % 60, 5, 1)


localtime = gmtime
