# mypy: ignore-errors
"""The evening box's screen and touch glass: an ILI9341 or ST7789 as far as its data sheets go, which keeps what it was
told to show; and an XPT2046, touched where a test says. Whatever such a chip would take amiss is an error.
"""

from array import array

WIDTH = 320
HEIGHT = 240


class Pin:
    IN = OUT = PULL_UP = IRQ_FALLING = IRQ_RISING = 1
    levels = {}  # noqa: RUF012 -- the machine has no typing

    def __init__(self, number, *how):
        self.number = number
        Pin.levels.setdefault(number, 1)

    def value(self, *level):
        if level:
            Pin.levels[self.number] = level[0]
            return None
        return Pin.levels[self.number]

    def irq(self, handler, trigger=0):
        self.handler = handler


class SPI:
    """Data at pin 2, select at pin 15. `pixels`: as numbers of two bytes, the first one high; `told`: commands."""

    last = None

    def __init__(self, number, **wires):
        assert (wires["sck"].number, wires["mosi"].number, wires["miso"].number) == (14, 13, 12)
        SPI.last = self
        self.pixels = array("H", bytes(2 * WIDTH * HEIGHT))
        self.told = []
        self.bytes = 0
        self._command = 0
        self._columns = (0, 0)
        self._rows = (0, 0)
        self._at = 0

    def write(self, data):
        assert Pin.levels[15] == 0, "nobody is selected"
        self.bytes += len(data)
        if not Pin.levels[2]:
            self._command = data[0]
            self.told.append(data[0])
            self._at = 0
        elif self._command in (0x2A, 0x2B):
            first, last = data[0] << 8 | data[1], data[2] << 8 | data[3]
            assert len(data) == 4
            assert first <= last < (WIDTH if self._command == 0x2A else HEIGHT)
            if self._command == 0x2A:
                self._columns = (first, last)
            else:
                self._rows = (first, last)
        elif self._command == 0x2C:
            self._put(data)

    def _put(self, data):
        left, right = self._columns
        top, bottom = self._rows
        wide = right - left + 1
        for place in range(0, len(data), 2):
            row, column = divmod(self._at, wide)
            assert top + row <= bottom, "more than the window holds"
            self.pixels[(top + row) * WIDTH + left + column] = data[place] << 8 | data[place + 1]
            self._at += 1


class SoftSPI:
    """`across`: where it is touched, of 4095; 0: the finger is gone meanwhile."""

    across = 0
    asked = 0

    def __init__(self, **wires):
        assert (wires["sck"].number, wires["mosi"].number, wires["miso"].number) == (25, 32, 39)

    def write_readinto(self, told, heard):
        assert Pin.levels[33] == 0, "nobody is selected"
        assert told[0] == 0xD0
        SoftSPI.asked += 1
        heard[1] = SoftSPI.across << 3 >> 8
        heard[2] = SoftSPI.across << 3 & 255


class PWM:
    def __init__(self, pin, **how):
        assert how["duty_u16"] == 0, "it hums at rest"
        assert pin.number == 26

    def freq(self, hertz):
        pass

    def duty_u16(self, duty):
        pass
