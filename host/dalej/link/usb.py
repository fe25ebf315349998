"""Boxes on USB cables: serial ports and what is found at their other ends. The only file that imports pyserial.

A port is read by a thread of its own, because loops that watch serial ports exist on some systems only. DTR and RTS
are off before the port is opened: on most boards these lines are wired to reset. A board that resets all the same, or
whose cable is pulled and put back, is only late.
"""

from __future__ import annotations

import asyncio
import errno
import os
import re
import stat
import sys
import threading
from collections.abc import Awaitable, Callable, Collection, Iterable
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Final

import serial
from serial.tools import list_ports

from dalej.clock import Clock
from dalej.errors import DalejError, Unreachable
from dalej.hints import typed
from dalej.link.cable import BoxTold
from dalej.link.plug import AGAIN_S, NOTHING_ANSWERS, Plug, Wire, carry
from dalej.link.serving import ScanningPort, Serving
from dalej.words import N_

BAUD: Final = 115_200
LOOK_S: Final = 1.0  # between looks at what is plugged in
STARTS_S: Final = 20.0  # so long a port is asked on at which something is said, as a board does that starts,
ANEW_S: Final = 60.0  # ... or at which a box was served: one with a radio that hangs, or a long journal, takes its time
REST_S: Final = 30.0  # so long a port is left alone that has no box which this desk serves: opening it may reset it
IN_USE: Final = N_("{port} is in use by another program: close it and try again")
OTHERS: Final = N_("box {box} at {port} is paired with another club: pair it anew, or bring that club's secret")
_READ_S: Final = 0.2  # so long a reader that should end may not notice
_WRITE_S: Final = 5.0
_NUMBERED: Final = re.compile(r"^.*\[Errno \d+\] ", re.DOTALL)
_IN_BRACKETS: Final = re.compile(r"\(\d+, (['\"])(.+?)\1")  # an error within pyserial's own, as Python prints it
_OF_FILE: Final = re.compile(r": '[^']*'$")
_JOIN_S: Final = 2.0

# Makers of the chips that boards have between USB and the ESP32, and of the ESP32 itself.
_ESPRESSIF: Final = 0x303A
_SERIAL_JTAG: Final = 0x1001  # of an ESP32-S3 or C3: its lines reset the chip as those of the others do
_MAKERS: Final = frozenset({0x10C4, 0x1A86, 0x0403, 0x067B, _ESPRESSIF})

Open = Callable[[str], Awaitable[Wire]]


def ports() -> list[tuple[str, str]]:
    """Serial ports at which a board may be, and what the system says is plugged in there, by name."""
    found = [(port.device, port.description or "") for port in list_ports.comports() if _may_be_board(port)]
    return sorted(found)


def _may_be_board(port: object) -> bool:
    return getattr(port, "vid", None) in _MAKERS


async def open_wire(device: str) -> SerialWire:
    """The port, read from now on; Unreachable says why it cannot be opened and what to do."""
    return SerialWire(await asyncio.to_thread(_open, device), device)


def _needs_dtr(device: str) -> bool:
    """Whether the chip itself speaks USB and says nothing before DTR is on, which resets nothing there."""
    names = (device, os.path.realpath(device))  # it may be a link that says which board it is
    found = [port for port in list_ports.comports() if port.device in names]
    return any(port.vid == _ESPRESSIF and port.pid != _SERIAL_JTAG for port in found)


def _open(device: str) -> serial.Serial:
    port = serial.Serial()
    port.port = device
    port.baudrate = BAUD
    port.timeout = _READ_S
    port.write_timeout = _WRITE_S
    if sys.platform != "win32":
        port.exclusive = True  # elsewhere a port has one user anyway
    port.dtr = _needs_dtr(device)
    port.rts = False
    try:
        port.open()
    except (serial.SerialException, OSError, ValueError) as error:
        raise _why_not(device, error) from error
    return port


def _why_not(device: str, error: Exception) -> Unreachable:
    number = getattr(error, "errno", None)
    if _is_no_port(device, error):
        return Unreachable(
            N_("{port} is no serial port: expected a name such as {example}"), port=device, example=_example()
        )
    if number in (errno.EACCES, errno.EPERM) and os.name == "posix":
        return Unreachable(
            N_("{port} may not be opened by you: join the group that owns it, such as dialout"), port=device
        )
    if number in (errno.EBUSY, errno.EAGAIN, errno.EWOULDBLOCK) or "PermissionError" in str(error):
        return Unreachable(IN_USE, port=device)
    if number == errno.ENOENT or "FileNotFoundError" in str(error):
        return Unreachable(N_("there is no port {port}: plug the box in, or look for its name"), port=device)
    return Unreachable(N_("{port} cannot be opened: {problem}"), port=device, problem=_in_words(error))


