"""The journal's storage on littlefs itself, at MicroPython's geometry, with every operation of the flash chip recorded.

A power cut is an image: all operations before it, and possibly a part of the one under way.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from random import Random
from typing import Any, NamedTuple

from littlefs import LittleFS, LittleFSError, UserContext, lfs

from moveclock.segments import Flash

BLOCK = 4096
NO_ENTRY = -2
EXISTS = -17
CHIP_ERROR = -5
ERASED = b"\xff" * BLOCK


class Operation(NamedTuple):
    """One thing the flash chip did: program `data` at `offset`, or erase the block there (`data` is None)."""

    offset: int
    data: bytes | None

    def apply(self, image: bytearray) -> None:
        data = ERASED if self.data is None else self.data
        image[self.offset : self.offset + len(data)] = data

    def tear(self, image: bytearray, lot: Random) -> None:
        """As much of it as `lot` says, as when power goes while the chip works: a program's first bytes, however few,
        or any stretch of a block to be erased.
        """
        if self.data is None:
            begin, end = sorted(lot.sample(range(BLOCK + 1), 2))
            image[self.offset + begin : self.offset + end] = ERASED[begin:end]
        else:
            done = lot.randrange(1, len(self.data))
            image[self.offset : self.offset + done] = self.data[:done]


class Chip(UserContext):
    """Flash memory that counts; with `log` it also remembers what was done to it."""

    def __init__(self, image: bytes | bytearray, log: list[Operation] | None = None) -> None:
        super().__init__(buffer=bytearray(image))
        self.log = log
        self.erases = self.programs = self.programmed = self.reads = self.read_bytes = 0

    def forget(self) -> None:
        """Count from zero."""
        self.erases = self.programs = self.programmed = self.reads = self.read_bytes = 0

    def read(self, cfg: Any, block: int, off: int, size: int) -> bytearray:
        self.reads += 1
        self.read_bytes += size
        start = block * BLOCK + off
        return self.buffer[start : start + size]

    def prog(self, cfg: Any, block: int, off: int, data: bytes) -> int:
        self.programs += 1
        self.programmed += len(data)
        return self._do(Operation(block * BLOCK + off, bytes(data)))

    def erase(self, cfg: Any, block: int) -> int:
        self.erases += 1
        return self._do(Operation(block * BLOCK, None))

    def _do(self, operation: Operation) -> int:
        if self.log is not None:
            self.log.append(operation)
        operation.apply(self.buffer)
        return 0


class LittleFlash(Flash):
    """The journal's port on a littlefs that lies on `chip`: what the edge does with `os` and `open`.

    After an error of the chip littlefs is mounted anew: it does not promise to work on. With `stamped` every file
    carries MicroPython's 8-byte time attribute, here at the price of a commit of its own.
    """

    def __init__(self, chip: Chip, *, blank: bool = False, stamped: bool = False) -> None:
        self._chip = chip
        self._stamped = stamped
        self._mount(blank)

    @property
    def blocks(self) -> int:
        """How many blocks are in use."""
        return lfs.fs_size(self._files.fs)

    def names(self, folder: str) -> list[str]:
        with self._errors(but=NO_ENTRY):
            return self._files.listdir(folder)
        return []

    def read(self, path: str) -> bytes | None:
        with self._errors(but=NO_ENTRY):
            file = lfs.file_open(self._files.fs, path, "rb")
            try:
                return bytes(lfs.file_read(self._files.fs, file, lfs.file_size(self._files.fs, file)))
            finally:
                lfs.file_close(self._files.fs, file)
        return None

    def write(self, path: str, data: bytes) -> None:
        self._put(path, data, "wb")

    def append(self, path: str, data: bytes) -> None:
        self._put(path, data, "ab")

    def remove(self, path: str) -> None:
        with self._errors():
            lfs.remove(self._files.fs, path)

    def make(self, folder: str) -> None:
        with self._errors(but=EXISTS):
            lfs.mkdir(self._files.fs, folder)

    def remove_folder(self, folder: str) -> None:
        self.remove(folder)

    def _put(self, path: str, data: bytes, mode: str) -> None:
        with self._errors():
            file = lfs.file_open(self._files.fs, path, mode)
            try:
                lfs.file_write(self._files.fs, file, data)
            finally:
                lfs.file_close(self._files.fs, file)
            if self._stamped:
                lfs.setattr(self._files.fs, path, 1, bytes(8))

    def _mount(self, blank: bool) -> None:
        self._files = LittleFS(
            context=self._chip, mount=False, block_size=BLOCK, block_count=len(self._chip.buffer) // BLOCK,
            read_size=32, prog_size=32, cache_size=128, lookahead_size=32, block_cycles=100,
        )  # fmt: skip
        if blank:
            self._files.format()
        self._files.mount()

    @contextlib.contextmanager
    def _errors(self, but: int = 0) -> Iterator[None]:
        """What littlefs raises, as OSError; except the one that is no error here."""
        try:
            yield
        except LittleFSError as error:
            if error.code == but:
                return
            if error.code == CHIP_ERROR:
                self._mount(blank=False)
            raise OSError(-error.code, str(error)) from error
