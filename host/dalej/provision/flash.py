"""What is on a box's flash and where: MicroPython, then one file system with the firmware and the identity.

The identity is a file and not an NVS entry: one file system, one tool that reads it back, and MicroPython's own start
erases an NVS that it finds full.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from dalej.errors import WrongInput
from dalej.provision.image import image
from dalej.provision.micropython import FILES_AT, MicroPython
from dalej.provision.tree import BoardFile, Tree
from dalej.words import N_
from moveclock import identity

MICROPYTHON: Final = "micropython"
FILES: Final = "files"
SIZES: Final = {"4MB": 4 << 20, "8MB": 8 << 20, "16MB": 16 << 20}
ERASED: Final = b"\xff"


@dataclass(frozen=True, slots=True)
class Part:
    """Bytes that belong at `offset` of the flash; `what`: MICROPYTHON or FILES."""

    what: str
    offset: int
    data: bytes

    @property
    def end(self) -> int:
        return self.offset + len(self.data)

    @property
    def sha256(self) -> str:
        return hashlib.sha256(self.data).hexdigest()


def files_of(tree: Tree, who: identity.Identity) -> list[BoardFile]:
    """What lies on a box's file system on its first day."""
    return [*tree.files, BoardFile(identity.FILE, who.pack())]


def parts(files: Sequence[BoardFile], flash_size: int, micropython: MicroPython | None = None) -> list[Part]:
    """The flash from its start; without a MicroPython only its files. WrongInput if this flash is too small."""
    at = micropython.files_at if micropython else FILES_AT
    size = micropython.files_size if micropython and micropython.files_size else flash_size - at
    if size <= 0 or at + size > flash_size:
        raise WrongInput(N_("this MicroPython needs more flash than {size} MB"), size=flash_size >> 20)
    written = Part(FILES, at, image(files, size))
    return [Part(MICROPYTHON, micropython.chip.offset, micropython.data), written] if micropython else [written]


def whole(made: Sequence[Part]) -> bytes:
    """One image for the start of the flash: the parts, and erased flash between them."""
    written = bytearray()
    for part in made:
        written += ERASED * (part.offset - len(written)) + part.data
    return bytes(written)
