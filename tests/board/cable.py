"""The board's serial port as a port of this computer, which pyserial, mpremote and esptool's users open by its name.

    async with VirtualBoard(folder) as board, Cable(board) as cable:
        await board.power_on()
        ...                                              # cable.port is "/dev/pts/7"

or, for a test that is no coroutine and runs a program (`mpremote`, `dalej box …`) until it ends:

    with plugged_in(folder) as (port, board):
        subprocess.run(["mpremote", "connect", port, "ls"], check=True)
        board.until(lambda board: b"hello" in board.output)

A board whose flash is empty is an ESP32 with MicroPython and nothing else: it is at the prompt. Once main.py is there a
reset starts it: `mpremote reset`, `board.call(VirtualBoard.reset_button)`, or ctrl-D at the friendly prompt; a soft
reset at the raw prompt (`mpremote soft-reset`) does not, as on a board. `install(folder / "flash")` beforehand makes a
board that has the firmware already. While the firmware runs it holds the port: ctrl-C is a byte to it.
Linux and macOS; elsewhere there are no pseudo-terminals, and the test is skipped in words.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Coroutine, Iterator
from concurrent.futures import Future
from pathlib import Path
from types import TracebackType
from typing import Any, Self, TypeVar

import pytest

from tests.board.board import Machine, VirtualBoard

Result = TypeVar("Result")
PATIENCE = 60.0  # seconds for anything that is asked of a board in another thread
STEP_MS = 20  # of simulated time, between looks at the cable


class Cable:
    """A pseudo-terminal between this computer's programs and a board."""

    def __init__(self, board: VirtualBoard) -> None:
        if os.name == "nt":
            pytest.skip("this system has no pseudo-terminals: the cable is tried on Linux and macOS")
        self._board = board
        self.port = ""
        self.lost = 0  # bytes that nobody read in time

    async def __aenter__(self) -> Self:
        import tty  # not on Windows

        self._master, self._slave = os.openpty()
        tty.setraw(self._master)
        tty.setraw(self._slave)
        os.set_blocking(self._master, False)
        self.port = os.ttyname(self._slave)
        self._board.heard_serial = self._write
        asyncio.get_running_loop().add_reader(self._master, self._read)
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        asyncio.get_running_loop().remove_reader(self._master)
        self._board.heard_serial = None
        os.close(self._master)
        os.close(self._slave)

    def _read(self) -> None:
        with contextlib.suppress(BlockingIOError):
            if data := os.read(self._master, 4096):
                self._board.serial(data)

    def _write(self, data: bytes) -> None:
        try:
            sent = os.write(self._master, data)
        except BlockingIOError:
            sent = 0
        self.lost += len(data) - sent


class BoardInAThread:
    """A board with a cable that lives in a thread of its own; `call` does something with it there."""

    def __init__(self, folder: Path, machine: Machine | None, times: int) -> None:
        self.folder = folder
        self._times = times
        self.port: Future[str] = Future()
        self._loop = asyncio.new_event_loop()
        self._unplugged = asyncio.Event()
        self._thread = threading.Thread(target=self._work)
        self._ended: Future[None] = Future()
        self.board = VirtualBoard(folder, machine, simulated=times > 0)

    def begin(self) -> str:
        """Plug in and power on; the port's name."""
        self._thread.start()
        return self.port.result(PATIENCE)

    def end(self) -> None:
        self._loop.call_soon_threadsafe(self._unplugged.set)
        self._thread.join(PATIENCE)
        self._ended.result(PATIENCE)

    def call(self, what: Callable[[VirtualBoard], Coroutine[Any, Any, Result]]) -> Result:
        """Have something done with the board: `call(lambda board: board.reset_button())`."""
        return asyncio.run_coroutine_threadsafe(what(self.board), self._loop).result(PATIENCE)

    def until(self, what: Callable[[VirtualBoard], object], within: int = 10_000) -> None:
        """Wait until it is so."""
        self.call(lambda board: board.until(lambda: what(board), within))

    def _work(self) -> None:
        try:
            self._loop.run_until_complete(self._live())
        except BaseException as error:  # noqa: BLE001  # it belongs to the thread that waits for the end
            if not self.port.done():
                self.port.set_exception(error)
            self._ended.set_exception(error)
        else:
            self._ended.set_result(None)
        finally:
            self._loop.close()

    async def _live(self) -> None:
        async with self.board, Cable(self.board) as cable:
            await self.board.power_on()
            await self.board.until(lambda: any(line[1] in {"on", "prompt"} for line in self.board.lines))
            self.port.set_result(cable.port)
            if self._times:
                await self._simulated()
            await self._unplugged.wait()

    async def _simulated(self) -> None:
        """The board's time goes on so many times as fast as that of whoever has the port's other end, or slower."""
        begun, board = time.monotonic(), self.board
        since = board.time
        while not self._unplugged.is_set():
            ahead_s = (board.time - since) / 1e6 / self._times - (time.monotonic() - begun)
            if ahead_s <= 0 and board.on:
                await board.run(STEP_MS)
            else:
                await asyncio.sleep(max(0.001, ahead_s))


@contextlib.contextmanager
def plugged_in(folder: Path, machine: Machine | None = None, *, times: int = 0) -> Iterator[tuple[str, BoardInAThread]]:
    """A board on a cable for a test that is no coroutine: its port, and the board in its own thread. `times`: its time
    is simulated, and goes so many times as fast as it really does, if it can.
    """
    board = BoardInAThread(folder, machine, times)
    port = board.begin()
    try:
        yield port, board
    finally:
        board.end()


def mpremote(port: str, *arguments: str) -> str:
    """What the real one prints of a board at that port."""
    done = subprocess.run(
        [sys.executable, "-m", "mpremote", "connect", port, *arguments],
        capture_output=True, timeout=60, check=False, text=True,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout
