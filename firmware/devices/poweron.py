"""What comes first at power-on, while the heap is small: a lamp, a look at two buttons, and the radio.

A radio can hang where neither an exception nor Ctrl-C reaches it: ESP-IDF waits for its controller without an end. So
the lamp says that there is power, the watchdog runs, and RTC memory says who is being asked. A start after that leaves
the radio off: the table plays, the cable answers. Set-up mode comes before the radio, and needs no luck with it.
"""

import bluetooth
import machine
from machine import Pin

from board import pins
from devices import rtc
from devices.alight import alight
from devices.counter import sleep_ms

_PATIENCE_MS = 10000  # an attempt that merely fails was seen to take 4 s
_CHARGED_MS = 50  # see devices.buttons


def asks_for_setup(board: str) -> bool:
    """Light the first lamp of this board; whether seat A's two buttons, or a shared build's only two, are held."""
    wired = pins(board)
    alight(wired.lamps)
    first, second = [Pin(pin, Pin.IN, Pin.PULL_UP) for pin in wired.buttons[:2]]
    sleep_ms(_CHARGED_MS)
    return not (first.value() or second.value())


def switch_on() -> bool:
    """Switch the radio on, unless it hung when it was last tried. Whether the box is here because it hung.

    One that fails is tried once more by devices.edge.
    """
    found = rtc.mark()
    if found in (rtc.STARTS, rtc.HUNG):
        rtc.put(rtc.HUNG)
        return True
    machine.WDT(timeout=_PATIENCE_MS)
    rtc.put(rtc.STARTS)
    try:
        bluetooth.BLE().active(True)
    except OSError:
        pass
    rtc.put(rtc.AT_REST)
    return found == rtc.TURNS
