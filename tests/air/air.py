"""The air of the tests: Bumble controllers within one process, with what a real air does to them.

Links break for both ends with a supervision timeout, boxes go out of range, single notifications get lost. The host
stacks, their HCI, ATT and GATT are Bumble's own.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Final, Protocol

from bumble import hci, ll
from bumble.controller import Connection, Controller
from bumble.core import PhysicalTransport
from bumble.device import Device
from bumble.host import Host
from bumble.link import LocalLink
from bumble.transport.common import AsyncPipeSink

RSSI: Final = -60
SUPERVISION_TIMEOUT: Final = 0x08
NOTIFICATION: Final = 0x1B  # the first byte of an attribute PDU
WRITE: Final = 0x12
_L2CAP: Final = 4  # bytes before an attribute PDU


class Station(Protocol):
    """Anything with a Bluetooth address."""

    @property
    def controller(self) -> AirController: ...


class AirController(Controller):
    """Bumble's, which as it is says an advertisement twice instead of its scan response, and cannot stop connecting."""

    le_features = Controller.le_features & ~(hci.LeFeatureMask.LL_PRIVACY | hci.LeFeatureMask.LE_EXTENDED_ADVERTISING)

    def __init__(self, name: str, air: Air) -> None:
        super().__init__(name, link=air)
        self.air = air

    def on_advertising_pdu(self, pdu: ll.AdvInd | ll.AdvExtInd) -> None:
        sender = self.air.find_le_controller(pdu.advertiser_address)
        if sender is None:
            return
        if self.le_scan_enable:
            kinds = hci.HCI_LE_Advertising_Report_Event.EventType
            rssi = self.air.rssi.get(_pair(self, sender), RSSI)
            self._report(kinds.ADV_IND, pdu, pdu.data, rssi)
            if self.le_scan_type:
                self._report(kinds.SCAN_RSP, pdu, sender.le_legacy_advertiser.scan_response_data, rssi)
        pending = self.pending_le_connection
        if pending is not None and pending.peer_address == pdu.advertiser_address:
            self.create_le_connection(pdu.advertiser_address)

    def on_hci_le_create_connection_cancel_command(
        self, _command: hci.HCI_LE_Create_Connection_Cancel_Command
    ) -> hci.HCI_StatusReturnParameters:
        pending, self.pending_le_connection = self.pending_le_connection, None
        if pending is not None:
            self.send_hci_packet(
                hci.HCI_LE_Connection_Complete_Event(
                    status=hci.HCI_ErrorCode.UNKNOWN_CONNECTION_IDENTIFIER_ERROR, connection_handle=0,
                    role=hci.Role.CENTRAL, peer_address_type=pending.peer_address.address_type,
                    peer_address=pending.peer_address, connection_interval=0, peripheral_latency=0,
                    supervision_timeout=0, central_clock_accuracy=0,
                )
            )  # fmt: skip
        return hci.HCI_StatusReturnParameters(hci.HCI_ErrorCode.SUCCESS)

    def link_to(self, other: AirController) -> Connection | None:
        return self.le_connections.get(other.random_address)

    def _report(
        self, kind: hci.HCI_LE_Advertising_Report_Event.EventType, pdu: ll.AdvInd | ll.AdvExtInd, data: bytes, rssi: int
    ) -> None:
        report = hci.HCI_LE_Advertising_Report_Event.Report(
            event_type=kind, address_type=pdu.advertiser_address.address_type, address=pdu.advertiser_address,
            data=data, rssi=rssi,
        )  # fmt: skip
        self.send_hci_packet(hci.HCI_LE_Advertising_Report_Event([report]))


