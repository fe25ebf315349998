# mypy: ignore-errors
"""Stands in for ESP32's frozen `neopixel`: a strip whose colours the outside sees when they are written."""

from machine import bitstream


class NeoPixel:
    """A strip of WS2812; as on the board, the buffer holds green, red, blue."""

    ORDER = (1, 0, 2, 3)

    def __init__(self, pin: object, n: int, bpp: int = 3, timing: object = 1) -> None:
        self.pin = pin
        self.n = n
        self.bpp = bpp
        self.buf = bytearray(n * bpp)
        self.pin.init(pin.OUT)
        self.timing = timing

    def __len__(self) -> int:
        return self.n

    def __setitem__(self, i: int, v: tuple) -> None:
        offset = i * self.bpp
        for place in range(self.bpp):
            self.buf[offset + self.ORDER[place]] = v[place]

    def __getitem__(self, i: int) -> tuple:
        offset = i * self.bpp
        return tuple([self.buf[offset + self.ORDER[place]] for place in range(self.bpp)])

    def fill(self, v: tuple) -> None:
        for i in range(self.n):
            self[i] = v

    def write(self) -> None:
        bitstream(self.pin, 0, self.timing, self.buf)
