"""The box's half of a link on both interpreters: who is let in, and what is said once somebody is."""

import struct

from box_run import SECRET, UID, BoxRun, started
from journal_run import add, fact, raises
from memory_flash import UNDONE
from moveclock import facts as k
from moveclock import secure, wire
from moveclock.peer import GONE

MTU = 247
NONCE = b"desk nonce 12345"


class Caller:
    """A desk written by hand: hello, auth, and then sealed frames, over one link of a box."""

    def __init__(self, run: BoxRun, link: int = 1, desk: int = 5, name: str = "desk", secret: bytes = SECRET) -> None:
        self.run = run
        self.link = link
        self.secret = secret
        self.hello = wire.pack_hello(NONCE, desk, 0, 0, name)
        self.bodies: list[bytes] = []
        run.box.opened(link, MTU, run.raw(run.now))

    def give(self, frame: bytes) -> list[bytes]:
        """A frame for the box; what the box says until it has nothing more to say now."""
        self.run.box.receive(self.link, frame, self.run.raw(self.run.now))
        return self.hear()

    def hear(self) -> list[bytes]:
        run = self.run
        run.pump(run.now)
        said: list[bytes] = []
        while True:
            frame = run.box.send(self.link, run.raw(run.now))
            if frame is None:
                return said
            said.append(frame)

    def enter(self) -> list[bytes]:
        """The whole handshake; what the box says to the proof."""
        self.greet()
        return self.prove()

    def greet(self) -> None:
        (welcome,) = self.give(self.hello)
        fields = wire.unpack_welcome(welcome)
        keys = secure.session_keys(self.secret, UID, fields[2], NONCE, fields[7])
        self.epoch = fields[2]
        self.seal = secure.Seal(keys[0])
        self.opener = secure.Seal(keys[1])
        self.transcript = self.hello + welcome

    def prove(self) -> list[bytes]:
        return self.give(bytes([wire.AUTH]) + secure.handshake_tag(self.secret, secure.DESK, self.transcript))

    def say(self, body: bytes) -> None:
        self.take(self.give(bytes([wire.SEALED]) + self.seal.seal(body)))

    def take(self, frames: list[bytes]) -> None:
        for frame in frames:
            assert frame[0] == wire.SEALED
            self.bodies.append(self.opener.open(frame[1:]))

    def wait(self, ms: int) -> None:
        """The box is called when it asks to be; everything it says is heard."""
        end = self.run.now + ms
        while self.run.now < end:
            self.run.run(min(end, self.run.next_turn()))
            self.take(self.hear())

    def seqs(self) -> list[int]:
        found = []
        for body in self.bodies:
            if body[0] == wire.RECORDS:
                for start in range(1, len(body), wire.RECORD_SIZE):
                    found.append(wire.unpack_record(body[start : start + wire.RECORD_SIZE])[0])
        return found

    def kinds(self) -> list[int]:
        return [body[0] for body in self.bodies]


def entered(run: BoxRun) -> Caller:
    caller = Caller(run)
    frames = caller.enter()
    assert frames[0][0] == wire.ACCEPTED
    stream = frames[0][1:5]
    assert frames[0][5:] == secure.handshake_tag(SECRET, secure.BOX, caller.transcript + stream)
    caller.take(frames[1:])
    return caller


def test_a_desk_that_proves_itself_gets_every_fact_and_the_state() -> None:
    run = started()
    caller = entered(run)

    caller.wait(200)

    assert caller.seqs() == list(range(1, run.box.journal.head + 1))
    assert caller.kinds() == [wire.RECORDS, wire.STATE]
    state = wire.unpack_state(caller.bodies[1])
    assert state[:4] == (k.RUNNING, k.SEAT_A, 1, 1)


def test_what_is_acknowledged_is_not_sent_again_and_the_rest_is_after_a_second() -> None:
    run = started()
    caller = entered(run)
    caller.wait(200)
    head = run.box.journal.head

    caller.say(struct.pack("<BII", wire.ACK, caller.epoch, head - 1))
    caller.wait(1100)
    assert caller.seqs() == list(range(1, head + 1)) + [head]
    caller.say(struct.pack("<BII", wire.ACK, caller.epoch, head))
    caller.wait(3000)
    assert caller.seqs() == list(range(1, head + 1)) + [head]
    assert run.box.journal.backlog == 0


def test_a_ping_is_answered_with_the_uptime_and_the_running_state() -> None:
    run = started()
    caller = entered(run)
    caller.wait(200)
    del caller.bodies[:]
    at = run.now

    caller.say(struct.pack("<BI", wire.PING, 77))
    caller.wait(50)

    assert wire.numbers(caller.bodies[0], 2) == (77, at)
    assert caller.kinds() == [wire.PONG, wire.STATE]


