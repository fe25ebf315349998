"""A Bluetooth adapter that another computer lends to a desk: what both ends say to each other, the desk's end, which
bleak takes for an adapter like any other, and the lender's, which drives its own. Advertisements and sealed frames pass
through; the lender knows no secret and keeps nothing.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Coroutine
from contextlib import suppress
from typing import Any, ClassVar, Final

import msgspec
from bleak import BleakAdapter, BleakClient, BleakScanner
from bleak.args import SizedBuffer
from bleak.args.bluez import BlueZAdapterArgs, BlueZClientArgs, BlueZScannerArgs
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
    BleakDeviceNotFoundError,
    BleakError,
    BleakGATTProtocolError,
)

from dalej.link.ble import END_MS, Backend, mtu_of
from dalej.typedjson import Reader
from moveclock import advert, wire

LONGEST: Final = 4_096  # bytes of a message
LINKS_MOST: Final = 64
TEXT_MOST: Final = 200
_COMMANDS, _EVENTS = 1, 2  # handles; what stands behind them is the lender's
_Bytes = msgspec.Meta(max_length=2 * wire.FRAME_MOST)


class Trouble(msgspec.Struct, frozen=True, tag="trouble"):
    """Why something could not be done. `kind`: which error it was; `text`: as the lender's system says it; `code`: of
    an attribute protocol's error, or the reason why there is no Bluetooth.
    """

    kind: str
    text: str
    code: int = 0


class Asked(msgspec.Struct, frozen=True, tag="asked"):
    """By the desk, answered with the same `id`. `what`: "listen", "deaf"; "connect" with the address; "notify", "end"
    of the link `link`, and "write" with a frame.
    """

    id: int
    what: str
    link: int = 0
    address: str = ""
    frame: bytes = b""


class Answered(msgspec.Struct, frozen=True, tag="answered"):
    """`trouble`: None if it was done. `room`: bytes of a write, 0: not known; `speaks`: the box offers the protocol."""

    id: int
    trouble: Trouble | None = None
    room: int = 0
    speaks: bool = True


class Heard(msgspec.Struct, frozen=True, tag="heard"):
    """An advertisement of a box: manufacturer data without the company, `rssi` in dBm."""

    address: str
    rssi: int
    data: bytes


class Came(msgspec.Struct, frozen=True, tag="came"):
    """A notification on a link."""

    link: int
    frame: bytes


class Fell(msgspec.Struct, frozen=True, tag="fell"):
    """A link is over."""

    link: int


FromDesk = Asked
FromLender = Answered | Heard | Came | Fell
READ_DESK: Final[Reader[FromDesk]] = Reader(FromDesk, LONGEST)
READ_LENDER: Final[Reader[FromLender]] = Reader(FromLender, LONGEST)
write: Final = msgspec.json.encode

Send = Callable[[bytes], None]

_ABSENT, _PROTOCOL, _OFF, _LATE, _NO_SERVICE, _OTHER = "absent", "protocol", "off", "late", "service", "other"


def _trouble(error: Exception) -> Trouble:
    text = str(error)[:TEXT_MOST] or type(error).__name__
    if isinstance(error, BleakDeviceNotFoundError):
        return Trouble(_ABSENT, text)
    if isinstance(error, BleakGATTProtocolError):
        return Trouble(_PROTOCOL, text, int(error.args[0]) if error.args and isinstance(error.args[0], int) else 0)
    if isinstance(error, BleakBluetoothNotAvailableError):
        return Trouble(_OFF, text, list(BleakBluetoothNotAvailableReason).index(error.reason))
    if isinstance(error, TimeoutError):
        return Trouble(_LATE, text)
    return Trouble(_NO_SERVICE if isinstance(error, FileNotFoundError | ConnectionError) else _OTHER, text)


def _raised(trouble: Trouble, address: str) -> Exception:
    reasons = list(BleakBluetoothNotAvailableReason)
    if trouble.kind == _ABSENT:
        return BleakDeviceNotFoundError(address, trouble.text)
    if trouble.kind == _PROTOCOL:
        return BleakGATTProtocolError(trouble.code)
    if trouble.kind == _OFF and trouble.code < len(reasons):
        return BleakBluetoothNotAvailableError(trouble.text, reasons[trouble.code])
    plain = {_LATE: TimeoutError, _NO_SERVICE: FileNotFoundError}
    return plain.get(trouble.kind, BleakError)(trouble.text)


# --- the desk's end -----


class Lent:
    """An adapter that is lent. `send`: what goes to the lender; what comes from it goes to `take`, and `lost` ends it.
    `backend` is what `BleAir` drives.
    """

    def __init__(self, send: Send) -> None:
        self._send = send
        self._asked: dict[int, asyncio.Future[Answered]] = {}
        self._number = 0
        self._links: dict[int, _Client] = {}
        self._scanner: _Scanner | None = None
        self._is_lost = False
        bound = {"lent": self}
        self.backend = Backend(
            type("LentScanner", (_Scanner,), bound), type("LentClient", (_Client,), bound),
            type("LentAdapter", (_Adapter,), bound),
        )  # fmt: skip

    def take(self, said: FromLender) -> None:
        """What the lender says; of links that are over it is forgotten."""
        if isinstance(said, Answered):
            waits = self._asked.pop(said.id, None)
            if waits is not None and not waits.done():
                waits.set_result(said)
        elif isinstance(said, Heard):
            if self._scanner is not None:
                self._scanner.heard(said)
        elif (client := self._links.get(said.link)) is not None:
            client.came(said.frame) if isinstance(said, Came) else client.fell()

    def lost(self) -> None:
        """The lender is gone, and every link with it."""
        self._is_lost = True
        for client in [*self._links.values()]:
            client.fell()
        for waits in self._asked.values():
            if not waits.done():
                waits.set_exception(BleakError("the gateway is gone"))
        self._asked.clear()

    async def ask(self, what: str, link: int = 0, address: str = "", frame: bytes = b"") -> Answered:
        """The answer; bleak's own errors if it could not be done."""
        if self._is_lost:
            raise BleakError("the gateway is gone")
        self._number += 1
        number = self._number
        waits = self._asked[number] = asyncio.get_running_loop().create_future()
        self._send(write(Asked(number, what, link, address, frame)))
        try:
            answered: Answered = await waits
        finally:
            self._asked.pop(number, None)
        if answered.trouble is not None:
            raise _raised(answered.trouble, address)
        return answered

    def begins(self, client: _Client) -> int:
        """The number of a new link."""
        self._number += 1
        self._links[self._number] = client
        return self._number

    def ends(self, link: int) -> None:
        """Nobody wants to hear of that link any more."""
        self._links.pop(link, None)

    def listens(self, scanner: _Scanner | None) -> None:
        """Who is told of advertisements."""
        self._scanner = scanner


