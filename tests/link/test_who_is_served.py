"""Whom a box talks to: one desk that knows its secret. Everybody else costs it a slot for three seconds."""

from __future__ import annotations

import pytest

from dalej.link.session import FactsArrived, Known, Phase, Reading, Session, Silent, Trusted, TurnedAway
from dalej.link.uptime import UptimeMap
from moveclock import facts as k
from moveclock import secure, wire
from tests.link.hand import OTHER_SECRET, Hand, hello, is_live
from tests.link.rig import SECRET, UID, Rig, Shelf


def turned_away(session: Session) -> list[tuple[int, str]]:
    return [(event.why, event.text) for event in session.events if isinstance(event, TurnedAway)]


# --- seconds for a stranger: eight to say hello (a slow system first asks what there is), then three to prove -----


@pytest.mark.parametrize(("says_hello", "within_ms"), [(False, 8000), (True, 3000)])
def test_without_hello_or_auth_a_link_is_dropped_after_seconds(says_hello: bool, within_ms: int) -> None:
    hand = Hand()
    hand.open()
    if says_hello:
        hand.give(hello())

    hand.wait(within_ms - 1)
    assert hand.is_open()
    hand.wait(1)
    assert not hand.is_open()


def test_saying_hello_again_and_again_buys_no_time() -> None:
    hand = Hand()
    hand.open()

    for number in range(29):
        hand.give(hello(nonce=bytes([number]) * 16))
        hand.wait(100)
    assert hand.is_open()
    hand.wait(100)
    assert not hand.is_open()
    assert hand.box.links.refused == 25


def test_a_hello_changes_nothing_in_the_box() -> None:
    hand = Hand().configured()
    before = hand.fingerprint()
    hand.open()

    hand.give(hello(last=4000, epoch=hand.box.journal.epoch))
    hand.wait(5000)

    assert hand.fingerprint() == before


def test_a_desk_with_another_secret_is_turned_away_and_changes_nothing() -> None:
    hand = Hand().configured()
    before = hand.fingerprint()

    session = hand.session(secret=OTHER_SECRET)
    assert not session.events, "hearsay, as long as the link is there"
    hand.wait(4000)
    session.lost()

    assert turned_away(session) == [(wire.NO_AUTH, "")]
    assert hand.fingerprint() == before
    assert not hand.is_open()


def test_a_box_with_another_secret_does_not_become_a_source_of_facts() -> None:
    rig = Rig(shelf=Shelf(secret=OTHER_SECRET))

    rig.run(10_000)

    assert not rig.shelf.facts
    assert not rig.shelf.told(Trusted)
    assert {why for why, _ in rig.shelf.turned_away()} == {wire.NO_AUTH}


def test_nothing_is_said_to_a_link_before_it_says_hello() -> None:
    hand = Hand().configured()
    hand.open()

    hand.wait(2900)

    assert hand.frames() == []


def test_of_strangers_in_all_slots_the_first_that_said_nothing_makes_room_for_the_desk() -> None:
    hand = Hand()
    for link in (1, 2, 3):
        hand.open(link)
        if link == 1:
            hand.give(hello(), link)

    assert is_live(hand.session(4))
    assert [hand.is_open(link) for link in (1, 2, 3, 4)] == [True, False, True, True]


def test_a_slot_whose_number_comes_again_is_a_new_link() -> None:
    hand = Hand()
    first = hand.session(1)
    hand.open(1)  # the radio lost the news that the first one closed

    second = hand.session(1)

    assert is_live(first)
    assert is_live(second)
    assert len(hand.box.links.peers) == 1


def test_a_link_that_the_radio_does_not_close_is_named_again_every_second() -> None:
    hand = Hand()
    hand.open()
    hand.give(hello())
    hand.now = 3000

    named = []
    for _ in range(25):
        hand.box.tick(hand.now)
        if hand.box.to_close(hand.now):
            named.append(hand.now)
        assert hand.box.wake_at() > hand.now
        hand.now += 100

    assert named == [3000, 4000, 5000]


