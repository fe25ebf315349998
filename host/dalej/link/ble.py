"""Bluetooth: hears boxes, links those it is told to, carries their frames. The only file that knows bleak.

One scanner listens on each adapter for as long as the desk runs; it is started anew when it has gone quiet, as scanners
do without a word. A connect is always made with what the scanner saw (macOS hides addresses), with a new client, one at
a time on each adapter; notifications are on before the link counts as one, because a box cannot see who listens. What
the system's Bluetooth complains of becomes one sentence in `trouble`; the next attempt is the port's to decide.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import partial
from typing import Final, NamedTuple

from bleak import BleakAdapter, BleakClient, BleakScanner
from bleak.args.bluez import BlueZAdapterArgs, BlueZClientArgs, BlueZScannerArgs
from bleak.backends import BleakBackend
from bleak.backends.adapter import BaseBleakAdapter
from bleak.backends.characteristic import BleakGATTCharacteristic
from bleak.backends.client import BaseBleakClient
from bleak.backends.device import BLEDevice
from bleak.backends.scanner import AdvertisementData, BaseBleakScanner
from bleak.exc import (
    BleakBluetoothNotAvailableError,
    BleakBluetoothNotAvailableReason,
    BleakDBusError,
    BleakDeviceNotFoundError,
)

from dalej.clock import Clock
from dalej.errors import Unreachable
from dalej.link.adapters import Adapter, best
from dalej.link.pool import LINKS
from dalej.link.serving import Serving
from dalej.words import N_
from moveclock import advert, wire

QUIET_MS: Final = 10_000  # boxes advertise many times a second: a scanner that hears none for so long is started anew,
QUIET_MOST_MS: Final = 80_000  # less and less often while that helps nothing
AGAIN_MS: Final = 3_000  # so long after Bluetooth refused to scan
CONNECT_MS: Final = 15_000
WRITE_MS: Final = 10_000
END_MS: Final = 5_000  # a link that the system does not end by then is left to the box, which drops silent ones
TROUBLE_MS: Final = 90_000  # a box that is wanted is tried at least every minute
MTU_MS: Final = 1_000  # so long some systems take to tell the MTU that was agreed on
_Gone = Callable[[], None]
_ADVERT_START: Final = b"\x1b\xff" + advert.COMPANY.to_bytes(2, "little")  # what the system has already taken off
_UNTOLD: Final = 23  # the MTU that BlueZ before 5.62 names whatever it is

_OFF: Final = N_("Bluetooth is switched off: switch it on")
_NONE: Final = N_("this computer has no Bluetooth adapter, or its driver does not run")
_OLD: Final = N_("the Bluetooth adapter is too old for Low Energy: use a newer one")
_DENIED: Final = N_(
    "the system does not let this program use Bluetooth: allow it in the privacy settings (on Linux: join the group "
    "“bluetooth”)"
)
_SERVICE: Final = N_("the Bluetooth service of this computer does not run (on Linux: bluetoothd)")
_GONE: Final = N_("box {box} is out of reach or switched off")
_SILENT: Final = N_("box {box} did not answer within {seconds} s")
_NOBODY: Final = N_("box {box} is not heard by an adapter that has a link to spare")
_FOREIGN: Final = N_("what answers as box {box} does not speak this desk's protocol: install its firmware anew")
_NARROW: Final = N_(
    "the link to box {box} carries {mtu} bytes at a time, {least} are needed: use another adapter or a newer system"
)
_OTHER: Final = N_("Bluetooth failed: {text}")

_REASONS: Final = {
    BleakBluetoothNotAvailableReason.NO_BLUETOOTH: _NONE,
    BleakBluetoothNotAvailableReason.NO_BLE_CENTRAL_ROLE: _OLD,
    BleakBluetoothNotAvailableReason.POWERED_OFF: _OFF,
    BleakBluetoothNotAvailableReason.DENIED_BY_USER: _DENIED,
    BleakBluetoothNotAvailableReason.DENIED_BY_SYSTEM: _DENIED,
    BleakBluetoothNotAvailableReason.DENIED_BY_UNKNOWN: _DENIED,
}
_DBUS: Final = {
    "org.bluez.Error.NotReady": _OFF,
    "org.freedesktop.DBus.Error.AccessDenied": _DENIED,
    "org.freedesktop.DBus.Error.ServiceUnknown": _SERVICE,
    "org.freedesktop.DBus.Error.NameHasNoOwner": _SERVICE,
    "org.freedesktop.DBus.Error.UnknownObject": _GONE,
}


class Backend(NamedTuple):
    """What bleak drives; None: the system's own Bluetooth."""

    scanner: type[BaseBleakScanner] | None = None
    client: type[BaseBleakClient] | None = None
    adapter: type[BaseBleakAdapter] | None = None


