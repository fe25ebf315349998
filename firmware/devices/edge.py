"""All of a box's hardware, made once at power-on. What fails to start is `None` or says so itself; the rest goes on."""

from machine import freq

from devices import rtc
from devices.chip import RADIO_MS, Chip, Watchdog
from devices.flash import DiskFlash
from devices.radio import Radio
from devices.serial import Port
from devices.stalls import Stalls

_HZ = 240000000  # a board starts with 160 MHz; a collection, and what delays a stamp, takes two thirds as long


class Edge:
    """The hardware of the board that calls itself `machine`. `hung`: the radio did when the box last ran; it is None
    until `begin_radio`.
    """

    def __init__(self, machine: str) -> None:
        from devices.identifying import persona  # noqa: PLC0415 -- main forgets the two, and so must this module
        from devices.parts import parts  # noqa: PLC0415 -- main forgets what it brings in, too

        freq(_HZ)
        self.watchdog = Watchdog()
        self.radio: Radio | None = None
        self.hung = False
        self.stalls = Stalls()
        self.chip = Chip()
        self.flash = DiskFlash(self.stalls)
        self.persona = persona(self.flash, self.chip)
        made = parts(machine, self.persona, self.stalls)
        self.buttons, self.displays, self.lamps, self.buzzer, self.battery = made
        self.port = Port()

    def begin_radio(self, hung: bool) -> None:
        """Be on the air, unless the radio hung as the box started, or does not start now."""
        self.hung = hung
        if rtc.mark() != rtc.HUNG:
            self.watchdog.wait(RADIO_MS)
            rtc.put(rtc.STARTS)
            try:
                self.radio = Radio(self.watchdog, self.stalls)
            except Exception:  # noqa: BLE001 -- whatever it is, a table can play without
                pass
            rtc.put(rtc.AT_REST)
        self.watchdog.wait()