def test_a_proof_that_comes_after_three_seconds_is_too_late() -> None:
    hand = Hand()
    hand.open()
    session = Session(
        uid=UID, secret=SECRET, desk_id=1, desk_name="late", known=[], nonce=bytes(16), uptimes=UptimeMap()
    )
    session.start(hand.now)
    (greeting,) = session.frames()
    hand.give(greeting)
    (welcome,) = hand.frames()
    session.receive(welcome, hand.now)
    (proof,) = session.frames()

    hand.now = 3000
    hand.box.receive(1, proof, hand.now)

    assert hand.box.links.refused == 1
    assert hand.box.links.desk(hand.now) is None


def test_a_desk_that_was_told_of_facts_that_are_gone_by_now_is_sent_back_to_ask_again() -> None:
    """Room was made between the box's answer to the hello and the proof."""
    hand = Hand()
    while hand.box.journal.head < 60:
        hand.tap(k.SEDZIA)
    hand.box.journal.acknowledge(60)
    hand.open()
    hand.give(hello())
    (welcome,) = hand.frames()
    while hand.box.journal.compact(10):
        pass
    assert hand.box.journal.oldest > 1
    proof = bytes([wire.AUTH]) + secure.handshake_tag(SECRET, secure.DESK, hello() + welcome)

    hand.give(proof)

    assert hand.frames() == []
    assert not hand.is_open()


# --- the least a link must carry -----


def test_an_mtu_of_100_is_served() -> None:
    assert is_live(Hand().session(mtu=100))


def test_an_mtu_below_100_is_refused_in_words() -> None:
    hand = Hand()

    session = hand.session(mtu=99)
    hand.wait(600)
    session.lost()

    assert turned_away(session) == [(wire.NO_MTU, "")]
    assert not hand.is_open()


def test_the_mtu_may_be_agreed_on_after_the_connection() -> None:
    hand = Hand()
    hand.open(1, mtu=23)
    hand.box.negotiated(1, 247)

    hand.give(hello())

    assert hand.frames()[0][0] == wire.WELCOME


# --- protocols -----


def test_a_desk_of_another_protocol_is_told_which_one_the_box_speaks() -> None:
    hand = Hand()
    hand.open()

    hand.give(hello(protocol=9) + b"and more than this protocol's hello can have")

    assert hand.frames() == [wire.pack_refusal(wire.NO_PROTOCOL, wire.UNPROVED, str(wire.PROTOCOL).encode())]
    hand.wait(600)
    assert not hand.is_open()


def test_a_box_of_another_protocol_is_left_in_words_once_nothing_better_came() -> None:
    session = greeting()

    session.receive(bytes([wire.WELCOME, 9, 1, 2, 3]), 0)
    assert not session.events
    session.handle_timer(3000)

    assert turned_away(session) == [(wire.NO_PROTOCOL, "9")]
    assert session.phase is Phase.OVER


# --- what anybody can say: none of it ends or steers what a proof could -----


def greeting(known: list[Known] | None = None) -> Session:
    """A desk's session that has said hello."""
    session = Session(
        uid=UID, secret=SECRET, desk_id=1, desk_name="first laptop", known=known or [], nonce=bytes(16),
        uptimes=UptimeMap(),
    )  # fmt: skip
    session.start(0)
    return session


def forged(epoch: int = 7, head: int = 9, nonce: int = 1) -> bytes:
    return wire.pack_welcome(UID, epoch, 1, 1, head, 0, bytes([nonce]) * 16)


LIES = {
    "refusal": wire.pack_refusal(wire.NO_AUTH, wire.UNPROVED, b""),
    "busy": wire.pack_refusal(wire.NO_BUSY, bytes(range(16)), b"nobody"),
    "short refusal": bytes([wire.REFUSED, wire.NO_BUSY]),
    "another protocol": bytes([wire.WELCOME, 9]),
    "welcome": forged(),
    "acceptance": bytes([wire.ACCEPTED]) + bytes(20),
}


