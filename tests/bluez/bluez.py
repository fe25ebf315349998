"""A small `org.bluez`: adapters that scan and hold few links, devices that come and go, one GATT service each.

It behaves as BlueZ 5.66 was seen to: a connected device stays when the program that connected it dies; one that nobody
hears is forgotten; attributes stay as long as their device; a second connect at the same time is refused. Behind each
device a real box answers (`tests.bluez.livebox`).
"""

from __future__ import annotations

import asyncio
from typing import Any, Final

from dbus_fast import BusType, Message, MessageType
from dbus_fast.aio import MessageBus

from tests.bluez.adapter import ADAPTER, Adapter
from tests.bluez.objects import Answer, Objects, Refusal
from tests.bluez.peripheral import Peripheral
from tests.bluez.remote import CHARACTERISTIC, DEVICE, FAILED, Remote

_REPEAT_S: Final = 0.1


class Bluez:
    """The service on its bus. `forget_s`: after how long an unheard device is forgotten (BlueZ: 30 s)."""

    def __init__(self, forget_s: float = 30) -> None:
        self.adapters: dict[str, Adapter] = {}
        self._peripherals: list[Peripheral] = []
        self._bus = MessageBus(bus_type=BusType.SYSTEM)
        self._forget_s = forget_s
        self._looking: asyncio.Task[None] | None = None
        self._due = False

    async def start(self, *adapters: tuple[str, int]) -> None:
        """Appear on the bus, with adapters of these names and so many links each."""
        await self._bus.connect()
        self._objects = objects = Objects(self._bus)
        objects.methods |= {
            (ADAPTER, "SetDiscoveryFilter"): self._filter,
            (ADAPTER, "StartDiscovery"): self._start,
            (ADAPTER, "StopDiscovery"): self._stop,
            (ADAPTER, "RemoveDevice"): self._remove,
            (DEVICE, "Connect"): self._connect,
            (DEVICE, "Disconnect"): self._disconnect,
            (CHARACTERISTIC, "StartNotify"): self._start_notify,
            (CHARACTERISTIC, "StopNotify"): self._stop_notify,
            (CHARACTERISTIC, "AcquireNotify"): self._acquire_notify,
            (CHARACTERISTIC, "ReadValue"): self._read,
            (CHARACTERISTIC, "WriteValue"): self._write,
        }
        self._bus.add_message_handler(self._watch)
        await self._ask_bus("AddMatch", "type='signal',sender='org.freedesktop.DBus',member='NameOwnerChanged'")
        for name, slots in adapters:
            self.plug(name, slots)
        await self._bus.request_name("org.bluez")
        self._looking = asyncio.create_task(self._look())

    async def stop(self) -> None:
        """`bluetoothd` ends: everything it showed is gone."""
        if self._looking is not None:
            self._looking.cancel()
            await asyncio.gather(self._looking, return_exceptions=True)
            self._looking = None
            await self._objects.close()
            await self._ask_bus("GetNameOwner", "org.bluez")  # answered when all before it has gone out
        self._bus.disconnect()

    def plug(self, name: str, slots: int) -> Adapter:
        """An adapter is there."""
        adapter = self.adapters[name] = Adapter(self._objects, name, slots)
        for peripheral in self._peripherals:
            adapter.add(peripheral)
        self._objects.add(adapter.path, {ADAPTER: adapter.shown()})
        return adapter

    def unplug(self, name: str) -> None:
        """Somebody pulls the adapter out."""
        adapter = self.adapters.pop(name)
        for remote in adapter.remotes:
            remote.forget()
        self._objects.remove(adapter.path)

    def add(self, peripheral: Peripheral) -> None:
        """A box is in reach of all adapters."""
        self._peripherals.append(peripheral)
        for adapter in self.adapters.values():
            adapter.add(peripheral)
        peripheral.box.on_turn.append(self._stir)

    def remote(self, peripheral: Peripheral, adapter: str = "hci0") -> Remote:
        return next(one for one in self.adapters[adapter].remotes if one.peripheral is peripheral)

    def links(self) -> int:
        return sum(adapter.links() for adapter in self.adapters.values())

    async def _ask_bus(self, member: str, argument: str) -> None:
        """A method of the bus itself."""
        name, path = "org.freedesktop.DBus", "/org/freedesktop/DBus"
        await self._bus.call(Message(name, path, name, member, signature="s", body=[argument]))

    # --- the air -----

    async def _look(self) -> None:
        while True:
            self._hear()
            await asyncio.sleep(_REPEAT_S)

    def _stir(self) -> None:
        """A box may advertise something new, which is heard at once."""
        if self._looking is None:
            return
        changed = (
            remote.peripheral.on_air and remote.data != remote.peripheral.manufacturer_data()
            for adapter in self.adapters.values()
            for remote in adapter.remotes
        )
        if not self._due and any(changed):
            self._due = True
            asyncio.get_running_loop().call_soon(self._hear)

    def _hear(self) -> None:
        self._due = False
        for adapter in self.adapters.values():
            adapter.look(asyncio.get_running_loop().time(), self._forget_s)

    def _watch(self, message: Message) -> None:
        if message.message_type is MessageType.SIGNAL and message.member == "NameOwnerChanged":
            name, _, owner = message.body
            for adapter in self.adapters.values():
                if not owner:
                    adapter.vanished(name)

    # --- methods -----

    def _adapter(self, path: str) -> Adapter:
        return next(adapter for adapter in self.adapters.values() if path.startswith(adapter.path))

    def _device(self, path: str) -> Remote:
        return next(remote for remote in self._adapter(path).remotes if path.startswith(remote.path))

    async def _filter(self, path: str, who: str, body: list[Any]) -> None:
        self._adapter(path).filter(who, body[0])

    async def _start(self, path: str, who: str, body: list[Any]) -> None:
        self._adapter(path).start(who)

    async def _stop(self, path: str, who: str, body: list[Any]) -> None:
        self._adapter(path).stop(who)

    async def _remove(self, path: str, who: str, body: list[Any]) -> None:
        self._device(body[0]).forget()

    async def _connect(self, path: str, who: str, body: list[Any]) -> None:
        await self._adapter(path).connect(self._device(path))

    async def _disconnect(self, path: str, who: str, body: list[Any]) -> None:
        remote = self._device(path)
        while remote.stuck:  # noqa: ASYNC110 (a test says how long)
            await asyncio.sleep(0.03)
        if remote.given_up is not None:
            remote.given_up.set()
        elif not remote.connected:
            raise Refusal("org.bluez.Error.NotConnected", "Not Connected")
        remote.cut()

    async def _start_notify(self, path: str, who: str, body: list[Any]) -> None:
        remote = self._device(path)
        if remote.notify_refused:
            raise Refusal(FAILED, "Operation failed with ATT error: 0x0e")
        if not remote.connected:
            raise Refusal(FAILED, "Not connected")
        remote.listeners.add(who)

    async def _stop_notify(self, path: str, who: str, body: list[Any]) -> None:
        self._device(path).listeners.discard(who)

    async def _acquire_notify(self, path: str, who: str, body: list[Any]) -> None:
        raise Refusal("org.bluez.Error.NotSupported", "Operation is not supported")

    async def _read(self, path: str, who: str, body: list[Any]) -> Answer:
        return "ay", [self._device(path).peripheral.box.powered.info()]

    async def _write(self, path: str, who: str, body: list[Any]) -> None:
        self._device(path).write(bytes(body[0]))
