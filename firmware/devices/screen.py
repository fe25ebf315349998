"""A screen of 320 by 240 behind an ILI9341 or an ST7789: one large time, a bar for the ring, a box for each seat.

Everything is rectangles, and only those are drawn that changed: a picture of the whole screen would take 150 KB, which
a board with its radio on does not have. Commands are those that both controllers' data sheets have in common.
"""

import framebuf
from machine import SPI, Pin

from devices.counter import ticks_ms
from devices.glyphs import glyph
from devices.stalls import Stalls
from moveclock import facts as k
from moveclock.view import DARK, RING, WHITE, View

WIDTH = 320
HEIGHT = 240
_COLUMNS = 0x2A
_ROWS = 0x2B
_WRITE = 0x2C
_LINE = 160  # pixels that are written at once

# Colours as they travel: five bits red, six green, five blue, the high byte first; as a little-endian number.
BLACK = 0x0000
_GREY = 0x0842  # 66, 64, 66 of 255
_COLOURS = (_GREY, 0xE007, 0x20FD, 0x00F8, 0x9F04, 0xFFFF)  # in the order of moveclock.view
_WHITE = 0xFFFF
_JUZ = 0xE007
_DALEJ = 0x20FD
_SEDZIA = 0x00F8

# Where what is.
_BAR_HIGH = 20
_DIGIT_TOP = 36
_DIGIT_WIDE = 58
_DIGIT_HIGH = 124
_THICK = 14
_DIGITS_LEFT = (10, 82, 180, 252)
_COLON_LEFT = 152
_BOX_TOP = 180
_BOX_HIGH = 60
_BOX_WIDE = 64
_LETTERS = "AbCd"
_LETTER_WIDE = 22
_LETTER_HIGH = 36
_LETTER_THICK = 5
_POINT = 128
_GONE = "----"
_ABSENT = "    "
_BLINK_MS = 250


class Panel:
    """The controller: rectangles of one colour."""

    def __init__(self, bus: SPI, select: Pin, data: Pin) -> None:
        self._bus = bus
        self._select = select
        self._data = data
        self._line = bytearray(2 * _LINE)
        self._painted = framebuf.FrameBuffer(self._line, _LINE, 1, framebuf.RGB565)
        self._place = bytearray(4)

    def fill(self, left: int, top: int, wide: int, high: int, colour: int) -> None:
        """A rectangle, which must lie on the screen."""
        if wide <= 0 or high <= 0:
            return
        self._painted.fill(colour)
        self.tell(_COLUMNS, self._span(left, left + wide - 1))
        self.tell(_ROWS, self._span(top, top + high - 1))
        self.tell(_WRITE)
        line = memoryview(self._line)
        whole, rest = wide * high // _LINE, wide * high % _LINE
        self._select.value(0)
        for _ in range(whole):
            self._bus.write(line)
        if rest:
            self._bus.write(line[: 2 * rest])
        self._select.value(1)

    def _span(self, first: int, last: int) -> bytearray:
        place = self._place
        place[0] = first >> 8
        place[1] = first & 255
        place[2] = last >> 8
        place[3] = last & 255
        return place

    def tell(self, command: int, values: bytes | bytearray = b"") -> None:
        """A command, and what goes with it."""
        self._data.value(0)
        self._select.value(0)
        self._bus.write(bytes([command]))
        self._data.value(1)
        if values:
            self._bus.write(values)
        self._select.value(1)


def _bars(left: int, top: int, wide: int, high: int, thick: int) -> tuple:
    """Where the segments a to g of such a digit are: `(left, top, wide, high)`."""
    half = (high - thick) // 2
    inner = wide - 2 * thick
    upright = half - thick
    right = left + wide - thick
    return (
        (left + thick, top, inner, thick),
        (right, top + thick, thick, upright),
        (right, top + half + thick, thick, upright),
        (left + thick, top + 2 * half, inner, thick),
        (left, top + half + thick, thick, upright),
        (left, top + thick, thick, upright),
        (left + thick, top + half, inner, thick),
    )


