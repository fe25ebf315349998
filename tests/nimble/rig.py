"""Short programs on a board with NimBLE, and a central that visits it: what the tests of the bindings share."""

from __future__ import annotations

import asyncio
import textwrap
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Final

from bumble.device import Connection, Device, Peer
from bumble.hci import Address

from tests.air.air import Air, AirController, station
from tests.board.board import install
from tests.board.rig import RADIO_ON
from tests.nimble.board import NimbleBoard
from tests.nimble.radio import HciPort

PATIENCE_S: Final = 30.0
ADDRESS: Final = "F0:F1:F2:F3:00:01"

SERVED: Final = (
    RADIO_ON
    + """
U = bluetooth.UUID
SERVICE = (U(0x1234), ((U(1), 8), (U(2), 16), (U(3), 2)))
((value, events, info),) = ble.gatts_register_services((SERVICE,))
seen = []
def handler(event, data):
    seen.append((event,) + tuple([bytes(x) if isinstance(x, memoryview) else x for x in data]))
ble.irq(handler)
def wait(count, ms=4000):
    start = time.ticks_ms()
    while len(seen) < count and time.ticks_ms() - start < ms:
        time.sleep_ms(5)
ble.gap_advertise(50000, b"\\x02\\x01\\x06")
print("ready", value, events)
"""
)


class Central:
    """Somebody with a radio of his own; `number` is the last byte of his address."""

    def __init__(self, air: Air, number: int) -> None:
        self.device: Device
        self.controller: AirController
        self.device, self.controller = station(f"central {number}", air, f"C1:C1:C1:C1:C1:{number:02X}")
        self.heard: list[bytes] = []
        self._connection: Connection | None = None

    @property
    def connection(self) -> Connection:
        assert self._connection is not None
        return self._connection

    async def connect(self, mtu: int = 0) -> None:
        await self.device.power_on()
        self._connection = await self.device.connect(Address(ADDRESS), timeout=10)
        self.peer = Peer(self._connection)
        if mtu:
            await self.peer.request_mtu(mtu)

    async def write(self, handle: int, data: bytes, *, response: bool = True) -> None:
        await self.peer.gatt_client.write_value(handle, data, with_response=response)

    async def leave(self) -> None:
        await self.connection.disconnect()


class Visited:
    """A board that runs a program, and the air that it is in."""

    def __init__(self, board: NimbleBoard, air: Air, port: HciPort) -> None:
        self.board = board
        self.air = air
        self.port = port
        self.centrals: list[Central] = []

    @property
    def lines(self) -> list[str]:
        return self.board.output.decode().splitlines()

    async def said(self, words: str) -> None:
        """Until the program has printed a line that begins so."""
        await self.board.until(lambda: any(line.startswith(words) for line in self.lines), 10_000)

    async def central(self, mtu: int = 0) -> Central:
        """One more who is connected."""
        one = Central(self.air, len(self.centrals) + 1)
        self.centrals.append(one)
        await one.connect(mtu)
        return one


def printed(
    folder: Path,
    program: str,
    visit: Callable[[Visited], Awaitable[None]] | None = None,
    *,
    firmware: bool = False,
) -> list[str]:
    """The lines that a program prints until its end, with visitors while it runs; `firmware`: it may import that."""

    async def whole() -> list[str]:
        air = Air()
        port = HciPort(air, ADDRESS)
        board = NimbleBoard(folder)
        await port.plug_in(folder)
        board.hci = port.path
        if firmware:
            install(board.flash)
        (board.flash / "main.py").write_text(textwrap.dedent(program), encoding="utf-8")
        try:
            async with asyncio.timeout(PATIENCE_S), board:
                await board.power_on()
                visited = Visited(board, air, port)
                if visit is not None:
                    await visit(visited)
                await board.until(lambda: board.ended, 20_000)
                board.check()
                return visited.lines
        finally:
            await port.pull_out()

    return asyncio.run(whole())
