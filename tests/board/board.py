"""A board without a board: the real MicroPython runs the unchanged firmware under node, with stand-ins for hardware.

    async with VirtualBoard(folder) as board:        # folder/flash is the board's flash
        install(board.flash)                         # the firmware tree as it stands, or compiled
        await board.power_on()
        await board.until(lambda: board.digits(0x70) == "8.8.8.8.")
        await board.press(32, 80)

Whatever is on the flash outlives `power_off()`, which kills the process at any instant, as a power cut does; what
`machine.RTC().memory()` holds outlives a reset only. The radio is whatever is given as `radio` (see `Radio`), the cable
is `serial` and `heard_serial` (see `tests.board.cable` for one that other programs can open).

Time is real, or with `simulated` it goes on only within `run(ms)` and `until(...)`, as fast as the program can compute.
An exception that nobody in the firmware caught ends the `async with` with its traceback; `expect_trouble` takes it.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import re
import shutil
import time
from collections.abc import Callable
from dataclasses import asdict
from pathlib import Path
from types import TracebackType
from typing import Any, Final, Self

from tests.board.parts import SEGMENTS, BoardError, Machine, NoRadio, Radio
from tests.vm.machine import HERE as VM
from tests.vm.machine import MachineError, node
from tools.firmware import FIRMWARE, compile_firmware

__all__ = ["BoardError", "Machine", "NoRadio", "Radio", "VirtualBoard", "install"]

HERE: Final = Path(__file__).parent
POWER_ON, HARD, WATCHDOG, DEEPSLEEP, SOFT = range(1, 6)  # machine.reset_cause()
CAUSES = {"hard": HARD, "watchdog": WATCHDOG, "deepsleep": DEEPSLEEP, "soft": SOFT}
MILLI = 1000  # microseconds
HANGS = 20.0  # real seconds in which a simulated board must come to its next wait
BUSY_MS = 30_000  # that a board in real time is given at least: a computer at its limits is slow, not wrong


def install(flash: Path, source: Path = FIRMWARE, *, compiled: bool = False) -> None:
    """Put a firmware tree on a flash, as it stands or as `make firmware` compiles it."""
    if compiled:
        compile_firmware(source, flash)
    else:
        shutil.copytree(source, flash, dirs_exist_ok=True, ignore=shutil.ignore_patterns("__pycache__", "*.pyc"))


class VirtualBoard:
    """One board. Its displays, pixels, tones and serial output are what they were last; times are in microseconds."""

    def __init__(
        self, folder: Path, machine: Machine | None = None, *, radio: Radio | None = None, simulated: bool = False
    ) -> None:
        self.folder = folder
        self.flash = folder / "flash"
        self.flash.mkdir(parents=True, exist_ok=True)
        self.machine = machine or Machine()
        self.radio: Radio = radio or NoRadio()
        self.simulated = simulated
        self.displays: dict[int, tuple[bytes, bool, int]] = {}  # address: RAM, shown?, brightness
        self.strips: dict[int, bytes] = {}  # pin: green, red, blue for every pixel
        self.tones: list[tuple[int, int, int, int]] = []  # time, pin, Hz (0: off), duty of 65536
        self.pins: dict[int, int] = {}  # outputs
        self.output = b""  # of the serial port, since this object was made
        self.heard_serial: Callable[[bytes], None] | None = None
        self.resets: list[str] = []
        self.troubles: list[str] = []
        self.lines: list[list[Any]] = []  # everything else that the board said, as it came
        self.held = False  # notifications stay unsent in the board's pool
        self.comes_back = True  # after a reset
        self.ended = False  # the program has ended: the prompt is there
        self.time = 0  # since this object was made
        self._on_at = 0  # the time of the last power-on or reset
        self._target = 0  # simulated time that the board may reach
        self._levels = dict(self.machine.levels)
        self._memory = ""
        self._pending: list[list[Any]] = []
        self._process: asyncio.subprocess.Process | None = None
        self._reader: asyncio.Task[None] | None = None
        self._waiting = False
        self._cut = False
        self._news = asyncio.Event()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.power_off()
        if kind is None:
            self.check()

    # --- power -----

    @property
    def on(self) -> bool:
        return self._process is not None

    async def power_on(self) -> None:
        """Start. What the program does from then on is to be waited for with `until` or `run`."""
        self._memory = ""
        await self._start(POWER_ON)

    async def power_off(self) -> None:
        """Cut the power, whatever the board is doing; one that starts anew just now does so first."""
        if self._process is None:
            await self._ended()
        process = self._process
        if process is None:
            return
        self._process = None
        with contextlib.suppress(ProcessLookupError):
            process.kill()
        await self._ended()
        await process.wait()
        self._gone()

    async def _ended(self) -> None:
        """What is read of a process ends with it."""
        if self._reader is not None and self._reader is not asyncio.current_task():
            await self._reader

    async def reset_button(self) -> None:
        """The EN button: like the power."""
        await self.power_off()
        await self.power_on()

    def check(self) -> None:
        """BoardError if the firmware let an exception escape."""
        if self.troubles:
            raise BoardError("\n".join(self.troubles))

    def expect_trouble(self, words: str) -> str:
        """Take the first trouble that says these words; BoardError if there is none."""
        for trouble in self.troubles:
            if words in trouble:
                self.troubles.remove(trouble)
                return trouble
        raise BoardError(f"no trouble says {words!r}: {self.troubles}")

    # --- time -----

    async def run(self, milliseconds: int) -> None:
        """Let so much time pass."""
        if not self.simulated:
            await asyncio.sleep(milliseconds / 1000)
            self._raise_if_dead()
            return
        self._target = self.time + milliseconds * MILLI
        self._go_on()
        while self.on and not (self._waiting and self.time >= self._target):
            await self._hear()

    async def until(self, what: Callable[[], object], within: int = 5000) -> None:
        """Wait until `what()` is true; BoardError after `within` milliseconds; real ones are at least `BUSY_MS`."""
        deadline = time.monotonic() + max(within, BUSY_MS) / 1000
        last = self.time + within * MILLI
        while not what():
            self._raise_if_dead()
            if self.simulated and self.on:
                if self.time >= last:
                    raise BoardError(self._told(f"it did not come within {within} ms"))
                await self.run(50)
                continue
            # Simulated time stands still while a board starts anew.
            patience = BUSY_MS / 1000 if self.simulated else max(0.0, deadline - time.monotonic())
            self._news.clear()
            try:
                await asyncio.wait_for(self._news.wait(), patience)
            except TimeoutError:
                if not what():
                    raise BoardError(self._told(f"it did not come within {within} ms")) from None

    # --- hands and eyes -----

    async def heap(self) -> int:
        """Bytes of the heap that are in use; the interpreter's stand-ins need some 40 kB of them."""
        known = len(self.lines)
        self.tell("heap")
        await self.until(lambda: any(line[1] == "heap" for line in self.lines[known:]))
        return int(next(line[2] for line in self.lines[known:] if line[1] == "heap"))

    async def press(self, pin: int, milliseconds: int = 80) -> None:
        """Press a contact (to ground) for so long: never shorter, however late a busy computer lets the board hear."""
        if self.simulated:
            self.edge(pin, 0)
            await self.run(milliseconds)
            self.edge(pin, 1)
            return
        process = self._process
        self._levels[str(pin)] = 0
        if self.on:
            self._send({"in": [[None, "edge", pin, 0], [{"after": milliseconds * MILLI}, "edge", pin, 1]]})
        await self.run(milliseconds)
        self._levels[str(pin)] = 1
        if self._process is not process:
            self.edge(pin, 1)  # the board started anew meanwhile, with the contact down

    def edge(self, pin: int, level: int, at: int | None = None) -> None:
        """Put a pin to a level: now, or at a time (of `self.time`)."""
        self._levels[str(pin)] = level
        self.tell("edge", pin, level, at=at)

    def digits(self, address: int) -> str:
        """The four digits of a display with their points; "" if it is dark."""
        ram, shown, _ = self.displays.get(address, (bytes(16), False, 0))
        if not shown:
            return ""
        colon = ":" if ram[4] & 2 else ""
        digits = [SEGMENTS.get(ram[at] & 0x7F, "?") + "." * (ram[at] >> 7) for at in (0, 2, 6, 8)]
        return "".join(digits[:2]) + colon + "".join(digits[2:])

    def pixels(self, pin: int) -> list[tuple[int, int, int]]:
        """Red, green, blue of every pixel."""
        strip = self.strips.get(pin, b"")
        return [(strip[at + 1], strip[at], strip[at + 2]) for at in range(0, len(strip), 3)]

    # --- radio and cable -----

    def connected(self, conn: int, address: bytes, kind: int = 1) -> None:
        self.tell("connected", conn, kind, address.hex())

    def disconnected(self, conn: int) -> None:
        self.tell("disconnected", conn)

    def mtu(self, conn: int, mtu: int) -> None:
        self.tell("mtu", conn, mtu)

    def written(self, conn: int, handle: int, data: bytes) -> None:
        self.tell("written", conn, handle, data.hex())

    def sent(self, count: int) -> None:
        """So many notifications have left the pool (by themselves unless `held`)."""
        self.tell("sent", count)

    def serial(self, data: bytes) -> None:
        """Bytes to the serial port."""
        self.tell("serial", data.hex())

    # --- faults -----

    def break_flash(self, errno: int, after: int = 0) -> None:
        """From now on every change fails with this errno, but for the next `after`; 0 mends it."""
        self.tell("breaks", errno, after)

    def cut_power_at_write(self, after: int = 0) -> None:
        """The power goes during a change of the flash, after so many more; a new file is then left empty."""
        self.tell("cut", after)

    def tell(self, kind: str, *rest: object, at: int | None = None) -> None:
        """An event for the board, now or at a time (of `self.time`); simulated time must go on to reach it."""
        stamp = None if at is None else at - self._on_at
        if self.simulated:
            self._pending.append([self.time - self._on_at if stamp is None else stamp, kind, *rest])
        elif self.on:
            self._send({"in": [[stamp, kind, *rest]]})

    # --- the process -----

    async def _start(self, cause: int, *, raw: bool = False) -> None:
        if not (VM / "node_modules" / "@micropython").is_dir():
            raise MachineError("MicroPython's virtual machine is not installed: run `make test`")
        self._process = await asyncio.create_subprocess_exec(
            node(), str(HERE / "node" / "board.mjs"),
            stdin=asyncio.subprocess.PIPE, stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.PIPE,
            limit=1 << 22,
        )  # fmt: skip
        start = "raw" if raw else "main"
        self._on_at = self.time
        self._waiting = self.ended = self._cut = False
        machine = {**asdict(self.machine), "cause": cause, "memory": self._memory, "levels": self._levels}
        self._send({
            "heap": 192 * 1024, "standins": str(HERE / "standins"), "flash": str(self.flash),
            "simulated": self.simulated, "start": start, "machine": machine,
        })  # fmt: skip
        self._reader = asyncio.create_task(self._read(self._process))

    async def _read(self, process: asyncio.subprocess.Process) -> None:
        assert process.stdout is not None
        assert process.stderr is not None
        complaints = asyncio.create_task(process.stderr.read())
        again: tuple[int, bool] | None = None
        while line := await process.stdout.readline():
            said = json.loads(line)
            if process is not self._process:
                continue
            if said[1] == "reset":
                again = self._reset(*said)
            else:
                self._take(*said)
            self._news.set()
        error = (await complaints).decode(errors="replace")
        await process.wait()
        if process is not self._process:
            return  # the power was cut meanwhile
        self._process = None
        self._gone()
        if again is None and not self._cut:
            self.troubles.append(f"the virtual machine ended with {process.returncode}: {error}")
        elif again is not None and self.comes_back and again[0] != DEEPSLEEP:
            await self._start(again[0], raw=again[1])
        self._news.set()

    def _reset(self, now: int, _: str, cause: str, extra: object = None) -> tuple[int, bool]:
        if now:
            self.time = self._on_at + now
        self.resets.append(cause)
        return CAUSES[cause], cause == "soft" and extra is True

    def _gone(self) -> None:
        self._waiting = False
        self.displays.clear()
        self.strips.clear()
        self.pins.clear()
        self.radio.off()

    def _take(self, now: int, kind: str, *rest: Any) -> None:
        self.time = max(self.time, self._on_at + now)
        match kind:
            case "waits":
                self._waiting = True
                if self.time < self._target or self._pending:
                    self._go_on()
            case "serial":
                data = bytes.fromhex(rest[0])
                self.output += data
                if self.heard_serial is not None:
                    self.heard_serial(data)
            case "display":
                self.displays[rest[0]] = (bytes.fromhex(rest[1]), rest[2], rest[3])
            case "pixels":
                self.strips[rest[0]] = bytes.fromhex(rest[1])
            case "tone":
                self.tones.append((self.time, *rest))
            case "pin":
                self.pins[rest[0]] = rest[1]
            case "cut":
                self._cut = True
            case "memory":
                self._memory = rest[0]
            case "trouble":
                self.troubles.append(f"{rest[0]}: {rest[1]}")
            case "ended":
                self.ended = True
                if rest[0] not in ("", "KeyboardInterrupt"):
                    self.troubles.append(f"the program ended: {rest[1]}")
            case _:
                self.lines.append([self.time, kind, *rest])
                self._on_air(kind, rest)

    def _on_air(self, kind: str, rest: tuple[Any, ...]) -> None:
        match kind:
            case "register":
                self.radio.register([(uuid, [tuple(value) for value in values]) for uuid, values in rest[0]])
            case "advertise":
                adv = None if rest[0] is None else bytes.fromhex(rest[0])
                self.radio.advertise(adv, bytes.fromhex(rest[1] or ""), rest[2], rest[3])
            case "notify":
                if not self.held:
                    self.sent(1)
                self.radio.notify(rest[0], rest[1], bytes.fromhex(rest[2]))
            case "disconnect":
                self.radio.disconnect(rest[0])
            case "value":
                self.radio.value(rest[0], bytes.fromhex(rest[1]))
            case "radio":
                if not rest[0]:
                    self.radio.off()

    def _go_on(self) -> None:
        """Answer a board that waits for more time or for events."""
        if self._waiting and self._process is not None:
            self._waiting = False
            events, self._pending = self._pending, []
            self._send({"in": events, "until": max(self._target, self.time) - self._on_at})

    def _send(self, line: dict[str, Any]) -> None:
        assert self._process is not None
        assert self._process.stdin is not None
        with contextlib.suppress(ConnectionError, RuntimeError):
            self._process.stdin.write(json.dumps(line).encode() + b"\n")

    async def _hear(self) -> None:
        self._news.clear()
        try:
            await asyncio.wait_for(self._news.wait(), HANGS)
        except TimeoutError:
            raise BoardError(self._told("it computes and computes")) from None
        self._raise_if_dead()

    def _raise_if_dead(self) -> None:
        if not self.on and any("virtual machine" in trouble for trouble in self.troubles):
            self.check()

    def _told(self, sentence: str) -> str:
        shown = {f"{address:#x}": self.digits(address) for address in self.displays}
        tail = re.sub(rb"[^\n\x20-\x7e]", b".", self.output[-2000:]).decode()
        troubles = "\n".join(self.troubles) or "none"
        return f"{sentence}; displays {shown}, resets {self.resets}\ntroubles: {troubles}\nserial: {tail}"
