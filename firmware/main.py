"""A box: MicroPython starts this file at power-on. It makes the hardware, puts a Box into it and pumps."""

import sys

import machine

from devices import selftest
from devices.chip import reset_cause
from devices.counter import sleep_ms, ticks_ms
from devices.edge import Edge
from devices.pump import Pump
from moveclock.box import Box


def play(edge: Edge, anew: bool, troubles: list) -> None:
    """Until the power goes. `troubles`: what the self-test found."""
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
    pump = Pump(edge, box, [code for code, _ in troubles[:-1]])
    while not pump.hopeless:
        sleep_ms(pump.turn())
    machine.reset()


def main() -> None:
    """Set-up mode if two buttons are held, the self-test, then the game."""
    edge = Edge(sys.implementation._machine)
    anew = False
    if edge.asks_for_setup():
        after = __import__("devices.setting").setting.stay(edge)  # by name: a box that plays has no memory for it
        if after is None:
            edge.port.give_back()
            return
        anew = after
    selftest.show(edge)
    play(edge, anew, selftest.findings(edge))


main()
