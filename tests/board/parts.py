"""What a virtual board is made of: its machine, who has the other end of its radio, how its digits look."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final, Protocol

SEGMENTS: Final = {
    0x3F: "0", 0x06: "1", 0x5B: "2", 0x4F: "3", 0x66: "4", 0x6D: "5", 0x7D: "6", 0x07: "7", 0x7F: "8", 0x6F: "9",
    0x77: "A", 0x7C: "b", 0x39: "C", 0x58: "c", 0x5E: "d", 0x79: "E", 0x71: "F", 0x76: "H", 0x74: "h", 0x38: "L",
    0x54: "n", 0x5C: "o", 0x73: "P", 0x50: "r", 0x78: "t", 0x3E: "U", 0x1C: "u", 0x6E: "y", 0x40: "-", 0x00: " ",
    0x3D: "G", 0x1E: "J", 0x08: "_",
}  # fmt: skip


class BoardError(Exception):
    """The firmware failed, or did not do in time what it was to do; the message holds traceback and serial output."""


@dataclass(frozen=True, kw_only=True)
class Wire:
    """A wire between two pins. Of the presses that go over it, one in so many (0: none) comes later than it was sent,
    does not come at all, or comes once more while the pin is still to be high.
    """

    start: int
    end: int
    late_every: int = 0
    late_us: int = 0
    lost_every: int = 0
    twice_every: int = 0
    cut_after: int = 0  # presses; 0: it stays whole


@dataclass(frozen=True, kw_only=True)
class Machine:
    """What this board is: `i2c` are its displays, `levels` what pins are held at, by number as text."""

    uid: tuple[int, ...] = (0x24, 0x6F, 0x28, 0xAB, 0xCD, 0x01)
    chip: str = "esp32"
    i2c: tuple[int, ...] = (0x70, 0x71, 0x72, 0x73)
    levels: dict[str, int] = field(default_factory=lambda: {"34": 1})  # the tile contact's own pull-up
    millivolts: dict[str, int] = field(default_factory=lambda: {"35": 2000})  # behind the divider: 4.0 V
    ticks: int = 0  # microseconds that the counters are ahead at power-on
    flash_us: int = 0  # simulated microseconds that every change of the flash takes, with interrupts off
    radio_fails: int = 0  # so often `BLE.active(True)` times out
    radio_hangs: bool = False  # `BLE.active(True)` never comes back
    uncalibrated: bool = False  # a chip without the ADC's calibration in its fuses
    wire: Wire | None = None  # from a pin on which the RMT sends to another one


class Radio(Protocol):
    """Who has the other end of the board's radio; called as the board does it."""

    def register(self, services: list[tuple[str, list[tuple[str, int, int]]]]) -> None:
        """Services: (UUID, [(UUID, flags, value handle)])."""

    def advertise(self, adv: bytes | None, resp: bytes, connectable: bool, interval_us: int) -> None:
        """From now on; None: no more."""

    def notify(self, conn: int, handle: int, data: bytes) -> None:
        """To a connection, whether it has subscribed or not."""

    def disconnect(self, conn: int) -> None:
        """The board wants it closed: to be followed by `disconnected`."""

    def value(self, handle: int, data: bytes) -> None:
        """What a read of this characteristic finds from now on."""

    def off(self) -> None:
        """No radio any more: reset, power, or switched off. Every link is gone; nothing is to be said to the board."""


class NoRadio:
    """Nobody is there; remembers what was advertised."""

    def __init__(self) -> None:
        self.advertised: bytes | None = None

    def register(self, services: list[tuple[str, list[tuple[str, int, int]]]]) -> None:
        pass

    def advertise(self, adv: bytes | None, resp: bytes, connectable: bool, interval_us: int) -> None:
        self.advertised = adv

    def notify(self, conn: int, handle: int, data: bytes) -> None:
        pass

    def disconnect(self, conn: int) -> None:
        pass

    def value(self, handle: int, data: bytes) -> None:
        pass

    def off(self) -> None:
        self.advertised = None