class BleAir:
    """The air around a desk. `adapters`: names as `hci1` (Linux), empty: the one that the system chooses; each holds
    `links`. Give `connect` to the `Serving` that `run` is then given.
    """

    def __init__(
        self,
        clock: Clock,
        *,
        links: int = LINKS,
        adapters: Sequence[str] = (),
        backend: Backend | None = None,
        quiet_ms: int = QUIET_MS,
        again_ms: int = AGAIN_MS,
        connect_ms: int = CONNECT_MS,
    ) -> None:
        self.adapters = [Adapter[BLEDevice](name) for name in adapters or ("",)]
        self.taken_over = 0
        self._clock = clock
        self._places = links
        self._backend = backend or Backend()
        self._quiet_ms = quiet_ms
        self._again_ms = again_ms
        self._connect_ms = connect_ms
        self._serving: Serving | None = None
        self._deaf: dict[str, Unreachable] = {}  # adapter -> why it does not scan
        self._apart: dict[bytes, tuple[int, Unreachable]] = {}  # box -> when and why it could not be, the latest last

    @property
    def links(self) -> int:
        """How many links all adapters hold together."""
        return self._places * len(self.adapters)

    @property
    def trouble(self) -> Unreachable | None:
        """Why boxes are not heard, else why one could not be connected lately; None if all is well."""
        if self._deaf:
            return next(iter(self._deaf.values()))
        at_ms, why = next(reversed(self._apart.values()), (0, None))
        return why if self._clock.now_ms() - at_ms <= TROUBLE_MS else None

    async def run(self, serving: Serving) -> None:
        """Take over what a killed desk left, then listen until cancelled. Links are ended by `serving`."""
        self._serving = serving
        async with asyncio.TaskGroup() as group:
            for adapter in self.adapters:
                group.create_task(self._listen(adapter))

    async def connect(self, uid: bytes) -> bool:
        """Link a box that is heard, which ends in `Serving.linked`; False, and `trouble` says why, if it cannot be."""
        chosen = best(self.adapters, uid, self._places, self._clock.now_ms())
        if chosen is None or self._serving is None:
            _, why = self._apart.get(uid, (0, Unreachable(_NOBODY, box=uid.hex())))
            return self._failed(uid, why)
        adapter, seen = chosen
        link = _Link(uid, adapter, self._serving)
        adapter.links.add(link)
        try:
            async with adapter.lock, asyncio.timeout(self._connect_ms / 1_000):
                await link.open(self._client(adapter, seen.device, link.gone))
        except Exception as error:  # noqa: BLE001 (each system raises its own, D-Bus, COM or Objective-C)
            seen.failures += 1
            if isinstance(error, BleakDeviceNotFoundError):
                adapter.forget(uid, seen)
            return self._failed(uid, _sentence(error, uid.hex(), self._connect_ms))
        finally:
            if not link.is_up:
                await link.close()
        seen.failures = 0
        self._apart.pop(uid, None)
        self._serving.linked(uid, link)
        return True

    # --- one adapter -----

    async def _listen(self, adapter: Adapter[BLEDevice]) -> None:
        await self._take_over(adapter)
        quiet_ms = self._quiet_ms
        while True:
            _expect_wanted()
            began_ms = adapter.heard_ms = self._clock.now_ms()
            try:
                await self._scan(adapter, quiet_ms)
            except Exception as error:  # noqa: BLE001 (as above)
                _expect_wanted()
                self._deaf[adapter.name] = _sentence(error, "", END_MS)
                await asyncio.sleep(self._again_ms / 1_000)
                continue
            adapter.restarts += 1
            heard = adapter.heard_ms > began_ms
            quiet_ms = self._quiet_ms if heard else min(2 * quiet_ms, QUIET_MOST_MS)

    async def _scan(self, adapter: Adapter[BLEDevice], quiet_ms: int) -> None:
        """Until nothing has been heard for `quiet_ms`."""
        options: BlueZScannerArgs = {"filters": {"DuplicateData": True}}
        if adapter.name:
            options["adapter"] = adapter.name
        scanner = BleakScanner(partial(self._heard, adapter), bluez=options, backend=self._backend.scanner)
        try:
            async with asyncio.timeout(END_MS / 1_000):
                await scanner.start()
            _expect_wanted()
            self._deaf.pop(adapter.name, None)
            while (rest_ms := adapter.heard_ms + quiet_ms - self._clock.now_ms()) > 0:  # noqa: ASYNC110
                await asyncio.sleep(rest_ms / 1_000)  # hearing is frequent, its absence is what counts
        finally:
            with suppress(Exception):
                async with asyncio.timeout(END_MS / 1_000):
                    await scanner.stop()

    def _heard(self, adapter: Adapter[BLEDevice], device: BLEDevice, said: AdvertisementData) -> None:
        data = said.manufacturer_data.get(advert.COMPANY)
        if data is None or len(data) != advert.SIZE - len(_ADVERT_START) or self._serving is None:
            return
        uid = self._serving.heard(_ADVERT_START + data)
        if uid is not None:
            adapter.saw(uid, device, device.address, said.rssi, self._clock.now_ms())

    async def _take_over(self, adapter: Adapter[BLEDevice]) -> None:
        """End what links a killed desk has left in the system: they look alive, and what is built on them is not."""
        with suppress(Exception):  # what is wrong with Bluetooth the scanner will say; some systems know no such list
            options: BlueZAdapterArgs = {"adapter": adapter.name} if adapter.name else {}
            system = await BleakAdapter.get(bluez=options, backend=self._backend.adapter)
            for device in await system.get_connected_devices([wire.SERVICE_UUID]):
                with suppress(Exception):
                    async with adapter.lock, asyncio.timeout(END_MS / 1_000):
                        client = self._client(adapter, device, lambda: None)
                        await client.connect()
                        await client.disconnect()
                    self.taken_over += 1

    def _client(self, adapter: Adapter[BLEDevice], device: BLEDevice, gone: _Gone) -> BleakClient:
        options: BlueZClientArgs = {"adapter": adapter.name} if adapter.name else {}
        return BleakClient(
            device, lambda _: gone(), [wire.SERVICE_UUID],
            timeout=self._connect_ms / 1_000, bluez=options, backend=self._backend.client,
        )  # fmt: skip

    def _failed(self, uid: bytes, why: Unreachable) -> bool:
        self._apart.pop(uid, None)
        self._apart[uid] = (self._clock.now_ms(), why)
        return False


