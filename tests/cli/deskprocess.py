"""`dalej run`, or another command that goes on until it is stopped, as a process; its lines as they come."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from queue import Empty, Queue
from threading import Thread
from typing import Final

SOON_S: Final = 30.0


class Desk:
    """A process, its lines as they come."""

    def __init__(self, process: subprocess.Popen[str]) -> None:
        self.process = process
        self._lines: Queue[str] = Queue()
        self._reader = Thread(target=self._read, daemon=True)
        self._reader.start()

    def kill(self) -> None:
        """Whatever it wrote is read before its output is closed."""
        self.process.kill()
        self._reader.join(SOON_S)

    def _read(self) -> None:
        assert self.process.stdout is not None
        for line in self.process.stdout:
            self._lines.put(line.rstrip("\n"))

    def until(self, part: str) -> str:
        """The next line with that in it."""
        seen: list[str] = []
        while True:
            try:
                seen.append(self._lines.get(timeout=SOON_S))
            except Empty:
                raise AssertionError(f"no {part!r} after {seen}") from None
            if part in seen[-1]:
                return seen[-1]


def arguments(*given: str) -> list[str]:
    return [sys.executable, "-m", "dalej", "--lang", "en", *given]


def surroundings(folder: Path) -> dict[str, str]:
    """No Bluetooth, no keyring, a club's folder of its own."""
    nowhere = f"unix:path={folder / 'no-bus'}"
    return {
        **os.environ, "DALEJ_HOME": str(folder / "home"), "DBUS_SYSTEM_BUS_ADDRESS": nowhere,
        "PYTHON_KEYRING_BACKEND": "keyring.backends.fail.Keyring",
    }  # fmt: skip


@contextmanager
def running(event: Path, *options: str) -> Iterator[Desk]:
    with subprocess.Popen(
        arguments("run", str(event), "--no-usb", *options), stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
        encoding="utf-8", errors="replace", env=surroundings(event.parent),
    ) as process:  # fmt: skip
        desk = Desk(process)
        try:
            yield desk
        finally:
            desk.kill()
