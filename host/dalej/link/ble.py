"""Bluetooth: hears boxes, links those it is told to, carries their frames. The only file that knows bleak.

Why boxes are not heard or not linked is kept as the latest reason for as long as it says anything, in words of what
people can do about it; every system complains in its own.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import Callable, Mapping, Sequence
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
    BleakDeviceNotFoundError,
    BleakGATTProtocolError,
)

from dalej.clock import Clock
from dalej.errors import Unreachable
from dalej.hints import once_more
from dalej.link.adapters import Adapter, Room, Sighting, Way, best, expect_wanted
from dalej.link.pool import LINKS
from dalej.link.serving import Serving
from dalej.words import N_
from moveclock import advert, wire

OFF: Final = N_("Bluetooth is switched off: switch it on")
NONE: Final = N_("this computer has no Bluetooth adapter, or its driver does not run")
OLD: Final = N_("the Bluetooth adapter is too old for Low Energy: use a newer one")
DENIED: Final = N_(
    "the system does not let this program use Bluetooth: allow it in the privacy settings (on Linux: join the group "
    "“bluetooth”)"
)
SERVICE: Final = N_("the Bluetooth service of this computer does not run (on Linux: bluetoothd)")
ABSENT: Final = N_("the Bluetooth adapter {adapter} is not there: plug it in, or name another one")
BUSY: Final = N_("another program keeps the Bluetooth adapter busy: end it if this goes on")

GONE: Final = N_("box {box} is out of reach or switched off")
SILENT: Final = N_("box {box} did not answer within {seconds} s")
FULL: Final = N_("the Bluetooth adapter has no link left for box {box}: end other Bluetooth connections")
SHUT: Final = N_("box {box} did not let itself be linked: it is tried again")
BUSY_FOR: Final = N_("the Bluetooth adapter was busy when box {box} was to be linked: it is tried again")
FELL: Final = N_("the link to box {box} fell while it was being made: it is tried again")
LISTENS_NOT: Final = N_("box {box} refused what it was asked for: it is tried again")
UNKNOWN: Final = N_("Bluetooth failed: {text}")
UNKNOWN_FOR: Final = N_("box {box}: Bluetooth said: {text}")

UNLENT: Final = N_("no computer lends its Bluetooth now")
OF_GATEWAY: Final = N_("gateway {name}: {problem}")

TEXT_MOST: Final = 80
LIMIT: Final = "concurrent-connection-limit"
_OF_ALL: Final = (  # a part of what is said -> what it means
    ("NotReady", OFF),
    ("not-powered", OFF),
    ("AccessDenied", DENIED),
    ("ServiceUnknown", SERVICE),
    ("NameHasNoOwner", SERVICE),
)
_OF_ADAPTER: Final = (*_OF_ALL, ("InProgress", BUSY), ("not found", ABSENT), ("UnknownObject", ABSENT))
_OF_BOX: Final = (
    *_OF_ALL,
    (LIMIT, FULL),
    ("refused", SHUT),
    ("busy", BUSY_FOR),
    ("InProgress", BUSY_FOR),
    ("abort", FELL),
    ("canceled", FELL),
    ("timeout", GONE),
    ("not found", GONE),
    ("UnknownObject", GONE),
)
_FRAME: Final = re.compile(r"^\s*\[[\w.]+\]\s*|^\(<[\w.]+: \d+>,\s*")  # what bleak puts before


def in_words(text: str, *, box: str = "", adapter: str = "") -> Unreachable:
    """One sentence for what was said, about a box (its uid) if one is named, else about an adapter."""
    for part, template in _OF_BOX if box else _OF_ADAPTER:
        if part in text and (template is not ABSENT or adapter):
            return Unreachable(template, box=box, adapter=adapter)
    short = _FRAME.sub("", text.partition("\n")[0])
    if len(short) > TEXT_MOST:
        short = short[: TEXT_MOST - 1] + "…"
    return Unreachable(UNKNOWN_FOR if box else UNKNOWN, box=box, text=short)


TROUBLE_MS: Final = 90_000  # a box that is wanted is tried at least every minute
NOBODY: Final = N_("box {box} is not heard by an adapter that has a link to spare")
FOREIGN: Final = N_("what answers as box {box} does not speak this desk's protocol: install its firmware anew")
NARROW: Final = N_(
    "the link to box {box} carries {mtu} bytes at a time, {least} are needed: use another adapter or a newer system"
)
HOLDS: Final = N_("the Bluetooth adapter holds fewer links than it was asked for, {held}: boxes take turns")


class Troubles:
    """Of all adapters and boxes of a computer."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._deaf: dict[str, Unreachable] = {}  # adapter -> why it does not scan
        self._apart: dict[bytes, tuple[int, Unreachable]] = {}  # box -> when and why it could not be, the latest last

    @property
    def latest(self) -> Unreachable | None:
        """Why boxes are not heard, else why one could not be connected lately; None if all is well."""
        if self._deaf:
            return next(iter(self._deaf.values()))
        at_ms, why = next(reversed(self._apart.values()), (0, None))
        return why if self._clock.now_ms() - at_ms <= TROUBLE_MS else None

    @property
    def why_deaf(self) -> Mapping[str, Unreachable]:
        """The adapters that do not scan, each with the reason."""
        return self._deaf

    def why_apart(self, uid: bytes, since_ms: int) -> Unreachable | None:
        """Why the box could not be linked; None if that was not found out since then."""
        at_ms, why = self._apart.get(uid, (0, None))
        return why if at_ms >= since_ms else None

    def deaf(self, adapter: str, why: Unreachable) -> None:
        """The adapter does not scan."""
        self._deaf[adapter] = why

    def hears(self, adapter: str) -> None:
        """The adapter scans."""
        self._deaf.pop(adapter, None)

    def is_deaf(self, adapter: str) -> bool:
        """Whether it is known not to scan."""
        return adapter in self._deaf

    def apart(self, uid: bytes, why: Unreachable) -> None:
        """The box could not be linked."""
        self._apart.pop(uid, None)
        self._apart[uid] = (self._clock.now_ms(), why)

    def unheard(self, uid: bytes) -> None:
        """No adapter can try to link the box; what was said of it before stands."""
        _, why = self._apart.get(uid, (0, Unreachable(NOBODY, box=uid.hex())))
        self.apart(uid, why)

    def together(self, uid: bytes) -> None:
        """The box is linked."""
        self._apart.pop(uid, None)