class _Link:
    """A link to one box, or an attempt at one; a `Carrier`. It takes one of the adapter's places until it is gone."""

    def __init__(self, uid: bytes, adapter: Adapter[BLEDevice], serving: Serving) -> None:
        self.is_up = False
        self._uid = uid
        self._adapter = adapter
        self._serving = serving
        self._client: BleakClient | None = None
        self._commands: BleakGATTCharacteristic | None = None

    async def open(self, client: BleakClient) -> None:
        """Connect and listen. Unreachable, or whatever bleak raises, if that cannot be; `close` all the same."""
        self._client = client
        await client.connect()
        service = client.services.get_service(wire.SERVICE_UUID)
        events = None if service is None else service.get_characteristic(wire.EVENTS_UUID)
        self._commands = None if service is None else service.get_characteristic(wire.COMMANDS_UUID)
        if events is None or self._commands is None:
            raise Unreachable(_FOREIGN, box=self._uid.hex())
        await self._expect_room(client, events)
        await client.start_notify(events, lambda _, frame: self._serving.received(self._uid, self, bytes(frame)))
        if not client.is_connected:
            raise Unreachable(_GONE, box=self._uid.hex())
        self.is_up = True

    async def write(self, frame: bytes) -> None:
        if not self.is_up or self._client is None or self._commands is None:
            raise Unreachable(_GONE, box=self._uid.hex())
        try:
            async with asyncio.timeout(WRITE_MS / 1_000):
                await self._client.write_gatt_char(self._commands, frame, response=True)
        except Exception as error:  # each system raises its own
            raise _sentence(error, self._uid.hex(), WRITE_MS) from error

    async def close(self) -> None:
        self.is_up = False
        with suppress(Exception):
            async with asyncio.timeout(END_MS / 1_000):
                if self._client is not None:
                    await self._client.disconnect()
        self._adapter.links.discard(self)

    def gone(self) -> None:
        """The system says that the link is over."""
        self.is_up = False
        self._adapter.links.discard(self)
        self._serving.lost(self._uid, self)

    async def _expect_room(self, client: BleakClient, events: BleakGATTCharacteristic) -> None:
        """Unreachable if the link's MTU is too small for the protocol; a system that does not tell it leaves that to
        the box, which refuses too.
        """
        with suppress(TimeoutError):
            async with asyncio.timeout(MTU_MS / 1_000):
                while (mtu := events.max_write_without_response_size + 3) == _UNTOLD:  # noqa: ASYNC110
                    await asyncio.sleep(MTU_MS / 20_000)  # bleak does not tell when it changes
        if mtu == _UNTOLD and client.backend_id == BleakBackend.BLUEZ_DBUS:
            return
        if mtu < wire.MTU_AT_LEAST:
            raise Unreachable(_NARROW, box=self._uid.hex(), mtu=mtu, least=wire.MTU_AT_LEAST)


def _expect_wanted() -> None:
    """CancelledError if the task was cancelled, and the system's Bluetooth has kept that for itself."""
    task = asyncio.current_task()
    if task is not None and task.cancelling():
        raise asyncio.CancelledError


def _sentence(error: Exception, box: str, within_ms: int) -> Unreachable:
    """What a person can do something about, of all that a system's Bluetooth may raise."""
    if isinstance(error, Unreachable):
        return error
    template = ""
    if isinstance(error, BleakBluetoothNotAvailableError):
        template = _REASONS.get(error.reason, _OTHER)
    elif isinstance(error, BleakDBusError):
        template = _DBUS.get(error.dbus_error, _OTHER)
    elif isinstance(error, BleakDeviceNotFoundError):
        template = _GONE
    elif isinstance(error, TimeoutError) and box:
        template = _SILENT
    elif isinstance(error, FileNotFoundError | ConnectionError):
        template = _SERVICE
    text = str(error).partition("\n")[0] or type(error).__name__
    return Unreachable(template or _OTHER, box=box, seconds=within_ms // 1_000, text=text)
