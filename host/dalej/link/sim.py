"""Boxes and links that are simulated down to the bytes: a real `moveclock.box.Box` on another clock with another radio.

A link delivers frames after a delay, or loses, doubles and swaps them; it can be cut, and a box can lose its power at any
instant. Whoever scans finds a box again within half a second.
"""

from __future__ import annotations

from dataclasses import dataclass
from random import Random
from typing import Final

from dalej.link.port import LinkPort
from dalej.link.world import Action, World
from moveclock import facts as k
from moveclock.box import Board, Box
from moveclock.segments import Flash
from moveclock.ticks import PERIOD

RECONNECT_MS: Final = 500
SWAPPED_MS: Final = 60
MTU: Final = 247


class MemoryFlash(Flash):
    """Flash in memory that keeps its files through a power cut; `broken` makes every write fail."""

    def __init__(self) -> None:
        self.files: dict[str, bytes] = {}
        self.folders: set[str] = set()
        self.broken = False

    def names(self, folder: str) -> list[str]:
        start = f"{folder}/"
        inside = [path[len(start) :] for path in (*self.files, *self.folders) if path.startswith(start)]
        return [name for name in inside if "/" not in name]

    def read(self, path: str) -> bytes | None:
        return self.files.get(path)

    def write(self, path: str, data: bytes) -> None:
        self._expect_working()
        self.files[path] = bytes(data)

    def append(self, path: str, data: bytes) -> None:
        self._expect_working()
        self.files[path] = self.files.get(path, b"") + bytes(data)

    def remove(self, path: str) -> None:
        self._expect_working()
        if path not in self.files:
            raise OSError(2, "no such file", path)
        del self.files[path]

    def make(self, folder: str) -> None:
        self._expect_working()
        self.folders.add(folder)

    def remove_folder(self, folder: str) -> None:
        self._expect_working()
        if folder not in self.folders or self.names(folder):
            raise OSError(39, "no such empty folder", folder)
        self.folders.discard(folder)

    def _expect_working(self) -> None:
        if self.broken:
            raise OSError(5, "this flash does not write")


class SimBoard(Board):
    """Memory that survives a reset but no power cut, and seeded randomness."""

    def __init__(self, random: Random) -> None:
        self.kept = b""
        self._random = random

    def load(self) -> bytes:
        return self.kept

    def save(self, data: bytes) -> None:
        self.kept = data

    def random(self, count: int) -> bytes:
        return self._random.randbytes(count)


@dataclass(frozen=True, slots=True)
class Faults:
    """What a link does to frames: chances from 0 to 1 for each, delays in ms."""

    loss: float = 0.0
    duplicate: float = 0.0
    reorder: float = 0.0
    delay_ms: tuple[int, int] = (0, 0)


