"""The firmware as it goes onto a board: compiled, byte for byte the same each time, with a checksum for every file."""

from __future__ import annotations

import hashlib
import subprocess
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from dalej.boxes.firmware.compiling import compile_firmware
from dalej.errors import Damaged
from dalej.words import N_
from moveclock.box import FIRMWARE

START: Final = "main.py"  # what a board starts; without it, a board only waits at MicroPython's prompt


@dataclass(frozen=True, slots=True)
class BoardFile:
    """`path`: from the board's root, with "/"."""

    path: str
    data: bytes

    @property
    def sha256(self) -> str:
        return hashlib.sha256(self.data).hexdigest()


@dataclass(frozen=True, slots=True)
class Tree:
    """All files of the firmware, in the order of their paths; `version` as `Box.info` tells it."""

    version: int
    files: Sequence[BoardFile]

    @property
    def size(self) -> int:
        """Bytes of all files."""
        return sum(len(file.data) for file in self.files)

    @property
    def folders(self) -> list[str]:
        """Every folder that must be there, the outer ones first."""
        found = set()
        for file in self.files:
            parts = file.path.split("/")[:-1]
            found |= {"/".join(parts[: depth + 1]) for depth in range(len(parts))}
        return sorted(found)

    def manifest(self) -> list[tuple[str, int, str]]:
        """Path, bytes and SHA-256 of every file."""
        return [(file.path, len(file.data), file.sha256) for file in self.files]


def sources() -> Path:
    """The firmware's sources: beside this package in an installed wheel, else in the repository."""
    package = Path(__file__).parents[2]
    for folder in (package / "firmware", package.parents[1] / "firmware"):
        if folder.is_dir():
            return folder
    raise Damaged(N_("this installation of Dalej has no firmware in it; install it again"))


def compiled(source_root: Path, board: int = 0) -> Tree:
    """The tree of these sources for that board. Refused without mpy-cross, Damaged if it does not take a source."""
    with tempfile.TemporaryDirectory(prefix="dalej-") as name:
        root = Path(name)
        try:
            compile_firmware(source_root, root, board)
        except subprocess.CalledProcessError as error:
            raise Damaged(N_("the firmware in {folder} cannot be compiled"), folder=source_root) from error
        files = [
            BoardFile(file.relative_to(root).as_posix(), file.read_bytes())
            for file in root.rglob("*")
            if file.is_file()
        ]
    return Tree(FIRMWARE, sorted(files, key=lambda file: file.path))
