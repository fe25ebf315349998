"""Four displays on one I2C bus: four seven-segment digits with a colon, each behind an HT16K33 at 0x70 + seat.

Register and bit numbers are those of Holtek's HT16K33 data sheet; the wiring of digits is that of the common backpack:
digits at 0, 2, 6, 8 and the colon at 4, segment a in bit 0 up to g in bit 6, the point in bit 7.
"""

from machine import I2C

from devices.counter import ticks_ms
from devices.glyphs import glyph
from devices.stalls import Stalls

ADDRESS = 0x70
_SYSTEM_ON = b"\x21"
_DISPLAY_ON = b"\x81"
_BRIGHTNESS = b"\xef"
_POINT = 0x80
_COLON = 0x02
_PLACES = (0, 2, 6, 8)
_COLON_AT = 4
_RAM = 10
_AGAIN = 100  # texts are not tried on a display that failed; then it is begun anew
_AGAIN_MOST = 1600  # ... as the pause doubles: on a bus that hangs each attempt can take 50 ms and more


def draw(text: str, ram: bytearray) -> None:
    """Put four characters into a display's memory; after the second there may be a colon or a point more."""
    for place in range(_RAM):
        ram[place] = 0
    digit = 0
    for character in text:
        if character == ":":
            ram[_COLON_AT] = _COLON
        elif character == ".":
            ram[_PLACES[digit - 1]] |= _POINT
        elif digit < len(_PLACES):
            ram[_PLACES[digit]] = glyph(character)
            digit += 1


class Display:
    """One display; it writes what changed, and survives its own absence. `fell`: it answered, and does no more."""

    def __init__(self, bus: I2C, seat: int, stalls: Stalls) -> None:
        self.answers = False
        self.fell = False
        self._bus = bus
        self._stalls = stalls
        self._address = ADDRESS + seat
        self._ram = bytearray(_RAM)
        self._text = ""
        self._rest = 0
        self._pause = _AGAIN
        self._begin()

    def show(self, text: str, calm: bool) -> None:
        """Show four characters. `calm`: a display that failed may be tried, which can take its time."""
        if text == self._text and self.answers:
            return
        if not self.answers:
            if self._rest > 0 or not calm:
                self._rest -= 1
                return
            self._begin()
        draw(text, self._ram)
        self._write(text)

    def wake(self) -> None:
        """Switch it on again, and have the next text written: a dip of its supply leaves it dark, and it answers."""
        if self.answers:
            self._begin()
            self._text = ""

    def light(self) -> None:
        """Every segment, for the self-test."""
        for place in range(_RAM):
            self._ram[place] = 255
        self._write("")

    def _begin(self) -> None:
        begun = ticks_ms()
        try:
            for command in (_SYSTEM_ON, _DISPLAY_ON, _BRIGHTNESS):
                self._bus.writeto(self._address, command)
            self.answers = True
        except OSError:
            self._fails()
        finally:
            self._stalls.over(begun)

    def _write(self, text: str) -> None:
        if not self.answers:
            return
        begun = ticks_ms()
        try:
            self._bus.writeto_mem(self._address, 0, self._ram)
            self._text = text
            self._pause = _AGAIN
        except OSError:
            self._fails()
        finally:
            self._stalls.over(begun)

    def _fails(self) -> None:
        self.fell = self.answers
        self.answers = False
        self._rest = self._pause
        self._pause = min(2 * self._pause, _AGAIN_MOST)


class Displays:
    """The displays of seats A to D. `stalls`: who is to know how long the bus took; one that is dead takes its time."""

    def __init__(self, bus: I2C, stalls: Stalls) -> None:
        self._displays = [Display(bus, seat, stalls) for seat in range(4)]

    def show(self, texts: tuple, calm: bool) -> None:
        """One text for each seat."""
        for seat in range(4):
            self._displays[seat].show(texts[seat], calm)

    def show_all(self, text: str) -> None:
        """The same on every side."""
        for display in self._displays:
            display.show(text, True)

    def wake(self, seat: int) -> None:
        """In case it lost its supply for a moment."""
        self._displays[seat].wake()

    def light(self, seat: int) -> None:
        """Every segment of one display."""
        self._displays[seat].light()

    def fallen(self) -> int | None:
        """A seat whose display has just ceased to answer; each is named once."""
        for seat in range(4):
            display = self._displays[seat]
            if display.fell:
                display.fell = False
                return seat
        return None

    def missing(self) -> list:
        """Seats whose display does not answer."""
        return [seat for seat in range(4) if not self._displays[seat].answers]
