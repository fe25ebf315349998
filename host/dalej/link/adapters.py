"""A computer's Bluetooth adapters, without I/O: which of them heard which box, how well, and has a link to spare."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final, Generic, TypeVar

FRESH_MS: Final = 10_000  # a box that an adapter has not heard for so long is not connected by it
LINUX: Final = Path("/sys/class/bluetooth")

Device = TypeVar("Device")


@dataclass(slots=True)
class Sighting(Generic[Device]):
    """What said to be a box, as one adapter heard it last: `address` as the system names it, `rssi` in dBm.

    `failures`: connects in a row that came to nothing.
    """

    device: Device
    address: str
    rssi: int
    at_ms: int
    failures: int = 0


@dataclass(eq=False, slots=True)
class Adapter(Generic[Device]):
    """`name` is empty for the one that the system chooses. `links`: whatever takes one of its places now.

    `restarts`: how often its scanner had gone quiet; `lock`: connecting two boxes at a time confuses adapters.
    """

    name: str
    links: set[object] = field(default_factory=set)
    sightings: dict[bytes, list[Sighting[Device]]] = field(default_factory=dict)
    lock: asyncio.Lock = field(default_factory=asyncio.Lock)
    heard_ms: int = 0
    restarts: int = 0

    def saw(self, uid: bytes, device: Device, address: str, rssi: int, now_ms: int) -> None:
        """One of the event's boxes was heard, or somebody who repeats what it said."""
        self.heard_ms = now_ms
        fresh = [seen for seen in self.sightings.get(uid, ()) if now_ms - seen.at_ms <= FRESH_MS]
        for seen in fresh:
            if seen.address == address:
                seen.device, seen.rssi, seen.at_ms = device, rssi, now_ms
                break
        else:
            fresh.append(Sighting(device, address, rssi, now_ms))
        self.sightings[uid] = fresh

    def forget(self, uid: bytes, sighting: Sighting[Device]) -> None:
        """The system does not know it any more: not until it is heard again."""
        self.sightings[uid] = [seen for seen in self.sightings.get(uid, ()) if seen is not sighting]


def best(
    adapters: Sequence[Adapter[Device]], uid: bytes, links: int, now_ms: int
) -> tuple[Adapter[Device], Sighting[Device]] | None:
    """How to connect the box, each adapter having `links` places: what has failed least, then what is heard best."""
    able = [
        (adapter, seen)
        for adapter in adapters
        if len(adapter.links) < links
        for seen in adapter.sightings.get(uid, ())
        if now_ms - seen.at_ms <= FRESH_MS
    ]
    return max(able, key=lambda one: (-one[1].failures, one[1].rssi), default=None)


def adapters_here(folder: Path = LINUX) -> list[str]:
    """The names of this computer's adapters, as `hci0`; empty where the system does not tell (all but Linux)."""
    if not folder.is_dir():
        return []
    names = [entry.name for entry in folder.iterdir() if entry.name.startswith("hci") and entry.name[3:].isdigit()]
    return sorted(names, key=lambda name: int(name[3:]))
