"""A littlefs image that MicroPython on an ESP32 mounts: the only file that knows littlefs.

The geometry is the one of MicroPython's extmod/vfs_lfsx.c; its mount also compares the number of blocks with the size
of the partition, so an image fits one size of flash only. No times are written, and the image comes out the same
byte for byte wherever it is made.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Final

from dalej.errors import Refused
from dalej.provision import needs
from dalej.provision.tree import BoardFile
from dalej.words import N_

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
    needs.expect("littlefs")
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
    from littlefs import LittleFS  # noqa: PLC0415

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