def _is_no_port(device: str, error: Exception) -> bool:
    """Whether a file, a folder or some other device is called so."""
    try:
        mode = Path(device).stat().st_mode
    except (OSError, ValueError):
        return False  # there is nothing of that name, or it is a port that only its driver knows
    inside = f"({errno.ENOTTY}, "  # pyserial hides the number in its sentence
    return not stat.S_ISCHR(mode) or getattr(error, "errno", None) == errno.ENOTTY or inside in str(error)


def _example() -> str:
    """How a port is called here."""
    return {"win32": "COM3", "darwin": "/dev/cu.usbserial-110"}.get(sys.platform, "/dev/ttyUSB0")


def _in_words(error: Exception) -> str:
    """What the system says, without its numbers and without what pyserial puts around it."""
    text = getattr(error, "strerror", None) or str(error)
    inside = _IN_BRACKETS.search(text)
    return _OF_FILE.sub("", _NUMBERED.sub("", text)) if inside is None else inside[2]


class SerialWire:
    """An open port as `dalej.link.plug.Wire`. To be made in a running loop."""

    def __init__(self, port: serial.Serial, device: str) -> None:
        self._port = port
        self._device = device
        self._loop = asyncio.get_running_loop()
        self._came: asyncio.Queue[bytes] = asyncio.Queue()
        self._ending = threading.Event()
        self._writing = threading.Lock()
        self._thread = threading.Thread(target=self._listen, name=f"reads {device}", daemon=True)
        self._thread.start()

    async def read(self) -> bytes:
        """What has come; empty, and from then on, when the port is gone."""
        data = await self._came.get()
        if not data:
            self._came.put_nowait(b"")
        return data

    async def write(self, data: bytes) -> None:
        """All of it, or Unreachable."""
        try:
            await asyncio.to_thread(self._write, data)
        except (serial.SerialException, OSError) as error:
            raise Unreachable(N_("{port} takes nothing: plug the cable in again"), port=self._device) from error

    async def close(self) -> None:
        """End the reader and let go of the port."""
        self._ending.set()
        with suppress(serial.SerialException, OSError, AttributeError):
            self._port.cancel_read()
        await asyncio.to_thread(self._thread.join, _JOIN_S)
        await asyncio.to_thread(self._let_go)

    def _write(self, data: bytes) -> None:
        with self._writing:
            self._port.write(data)

    def _let_go(self) -> None:
        with suppress(serial.SerialException, OSError):
            self._port.close()

    def _listen(self) -> None:
        try:
            while not self._ending.is_set():
                data = self._port.read(max(1, self._port.in_waiting))
                if data:
                    self._hand_on(data)
        except (serial.SerialException, OSError, TypeError, ValueError):
            pass  # unplugged; pyserial trips over a handle that is no more
        self._hand_on(b"")

    def _hand_on(self, data: bytes) -> None:
        with suppress(RuntimeError):  # the loop is over
            self._loop.call_soon_threadsafe(self._came.put_nowait, data)


