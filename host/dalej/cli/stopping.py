"""How a command that goes on until it is told to stop is told: Ctrl-C, SIGTERM, the end of its terminal or input."""

from __future__ import annotations

import asyncio
import os
import signal
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from threading import Thread
from types import FrameType


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
