"""Boxes on the air of a virtual adapter: Bumble's controllers and GATT servers, each with a real box behind it.

The kernel sees an ordinary adapter (`/dev/vhci`); between that and the boxes lies Bumble's link, which knows no
distance: a box that loses its power is taken off it, and the adapter notices as a real one does (HCI reason 0x08).
"""

from __future__ import annotations

import asyncio
from functools import partial
from typing import Any, Final

from bumble import att, hci, ll
from bumble.controller import Controller
from bumble.core import UUID, AdvertisingData, PhysicalTransport
from bumble.device import Connection, Device
from bumble.gatt import Characteristic, CharacteristicValue, Service
from bumble.hci import Address
from bumble.host import Host
from bumble.link import LocalLink
from bumble.transport import open_transport
from bumble.transport.common import AsyncPipeSink

from moveclock import wire
from tests.bluez.livebox import LiveBox

_INTERVAL: Final = 800.0  # ms of Bumble's count, which it takes for units of 0.625 ms: 1.28 s
_MASKED: Final = hci.LeFeatureMask.LL_PRIVACY | hci.LeFeatureMask.LE_EXTENDED_ADVERTISING  # the kernel would use them
_OUT_OF_REACH: Final = 0x08
_NAME: Final = bytes(AdvertisingData([(AdvertisingData.COMPLETE_LOCAL_NAME, b"Dalej")]))
_SERVICE: Final = (AdvertisingData.COMPLETE_LIST_OF_128_BIT_SERVICE_CLASS_UUIDS, bytes(UUID(wire.SERVICE_UUID)))
_SCAN_RESPONSE: Final = bytes(AdvertisingData([_SERVICE])) + _NAME
_ADDRESS: Final = "00:1A:7D:00:00:01"
_FLAGS: Final = b"\x02\x01\x06"


class Link(LocalLink):
    """Data comes from the address that a connection was made with: a kernel that scans changes its random address."""

    def __init__(self) -> None:
        super().__init__()  # type: ignore[no-untyped-call]

    def send_acl_data(
        self, sender_controller: Controller, destination_address: Address, transport: PhysicalTransport, data: bytes
    ) -> None:
        connection = sender_controller.le_connections.get(destination_address)
        receiver = self.find_le_controller(destination_address)
        if connection is not None and receiver is not None:
            loop = asyncio.get_running_loop()
            loop.call_soon(receiver.on_link_acl_data, connection.self_address, transport, data)


class Adapter(Controller):
    """The computer's adapter. Reports scan responses as their senders set them, which Bumble's own does not."""

    def on_advertising_pdu(self, pdu: ll.AdvInd | ll.AdvExtInd) -> None:
        address = pdu.advertiser_address
        assert self.link is not None
        sender = self.link.find_le_controller(address)
        if self.le_scan_enable and sender is not None:
            kinds = hci.HCI_LE_Advertising_Report_Event.EventType
            self._report(kinds.ADV_IND, address, pdu.data)
            self._report(kinds.SCAN_RSP, address, sender.le_legacy_advertiser.scan_response_data)
        pending = self.pending_le_connection
        if pending is not None and pending.peer_address == address and address not in self.le_connections:
            self.create_le_connection(address)

    def _report(self, kind: Any, address: Address, data: bytes) -> None:
        report = hci.HCI_LE_Advertising_Report_Event.Report(
            event_type=kind, address_type=address.address_type, address=address, data=data, rssi=-50
        )
        self.send_hci_packet(hci.HCI_LE_Advertising_Report_Event([report]))


class Air:
    """The link that all boxes are on, and the adapter that the kernel has as soon as it is plugged in."""

    def __init__(self) -> None:
        self.link = Link()
        self._adapter: Adapter | None = None

    @property
    def adapter(self) -> Adapter:
        assert self._adapter is not None
        return self._adapter

    async def plug(self) -> None:
        """A new adapter for this computer's kernel, which wants an answer within 2 s from now on."""
        transport = await open_transport("vhci")
        self._adapter = Adapter("desk", transport.source, transport.sink, self.link, _ADDRESS)
        self._adapter.le_features &= ~_MASKED

    @property
    def links(self) -> int:
        return len(self.adapter.le_connections)


