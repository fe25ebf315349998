"""A device as one adapter of the fake BlueZ knows it: properties from advertisements, a link, GATT objects."""

from __future__ import annotations

import asyncio
from typing import Final

from dbus_fast import Variant

from moveclock import wire
from tests.bluez.objects import Objects, Properties, Refusal
from tests.bluez.peripheral import Peripheral

DEVICE: Final = "org.bluez.Device1"
SERVICE: Final = "org.bluez.GattService1"
CHARACTERISTIC: Final = "org.bluez.GattCharacteristic1"
DESCRIPTOR: Final = "org.bluez.GattDescriptor1"
FAILED: Final = "org.bluez.Error.Failed"
EVENTS: Final = "/service0001/char0003"
_CHARACTERISTICS: Final = (
    ("/service0001/char0002", wire.INFO_UUID, ["read"]),
    (EVENTS, wire.EVENTS_UUID, ["notify"]),
    ("/service0001/char0006", wire.COMMANDS_UUID, ["write"]),
)
_CCCD: Final = "00002902-0000-1000-8000-00805f9b34fb"
_RESOLVE_S: Final = 0.01


class Remote:
    """One device. `listeners`: who asked for notifications; `given_up`: set to end a connect under way; `stuck`: ending
    its link takes until it is not any more.
    """

    def __init__(self, adapter: str, objects: Objects, peripheral: Peripheral) -> None:
        self.path = f"{adapter}/dev_{peripheral.address.replace(':', '_')}"
        self.peripheral = peripheral
        self.heard_s = 0.0
        self.number = 0  # of the link, as the box counts
        self.listeners: set[str] = set()
        self.given_up: asyncio.Event | None = None
        self.unresolved = False
        self.stuck = False
        self.notify_refused = False
        self.data: tuple[int, bytes] = (0, b"")
        self._adapter = adapter
        self._objects = objects

    @property
    def connected(self) -> bool:
        return bool(self.number)

    def hear(self, now_s: float, *, duplicates: bool) -> None:
        """An advertisement reached the adapter."""
        self.heard_s = now_s
        data = self.peripheral.manufacturer_data()
        if self.path not in self._objects:
            self._objects.add(self.path, {DEVICE: self._properties() | _advertised(data)})
        elif duplicates or data != self.data:
            self._objects.change(self.path, DEVICE, _advertised(data))
        self.data = data

    def up(self) -> None:
        """The link is there; the services are found a little later."""
        self.number = self.peripheral.linked(self)
        self._change(Connected=Variant("b", True))
        if not self.unresolved:
            asyncio.get_running_loop().call_later(_RESOLVE_S, self._resolve)

    def cut(self) -> None:
        """The link is gone, whoever ended it."""
        number, self.number = self.number, 0
        if not number:
            return
        self.listeners.clear()
        self._change(ServicesResolved=Variant("b", False))
        self._change(Connected=Variant("b", False))
        self.peripheral.box.parted(number)

    def to_desk(self, frame: bytes) -> bool:
        if self.listeners:  # else nobody has asked for notifications, and BlueZ drops them
            self._objects.change(self.path + EVENTS, CHARACTERISTIC, {"Value": Variant("ay", frame)})
        return True

    def write(self, value: bytes) -> None:
        if not self.number:
            raise Refusal(FAILED, "Not connected")
        if len(value) > self.peripheral.mtu - 3:
            raise Refusal("org.bluez.Error.InvalidArguments", "Invalid Length")
        self.peripheral.box.receive(self.number, value)

    def forget(self) -> None:
        """BlueZ does not know the device any more; a connect under way ends."""
        self.cut()
        if self.given_up is not None:
            self.given_up.set()
        if self.path in self._objects:
            self._objects.remove(self.path)

    def _change(self, **changed: Variant) -> None:
        if self.path in self._objects:
            self._objects.change(self.path, DEVICE, changed)

    def _resolve(self) -> None:
        if not self.number or self.path not in self._objects:
            return
        if self.path + EVENTS not in self._objects:
            mtu = Variant("q", self.peripheral.mtu)
            service = {"UUID": Variant("s", wire.SERVICE_UUID), "Device": Variant("o", self.path)}
            self._objects.add(f"{self.path}/service0001", {SERVICE: service | {"Primary": Variant("b", True)}})
            for end, uuid, flags in _CHARACTERISTICS:
                properties = {"UUID": Variant("s", uuid), "Service": Variant("o", f"{self.path}/service0001")}
                properties |= {"Flags": Variant("as", flags), "MTU": mtu, "Value": Variant("ay", b"")}
                self._objects.add(self.path + end, {CHARACTERISTIC: properties})
            owner = Variant("o", self.path + EVENTS)
            descriptor = {"UUID": Variant("s", _CCCD), "Characteristic": owner, "Value": Variant("ay", b"")}
            self._objects.add(f"{self.path}{EVENTS}/desc0005", {DESCRIPTOR: descriptor})
        self._change(ServicesResolved=Variant("b", True))

    def _properties(self) -> Properties:
        address = self.peripheral.address
        return {
            "Adapter": Variant("o", self._adapter),
            "Address": Variant("s", address),
            "AddressType": Variant("s", "public"),
            "Alias": Variant("s", "Dalej"),
            "Name": Variant("s", "Dalej"),
            "UUIDs": Variant("as", [wire.SERVICE_UUID]),
            "Paired": Variant("b", False),
            "Connected": Variant("b", self.connected),
            "ServicesResolved": Variant("b", False),
        }


def _advertised(data: tuple[int, bytes]) -> Properties:
    company, rest = data
    return {"RSSI": Variant("n", -60), "ManufacturerData": Variant("a{qv}", {company: Variant("ay", rest)})}