class UsbCable:
    """Finds the boxes at serial ports and carries their links for a `Serving`.

    `devices` are looked at now and again, `ports` by default, so that a box may be plugged in at any time. `wants`
    tells whether the desk knows a box's uid, `is_ours` whether a box that it does not know is of this club;
    `said(device, why)` hears, once each time, why a port is not served.
    """

    def __init__(
        self,
        serving: Serving,
        port: ScanningPort,
        clock: Clock,
        *,
        wants: Callable[[bytes], bool],
        is_ours: Callable[[BoxTold], bool] = lambda _told: True,
        devices: Callable[[], Iterable[str]] | None = None,
        said: Callable[[str, DalejError], None] | None = None,
        opening: Open = open_wire,
        look_s: float = LOOK_S,
        starts_s: float = STARTS_S,
        anew_s: float = ANEW_S,
        rest_s: float = REST_S,
        again_s: float = AGAIN_S,
    ) -> None:
        self._serving = serving
        self._port = port
        self._clock = clock
        self._wants = wants
        self._is_ours = is_ours
        self._devices = devices or (lambda: [device for device, _ in ports()])
        self._tell = said or (lambda _device, _why: None)
        self._open = opening
        self._look_s = look_s
        self._starts_ms = round(starts_s * 1_000)
        self._anew_ms = round(anew_s * 1_000)
        self._rest_ms = round(rest_s * 1_000)
        self._again_s = again_s
        self._served: dict[str, asyncio.Task[None]] = {}
        self._said: dict[str, str] = {}
        self._rests: dict[str, int] = {}  # ports that are left alone, and until when,
        self._unwanted: dict[str, bytes] = {}  # unless the box that was found there is wanted
        self._had: dict[str, bytes] = {}  # the box that was served there,
        self._silent: dict[str, int] = {}  # and when it fell silent last

    def port_of(self, uid: bytes) -> str | None:
        """The port at which that box was served last, as long as it is there."""
        return next((device for device, had in self._had.items() if had == uid), None)

    async def run(self) -> None:
        """Until cancelled; then every port is let go of."""
        try:
            while True:
                self._look(await asyncio.to_thread(lambda: list(self._devices())))
                await asyncio.sleep(self._look_s)
        finally:
            tasks = list(self._served.values())
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)

    def _look(self, devices: Collection[str]) -> None:
        for device, task in list(self._served.items()):
            if task.done():
                del self._served[device]
                task.result()
        for device in {*self._rests, *self._said, *self._unwanted, *self._had} - set(devices):
            for known in (self._rests, self._said, self._unwanted, self._had, self._silent):
                known.pop(device, None)
        for device in [one for one, uid in self._unwanted.items() if self._wants(uid)]:
            del self._unwanted[device]
            self._rests.pop(device, None)
        now_ms = self._clock.now_ms()
        for device in devices:
            if device not in self._served and self._rests.get(device, now_ms) <= now_ms:
                self._served[device] = asyncio.create_task(self._serve(device))

    async def _serve(self, device: str) -> None:
        """One port, until it is gone or there is nobody to serve at it; then it is looked at again."""
        try:
            async with Plug(await self._open(device), device, self._clock) as plug:
                self._rests[device] = self._clock.now_ms() + self._rest_ms
                waits = partial(self._waits, device, plug)
                uid = self._known(device, await plug.who_starts(waits))
                if uid is None:
                    return
                self._rests.pop(device, None)
                self._said.pop(device, None)
                self._had[device] = uid
                self._doubts(uid, False)
                try:
                    await carry(self._serving, plug, uid, self._again_s, partial(self._doubts, uid), waits)
                finally:
                    self._doubts(uid, True)
        except Unreachable as why:
            if why.template == NOTHING_ANSWERS:
                self._rests[device] = self._clock.now_ms() + self._rest_ms
            self._explain_after(device, why)

    def _waits(self, device: str, plug: Plug, why: Unreachable, since_ms: int) -> bool:
        """Whether somebody who has not answered since then may be a box that is starting."""
        had = self._had.get(device)
        patience_ms = self._anew_ms if had is not None else self._starts_ms if plug.heard else 0
        if had is not None and self._wants(had):
            if self._silent.get(device) != since_ms:
                self._silent[device] = since_ms
                self._said.pop(device, None)  # it is not the last time that it fell silent
            self._explain_after(device, why)
        elif had is not None:
            return False
        return self._clock.now_ms() - since_ms < patience_ms

    def _doubts(self, uid: bytes, doubtful: bool) -> None:
        """A box that does not prove itself on this cable may be somewhere else: it can be linked over the air."""
        if doubtful:
            self._port.unplugged(uid, self._clock.now_ms())
        else:
            self._port.plugged(uid, self._clock.now_ms())
        self._serving.stir()

    def _known(self, device: str, told: BoxTold) -> bytes | None:
        uid = told.info.uid
        if told.setup:
            why = N_(
                "box {box} at {port} is in set-up mode: pair it, or unplug it and plug it in anew without "
                "holding buttons"
            )
        elif not told.paired:
            why = N_(
                "box {box} at {port} is not paired: unplug it, then hold Już and Dalej "
                "(of seat A, if each seat has its own) while you "
                "plug it in, and pair it"
            )
        elif self._wants(uid):
            return uid
        elif not self._is_ours(told):
            why = OTHERS
            self._unwanted[device] = uid
        else:
            why = N_("box {box} at {port} is none of this event's: give it to a table to use it")
            self._unwanted[device] = uid
        problem = Unreachable(why, box=uid.hex(), port=device)
        if why == OTHERS:
            problem.hinted(N_("{command} brings it"), command=typed("box", "keys", "import", "FILE"))
        self._explain(device, problem)
        return None

    def _explain_after(self, device: str, why: Unreachable) -> None:
        """A port fails. Of a box that was served there people know what it is, and nobody misses one that is none of
        theirs any more.
        """
        had = self._had.get(device)
        if had is not None and not self._wants(had):
            self._rests[device] = self._clock.now_ms() + self._rest_ms
            self._unwanted[device] = had
        elif had is not None and why.template == NOTHING_ANSWERS:
            silent = N_("box {box} at {port} does not answer any more")
            self._explain(device, Unreachable(silent, box=had.hex(), port=device))
        else:
            self._explain(device, why)

    def _explain(self, device: str, why: DalejError) -> None:
        sentence = str(why)
        if self._said.get(device) != sentence:
            self._said[device] = sentence
            self._tell(device, why)