@pytest.mark.parametrize("lies", [*[(name,) for name in LIES], ("welcome", "refusal", "another protocol")], ids=str)
@pytest.mark.parametrize("after", [0, 1, 2], ids=["before the welcome", "after it", "after the proof"])
def test_what_a_stranger_says_in_between_ends_no_handshake(lies: tuple[str, ...], after: int) -> None:
    hand = Hand().configured()
    hand.open()
    session = greeting()
    carried = 0
    for _ in range(20):
        if carried == after:
            for lie in lies:
                session.receive(LIES[lie], hand.now)
        for frame in session.frames():
            hand.give(frame)
        for frame in hand.frames():
            session.receive(frame, hand.now)
            carried += 1

    assert is_live(session)
    assert session.epoch == hand.box.journal.epoch
    (trusted,) = [event for event in session.events if isinstance(event, Trusted)]
    assert trusted.head == hand.box.journal.head
    assert not turned_away(session)


def test_a_forged_welcome_cannot_keep_a_box_on_an_old_flash_from_hearing_what_it_sent_before() -> None:
    """The desk knows fact 9 of a box that has only 2 by now: whatever a stranger says of it, the box must hear so."""
    hand = Hand()
    epoch = hand.box.journal.epoch
    hand.open()
    session = greeting([Known(epoch, 1, 900)])
    session.receive(forged(epoch, 901), hand.now)
    for _ in range(20):
        for frame in session.frames():
            hand.give(frame)
        for frame in hand.frames():
            session.receive(frame, hand.now)

    assert is_live(session)
    assert session.epoch == hand.box.journal.epoch != epoch, "a new stream, nothing mixed"


def test_a_stranger_who_flips_what_the_desk_should_tell_gets_four_hellos_and_no_proof() -> None:
    session = greeting([Known(5, 1, 1), Known(6, 2, 2)])
    session.frames()

    for number in range(1, 8):
        session.receive(forged(5 + number % 2, 9, number), 0)

    said = session.frames()
    assert [frame[0] for frame in said].count(wire.HELLO) == 3, "and the first"
    assert len([frame for frame in said if frame[0] == wire.AUTH]) <= 3


@pytest.mark.parametrize("head", [0, 12, 0xFFFFFFFF])
@pytest.mark.parametrize("same_stream", [True, False])
@pytest.mark.parametrize("after", [0, 1, 2], ids=["before the welcome", "after it", "after the proof"])
def test_a_forged_welcome_does_not_say_where_a_reader_begins(after: int, same_stream: bool, head: int) -> None:
    hand = Hand().configured()
    for tap in range(40):
        hand.box.clock.emit(k.STRAY_TAP, tap, k.KOSTKA, 0)
        hand.pump()
    hand.open()
    reader = Reading(
        5, uid=UID, secret=SECRET, desk_id=wire.READER, desk_name="dalej box", known=[], nonce=bytes(16),
        uptimes=UptimeMap(),
    )  # fmt: skip
    reader.start(0)
    carried = 0
    for _ in range(20):
        if carried == after:
            reader.receive(forged(hand.box.journal.epoch if same_stream else 7, head), hand.now)
        for frame in reader.frames():
            hand.give(frame)
        for frame in hand.frames():
            reader.receive(frame, hand.now)
            carried += 1

    journal = hand.box.journal
    assert is_live(reader)
    assert reader.after == (journal.epoch, journal.head - 5)
    told = [event.facts for event in reader.events if isinstance(event, FactsArrived)]
    assert [fact.seq for facts in told for fact in facts] == list(range(journal.head - 4, journal.head + 1))


def test_a_busy_box_proves_it_and_is_believed_at_once() -> None:
    hand = Hand()
    hand.session(1, desk=1, name="first laptop")

    second = hand.session(2, desk=2, name="second")

    assert turned_away(second) == [(wire.NO_BUSY, "first laptop")]
    assert second.phase is Phase.OVER


# --- silence -----


def test_a_desk_that_falls_silent_for_12_seconds_is_dropped() -> None:
    hand = Hand()
    hand.session()
    since = hand.now

    hand.wait(11_999)
    assert hand.is_open()
    hand.wait(1)
    assert not hand.is_open()
    assert hand.now - since == 12_000


