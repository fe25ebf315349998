"""Boxes and links that are simulated down to the bytes: a real `moveclock.box.Box` on another clock with another
link, built on flash and memory that behave as a board's do.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from random import Random
from typing import Final

from dalej.link.serving import LinkPort
from dalej.simulator.world import Action, World
from moveclock import facts as k
from moveclock.box import Box
from moveclock.segments import Flash
from moveclock.ticks import PERIOD
from moveclock.upkeep import Board


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


RECONNECT_MS: Final = 500
SWAPPED_MS: Final = 60
MTU: Final = 247


@dataclass(frozen=True, slots=True)
class Faults:
    """What a link does to frames: chances from 0 to 1 for each, delays in ms.

    `cut`: the link breaks at this frame; `full`: the box's radio has no room for it now.
    """

    loss: float = 0.0
    duplicate: float = 0.0
    reorder: float = 0.0
    cut: float = 0.0
    full: float = 0.0
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
        self.links: dict[int, SimLink] = {}
        self.radios: list[SimRadio] = []
        self.watchers: list[Callable[[SimBox], None]] = []  # called after each turn of its loop
        self.boots: dict[int, int] = {}  # boot -> world time of its uptime 0
        self.pumps = 0
        self.flash = MemoryFlash() if flash is None else flash
        self.board = SimBoard(random)
        self._built = (kostka, shared)
        self._ppm = ppm
        self._raw_start = raw_start
        self._down: set[int] = set()
        self._due_ms: int | None = None  # when the box wants to be called
        self._armed_ms: int | None = None  # when the world will look
        self._on_since = 0

    def has_told_all(self) -> bool:
        """Whether a desk has everything that it holds, and nothing is under way in it."""
        return self.box is not None and not self.box.journal.backlog and self.box.settled()

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
        for radio in self.radios:
            radio.seek(self)

    def power_off(self) -> None:
        """Cut the power: RAM and RTC memory are gone, flash stays, the links break."""
        self.board.kept = b""
        self.crash()

    def reset(self, reason: int = k.WATCHDOG) -> None:
        """A watchdog or soft reset: only RAM is gone. The loop had run until now, as it does many times a second."""
        self.pump()
        self.crash()
        self.power_on(reason)

    def crash(self) -> None:
        """The firmware stops where it is."""
        self.box = None
        self._due_ms = self._armed_ms = None
        for link in list(self.links.values()):
            link.cut()

    def edge(self, contact: int, down: bool) -> None:
        """A finger, a tile or a hand."""
        (self._down.add if down else self._down.discard)(contact)
        if self.box is not None:
            self.box.edge(contact, down, self.raw())
            self.pump()

    def receive(self, link: int, frame: bytes) -> None:
        """A write to the command characteristic."""
        if self.box is not None:
            self.box.receive(link, frame, self.raw())
            self.pump()

    def pump(self) -> None:
        """One turn of the firmware's loop, and the next one when the box asks for it."""
        box, raw = self.box, self.raw()
        if box is None:
            return
        self.pumps += 1
        box.tick(raw)
        box.work(raw)
        for number, link in list(self.links.items()):
            while (frame := box.send(number, raw)) is not None:
                if not link.to_desk(frame):
                    box.not_sent(number, raw)
        for number in box.to_close(raw):
            self.links[number].cut()
        wait = max(1, box.wake_at() - box.uptime.now)
        if self._ppm:
            wait = max(1, wait - wait * self._ppm // 1_000_000)
        self._wake(self.world.now_ms + wait)
        for watch in self.watchers:
            watch(self)

    def world_ms(self, boot: int, uptime_ms: int) -> int:
        """The world's time of a stamp of one of this box's boots."""
        return self.boots[boot] + uptime_ms - uptime_ms * self._ppm // 1_000_000

    def down(self) -> int:
        """Mask of the contacts that are pressed."""
        return sum(1 << contact for contact in self._down)

    def raw(self) -> int:
        """The hardware counter now."""
        run = self.world.now_ms - self._on_since
        if self._ppm:
            run += run * self._ppm // 1_000_000
        return (self._raw_start + run) % PERIOD

    def _wake(self, when_ms: int) -> None:
        self._due_ms = when_ms
        if self._armed_ms is None or when_ms < self._armed_ms:
            self._armed_ms = when_ms
            self.world.at(when_ms, self._woken)

    def _woken(self) -> None:
        now = self.world.now_ms
        if self._armed_ms != now or self._due_ms is None:
            return
        self._armed_ms = None
        if self._due_ms > now:
            self._wake(self._due_ms)
        else:
            self.pump()


class SimLink:
    """One Bluetooth link between a box and a desk's radio, with its faults."""

    def __init__(self, box: SimBox, radio: SimRadio, mtu: int) -> None:
        self.up = True
        self.closing = False
        self._box = box
        self._radio = radio
        self._last = [0, 0]  # when the last frame of each direction arrives
        self._number = next(number for number in range(1, len(box.links) + 2) if number not in box.links)
        box.links[self._number] = self
        if box.box is not None:
            box.box.opened(self._number, mtu, box.raw())

    def cut(self) -> None:
        """The link breaks; both ends are told at once, frames under way are gone."""
        if not self.up:
            return
        self.up = False
        del self._box.links[self._number]
        if self._box.box is not None:
            self._box.box.closed(self._number)
        self._radio.lost(self._box, left=self.closing)

    def close(self) -> None:
        """The desk closes the link, when what it has written has arrived."""
        if not self.closing:
            self.closing = True
            self._box.world.at(self._last[1], self.cut)

    def to_desk(self, frame: bytes) -> bool:
        """A notification; False if the radio has no room for it."""
        if self._radio.is_full():
            return False
        self._carry(0, lambda: self._radio.received(self._box.uid, frame))
        return True

    def to_box(self, frame: bytes) -> None:
        """A write."""
        self._carry(1, lambda: self._box.receive(self._number, frame))

    def _carry(self, direction: int, deliver: Action) -> None:
        fates = self._radio.fates()
        world = self._box.world
        if fates is None:
            world.after(0, self.cut)
            return
        for delay, in_order in fates:
            at = world.now_ms + delay
            if in_order:  # Bluetooth keeps the order of frames, however long each one takes
                at = self._last[direction] = max(at, self._last[direction])
            world.at(at, lambda: deliver() if self.up else None)


class SimRadio:
    """A desk's adapter: finds boxes that are on and in reach, carries frames, wakes the desk when it asks for it.

    `cuts`, `lost_frames` and `carried` count what happened on all links, `left` those that the desk closed. It has room
    for every box and connects by itself; `dalej.simulator.air.SimAdapter` holds few links and connects when it is told.
    """

    def __init__(
        self, world: World, port: LinkPort, random: Random, faults: Faults | None = None, *, mtu: int = MTU
    ) -> None:
        self.boxes: dict[bytes, SimBox] = {}
        self.faults = faults or Faults()
        self.cuts = self.left = self.lost_frames = self.carried = 0
        self._world = world
        self._port = port
        self._random = random
        self._mtu = mtu
        self._links: dict[bytes, SimLink] = {}
        self._sought: set[bytes] = set()
        self._out_of_reach: set[bytes] = set()
        self._abandoned = False
        self._due_ms: int | None = None
        self._armed_ms: int | None = None

    def add(self, box: SimBox) -> None:
        """A box within reach; connected at once if it is on."""
        self.boxes[box.uid] = box
        box.radios.append(self)
        self._connect(box)

    def set_reach(self, uid: bytes, reachable: bool) -> None:
        """Carry the box out of range, or back."""
        if reachable:
            self._out_of_reach.discard(uid)
            self.seek(self.boxes[uid])
        else:
            self._out_of_reach.add(uid)
            self.cut(uid)

    def cut(self, uid: bytes) -> None:
        """Break the link to the box, if there is one; it is sought again."""
        link = self._links.get(uid)
        if link is not None:
            link.cut()

    def abandon(self) -> None:
        """The process behind this radio was killed: its links stay up, nobody answers, nothing reconnects."""
        self._abandoned = True

    def in_reach(self, uid: bytes) -> bool:
        """Whether a scan would find the box, or a link to it is up."""
        return uid not in self._out_of_reach

    def connected(self, uid: bytes) -> bool:
        """Whether a link to the box is up."""
        return uid in self._links

    def seek(self, box: SimBox) -> None:
        """Whoever scans finds a box within half a second."""
        if box.uid not in self._sought:
            self._sought.add(box.uid)
            self._world.after(RECONNECT_MS, lambda: self._connect(box))

    def serve(self) -> None:
        """Write what the desk has to say, close what it wants closed, and come back when its timer is due."""
        if self._abandoned:
            return
        for uid in self._port.waiting():
            link = self._links.get(uid)
            for frame in self._port.frames(uid):
                if link is not None:
                    link.to_box(frame)
            if link is not None and self._port.wants_to_leave(uid):
                link.close()
        self._due_ms = self._port.next_timer()
        if self._due_ms is not None:
            self._arm(self._due_ms)

    def received(self, uid: bytes, frame: bytes) -> None:
        """A notification arrived at the desk."""
        if not self._abandoned:
            self._port.receive(uid, frame, self._world.now_ms)
            self.serve()

    def lost(self, box: SimBox, *, left: bool) -> None:
        """A link is gone, because the desk `left` or for another reason: look for the box again."""
        self.left += left
        self.cuts += not left
        del self._links[box.uid]
        if not self._abandoned:
            self._port.disconnected(box.uid, self._world.now_ms)
            self.seek(box)

    def is_full(self) -> bool:
        """Whether a box's radio has no room for a frame now."""
        return bool(self.faults.full) and self._random.random() < self.faults.full

    def fates(self) -> list[tuple[int, bool]] | None:
        """Of the copies of one frame that arrive: the delay in ms, and whether it keeps its place among the others.

        No copies if it is lost, None if the link breaks with it.
        """
        faults, random = self.faults, self._random
        if faults.cut and random.random() < faults.cut:
            return None
        if faults.loss and random.random() < faults.loss:
            self.lost_frames += 1
            return []
        copies = 2 if faults.duplicate and random.random() < faults.duplicate else 1
        self.carried += copies
        swap = random.randint(1, SWAPPED_MS) if faults.reorder and random.random() < faults.reorder else 0
        low, high = faults.delay_ms
        return [((random.randint(low, high) if high else 0) + swap, not swap) for _ in range(copies)]

    def _connect(self, box: SimBox) -> None:
        self._sought.discard(box.uid)
        if box.uid in self._links or box.box is None or box.uid in self._out_of_reach or self._abandoned:
            return
        self._links[box.uid] = SimLink(box, self, self._mtu)
        self._port.connected(box.uid, self._world.now_ms)
        box.pump()
        self.serve()

    def _arm(self, when_ms: int) -> None:
        if self._armed_ms is None or when_ms < self._armed_ms:
            self._armed_ms = when_ms
            self._world.at(when_ms, self._woken)

    def _woken(self) -> None:
        now = self._world.now_ms
        if self._armed_ms is None or now < self._armed_ms or self._abandoned or self._due_ms is None:
            return
        self._armed_ms = None
        if self._due_ms > now:
            self._arm(self._due_ms)
        else:
            self._port.handle_timer(now)
            self.serve()
