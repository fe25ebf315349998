"""What is on a box's flash and where: MicroPython, then one file system with the firmware and the identity, as a
littlefs image that MicroPython on an ESP32 mounts. The only file that knows littlefs.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from dalej.boxes.firmware import programs
from dalej.boxes.firmware.micropython import FILES_AT, MicroPython
from dalej.boxes.firmware.tree import BoardFile, Tree
from dalej.errors import Refused, WrongInput
from dalej.words import N_
from moveclock import identity

if TYPE_CHECKING:
    from littlefs import LittleFS

BLOCK: Final = 4096
READ: Final = 32
PROGRAM: Final = 32
CACHE: Final = 128
LOOKAHEAD: Final = 32
CYCLES: Final = 100
DISK: Final = 0x00020001  # what MicroPython writes; every littlefs since 2.6 takes it


def image(files: Iterable[BoardFile], size: int) -> bytes:
    """`size` bytes of flash with these files. Refused if they do not fit, or without littlefs-python."""
    programs.expect("littlefs")
    from littlefs.errors import LittleFSError  # noqa: PLC0415 -- only installed for those who install boxes

    flash = Flash(size)
    disk = disk_on(flash)
    disk.format()
    disk.mount()
    try:
        for file in sorted(files, key=lambda file: file.path):
            folder = file.path.rpartition("/")[0]
            if folder:
                disk.makedirs(folder, exist_ok=True)
            with disk.open(file.path, "wb") as opened:
                opened.write(file.data)
    except LittleFSError as error:
        raise Refused(N_("{size} bytes of flash have no room for the firmware"), size=size) from error
    finally:
        disk.unmount()
    return bytes(flash.buffer)


def disk_on(flash: Flash) -> LittleFS:
    """A file system of MicroPython's geometry, neither formatted nor mounted yet."""
    from littlefs import LittleFS  # noqa: PLC0415 -- as above

    return LittleFS(
        flash, mount=False, block_size=BLOCK, block_count=len(flash.buffer) // BLOCK, read_size=READ,  # type: ignore[arg-type]  # it asks for no more than Flash has
        prog_size=PROGRAM, cache_size=CACHE, lookahead_size=LOOKAHEAD, block_cycles=CYCLES, disk_version=DISK,
    )  # fmt: skip


class Flash:
    """A chip of NOR flash in memory, erased."""

    def __init__(self, size: int) -> None:
        self.buffer = bytearray(b"\xff" * size)

    def read(self, _disk: object, block: int, offset: int, size: int) -> bytearray:
        start = block * BLOCK + offset
        return self.buffer[start : start + size]

    def prog(self, _disk: object, block: int, offset: int, data: bytes) -> int:
        start = block * BLOCK + offset
        self.buffer[start : start + len(data)] = data
        return 0

    def erase(self, _disk: object, block: int) -> int:
        self.buffer[block * BLOCK : (block + 1) * BLOCK] = b"\xff" * BLOCK
        return 0

    def sync(self, _disk: object) -> int:
        return 0


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