def test_a_desk_that_only_pings_is_kept() -> None:
    rig = Rig()

    rig.run(120_000)

    assert rig.radio.cuts == 0
    assert rig.shelf.live


def test_frames_that_are_not_genuine_do_not_count_as_a_sign_of_life() -> None:
    hand = Hand()
    session = hand.session()
    session.say_bye()
    (goodbye,) = session.frames()

    for _ in range(120):
        hand.give(goodbye[:-1] + bytes([goodbye[-1] ^ 1]))
        hand.wait(100)

    assert not hand.is_open()


def test_a_box_that_falls_silent_for_12_seconds_is_given_up() -> None:
    hand = Hand()
    session = hand.session()
    since = hand.now

    while is_live(session) and (due := session.next_timer()) is not None:
        session.handle_timer(due)
        session.frames()

    assert [event.for_ms for event in session.events if isinstance(event, Silent)] == [12_000]
    assert due == since + 12_000


def test_a_box_that_does_not_answer_the_hello_is_given_up_after_three_seconds() -> None:
    hand = Hand()
    session = hand.session(secret=OTHER_SECRET, link=1)
    session.start(5000)
    session.events.clear()

    said = []
    while session.phase is not Phase.OVER:
        due = session.next_timer()
        assert due is not None
        session.handle_timer(due)
        said += session.frames()

    assert due == 8000
    assert len(said) == 3  # at once, and again after one second and two
    assert len(set(said)) == 1


# --- one desk at a time -----


def test_a_second_desk_is_told_the_first_ones_name() -> None:
    hand = Hand()
    first = hand.session(1, desk=1, name="hala, stół sędziowski")

    second = hand.session(2, desk=2, name="second laptop")
    hand.wait(600)

    assert turned_away(second) == [(wire.NO_BUSY, "hala, stół sędziowski")]
    assert is_live(first)
    assert [hand.is_open(link) for link in (1, 2)] == [True, False]


def test_a_second_desk_is_served_when_the_first_has_been_silent_for_12_seconds() -> None:
    hand = Hand()
    hand.session(1, desk=1)

    hand.wait(12_000)

    assert is_live(hand.session(2, desk=2, name="second laptop"))


def test_a_second_desk_is_served_when_the_first_has_said_goodbye() -> None:
    hand = Hand()
    first = hand.session(1, desk=1)

    first.say_bye()
    hand.talk(first, 1)

    assert not hand.is_open(1)
    assert is_live(hand.session(2, desk=2, name="second laptop"))


def test_the_same_desk_coming_back_takes_the_place_of_its_stale_link() -> None:
    hand = Hand()
    hand.session(1, desk=1)

    again = hand.session(2, desk=1)
    hand.wait(600)

    assert is_live(again)
    assert [hand.is_open(link) for link in (1, 2)] == [False, True]


def test_a_stranger_who_claims_the_desks_identity_takes_nobodys_place() -> None:
    hand = Hand()
    first = hand.session(1, desk=1)

    hand.session(2, desk=1, secret=OTHER_SECRET)
    hand.tap(k.SEDZIA)
    hand.talk(first, 1)

    assert hand.is_open(1)
    assert any(type(event).__name__ == "FactsArrived" for event in first.events)


def test_an_unauthenticated_link_does_not_count_as_the_desk() -> None:
    hand = Hand().configured()
    hand.tap(2 * k.SEAT_A)
    hand.wait(1000)
    hand.box.commands.take((9, k.C_STOP, 0, 0, 0, 0, bytes(4)), hand.now)
    hand.wait(10)
    assert hand.box.clock.state == k.STOPPED
    hand.open(1)
    hand.give(hello())

    hand.box.edge(k.SEDZIA, True, hand.now)  # the table may resume what a desk stopped that is not in contact
    hand.wait(2200)
    hand.box.edge(k.SEDZIA, False, hand.now)
    hand.wait(4000)

    assert hand.box.clock.state == k.RUNNING
