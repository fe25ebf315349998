"""From the hardware to a Box that plays: the self-test, and what the flash holds. Forgotten when it is done.

The watchdog runs from here on, patiently: a journal of a whole day takes its time to be read.
"""

from devices import selftest
from devices.chip import reset_cause
from devices.counter import ticks_ms
from devices.edge import Edge
from devices.pump import Pump
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
        reset=reset_cause(),
        anew=anew,
    )
    for code, detail in troubles:
        box.fault(code, detail)
    return Pump(edge, box, [code for code, _ in troubles[:-1]])