def test_a_command_is_answered_by_its_fact() -> None:
    run = started()
    caller = entered(run)
    caller.wait(200)

    caller.say(wire.pack_command(900, k.C_STOP, 1, 1, 0, 0, struct.pack("<I", k.REFEREE)))
    caller.say(wire.pack_command(900, k.C_STOP, 1, 1, 0, 0, struct.pack("<I", k.REFEREE)))
    caller.wait(100)

    applied = run.facts(k.COMMAND_APPLIED)
    assert [fact[6] for fact in applied][-1:] == [900]
    assert [fact[6] for fact in applied].count(900) == 1
    assert run.box.clock.state == k.STOPPED


def test_a_stranger_is_turned_away_and_its_slot_is_free_again() -> None:
    run = started()
    before = run.box.clock.snapshot(run.now)
    caller = Caller(run, secret=bytes(32))

    frames = caller.enter()

    assert frames == [wire.pack_refusal(wire.NO_AUTH, wire.UNPROVED, b"")]
    assert run.box.clock.snapshot(run.now) == before
    assert run.box.to_close(run.raw(run.now)) == []
    run.run(run.now + 3000)
    assert run.box.to_close(run.raw(run.now)) == [1]


def test_a_desk_that_was_misled_by_a_strangers_welcome_may_still_show_its_own_proof() -> None:
    run = started()
    caller = Caller(run)
    (welcome,) = caller.give(caller.hello)
    forged = wire.pack_welcome(UID, 7, 1, 1, 9, 0, bytes(16))

    for seen in (forged, forged):
        caller.give(bytes([wire.AUTH]) + secure.handshake_tag(SECRET, secure.DESK, caller.hello + seen))
    said = caller.give(bytes([wire.AUTH]) + secure.handshake_tag(SECRET, secure.DESK, caller.hello + welcome))

    assert said[0][0] == wire.ACCEPTED


def test_after_three_proofs_that_are_none_a_link_is_over() -> None:
    run = started()
    caller = Caller(run)
    (welcome,) = caller.give(caller.hello)

    for number in range(3):
        caller.give(bytes([wire.AUTH]) + bytes([number]) * 16)
    said = caller.give(bytes([wire.AUTH]) + secure.handshake_tag(SECRET, secure.DESK, caller.hello + welcome))

    assert said == []
    assert run.box.links.desk(run.now) is None
    run.run(run.now + 600)
    assert run.box.to_close(run.raw(run.now)) == [1]


def test_nobody_takes_the_slot_of_a_link_that_has_said_hello() -> None:
    run = started()
    desk = Caller(run, link=1)
    (welcome,) = desk.give(desk.hello)

    for link in (2, 3, 4, 5):
        Caller(run, link=link)
    said = desk.give(bytes([wire.AUTH]) + secure.handshake_tag(SECRET, secure.DESK, desk.hello + welcome))

    assert said[0][0] == wire.ACCEPTED


def test_where_every_link_has_said_hello_the_newcomer_is_turned_away() -> None:
    run = started()
    for link in (1, 2, 3):
        caller = Caller(run, link=link)
        caller.give(caller.hello)

    late = Caller(run, link=4)

    assert late.hear() == [wire.pack_refusal(wire.NO_BUSY, wire.UNPROVED, b"")]
    assert [peer.link for peer in run.box.links.peers if peer.state != GONE] == [1, 2, 3]
    run.run(run.now + 3000)
    assert sorted(run.box.to_close(run.raw(run.now))) == [1, 2, 3, 4], "none of them proved anything"


def test_a_second_desk_is_told_the_name_of_the_first() -> None:
    run = started()
    entered(run)
    second = Caller(run, link=2, desk=6, name="second")

    frames = second.enter()

    tag = secure.refusal_tag(SECRET, second.transcript, wire.NO_BUSY, b"desk")
    assert frames == [wire.pack_refusal(wire.NO_BUSY, tag, b"desk")]


def test_garbage_is_counted_and_changes_nothing() -> None:
    run = started()
    caller = entered(run)
    caller.wait(200)
    before = run.box.clock.snapshot(run.now)
    head = run.box.journal.head
    garbage = [
        b"",
        b"\x00",
        b"\x01",
        b"\xff" * 300,
        bytes(40),
        bytes([wire.SEALED]) + bytes(30),
        b"\x01\x01" + b"\xff" * 40,
    ]

    for frame in garbage:
        run.box.receive(1, frame, run.raw(run.now))
        run.pump(run.now)

    assert run.box.links.refused == len(garbage)
    assert run.box.clock.snapshot(run.now) == before
    assert run.box.journal.head == head


