"""Drives a desk over real links in one asyncio loop: timers, frames, whom to connect to; and what a link needs of the
desk.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Protocol

from dalej.clock import Clock
from dalej.errors import Unreachable


class LinkPort(Protocol):
    """Boxes are known by their uid (6 bytes). Times are ms of the desk's monotonic clock."""

    def connected(self, uid: bytes, now_ms: int) -> None:
        """A link to the box is up and notifications are on."""

    def disconnected(self, uid: bytes, now_ms: int) -> None:
        """The link is gone."""

    def receive(self, uid: bytes, frame: bytes, now_ms: int) -> None:
        """A notification came."""

    def waiting(self) -> list[bytes]:
        """Uids of boxes to which there is something to say, or whose link should be closed."""

    def frames(self, uid: bytes) -> list[bytes]:
        """What to write to the box now."""

    def wants_to_leave(self, uid: bytes) -> bool:
        """Whether the link should be closed from this side."""

    def next_timer(self) -> int | None:
        """When `handle_timer` is due."""

    def handle_timer(self, now_ms: int) -> None:
        """Do what is due."""


class ScanningPort(LinkPort, Protocol):
    """A desk whose boxes take turns on the links of one adapter."""

    def advertised(self, data: bytes, now_ms: int) -> bytes | None:
        """The scanner heard manufacturer data, from whomever; repetitions too, at least every few seconds. The uid of
        the box if it is one of this desk's and speaks now.
        """

    def to_connect(self, now_ms: int) -> list[bytes]:
        """Boxes to connect to now, one after the other; each ends in `connected` or `failed`."""

    def failed(self, uid: bytes, now_ms: int) -> None:
        """The box could not be connected."""

    def proved(self, uid: bytes) -> bool:
        """Whether whoever is on the box's latest link has shown that it is the box: it knows the secret."""

    def plugged(self, uid: bytes, now_ms: int) -> None:
        """The box is on a cable from now on: its link, which `connected` tells of, takes none of the adapters'."""

    def unplugged(self, uid: bytes, now_ms: int) -> None:
        """The box is on no cable any more."""


class Carrier(Protocol):
    """One link to one box."""

    async def write(self, frame: bytes) -> None:
        """Write one frame; Unreachable if the link is gone or does not take it."""

    async def close(self) -> None:
        """End the link; nothing is raised if it is gone already. Whoever made it calls `Serving.lost` then."""


Connect = Callable[[bytes], Awaitable[bool]]


@dataclass(eq=False, slots=True)
class _Link:
    """`frames` ends with None; `leaving`: nothing more is put there; `writing`: a frame is under way."""

    carrier: Carrier
    frames: asyncio.Queue[bytes | None] = field(default_factory=asyncio.Queue)
    task: asyncio.Task[None] | None = None
    leaving: bool = False
    writing: bool = False


