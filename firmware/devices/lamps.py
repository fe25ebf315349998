"""One chain of WS2812: the ring of 24, then the lights of the buttons, then Sędzia's.

The chain is driven by the RMT, whose interrupt must not meet a write to flash (facts of the ESP32 port): it is written
between them, by the pump, and only when the picture has changed.
"""

from machine import Pin
from neopixel import NeoPixel

from moveclock import facts as k
from moveclock.view import AMBER, BLUE, DARK, GREEN, RED, RING, WHITE, View

BLINK_MS = 250  # so long on, so long off

# Red, green, blue; 255 would be 60 mA a pixel: all of a ring at these values take 0.3 A.
_COLOURS = (
    (DARK, (0, 0, 0)),
    (GREEN, (0, 64, 0)),
    (AMBER, (56, 28, 0)),
    (RED, (72, 0, 0)),
    (BLUE, (0, 0, 72)),
    (WHITE, (28, 28, 28)),
)
_OFF = (0, 0, 0)
_JUZ = (0, 96, 0)
_DALEJ = (88, 44, 0)
_SEDZIA = (96, 0, 0)
_ALL_JUZ = 0x55
_ALL_DALEJ = 0xAA


class Lamps:
    """The chain. `set` says what it should show, `refresh` makes it so."""

    def __init__(self, pin: int, shared: bool) -> None:
        self.changed = True
        self._shared = shared
        self._buttons = 2 if shared else 8
        self._chain = NeoPixel(Pin(pin, Pin.OUT), RING + self._buttons + 1)
        self._ring: tuple = (DARK, 0, k.NOBODY)
        self._lit = 0

    def set(self, view: View, now: int) -> None:
        """What to show at `now` ms of uptime."""
        lit = view.lit
        if now // BLINK_MS & 1:
            lit |= view.blinking
        if lit != self._lit or view.ring != self._ring:
            self._lit = lit
            self._ring = view.ring
            self.changed = True

    def refresh(self) -> None:
        """Write the chain, which takes a millisecond."""
        self._paint()
        self._chain.write()
        self.changed = False

    def light(self, seat: int) -> None:
        """A seat's quarter of the ring in white, its buttons and Sędzia in their colours, for the self-test."""
        self._ring = (WHITE, RING // 4, seat)
        self._lit = 3 << 2 * seat | 1 << k.SEDZIA
        self.refresh()

    def darken(self) -> None:
        """Nothing."""
        self._ring = (DARK, 0, k.NOBODY)
        self._lit = 0
        self.refresh()

    def _paint(self) -> None:
        colour, pixels, seat = self._ring
        shown = _COLOURS[colour][1]
        begin = 0 if seat == k.NOBODY else seat * RING // 4
        chain = self._chain
        for place in range(RING):
            chain[(begin + place) % RING] = shown if place < pixels else _OFF
        lit = self._lit
        if self._shared:
            lit = lit & 1 << k.SEDZIA | (1 if lit & _ALL_JUZ else 0) | (2 if lit & _ALL_DALEJ else 0)
        for place in range(self._buttons):
            chain[RING + place] = _OFF if not lit >> place & 1 else _DALEJ if place & 1 else _JUZ
        chain[RING + self._buttons] = _SEDZIA if lit >> k.SEDZIA & 1 else _OFF
