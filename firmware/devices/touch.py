"""The touch glass: an XPT2046 whose fourth wire is low while somebody touches it. Its right half is Sędzia; its left
half is a tile that is taken, on a box that has Kostka there, else Sędzia too.

Where it was touched costs a few words on its bus and is asked only while it is; a press is dated to the look before.
"""

from machine import Pin, SoftSPI

_BAUD = 1000000
_ASK_ACROSS = b"\xd0\x00\x00"  # twelve bits, both ends of the glass compared, the chip rests afterwards
_MIDDLE = 2048
_LEAST = 64  # of 4095: nobody touches it any more


class Glass:
    """`touched`: its fourth wire; `wires`: clock, in, out and select of its chip."""

    def __init__(self, touched: int, wires: tuple) -> None:
        clock, into, out, select = wires
        self._touched = Pin(touched, Pin.IN)
        self._select = Pin(select, Pin.OUT)
        self._select.value(1)
        self._bus = SoftSPI(baudrate=_BAUD, sck=Pin(clock), mosi=Pin(into), miso=Pin(out))
        self._told = bytearray(3)

    def right(self) -> bool | None:
        """Which half is touched; None: neither."""
        if self._touched.value():
            return None
        self._select.value(0)
        self._bus.write_readinto(_ASK_ACROSS, self._told)
        self._select.value(1)
        across = (self._told[1] << 8 | self._told[2]) >> 3
        return None if across < _LEAST else across > _MIDDLE


class Half:
    """One half of the glass, as a contact of `devices.buttons` sees a pin: 0 while it is touched. Or all of it."""

    def __init__(self, glass: Glass, right: bool, all_of_it: bool) -> None:
        self._glass = glass
        self._right = right
        self._all = all_of_it

    def value(self) -> int:
        """The level."""
        right = self._glass.right()
        return 0 if right is not None and (self._all or right == self._right) else 1

    def irq(self, handler: object, trigger: int) -> None:
        """Nobody interrupts for it: it is looked at each turn."""
