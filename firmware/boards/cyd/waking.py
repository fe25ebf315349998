"""A screen from its reset to dark: what the data sheets of ILI9341 and ST7789 have in common."""

from machine import SPI, Pin

from board import Pins
from devices.counter import sleep_ms
from devices.screen import BLACK, HEIGHT, WIDTH, Panel

_BAUD = 40000000
_RESET = 0x01
_AWAKE = 0x11
_SETTLES_MS = 120  # after reset and after sleep


def screen(board: Pins) -> Panel:
    """Awake, and dark."""
    clock, out, back, select, data = board.screen
    bus = SPI(1, baudrate=_BAUD, sck=Pin(clock), mosi=Pin(out), miso=Pin(back))
    panel = Panel(bus, Pin(select, Pin.OUT, value=1), Pin(data, Pin.OUT))
    for command in (_RESET, _AWAKE):
        panel.tell(command)
        sleep_ms(_SETTLES_MS)
    panel.wake()
    panel.fill(0, 0, WIDTH, HEIGHT, BLACK)
    return panel
