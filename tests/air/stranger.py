"""Somebody in the hall with a laptop: connects to boxes, writes whatever it likes, advertises what it heard."""

from __future__ import annotations

from contextlib import suppress
from typing import Final

from bumble import att
from bumble.device import Connection, Peer
from bumble.gatt_client import CharacteristicProxy
from bumble.hci import Address

from moveclock import wire
from tests.air.air import Air, AirController, station
from tests.air.onair import OnAir

ADDRESS: Final = "EE:EE:EE:EE:EE:01"
CLONE: Final = "EE:EE:EE:EE:EE:02"
MTU: Final = 517
CONNECT_S: Final = 30.0


class Stranger:
    """`heard`: what boxes notified on the link, or tried to."""

    def __init__(self, air: Air) -> None:
        self.heard: list[bytes] = []
        self.over = False
        self.controller: AirController
        self._air = air
        self._connection: Connection | None = None
        self._commands: CharacteristicProxy[bytes] | None = None
        self._info: CharacteristicProxy[bytes] | None = None

    async def connect(self, box: OnAir) -> None:
        device, self.controller = station("stranger", self._air, ADDRESS)
        await device.power_on()
        self._connection = await device.connect(Address(box.peripheral.address), timeout=CONNECT_S)
        self._connection.on(Connection.EVENT_DISCONNECTION, self._ended)
        peer = Peer(self._connection)
        await peer.request_mtu(MTU)
        await peer.discover_services()
        await peer.discover_characteristics()
        by_uuid = {
            one.uuid.to_hex_str("-").lower(): one for service in peer.services for one in service.characteristics
        }
        await by_uuid[wire.EVENTS_UUID].subscribe(lambda value: self.heard.append(bytes(value)))
        self._commands, self._info = by_uuid[wire.COMMANDS_UUID], by_uuid[wire.INFO_UUID]

    async def read_info(self) -> bytes:
        assert self._info is not None
        return bytes(await self._info.read_value())

    async def write(self, frame: bytes) -> None:
        """The frame as it is; whether the box's radio takes it is its own affair."""
        assert self._commands is not None
        with suppress(att.ATT_Error):
            await self._commands.write_value(frame, with_response=True)

    def _ended(self, _reason: int) -> None:
        self.over = True
