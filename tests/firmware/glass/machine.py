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

    def __init__(self, number, *how, value=None):
        self.number = number
        Pin.levels.setdefault(number, 1)
        if value is not None:
            Pin.levels[number] = value

    def value(self, *level):
        if level:
            Pin.levels[self.number] = level[0]
            return None
        return Pin.levels[self.number]

    def irq(self, handler, trigger=0):
        self.handler = handler


class SPI:
    """Data at pin 2, select at pin 15. `pixels`: as numbers of two bytes, the first one high; `told`: commands, with
    what went with them but for places and pixels; `writes`: calls.
    """

    last = None

    def __init__(self, number, **wires):
        assert (wires["sck"].number, wires["mosi"].number, wires["miso"].number) == (14, 13, 12)
        SPI.last = self
        self.pixels = array("H", bytes(2 * WIDTH * HEIGHT))
        self.told = []
        self.writes = 0
        self.awake = False
        self._command = 0
        self._columns = (0, 0)
        self._rows = (0, 0)
        self._at = 0

    def write(self, data):
        assert Pin.levels[15] == 0, "nobody is selected"
        self.writes += 1
        if not Pin.levels[2]:
            self._command = data[0]
            self.told.append(data[0])
            self._at = 0
            if data[0] in (0x01, 0x29):
                self.awake = data[0] == 0x29
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
        else:
            self.told[-1] = (self._command, bytes(data))

    def lose(self):
        """Its supply, or its mind: what it shows from now on is nobody's."""
        for place in range(len(self.pixels)):
            self.pixels[place] = 0xAAAA
        self.awake = False

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
    """`across`: where it is pressed, of 4095; `hard`: how much; each conversion's answer follows its command by a byte.
    The first answer about a place is off.
    """

    across = 0
    hard = 0
    asked = 0

    def __init__(self, **wires):
        assert (wires["sck"].number, wires["mosi"].number, wires["miso"].number) == (25, 32, 39)

    def write_readinto(self, told, heard):
        assert Pin.levels[33] == 0, "nobody is selected"
        assert len(told) == len(heard)
        SoftSPI.asked += 1
        first = True
        for place, command in enumerate(told):
            if not command:
                continue
            assert command & 0x8F == 0x80, "eight bits, or its wire off afterwards"
            if command == 0xB0:
                value = SoftSPI.hard
            else:
                assert command == 0x90, "the short side"
                value = SoftSPI.across if not first else 4095 - SoftSPI.across
                first = False
            heard[place + 1] = value << 3 >> 8
            heard[place + 2] = value << 3 & 255


class PWM:
    def __init__(self, pin, **how):
        assert how["duty_u16"] == 0, "it hums at rest"
        assert pin.number == 26

    def freq(self, hertz):
        pass

    def duty_u16(self, duty):
        pass
