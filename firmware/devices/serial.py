"""The cable: the port of MicroPython's prompt, on a UART and on native USB alike, as packets of `moveclock.cable`.

`sys.stdin.buffer` and `sys.stdout.buffer` leave bytes as they are. Reading is a byte at a time, because a read of more
waits for them all. Writing is a few bytes a time, because the interpreter, and with it every stamp, stands still until
the port has taken them: a UART takes 11 a millisecond into a buffer of 128; native USB waits up to half a second for a
computer that has opened the port and does not read (shared/tinyusb), so after one such wait nothing is written until
that computer says something. The port itself keeps 259 bytes that were not read yet, and a UART loses the rest: a desk
must not send more than that while flash is erased.
"""

import select
import sys

import micropython

from devices.counter import since, ticks_ms
from moveclock import cable

_CTRL_C = 3
_CHUNK = 64  # bytes a time: half of a UART's buffer
_CHUNK_MS = 6  # in which a UART sends them
_DEAF_MS = 100  # a write that takes so long has found nobody
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
        self._deaf = False
        self._wrote_at = ticks_ms()
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
        self._deaf = False
        data = bytes(self._bytes)
        self._bytes = bytearray()
        return self.packets.feed(data)

    def put(self, kind: int, payload: bytes = b"") -> None:
        """A packet to be written."""
        if not self._deaf and len(self._waiting) <= _WAITING_MOST:
            self._waiting.extend(cable.pack(kind, payload))

    def waits(self) -> bool:
        """Whether something is still to be written."""
        return len(self._waiting) > 0

    def flush(self) -> None:
        """Write a little of what waits, if the port has room for it."""
        if not self._waiting or since(self._wrote_at) < _CHUNK_MS:
            return
        begun = ticks_ms()
        written = self._out.write(bytes(self._waiting[:_CHUNK]))
        self._wrote_at = ticks_ms()
        self._deaf = since(begun) >= _DEAF_MS
        self._waiting = bytearray() if self._deaf else self._waiting[written:]