class SimBox:
    """One box, its contacts and its power. `ppm`: how much faster than the desk's its crystal runs."""

    def __init__(
        self,
        world: World,
        uid: bytes,
        secret: bytes,
        random: Random,
        *,
        kostka: bool = True,
        shared: bool = False,
        ppm: int = 0,
        raw_start: int = 0,
        flash: Flash | None = None,
    ) -> None:
        self.world = world
        self.uid = uid
        self.secret = secret
        self.box: Box | None = None
        self.link: SimLink | None = None
        self.boots: dict[int, int] = {}  # boot -> world time of its uptime 0
        self.flash = MemoryFlash() if flash is None else flash
        self.board = SimBoard(random)
        self._built = (kostka, shared)
        self._ppm = ppm
        self._raw_start = raw_start
        self._down: set[int] = set()
        self._wake_ms: int | None = None
        self._on_since = 0

    def power_on(self, reset: int = k.POWER_ON) -> None:
        """Start the box; contacts that are down now are ignored until they are released."""
        self._on_since = self.world.now_ms
        kostka, shared = self._built
        self.box = Box(
            self.uid, self.secret, self.flash, self.board, self.raw(),
            kostka=kostka, shared=shared, held=tuple(sorted(self._down)), reset=reset,
        )  # fmt: skip
        self.boots[self.box.journal.boot] = self.world.now_ms
        self.pump()

    def power_off(self) -> None:
        """Cut the power: RAM and RTC memory are gone, flash stays, the link breaks."""
        self.board.kept = b""
        self.crash()

    def reset(self, reason: int = k.WATCHDOG) -> None:
        """A watchdog or soft reset: only RAM is gone."""
        self.crash()
        self.power_on(reason)

    def crash(self) -> None:
        """The firmware stops where it is."""
        self.box = None
        self._wake_ms = None
        if self.link is not None:
            self.link.cut()

    def edge(self, contact: int, down: bool) -> None:
        """A finger, a tile or a hand."""
        (self._down.add if down else self._down.discard)(contact)
        if self.box is not None:
            self.box.edge(contact, down, self.raw())
            self.pump()

    def receive(self, frame: bytes) -> None:
        """A write to the command characteristic."""
        if self.box is not None:
            self.box.receive(1, frame, self.raw())
            self.pump()

    def pump(self) -> None:
        """One turn of the firmware's loop, and the next one when the box asks for it."""
        box, raw = self.box, self.raw()
        if box is None:
            return
        box.tick(raw)
        box.work(raw)
        if self.link is not None:
            while (frame := box.send(1, raw)) is not None:
                self.link.to_desk(frame)
            if box.to_close(raw):
                self.link.cut()
        wait = max(1, box.wake_at() - box.uptime.now)
        self._wake(self.world.now_ms + wait - wait * self._ppm // 1_000_000)

    def world_ms(self, boot: int, uptime_ms: int) -> int:
        """The world's time of a stamp of one of this box's boots."""
        return self.boots[boot] + uptime_ms

    def raw(self) -> int:
        """The hardware counter now."""
        run = self.world.now_ms - self._on_since
        return (self._raw_start + run + run * self._ppm // 1_000_000) % PERIOD

    def _wake(self, when_ms: int) -> None:
        if self._wake_ms is not None and self._wake_ms <= when_ms and self._wake_ms > self.world.now_ms:
            return
        self._wake_ms = when_ms
        self.world.at(when_ms, lambda: self._woken(when_ms))

    def _woken(self, when_ms: int) -> None:
        if when_ms == self._wake_ms:
            self._wake_ms = None
            self.pump()


class SimLink:
    """One Bluetooth link between a box and the desk's radio, with its faults."""

    def __init__(self, box: SimBox, radio: SimRadio) -> None:
        self._box = box
        self._radio = radio
        self.up = True
        box.link = self
        if box.box is not None:
            box.box.opened(1, MTU, box.raw())

    def cut(self) -> None:
        """The link breaks; both ends are told at once, frames under way are gone."""
        if not self.up:
            return
        self.up = False
        self._box.link = None
        if self._box.box is not None:
            self._box.box.closed(1)
        self._radio.lost(self._box)

    def to_desk(self, frame: bytes) -> None:
        """A notification."""
        self._carry(frame, lambda: self._radio.received(self._box.uid, frame))

    def to_box(self, frame: bytes) -> None:
        """A write."""
        self._carry(frame, lambda: self._box.receive(frame))

    def _carry(self, frame: bytes, deliver: Action) -> None:
        for delay in self._radio.fates():
            self._box.world.after(delay, lambda: deliver() if self.up else None)


class SimRadio:
    """The desk's adapter: finds boxes that are on and in reach, carries frames, wakes the desk when it asks for it.

    `cuts`, `lost_frames` and `carried` count what happened on all links.
    """

    def __init__(self, world: World, port: LinkPort, random: Random, faults: Faults | None = None) -> None:
        self.boxes: dict[bytes, SimBox] = {}
        self.cuts = self.lost_frames = self.carried = 0
        self._world = world
        self._port = port
        self._random = random
        self._faults = faults or Faults()
        self._out_of_reach: set[bytes] = set()
        self._wake_ms: int | None = None

    def add(self, box: SimBox) -> None:
        """A box within reach; connected at once if it is on."""
        self.boxes[box.uid] = box
        self._connect(box)

    def set_reach(self, uid: bytes, reachable: bool) -> None:
        """Carry the box out of range, or back."""
        link = self.boxes[uid].link
        if reachable:
            self._out_of_reach.discard(uid)
        else:
            self._out_of_reach.add(uid)
            if link is not None:
                link.cut()

    def in_reach(self, uid: bytes) -> bool:
        """Whether a scan would find the box, or a link to it is up."""
        return uid not in self._out_of_reach

    def connected(self, uid: bytes) -> bool:
        """Whether a link to the box is up."""
        return self.boxes[uid].link is not None

    def serve(self) -> None:
        """Write what the desk has to say, close what it wants closed, and come back when its timer is due."""
        for uid in self._port.waiting():
            link = self.boxes[uid].link
            for frame in self._port.frames(uid):
                if link is not None:
                    link.to_box(frame)
            if link is not None and self._port.wants_to_leave(uid):
                link.cut()
        due = self._port.next_timer()
        if due is not None and (self._wake_ms is None or due < self._wake_ms):
            self._wake_ms = due
            self._world.at(due, lambda: self._woken(due))

    def received(self, uid: bytes, frame: bytes) -> None:
        """A notification arrived at the desk."""
        self._port.receive(uid, frame, self._world.now_ms)
        self.serve()

    def lost(self, box: SimBox) -> None:
        """A link is gone: look for the box again."""
        self.cuts += 1
        self._port.disconnected(box.uid, self._world.now_ms)
        self._world.after(RECONNECT_MS, lambda: self._connect(box))

    def fates(self) -> list[int]:
        """Delays in ms of the copies of one frame that arrive; none if it is lost."""
        faults, random = self._faults, self._random
        if faults.loss and random.random() < faults.loss:
            self.lost_frames += 1
            return []
        copies = 2 if faults.duplicate and random.random() < faults.duplicate else 1
        self.carried += copies
        swap = random.randint(1, SWAPPED_MS) if faults.reorder and random.random() < faults.reorder else 0
        return [random.randint(*faults.delay_ms) + swap for _ in range(copies)]

    def _connect(self, box: SimBox) -> None:
        if box.link is not None:
            return
        if box.box is None or box.uid in self._out_of_reach:
            self._world.after(RECONNECT_MS, lambda: self._connect(box))
            return
        SimLink(box, self)
        self._port.connected(box.uid, self._world.now_ms)
        box.pump()
        self.serve()

    def _woken(self, due: int) -> None:
        if due == self._wake_ms:
            self._wake_ms = None
            self._port.handle_timer(self._world.now_ms)
            self.serve()
