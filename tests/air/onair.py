"""What every box in the air is, whatever plays it: contacts, power, a radio, and what it advertises of itself."""

from __future__ import annotations

import asyncio
from abc import ABC, abstractmethod
from random import Random
from typing import Final, NamedTuple

from moveclock import advert, secure
from tests.air.air import Air, AirController
from tests.air.peripheral import INTERVAL_MS, MTU, Peripheral

TAP_S: Final = 0.03
_FLAGS: Final = 3  # bytes before the manufacturer data


class Face(NamedTuple):
    """What a box's advertisement tells whoever has its secret."""

    epoch: int
    boot: int
    head: int
    state: int
    seat: int
    alarm: int


class OnAir(ABC):
    """One box; `number` settles its address, uid and secret. `tap_s`: how long a press lasts."""

    tap_s = TAP_S

    def __init__(self, air: Air, number: int, *, mtu: int = MTU, interval_ms: int = INTERVAL_MS) -> None:
        draw = Random(1_000 + number)
        self.uid, self.secret = draw.randbytes(6), draw.randbytes(32)
        self.random = draw
        address = f"F0:F1:F2:F3:{number >> 8:02X}:{number & 255:02X}"
        self.peripheral = Peripheral(air, address, mtu=mtu, interval_ms=interval_ms)

    @property
    def controller(self) -> AirController:
        return self.peripheral.controller

    @property
    def face(self) -> Face:
        """What it advertises now."""
        data = self.controller.le_legacy_advertiser.advertising_data[_FLAGS:]
        said = advert.unpack(secure.advert_key(self.secret, self.uid), data)
        _, epoch, boot, head, _, state, seat, alarm, _, _ = said
        return Face(epoch, boot, head, state, seat, alarm)

    @property
    def links(self) -> int:
        """How many centrals are connected."""
        return len(self.controller.le_connections)

    async def tap(self, contact: int) -> None:
        self.edge(contact, True)
        await asyncio.sleep(self.tap_s)
        self.edge(contact, False)

    @property
    @abstractmethod
    def skips(self) -> bool:
        """Whether its clock can be moved on."""

    @property
    @abstractmethod
    def is_on(self) -> bool: ...

    @property
    @abstractmethod
    def settled(self) -> bool:
        """Whether nothing is undecided and everything is on flash."""

    @abstractmethod
    async def power_on(self) -> None:
        """Starts, advertises; contacts that are down now are ignored until they are released."""

    @abstractmethod
    async def power_off(self) -> None:
        """RAM is gone, flash stays, the links break."""

    @abstractmethod
    def edge(self, contact: int, down: bool) -> None:
        """A finger, a tile or a hand."""

    @abstractmethod
    def skipped(self, ms: int) -> None:
        """The clock was moved on."""
