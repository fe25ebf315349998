"""One adapter of the fake BlueZ: who scans with it, its links, how connects end."""

from __future__ import annotations

import asyncio
from typing import Final

from dbus_fast import Variant

from tests.bluez import peripheral as p
from tests.bluez.objects import Objects, Properties, Refusal
from tests.bluez.peripheral import Peripheral
from tests.bluez.remote import FAILED, Remote

ADAPTER: Final = "org.bluez.Adapter1"
_NOT_READY: Final = "org.bluez.Error.NotReady"
_IN_PROGRESS: Final = "org.bluez.Error.InProgress"
_CONNECT_S: Final = 0.03


class Adapter:
    """Room for so many `slots`. It scans while a program that asked for it is there. `collisions`: connects that were
    refused because another one was under way; `start_refusals`: so many StartDiscovery fail from now on.
    """

    def __init__(self, objects: Objects, name: str, slots: int) -> None:
        self.objects = objects
        self.path = f"/org/bluez/{name}"
        self.slots = slots
        self.powered = True
        self.connects = self.collisions = self.starts = 0
        self.remotes: list[Remote] = []
        self.most_links = 0
        self.start_refusals = 0
        self.full = "le-connection-concurrent-connection-limit"  # what it says when it holds no more links
        self._scanners: dict[str, bool] = {}  # who scans -> whether duplicates are wanted
        self._filters: dict[str, bool] = {}
        self._connecting = False

    @property
    def scanning(self) -> bool:
        return self.powered and bool(self._scanners)

    def add(self, peripheral: Peripheral) -> None:
        """A box is in reach."""
        self.remotes.append(Remote(self.path, self.objects, peripheral))

    def shown(self) -> Properties:
        return {
            "Address": Variant("s", f"00:11:22:33:44:{self.path[-1]:0>2}"),
            "Name": Variant("s", self.path.rpartition("/")[2]),
            "Powered": Variant("b", self.powered),
            "Discovering": Variant("b", self.scanning),
            "Roles": Variant("as", ["central", "peripheral"]),
        }

    def links(self) -> int:
        return sum(remote.connected for remote in self.remotes)

    def look(self, now_s: float, forget_s: float) -> None:
        """What is on the air now; what nobody has heard for long is forgotten."""
        for remote in self.remotes:
            if self.scanning and remote.peripheral.on_air:
                remote.hear(now_s, duplicates=any(self._scanners.values()))
            elif not remote.connected and now_s - remote.heard_s > forget_s and remote.given_up is None:
                remote.forget()

    def switch(self, *, on: bool) -> None:
        """Somebody switches Bluetooth on or off: links fall, scanning ends."""
        self.powered = on
        if not on:
            self._scanners.clear()
            for remote in self.remotes:
                remote.cut()
                if remote.given_up is not None:
                    remote.given_up.set()
        self._show("Discovering", "Powered")

    def stall(self) -> None:
        """The scan goes on in name, and hears nothing more: seen with adapters whose firmware hangs."""
        self._scanners = dict.fromkeys(self._scanners, False)

    def vanished(self, who: str) -> None:
        """A program is gone from the bus: it scans and listens no more, its links stay."""
        if self._scanners.pop(who, None) is not None:
            self._show("Discovering")
        for remote in self.remotes:
            remote.listeners.discard(who)

    def filter(self, who: str, wanted: dict[str, Variant]) -> None:
        self._filters[who] = "DuplicateData" not in wanted or bool(wanted["DuplicateData"].value)

    def start(self, who: str) -> None:
        if not self.powered:
            raise Refusal(_NOT_READY, "Resource Not Ready")
        if self.start_refusals:
            self.start_refusals -= 1
            raise Refusal(_IN_PROGRESS, "Operation already in progress")
        self.starts += 1
        self._scanners[who] = self._filters.get(who, True)
        self._show("Discovering")

    def stop(self, who: str) -> None:
        if not self.powered:
            raise Refusal(_NOT_READY, "Resource Not Ready")
        if self._scanners.pop(who, None) is None:
            raise Refusal(FAILED, "No discovery started")
        self._show("Discovering")

    async def connect(self, remote: Remote) -> None:
        if not self.powered:
            raise Refusal(_NOT_READY, "Resource Not Ready")
        if remote.connected:
            return
        if self._connecting:
            self.collisions += 1
            raise Refusal(_IN_PROGRESS, "Operation already in progress")
        self._connecting = True
        self.connects += 1
        remote.given_up = asyncio.Event()
        try:
            await self._try(remote, remote.given_up)
        finally:
            remote.given_up = None
            self._connecting = False

    async def _try(self, remote: Remote, given_up: asyncio.Event) -> None:
        fault = remote.peripheral.fault()
        if fault == p.BUSY:
            raise Refusal(_IN_PROGRESS, "br-connection-busy")
        if self.links() >= self.slots:
            raise Refusal(FAILED, self.full)
        await asyncio.sleep(_CONNECT_S)
        while not given_up.is_set() and (fault == p.UNANSWERED or not remote.peripheral.on_air):  # noqa: ASYNC110
            await asyncio.sleep(_CONNECT_S)  # the system waits until it hears the device
        if given_up.is_set():
            raise Refusal(FAILED, "le-connection-canceled")
        if not self.powered:
            raise Refusal(FAILED, "le-connection-not-powered")
        if fault == p.REFUSED:
            raise Refusal(FAILED, "le-connection-refused")
        if fault == p.VANISHED:
            remote.forget()
            raise Refusal("org.freedesktop.DBus.Error.UnknownObject", "the device is gone")
        remote.unresolved = fault in (p.UNRESOLVED, p.ABORTED)
        remote.notify_refused = fault == p.NOTIFY_REFUSED
        remote.up()
        self.most_links = max(self.most_links, self.links())
        if fault == p.ABORTED:
            remote.cut()
            raise Refusal(FAILED, "le-connection-abort-by-local")

    def _show(self, *names: str) -> None:
        shown = self.shown()
        for name in names:
            self.objects.change(self.path, ADAPTER, {name: shown[name]})
