"""The first sign of power: the light behind the screen. The three-coloured lamp on the board's back stays dark."""

from machine import Pin

_LAMP = (4, 16, 17)  # dark while high


def alight(lamps: int) -> None:
    """Switch it on."""
    Pin(lamps, Pin.OUT, value=1)
    for pin in _LAMP:
        Pin(pin, Pin.OUT, value=1)