QUIET_MS: Final = 10_000  # boxes advertise many times a second: a scanner that hears none for so long is started anew,
QUIET_MOST_MS: Final = 80_000  # less and less often while that helps nothing
AGAIN_MS: Final = 3_000  # so long after Bluetooth refused to scan
CONNECT_MS: Final = 5_000  # for a box to answer (1.5 to 2.5 s when all is well), and as long to say what it offers
SETTLE_MS: Final = 100
LIST_MS: Final = 5_000  # a laptop that has just started takes its time
WRITE_MS: Final = 10_000
END_MS: Final = 5_000  # a link that the system does not end by then is left to the box, which drops silent ones
MTU_MS: Final = 1_000  # so long some systems take to tell the MTU that was agreed on
_Gone = Callable[[], None]
_ADVERT_START: Final = b"\x1b\xff" + advert.COMPANY.to_bytes(2, "little")  # what the system has already taken off
_UNTOLD: Final = 23  # the MTU that BlueZ before 5.62 names whatever it is

_REASONS: Final = {
    BleakBluetoothNotAvailableReason.NO_BLUETOOTH: NONE,
    BleakBluetoothNotAvailableReason.NO_BLE_CENTRAL_ROLE: OLD,
    BleakBluetoothNotAvailableReason.POWERED_OFF: OFF,
    BleakBluetoothNotAvailableReason.DENIED_BY_USER: DENIED,
    BleakBluetoothNotAvailableReason.DENIED_BY_SYSTEM: DENIED,
    BleakBluetoothNotAvailableReason.DENIED_BY_UNKNOWN: DENIED,
}


class Backend(NamedTuple):
    """What bleak drives; None: the system's own Bluetooth."""

    scanner: type[BaseBleakScanner] | None = None
    client: type[BaseBleakClient] | None = None
    adapter: type[BaseBleakAdapter] | None = None


