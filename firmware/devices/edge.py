"""All of a box's hardware, made once at power-on. What fails to start is `None` or says so itself; the rest goes on."""

from machine import I2C, Pin, freq

from devices.battery import Battery
from devices.buttons import Buttons
from devices.buzzer import Buzzer
from devices.chip import Chip, Watchdog
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
    """The hardware of the board that calls itself `machine`; the radio is on already, since the heap was empty."""

    def __init__(self, machine: str) -> None:
        from board import DIVIDER, TILE_TAKEN, pins  # noqa: PLC0415 -- main forgets the two, and so must this module
        from devices.identifying import persona  # noqa: PLC0415 -- it is forgotten as well

        freq(_HZ)
        self.watchdog = Watchdog()
        self.stalls = Stalls()
        self.radio = _radio(self.watchdog, self.stalls)
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

    def asks_for_setup(self) -> bool:
        """Whether the contacts that are down at power-on ask for set-up mode: seat A's two buttons, or the shared."""
        held = self.buttons.held()
        return (0 in held and 1 in held) or (k.SHARED_JUZ in held and k.SHARED_DALEJ in held)


def _radio(watchdog: Watchdog, stalls: Stalls) -> Radio | None:
    try:
        return Radio(watchdog, stalls)
    except Exception:  # noqa: BLE001 -- whatever it is, a table can play without
        return None