class Time:
    """The large digits, in place of the displays of four sides. `stalls`: who is to know how long drawing took."""

    def __init__(self, panel: Panel, stalls: Stalls) -> None:
        self._panel = panel
        self._stalls = stalls
        self._shown = [0, 0, 0, 0, 0]  # the segments of each digit, and the colon
        self._text = ""

    def show(self, texts: tuple, calm: bool) -> None:
        """What a seat that plays is shown."""
        for text in texts:
            if text not in (_GONE, _ABSENT):
                self.show_all(text)
                return
        self.show_all(texts[0])

    def show_all(self, text: str) -> None:
        """Four characters; after the second there may be a colon or a point more."""
        if text == self._text:
            return
        self._text = text
        wanted = [0, 0, 0, 0, 0]
        digit = 0
        for character in text:
            if character in ":.":
                wanted[4] = 2 if character == ":" else 1
            elif digit < 4:
                wanted[digit] = glyph(character)
                digit += 1
        begun = ticks_ms()
        for digit in range(4):
            self._digit(digit, wanted[digit])
        self._colon(wanted[4])
        self._stalls.over(begun)

    def light(self, seat: int) -> None:
        """Every segment, for the self-test."""
        self.show_all("88:88")

    def wake(self, seat: int) -> None:
        """What its supply lost it would show at once; it is not asked."""

    def fallen(self) -> int | None:
        """It does not say whether it is there."""
        return None

    def missing(self) -> list:
        """The same."""
        return []

    def _digit(self, digit: int, wanted: int) -> None:
        changed = self._shown[digit] ^ wanted
        self._shown[digit] = wanted
        if not changed:
            return
        bars = _bars(_DIGITS_LEFT[digit], _DIGIT_TOP, _DIGIT_WIDE, _DIGIT_HIGH, _THICK)
        for segment in range(7):
            if changed >> segment & 1:
                left, top, wide, high = bars[segment]
                self._panel.fill(left, top, wide, high, _WHITE if wanted >> segment & 1 else BLACK)

    def _colon(self, wanted: int) -> None:
        if self._shown[4] == wanted:
            return
        self._shown[4] = wanted
        low = _DIGIT_TOP + _DIGIT_HIGH - _THICK
        self._panel.fill(_COLON_LEFT, low, _THICK, _THICK, _WHITE if wanted == 1 else BLACK)
        for place in (1, 2):
            top = _DIGIT_TOP + place * _DIGIT_HIGH // 3 - _THICK // 2
            self._panel.fill(_COLON_LEFT, top, _THICK, _THICK, _WHITE if wanted == 2 else BLACK)


class Lights:
    """The bar and the boxes, in place of the ring and the lamps: what is left, whose move it is, whether Sędzia is
    called. `refresh` draws what `set` has changed.
    """

    def __init__(self, panel: Panel, stalls: Stalls) -> None:
        self.changed = True
        self._panel = panel
        self._stalls = stalls
        self._bar = (_GREY, -1)
        self._wanted: tuple = (DARK, 0, k.NOBODY)
        self._lit = 0
        self._seats = 15  # who is in the game
        self._boxes = [-1, -1, -1, -1, -1]

    def set(self, view: View, now: int) -> None:
        """What to show at `now` ms of uptime."""
        lit = view.lit
        if now // _BLINK_MS & 1:
            lit |= view.blinking
        seats = 0
        for seat in range(4):
            if view.displays[seat] not in (_GONE, _ABSENT):
                seats |= 1 << seat
        if lit != self._lit or view.ring != self._wanted or seats != self._seats:
            self._lit = lit
            self._wanted = view.ring
            self._seats = seats
            self.changed = True

    def refresh(self) -> None:
        """Draw it."""
        self.changed = False
        begun = ticks_ms()
        colour, pixels, seat = self._wanted
        self._draw_bar(_COLOURS[colour], pixels * WIDTH // RING)
        for place in range(4):
            if not self._seats >> place & 1:
                shown = BLACK
            elif self._lit >> 2 * place & 1:
                shown = _JUZ
            elif self._lit >> 2 * place & 2:
                shown = _DALEJ
            elif seat == place:
                shown = _COLOURS[colour]
            else:
                shown = _GREY
            self._draw_box(place, shown)
        self._draw_box(4, _SEDZIA if self._lit >> k.SEDZIA & 1 else _GREY)
        self._stalls.over(begun)

    def light(self, seat: int) -> None:
        """A seat's box and a quarter of the bar, for the self-test."""
        self._wanted = (WHITE, RING // 4 * (seat + 1), seat)
        self._lit = 3 << 2 * seat | 1 << k.SEDZIA
        self.refresh()

    def darken(self) -> None:
        """Nothing."""
        self._wanted = (DARK, 0, k.NOBODY)
        self._lit = 0
        self.refresh()

    def _draw_bar(self, colour: int, wide: int) -> None:
        if self._bar != (colour, wide):
            self._bar = (colour, wide)
            self._panel.fill(0, 0, wide, _BAR_HIGH, colour)
            self._panel.fill(wide, 0, WIDTH - wide, _BAR_HIGH, BLACK)

    def _draw_box(self, place: int, colour: int) -> None:
        if self._boxes[place] == colour:
            return
        self._boxes[place] = colour
        left = place * _BOX_WIDE
        self._panel.fill(left + 2, _BOX_TOP, _BOX_WIDE - 4, _BOX_HIGH - 2, colour)
        if place == 4:  # Sędzia's place has an exclamation mark
            self._panel.fill(left + 29, _BOX_TOP + 12, 6, 22, _WHITE)
            self._panel.fill(left + 29, _BOX_TOP + 40, 6, 6, _WHITE)
            return
        if colour == BLACK:
            return
        ink = _WHITE if colour == _GREY else BLACK
        bits = glyph(_LETTERS[place])
        bars = _bars(
            left + (_BOX_WIDE - _LETTER_WIDE) // 2, _BOX_TOP + (_BOX_HIGH - _LETTER_HIGH) // 2,
            _LETTER_WIDE, _LETTER_HIGH, _LETTER_THICK,
        )  # fmt: skip
        for segment in range(7):
            if bits >> segment & 1:
                at = bars[segment]
                self._panel.fill(at[0], at[1], at[2], at[3], ink)
