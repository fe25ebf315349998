"""From the hardware to a Box that plays: the self-test, and what the flash holds. Forgotten when it is done.

The watchdog runs from here on, patiently: a journal of a whole day takes its time to be read.
"""

import machine

from devices import selftest
from devices.counter import ticks_ms
from devices.edge import Edge
from devices.pump import Pump
from moveclock import facts as k
from moveclock.box import Box


def pump(edge: Edge, anew: bool) -> Pump:
    """All that plays. `anew`: the table was just set up in set-up mode."""
    edge.watchdog.wait()
    selftest.show(edge)
    troubles = selftest.findings(edge)
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
    return Pump(edge, box, [code for code, _ in troubles[:-1]])


def _reset_cause() -> int:
    """Why the box starts, in the numbers of `moveclock.facts`. A brown-out counts as a power-on (ports/esp32)."""
    cause = machine.reset_cause()
    if cause == machine.WDT_RESET:
        return k.WATCHDOG
    if cause == machine.SOFT_RESET:
        return k.SOFT_RESET
    return k.POWER_ON if cause == machine.PWRON_RESET else k.HARD_RESET
