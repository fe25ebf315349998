"""The unchanged firmware in the air of tests/air, on a MicroPython whose Bluetooth host is NimBLE, as an ESP32's is.

Between NimBLE and the air there is Bumble's controller and HCI on a pseudo-terminal; above it nothing is stood in for.
"""

from __future__ import annotations

from pathlib import Path
from typing import Final

from bumble import hci, ll
from bumble.controller import Connection, LegacyAdvertiser
from bumble.core import PhysicalTransport
from bumble.device import Device
from bumble.transport.common import Transport
from bumble.transport.pty import open_pty_transport

from tests.air.air import RSSI, Air, AirController
from tests.air.boardonair import OnBoard
from tests.air.peripheral import INTERVAL_MS, Peripheral
from tests.nimble.board import NimbleBoard

Kinds = hci.HCI_LE_Set_Advertising_Parameters_Command.AdvertisingType
PACKET: Final = 251  # bytes of a link layer's packet
BEGINS: Final = 2
CONTINUES: Final = 1
Reports = hci.HCI_LE_Advertising_Report_Event.EventType


class Advertiser(LegacyAdvertiser):
    """Bumble's, which is silent unless it is connectable."""

    def send_advertising_data(self) -> None:
        if self.advertising_type == Kinds.ADV_IND or not self.enabled:
            super().send_advertising_data()
            return
        here = self.controller
        assert isinstance(here, AirController)
        pdu = ll.AdvInd(advertiser_address=self.address, data=self.advertising_data)
        for other in here.air.controllers:
            if isinstance(other, AirController) and other is not here and other.le_scan_enable:
                other._report(Reports.ADV_SCAN_IND, pdu, pdu.data, RSSI)
                if other.le_scan_type:
                    other._report(Reports.SCAN_RSP, pdu, self.scan_response_data, RSSI)


class BoardController(AirController):
    """The controller of a board. Its public address is its only one; it advertises as often as the test says.

    A host that was told of a new link and, before it looked, of data on it, throws that data away if data of another
    link was waiting already: NimBLE takes all data at once, where the first of it stands in the queue. Through the air
    nothing comes that early (an interval later at best), so here it waits until the host asks what the other end can,
    which is the first thing that NimBLE does with a new link.
    """

    def __init__(self, name: str, air: Air, address: str, interval_ms: int) -> None:
        super().__init__(name, air)
        self._public_address = hci.Address(address)  # of Bumble's default kind, which is what centrals look for
        self.random_address = hci.Address(address)
        self._interval_ms = interval_ms
        self._known: dict[hci.Address, Connection] = {}  # links that the host has looked at
        self._early: list[tuple[Connection, bytes]] = []  # what came on others
        self.le_legacy_advertiser = Advertiser(self)

    def on_link_acl_data(self, sender_address: hci.Address, transport: PhysicalTransport, data: bytes) -> None:
        """In packets of the size that the air has; Bumble's own would be more than NimBLE's buffer."""
        connection = self.le_connections.get(sender_address)
        if connection is None:
            return
        if self._known.get(sender_address) is not connection:
            self._early.append((connection, data))
            return
        self._hand_over(connection, data)

    def on_hci_le_read_remote_features_command(self, command: hci.HCI_LE_Read_Remote_Features_Command) -> None:
        super().on_hci_le_read_remote_features_command(command)
        connection = self.find_le_connection_by_handle(command.connection_handle)
        if connection is None:
            return
        self._known[connection.peer_address] = connection
        early, self._early = self._early, []
        for other, data in early:
            if other is connection:
                self._hand_over(connection, data)
            else:
                self._early.append((other, data))

    def _hand_over(self, connection: Connection, data: bytes) -> None:
        for at in range(0, len(data), PACKET):
            part = data[at : at + PACKET]
            self.send_hci_packet(
                hci.HCI_AclDataPacket(connection.handle, CONTINUES if at else BEGINS, 0, len(part), part)
            )

    def on_hci_le_set_advertising_parameters_command(
        self, command: hci.HCI_LE_Set_Advertising_Parameters_Command
    ) -> hci.HCI_StatusReturnParameters:
        answer = super().on_hci_le_set_advertising_parameters_command(command)
        self.le_legacy_advertiser.advertising_interval_min = self._interval_ms
        return answer


class HciPort(Peripheral):
    """A controller behind a pseudo-terminal; `path` is the terminal's name while it is started."""

    def __init__(self, air: Air, address: str, *, interval_ms: int = INTERVAL_MS) -> None:
        super().__init__(air, address, interval_ms=interval_ms)
        self.path = ""
        self._transport: Transport | None = None
        self.device: Device

    async def plug_in(self, folder: Path) -> None:
        """A terminal, and a controller that knows nothing yet."""
        link = folder / "hci"
        link.unlink(missing_ok=True)
        self._transport = await open_pty_transport(str(link))
        self.path = str(link.readlink())
        self.controller = BoardController(f"box {self.address}", self._air, self.address, self._interval_ms)
        self._transport.source.set_packet_sink(self.controller)
        self.controller.host = self._transport.sink

    async def pull_out(self) -> None:
        """The power is cut: centrals find out when they have heard nothing for a while."""
        self.silence()
        self._air.controllers.discard(self.controller)
        if self._transport is not None:
            await self._transport.close()
            self._transport = None

    def silence(self) -> None:
        """No advertising and no links any more, of which only the centrals hear."""
        self.controller.le_legacy_advertiser.stop()
        self._air.forget_links(self.controller)


class NimbleOnAir(OnBoard):
    """A box that is a board with NimBLE."""

    board: NimbleBoard

    def __init__(self, air: Air, folder: Path, number: int, *, interval_ms: int = INTERVAL_MS) -> None:
        super().__init__(air, number, interval_ms=interval_ms)
        self.port = self.peripheral = HciPort(air, self.peripheral.address, interval_ms=interval_ms)
        self.board = NimbleBoard(folder / f"board{number}", self.machine)
        self.write_flash()

    async def power_on(self) -> None:
        await self.port.plug_in(self.board.folder)
        self.board.hci = self.port.path
        await self.board.power_on()
        await self.board.until(lambda: self.controller.le_legacy_advertiser.enabled or self.board.ended, 20_000)
        self.board.check()

    async def power_off(self) -> None:
        await self.board.power_off()
        await self.port.pull_out()
        self.board.check()