class _Scanner(BaseBleakScanner):
    lent: ClassVar[Lent]

    def __init__(
        self, detection_callback: AdvertisementDataCallback | None, service_uuids: list[str] | None,
        _scanning_mode: str, **_options: Any,
    ) -> None:  # fmt: skip
        super().__init__(detection_callback, service_uuids)

    async def start(self) -> None:
        self.seen_devices = {}
        await self.lent.ask("listen")
        self.lent.listens(self)

    async def stop(self) -> None:
        self.lent.listens(None)
        await self.lent.ask("deaf")

    def heard(self, said: Heard) -> None:
        there = AdvertisementData(None, {advert.COMPANY: said.data}, {}, [], None, said.rssi, ())
        device = self.create_or_update_device(said.address, said.address, None, None, there)
        self.call_detection_callbacks(device, there)


class _Adapter(BaseBleakAdapter):
    """The lender ends itself what a lender before it has left behind."""

    lent: ClassVar[Lent]

    @classmethod
    async def get(cls, **_options: Any) -> _Adapter:
        return cls()

    async def get_connected_devices(self, service_uuids: frozenset[str]) -> list[BLEDevice]:  # noqa: ARG002 -- bleak calls it so
        return []


class _Client(BaseBleakClient):
    lent: ClassVar[Lent]

    def __init__(
        self, address_or_ble_device: BLEDevice | str, *, disconnected_callback: Callable[[], None] | None,
        timeout: float, **_options: Any,
    ) -> None:  # fmt: skip
        super().__init__(address_or_ble_device, disconnected_callback=disconnected_callback, timeout=timeout)
        self._link = 0
        self._room = wire.MTU_AT_LEAST - 3
        self._up = False
        self._heard: NotifyCallback | None = None

    @property
    def name(self) -> str:
        return self.address

    @property
    def mtu_size(self) -> int:
        return self._room + 3

    @property
    def is_connected(self) -> bool:
        return self._up

    async def connect(self, pair: bool, **_options: Any) -> None:  # noqa: ARG002 -- bleak calls it so
        self._link = self.lent.begins(self)
        try:
            answered = await self.lent.ask("connect", self._link, self.address)
        except BaseException:
            self.lent.ends(self._link)
            with suppress(BleakError):
                self._say_end()
            raise
        self._up = True
        self._room = answered.room or self._room  # of what is not told the box judges itself
        self.services = services = BleakGATTServiceCollection()
        if answered.speaks:
            service = BleakGATTService(self, 1, wire.SERVICE_UUID)
            services.add_service(service)
            for handle, uuid in ((_COMMANDS, wire.COMMANDS_UUID), (_EVENTS, wire.EVENTS_UUID)):
                services.add_characteristic(
                    BleakGATTCharacteristic(self, handle, uuid, ["write", "notify"], lambda: self._room, service)
                )

    async def disconnect(self) -> None:
        self._up = False
        self.lent.ends(self._link)
        await self.lent.ask("end", self._link)

    async def start_notify(
        self, characteristic: BleakGATTCharacteristic,  # noqa: ARG002 -- bleak calls it so
        callback: NotifyCallback, **_options: Any,
    ) -> None:  # fmt: skip
        self._heard = callback
        await self.lent.ask("notify", self._link)

    async def write_gatt_char(
        self, characteristic: BleakGATTCharacteristic,  # noqa: ARG002 -- bleak calls it so
        data: SizedBuffer, response: bool,  # noqa: ARG002 -- bleak calls it so
    ) -> None:  # fmt: skip
        await self.lent.ask("write", self._link, frame=bytes(data))

    def came(self, frame: bytes) -> None:
        if self._up and self._heard is not None:
            self._heard(bytearray(frame))

    def fell(self) -> None:
        self.lent.ends(self._link)
        if self._up:
            self._up = False
            if self._disconnected_callback is not None:
                self._disconnected_callback()

    def _say_end(self) -> None:
        """Whoever waits no longer for a link wants none."""
        ending = asyncio.ensure_future(self.lent.ask("end", self._link))
        ending.add_done_callback(lambda done: None if done.cancelled() else done.exception())

    # What bleak wants of a client, and nobody here of a box.

    async def stop_notify(self, characteristic: BleakGATTCharacteristic) -> None:
        raise NotImplementedError

    async def read_gatt_char(self, characteristic: BleakGATTCharacteristic, **_options: Any) -> bytearray:
        raise NotImplementedError

    async def read_gatt_descriptor(self, descriptor: BleakGATTDescriptor, **_options: Any) -> bytearray:
        raise NotImplementedError

    async def write_gatt_descriptor(self, descriptor: BleakGATTDescriptor, data: SizedBuffer) -> None:
        raise NotImplementedError

    async def pair(self, *_args: Any, **_options: Any) -> None:
        raise NotImplementedError

    async def unpair(self) -> None:
        raise NotImplementedError


