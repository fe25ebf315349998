"""The cable: the port of MicroPython's prompt, on a UART and on native USB alike, as packets of `moveclock.cable`.

`sys.stdin.buffer` and `sys.stdout.buffer` leave bytes as they are. Reading is a byte at a time, because a read of more
waits for them all; writing is a few bytes a turn, because a UART takes 11 a millisecond and the interpreter, and with
it every stamp, would stand still for the rest.
"""

import select
import sys

import micropython

from moveclock import cable

_CTRL_C = 3
_CHUNK = 64  # bytes a turn: what a UART's buffer takes at once
_READ_MOST = 320  # bytes a turn
_WAITING_MOST = 2048  # bytes to be written; a computer that does not read loses what comes on top


class Port:
    """Packets in and out. While it is taken, Ctrl-C is a byte like any other."""

    def __init__(self) -> None:
        self.packets = cable.Packets()
        self._in = sys.stdin.buffer
        self._out = sys.stdout.buffer
        self._poll = select.poll()
        self._poll.register(self._in, select.POLLIN)
        self._byte = bytearray(1)
        self._bytes = bytearray()
        self._waiting = bytearray()
        micropython.kbd_intr(-1)

    def give_back(self) -> None:
        """The prompt is needed: all is written, Ctrl-C is Ctrl-C."""
        while self._waiting:
            self.flush()
        micropython.kbd_intr(_CTRL_C)

    def take(self) -> list:
        """Packets `(kind, payload)` that have come."""
        count = 0
        while count < _READ_MOST and self._poll.poll(0):
            if not self._in.readinto(self._byte):  # type: ignore[union-attr]  # every stream of a board has it
                break
            self._bytes.extend(self._byte)
            count += 1
        if not count:
            return []
        data = bytes(self._bytes)
        self._bytes = bytearray()
        return self.packets.feed(data)

    def put(self, kind: int, payload: bytes = b"") -> None:
        """A packet to be written."""
        if len(self._waiting) <= _WAITING_MOST:
            self._waiting.extend(cable.pack(kind, payload))

    def waits(self) -> bool:
        """Whether something is still to be written."""
        return len(self._waiting) > 0

    def flush(self) -> None:
        """Write a little of what waits."""
        if self._waiting:
            self._out.write(bytes(self._waiting[:_CHUNK]))
            self._waiting = self._waiting[_CHUNK:]