class Serving:
    """`connect(uid)` links the box, which ends in `linked` and True, or in False; it is asked for one box after the
    other, and again before the last one is done only if the port says so. None: links come by cable only, and whatever
    else the port wants to connect to fails.
    """

    def __init__(self, port: ScanningPort, clock: Clock, connect: Connect | None = None) -> None:
        self._port = port
        self._clock = clock
        self._connect = connect
        self._links: dict[bytes, _Link] = {}
        self._connecting: set[asyncio.Task[None]] = set()
        self._writing: set[asyncio.Task[None]] = set()
        self._stirred = asyncio.Event()

    # --- what carriers hand over -----

    def heard(self, data: bytes) -> bytes | None:
        """Manufacturer data as `moveclock.advert` has it, whole; the uid of the box if it is one of the port's."""
        uid = self._port.advertised(data, self._clock.now_ms())
        self._stirred.set()
        return uid

    def linked(self, uid: bytes, carrier: Carrier) -> None:
        """A link is up and its notifications are on. One that the box had before is closed."""
        before = self._links.get(uid)
        if before is not None:
            self.lost(uid, before.carrier)
        link = self._links[uid] = _Link(carrier)
        link.task = asyncio.create_task(self._write(uid, link))
        self._writing.add(link.task)
        link.task.add_done_callback(self._writing.discard)
        self._port.connected(uid, self._clock.now_ms())
        self._stirred.set()

    def lost(self, uid: bytes, carrier: Carrier) -> None:
        """That link is gone, whoever ended it: what was not written yet never will be."""
        link = self._links.get(uid)
        if link is None or link.carrier is not carrier:
            return
        del self._links[uid]
        while not link.frames.empty():
            link.frames.get_nowait()
        link.leaving = True
        link.frames.put_nowait(None)
        if link.writing and link.task is not None:
            link.task.cancel()  # it may wait for an answer for long
        self._port.disconnected(uid, self._clock.now_ms())
        self._stirred.set()

    def received(self, uid: bytes, carrier: Carrier, frame: bytes) -> bool:
        """A notification; one of a link that is over is forgotten. Whether the box has proved itself on this link."""
        link = self._links.get(uid)
        if link is None or link.carrier is not carrier:
            return False
        self._port.receive(uid, frame, self._clock.now_ms())
        self._stirred.set()
        return self._port.proved(uid)

    def serves(self, uid: bytes) -> bool:
        """Whether there is a link on which the box has proved itself: no other one should take its place."""
        link = self._links.get(uid)
        return link is not None and not link.leaving and self._port.proved(uid)

    def holds(self, uid: bytes) -> bool:
        """Whether there is a link, though the box may not have proved itself on it yet."""
        link = self._links.get(uid)
        return link is not None and not link.leaving

    def stir(self) -> None:
        """Something else has happened that the port may have to say something about."""
        self._stirred.set()

    # --- the loop -----

    async def run(self) -> None:
        """Until cancelled; then everything that was to be written is written, and all links are closed."""
        try:
            while True:
                self._serve()
                await self._until_due()
                self._port.handle_timer(self._clock.now_ms())
        finally:
            for task in self._connecting:
                task.cancel()
            await asyncio.gather(*self._connecting, return_exceptions=True)
            await self.close()

    async def close(self) -> None:
        """Say what there is to say, then end all links."""
        self._tell()
        for link in self._links.values():
            self._hang_up(link)
        await asyncio.gather(*self._writing, return_exceptions=True)

    async def _until_due(self) -> None:
        due = self._port.next_timer()
        wait_s = None if due is None else max(0, due - self._clock.now_ms()) / 1000
        with suppress(TimeoutError):
            async with asyncio.timeout(wait_s):
                await self._stirred.wait()
        self._stirred.clear()

    def _serve(self) -> None:
        self._tell()
        for uid in self._port.to_connect(self._clock.now_ms()):
            task = asyncio.create_task(self._try(uid))
            self._connecting.add(task)
            task.add_done_callback(self._connecting.discard)
        self._tell()

    def _tell(self) -> None:
        for uid in self._port.waiting():
            frames = self._port.frames(uid)
            link = self._links.get(uid)
            if link is not None and not link.leaving:
                for frame in frames:
                    link.frames.put_nowait(frame)
                if self._port.wants_to_leave(uid):
                    self._hang_up(link)

    def _hang_up(self, link: _Link) -> None:
        """End the link when everything before this is written."""
        if not link.leaving:
            link.leaving = True
            link.frames.put_nowait(None)

    async def _try(self, uid: bytes) -> None:
        """One attempt, which the port hears of whatever becomes of it."""
        linked = False
        try:
            linked = self._connect is not None and await self._connect(uid)
        except Unreachable:
            pass  # whoever connects keeps the reason
        finally:
            if not linked:
                self._port.failed(uid, self._clock.now_ms())
            self._stirred.set()

    async def _write(self, uid: bytes, link: _Link) -> None:
        """Frames in order, then the end."""
        try:
            while (frame := await link.frames.get()) is not None:
                link.writing = True
                await link.carrier.write(frame)
                link.writing = False
        except (Unreachable, asyncio.CancelledError):
            pass  # the link is gone
        finally:
            link.writing = False
            await link.carrier.close()
            self.lost(uid, link.carrier)
