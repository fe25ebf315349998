# mypy: ignore-errors
# ruff: noqa: A002, PYI034, RUF012
"""Pins, and what is done with one pin: `machine.Pin`, `ADC`, `PWM`."""

import outside
from machine_parts import part
from outside import hear, say

_INPUT_ONLY = {"esp32": (34, 35, 36, 37, 38, 39), "esp32s3": ()}
_MISSING = {
    "esp32": (6, 7, 8, 9, 10, 11, 24, 28, 29, 30, 31),  # flash, or not there
    "esp32s3": (22, 23, 24, 25, 26, 27, 28, 29, 30, 31, 32),
}
_HIGHEST = {"esp32": 39, "esp32s3": 48}


class Pin:
    """One pin, always the same object for a number."""

    IN = 1
    OUT = 3
    OPEN_DRAIN = 7
    PULL_DOWN = 1
    PULL_UP = 2
    IRQ_RISING = 1
    IRQ_FALLING = 2
    WAKE_LOW = 4
    WAKE_HIGH = 5
    DRIVE_0 = 0
    DRIVE_1 = 1
    DRIVE_2 = 2
    DRIVE_3 = 3

    _all = {}

    def __new__(cls, id: object, *args: object, **kwargs: object) -> "Pin":
        if isinstance(id, Pin):
            return id
        chip = part["chip"]
        if not isinstance(id, int) or not 0 <= id <= _HIGHEST[chip] or id in _MISSING[chip]:
            raise ValueError("invalid pin")
        pin = cls._all.get(id)
        if pin is None:
            pin = object.__new__(cls)
            pin.number = id
            pin._level = part["levels"].get(str(id))  # None: nothing is connected
            pin._out = 0
            pin._mode = cls.IN
            pin._pull = None
            pin._handler = None
            pin._trigger = 0
            cls._all[id] = pin
        return pin

    def __init__(self, id: object, *args: object, **kwargs: object) -> None:
        if args or kwargs:
            self.init(*args, **kwargs)

    def init(
        self,
        mode: int | None = None,
        pull: int | None = -1,
        *,
        value: object = -1,
        drive: int = -1,
        hold: object = None,
    ) -> None:
        if mode is not None and mode & 2 and self.number in _INPUT_ONLY[part["chip"]]:
            raise ValueError("pin can only be input")
        if value != -1:
            self._set(value)
        if mode is not None:
            self._mode = mode
        if pull != -1:
            self._pull = pull

    def value(self, *x: object) -> int | None:
        if x:
            self._set(x[0])
            return None
        if self._mode & 2 and not self._mode & 4:
            return self._out
        if self._level is not None:
            return self._level
        if self.number in _INPUT_ONLY[part["chip"]]:
            return 0  # nothing holds it: here it floats low, always
        return 1 if self._pull == self.PULL_UP else 0

    __call__ = value

    def on(self) -> None:
        self._set(1)

    def off(self) -> None:
        self._set(0)

    def toggle(self) -> None:
        self._set(not self._out)

    def irq(self, handler: object = None, trigger: int = 3, wake: object = None) -> "Pin":
        self._handler = handler
        self._trigger = trigger if handler is not None else 0
        return self

    def _set(self, value: object) -> None:
        level = 1 if value else 0
        if level != self._out:
            self._out = level
            say("pin", self.number, level)

    def _edge(self, level: int) -> None:
        before, self._level = self.value(), level
        if self._handler is not None and level != before and self._trigger & (1 if level else 2):
            outside.schedule(self._handler, self)


def _edge(number: int, level: int) -> None:
    part["levels"][str(number)] = level
    pin = Pin._all.get(number)
    if pin is not None:
        pin._edge(level)


hear("edge", _edge)


class ADC:
    """A voltage: `millivolts` of the board, by pin."""

    ATTN_0DB = 0
    ATTN_2_5DB = 1
    ATTN_6DB = 2
    ATTN_11DB = 3
    WIDTH_12BIT = 12

    def __init__(self, id: object, *, sample_ns: int = -1, atten: int = 0) -> None:
        self._pin = id.number if isinstance(id, Pin) else id
        chip = part["chip"]
        analog = range(32, 40) if chip == "esp32" else range(1, 11)
        second = (0, 2, 4, 12, 13, 14, 15, 25, 26, 27) if chip == "esp32" else range(11, 21)
        if self._pin not in analog and self._pin not in second:
            raise ValueError("invalid pin")
        self._atten = atten

    def atten(self, atten: int) -> None:
        self._atten = atten

    def width(self, bits: int) -> None:
        pass

    def init(self, *, sample_ns: int = -1, atten: int = 0) -> None:
        self._atten = atten

    def read_uv(self) -> int:
        if part.get("uncalibrated"):
            raise OSError(-258, "ESP_ERR_INVALID_ARG")
        most = (950, 1250, 1750, 2450)[self._atten]  # facts.md 8.1
        return min(part["millivolts"].get(str(self._pin), 0), most) * 1000

    def read_u16(self) -> int:
        return self.read_uv() * 65535 // 2450000

    def read(self) -> int:
        return self.read_u16() >> 4


def _voltage(pin: int, millivolts: int) -> None:
    part["millivolts"][str(pin)] = millivolts


hear("voltage", _voltage)


class PWM:
    """A tone or a dimmed lamp."""

    def __init__(self, dest: object, **what: int) -> None:
        self._pin = Pin(dest)
        self._freq = 5000
        self._duty = 0
        self._told = None
        self.init(**what)

    def init(
        self,
        *,
        freq: int = -1,
        duty: int = -1,
        duty_u16: int = -1,
        duty_ns: int = -1,
        lightsleep: object = None,
        invert: int = 0,
    ) -> None:
        if freq != -1:
            if not 1 <= freq <= 40000000:
                raise ValueError("frequency must be from 1Hz to 40MHz")
            self._freq = freq
        if duty != -1:
            self._duty = duty * 64
        if duty_u16 != -1:
            self._duty = duty_u16
        if duty_ns != -1:
            self._duty = duty_ns * self._freq * 65536 // 1000000000
        if not 0 <= self._duty <= 65536:
            raise ValueError("duty_u16 must be from 0 to 65535")
        self._tell()

    def freq(self, *hz: int) -> int | None:
        if not hz:
            return self._freq
        self.init(freq=hz[0])
        return None

    def duty_u16(self, *duty: int) -> int | None:
        if not duty:
            return self._duty
        self.init(duty_u16=duty[0])
        return None

    def duty(self, *duty: int) -> int | None:
        if not duty:
            return self._duty // 64
        self.init(duty=duty[0])
        return None

    def duty_ns(self, *duty: int) -> int | None:
        if not duty:
            return self._duty * 1000000000 // self._freq // 65536
        self.init(duty_ns=duty[0])
        return None

    def deinit(self) -> None:
        self._duty = 0
        self._tell()

    def _tell(self) -> None:
        told = (self._freq if self._duty else 0, self._duty)
        if told != self._told:
            self._told = told
            say("tone", self._pin.number, *told)
