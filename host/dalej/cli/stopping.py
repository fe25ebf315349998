"""How a command that goes on until it is told to stop is told: Ctrl-C, SIGTERM, the end of its terminal or input; and
single keys of the terminal, while something else goes on in the loop.
"""

from __future__ import annotations

import asyncio
import os
import signal
import sys
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager, suppress
from threading import Thread
from types import FrameType
from typing import Final


@contextmanager
def on_signal(stop: Callable[[], object]) -> Iterator[None]:
    """While the block runs, Ctrl-C, SIGTERM and a terminal that is closed call `stop` in the running loop.

    They do nothing else. Whoever had SIGHUP ignored (nohup) outlives the terminal.
    """
    loop = asyncio.get_running_loop()

    def told(_number: int, _frame: FrameType | None) -> None:
        loop.call_soon_threadsafe(stop)

    numbers = [signal.SIGINT, signal.SIGTERM]
    if sys.platform == "win32":
        numbers.append(signal.SIGBREAK)
    elif signal.getsignal(signal.SIGHUP) is not signal.SIG_IGN:
        numbers.append(signal.SIGHUP)
    before = [(number, signal.signal(number, told)) for number in numbers]
    try:
        yield
    finally:
        for number, handler in before:
            signal.signal(number, handler)


def on_end_of_input(stop: Callable[[], object]) -> None:
    """Call `stop` in the running loop when stdin ends: whoever started this process is gone, however it went."""
    loop = asyncio.get_running_loop()

    def read() -> None:
        with suppress(OSError):
            while os.read(0, 4096):  # not sys.stdin, whose lock a thread must not hold when the interpreter ends
                pass
        with suppress(RuntimeError):  # the loop has ended first
            loop.call_soon_threadsafe(stop)

    Thread(target=read, daemon=True).start()


END: Final = "\x04"
POLL_S: Final = 0.1  # Windows cannot wait for a key and for a loop at once


@asynccontextmanager
async def on_key(pressed: Callable[[str], None]) -> AsyncIterator[None]:
    """While the block runs, every key that is pressed is handed over, without Enter, and `END` when the terminal is
    gone. stdin is a terminal.
    """
    if sys.platform == "win32":
        task = asyncio.create_task(_poll(pressed))
        try:
            yield
        finally:
            task.cancel()
            await asyncio.gather(task, return_exceptions=True)
        return
    import termios  # noqa: PLC0415 -- there is none on Windows
    import tty  # noqa: PLC0415 -- nor this

    loop, number = asyncio.get_running_loop(), sys.stdin.fileno()
    before = termios.tcgetattr(number)
    try:
        tty.setcbreak(number)
        loop.add_reader(number, lambda: _read(number, pressed))
        yield
    finally:
        loop.remove_reader(number)
        with suppress(termios.error):  # the terminal is gone
            termios.tcsetattr(number, termios.TCSADRAIN, before)


def _read(number: int, pressed: Callable[[str], None]) -> None:
    try:
        keys = os.read(number, 64).decode(errors="replace")
    except OSError:
        keys = ""
    if not keys:
        asyncio.get_running_loop().remove_reader(number)
    for key in keys or END:
        pressed(key)


async def _poll(pressed: Callable[[str], None]) -> None:
    if sys.platform == "win32":
        import msvcrt  # noqa: PLC0415 -- only there

        while True:
            while msvcrt.kbhit():
                pressed(msvcrt.getwch())
            await asyncio.sleep(POLL_S)
