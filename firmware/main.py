"""A box: MicroPython starts this file at power-on. It makes the hardware, puts a Box into it and pumps.

Set-up mode alone ends at MicroPython's prompt. Whatever else ends the firmware (a missing file, too: nothing is
imported outside the `try`) shows its code, leaves a computer some seconds for Ctrl-C and starts the chip anew.
"""

import gc
import sys
import time

import machine
import micropython

_CTRL_C = 3
_SHOWN_S = 5
_GARBAGE = 4096  # bytes: with more, what stays lies scattered, and the heap grows by what the radio needs
_PROMPT_MS = 600000  # for whoever asked for the prompt; a watchdog that runs cannot be stopped


def main() -> None:
    """Play until the power goes."""
    gc.threshold(_GARBAGE)  # type: ignore[attr-defined]  # MicroPython's own
    micropython.kbd_intr(-1)  # a desk that goes on talking to a box that starts anew sends a 3 in most of its packets
    try:
        pump = begun()  # type: ignore[no-untyped-call]  # see there
        if pump is None:
            return
        while not pump.hopeless:
            time.sleep_ms(pump.turn())  # type: ignore[attr-defined]  # MicroPython's own
    except Exception as error:  # noqa: BLE001 -- whatever it is, nobody else would say so
        fail(error)
    machine.reset()


def begun():  # type: ignore[no-untyped-def]  # its type is not imported yet
    """Set-up mode if two buttons are held, then the self-test: a Pump, or None if MicroPython's prompt is wanted."""
    board = sys.implementation._machine
    first = __import__("devices.poweron").poweron
    setup = first.asks_for_setup(board)
    hung = not setup and first.switch_on()  # before the heap takes what the controller needs
    edge = __import__("devices.edge").edge.Edge(board)
    anew = setup and __import__("devices.setting").setting.stay(edge)
    if anew is None:
        return edge.port.give_back()
    edge.begin_radio(first.switch_on() if setup else hung)
    forget("board moveclock.identity moveclock.setup")
    forget("devices.alight devices.identifying devices.parts devices.poweron devices.setting")
    troubles = __import__("devices.selftest").selftest.troubles(edge)
    forget("devices.selftest")
    pump = __import__("devices.starting").starting.pump(edge, anew, troubles)
    forget("devices.starting")
    return pump


def forget(names: str) -> None:
    """These modules are not needed again, their memory is."""
    for name in names.split():
        if sys.modules.pop(name, None) and "." in name:
            package, module = name.split(".")
            delattr(sys.modules[package], module)


def fail(error: Exception) -> None:
    """Say what can be said, and be there for a computer."""
    micropython.kbd_intr(_CTRL_C)
    try:
        sys.print_exception(error)  # type: ignore[attr-defined]  # MicroPython's own
        try:
            __import__("devices.failing").failing.show(sys.implementation._machine)
        except Exception as another:  # noqa: BLE001 -- the same
            sys.print_exception(another)  # type: ignore[attr-defined]  # the same
        time.sleep(_SHOWN_S)
    except KeyboardInterrupt:
        machine.WDT(timeout=_PROMPT_MS)
        raise


main()
