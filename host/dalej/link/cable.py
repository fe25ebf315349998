"""The desk's end of one cable, without I/O: bytes and times in; bytes, events and the next timer out. And what a box
tells anybody of itself: `moveclock.box.Box.info`, over the cable and as the INFO of its radio.
"""

from __future__ import annotations

import struct
from collections import deque
from dataclasses import dataclass
from typing import Final

from moveclock import cable
from moveclock.wire import WireError

_INFO: Final = "<B6sBBB"
_KOSTKA: Final = 1
_SHARED: Final = 2


@dataclass(frozen=True, slots=True)
class BoxInfo:
    """`mtu`: the least it needs. `kostka`: it has a contact at the draw stack; `shared`: one Już and one Dalej."""

    protocol: int
    uid: bytes
    firmware: int
    kostka: bool
    shared: bool
    mtu: int


def read_info(data: bytes) -> BoxInfo:
    """WireError if these bytes are too few; what a newer firmware adds at the end is left unread."""
    size = struct.calcsize(_INFO)
    if len(data) < size:
        raise WireError(f"a box tells of itself in {len(data)} bytes, expected {size}")
    protocol, uid, firmware, features, mtu = struct.unpack(_INFO, data[:size])
    return BoxInfo(protocol, uid, firmware, bool(features & _KOSTKA), bool(features & _SHARED), mtu)


REPEAT_MS: Final = 1_000
ANSWER_WITHIN_MS: Final = 5_000
_REPEATED: Final = (cable.ASK, cable.OPEN)


@dataclass(frozen=True, slots=True)
class BoxTold:
    """The answer to `ask`. `fingerprint`: of the box's secret, empty if it has none; `backlog`: facts that no desk has
    acknowledged, None if the box does not count them here; `free`: bytes free in its heap, likewise; `chip`: those that
    its chip has left beside it, and the largest piece of them.
    """

    info: BoxInfo
    paired: bool
    setup: bool
    fingerprint: bytes
    backlog: int | None
    free: int | None = None
    chip: tuple[int, int] | None = None


@dataclass(frozen=True, slots=True)
class LinkOpened:
    """Frames may go both ways."""


@dataclass(frozen=True, slots=True)
class LinkClosed:
    """The box has ended the link."""


@dataclass(frozen=True, slots=True)
class FrameCame:
    """One frame of the link."""

    frame: bytes


@dataclass(frozen=True, slots=True)
class Done:
    """What became of what was asked: a result of `moveclock.cable`."""

    kind: int
    result: int


@dataclass(frozen=True, slots=True)
class NoAnswer:
    """What was asked was not answered in time."""

    kind: int


Event = BoxTold | LinkOpened | LinkClosed | FrameCame | Done | NoAnswer


@dataclass(slots=True)
class _Asked:
    kind: int
    packet: bytes
    until_ms: int
    again_ms: int


class CableEnd:
    """One port with perhaps a box at its other end. `refused` counts what came in and was no packet of a box."""

    def __init__(self) -> None:
        self.events: deque[Event] = deque()
        self.linked = False
        self._packets = cable.Packets()
        self._unread = 0
        self._asked: _Asked | None = None
        self._out: list[bytes] = []

    @property
    def refused(self) -> int:
        return self._packets.refused + self._unread

    # --- the caller's side -----

    def ask(self, now_ms: int) -> None:
        """Who are you? Ends in `BoxTold` or `NoAnswer`."""
        self._ask(cable.ASK, b"", now_ms)

    def open(self, now_ms: int) -> None:
        """Begin a link, ending the one before: `LinkOpened` or `NoAnswer`."""
        self.linked = False
        self._ask(cable.OPEN, b"", now_ms)

    def pair(self, uid: bytes, secret: bytes, now_ms: int) -> None:
        """Give the box its secret: `Done` or `NoAnswer`, like the two that follow."""
        self._ask(cable.PAIR, uid + secret, now_ms)

    def to_python(self, now_ms: int) -> None:
        """Leave the firmware for MicroPython's prompt."""
        self._ask(cable.TO_PYTHON, b"", now_ms)

    def restart(self, now_ms: int) -> None:
        """Start as at power-on."""
        self._ask(cable.RESTART, b"", now_ms)

    def send(self, frame: bytes) -> None:
        """One frame of the link; forgotten if there is none."""
        if self.linked:
            self._out.append(cable.pack(cable.FRAME, frame))

    def close(self) -> None:
        """Leave the link."""
        if self.linked:
            self.linked = False
            self._out.append(cable.pack(cable.CLOSE))

    def written(self) -> bytes:
        """What to write to the port now."""
        out = b"".join(self._out)
        self._out.clear()
        return out

    def receive(self, data: bytes) -> None:
        """Bytes of the port, cut anywhere."""
        for kind, payload in self._packets.feed(data):
            try:
                self._heard(kind, payload)
            except WireError:
                self._unread += 1

    def next_timer(self) -> int | None:
        """When `handle_timer` is due."""
        return None if self._asked is None else min(self._asked.until_ms, self._asked.again_ms)

    def handle_timer(self, now_ms: int) -> None:
        """Ask again, or give up."""
        asked = self._asked
        if asked is None:
            return
        if now_ms >= asked.until_ms:
            self._asked = None
            self.events.append(NoAnswer(asked.kind))
        elif now_ms >= asked.again_ms:
            asked.again_ms = now_ms + REPEAT_MS
            self._out.append(asked.packet)

    # --- what goes out, what comes in -----

    def _ask(self, kind: int, payload: bytes, now_ms: int) -> None:
        packet = cable.pack(kind, payload)
        until_ms = now_ms + ANSWER_WITHIN_MS
        self._asked = _Asked(kind, packet, until_ms, now_ms + REPEAT_MS if kind in _REPEATED else until_ms)
        self._out.append(packet)

    def _heard(self, kind: int, payload: bytes) -> None:
        if kind == cable.FRAME:
            if self.linked:
                self.events.append(FrameCame(payload))
        elif kind == cable.TOLD:
            told = cable.unpack_told(payload)
            info = read_info(told.info)
            if self._answers(cable.ASK):
                self.events.append(
                    BoxTold(info, told.paired, told.setup, told.fingerprint, told.backlog, told.free, told.chip)
                )
        elif kind == cable.OPENED:
            if self._answers(cable.OPEN):
                self.linked = True
                self.events.append(LinkOpened())
        elif kind == cable.CLOSED:
            if self.linked:
                self.linked = False
                self.events.append(LinkClosed())
        elif kind == cable.DONE:
            if len(payload) != 2:
                raise WireError(f"an answer of {len(payload)} bytes")
            if self._answers(payload[0]):
                self.events.append(Done(payload[0], payload[1]))
        else:
            raise WireError(f"a packet of kind {kind}")

    def _answers(self, kind: int) -> bool:
        """Whether this is what was asked, which is answered then."""
        if self._asked is None or self._asked.kind != kind:
            return False
        self._asked = None
        return True