class BleAir:
    """The air around a desk. `adapters`: names as `hci1` (Linux), empty: the one that the system chooses, None: this
    computer has none, others lend theirs; each holds `links`. Give `connect` to the `Serving` that `run` is then given.
    """

    def __init__(
        self,
        clock: Clock,
        *,
        links: int = LINKS,
        adapters: Sequence[str] | None = (),
        backend: Backend | None = None,
        quiet_ms: int = QUIET_MS,
        again_ms: int = AGAIN_MS,
        connect_ms: int = CONNECT_MS,
        take_over: bool = True,
    ) -> None:
        own = () if adapters is None else adapters or ("",)
        self.adapters = [Adapter[BLEDevice](name, Room(links)) for name in own]
        self.taken_over = 0
        self._clock = clock
        self._backends = dict.fromkeys(self.adapters, backend or Backend())
        self._lent: set[Adapter[BLEDevice]] = set()
        self._group: asyncio.TaskGroup | None = None
        self._listening: dict[Adapter[BLEDevice], asyncio.Task[None]] = {}
        self._last: dict[bytes, Adapter[BLEDevice]] = {}  # by which a box was linked last
        self._quiet_ms = quiet_ms
        self._again_ms = again_ms
        self._connect_ms = connect_ms
        self._takes_over = take_over
        self._serving: Serving | None = None
        self._troubles = Troubles(clock)
        self._under_way: list[_Link] = []  # connects, the oldest first

    @property
    def links(self) -> int:
        """How many links all adapters hold together, as far as that is known now."""
        now_ms = self._clock.now_ms()
        return sum(adapter.room.links(now_ms) for adapter in self.adapters)

    @property
    def connects(self) -> int:
        """How many may be under way at a time: one for each adapter."""
        return max(1, len(self.adapters))

    def mtu(self, uid: bytes) -> int | None:
        """How many bytes at a time the link to this box carries; None if there is none, or the system does not tell."""
        found = (link.mtu for adapter in self.adapters for link in _links(adapter) if link.uid == uid and link.is_up)
        return next(found, None)

    def way(self, uid: bytes) -> Way | None:
        """How this box is linked, else how it was heard best lately; None if it was not."""
        heard: list[Way] = []
        for adapter in self.adapters:
            seen = adapter.sightings.get(uid, [])
            for link in _links(adapter):
                if link.uid == uid and link.is_up:
                    rssi = next((one.rssi for one in seen if one.address == link.address), None)
                    return Way(adapter.name, rssi, link.mtu)
            heard += [Way(adapter.name, one.rssi, None) for one in seen]
        return max(heard, key=lambda way: way.rssi or 0, default=None)

    @property
    def deaf(self) -> Mapping[str, Unreachable]:
        """The adapters that do not scan now, each with the reason."""
        return self._troubles.why_deaf

    def apart(self, uid: bytes, since_ms: int) -> Unreachable | None:
        """Why this box could not be linked; None if that was not found out since then."""
        return self._troubles.why_apart(uid, since_ms)

    @property
    def trouble(self) -> Unreachable | None:
        """Why boxes are not heard, else why one could not be connected lately; None if all is well."""
        return self._troubles.latest if self.adapters else Unreachable(UNLENT)

    async def run(self, serving: Serving) -> None:
        """Take over what a killed desk left, then listen until cancelled. Links are ended by `serving`."""
        self._serving = serving
        async with asyncio.TaskGroup() as group:
            self._group = group
            for adapter in self.adapters:
                self._listening[adapter] = group.create_task(self._listen(adapter))
            try:
                await asyncio.get_running_loop().create_future()  # one more may come at any time
            finally:
                self._group = None

    def join(self, name: str, links: int, backend: Backend) -> None:
        """One more adapter, which somebody lends, under a name that no other one has."""
        adapter = Adapter[BLEDevice](name, Room(links))
        self._backends[adapter] = backend
        self._lent.add(adapter)
        self.adapters.append(adapter)
        if self._group is not None:
            self._listening[adapter] = self._group.create_task(self._listen(adapter))
        if self._serving is not None:
            self._serving.stir()

    def leave(self, name: str) -> None:
        """It is not lent any more; what was linked by it is linked by whoever hears it."""
        adapter = next((one for one in self.adapters if one.name == name), None)
        if adapter is None:
            return
        self.adapters.remove(adapter)
        self._lent.discard(adapter)
        if (task := self._listening.pop(adapter, None)) is not None:
            task.cancel()
        self._troubles.hears(name)
        for link in _links(adapter):
            link.gone()
        if self._serving is not None:
            self._serving.stir()

    async def connect(self, uid: bytes) -> bool:
        """Link a box that is heard, which ends in `Serving.linked`; False, and `trouble` says why, if it cannot be.

        To be asked for more boxes at a time than there are adapters means that the last one is urgent: what is under
        way on its adapter is given up.
        """
        is_urgent = len(self._under_way) >= len(self.adapters)
        yielding = [link.adapter for link in self._under_way if link.yields] if is_urgent else []
        chosen = best(self.adapters, uid, self._clock.now_ms(), yielding, self._last.get(uid))
        if any(adapter.is_ending(uid) for adapter in self.adapters):
            return False
        if self._serving is not None and self._serving.serves(uid):
            return False  # plugged in just now
        if chosen is None or self._serving is None:
            self._troubles.unheard(uid)
            return False
        adapter, seen = chosen
        link = _Link(uid, adapter, self._serving, seen.address)
        link.seen = seen
        if is_urgent:
            self._give_up_one(adapter)
        adapter.links.add(link)
        self._under_way.append(link)
        try:
            async with adapter.lock:
                try:
                    await self._open(link, self._client(adapter, seen.device, link.gone))
                except TimeoutError:
                    await asyncio.sleep(SETTLE_MS / 1_000)  # the system has been told, and takes the next one soon
                    raise
        except Exception as error:  # noqa: BLE001 (each system raises its own, D-Bus, COM or Objective-C)
            return False if link.given_up else self._learn(link, seen, error)
        finally:
            self._under_way.remove(link)
            if not link.is_up:
                await link.close()
        adapter.room.took(uid, sum(other.was_up for other in _links(adapter)), self._clock.now_ms())
        self._troubles.together(uid)
        self._last[uid] = adapter
        if self._serving.serves(uid):  # plugged in meanwhile
            link.seen = None
            await link.close()
            return False
        self._serving.linked(uid, link)
        return True

    async def _open(self, link: _Link, client: BleakClient) -> None:
        """Open the link; TimeoutError if the box is not there in time, or does not say in time what it offers."""
        loop = asyncio.get_running_loop()
        async with asyncio.timeout(2 * self._connect_ms / 1_000) as link.limit:
            there = loop.call_later(self._connect_ms / 1_000, link.expect_there)
            try:
                await link.open(client)
            finally:
                there.cancel()

    def _give_up_one(self, adapter: Adapter[BLEDevice]) -> None:
        for link in self._under_way:
            if link.adapter is adapter and link.yields:
                link.give_up()
                return

    def _learn(self, link: _Link, seen: Sighting[BLEDevice], error: Exception) -> bool:
        """What a connect that came to nothing tells of the box and of the adapter."""
        adapter, uid, now_ms = link.adapter, link.uid, self._clock.now_ms()
        seen.failures += 1
        if isinstance(error, BleakDeviceNotFoundError):
            adapter.forget(uid, seen)
            return self._failed(uid, Unreachable(GONE, box=uid.hex()))
        others = sum(other.was_up for other in _links(adapter))
        full = LIMIT in str(error)
        is_riddle = full or not (link.was_there or adapter.ending or isinstance(error, BleakBluetoothNotAvailableError))
        if (
            is_riddle
            and not self._troubles.is_deaf(adapter.name)
            and adapter.room.failed(uid, others, now_ms, full=full)
        ):
            why = Unreachable(HOLDS, box=uid.hex(), held=others)
            return self._failed(
                uid, why.hinted(N_("{command} says so from the start"), command=once_more("--links", others))
            )
        if full and others:
            return False  # its turn comes
        return self._failed(uid, _sentence(error, uid.hex(), self._connect_ms))

    # --- one adapter -----

    async def _listen(self, adapter: Adapter[BLEDevice]) -> None:
        async with asyncio.TaskGroup() as group:
            for device in await self._left_behind(adapter):
                adapter.ending.add(device.address)
                group.create_task(self._end(adapter, device))
            await self._listen_on(adapter)

    async def _listen_on(self, adapter: Adapter[BLEDevice]) -> None:
        quiet_ms = self._quiet_ms
        while True:
            expect_wanted()
            began_ms = adapter.heard_ms = self._clock.now_ms()
            try:
                await self._scan(adapter, quiet_ms)
            except Exception as error:  # noqa: BLE001 (as above)
                expect_wanted()
                why = _sentence(error, "", END_MS, adapter.name)
                if adapter in self._lent:
                    why = Unreachable(OF_GATEWAY, name=adapter.name, problem=why)
                self._troubles.deaf(adapter.name, why)
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
        scanner = BleakScanner(partial(self._heard, adapter), bluez=options, backend=self._backends[adapter].scanner)
        try:
            async with asyncio.timeout(END_MS / 1_000):
                await scanner.start()
            expect_wanted()
            self._troubles.hears(adapter.name)
            while (rest_ms := adapter.heard_ms + quiet_ms - self._clock.now_ms()) > 0:  # noqa: ASYNC110 -- absence counts
                await asyncio.sleep(rest_ms / 1_000)
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

    async def _left_behind(self, adapter: Adapter[BLEDevice]) -> list[BLEDevice]:
        """The boxes to which a killed desk has left links in the system; what is wrong there the scanner will say."""
        if not self._takes_over:
            return []
        with suppress(Exception):  # some systems know no such list
            async with asyncio.timeout(LIST_MS / 1_000):
                options: BlueZAdapterArgs = {"adapter": adapter.name} if adapter.name else {}
                system = await BleakAdapter.get(bluez=options, backend=self._backends[adapter].adapter)
                return list(await system.get_connected_devices([wire.SERVICE_UUID]))
        return []

    async def _end(self, adapter: Adapter[BLEDevice], device: BLEDevice) -> None:
        """End a link that was left behind: it looks alive, and what is built on it is not."""
        try:
            with suppress(Exception):
                async with asyncio.timeout(END_MS / 1_000):
                    client = self._client(adapter, device, lambda: None)
                    await client.connect()
                    await client.disconnect()
                self.taken_over += 1
        finally:
            adapter.ending.discard(device.address)

    def _client(self, adapter: Adapter[BLEDevice], device: BLEDevice, gone: _Gone) -> BleakClient:
        options: BlueZClientArgs = {"adapter": adapter.name} if adapter.name else {}
        return BleakClient(
            device, lambda _: gone(), [wire.SERVICE_UUID],
            timeout=2 * self._connect_ms / 1_000, bluez=options, backend=self._backends[adapter].client,
        )  # fmt: skip

    def _failed(self, uid: bytes, why: Unreachable) -> bool:
        self._troubles.apart(uid, why)
        return False


