"""Facts on their way: a window of 8 frames, paced, again after a second, and no radio is pressed."""

from __future__ import annotations

import struct
from itertools import pairwise

from dalej.domain.game.facts import Fact
from dalej.link.session import Session
from dalej.simulator.box import MemoryFlash
from moveclock import facts as k
from moveclock import secure, wire
from tests.link.hand import Hand, hello, is_live, seqs
from tests.link.rig import SECRET

IN_A_FRAME = 7  # records, at an MTU of 247


def backlog(count: int, flash: MemoryFlash | None = None) -> Hand:
    """A box with so many facts that no desk has."""
    hand = Hand(flash=flash)
    while hand.box.journal.head < count:
        hand.tap(k.SEDZIA)
    assert hand.box.journal.head == count
    return hand


def sizes(frames: list[bytes]) -> list[int]:
    """How many records each sealed frame carries; frames of other kinds are left out."""
    return [(len(frame) - 14) // 32 for frame in frames if frame[0] == wire.SEALED and (len(frame) - 14) % 32 == 0]


def acknowledge(hand: Hand, session: Session, seq: int) -> None:
    session.committed(session.epoch, seq)
    hand.talk(session)


def test_eight_frames_and_no_more_travel_without_an_acknowledgement() -> None:
    hand = backlog(100)
    session = hand.session()

    hand.wait(900)
    hand.talk(session)

    assert seqs(session) == list(range(1, 8 * IN_A_FRAME + 1))


def test_live_facts_fill_the_window_frame_by_frame_too() -> None:
    hand = backlog(1)
    session = hand.session()
    acknowledge(hand, session, 1)

    for _ in range(12):
        hand.box.edge(k.SEDZIA, True, hand.now)
        hand.wait(10)
        hand.box.edge(k.SEDZIA, False, hand.now)
        hand.wait(60)
    said = hand.frames()

    assert len(sizes(said)) == 8
    assert hand.now < 1100


def test_an_acknowledgement_opens_the_window_by_what_it_covers() -> None:
    hand = backlog(100)
    session = hand.session()
    hand.wait(500)
    hand.talk(session)

    acknowledge(hand, session, 3 * IN_A_FRAME)
    hand.wait(100)
    hand.talk(session)

    assert seqs(session) == list(range(1, 11 * IN_A_FRAME + 1))


def test_without_progress_the_window_is_sent_again_after_a_second_and_not_before() -> None:
    hand = backlog(20)
    session = hand.session()
    began = hand.now
    hand.wait(500)
    hand.talk(session)
    assert seqs(session) == list(range(1, 21))

    hand.wait(began + 999 - hand.now)
    assert not sizes(hand.frames())
    hand.wait(100)
    hand.talk(session)

    assert seqs(session) == [*range(1, 21), *range(1, 21)]


def test_what_was_acknowledged_is_not_sent_again() -> None:
    hand = backlog(20)
    session = hand.session()
    hand.wait(500)
    hand.talk(session)

    acknowledge(hand, session, 15)
    hand.wait(1100)
    hand.talk(session)
    assert seqs(session) == [*range(1, 21), *range(16, 21)]

    acknowledge(hand, session, 20)
    hand.wait(5000)
    assert not sizes(hand.frames())


def test_frames_with_facts_leave_at_least_20_ms_apart() -> None:
    hand = backlog(100)
    hand.session()

    hand.wait(900)

    times = [when for when, _, frame in hand.sent if sizes([frame])]
    assert len(times) > 5
    assert all(later - earlier >= 20 for earlier, later in pairwise(times))


def test_a_radio_without_room_gets_the_same_facts_50_ms_later() -> None:
    hand = backlog(20)
    session = hand.session()
    hand.wait(5)
    hand.frames()

    hand.wait(1500)
    hand.frames()
    hand.now += 1000  # the second copy is due
    first = hand.box.send(1, hand.now)
    assert first is not None
    assert sizes([first]) == [7]
    hand.box.not_sent(1, hand.now)

    assert hand.box.send(1, hand.now + 49) is None
    again = hand.box.send(1, hand.now + 50)
    assert again is not None
    session.receive(again, hand.now)
    assert seqs(session)[-7:] == [1, 2, 3, 4, 5, 6, 7]


def test_a_radio_without_room_loses_neither_answers_nor_states_nor_order() -> None:
    hand = backlog(3)
    session = hand.session()
    hand.wait(100)
    hand.talk(session)
    session.committed(session.epoch, 3)
    hand.talk(session)
    before = len(session.events)

    hand.tap(k.SEDZIA)
    hand.frames()
    hand.now += 2000
    for _ in range(3):
        assert hand.box.send(1, hand.now) is not None
        hand.box.not_sent(1, hand.now)
        hand.now += 50
    hand.wait(100)
    hand.talk(session)

    assert [type(event).__name__ for event in list(session.events)[before:]] == ["FactsArrived"]
    assert seqs(session) == [1, 2, 3, 4]


def test_a_radio_without_room_for_the_end_of_the_handshake_gets_it_before_anything_else() -> None:
    hand = backlog(3)
    hand.open()
    hand.give(hello())
    (welcome,) = hand.frames()
    proof = bytes([wire.AUTH]) + secure.handshake_tag(SECRET, secure.DESK, hello() + welcome)
    hand.box.receive(1, proof, hand.now)

    accepted = hand.box.send(1, hand.now)
    assert accepted is not None
    assert accepted[0] == wire.ACCEPTED
    hand.box.not_sent(1, hand.now)

    assert hand.box.send(1, hand.now + 50) == accepted


def test_the_smallest_link_that_is_served_carries_two_facts_a_frame() -> None:
    hand = backlog(20)
    session = hand.session(mtu=wire.MTU_AT_LEAST)
    hand.wait(500)

    said = hand.talk(session)

    assert set(sizes(said)) == {2}
    assert all(len(frame) <= wire.MTU_AT_LEAST - 3 for frame in said)
    assert seqs(session) == list(range(1, 17))


def test_an_acknowledgement_of_what_was_never_made_or_of_another_epoch_is_ignored() -> None:
    hand = backlog(3)
    session = hand.session()
    hand.wait(100)
    hand.talk(session)

    session._send(struct.pack("<BII", wire.ACK, session.epoch, 4000))
    session._send(struct.pack("<BII", wire.ACK, session.epoch ^ 1, 3))
    hand.talk(session)

    assert is_live(session)
    assert hand.box.journal.acked == 0


def test_a_fact_that_was_damaged_on_flash_says_so_under_its_own_number() -> None:
    hand = backlog(40)
    flash = hand.flash
    path = f"journal/{hand.box.journal.epoch:08x}/0/1"  # facts 5 to 8
    held = flash.read(path)
    assert held is not None
    flash.write(path, held[:40] + b"\xff" + held[41:])

    session = hand.session()
    hand.wait(200)
    hand.talk(session)

    facts = [fact for event in session.events for fact in getattr(event, "facts", ())]
    assert [fact.seq for fact in facts] == list(range(1, 41))
    lost = [fact for fact in facts if fact.name == "records_lost"]
    assert lost == [Fact(lost[0].box, hand.box.journal.epoch, 6, 1, 0, k.RECORDS_LOST, 0, 0, k.NOBODY, 0, 6, 6, 0)]


class Moody(MemoryFlash):
    """A flash that sometimes cannot be read."""

    deaf = False

    def read(self, path: str) -> bytes | None:
        if self.deaf:
            raise OSError(5, "this flash does not read", path)
        return super().read(path)


def test_flash_that_cannot_be_read_now_is_a_fault_and_is_read_again() -> None:
    flash = Moody()
    hand = backlog(40, flash)

    flash.deaf = True
    session = hand.session()
    assert hand.box.wake_at() >= hand.now + 1000
    hand.wait(3000)
    assert seqs(session) == []
    flash.deaf = False
    hand.wait(3000)
    hand.talk(session)

    facts = {fact.seq: fact for event in session.events for fact in getattr(event, "facts", ())}
    assert sorted(facts) == list(range(1, 42))
    assert (facts[41].name, facts[41].code) == ("fault", k.E_LINK_HANDLER)
