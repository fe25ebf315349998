"""What a box shows, sounds and feels, for the evening box. Forgotten when all is made.

How a screen begins is what the data sheets of ILI9341 and ST7789 have in common.
"""

from machine import SPI, Pin

from board import Pins, pins
from devices.buttons import Buttons
from devices.buzzer import Buzzer
from devices.controller import INVERTED, TURNED
from devices.counter import sleep_ms
from devices.persona import Persona
from devices.screen import BLACK, HEIGHT, WIDTH, Lights, Panel, Time
from devices.stalls import Stalls
from devices.touch import Glass, Half
from moveclock import facts as k

_BAUD = 40000000
_RESET = 0x01
_AWAKE = 0x11
_AS_IT_IS = 0x20
_INVERTED = 0x21
_ON = 0x29
_ORDER = 0x36
_DEPTH = 0x3A
_SIXTEEN_BITS = b"\x55"
_SETTLES_MS = 120  # after reset and after sleep
_PLUGGED_MV = 5000  # a power bank tells nothing of itself


class Plugged:
    """In place of a battery that can be measured."""

    def millivolts(self) -> int:
        """What is behind the plug."""
        return _PLUGGED_MV

    def plausible(self) -> bool:
        """Nobody can know better."""
        return True


def screen(board: Pins) -> Panel:
    """Awake, and dark."""
    clock, out, back, select, data = board.screen
    bus = SPI(1, baudrate=_BAUD, sck=Pin(clock), mosi=Pin(out), miso=Pin(back))
    panel = Panel(bus, Pin(select, Pin.OUT), Pin(data, Pin.OUT))
    for command in (_RESET, _AWAKE):
        panel.tell(command)
        sleep_ms(_SETTLES_MS)
    panel.tell(_DEPTH, _SIXTEEN_BITS)
    panel.tell(_ORDER, bytes([TURNED]))
    panel.tell(_INVERTED if INVERTED else _AS_IT_IS)
    panel.fill(0, 0, WIDTH, HEIGHT, BLACK)
    panel.tell(_ON)
    return panel


def parts(machine: str, persona: Persona, stalls: Stalls) -> tuple:
    """`(buttons, displays, lamps, buzzer, battery)` of the board that calls itself `machine`."""
    board = pins(machine)
    panel = screen(board)
    glass = Glass(board.touched, board.touch)
    halves = [(k.SEDZIA, Half(glass, True, not persona.kostka))]
    if persona.kostka:
        halves.append((k.KOSTKA, Half(glass, False, False)))
    return (
        Buttons(board.contacts(), board.bare, (), halves),
        Time(panel, stalls),
        Lights(panel, stalls),
        Buzzer(board.buzzer),
        Plugged(),
    )