def test_silence_and_missing_proof_end_a_link() -> None:
    run = started()
    entered(run)
    Caller(run, link=2)
    greeted = Caller(run, link=3)
    greeted.give(greeted.hello)
    start = run.now

    run.run(start + 2999)
    assert run.box.to_close(run.raw(run.now)) == []
    run.run(start + 3000)
    assert run.box.to_close(run.raw(run.now)) == [3]
    run.box.closed(3)
    run.run(start + 7999)
    assert run.box.to_close(run.raw(run.now)) == []
    run.run(start + 8000)
    assert run.box.to_close(run.raw(run.now)) == [2]
    run.box.closed(2)
    run.run(start + 12000)
    assert run.box.to_close(run.raw(run.now)) == [1]


def test_a_desk_on_a_slow_system_is_let_in_seconds_after_its_link_was_up() -> None:
    run = started()
    caller = Caller(run)
    run.run(run.now + 7900)

    (welcome,) = caller.give(caller.hello)
    assert welcome[0] == wire.WELCOME
    run.run(run.now + 2900)

    assert run.box.to_close(run.raw(run.now)) == []
    assert run.box.links.peer(1) is not None


def test_a_hello_again_buys_no_time() -> None:
    run = started()
    caller = Caller(run)
    start = run.now
    for wait in (0, 1000, 2000):
        run.run(start + wait)
        caller.give(caller.hello[:-1] + bytes([97 + wait // 1000]))

    run.run(start + 3000)

    assert run.box.to_close(run.raw(run.now)) == [1]


def test_of_strangers_in_all_slots_the_one_that_came_first_makes_room_and_the_desk_stays() -> None:
    run = started()
    entered(run)
    for link in (2, 3):
        Caller(run, link=link)

    newcomer = Caller(run, link=4)

    assert run.box.to_close(run.raw(run.now)) == [2]
    run.box.closed(2)
    assert newcomer.give(newcomer.hello)[0][0] == wire.WELCOME
    served = run.box.links.desk(run.box.uptime.now)
    assert served is not None
    assert served.link == 1
    Caller(run, link=5)
    assert run.box.to_close(run.raw(run.now)) == [3]


def test_a_reader_hears_every_fact_and_acknowledges_nothing_on_the_box() -> None:
    run = started()
    reader = Caller(run, desk=wire.READER, name="log")
    reader.take(reader.enter()[1:])
    reader.wait(200)
    head = run.box.journal.head

    assert reader.seqs() == list(range(1, head + 1))
    reader.say(struct.pack("<BII", wire.ACK, reader.epoch, head))
    reader.wait(3000)

    assert reader.seqs() == list(range(1, head + 1)), "its own window has moved"
    assert run.box.journal.acked == 0


def test_what_a_reader_says_it_knows_neither_acknowledges_nor_begins_a_new_epoch() -> None:
    run = started()
    epoch, head = run.box.journal.epoch, run.box.journal.head
    for known in (head, head + 1000):
        reader = Caller(run, desk=wire.READER, name="log")
        reader.hello = wire.pack_hello(NONCE, wire.READER, epoch, known, "log")
        assert reader.enter()[0][0] == wire.ACCEPTED
        reader.wait(300)

        assert reader.seqs() == []
        assert run.box.journal.acked == 0
        assert run.box.journal.epoch == epoch


def test_a_real_desk_takes_the_place_of_a_reader_and_a_reader_never_that_of_a_desk() -> None:
    run = started()
    reader = Caller(run, link=1, desk=wire.READER, name="log")
    reader.enter()
    desk = Caller(run, link=2, desk=5, name="desk")

    assert desk.enter()[0][0] == wire.ACCEPTED
    served = run.box.links.desk(run.now)
    assert served is not None and served.name == "desk"
    late = Caller(run, link=3, desk=wire.READER, name="log")
    (refusal,) = late.enter()
    tag = secure.refusal_tag(SECRET, late.transcript, wire.NO_BUSY, b"desk")
    assert wire.unpack_refusal(refusal) == (wire.NO_BUSY, tag, b"desk")


def test_a_reader_is_not_the_desk_whose_stop_the_table_must_wait_for() -> None:
    run = started()
    Caller(run, desk=wire.READER, name="log").enter()

    assert run.box.links.desk(run.now) is not None
    assert not run.box.links.in_contact(run.now)


def test_a_desk_is_in_contact_until_it_has_been_silent_for_twelve_seconds() -> None:
    run = started()
    assert not run.box.links.in_contact(run.now)
    entered(run)
    for later, there in ((0, True), (11999, True), (12000, False)):
        assert run.box.links.in_contact(run.now + later) == there, later


def test_a_frame_of_244_bytes_is_read_and_a_longer_one_is_refused() -> None:
    for size, heard in ((244, True), (245, False)):
        run = started()
        caller = entered(run)
        refused = run.box.links.refused
        arguments = bytes(size - wire.SEAL_OVERHEAD - 16)

        caller.say(wire.pack_command(900, k.C_STOP, 0, 0, 0, 0, arguments))

        assert run.box.links.refused - refused == (0 if heard else 1)
        assert (900 in [one[6] for one in run.facts(k.COMMAND_REFUSED)]) == heard


def test_frames_that_are_no_proof_cost_a_desk_none_of_its_three_and_each_wrong_proof_is_counted_once() -> None:
    run = started()
    caller = Caller(run)
    caller.greet()
    for number in range(3):
        assert caller.give(bytes([wire.SEALED]) + bytes([number]) * 30) == []
    assert run.box.links.refused == 3

    for number in range(2):
        caller.give(bytes([wire.AUTH]) + bytes([number]) * 16)

    assert run.box.links.refused == 5
    assert caller.prove()[0][0] == wire.ACCEPTED


def test_a_desk_hears_what_it_lacks_of_this_stream_and_only_one_that_knows_more_makes_a_new_one() -> None:
    for same, ahead, lacks, acked, renewed in (
        (True, -2, 2, -2, False),
        (True, 0, 0, 0, False),
        (True, 1, None, None, True),
        (False, -2, None, None, False),
        (False, 1000, None, None, False),
    ):
        run = started()
        epoch, head = run.box.journal.epoch, run.box.journal.head
        caller = Caller(run)
        caller.hello = wire.pack_hello(NONCE, 5, epoch if same else epoch + 1, head + ahead, "desk")

        frames = caller.enter()

        assert frames[0][0] == wire.ACCEPTED, (same, ahead)
        assert (run.box.journal.epoch != epoch) == renewed, (same, ahead)
        if not renewed:
            caller.take(frames[1:])
            caller.wait(200)
            expected = head if lacks is None else lacks
            assert caller.seqs() == list(range(head - expected + 1, head + 1)), (same, ahead)
            assert run.box.journal.acked == (0 if acked is None else head + acked), (same, ahead)


def test_no_new_stream_is_begun_for_a_desk_whose_time_is_over_while_flash_failed() -> None:
    run = started()
    epoch, head = run.box.journal.epoch, run.box.journal.head
    caller = Caller(run)
    caller.hello = wire.pack_hello(NONCE, 5, epoch, head + 1, "desk")
    caller.greet()
    start = run.now
    run.flash.fail(1, UNDONE, False)
    assert caller.prove() == []
    assert run.box.links.overtaken(start + 2999)

    run.flash.fail(1, UNDONE, False)
    run.run(start + 2999)
    assert run.box.journal.epoch == epoch
    assert run.box.links.overtaken(start + 2999)
    assert not run.box.links.overtaken(start + 3000)
    run.run(start + 9000)

    assert run.box.journal.epoch == epoch
    assert [one for one in run.facts(k.FAULT) if one[5] == k.E_NEW_EPOCH] == []


def roomy() -> BoxRun:
    """A box with 100 facts."""
    run = started()
    add(run.box.journal, 100 - run.box.journal.head)
    return run


def make_room(run: BoxRun) -> None:
    """The flash is full: the oldest 48 facts are given up."""
    journal = run.box.journal
    run.flash.errno = 28
    run.flash.fail(1, UNDONE, False)
    assert raises(journal.commit, [fact(1)], journal.snapshot)
    assert journal.make_room() == (1, 48)


def test_a_desk_that_lacks_what_was_given_up_after_its_hello_must_say_hello_again() -> None:
    for known, served in ((48, True), (47, False)):
        run = roomy()
        caller = Caller(run)
        caller.hello = wire.pack_hello(NONCE, 5, run.box.journal.epoch, known, "desk")
        caller.greet()
        make_room(run)

        said = caller.prove()

        assert (said != []) == served, known
        assert run.box.to_close(run.raw(run.now)) == ([] if served else [1])


def test_a_desk_that_is_told_where_the_journal_begins_hears_it_from_there() -> None:
    run = roomy()
    make_room(run)
    caller = Caller(run)
    caller.take(caller.enter()[1:])
    caller.wait(1000)
    assert caller.seqs()[:52] == list(range(49, 101))
