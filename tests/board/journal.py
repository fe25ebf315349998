"""The facts on a virtual board's flash, read with the core's own journal from a copy of the folder."""

from __future__ import annotations

import shutil
from pathlib import Path

from moveclock import wire
from moveclock.journal import Journal
from moveclock.segments import Flash


class FolderFlash(Flash):
    """A folder of this computer."""

    def __init__(self, root: Path) -> None:
        self._root = root

    def names(self, folder: str) -> list[str]:
        place = self._root / folder
        return [path.name for path in place.iterdir()] if place.is_dir() else []

    def read(self, path: str) -> bytes | None:
        place = self._root / path
        return place.read_bytes() if place.is_file() else None

    def write(self, path: str, data: bytes) -> None:
        (self._root / path).write_bytes(data)

    def append(self, path: str, data: bytes) -> None:
        with (self._root / path).open("ab") as file:
            file.write(data)

    def remove(self, path: str) -> None:
        (self._root / path).unlink()

    def make(self, folder: str) -> None:
        (self._root / folder).mkdir(exist_ok=True)

    def remove_folder(self, folder: str) -> None:
        (self._root / folder).rmdir()


def facts(flash: Path, uid: tuple[int, ...], copy: Path) -> list[tuple[int, ...]]:
    """The facts `(kind, at, game, move, seat, code, a, b, c)` that a box with this flash would start from.

    `copy` is a folder to copy the journal to: reading it mounts it, and that writes.
    """
    shutil.rmtree(copy, ignore_errors=True)
    shutil.copytree(flash / "journal", copy / "journal")
    journal = Journal(FolderFlash(copy), bytes(uid), 1)
    journal.mount()
    records = [journal.record(seq) for seq in range(journal.oldest, journal.head + 1)]
    return [wire.unpack_record(record)[2] for record in records if record is not None]
