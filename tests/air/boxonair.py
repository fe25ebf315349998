"""A whole box in the air: the real `moveclock.box.Box` on CPython, pumped in real time behind a Bumble radio."""

from __future__ import annotations

import asyncio
from typing import Final

from dalej.clock import Clock
from dalej.simulator.box import MemoryFlash, SimBoard
from moveclock import wire
from moveclock.box import Box
from moveclock.ticks import PERIOD
from tests.air.air import Air
from tests.air.onair import OnAir
from tests.air.peripheral import INTERVAL_MS, MTU, NOTIFY, READ, WRITE, Heard, Service
from tests.boxloop import turn

FLAGS: Final = b"\x02\x01\x06"
NAME: Final = b"\x07\x09Dalej7"
RESPONSE: Final = bytes([17, 7]) + bytes.fromhex(wire.SERVICE_UUID.replace("-", ""))[::-1] + NAME
SERVICES: Final[list[Service]] = [
    (wire.SERVICE_UUID, [(wire.INFO_UUID, READ), (wire.EVENTS_UUID, NOTIFY), (wire.COMMANDS_UUID, WRITE)])
]
OTHERS: Final[list[Service]] = [("1815", [("2a56", READ)])]
WRITE_BUFFER: Final = 256  # bytes that the radio keeps of one write


class BoxOnAir(OnAir):
    """A box that is CPython's own; `ours`: whether it offers the services that it should."""

    def __init__(
        self, air: Air, clock: Clock, number: int, *, mtu: int = MTU, interval_ms: int = INTERVAL_MS, ours: bool = True
    ) -> None:
        super().__init__(air, number, mtu=mtu, interval_ms=interval_ms)
        self.box: Box | None = None
        self._flash = MemoryFlash()
        self._board = SimBoard(self.random)
        self._clock = clock
        self._services = SERVICES if ours else OTHERS
        self._on_since = 0
        self._said = b""
        self._links: set[int] = set()
        self._handles: list[int] = []
        self._wake: asyncio.TimerHandle | None = None

    @property
    def live(self) -> Box:
        assert self.box is not None, "this box is off"
        return self.box

    @property
    def skips(self) -> bool:
        return True

    @property
    def is_on(self) -> bool:
        return self.box is not None

    @property
    def settled(self) -> bool:
        return self.live.settled()

    async def power_on(self) -> None:
        await self.peripheral.start()
        self._on_since = self._clock.now_ms()
        self.box = Box(self.uid, self.secret, self._flash, self._board, 0)
        self._handles = self.peripheral.register(self._services)[0]
        self.peripheral.put(self._handles[0], self.box.info())
        self.peripheral.heard = Heard(self._connected, self._disconnected, self._resized, self._written)
        self._advertise()
        self.pump()

    async def power_off(self) -> None:
        self._board.kept = b""
        self.box = None
        self._links.clear()
        if self._wake is not None:
            self._wake.cancel()
        self.peripheral.stop()

    def edge(self, contact: int, down: bool) -> None:
        self.live.edge(contact, down, self._raw())
        self.pump()

    def skipped(self, ms: int) -> None:
        self.pump()

    def pump(self) -> None:
        """One turn of the firmware's loop, and the next one when the box asks for it."""
        box = self.box
        if box is None:
            return
        wait_s = turn(box, self._raw(), self._links, self._notify, self.peripheral.disconnect)
        if box.advertisement() != self._said:
            self._advertise()
        if self._wake is not None:
            self._wake.cancel()
        self._wake = asyncio.get_running_loop().call_later(wait_s, self.pump)

    def _notify(self, link: int, frame: bytes) -> bool:
        return self.peripheral.notify(link, self._handles[1], frame)

    def _advertise(self) -> None:
        self._said = self.live.advertisement()
        self.peripheral.advertise(FLAGS + self._said, RESPONSE)

    def _raw(self) -> int:
        return (self._clock.now_ms() - self._on_since) % PERIOD

    # --- what the radio tells -----

    def _connected(self, link: int) -> None:
        self._links.add(link)
        self.live.opened(link, 23, self._raw())
        self._advertise()
        self.pump()

    def _disconnected(self, link: int) -> None:
        self._links.discard(link)
        self.live.closed(link)
        self.pump()

    def _resized(self, link: int, mtu: int) -> None:
        self.live.negotiated(link, mtu)

    def _written(self, link: int, handle: int, data: bytes) -> None:
        if handle == self._handles[-1]:
            self.live.receive(link, data[:WRITE_BUFFER], self._raw())
            self.pump()
