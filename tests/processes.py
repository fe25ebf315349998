"""No test waits for another process without an end."""

from __future__ import annotations

import subprocess
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
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
