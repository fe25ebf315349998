"""A box on a cable without a board: a real `moveclock.box.Box` that speaks `moveclock.cable` as the firmware does.

`CableBox` is bytes in, bytes out; `MemoryWire` puts it behind a desk's port within a loop, `PtyBox` behind a serial
port of the system, in a thread of its own.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import select
import threading
import time
from collections.abc import Iterator
from random import Random
from types import TracebackType
from typing import Final, Self

from dalej.errors import Unreachable
from dalej.simulator.box import MemoryFlash, SimBoard
from dalej.words import N_
from moveclock import cable, identity
from moveclock import facts as k
from moveclock.box import Box
from moveclock.settings import Settings
from moveclock.ticks import PERIOD
from tests.link.rig import SECRET, UID

ROM: Final = b"ets Jul 29 2019 12:21:46\r\n\r\nrst:0x1 (POWERON_RESET),boot:0x13 (SPI_FAST_FLASH_BOOT)\r\n"
FREE: Final = 30 << 10  # bytes of its heap, such a box says
CHIP: Final = (64 << 10, 40 << 10)  # ... and of its chip's memory, and of that in one piece


def uptime_ms() -> int:
    return time.monotonic_ns() // 1_000_000


class CableBox:
    """`secret` empty: never paired. `setup`: two buttons were held at power-on. `deaf`: it does not answer at all."""

    def __init__(
        self,
        uid: bytes = UID,
        secret: bytes = SECRET,
        *,
        setup: bool = False,
        flash: MemoryFlash | None = None,
        seed: int = 1,
    ) -> None:
        self.uid = uid
        self.setup = setup
        self.deaf = False
        self.flash = flash or MemoryFlash()
        self.asked: list[int] = []
        self.at_python = False
        self._board = SimBoard(Random(seed))
        self._out = bytearray()
        if secret:
            self.flash.files[identity.FILE] = identity.Identity(identity.KOSTKA, uid, secret).pack()
        self.box: Box | None = None
        self.power_on()

    @property
    def secret(self) -> bytes:
        stored = self.flash.files.get(identity.FILE)
        return b"" if stored is None else identity.unpack(stored).secret

    def power_on(self) -> None:
        """Everything in RAM is new; the ROM says what it says."""
        self._packets = cable.Packets()
        self._linked = False
        self._out += ROM
        self.box = None
        if self.secret and not self.setup:
            self.box = Box(self.uid, self.secret, self.flash, self._board, self._raw())
            self._say(cable.CLOSED)

    def configure(self, settings: Settings | None = None) -> None:
        """The table is ready for its first game, without any desk."""
        assert self.box is not None
        command = (1, k.C_CONFIGURE, 0, 0, 0, 0, bytes([1, 0]) + (settings or Settings()).pack())
        self.box.commands.take(command, self.box.uptime.advance(self._raw()))
        self.turn()

    def edge(self, contact: int, down: bool) -> None:
        assert self.box is not None
        self.box.edge(contact, down, self._raw())

    def receive(self, data: bytes) -> None:
        for kind, payload in self._packets.feed(data):
            if not self.deaf:
                self._heed(kind, payload)

    def turn(self) -> bytes:
        """One turn of its loop; what it writes to the cable."""
        box, raw = self.box, self._raw()
        if box is not None:
            box.tick(raw)
            box.work(raw)
            while self._linked and (frame := box.send(cable.LINK, raw)) is not None:
                self._say(cable.FRAME, frame)
            if cable.LINK in box.to_close(raw):
                self._leave()
                self._say(cable.CLOSED)
        out = bytes(self._out)
        self._out.clear()
        return out

    def rest_ms(self) -> int:
        """How long nothing will happen by itself."""
        return 50 if self.box is None else max(1, self.box.wake_at() - self.box.uptime.now)

    def _heed(self, kind: int, payload: bytes) -> None:
        self.asked.append(kind)
        if kind == cable.ASK:
            self._say(cable.TOLD, cable.pack_told(self._told()))
        elif kind == cable.OPEN and self.box is not None:
            self._leave()
            self._linked = True
            self.box.opened(cable.LINK, cable.MTU, self._raw())
            self._say(cable.OPENED)
        elif kind == cable.FRAME:
            if self._linked and self.box is not None:
                self.box.receive(cable.LINK, payload, self._raw())
            else:
                self._say(cable.CLOSED)
        elif kind == cable.CLOSE:
            self._leave()
        elif kind in (cable.PAIR, cable.TO_PYTHON, cable.RESTART):
            self._done(kind, self._in_setup(kind, payload))
        else:
            self._done(kind, cable.UNKNOWN)

    def _told(self) -> cable.Told:
        info = bytes([1]) + self.uid + bytes([1, 1, 100]) if self.box is None else self.box.info()
        backlog = None if self.box is None else self.box.journal.backlog
        return cable.Told(info, bool(self.secret), self.setup, cable.fingerprint(self.secret), backlog, FREE, CHIP)

    def _in_setup(self, kind: int, payload: bytes) -> int:
        if not self.setup:
            return cable.NOT_IN_SETUP
        if kind == cable.PAIR:
            if payload[: identity.UID] != self.uid:
                return cable.OTHER_UID
            made = identity.Identity(identity.KOSTKA, self.uid, payload[identity.UID :])
            try:
                self.flash.write(identity.FILE, made.pack())
            except OSError:
                return cable.NOT_WRITTEN
        elif kind == cable.TO_PYTHON:
            self.at_python = True
        else:
            self.setup = False
        return cable.OK

    def _done(self, kind: int, result: int) -> None:
        self._say(cable.DONE, bytes([kind, result]))
        if kind == cable.RESTART and result == cable.OK:
            self.power_on()

    def _leave(self) -> None:
        if self._linked and self.box is not None:
            self.box.closed(cable.LINK)
        self._linked = False

    def _say(self, kind: int, payload: bytes = b"") -> None:
        self._out += cable.pack(kind, payload)

    def _raw(self) -> int:
        return uptime_ms() % PERIOD


class MemoryWire:
    """A box on a cable within the running loop. `pull` unplugs it; `mangle` sees what the box says before the desk."""

    def __init__(self, box: CableBox) -> None:
        self.box = box
        self.closed = False
        self._came: asyncio.Queue[bytes] = asyncio.Queue()
        self._stirred = asyncio.Event()
        self._gone = False
        self._task = asyncio.create_task(self._pump())

    async def read(self) -> bytes:
        data = await self._came.get()
        if not data:
            self._came.put_nowait(b"")
        return data

    async def write(self, data: bytes) -> None:
        if self._gone:
            raise Unreachable(N_("{port} takes nothing: plug the cable in again"), port="memory")
        self.box.receive(data)
        self._stirred.set()

    async def close(self) -> None:
        self.closed = True
        self._task.cancel()
        await asyncio.gather(self._task, return_exceptions=True)

    def stir(self) -> None:
        """Something was done to the box."""
        self._stirred.set()

    def pull(self) -> None:
        self._gone = True
        self._came.put_nowait(b"")

    async def _pump(self) -> None:
        while not self._gone:
            said = self.box.turn()
            if said:
                self._came.put_nowait(said)
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(self.box.rest_ms() / 1000):
                    await self._stirred.wait()
            self._stirred.clear()


class PtyBox:
    """A box at a serial port of this system, which `device` names."""

    def __init__(self, box: CableBox) -> None:
        self.box = box
        self.device = ""
        self._lock = threading.Lock()
        self._ending = False
        self._stir, self._stirred = os.pipe()

    def __enter__(self) -> Self:
        import tty

        self._master, slave = os.openpty()
        tty.setraw(slave)
        self.device = os.ttyname(slave)
        self._slave = slave  # kept open, so that the port outlives whoever opens and closes it
        self._thread = threading.Thread(target=self._pump)
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._ending = True
        os.write(self._stirred, b"x")
        self._thread.join()
        for number in (self._master, self._slave, self._stir, self._stirred):
            with contextlib.suppress(OSError):
                os.close(number)

    @contextlib.contextmanager
    def at_rest(self) -> Iterator[CableBox]:
        """The box, while its loop waits."""
        with self._lock:
            yield self.box
        os.write(self._stirred, b"x")

    def tap(self, contact: int) -> None:
        """A finger, for as long as fingers take."""
        for down in (True, False):
            with self.at_rest() as box:
                box.edge(contact, down)
            time.sleep(0.08)

    def _pump(self) -> None:
        while not self._ending:
            with self._lock:
                said, rest_ms = self.box.turn(), self.box.rest_ms()
            while said:
                said = said[os.write(self._master, said) :]
            ready, _, _ = select.select([self._master, self._stir], [], [], rest_ms / 1000)
            if self._stir in ready:
                os.read(self._stir, 100)
            if self._master in ready:
                data = os.read(self._master, 4096)
                with self._lock:
                    self.box.receive(data)
