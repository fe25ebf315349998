"""Where Dalej keeps what is no event, as each system has it for its user; and the files of the club's folder, written
whole or not at all, by one process at a time, for their owner alone. Events lie where people put them.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO, Final

import platformdirs

from dalej import drafts
from dalej.errors import Refused, Sayable, Unreachable
from dalej.words import N_, cause

VARIABLE: Final = "DALEJ_HOME"


def club_folder() -> Path:
    """The folder that `DALEJ_HOME` names, else the user's own for application data; it need not exist."""
    named = os.environ.get(VARIABLE)
    return Path(named) if named else Path(platformdirs.user_data_dir("dalej", appauthor=False))


def log_folder() -> Path:
    """Where programs of this user leave what they tell of themselves; within the folder that `DALEJ_HOME` names, if it
    does. It need not exist.
    """
    named = os.environ.get(VARIABLE)
    return Path(named) / "log" if named else Path(platformdirs.user_log_dir("dalej", appauthor=False))


def state_folder() -> Path:
    """What programs of this user remember from one time to the next; likewise. It need not exist."""
    named = os.environ.get(VARIABLE)
    return Path(named) / "state" if named else Path(platformdirs.user_state_dir("dalej", appauthor=False))


def demo_folder() -> Path:
    """The halls of `dalej demo` that were given no file; it need not exist."""
    return club_folder() / "demo"


def expect_made(folder: Path) -> Path:
    """The folder, for its owner alone where it was not there yet; Unreachable if it cannot be made."""
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    except OSError as error:
        raise _unwritable(folder, error) from error
    return folder


_LOCK: Final = "club.lock"
_OTHERS: Final = stat.S_IRWXG | stat.S_IRWXO


@contextmanager
def alone(folder: Path) -> Iterator[None]:
    """No other process that asks for this is in the block at once; one that dies in it lets the next one in.

    It waits for as long as the other takes: a keyring may ask its owner for a password meanwhile. The folder is made if
    it is not there. Unreachable if it cannot be, or if its disk knows no locks that end with a process.
    """
    from filelock import FileLock  # noqa: PLC0415 -- slow to load, and most commands lock nothing

    lock = FileLock(folder / _LOCK, mode=0o600, fallback_to_soft=False, preserve_lock_file=True)
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        lock.acquire()
    except OSError as error:
        raise _unwritable(folder, error) from error
    try:
        yield
    finally:
        lock.release()


def write_whole(file: Path, text: str) -> None:
    """Put the text in the place of what is there; Unreachable, and nothing changed, if it cannot be written.

    Read and written by the owner alone; it is on the disk when this returns.
    """
    try:
        drafts.write(file, text.encode())
    except OSError as error:
        raise _unwritable(file, error) from error


def expect_private(opened: BinaryIO, template: str, /, **data: Sayable) -> None:
    """Refused, in that sentence, if others than its owner may read the open file (Windows knows it in other ways)."""
    if os.name != "nt" and os.fstat(opened.fileno()).st_mode & _OTHERS:
        raise Refused(template, **data)


def write_new(file: Path, text: str) -> bool:
    """Make a file that only its owner can read; False, and nothing touched, if something is there already."""
    try:
        drafts.write(file, text.encode(), replace=False)
    except FileExistsError:
        return False
    except OSError as error:
        raise _unwritable(file, error) from error
    return True


def _unwritable(file: Path, error: OSError) -> Unreachable:
    return Unreachable(N_("{file} cannot be written: {problem}"), file=str(file), problem=cause(error))
