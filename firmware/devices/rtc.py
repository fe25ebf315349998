"""RTC memory, which a reset leaves intact: two bytes that say what the radio is asked for, then the box's state.

Whoever finds at a start that the radio was being asked knows that it never answered: the watchdog bit, or the radio's
own code gave up. Power-on and the EN button clear it all.
"""

import machine

AT_REST = b"\0\0"
STARTS = b"\x52\x01"  # it is being switched on, as the box starts
TURNS = b"\x52\x02"  # ... off and on, as the box plays
HUNG = b"\x52\x03"  # it hung as the box started: it stays off until the power goes

_MARK = 2


def mark() -> bytes:
    """What the radio is, or was, asked for."""
    return bytes(machine.RTC().memory()[:_MARK])


def put(said: bytes) -> None:
    """From now on the mark is this."""
    machine.RTC().memory(said + state())


def state() -> bytes:
    """What was kept; empty at power-on."""
    return bytes(machine.RTC().memory()[_MARK:])


def keep(data: bytes) -> None:
    """Keep this, behind the mark."""
    machine.RTC().memory((machine.RTC().memory()[:_MARK] or AT_REST) + data)
