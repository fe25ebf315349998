"""Single keys of the terminal, while something else goes on in the loop."""

from __future__ import annotations

import asyncio
import os
import sys
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from typing import Final

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
    import tty  # noqa: PLC0415

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