class _Link:
    """A link to one box, or an attempt at one; a `Carrier`. It takes one of the adapter's places until it is gone.

    `was_there`: the box has answered; `was_up`: and its notifications were on; `limit`: when the attempt ends;
    `given_up`: for another box that is urgent; `mtu`: None if the system does not tell. `seen`: what was connected,
    until it has shown whether it is the box: whoever repeats an advertisement can be linked as well.
    """

    def __init__(self, uid: bytes, adapter: Adapter[BLEDevice], serving: Serving, address: str) -> None:
        self.uid = uid
        self.adapter = adapter
        self.address = address
        self.is_up = self.was_up = self.was_there = False
        self.given_up = False
        self.limit: asyncio.Timeout | None = None
        self.mtu: int | None = None
        self.seen: Sighting[BLEDevice] | None = None
        self._serving = serving
        self._client: BleakClient | None = None
        self._commands: BleakGATTCharacteristic | None = None

    async def open(self, client: BleakClient) -> None:
        """Connect and listen. Unreachable, or whatever bleak raises, if that cannot be; `close` all the same."""
        self._client = client
        await client.connect()
        self.was_there = True
        service = client.services.get_service(wire.SERVICE_UUID)
        events = None if service is None else service.get_characteristic(wire.EVENTS_UUID)
        self._commands = None if service is None else service.get_characteristic(wire.COMMANDS_UUID)
        if events is None or self._commands is None:
            raise Unreachable(FOREIGN, box=self.uid.hex())
        await self._expect_room(client, events)
        await client.start_notify(events, lambda _, frame: self._heard(bytes(frame)))
        if not client.is_connected:
            raise Unreachable(GONE, box=self.uid.hex())
        self.is_up = self.was_up = True

    @property
    def yields(self) -> bool:
        """Whether the attempt can still be given up."""
        return not self.given_up and self.limit is not None and not self.limit.expired()

    def give_up(self) -> None:
        """End the attempt: another box is urgent."""
        self._cut_short()
        self.given_up = True

    def expect_there(self) -> None:
        """It is time that the box has answered; what it offers may take a while longer."""
        self.was_there = self.was_there or (self._client is not None and self._client.is_connected)
        if not self.was_there:
            self._cut_short()

    async def write(self, frame: bytes) -> None:
        if not self.is_up or self._client is None or self._commands is None:
            raise Unreachable(GONE, box=self.uid.hex())
        try:
            async with asyncio.timeout(WRITE_MS / 1_000):
                await self._client.write_gatt_char(self._commands, frame, response=True)
        except Exception as error:  # each system raises its own
            raise _sentence(error, self.uid.hex(), WRITE_MS) from error

    async def close(self) -> None:
        self._down()
        with suppress(Exception):
            async with asyncio.timeout(END_MS / 1_000):
                if self._client is not None:
                    await self._client.disconnect()
        self.adapter.links.discard(self)

    def gone(self) -> None:
        """The system says that the link is over."""
        self._down()
        self.adapter.links.discard(self)
        self._serving.lost(self.uid, self)

    def _heard(self, frame: bytes) -> None:
        if self._serving.received(self.uid, self, frame) and self.seen is not None:
            self.adapter.proved(self.uid, self.seen)
            self.seen = None

    def _cut_short(self) -> None:
        """The attempt ends now, if it has not."""
        if self.limit is not None and not self.limit.expired():
            self.limit.reschedule(0)

    def _down(self) -> None:
        """A link that was up, and whose other end has not proved to be the box, has failed like any other."""
        if self.is_up and self.seen is not None:
            self.seen.failures += 1
        self.is_up = False

    async def _expect_room(self, client: BleakClient, events: BleakGATTCharacteristic) -> None:
        """Unreachable if the link's MTU is too small for the protocol; a system that does not tell it leaves that to
        the box, which refuses too.
        """
        mtu = await mtu_of(client, events)
        self.mtu = mtu
        if mtu is not None and mtu < wire.MTU_AT_LEAST:
            raise Unreachable(NARROW, box=self.uid.hex(), mtu=mtu, least=wire.MTU_AT_LEAST)


