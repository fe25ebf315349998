"""Processes that tests begin, and that no test waits for without an end."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, Final

import psutil

WITHIN_S: Final = 60  # longer than anything takes on a busy machine, shorter than a test may


@contextmanager
def bounded(process: subprocess.Popen[Any], within_s: float = WITHIN_S) -> Iterator[None]:
    """The block waits for what the process says, or for its end; when that takes longer, the process is killed with all
    that it started: AssertionError. So it is at Ctrl-C.
    """
    late = threading.Event()

    def end() -> None:
        late.set()
        _end(process)

    timer = threading.Timer(within_s, end)
    timer.daemon = True
    timer.start()
    try:
        yield
    except KeyboardInterrupt:
        _end(process)
        raise
    finally:
        timer.cancel()
        assert not late.is_set(), _too_long(process, within_s)


class Patience:
    """The same as a block that is entered thousands of times: one thread looks every second whether one is too late."""

    def __init__(self, process: subprocess.Popen[Any], within_s: float = WITHIN_S) -> None:
        self._process = process
        self._within_s = within_s
        self._due: float | None = None
        self._late = False
        threading.Thread(target=self._look, daemon=True).start()

    def __enter__(self) -> None:
        self._due = time.monotonic() + self._within_s

    def __exit__(self, *_: object) -> None:
        self._due = None
        assert not self._late, _too_long(self._process, self._within_s)

    def _look(self) -> None:
        while self._process.poll() is None:
            due = self._due
            if due is not None and time.monotonic() > due:
                self._late = True
                _end(self._process)
            time.sleep(1)


def _end(process: subprocess.Popen[Any]) -> None:
    with suppress(psutil.Error):
        for one in psutil.Process(process.pid).children(recursive=True):
            with suppress(psutil.Error):
                one.kill()
    with suppress(OSError):
        process.kill()


def _too_long(process: subprocess.Popen[Any], within_s: float) -> str:
    return f"{process.args!r} took longer than {within_s:g} s"


@contextmanager
def demo(event: Path, *options: str) -> Iterator[subprocess.Popen[str]]:
    """`dalej demo --no-screen` at the event, live until the end of the block."""
    command = [sys.executable, "-m", "dalej", "demo", "--no-screen", "--event", str(event), *options]
    with subprocess.Popen(
        command, cwd=event.parent, env={**os.environ, "LANGUAGE": "en", "PYTHONIOENCODING": "utf-8"}, text=True,
        encoding="utf-8", stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
    ) as process:  # fmt: skip
        try:
            assert process.stdout is not None
            with bounded(process):
                assert f"dalej screen {event}" in process.stdout.readline()
            yield process
        finally:
            process.kill()
