"""The first sign of power: the light behind the screen."""

from machine import Pin


def alight(lamps: int) -> None:
    """Switch it on."""
    Pin(lamps, Pin.OUT).value(1)
