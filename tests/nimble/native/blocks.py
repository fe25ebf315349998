# mypy: ignore-errors
"""The board's flash chip: a file of the outside, in blocks of 4096 bytes, for MicroPython's own littlefs.

As on the chip, what was programmed is there at once and outlives a power cut. A change can be made to fail, or to be
the one during which the power goes: half of it is then written.
"""

from bridge import bridge, halt

BLOCK = 4096


class Blocks:
    """A block device of the extended interface (docs.micropython.org, `vfs.AbstractBlockDev`)."""

    def __init__(self, path: str) -> None:
        self._file = open(path, "r+b", 0)  # noqa: PTH123, SIM115
        self._file.seek(0, 2)
        self._count = self._file.tell() // BLOCK
        self._errno = 0
        self._before = 0  # changes that still succeed before one fails
        self._cut = -1  # ... before the power goes; -1: it stays

    def breaks(self, errno: int, after: int = 0) -> None:
        self._errno = errno
        self._before = after

    def cuts(self, after: int = 0) -> None:
        self._cut = after

    def readblocks(self, block: int, buffer: bytearray, offset: int = 0) -> None:
        self._file.seek(block * BLOCK + offset)
        self._file.readinto(buffer)

    def writeblocks(self, block: int, buffer: bytearray, offset: int = 0) -> int:
        return self._change(block * BLOCK + offset, buffer)

    def ioctl(self, operation: int, argument: int) -> int:
        if operation == 4:
            return self._count
        if operation == 5:
            return BLOCK
        if operation == 6:
            return self._change(argument * BLOCK, b"\xff" * BLOCK)
        return 0

    def _change(self, at: int, data: bytes) -> int:
        if self._errno:
            if self._before <= 0:
                return -self._errno
            self._before -= 1
        self._file.seek(at)
        if self._cut == 0:
            self._file.write(data[: len(data) // 2])
            bridge.say("cut")
            halt()
        if self._cut > 0:
            self._cut -= 1
        self._file.write(data)
        return 0
