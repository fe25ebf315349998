# mypy: ignore-errors
# ruff: noqa: PYI034
"""The flash: a folder outside, mounted at `/` as a board mounts its littlefs. errno values are MicroPython's.

A file that was opened for writing is on flash from `close` or `flush` on, and as a whole: what was there before stays
until then (a new file is empty until then), as littlefs promises.
"""

import errno
import io
import json

import hostfiles


def _done(answer: str) -> str:
    if answer[:1] == "!":
        raise OSError(int(answer[1:]))
    return answer


class File(io.IOBase):
    """An open file, binary; `_Text` is around it in text mode."""

    def __init__(self, path: str, mode: str) -> None:
        self._path = path
        self._data = bytearray()
        self._at = 0
        self._writes = False
        self._changed = False
        self._open = True
        kind = hostfiles.stat(path)
        if kind[:1] == "d":
            raise OSError(errno.EISDIR)
        if "r" in mode:
            _done(kind)
        if "x" in mode and kind[:1] != "!":
            raise OSError(errno.EEXIST)
        self._writes = "r" not in mode or "+" in mode
        if kind[:1] == "!":
            _done(hostfiles.write(path, ""))
        elif "w" not in mode:
            self._data = bytearray(bytes.fromhex(_done(hostfiles.read(path))))
        else:
            self._changed = True
        self._appends = "a" in mode
        if self._appends:
            self._at = len(self._data)

    def read(self, count: int = -1) -> bytes:
        self._must_be_open()
        end = len(self._data) if count is None or count < 0 else min(len(self._data), self._at + count)
        found = bytes(self._data[self._at : end])
        self._at = end
        return found

    def readinto(self, buffer: bytearray, count: int = -1) -> int:
        found = self.read(len(buffer) if count < 0 else count)
        buffer[: len(found)] = found
        return len(found)

    def readline(self, count: int = -1) -> bytes:
        end = self._data.find(b"\n", self._at)
        return self.read(-1 if end < 0 else end + 1 - self._at)

    def readlines(self) -> list:
        return list(self)

    def __iter__(self) -> "File":
        return self

    def __next__(self) -> bytes:
        line = self.readline()
        if not line:
            raise StopIteration
        return line

    def write(self, data: object, *rest: int) -> int:
        self._must_be_open()
        if not self._writes:
            raise OSError(errno.EBADF)
        fresh = bytes(data)
        if self._appends:
            self._at = len(self._data)
        if self._at > len(self._data):
            self._data.extend(bytes(self._at - len(self._data)))
        self._data[self._at : self._at + len(fresh)] = fresh
        self._at += len(fresh)
        self._changed = True
        return len(fresh)

    def seek(self, offset: int, whence: int = 0) -> int:
        self._at = max(0, offset + (0, self._at, len(self._data))[whence])
        return self._at

    def tell(self) -> int:
        return self._at

    def flush(self) -> None:
        self._must_be_open()
        if self._changed:
            _done(hostfiles.write(self._path, bytes(self._data).hex()))
            self._changed = False

    def close(self) -> None:
        if self._open:
            try:
                self.flush()
            finally:
                self._open = False

    def ioctl(self, request: int, argument: int) -> int:
        if request == 4:
            self.close()
            return 0
        if request == 11:
            return 0
        return -1

    def __enter__(self) -> "File":
        return self

    def __exit__(self, *what: object) -> None:
        self.close()

    def _must_be_open(self) -> None:
        if not self._open:
            raise OSError(errno.EINVAL)


class Text:
    """A file of text."""

    def __init__(self, file: File) -> None:
        self._file = file

    def read(self, count: int = -1) -> str:
        if count < 0:
            return self._file.read().decode()
        found = self._file.read(count)
        while True:
            try:
                return found.decode()
            except UnicodeError:
                found += self._file.read(1)

    def readline(self) -> str:
        return self._file.readline().decode()

    def readlines(self) -> list:
        return list(self)

    def __iter__(self) -> "Text":
        return self

    def __next__(self) -> str:
        return self._file.__next__().decode()

    def write(self, text: str) -> int:
        self._file.write(text.encode())
        return len(text)

    def __getattr__(self, name: str) -> object:
        return getattr(self._file, name)

    def __enter__(self) -> "Text":
        return self

    def __exit__(self, *what: object) -> None:
        self._file.close()


class Flash:
    """The mounted file system."""

    def __init__(self, device: object = None, **what: object) -> None:
        self._folder = "/"

    def mount(self, readonly: bool, mkfs: bool) -> None:
        pass

    def umount(self) -> None:
        pass

    def open(self, path: str, mode: str) -> object:
        file = File(self._whole(path), mode)
        return file if "b" in mode else Text(file)

    def stat(self, path: str) -> tuple:
        kind = _done(hostfiles.stat(self._whole(path)))
        return (0x4000 if kind[0] == "d" else 0x8000, 0, 0, 0, 0, 0, int(kind[2:]), 0, 0, 0)

    def ilistdir(self, path: str = "") -> object:
        found = _done(hostfiles.list(self._whole(path)))
        return iter([(name, 0x4000 if folder else 0x8000, 0, size) for name, folder, size in json.loads(found)])

    def mkdir(self, path: str) -> None:
        _done(hostfiles.mkdir(self._whole(path)))

    def remove(self, path: str) -> None:
        _done(hostfiles.remove(self._whole(path)))

    rmdir = unlink = remove

    def rename(self, old: str, new: str) -> None:
        _done(hostfiles.rename(self._whole(old), self._whole(new)))

    def statvfs(self, path: str) -> tuple:
        return (4096, 4096, 512, 400, 400, 0, 0, 0, 0, 255)

    def chdir(self, path: str) -> None:
        folder = self._whole(path)
        if _done(hostfiles.stat(folder))[0] != "d":
            raise OSError(errno.ENOENT)
        self._folder = folder if folder[-1:] == "/" else folder + "/"

    def getcwd(self) -> str:
        return self._folder if self._folder == "/" else self._folder[:-1]

    def _whole(self, path: str) -> str:
        return path if path[:1] == "/" else self._folder + path
