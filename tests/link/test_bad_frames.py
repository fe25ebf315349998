"""Bytes that are not what they should be: refused and counted, without effect on journal, clock or desk."""

from __future__ import annotations

import struct

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dalej.link.session import PING_MS
from moveclock import facts as k
from moveclock import secure, wire
from tests.link.hand import OTHER_SECRET, Hand, hello, is_live
from tests.link.rig import SECRET, UID

KINDS = range(256)


class Tapped:
    """A running table, its desk, and everything that the two have said, in order: who listens has it all."""

    def __init__(self) -> None:
        self.hand = Hand().configured()
        self.to_box: list[bytes] = []
        self.to_desk: list[bytes] = []
        hand = self.hand
        hand.open()
        self.session = hand.session()
        hand.box.closed(1)
        hand.frames()
        hand.open()
        self.session.start(hand.now)
        self.talk()
        hand.tap(2 * k.SEAT_A)
        self.talk()
        self.session.command(7, k.C_FINAL_LAP, struct.pack("<I", k.ROUND_TIME), hand.now)
        self.talk()
        hand.wait(100)
        self.talk()
        assert is_live(self.session)
        assert len(self.to_box) >= 5

    def talk(self) -> None:
        while out := self.session.frames():
            for frame in out:
                self.to_box.append(frame)
                self.hand.give(frame)
            for frame in self.hand.frames():
                self.to_desk.append(frame)
                self.session.receive(frame, self.hand.now)
            head = self.hand.box.journal.head
            if self.session.events and self.hand.box.journal.acked < head:
                self.session.events.clear()
                self.session.committed(self.session.epoch, head)


def expect_refused(hand: Hand, frame: bytes, link: int = 1) -> None:
    """The box counts the frame and is otherwise as it was."""
    before, refused = hand.fingerprint(), hand.box.links.refused

    hand.give(frame, link)

    assert hand.box.links.refused == refused + 1
    assert hand.fingerprint() == before


# --- a live session under attack -----


def test_every_truncation_of_a_genuine_frame_is_refused() -> None:
    tapped = Tapped()
    tapped.session.command(8, k.C_STOP, struct.pack("<I", k.REFEREE), tapped.hand.now)
    (frame,) = tapped.session.frames()

    for size in range(len(frame)):
        expect_refused(tapped.hand, frame[:size])

    tapped.hand.give(frame)
    assert tapped.hand.box.clock.state == k.STOPPED


