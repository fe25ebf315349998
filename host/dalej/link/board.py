"""What a simulated box is built on: flash and memory that behave as a board's do, without one."""

from __future__ import annotations

from random import Random

from moveclock.segments import Flash
from moveclock.upkeep import Board


class MemoryFlash(Flash):
    """Flash in memory that keeps its files through a power cut; `broken` makes every write fail."""

    def __init__(self) -> None:
        self.files: dict[str, bytes] = {}
        self.folders: set[str] = set()
        self.broken = False

    def names(self, folder: str) -> list[str]:
        start = f"{folder}/"
        inside = [path[len(start) :] for path in (*self.files, *self.folders) if path.startswith(start)]
        return [name for name in inside if "/" not in name]

    def read(self, path: str) -> bytes | None:
        return self.files.get(path)

    def write(self, path: str, data: bytes) -> None:
        self._expect_working()
        self.files[path] = bytes(data)

    def append(self, path: str, data: bytes) -> None:
        self._expect_working()
        self.files[path] = self.files.get(path, b"") + bytes(data)

    def remove(self, path: str) -> None:
        self._expect_working()
        if path not in self.files:
            raise OSError(2, "no such file", path)
        del self.files[path]

    def make(self, folder: str) -> None:
        self._expect_working()
        self.folders.add(folder)

    def remove_folder(self, folder: str) -> None:
        self._expect_working()
        if folder not in self.folders or self.names(folder):
            raise OSError(39, "no such empty folder", folder)
        self.folders.discard(folder)

    def _expect_working(self) -> None:
        if self.broken:
            raise OSError(5, "this flash does not write")


class SimBoard(Board):
    """Memory that survives a reset but no power cut, and seeded randomness."""

    def __init__(self, random: Random) -> None:
        self.kept = b""
        self._random = random

    def load(self) -> bytes:
        return self.kept

    def save(self, data: bytes) -> None:
        self.kept = data

    def random(self, count: int) -> bytes:
        return self._random.randbytes(count)
