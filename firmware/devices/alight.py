"""The first sign of power, while the heap is small: the first lamp of the ring. Forgotten. Other boards: another."""

from machine import Pin
from neopixel import NeoPixel

_DIM = (28, 28, 28)


def alight(lamps: int) -> None:
    """Light the lamp that is first on this pin."""
    chain = NeoPixel(Pin(lamps, Pin.OUT), 1)
    chain[0] = _DIM
    chain.write()
