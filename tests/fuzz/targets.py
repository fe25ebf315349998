"""What takes bytes from strangers, each as a function of bytes that must not raise, whatever they are.

Every one also asserts that the bytes had no effect: who has no key changes nothing. `test_targets.py` feeds them from
hypothesis in every run, `python -m tests.fuzz` from a coverage-guided fuzzer for as long as one likes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from random import Random
from typing import Final

from dalej.link.roster import Roster
from dalej.link.session import FactsArrived, Phase, Session, StateHeard, Trusted
from dalej.link.uptime import UptimeMap
from moveclock import cable, identity, settings, wire
from moveclock import facts as k
from tests.link.hand import Hand, is_live
from tests.link.rig import SECRET, UID

STRANGER: Final = 2  # the number of a link on which nobody has proved himself
GENUINE: Final = b"\x01 a packet of the box"


def frames_to_a_box(data: bytes) -> None:
    """A stranger's frames at a running table whose desk is on another link, and the same frames on the desk's own."""
    hand = Hand().configured()
    desk = hand.session()
    assert is_live(desk)
    hand.tap(2 * k.SEAT_A)
    before = hand.fingerprint()
    hand.open(STRANGER)
    for frame in _frames(data):
        hand.box.receive(STRANGER, frame, hand.now)
        hand.box.receive(1, frame, hand.now)
    hand.pump()
    assert hand.fingerprint() == before
    assert [peer.state for peer in hand.box.links.peers if peer.link == 1] == [2]  # trusted as before


def frames_to_a_desk(data: bytes) -> None:
    """A stranger that was taken for the box, from the first frame on."""
    for welcomed in (False, True):
        session = Session(
            uid=UID, secret=SECRET, desk_id=1, desk_name="desk", known=[], nonce=Random(1).randbytes(16),
            uptimes=UptimeMap(),
        )  # fmt: skip
        session.start(0)
        if welcomed:
            session.receive(wire.pack_welcome(UID, 7, 1, 1, 5, 0, bytes(16)), 1)
        for frame in _frames(data):
            session.receive(frame, 2)
        assert session.phase is not Phase.LIVE
        assert not any(isinstance(event, Trusted | FactsArrived | StateHeard) for event in session.events)


def advertisements(data: bytes) -> None:
    """Whatever a scanner hears; beginnings that look like a box's come from the fuzzer's own luck and from here."""
    roster = Roster()
    roster.know(UID, SECRET, UptimeMap())
    start = b"\x1b\xff\xff\xff" + bytes(2) + UID[3:]
    for heard in (data, start + data, (start + data)[:28].ljust(28, b"\0")):
        assert roster.hear(heard, 0) is None
    assert roster.refused == 3


def serial_bytes(data: bytes) -> None:
    """Noise on a cable, then a packet: the noise is counted at most, and the packet arrives."""
    packets = cable.Packets()
    half = len(data) // 2
    packets.feed(data[:half])
    packets.feed(data[half:])
    found = packets.feed(b"\0" + cable.pack(cable.FRAME, GENUINE))
    assert (cable.FRAME, GENUINE) in [(kind, bytes(payload)) for kind, payload in found]


def stored_bytes(data: bytes) -> None:
    """Files that were damaged: a `WireError`, or what packs to the same bytes."""
    for unpack in (identity.unpack, settings.unpack):
        try:
            found = unpack(data)
        except wire.WireError:
            continue
        assert found.pack() == data
    for parse in (wire.unpack_record, wire.unpack_hello, wire.unpack_welcome, wire.unpack_state, cable.unpack_told):
        try:
            parse(data)
        except wire.WireError:
            continue


def _frames(data: bytes) -> Iterator[bytes]:
    """Bytes as frames: a length, then so many."""
    while data:
        size = data[0]
        yield data[1 : 1 + size]
        data = data[1 + size :]


TARGETS: Final[Mapping[str, Callable[[bytes], None]]] = {
    "box": frames_to_a_box,
    "desk": frames_to_a_desk,
    "adverts": advertisements,
    "serial": serial_bytes,
    "stored": stored_bytes,
}