class Air(LocalLink):
    """`rssi`: how well two stations hear each other; `drop(data)` says which notifications get lost."""

    def __init__(self) -> None:
        super().__init__()  # type: ignore[no-untyped-call]  # Bumble has no types there
        self.rssi: dict[frozenset[str], int] = {}
        self.drop: Callable[[bytes], bool] | None = None
        self.dropped = 0
        self.recording: list[bytes] | None = None  # every attribute PDU from now on
        self._apart: set[frozenset[str]] = set()

    def recorded(self, opcode: int) -> list[bytes]:
        """The values of the recorded writes or notifications, in their order."""
        return [pdu[3:] for pdu in self.recording or () if pdu[0] == opcode]

    # --- what happens to it -----

    def cut(self, one: Station, other: Station) -> bool:
        """Their link breaks; both are told that the other fell silent. False if there was none."""
        mine, theirs = one.controller.link_to(other.controller), other.controller.link_to(one.controller)
        if mine is not None:
            one.controller.on_le_disconnected(mine, SUPERVISION_TIMEOUT)
        if theirs is not None:
            other.controller.on_le_disconnected(theirs, SUPERVISION_TIMEOUT)
        return mine is not None

    def forget_links(self, one: AirController) -> None:
        """It knows of no link any more; whom it had one with is told that it fell silent."""
        for connection in list(one.le_connections.values()):
            other = self.find_le_controller(connection.peer_address)
            theirs = None if other is None else other.le_connections.get(one.random_address)
            if other is not None and theirs is not None:
                other.on_le_disconnected(theirs, SUPERVISION_TIMEOUT)
        one.le_connections.clear()

    def part(self, one: Station, other: Station, timeout_s: float = 0.1) -> None:
        """They do not hear each other any more, which a link between them notices after a while."""
        self._apart.add(_pair(one.controller, other.controller))
        asyncio.get_running_loop().call_later(timeout_s, self.cut, one, other)

    def rejoin(self, one: Station, other: Station) -> None:
        self._apart.discard(_pair(one.controller, other.controller))

    def hears(self, one: Station, other: Station, rssi: int) -> None:
        """How well they hear each other, in dBm."""
        self.rssi[_pair(one.controller, other.controller)] = rssi

    # --- what controllers send -----

    def send_advertising_pdu(self, sender_controller: Controller, packet: ll.AdvertisingPdu) -> None:
        loop = asyncio.get_running_loop()
        for controller in self.controllers:
            if controller is sender_controller or _pair(controller, sender_controller) in self._apart:
                continue
            listens = controller.le_scan_enable or controller.pending_le_connection is not None
            if listens or not isinstance(packet, ll.AdvInd):
                loop.call_soon(controller.on_ll_advertising_pdu, packet)

    def send_acl_data(
        self, sender_controller: Controller, destination_address: hci.Address, transport: PhysicalTransport, data: bytes
    ) -> None:
        receiver = self.find_le_controller(destination_address)
        if receiver is None or _pair(sender_controller, receiver) in self._apart:
            return
        if data[_L2CAP] == NOTIFICATION and self.drop is not None and self.drop(data):
            self.dropped += 1
            return
        if self.recording is not None:
            self.recording.append(bytes(data[_L2CAP:]))
        super().send_acl_data(sender_controller, destination_address, transport, data)

    def send_ll_control_pdu(
        self, sender_address: hci.Address, receiver_address: hci.Address, packet: ll.ControlPdu
    ) -> None:
        sender, receiver = self.find_le_controller(sender_address), self.find_le_controller(receiver_address)
        if sender is None or receiver is None or _pair(sender, receiver) in self._apart:
            return
        if sender_address in receiver.le_connections:
            super().send_ll_control_pdu(sender_address, receiver_address, packet)


def station(name: str, air: Air, address: str) -> tuple[Device, AirController]:
    """A host and its controller in this air; still to be powered on."""
    controller = AirController(name, air)
    device = Device(name=name, address=hci.Address(address), host=Host(controller, AsyncPipeSink(controller)))
    return device, controller


def _pair(one: Controller, other: Controller) -> frozenset[str]:
    return frozenset((str(one.random_address), str(other.random_address)))
