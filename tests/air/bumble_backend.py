"""A computer's Bluetooth for bleak: a third-party backend whose adapters are Bumble stations in the air of the tests.

Advertisements come as HCI reports, services and frames as attribute PDUs. As with a real system a link belongs to the
system and not to the program: a program that is killed leaves it behind, and the next one finds it with
`get_connected_devices`.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any, ClassVar, Final

from bleak.args import SizedBuffer
from bleak.assigned_numbers import gatt_char_props_to_strs
from bleak.backends.adapter import BaseBleakAdapter
from bleak.backends.characteristic import BleakGATTCharacteristic
from bleak.backends.client import BaseBleakClient, NotifyCallback
from bleak.backends.descriptor import BleakGATTDescriptor
from bleak.backends.device import BLEDevice
from bleak.backends.scanner import AdvertisementData, AdvertisementDataCallback, BaseBleakScanner
from bleak.backends.service import BleakGATTService, BleakGATTServiceCollection
from bleak.exc import (
    BleakBluetoothNotAvailableError,
    BleakBluetoothNotAvailableReason,
    BleakDBusError,
    BleakError,
    BleakGATTProtocolError,
)
from bumble import att
from bumble.core import AdvertisingData, BaseBumbleError
from bumble.device import Advertisement, Connection, Device, Peer
from bumble.gatt_client import CharacteristicProxy
from bumble.hci import Address

from dalej.link.ble import Backend
from tests.air.air import Air, AirController, station

MTU: Final = 517  # what Linux asks for
LINKS: Final = 7


class LocalAdapter:
    """One adapter of a computer: what the system keeps of it, whichever program runs. `off`: Bluetooth is disabled."""

    def __init__(self, name: str, links: int) -> None:
        self.name = name
        self.room = links
        self.off = False
        self.scanners: set[BumbleScanner] = set()
        self.connections: dict[str, Connection] = {}
        self.connects = 0
        self.connections_most = 0
        self.connecting = 0  # how many at the same time, now
        self.connecting_most = 0
        self.device: Device
        self.controller: AirController

    async def start(self, air: Air, address: str) -> None:
        self.device, self.controller = station(self.name, air, address)
        await self.device.power_on()
        self.device.on(Device.EVENT_ADVERTISEMENT, self._heard)

    async def connect(self, address: str, timeout_s: float) -> Connection:
        """A link to that address, the system's own if there is one already."""
        if self.off:
            raise _switched_off()
        known = self.connections.get(address)
        if known is not None:
            return known
        if len(self.connections) >= self.room:
            raise BleakDBusError("org.bluez.Error.Failed", ["le-connection-abort-by-local"])
        self.connecting += 1
        self.connecting_most = max(self.connecting, self.connecting_most)
        try:
            connection = await self.device.connect(Address(address), timeout=timeout_s)
        finally:
            self.connecting -= 1
            self.controller.pending_le_connection = None
        self.connects += 1
        self.connections[address] = connection
        self.connections_most = max(self.connections_most, len(self.connections))
        connection.on(Connection.EVENT_DISCONNECTION, lambda _: self.connections.pop(address, None))
        return connection

    def go_deaf(self) -> None:
        """The scanners that run now report nothing more, without a word."""
        for scanner in self.scanners:
            scanner.deaf = True

    def _heard(self, advertisement: Advertisement) -> None:
        for scanner in list(self.scanners):
            scanner.heard(advertisement)


class Computer:
    """Adapters that outlive every program; `programs` are what bleak is driven by."""

    def __init__(self, air: Air, number: int, names: tuple[str, ...] = ("hci0",), links: int = LINKS) -> None:
        self.adapters = {name: LocalAdapter(name, links) for name in names}
        self._air = air
        self._number = number

    async def start(self) -> None:
        for place, adapter in enumerate(self.adapters.values()):
            await adapter.start(self._air, f"C0:{self._number:02X}:F0:F0:F0:{place:02X}")

    def adapter(self, name: str | None) -> LocalAdapter:
        if name and name not in self.adapters:
            raise BleakError(f"adapter '{name}' not found")
        return self.adapters[name] if name else next(iter(self.adapters.values()))


