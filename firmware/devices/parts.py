"""What a box shows, sounds and feels, for the four-sided box. Forgotten when all is made; another board has another."""

from machine import I2C, Pin

from board import DIVIDER, TILE_TAKEN, pins
from devices.battery import Battery
from devices.buttons import Buttons
from devices.buzzer import Buzzer
from devices.display import Displays
from devices.lamps import Lamps
from devices.persona import Persona
from devices.stalls import Stalls
from moveclock import facts as k

_I2C_HZ = 100000  # four leads of 23 cm are too much for more, where only 10 kOhm pull the lines up


def parts(machine: str, persona: Persona, stalls: Stalls) -> tuple:
    """`(buttons, displays, lamps, buzzer, battery)` of the board that calls itself `machine`."""
    board = pins(machine)
    levels = (k.KOSTKA,) if TILE_TAKEN else ()
    return (
        Buttons(board.contacts(persona.kostka, persona.shared), board.bare, levels),
        Displays(I2C(0, sda=Pin(board.sda), scl=Pin(board.scl), freq=_I2C_HZ), stalls),
        Lamps(board.lamps, persona.shared),
        Buzzer(board.buzzer),
        Battery(board.battery, DIVIDER),
    )
