"""Processes that tests begin, and that no test waits for without an end."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, Final

import psutil

WITHIN_S: Final = 60  # longer than anything takes on a busy machine, shorter than a test may


@contextmanager
def bounded(process: subprocess.Popen[Any], within_s: float = WITHIN_S) -> Iterator[None]:
    """The block waits for what the process says, or for its end; when that takes longer, the process is killed with all
    that it started: AssertionError.
    """
    late = threading.Event()

    def end() -> None:
        late.set()
        with suppress(psutil.Error):
            for one in psutil.Process(process.pid).children(recursive=True):
                with suppress(psutil.Error):
                    one.kill()
        with suppress(OSError):
            process.kill()

    timer = threading.Timer(within_s, end)
    timer.daemon = True
    timer.start()
    try:
        yield
    finally:
        timer.cancel()
        assert not late.is_set(), f"{process.args!r} took longer than {within_s:g} s"


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