class Program:
    """One process on a computer, until it is killed; what it left in the system stays."""

    def __init__(self, computer: Computer) -> None:
        self.computer = computer
        self.runs = True
        self.backend = Backend(
            type("Scanner", (BumbleScanner,), {"program": self}),
            type("Client", (BumbleClient,), {"program": self}),
            type("Adapter", (BumbleAdapter,), {"program": self}),
        )

    def kill(self) -> None:
        self.runs = False
        for adapter in self.computer.adapters.values():
            adapter.scanners = {scanner for scanner in adapter.scanners if scanner.program is not self}

    def expect_running(self) -> None:
        if not self.runs:
            raise BleakError("this program was killed")


class BumbleScanner(BaseBleakScanner):
    """Reports what one adapter hears, every time it hears it."""

    program: ClassVar[Program]

    def __init__(
        self,
        detection_callback: AdvertisementDataCallback | None,
        service_uuids: list[str] | None,
        _scanning_mode: str,
        *,
        bluez: dict[str, Any],
        **_kwargs: Any,
    ) -> None:
        super().__init__(detection_callback, service_uuids)
        self.deaf = False
        self._adapter = self.program.computer.adapter(bluez.get("adapter"))

    async def start(self) -> None:
        self.program.expect_running()
        if self._adapter.off:
            raise _switched_off()
        self.seen_devices = {}
        self._adapter.scanners.add(self)
        if not self._adapter.device.is_scanning:
            await self._adapter.device.start_scanning(active=True)

    async def stop(self) -> None:
        self._adapter.scanners.discard(self)
        if self.program.runs and not self._adapter.scanners:
            await self._adapter.device.stop_scanning()

    def heard(self, advertisement: Advertisement) -> None:
        if self.deaf or self._adapter.off:
            return
        kinds = AdvertisingData.Type
        data = advertisement.data
        maker = data.get(kinds.MANUFACTURER_SPECIFIC_DATA, raw=True)
        name = data.get(kinds.COMPLETE_LOCAL_NAME, raw=True)
        services = data.get(kinds.COMPLETE_LIST_OF_128_BIT_SERVICE_CLASS_UUIDS)
        said = AdvertisementData(
            local_name=None if name is None else bytes(name).decode(),
            manufacturer_data={} if maker is None else {int.from_bytes(maker[:2], "little"): bytes(maker[2:])},
            service_data={},
            service_uuids=[] if services is None else [uuid.to_hex_str("-").lower() for uuid in services],
            tx_power=None,
            rssi=advertisement.rssi,
            platform_data=(),
        )
        address = str(advertisement.address).removesuffix("/P")
        self.call_detection_callbacks(self.create_or_update_device(address, address, said.local_name, None, said), said)


class BumbleAdapter(BaseBleakAdapter):
    """Knows which links the system holds."""

    program: ClassVar[Program]

    def __init__(self, adapter: LocalAdapter) -> None:
        self._adapter = adapter

    @classmethod
    async def get(cls, **kwargs: Any) -> BumbleAdapter:
        return cls(cls.program.computer.adapter(kwargs["bluez"].get("adapter")))

    async def get_connected_devices(self, service_uuids: frozenset[str]) -> list[BLEDevice]:
        return [BLEDevice(address, None, None) for address in self._adapter.connections]


