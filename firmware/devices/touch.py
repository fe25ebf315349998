"""The touch glass: an XPT2046 whose fourth wire is low while somebody presses it. Its right half is Sędzia; its left
half is a tile that is taken, on a box that has Kostka there, else Sędzia too.

How hard and where it is pressed costs a few words on its bus, and is asked only while the wire is low. Which half it is
is settled when a press begins; one that is light for a moment is not over. A press is dated to the look before.
"""

from machine import Pin, SoftSPI

from devices.counter import since, ticks_ms

_BAUD = 1000000
# How hard (0xB0), then twice where along the long side (0x90): the first answer is noisy. Each of twelve bits, with the
# wire on again afterwards; an answer follows its command by a byte.
_ASK = b"\xb0\x00\x90\x00\x90\x00\x00"
_PRESSED = 64  # of 4095; 0: nobody touches it
_MIDDLE = 2048
_BAND = 200  # so near to the middle a press begins in neither half
_OVER_MS = 60


class Glass:
    """`side`: -1 left, 1 right, 0 neither. `touched`: its fourth wire; `wires`: clock, in, out, select of its chip."""

    def __init__(self, touched: int, wires: tuple) -> None:
        clock, into, out, select = wires
        self.side = 0
        self._pressed = 0  # when it was last
        self._wire = Pin(touched, Pin.IN)
        self._select = Pin(select, Pin.OUT, value=1)
        self._bus = SoftSPI(baudrate=_BAUD, sck=Pin(clock), mosi=Pin(into), miso=Pin(out))
        self._told = bytearray(len(_ASK))
        self._ask()  # whatever it was told before it was reset: its wire is on from now on

    def look(self) -> None:
        """Settle which half is pressed."""
        now = ticks_ms()
        if not self._wire.value():
            told = self._ask()
            across = (told[5] << 8 | told[6]) >> 3
            if (told[1] << 8 | told[2]) >> 3 >= _PRESSED:
                self._pressed = now
                if not self.side and abs(across - _MIDDLE) > _BAND:
                    self.side = 1 if across > _MIDDLE else -1
                return
        if self.side and since(self._pressed) >= _OVER_MS:
            self.side = 0

    def _ask(self) -> bytearray:
        self._select.value(0)
        self._bus.write_readinto(_ASK, self._told)
        self._select.value(1)
        return self._told


class Half:
    """A half of the glass, as a contact of `devices.buttons` sees a pin: 0 while it is pressed. `sides`: which of them,
    `asks`: whether it is the one that has the glass looked at.
    """

    def __init__(self, glass: Glass, sides: tuple, asks: bool) -> None:
        self._glass = glass
        self._sides = sides
        self._asks = asks

    def value(self) -> int:
        """The level."""
        if self._asks:
            self._glass.look()
        return 0 if self._glass.side in self._sides else 1

    def irq(self, handler: object, trigger: int) -> None:
        """Nobody interrupts for it: it is looked at each turn."""