async def mtu_of(client: BleakClient, events: BleakGATTCharacteristic) -> int | None:
    """How many bytes at a time its link carries; None: the system does not tell."""
    with suppress(TimeoutError):
        async with asyncio.timeout(MTU_MS / 1_000):
            while (mtu := events.max_write_without_response_size + 3) == _UNTOLD:  # noqa: ASYNC110 -- bleak tells nobody
                await asyncio.sleep(MTU_MS / 20_000)  # bleak does not tell when it changes
    return None if mtu == _UNTOLD and client.backend_id == BleakBackend.BLUEZ_DBUS else mtu


def _links(adapter: Adapter[BLEDevice]) -> list[_Link]:
    return [link for link in adapter.links if isinstance(link, _Link)]


def _sentence(error: Exception, box: str, within_ms: int, adapter: str = "") -> Unreachable:
    """What a person can do something about, of all that a system's Bluetooth may raise."""
    if isinstance(error, Unreachable):
        return error
    if isinstance(error, BleakBluetoothNotAvailableError) and error.reason in _REASONS:
        return Unreachable(_REASONS[error.reason])
    if isinstance(error, BleakGATTProtocolError) and box:
        return Unreachable(LISTENS_NOT, box=box)
    if isinstance(error, TimeoutError) and box:
        return Unreachable(SILENT, box=box, seconds=within_ms // 1_000)
    if isinstance(error, FileNotFoundError | ConnectionError):
        return Unreachable(SERVICE)
    return in_words(str(error) or type(error).__name__, box=box, adapter=adapter)