class BumbleClient(BaseBleakClient):
    """One program's use of a link."""

    program: ClassVar[Program]

    def __init__(
        self,
        address_or_ble_device: BLEDevice | str,
        *,
        disconnected_callback: Callable[[], None] | None,
        timeout: float,
        services: set[str] | None = None,
        bluez: dict[str, Any],
        **_kwargs: Any,
    ) -> None:
        assert isinstance(address_or_ble_device, BLEDevice), "an address alone finds nothing on macOS"
        super().__init__(address_or_ble_device, disconnected_callback=disconnected_callback, timeout=timeout)
        self._adapter = self.program.computer.adapter(bluez.get("adapter"))
        self._wanted = services
        self._connection: Connection | None = None
        self._peer: Peer | None = None

    @property
    def name(self) -> str:
        return self.address

    @property
    def mtu_size(self) -> int:
        return 23 if self._connection is None else self._connection.att_mtu

    @property
    def is_connected(self) -> bool:
        return self._connection is not None

    async def connect(self, pair: bool, **kwargs: Any) -> None:
        self.program.expect_running()
        try:
            connection = await self._adapter.connect(self.address, self._timeout)
        except BaseBumbleError as error:
            raise BleakError(f"no connection: {error}") from error
        self._connection = connection
        connection.on(Connection.EVENT_DISCONNECTION, self._over)
        self._peer = Peer(connection)
        await self._ask(self._peer.request_mtu(MTU))
        await self._ask(self._peer.discover_services())
        services = BleakGATTServiceCollection()
        for service in self._peer.services:
            uuid = service.uuid.to_hex_str("-").lower()
            if self._wanted is not None and uuid not in self._wanted:
                continue
            found = BleakGATTService(service, service.handle, uuid)
            services.add_service(found)
            await self._ask(service.discover_characteristics())
            for one in service.characteristics:
                properties = list(gatt_char_props_to_strs(int(one.properties)))
                services.add_characteristic(
                    BleakGATTCharacteristic(
                        one, one.handle, one.uuid.to_hex_str("-").lower(), properties, lambda: self.mtu_size - 3, found
                    )
                )
        self.services = services

    async def disconnect(self) -> None:
        self.program.expect_running()
        if self._connection is not None:
            try:
                await self._connection.disconnect()
            except BaseBumbleError as error:
                raise BleakError(f"no disconnection: {error}") from error

    async def write_gatt_char(self, characteristic: BleakGATTCharacteristic, data: SizedBuffer, response: bool) -> None:
        proxy: CharacteristicProxy[bytes] = characteristic.obj
        await self._ask(proxy.write_value(bytes(data), with_response=response))

    async def start_notify(
        self, characteristic: BleakGATTCharacteristic, callback: NotifyCallback, **kwargs: Any
    ) -> None:
        proxy: CharacteristicProxy[bytes] = characteristic.obj
        await self._ask(proxy.subscribe(lambda value: callback(bytearray(value)) if self.program.runs else None))

    async def stop_notify(self, characteristic: BleakGATTCharacteristic) -> None:
        proxy: CharacteristicProxy[bytes] = characteristic.obj
        await self._ask(proxy.unsubscribe())

    async def read_gatt_char(
        self, characteristic: BleakGATTCharacteristic, *, use_cached: bool = False, **kwargs: Any
    ) -> bytearray:
        proxy: CharacteristicProxy[bytes] = characteristic.obj
        return bytearray(await self._ask(proxy.read_value()))

    async def read_gatt_descriptor(
        self, descriptor: BleakGATTDescriptor, *, use_cached: bool = False, **kwargs: Any
    ) -> bytearray:
        raise NotImplementedError

    async def write_gatt_descriptor(self, descriptor: BleakGATTDescriptor, data: SizedBuffer) -> None:
        raise NotImplementedError

    async def pair(self, *args: Any, **kwargs: Any) -> None:
        raise NotImplementedError

    async def unpair(self) -> None:
        raise NotImplementedError

    def _over(self, _reason: int) -> None:
        if self._connection is not None:
            self._connection = None
            if self.program.runs and self._disconnected_callback is not None:
                self._disconnected_callback()

    async def _ask(self, request: Any) -> Any:
        """The answer to an attribute request; BleakError if there is none."""
        if self._connection is None or not self.program.runs:
            request.close()
            raise BleakError("Not connected")
        try:
            return await request
        except att.ATT_Error as error:
            raise BleakGATTProtocolError(error.error_code) from error
        except BaseBumbleError as error:
            raise BleakError(f"no answer: {error}") from error
        except asyncio.CancelledError:
            task = asyncio.current_task()
            if task is not None and task.cancelling():
                raise
            raise BleakError("disconnected") from None  # Bumble cancels what waits for an answer on a link that is over


def _switched_off() -> BleakBluetoothNotAvailableError:
    return BleakBluetoothNotAvailableError("Bluetooth is off", BleakBluetoothNotAvailableReason.POWERED_OFF)
