"""A flash in memory that fails when told to: the storage of every journal test that runs on both interpreters."""

from moveclock.segments import Flash

UNDONE = 0  # nothing of the failing call is on flash
DONE = 1  # all of it is, though it raised
TORN = 2  # half an append is, or a new file without its content; anything else is not


class MemoryFlash(Flash):
    """`writes` counts calls that change something; number `fail_at` raises OSError, `how` says with what effect.

    With `dies` every later call raises too, as after a power cut; `revive` is the next power-on.
    """

    def __init__(self) -> None:
        self.files: dict[str, bytes] = {}
        self.folders: list[str] = []
        self.writes = 0
        self.reads = 0
        self.fail_at = 0
        self.how = UNDONE
        self.errno = 5
        self.dies = False
        self.dead = False

    def fail(self, after: int, how: int, dies: bool) -> None:
        """The `after`-th call from now that would change something fails."""
        self.fail_at = self.writes + after
        self.how = how
        self.dies = dies

    def revive(self) -> None:
        self.fail_at = 0
        self.dead = False

    def names(self, folder: str) -> list[str]:
        self._look()
        start = folder + "/"
        found = [path[len(start) :] for path in list(self.files) + self.folders if path.startswith(start)]
        return sorted(name for name in found if "/" not in name)

    def read(self, path: str) -> bytes | None:
        self._look()
        return self.files.get(path)

    def write(self, path: str, data: bytes) -> None:
        self._inside(path)
        self._change(path, bytes(data), self.files.get(path, b""))

    def append(self, path: str, data: bytes) -> None:
        held = self._held(path)
        self._change(path, held + bytes(data), held + bytes(data[: len(data) // 2 + 1]))

    def remove(self, path: str) -> None:
        self._change(path, None, self._held(path))

    def make(self, folder: str) -> None:
        self._inside(folder)
        if folder not in self.folders and self._may():
            self.folders.append(folder)
        self._raise_if_due()

    def remove_folder(self, folder: str) -> None:
        if folder not in self.folders or self.names(folder):
            raise OSError(39, "not an empty folder")
        if self._may():
            self.folders.remove(folder)
        self._raise_if_due()

    def _inside(self, path: str) -> None:
        parent = path.rpartition("/")[0]
        if parent and parent not in self.folders:
            raise OSError(2, "not there")

    def _held(self, path: str) -> bytes:
        if path not in self.files:
            raise OSError(2, "not there")
        return self.files[path]

    def _look(self) -> None:
        self.reads += 1
        if self.dead:
            raise OSError(5, "no power")

    def _change(self, path: str, done: bytes | None, torn: bytes | None) -> None:
        if self._may():
            after = done
        elif not self.dead and self.how == TORN:
            after = torn
        else:
            after = self.files.get(path)
        if after is not None:
            self.files[path] = after
        elif path in self.files:
            del self.files[path]
        self._raise_if_due()

    def _may(self) -> bool:
        """Whether the call under way does its work."""
        if self.dead:
            return False
        self.writes += 1
        return self.writes != self.fail_at or self.how == DONE

    def _raise_if_due(self) -> None:
        if self.dead or self.writes == self.fail_at:
            self.fail_at = 0
            self.dead = self.dead or self.dies
            raise OSError(self.errno, "told to fail")
