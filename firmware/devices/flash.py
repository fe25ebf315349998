"""The box's storage: MicroPython's littlefs, under paths without a leading slash.

littlefs makes what was written a file's content when the file is closed, all of it or nothing. After an error of the
chip itself the filesystem is mounted anew before the next call, as `moveclock.segments.Flash` promises.
"""

import errno
import gc
import os

from devices.stalls import Stalls
from moveclock.segments import Flash

# Errors that say nothing against the chip: no such file, exists, not a folder, is a folder, no space, folder not empty.
_HARMLESS = (errno.ENOENT, errno.EEXIST, 20, errno.EISDIR, 28, 39)


class DiskFlash(Flash):
    """Files of the board, from its working folder. `stalls`: who is to know how long each call took."""

    def __init__(self, stalls: Stalls) -> None:
        self._during = stalls.during
        self._broken = False

    def names(self, folder: str) -> list:
        self._ready()
        try:
            return self._during(os.listdir, folder)  # type: ignore[return-value]  # what listdir answers
        except OSError as error:
            self._judge(error)
        return []

    def read(self, path: str) -> bytes | None:
        self._ready()
        try:
            return self._during(_content, path)  # type: ignore[return-value]  # what _content answers
        except OSError as error:
            self._judge(error)
        return None

    def write(self, path: str, data: bytes) -> None:
        self._store(path, "wb", data)

    def append(self, path: str, data: bytes) -> None:
        self._store(path, "ab", data)

    def remove(self, path: str) -> None:
        self._change(os.remove, path)

    def make(self, folder: str) -> None:
        try:
            self._change(os.mkdir, folder)
        except OSError as error:
            if error.errno != errno.EEXIST:
                raise

    def remove_folder(self, folder: str) -> None:
        self._change(os.rmdir, folder)

    def _store(self, path: str, mode: str, data: bytes) -> None:
        self._ready()
        try:
            file = self._during(open, path, mode)
            try:
                self._during(file.write, data)  # type: ignore[attr-defined]  # an open file
            finally:
                self._during(file.close)  # type: ignore[attr-defined]  # the same
        except OSError as error:
            self._note(error)
            raise

    def _change(self, change: object, path: str) -> None:
        self._ready()
        try:
            self._during(change, path)
        except OSError as error:
            self._note(error)
            raise

    def _judge(self, error: OSError) -> None:
        """What is not there is no error; anything else is."""
        if error.errno != errno.ENOENT:
            self._note(error)
            raise error

    def _note(self, error: OSError) -> None:
        self._broken = error.errno not in _HARMLESS

    def _ready(self) -> None:
        if self._broken:
            self._during(mount_anew)
            self._broken = False


def _content(path: str) -> bytes:
    with open(path, "rb") as file:
        size = file.seek(0, 2)  # to read without a size takes and gives back memory again and again
        file.seek(0)
        return bytes(file.read(size))


def mount_anew() -> None:
    """Mount the board's filesystem once more; OSError if that fails, too."""
    try:
        import vfs
        from flashbdev import bdev  # the board's own partition
    except ImportError:
        return  # no board with a flash of its own
    gc.collect()  # a file whose closing failed is closed again when it is collected: never into what is mounted then
    try:
        vfs.umount("/")
    except OSError:
        pass  # it was not mounted: the last attempt had failed
    vfs.mount(vfs.VfsLfs2(bdev), "/")
    os.chdir("/")
