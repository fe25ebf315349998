"""A network to a PostgreSQL that fails in the middle of a commit: before it arrives, or before its answer does."""

from __future__ import annotations

import socket
import threading
from contextlib import suppress
from pathlib import Path
from typing import Final, Literal

_CHUNK: Final = 65_536

Fails = Literal["", "before", "after", "silent"]


class CommitWire:
    """Listens on a port of this computer for a PostgreSQL that listens on a socket in `folder`. `fails`: what becomes
    of the next commit. "before": it does not arrive; "after": its answer does not; "silent": it does not arrive, and
    the far end is not told that nobody is there any more.
    """

    def __init__(self, folder: Path) -> None:
        self.fails: Fails = ""
        self._to = str(folder / ".s.PGSQL.5432")
        self._server = socket.create_server(("127.0.0.1", 0))
        self.port = int(self._server.getsockname()[1])
        self._ends = [self._server]
        threading.Thread(target=self._accept, daemon=True).start()

    def close(self) -> None:
        for one in self._ends:
            _end(one)
            one.close()

    def _accept(self) -> None:
        with suppress(OSError):
            while True:
                near, _ = self._server.accept()
                far = socket.socket(socket.AF_UNIX)
                self._ends += [near, far]
                far.connect(self._to)
                threading.Thread(target=self._there, args=(near, far), daemon=True).start()
                threading.Thread(target=self._back, args=(near, far), daemon=True).start()

    def _there(self, near: socket.socket, far: socket.socket) -> None:
        with suppress(OSError):
            while data := near.recv(_CHUNK):
                if self.fails and b"COMMIT\0" in data:
                    fails, self.fails = self.fails, ""
                    _end(near)
                    if fails == "after":
                        far.sendall(data)
                    if fails == "before":
                        _end(far)
                    return
                far.sendall(data)
        _end(far)

    def _back(self, near: socket.socket, far: socket.socket) -> None:
        with suppress(OSError):
            while data := far.recv(_CHUNK):
                near.sendall(data)
        _end(near)


def _end(one: socket.socket) -> None:
    with suppress(OSError):
        one.shutdown(socket.SHUT_RDWR)