def test_every_flipped_bit_of_a_genuine_frame_is_refused() -> None:
    tapped = Tapped()
    tapped.session.command(8, k.C_STOP, struct.pack("<I", k.REFEREE), tapped.hand.now)
    (frame,) = tapped.session.frames()

    for place in range(8 * len(frame)):
        flipped = bytearray(frame)
        flipped[place // 8] ^= 1 << place % 8
        expect_refused(tapped.hand, bytes(flipped))

    tapped.hand.give(frame)
    assert tapped.hand.box.clock.state == k.STOPPED


@pytest.mark.parametrize("size", [245, 512, 65_536])
def test_oversized_frames_are_refused(size: int) -> None:
    tapped = Tapped()

    expect_refused(tapped.hand, bytes(size))
    expect_refused(tapped.hand, hello() + bytes(size))


def test_frames_that_come_again_are_refused_one_by_one() -> None:
    tapped = Tapped()

    for frame in tapped.to_box:
        expect_refused(tapped.hand, frame)

    assert tapped.hand.is_open()


def test_a_whole_recorded_session_played_to_the_box_again_has_no_effect() -> None:
    tapped = Tapped()
    hand = tapped.hand
    hand.box.closed(1)
    hand.frames()
    before, refused = hand.fingerprint(), hand.box.links.refused
    since = hand.now

    hand.open()
    for frame in tapped.to_box:
        hand.give(frame)
    assert hand.fingerprint()[:3] == before[:3]
    assert hand.box.links.refused >= refused + len(tapped.to_box) - 1
    assert hand.box.links.desk(hand.now) is None
    hand.wait(3000)

    assert not hand.is_open()
    assert hand.now - since <= 3000


def test_a_recorded_session_played_to_the_box_after_a_restart_has_no_effect() -> None:
    tapped = Tapped()
    hand = tapped.hand
    hand.restart()
    before = hand.fingerprint()[:3]

    hand.open()
    for frame in tapped.to_box:
        hand.give(frame)
    hand.wait(3000)

    assert hand.fingerprint()[:3] == before
    assert not hand.is_open()


def test_what_the_box_said_does_not_open_when_it_is_sent_back_to_it() -> None:
    tapped = Tapped()

    for frame in tapped.to_desk:
        expect_refused(tapped.hand, frame)


def test_what_the_desk_said_does_not_open_when_it_is_sent_back_to_it() -> None:
    tapped = Tapped()
    session = tapped.session

    for frame in tapped.to_box:
        refused = session.refused
        session.receive(frame, tapped.hand.now)
        assert session.refused == refused + 1

    assert not session.events
    assert is_live(session)


def test_a_handshake_that_is_reflected_to_the_box_gets_nobody_in() -> None:
    """The box's own words, sent back: its welcome as a hello, its proof as the desk's."""
    hand = Hand().configured()
    before = hand.fingerprint()
    hand.open()
    hand.give(hello())
    (welcome,) = hand.frames()

    hand.give(welcome)
    hand.give(bytes([wire.AUTH]) + secure.handshake_tag(SECRET, secure.BOX, hello() + welcome))
    hand.wait(3000)

    assert hand.fingerprint() == before
    assert not hand.is_open()


def test_a_handshake_that_is_reflected_to_the_desk_makes_no_box() -> None:
    """A stranger answers a desk with the desk's own frames, or with a box's welcome and the desk's own proof."""
    hand = Hand()
    hand.open()
    session = hand.session()
    session.events.clear()
    session.start(hand.now)
    (greeting,) = session.frames()
    session.receive(greeting, hand.now)
    session.receive(wire.pack_welcome(UID, 5, 1, 1, 9, 100, bytes(16)), hand.now)
    (auth,) = session.frames()

    session.receive(auth, hand.now)
    session.receive(bytes([wire.ACCEPTED]) + auth[1:], hand.now)
    session.receive(bytes([wire.ACCEPTED]) + struct.pack("<I", 5) + auth[1:], hand.now)

    assert not is_live(session)
    assert not session.events


def test_frames_in_the_wrong_order_are_refused_and_the_right_one_still_counts() -> None:
    hand = Hand().configured()
    session = hand.session()
    session.committed(session.epoch, 2)
    session.committed(session.epoch, 3)
    early, late = session.frames()

    hand.give(late)
    assert hand.box.journal.acked == 3
    expect_refused(hand, early)


def test_a_hello_or_a_proof_within_a_live_session_is_refused() -> None:
    tapped = Tapped()

    expect_refused(tapped.hand, hello(nonce=bytes([9]) * 16))
    expect_refused(tapped.hand, bytes([wire.AUTH]) + bytes(16))
    assert tapped.hand.is_open()


def test_the_box_knows_no_frame_of_a_kind_that_only_it_sends() -> None:
    hand = Hand().configured()
    session = hand.session()
    known = {wire.ACK, wire.COMMAND, wire.PING, wire.BYE}

    for kind in KINDS:
        if kind in known:
            continue
        refused = hand.box.links.refused
        session._send(bytes([kind]) + bytes(31))
        hand.talk(session)
        assert hand.box.links.refused == refused + 1

    assert hand.is_open()


# --- before anybody is trusted -----


@given(st.lists(st.binary(max_size=260), max_size=12))
def test_random_bytes_from_a_stranger_change_nothing_and_free_the_slot_in_eight_seconds(frames: list[bytes]) -> None:
    hand = Hand().configured()
    before = hand.fingerprint()
    hand.open()

    for frame in frames:
        hand.give(frame)
        hand.wait(7)
    hand.wait(8000)

    assert hand.fingerprint() == before
    assert not hand.is_open()


@given(st.lists(st.tuples(st.sampled_from(range(40)), st.binary(max_size=60)), max_size=12))
def test_random_frames_of_known_kinds_after_a_hello_change_nothing(frames: list[tuple[int, bytes]]) -> None:
    hand = Hand().configured()
    before = hand.fingerprint()
    hand.open()
    hand.give(hello())

    for kind, rest in frames:
        hand.give(bytes([kind]) + rest)
    hand.wait(3000)

    assert hand.fingerprint() == before
    assert not hand.is_open()


@pytest.mark.parametrize("kind", [wire.ACK, wire.COMMAND, wire.PING, wire.BYE])
def test_nothing_is_obeyed_before_auth(kind: int) -> None:
    """A stranger who seals with a key that only the secret could give, or not at all."""
    hand = Hand().configured()
    hand.open()
    hand.give(hello())
    before = hand.fingerprint()
    body = {
        wire.ACK: struct.pack("<BII", wire.ACK, hand.box.journal.epoch, 2),
        wire.COMMAND: wire.pack_command(9, k.C_START, 0, 0, 0, 0, b""),
        wire.PING: struct.pack("<BI", wire.PING, 5),
        wire.BYE: bytes([wire.BYE]),
    }[kind]

    hand.give(body)
    hand.give(bytes([wire.SEALED]) + secure.Seal(OTHER_SECRET).seal(body))

    assert hand.fingerprint() == before
    assert hand.is_open()


@given(st.lists(st.binary(max_size=260), max_size=30))
def test_random_bytes_on_the_desks_link_neither_end_nor_change_its_session(frames: list[bytes]) -> None:
    tapped = Tapped()
    before, refused = tapped.hand.fingerprint(), tapped.hand.box.links.refused

    for frame in frames:
        tapped.hand.give(frame)

    assert tapped.hand.box.links.refused == refused + len(frames)
    assert tapped.hand.fingerprint() == before
    tapped.hand.wait(10)
    tapped.session.handle_timer(tapped.hand.now + PING_MS)
    assert tapped.session.frames()


@given(st.lists(st.binary(max_size=260), max_size=30))
def test_random_bytes_never_reach_the_desk_as_anything(frames: list[bytes]) -> None:
    tapped = Tapped()
    session = tapped.session

    for frame in frames:
        session.receive(frame, tapped.hand.now)

    assert not session.events
    assert is_live(session)


@given(st.lists(st.binary(max_size=80), max_size=8))
def test_random_answers_to_a_hello_never_make_a_box(frames: list[bytes]) -> None:
    session = Tapped().session
    session.start(1000)
    session.events.clear()

    for frame in frames:
        session.receive(frame, 1000)
        session.receive(bytes([wire.WELCOME]) + frame, 1000)
        session.receive(bytes([wire.ACCEPTED]) + frame, 1000)

    assert not is_live(session)


def test_every_truncation_and_flip_of_a_boxs_frame_is_refused_by_the_desk() -> None:
    tapped = Tapped()
    session, hand = tapped.session, tapped.hand
    hand.tap(k.SEDZIA)
    frame = hand.frames()[0]
    bad = [frame[:size] for size in range(len(frame))]
    for place in range(8 * len(frame)):
        flipped = bytearray(frame)
        flipped[place // 8] ^= 1 << place % 8
        bad.append(bytes(flipped))

    refused = session.refused
    for spoilt in bad:
        session.receive(spoilt, hand.now)
    assert session.refused == refused + len(bad)
    assert not session.events

    session.receive(frame, hand.now)
    assert len(session.events) == 1


def test_a_refusal_in_the_clear_does_not_end_a_live_session() -> None:
    tapped = Tapped()

    tapped.session.receive(wire.pack_refusal(wire.NO_BUSY, wire.UNPROVED, b"nobody"), tapped.hand.now)

    assert is_live(tapped.session)
    assert not tapped.session.events


def test_a_trusted_box_that_sends_a_fact_without_a_number_is_not_believed() -> None:
    hand = Hand()
    session = hand.session()
    sealer = hand.box.links.peers[0]._sealer
    assert sealer is not None
    session.events.clear()
    fact = (k.BOOTED, 0, 0, 0, k.NOBODY, 0, 0, 0, 0)

    session.receive(bytes([wire.SEALED]) + sealer.seal(bytes([wire.RECORDS]) + wire.pack_record(0, 1, fact)), hand.now)

    assert session.refused == 1
    assert not session.events
