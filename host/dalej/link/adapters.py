"""A computer's Bluetooth adapters, without I/O: which of them heard which box, how well, and has a link to spare; how
many links one really holds is learnt from connects that failed while other links stood.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final, Generic, NamedTuple, TypeVar

AGAIN_MS: Final = 300_000  # so long after it was full, one link more is tried
DOUBTS_MOST: Final = 3  # unexplained failures in a row


class Room:
    """Room for `places` links, as people say; for fewer, once that has shown. Times are the desk's ms."""

    def __init__(self, places: int) -> None:
        self._places = places
        self._found: int | None = None
        self._again_ms = 0
        self._doubts = 0
        self._suspects: set[bytes] = set()  # boxes whose failures made it smaller, and that had no link since

    def links(self, now_ms: int) -> int:
        """How many to count with now, at least 1."""
        if self._found is None:
            return self._places
        return min(self._places, self._found + (now_ms >= self._again_ms))

    def took(self, uid: bytes, held: int, now_ms: int) -> None:
        """A link to the box is up, one of so many that are `held`."""
        self._doubts = 0
        self._suspects.discard(uid)
        if self._found is not None and held > self._found:
            self._found = held if held < self._places else None
            self._again_ms = now_ms

    def failed(self, uid: bytes, others: int, now_ms: int, *, full: bool) -> bool:
        """A connect to the box failed for no reason of its own while so many `others` were held; `full`: for want of
        a link, the system says. Whether it is news that there is no room for more than these.
        """
        if not others or others >= self._places:
            return False
        if self._found is not None and others >= self._found:  # one more was tried, in vain
            self._again_ms = now_ms + AGAIN_MS
            return False
        if not full and uid in self._suspects:
            self._found = None
            return False
        self._doubts += 1
        if not full and self._doubts < DOUBTS_MOST:
            return False
        if not full:
            self._suspects.add(uid)
        self._doubts = 0
        self._found = others
        self._again_ms = now_ms + AGAIN_MS
        return True


FRESH_MS: Final = 10_000  # a box that an adapter has not heard for so long is not connected by it
KEPT_MOST: Final = 32  # that say to be one box at a time; somebody may invent addresses without end
STAYS_DB: Final = 8  # signals of one box differ by as much from one moment to the next
PATIENCE: Final = 3  # so often in a row what was the box before is tried first, whatever else is heard
LINUX: Final = Path("/sys/class/bluetooth")

Device = TypeVar("Device")


class Way(NamedTuple):
    """How a box is linked or heard: by which adapter, how well (dBm), by how many bytes at a time; None: unknown."""

    adapter: str
    rssi: int | None
    mtu: int | None


@dataclass(slots=True)
class Sighting(Generic[Device]):
    """What said to be a box, as one adapter heard it last: `address` as the system names it, `rssi` in dBm.

    `failures`: connects in a row that came to nothing, or to a link on which it did not prove to be the box.
    """

    device: Device
    address: str
    rssi: int
    at_ms: int
    failures: int = 0


@dataclass(eq=False, slots=True)
class Adapter(Generic[Device]):
    """`name` is empty for the one that the system chooses. `links`: whatever takes one of its places now.

    `restarts`: how often its scanner had gone quiet; `lock`: connecting two boxes at a time confuses adapters;
    `ending`: addresses of which a stale link is being ended, and which are not connected meanwhile.
    """

    name: str
    room: Room
    links: set[object] = field(default_factory=set)
    sightings: dict[bytes, list[Sighting[Device]]] = field(default_factory=dict)
    lock: asyncio.Lock = field(default_factory=asyncio.Lock)
    ending: set[str] = field(default_factory=set)
    heard_ms: int = 0
    restarts: int = 0
    proven: dict[bytes, str] = field(default_factory=dict)  # box -> the address at which it proved itself last

    def saw(self, uid: bytes, device: Device, address: str, rssi: int, now_ms: int) -> None:
        """One of the event's boxes was heard, or somebody who repeats what it said."""
        self.heard_ms = now_ms
        fresh = [seen for seen in self.sightings.get(uid, ()) if now_ms - seen.at_ms <= FRESH_MS]
        for seen in fresh:
            if seen.address == address:
                seen.device, seen.rssi, seen.at_ms = device, rssi, now_ms
                break
        else:
            if len(fresh) < KEPT_MOST or address == self.proven.get(uid):
                fresh.append(Sighting(device, address, rssi, now_ms))
        self.sightings[uid] = fresh

    def proved(self, uid: bytes, sighting: Sighting[Device]) -> None:
        """It was the box."""
        sighting.failures = 0
        self.proven[uid] = sighting.address

    def favours(self, uid: bytes, sighting: Sighting[Device]) -> bool:
        """Whether it was the box before, and has not failed too often since."""
        return sighting.failures < PATIENCE and sighting.address == self.proven.get(uid)

    def forget(self, uid: bytes, sighting: Sighting[Device]) -> None:
        """The system does not know it any more: not until it is heard again."""
        self.sightings[uid] = [seen for seen in self.sightings.get(uid, ()) if seen is not sighting]

    def is_ending(self, uid: bytes) -> bool:
        """Whether a stale link of this box is being ended."""
        return bool(self.ending) and any(seen.address in self.ending for seen in self.sightings.get(uid, ()))


def best(
    adapters: Sequence[Adapter[Device]], uid: bytes, now_ms: int, yielding: Sequence[Adapter[Device]] = (),
    last: Adapter[Device] | None = None,
) -> tuple[Adapter[Device], Sighting[Device]] | None:  # fmt: skip
    """How to connect the box, by an adapter with a link to spare: what was the box before, then what has failed least,
    then what is heard best. `yielding`: adapters that have one more, as something under way there would be given up;
    `last`: by which the box was linked last, and is again unless another one hears it much better.
    """
    able = [
        (adapter, seen)
        for adapter in adapters
        if len(adapter.links) - (adapter in yielding) < adapter.room.links(now_ms)
        for seen in adapter.sightings.get(uid, ())
        if now_ms - seen.at_ms <= FRESH_MS and seen.address not in adapter.ending
    ]
    return max(
        able,
        key=lambda one: (
            one[0].favours(uid, one[1]), -one[1].failures, one[1].rssi + (STAYS_DB if one[0] is last else 0)
        ),
        default=None,
    )  # fmt: skip


def expect_wanted() -> None:
    """CancelledError if the task was cancelled, and the system's Bluetooth has kept that for itself."""
    task = asyncio.current_task()
    if task is not None and task.cancelling():
        raise asyncio.CancelledError


def adapters_here(folder: Path = LINUX) -> list[str]:
    """The names of this computer's adapters, as `hci0`; empty where the system does not tell (all but Linux)."""
    if not folder.is_dir():
        return []
    names = [entry.name for entry in folder.iterdir() if entry.name.startswith("hci") and entry.name[3:].isdigit()]
    return sorted(names, key=lambda name: int(name[3:]))
