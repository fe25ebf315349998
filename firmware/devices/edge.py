"""All of a box's hardware, made once at power-on. What fails to start is `None` or says so itself; the rest goes on."""

from machine import I2C, Pin, freq

from devices import rtc
from devices.battery import Battery
from devices.buttons import Buttons
from devices.buzzer import Buzzer
from devices.chip import RADIO_MS, Chip, Watchdog
from devices.display import Displays
from devices.flash import DiskFlash
from devices.lamps import Lamps
from devices.radio import Radio
from devices.serial import Port
from devices.stalls import Stalls
from moveclock import facts as k

_HZ = 240000000  # a board starts with 160 MHz; a collection, and what delays a stamp, takes two thirds as long
_I2C_HZ = 100000  # four leads of 23 cm are too much for more, where only 10 kOhm pull the lines up


class Edge:
    """The hardware of the board that calls itself `machine`. `hung`: the radio did when the box last ran; it is None
    until `begin_radio`.
    """

    def __init__(self, machine: str) -> None:
        from board import DIVIDER, TILE_TAKEN, pins  # noqa: PLC0415 -- main forgets the two, and so must this module
        from devices.identifying import persona  # noqa: PLC0415 -- it is forgotten as well

        freq(_HZ)
        self.watchdog = Watchdog()
        self.radio: Radio | None = None
        self.hung = False
        self.stalls = Stalls()
        self.chip = Chip()
        self.flash = DiskFlash(self.stalls)
        self.persona = persona(self.flash, self.chip)
        kostka, shared = self.persona.kostka, self.persona.shared
        board = pins(machine)
        levels = (k.KOSTKA,) if TILE_TAKEN else ()
        self.buttons = Buttons(board.contacts(kostka, shared), board.bare, levels)
        self.displays = Displays(I2C(0, sda=Pin(board.sda), scl=Pin(board.scl), freq=_I2C_HZ), self.stalls)
        self.lamps = Lamps(board.lamps, shared)
        self.buzzer = Buzzer(board.buzzer)
        self.battery = Battery(board.battery, DIVIDER)
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