class AirBox:
    """A box on the air. It advertises from every state, also while somebody is connected."""

    def __init__(self, air: Air, box: LiveBox, address: str) -> None:
        self.box = box
        self._air = air
        self._address = Address(address)
        self._controller: Controller | None = None
        self._events: Characteristic[bytes] | None = None
        box.on_turn.append(self._advertise)

    async def power_on(self) -> None:
        self.box.power_on()
        controller = self._controller = Controller(str(self._address), link=self._air.link)
        controller.le_features &= ~_MASKED
        host = Host(controller, AsyncPipeSink(controller))
        device = Device(name="Dalej", address=self._address, host=host)
        properties = Characteristic.Properties
        self._events = Characteristic(wire.EVENTS_UUID, properties.NOTIFY, Characteristic.READABLE, b"")
        commands: CharacteristicValue[bytes] = CharacteristicValue(write=self._written)
        info: CharacteristicValue[bytes] = CharacteristicValue(read=lambda _: self.box.powered.info())
        device.add_service(
            Service(
                wire.SERVICE_UUID,
                [
                    Characteristic(wire.INFO_UUID, properties.READ, Characteristic.READABLE, info),
                    self._events,
                    Characteristic(wire.COMMANDS_UUID, properties.WRITE, Characteristic.WRITEABLE, commands),
                ],
            )
        )
        device.on(Device.EVENT_CONNECTION, partial(self._connected, device))
        self._links: dict[Connection, int] = {}
        await device.power_on()
        device.scan_response_data = _SCAN_RESPONSE
        device.advertising_data = _FLAGS + self.box.powered.advertisement()
        await device.start_advertising(advertising_interval_min=_INTERVAL, advertising_interval_max=_INTERVAL)

    def power_off(self) -> None:
        """At once, in the middle of whatever it does."""
        controller, self._controller = self._controller, None
        assert controller is not None
        controller.le_legacy_advertiser.stop()
        self._air.link.remove_controller(controller)
        connection = self._air.adapter.le_connections.get(self._address)
        if connection is not None:
            self._air.adapter.on_le_disconnected(connection, _OUT_OF_REACH)
        self._links.clear()
        self.box.links.clear()
        self.box.power_off()

    def _advertise(self) -> None:
        if self._controller is not None:
            self._controller.le_legacy_advertiser.advertising_data = _FLAGS + self.box.powered.advertisement()

    def _connected(self, device: Device, connection: Connection) -> None:
        number = self._links[connection] = self.box.linked(AirLink(self, device, connection), att.ATT_DEFAULT_MTU)
        connection.on(Connection.EVENT_DISCONNECTION, lambda _: self._parted(connection))
        connection.on(
            Connection.EVENT_CONNECTION_ATT_MTU_UPDATE,
            lambda: self.box.powered.negotiated(number, connection.att_mtu),
        )
        asyncio.get_running_loop().call_soon(self._advertise_on)  # the controller stops when it has told of this

    def _advertise_on(self) -> None:
        if self._controller is not None:
            self._controller.le_legacy_advertiser.start()

    def _parted(self, connection: Connection) -> None:
        self.box.parted(self._links.pop(connection, 0))

    def _written(self, connection: Connection, frame: bytes) -> None:
        number = self._links.get(connection)
        if number is not None:
            self.box.receive(number, bytes(frame))

    def notify(self, device: Device, connection: Connection, frame: bytes) -> None:
        assert self._events is not None
        told = att.ATT_Handle_Value_Notification(attribute_handle=self._events.handle, attribute_value=frame)
        device.gatt_server.send_gatt_pdu(connection, bytes(told))


class AirLink:
    """One link to one box."""

    def __init__(self, box: AirBox, device: Device, connection: Connection) -> None:
        self._box = box
        self._device = device
        self._connection = connection
        self._ending: asyncio.Task[None] | None = None

    def to_desk(self, frame: bytes) -> bool:
        if len(frame) <= self._connection.att_mtu - 3:
            self._box.notify(self._device, self._connection, frame)
        return True

    def cut(self) -> None:
        if self._ending is None:
            self._ending = asyncio.create_task(self._connection.disconnect())
