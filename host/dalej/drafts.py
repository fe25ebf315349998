"""Files that appear whole or not at all: each is written as a draft beside its place, and put there when it is done.

Whoever reads the place meets what was there before or what is there now, also after the power failed. All of it raises
OSError; what that means is said by who wanted the file.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Final

OWNER: Final = 0o600
OPEN: Final = 0o666  # less what the umask takes


class Draft:
    """An empty file at `path`, to be filled by whatever means, and closed."""

    def __init__(self, path: Path, place: Path) -> None:
        self.path = path
        self._place = place

    def put(self, *, replace: bool = True) -> None:
        """Move it to its place, and onto the disk. FileExistsError if it may not `replace` what is there."""
        with self.path.open("rb+") as filled:
            os.fsync(filled.fileno())
        if replace:
            self.path.replace(self._place)
        else:
            self._put_new()
        _sync(self._place.parent)

    def _put_new(self) -> None:
        if os.name == "nt":
            self.path.rename(self._place)
            return
        try:
            self._place.hardlink_to(self.path)
        except FileExistsError:
            raise
        except OSError:  # a stick that knows no links
            if os.path.lexists(self._place):
                raise FileExistsError from None
            self.path.rename(self._place)


@contextmanager
def draft_of(place: Path, mode: int = OWNER) -> Iterator[Draft]:
    """The block fills it and puts it in its place; if it does not, or fails, there is none any more."""
    path = place.with_name(f".{place.name}.{os.urandom(4).hex()}.part")
    os.close(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, mode))
    try:
        yield Draft(path, place)
    finally:
        with suppress(OSError):
            path.unlink(missing_ok=True)


def write(place: Path, content: bytes, mode: int = OWNER, *, replace: bool = True) -> None:
    """Put that there. FileExistsError, and nothing touched, if something is there that it may not `replace`."""
    with draft_of(place, mode) as draft:
        draft.path.write_bytes(content)
        draft.put(replace=replace)


def _sync(folder: Path) -> None:
    """On POSIX a new name is on the disk when its folder is."""
    if os.name == "nt":
        return
    with suppress(OSError):  # some network drives do not know it
        descriptor = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)
