"""A screen of 320 by 240 behind an ILI9341 or an ST7789: one large time, a bar for the ring, a box for each seat.

Everything is rectangles, and only those are drawn that changed: a picture of the whole screen would take 150 KB, which
a board with its radio on does not have. Commands are those that both controllers' data sheets have in common.
"""

import framebuf
from machine import SPI, Pin

from devices.controller import CONTROL, TURNED
from devices.glyphs import glyph
from devices.inversion import INVERTED
from moveclock import facts as k
from moveclock.view import AMBER, BLUE, DARK, GREEN, RED, RING, View

WIDTH = 320
HEIGHT = 240
_COLUMNS = 0x2A
_ROWS = 0x2B
_WRITE = 0x2C
_LINE = 288  # pixels that are written at once: two calls for a segment of a large digit
_BEGINS = ((0x3A, b"\x55"), (0xC0, CONTROL), (0x36, bytes((TURNED,))), (0x21 if INVERTED else 0x20, b""), (0x29, b""))

# Colours as they travel: five bits red, six green, five blue, the high byte first; as a little-endian number.
BLACK = 0x0000
_GREY = 0x0842  # 66, 64, 66 of 255
_TESTED = (RED, AMBER, GREEN, BLUE)
_COLOURS = (_GREY, 0xE007, 0x20FD, 0x00F8, 0x9F04, 0xFFFF)  # in the order of moveclock.view
_WHITE = 0xFFFF
_JUZ = 0xE007
_DALEJ = 0x20FD
_SEDZIA = 0x00F8

# Where what is.
_BAR_HIGH = 20
_TOP = 36
_WIDE = 58
_HIGH = 124
_THICK = 14
_LEFT = (10, 82, 180, 252)
_COLON = ((152, 146, 14, 14), (152, 70, 14, 14), (152, 111, 14, 14))  # a point, and the two of a colon
_ALL = 127
_PIECES = 31
_FEW = 3  # pieces: half a millisecond each
_BOX_TOP = 180
_BOX_HIGH = 60
_BOX_WIDE = 64
_LETTERS = "AbCd"
_LETTER_WIDE = 22
_LETTER_HIGH = 36
_LETTER_THICK = 5
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

    def wake(self) -> None:
        """Sixteen bits, its corner and its colours, and on: nothing happens to one that is."""
        self.tell(0x11)
        for command, values in _BEGINS:
            if command != 0xC0 or values:
                self.tell(command, values)

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
    """The large digits, in place of the displays of four sides."""

    def __init__(self, panel: Panel) -> None:
        self._panel = panel
        self._wanted = bytearray(5)  # the segments of each digit, and the colon
        self._shown = bytearray(5)

    def show(self, texts: tuple, calm: bool) -> None:
        """What a seat that plays is shown; not `calm`: only so much of it as takes no two milliseconds."""
        shown = texts[0]
        for text in texts:
            if text not in (_GONE, _ABSENT):
                shown = text
                break
        self._want(shown)
        self._draw(_PIECES if calm else _FEW)

    def show_all(self, text: str) -> None:
        """Four characters; after the second there may be a colon or a point more."""
        self._want(text)
        self._draw(_PIECES)

    def light(self, seat: int) -> None:
        """Every segment, for the self-test."""
        self.show_all("88:88")

    def wake(self, seat: int) -> None:
        """In case it lost its supply, or its mind by static discharge: it is awake again, and one digit drawn anew."""
        self._panel.wake()
        for place in (seat, 4):
            self._shown[place] = self._wanted[place] ^ _ALL

    def fallen(self) -> int | None:
        """It does not say whether it is there."""
        return None

    def missing(self) -> list:
        """The same."""
        return []

    def _want(self, text: str) -> None:
        wanted = self._wanted
        for place in range(5):
            wanted[place] = 0
        digit = 0
        for character in text:
            if character in ":.":
                wanted[4] = 6 if character == ":" else 1
            elif digit < 4:
                wanted[digit] = glyph(character)
                digit += 1

    def _draw(self, most: int) -> None:
        """At most so many pieces of what changed."""
        for digit in range(5):
            changed = self._shown[digit] ^ self._wanted[digit]
            if changed:
                bars = _COLON if digit == 4 else _bars(_LEFT[digit], _TOP, _WIDE, _HIGH, _THICK)
                for piece in range(len(bars)):
                    if changed >> piece & 1 and most:
                        most -= 1
                        self._shown[digit] ^= 1 << piece
                        left, top, wide, high = bars[piece]
                        self._panel.fill(left, top, wide, high, _WHITE if self._wanted[digit] >> piece & 1 else BLACK)


class Lights:
    """The bar and the boxes, in place of the ring and the lamps: what is left, whose move it is, whether Sędzia is
    called. `refresh` draws the bar and one box of what `set` has changed, or, asked without that, one thing anew.
    """

    def __init__(self, panel: Panel) -> None:
        self.changed = True
        self._panel = panel
        self._bar = (_GREY, -1)
        self._wanted: tuple = (DARK, 0, k.NOBODY)
        self._lit = 0
        self._seats = 15  # who is in the game
        self._boxes = [-1, -1, -1, -1, -1]
        self._anew = 0

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
        """Draw some of it; `changed` as long as there is more."""
        colour, pixels, seat = self._wanted
        drawn = self._draw_bar(_COLOURS[colour], pixels * WIDTH // RING)
        self.changed = False
        for place in range(5):
            shown = self._colour(place, seat, colour)
            if self._boxes[place] != shown:
                if drawn:
                    self.changed = True
                    return
                drawn = True
                self._draw_box(place, shown)
        if not drawn:  # whoever asks all the same fears that it is not there any more
            self._anew = (self._anew + 1) % 5
            self._boxes[self._anew] = -1
            self._bar = (_GREY, -1)

    def light(self, seat: int) -> None:
        """A seat's box, Sędzia, and the bar in another colour for each seat, for the self-test."""
        self._all((_TESTED[seat], RING, seat), 3 << 2 * seat | 1 << k.SEDZIA)

    def darken(self) -> None:
        """Nothing."""
        self._all((DARK, 0, k.NOBODY), 0)

    def _all(self, ring: tuple, lit: int) -> None:
        self._wanted = ring
        self._lit = lit
        self.changed = True
        while self.changed:
            self.refresh()

    def _colour(self, place: int, seat: int, colour: int) -> int:
        if place == 4:
            return _SEDZIA if self._lit >> k.SEDZIA & 1 else _GREY
        if not self._seats >> place & 1:
            return BLACK
        lit = self._lit >> 2 * place
        return _JUZ if lit & 1 else _DALEJ if lit & 2 else _COLOURS[colour] if seat == place else _GREY

    def _draw_bar(self, colour: int, wide: int) -> bool:
        before, was = self._bar
        if self._bar == (colour, wide):
            return False
        self._bar = (colour, wide)
        if colour != before or was < 0:
            self._panel.fill(0, 0, wide, _BAR_HIGH, colour)
            was = WIDTH
        elif wide > was:
            self._panel.fill(was, 0, wide - was, _BAR_HIGH, colour)
        self._panel.fill(wide, 0, was - wide, _BAR_HIGH, BLACK)
        return True

    def _draw_box(self, place: int, colour: int) -> None:
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
