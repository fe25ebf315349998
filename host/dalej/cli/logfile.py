"""The log of a command that goes on: of `dalej run` what becomes of links, and what bleak warns of; of `dalej serve`
who comes and goes, and what fails.

The file is for its owner alone and never large. Nothing that goes on in the hall waits for it or fails because of it:
what it cannot take is lost, and people are told so once.
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
from typing import Final, NamedTuple

import click

from dalej.boxes.folder import log_folder
from dalej.clock import Clock
from dalej.domain.game.sentences import local
from dalej.errors import DalejError, WrongInput
from dalej.words import N_, _, cause, said

SIZE: Final = 500_000  # bytes; some hours of a hall whose boxes take turns
EARLIER: Final = 2  # files that were filled before, and are kept beside it
_DATABASE: Final = b"SQLite format 3\0"
_FLAGS: Final = os.O_WRONLY | os.O_APPEND | os.O_CREAT | getattr(os, "O_CLOEXEC", 0) | getattr(os, "O_NOFOLLOW", 0)


class Log(NamedTuple):
    """`own`: whose lines they are; `others`: libraries whose warnings stand there too. `suffix`: of the file, behind
    the event's name. `prints`: the least level that goes to stderr as well, where nobody asked for all of it.
    """

    own: str
    others: tuple[str, ...]
    suffix: str
    prints: int | None = None

    def file(self, event: Path, given: str | None) -> Path:
        """Where it lies; WrongInput if what was `given` is no place for it."""
        if given is None:
            return log_folder() / f"{event.stem}{self.suffix}"
        file = Path(given)
        if file.is_dir() or (file.is_file() and _begins(file, _DATABASE)):
            raise WrongInput(N_("{file} cannot be a log: expected a file of text, or a name that is free"), file=given)
        return file

    def options(self) -> list[click.Option]:
        """`--log-file` and `-v`."""
        default = log_folder() / (_("EVENT") + self.suffix)
        return [
            click.Option(["--log-file"], metavar=_("FILE"),
                         help=_("Where the log is kept (default: {file}).").format(file=default)),
            click.Option(["--verbose", "-v"], is_flag=True, help=_("Show on stderr, too, what is kept in the log.")),
        ]  # fmt: skip


LINKS: Final = Log("dalej.links", ("bleak",), ".log")
BROWSERS: Final = Log("dalej.web", (), ".serve.log", logging.WARNING)


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
            self._complain(said(cause(problem)) if isinstance(problem, OSError) else str(problem))

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


class _Aloud(logging.StreamHandler):  # type: ignore[type-arg]  # the library's is generic for checkers alone
    """On stderr; if nobody reads that, nothing happens."""

    def handleError(self, record: logging.LogRecord) -> None:  # noqa: N802 -- the library's
        pass


@contextmanager
def kept(
    log: Log, file: Path, clock: Clock, complain: Callable[[str], object], *, aloud: bool = False, size: int = SIZE
) -> Iterator[Callable[[str], None]]:
    """While the block runs, what it is given goes there, a line each, and so do libraries' warnings; `aloud`: all of
    it to stderr as well.
    """
    own, keeps, says = logging.getLogger(log.own), LogFile(file, clock, complain, size), _Aloud()
    says.setLevel(logging.INFO if aloud else log.prints or logging.CRITICAL + 1)
    if aloud:
        says.setFormatter(_Timed(clock))
    before = own.level, own.propagate
    own.setLevel(logging.INFO)
    own.propagate = False
    loggers = (own, *map(logging.getLogger, log.others))
    for logger in loggers:
        logger.addHandler(keeps)
        logger.addHandler(says)
    try:
        yield lambda line: own.info("%s", line)
    except Exception as error:
        for logger in loggers:
            logger.removeHandler(says)  # whoever started it is told in other words
        own.error("this ends it: %s", error, exc_info=not isinstance(error, DalejError))
        raise
    finally:
        for logger in loggers:
            logger.removeHandler(keeps)
            logger.removeHandler(says)
        own.setLevel(before[0])
        own.propagate = before[1]
        keeps.close()


def _begins(file: Path, with_: bytes) -> bool:
    try:
        with file.open("rb") as reading:
            return reading.read(len(with_)) == with_
    except OSError:
        return False


def programs() -> str:
    """What a question about Bluetooth is answered with first: versions, and the system."""
    found = [f"Python {platform.python_version()}", platform.platform()]
    for name in ("bleak", "dalej"):
        with suppress(metadata.PackageNotFoundError):
            found.insert(0, f"{name} {metadata.version(name)}")
    return ", ".join(found)
