"""A radio as a box's `bluetooth` module drives one: services, advertising, notifications, several centrals at once.

As with NimBLE on an ESP32: advertising stops with every connection and is started again by the box; a notification
goes out whether or not anybody subscribed, cut to the MTU; a link has the MTU of 23 until a central asks for more.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from functools import partial
from typing import Final, NamedTuple, cast

from bumble import att, gatt, hci
from bumble.core import UUID
from bumble.device import Connection, Device

from tests.air.air import Air, AirController, station

READ: Final = 0x02
WRITE: Final = 0x08
NOTIFY: Final = 0x10
MTU: Final = 256  # what an ESP32 prefers as it comes
INTERVAL_MS: Final = 60  # of advertising

Service = tuple[str, Sequence[tuple[str, int]]]  # uuid, and of each characteristic uuid and flags


class Heard(NamedTuple):
    """What the radio tells its box: each is given the connection's handle first."""

    connected: Callable[[int], None]
    disconnected: Callable[[int], None]
    mtu: Callable[[int, int], None]
    written: Callable[[int, int, bytes], None]


class Peripheral:
    """One radio. `heard` is called from the event loop, never from within a call of this object."""

    def __init__(self, air: Air, address: str, *, mtu: int = MTU, interval_ms: int = INTERVAL_MS) -> None:
        self.address = address
        self.heard: Heard | None = None
        self.refused_writes = 0
        self._air = air
        self._mtu = mtu
        self._interval_ms = interval_ms
        self._values: dict[int, bytes] = {}
        self._tasks: set[asyncio.Task[None]] = set()
        self.device: Device
        self.controller: AirController

    async def start(self) -> None:
        """The radio is on and silent, with nothing registered."""
        self.device, self.controller = station(f"box {self.address}", self._air, self.address)
        self.device.gatt_server.max_mtu = self._mtu
        self.device.on(Device.EVENT_CONNECTION, self._connected)
        await self.device.power_on()

    def stop(self) -> None:
        """The power is cut: centrals find out when they have heard nothing for a while."""
        self.heard = None
        self.silence()
        self._air.controllers.discard(self.controller)
        for task in self._tasks:
            task.cancel()

    def silence(self) -> None:
        """No advertising and no links any more, of which only the centrals hear."""
        self.advertise(None)
        self._air.forget_links(self.controller)
        self.device.connections.clear()

    # --- what the box asks for -----

    def register(self, services: Sequence[Service]) -> list[list[int]]:
        """The value handles, in the order of the services' characteristics."""
        handles = []
        for uuid, characteristics in services:
            made = [self._characteristic(uuid, flags) for uuid, flags in characteristics]
            self.device.add_service(gatt.Service(UUID(uuid), made))
            handles.append([one.handle for one in made])
            for one in made:
                one.value = cast(
                    "gatt.CharacteristicValue[bytes]",
                    gatt.CharacteristicValue(
                        read=partial(self._read, one.handle), write=partial(self._written, one.handle)
                    ),
                )
        return handles

    def put(self, handle: int, value: bytes) -> None:
        """What is read there from now on."""
        self._values[handle] = bytes(value)

    def advertise(self, data: bytes | None, response: bytes = b"", *, connectable: bool = True) -> None:
        """Raw advertising data and scan response from now on; None: be silent."""
        advertiser = self.controller.le_legacy_advertiser
        advertiser.stop()
        if data is None:
            return
        assert len(data) <= 31, "advertising data of more than 31 bytes"
        assert len(response) <= 31, "a scan response of more than 31 bytes"
        kinds = hci.HCI_LE_Set_Advertising_Parameters_Command.AdvertisingType
        advertiser.advertising_type = kinds.ADV_IND if connectable else kinds.ADV_NONCONN_IND
        advertiser.own_address_type = hci.Address.RANDOM_DEVICE_ADDRESS
        advertiser.advertising_interval_min = self._interval_ms
        advertiser.advertising_data, advertiser.scan_response_data = bytes(data), bytes(response)
        advertiser.start()

    def notify(self, connection: int, handle: int, data: bytes) -> bool:
        """False if there is no such link."""
        bearer = self.device.connections.get(connection)
        if bearer is None:
            return False
        value = bytes(data)[: bearer.att_mtu - 3]
        pdu = att.ATT_Handle_Value_Notification(attribute_handle=handle, attribute_value=value)
        self.device.gatt_server.send_gatt_pdu(bearer, bytes(pdu))
        return True

    def disconnect(self, connection: int) -> bool:
        """False if there is no such link; that it is over comes as `disconnected`."""
        bearer = self.device.connections.get(connection)
        if bearer is None:
            return False
        task = asyncio.get_running_loop().create_task(_disconnect(bearer))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return True

    # --- what comes in -----

    def _characteristic(self, uuid: str, flags: int) -> gatt.Characteristic[bytes]:
        permissions = gatt.Characteristic.READABLE if flags & READ else gatt.Characteristic.Permissions(0)
        if flags & WRITE:
            permissions |= gatt.Characteristic.WRITEABLE
        return gatt.Characteristic(UUID(uuid), gatt.Characteristic.Properties(flags), permissions, b"")

    def _connected(self, connection: Connection) -> None:
        connection.on(Connection.EVENT_DISCONNECTION, lambda _: self._tell("disconnected", connection.handle))
        connection.on(
            Connection.EVENT_CONNECTION_ATT_MTU_UPDATE, lambda: self._tell("mtu", connection.handle, connection.att_mtu)
        )
        self._tell("connected", connection.handle)

    def _read(self, handle: int, _connection: Connection) -> bytes:
        return self._values.get(handle, b"")

    def _written(self, handle: int, connection: Connection, value: bytes) -> None:
        self._tell("written", connection.handle, handle, bytes(value))

    def _tell(self, what: str, *details: int | bytes) -> None:
        if self.heard is not None:
            getattr(self.heard, what)(*details)


async def _disconnect(connection: Connection) -> None:
    try:
        await connection.disconnect()
    except Exception:  # noqa: BLE001 (Bumble has several; each means that the link is gone already)
        return
