"""RTC memory, which a reset leaves intact: two bytes that say what the radio is asked for, then the box's state.

Whoever finds at a start that the radio was being asked knows that it never answered: the watchdog bit, or the radio's
own code gave up. Power-on and the EN button clear it all.
"""

import machine

AT_REST = 0
STARTS = 0x5201  # it is being switched on, as the box starts
TURNS = 0x5202  # ... off and on, as the box plays
HUNG = 0x5203  # it hung as the box started: it stays off until the power goes

_MARK = 2


def mark() -> int:
    """What the radio is, or was, asked for."""
    return int.from_bytes(machine.RTC().memory()[:_MARK], "big")


def put(said: int) -> None:
    """From now on the mark is this."""
    _write(said, state())


def state() -> bytes:
    """What was kept; empty at power-on."""
    return bytes(machine.RTC().memory()[_MARK:])


def keep(data: bytes) -> None:
    """Keep this, behind the mark."""
    _write(mark(), data)


def _write(said: int, data: bytes) -> None:
    machine.RTC().memory(said.to_bytes(_MARK, "big") + data)
