"""What MicroPython's own littlefs makes of a chip that fails for a moment."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.nimble.rig import printed

pytestmark = [pytest.mark.e2e, pytest.mark.usefixtures("nimble")]

BROKEN = """
import gc, os, sys, vfs
from devices import flash
from devices.stalls import Stalls
from moveclock.journal import Journal
BLOCK, BLOCKS, EPOCH = 1024, 64, 0x1234
DATA = bytearray(BLOCK * BLOCKS)
class Chip:
    def __init__(self):
        self.data = DATA
        for block in range(BLOCKS):
            self.ioctl(6, block)
        self.left = None
    def readblocks(self, block, buffer, offset=0):
        at = block * BLOCK + offset
        buffer[:] = self.data[at : at + len(buffer)]
    def writeblocks(self, block, buffer, offset=0):
        if self.left is not None:
            self.left -= 1
            if self.left < 0:
                self.left = None
                raise OSError(-24577, "ESP_ERR_FLASH_OP_FAIL")
        at = block * BLOCK + offset
        for place in range(len(buffer)):
            self.data[at + place] &= buffer[place]
    def ioctl(self, what, block):
        if what == 6:
            self.data[block * BLOCK : (block + 1) * BLOCK] = b"\\xff" * BLOCK
        return {4: BLOCKS, 5: BLOCK}.get(what, 0)
class Module:
    pass
board = sys.modules["flashbdev"] = Module()
def mounted():
    try:
        vfs.umount("/")
    except OSError:
        pass
    vfs.mount(vfs.VfsLfs2(board.bdev), "/")
    os.chdir("/")
def record(journal, number):
    journal.commit([(1, number, 1, number, 0, 0, number, 0, 0)], b"S" * 45)
def found(fails_at):
    board.bdev = Chip()
    vfs.VfsLfs2.mkfs(board.bdev)
    mounted()
    journal = Journal(flash.DiskFlash(Stalls()), b"123456", EPOCH)
    journal.mount()
    for number in range(20):
        record(journal, number)
    board.bdev.left = fails_at
    for number in range(20, 26):
        for attempt in range(3):
            try:
                record(journal, number)
                break
            except OSError:
                pass
    gc.collect()
    for number in range(26, 28):
        record(journal, number)
    head = journal.head
    mounted()
    again = Journal(flash.DiskFlash(Stalls()), b"123456", 0x9999)
    again.mount()
    gone = [seq for seq in range(1, head + 1) if again.record(seq) is None]
    return again.epoch == EPOCH and again.head == head and not gone
print([point for point in range(24) if not found(point)])
"""


def test_a_chip_that_fails_once_at_any_write_loses_no_record(tmp_path: Path) -> None:
    """A file whose closing failed is closed once more when it is collected, into a filesystem mounted anew by then."""
    assert printed(tmp_path, BROKEN, firmware=True)[-1] == "[]"
