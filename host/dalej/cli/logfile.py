"""The file in which `dalej run` keeps what becomes of links; what bleak warns of stands there too.

It is for its owner alone and never large. Nothing that goes on in the hall waits for it or fails because of it: what it
cannot take is lost, and people are told so once.
"""

from __future__ import annotations

import logging
import os
import platform
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from importlib import metadata
from io import TextIOWrapper
from logging.handlers import RotatingFileHandler
from pathlib import Path
from typing import Final

from dalej.clock import Clock
from dalej.domain.game.sentences import local

SIZE: Final = 500_000  # bytes; some hours of a hall whose boxes take turns
EARLIER: Final = 2  # files that were filled before, and are kept beside it
OWN: Final = "dalej.links"
BLEAK: Final = "bleak"
_FLAGS: Final = os.O_WRONLY | os.O_APPEND | os.O_CREAT | getattr(os, "O_CLOEXEC", 0) | getattr(os, "O_NOFOLLOW", 0)


class LogFile(RotatingFileHandler):
    """`complain(problem)`: called once, when something cannot be written."""

    def __init__(self, file: Path, clock: Clock, complain: Callable[[str], object], size: int) -> None:
        super().__init__(file, maxBytes=size, backupCount=EARLIER, encoding="utf-8", delay=True)
        self.setFormatter(_Timed(clock))
        self._complain = complain
        self._complained = False

    def _open(self) -> TextIOWrapper:
        """As the library does; but the folder may have to be made, and nobody else can read the file."""
        Path(self.baseFilename).parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        number = os.open(self.baseFilename, _FLAGS, 0o600)
        return os.fdopen(number, "a", encoding=self.encoding, errors="backslashreplace")

    def handleError(self, record: logging.LogRecord) -> None:  # noqa: ARG002, N802 -- the library's
        """The next line is tried anew, as if nothing had been open."""
        problem = sys.exception()
        self._let_go()
        if not self._complained:
            self._complained = True
            self._complain(getattr(problem, "strerror", None) or str(problem))

    def close(self) -> None:
        """Nothing is raised if the disk does not take what was left to write."""
        self._let_go()
        super().close()

    def _let_go(self) -> None:
        stream, self.stream = self.stream, None
        if stream is not None:
            with suppress(OSError):
                stream.close()


class _Timed(logging.Formatter):
    """Every line begins with the instant by the clock on the wall, and where that is."""

    def __init__(self, clock: Clock) -> None:
        super().__init__("%(asctime)s %(name)s: %(message)s")
        self._clock = clock

    def formatTime(self, record: logging.LogRecord, datefmt: str | None = None) -> str:  # noqa: ARG002, N802 -- as above
        return local(self._clock.wall_ms()).isoformat(sep=" ", timespec="milliseconds")


@contextmanager
def kept(
    file: Path, clock: Clock, complain: Callable[[str], object], *, size: int = SIZE
) -> Iterator[Callable[[str], None]]:
    """While the block runs, what it is given goes there, a line each, and so do bleak's warnings."""
    own, handler = logging.getLogger(OWN), LogFile(file, clock, complain, size)
    own.setLevel(logging.INFO)
    own.propagate = False
    loggers = (own, logging.getLogger(BLEAK))
    for logger in loggers:
        logger.addHandler(handler)
    try:
        yield lambda line: own.info("%s", line)
    except Exception:
        own.exception("this ends the desk:")
        raise
    finally:
        for logger in loggers:
            logger.removeHandler(handler)
        handler.close()


def programs() -> str:
    """What a question about Bluetooth is answered with first: versions, and the system."""
    found = [f"Python {platform.python_version()}", platform.platform()]
    for name in ("bleak", "dalej"):
        with suppress(metadata.PackageNotFoundError):
            found.insert(0, f"{name} {metadata.version(name)}")
    return ", ".join(found)
