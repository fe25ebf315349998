"""From the hardware to a Box that plays: what the flash holds. Forgotten when it is done."""

import gc

import machine

from devices.counter import ticks_ms
from devices.edge import Edge
from devices.pump import Pump
from moveclock import facts as k
from moveclock.box import Box

_GARBAGE = 16384  # bytes: what is to stay is made; 4096 would collect 19 times a second, and presses wait for each


def pump(edge: Edge, anew: bool, troubles: list) -> Pump:
    """All that plays. `anew`: the table was just set up in set-up mode; `troubles`: what the self-test found."""
    persona = edge.persona
    box = Box(
        persona.uid,
        persona.secret,
        edge.flash,
        edge.chip,
        ticks_ms(),
        kostka=persona.kostka,
        shared=persona.shared,
        held=edge.buttons.held(),
        reset=_reset_cause(),
        anew=anew,
    )
    for code, detail in troubles:
        box.fault(code, detail)
    gc.threshold(_GARBAGE)  # type: ignore[attr-defined]  # MicroPython's own
    return Pump(edge, box, [code for code, _ in troubles[:-1]])


def _reset_cause() -> int:
    """Why the box starts, in the numbers of `moveclock.facts`. A brown-out counts as a power-on (ports/esp32)."""
    cause = machine.reset_cause()
    if cause == machine.WDT_RESET:
        return k.WATCHDOG
    if cause == machine.SOFT_RESET:
        return k.SOFT_RESET
    return k.POWER_ON if cause == machine.PWRON_RESET else k.HARD_RESET