# --- the lender's end -----


class Lender:
    """Lends the adapter `adapter` ("": the one that the system chooses) for as long as the block of `lending` lasts.
    What the desk says goes to `take`; `send` is what goes to it.
    """

    def __init__(self, send: Send, *, adapter: str = "", backend: Backend | None = None) -> None:
        self._send = send
        self._name = adapter
        self._backend = backend or Backend()
        self._scanner: BleakScanner | None = None
        self._devices: dict[str, BLEDevice] = {}
        self._clients: dict[int, BleakClient] = {}
        self._tasks: dict[int, asyncio.Task[None]] = {}  # of a link's connect, or of another request
        self._all: set[asyncio.Task[None]] = set()

    def take(self, asked: FromDesk) -> None:
        """Done in its own time, and answered."""
        does: dict[str, Callable[[Asked], Coroutine[Any, Any, Answered]]] = {
            "listen": self._listen, "deaf": self._deaf, "connect": self._connect, "notify": self._notify,
            "write": self._write, "end": self._end,
        }  # fmt: skip
        doing = does.get(asked.what)
        if doing is None:
            self._send(write(Answered(asked.id, Trouble(_OTHER, asked.what[:TEXT_MOST]))))
            return
        task = asyncio.create_task(self._answer(asked, doing(asked)))
        if asked.what == "connect":
            self._tasks[asked.link] = task
        self._all.add(task)
        task.add_done_callback(self._all.discard)

    async def begin(self) -> None:
        """End what a lender that was killed has left: such a link looks alive, and nobody is behind it."""
        with suppress(Exception):  # some systems know no such list
            async with asyncio.timeout(END_MS / 1_000):
                options: BlueZAdapterArgs = {"adapter": self._name} if self._name else {}
                system = await BleakAdapter.get(bluez=options, backend=self._backend.adapter)
                for device in await system.get_connected_devices([wire.SERVICE_UUID]):
                    client = self._client(device, 0)
                    await client.connect()
                    await client.disconnect()

    async def close(self) -> None:
        """The desk is gone: its links are over, and nobody listens."""
        for task in [*self._all]:
            task.cancel()
        await asyncio.gather(*self._all, return_exceptions=True)
        with suppress(Exception):
            await self._deaf(Asked(0, "deaf"))
        for link in [*self._clients]:
            with suppress(Exception):
                await self._end(Asked(0, "end", link))

    async def _answer(self, asked: Asked, doing: Awaitable[Answered]) -> None:
        try:
            answered = await doing
        except asyncio.CancelledError:
            if (task := asyncio.current_task()) is not None and task.cancelling():
                raise
            answered = Answered(asked.id, Trouble(_OTHER, "canceled"))
        except Exception as error:  # noqa: BLE001 -- each system raises its own
            answered = Answered(asked.id, _trouble(error))
        self._send(write(answered))

    async def _listen(self, asked: Asked) -> Answered:
        options: BlueZScannerArgs = {"filters": {"DuplicateData": True}}
        if self._name:
            options["adapter"] = self._name
        await self._deaf(asked)
        scanner = BleakScanner(self._heard, bluez=options, backend=self._backend.scanner)
        await scanner.start()
        self._scanner = scanner
        return Answered(asked.id)

    async def _deaf(self, asked: Asked) -> Answered:
        scanner, self._scanner = self._scanner, None
        if scanner is not None:
            await scanner.stop()
        return Answered(asked.id)

    def _heard(self, device: BLEDevice, said: AdvertisementData) -> None:
        data = said.manufacturer_data.get(advert.COMPANY)
        if data is not None and len(data) <= advert.SIZE:
            self._devices[device.address] = device
            self._send(write(Heard(device.address, said.rssi, data)))

    def _client(self, device: BLEDevice, link: int) -> BleakClient:
        options: BlueZClientArgs = {"adapter": self._name} if self._name else {}
        return BleakClient(device, lambda _: self._fell(link), [wire.SERVICE_UUID], bluez=options,
                           backend=self._backend.client)  # fmt: skip

    async def _connect(self, asked: Asked) -> Answered:
        device = self._devices.get(asked.address)
        if device is None or len(self._clients) >= LINKS_MOST:
            raise BleakDeviceNotFoundError(asked.address)
        client = self._client(device, asked.link)
        self._clients[asked.link] = client
        try:
            await client.connect()
            service = client.services.get_service(wire.SERVICE_UUID)
            events = None if service is None else service.get_characteristic(wire.EVENTS_UUID)
            mtu = None if events is None else await mtu_of(client, events)
        except BaseException:
            self._clients.pop(asked.link, None)
            with suppress(Exception):
                await client.disconnect()
            raise
        speaks = (
            service is not None and events is not None and service.get_characteristic(wire.COMMANDS_UUID) is not None
        )
        return Answered(asked.id, room=0 if mtu is None else mtu - 3, speaks=speaks)

    async def _notify(self, asked: Asked) -> Answered:
        client, link = self._of(asked), asked.link

        def came(_of: BleakGATTCharacteristic, frame: bytearray) -> None:
            self._send(write(Came(link, bytes(frame))))

        await client.start_notify(wire.EVENTS_UUID, came)
        return Answered(asked.id)

    async def _write(self, asked: Asked) -> Answered:
        await self._of(asked).write_gatt_char(wire.COMMANDS_UUID, asked.frame, response=True)
        return Answered(asked.id)

    async def _end(self, asked: Asked) -> Answered:
        task, client = self._tasks.pop(asked.link, None), self._clients.pop(asked.link, None)
        if task is not None and not task.done():
            task.cancel()
        if client is not None:
            async with asyncio.timeout(END_MS / 1_000):
                await client.disconnect()
        return Answered(asked.id)

    def _of(self, asked: Asked) -> BleakClient:
        client = self._clients.get(asked.link)
        if client is None:
            raise BleakError("Not connected")
        return client

    def _fell(self, link: int) -> None:
        self._tasks.pop(link, None)
        if self._clients.pop(link, None) is not None:
            self._send(write(Fell(link)))
