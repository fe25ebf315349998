"""The journal under anything that may happen to it, in any order: a state machine that hypothesis plays."""

from __future__ import annotations

import struct
from collections.abc import Callable

from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule

from memory_flash import DONE, TORN, UNDONE, MemoryFlash
from moveclock import wire
from moveclock.journal import BATCH, Journal

UID = b"uid uid"


class AnyOrder(RuleBasedStateMachine):
    """The model is what was promised: `shown` to the desk, `head` returned from commits, `given_up` as lost."""

    def __init__(self) -> None:
        super().__init__()
        self.flash = MemoryFlash()
        self.capacity = 150
        self.epochs = 100
        self.shown: dict[tuple[int, int], bytes] = {}
        self.given_up: set[tuple[int, int]] = set()
        self.acknowledged: set[tuple[int, int]] = set()
        self.facts = 0
        self.told_of_boot = False  # whether a commit of this power-on has returned
        self.unsure: set[int] = set()  # heads that commits of unknown outcome may have left on flash
        self.journal = self.started()

    def started(self) -> Journal:
        self.epochs += 1
        journal = Journal(self.flash, UID, self.epochs, self.capacity)
        journal.mount()
        return journal

    def power_cycle(self) -> None:
        self.flash.revive()
        before = self.journal
        self.journal = self.started()
        assert self.journal.epoch == before.epoch or self.journal.fresh
        assert self.journal.boot >= before.boot + self.told_of_boot
        self.told_of_boot = False
        assert self.journal.torn in (0, 1)
        if self.journal.lost:
            self.lose(self.journal.lost)

    def lose(self, lost: tuple[int, int]) -> None:
        self.given_up |= {(self.journal.epoch, seq) for seq in range(lost[0], lost[1] + 1)}

    def attempt(self, call: Callable[[], object], *, tells: bool = False) -> bool:
        """Whether it worked. If power went, the box is started again; if only the call failed, it lives on."""
        epoch, head = self.journal.epoch, self.journal.head
        try:
            call()
        except OSError:
            if self.flash.dead:
                self.power_cycle()
            else:
                assert (self.journal.epoch, self.journal.head) == (epoch, head)
            return False
        self.told_of_boot |= tells
        if self.flash.dead:
            self.power_cycle()
        return True

    @rule(count=st.integers(1, BATCH))
    def commit(self, count: int) -> None:
        journal, epoch, head = self.journal, self.journal.epoch, self.journal.head
        first = self.facts + 1
        self.facts += count
        facts = [(6, number, 1, 1, 0, 0, number, 0, 9) for number in range(first, first + count)]
        state = struct.pack("<II", epoch, head + count)
        worked = self.attempt(lambda: journal.commit(facts, state), tells=True)
        if worked:
            self.unsure = set()
            assert self.journal.head == head + count
        elif self.journal is journal:
            self.unsure.add(head + count)
        elif self.journal.epoch == epoch:
            assert self.journal.head in {head, head + count} | self.unsure
            self.unsure = set()

    @rule()
    def checkpoint(self) -> None:
        journal = self.journal
        state = struct.pack("<II", journal.epoch, journal.head)
        self.attempt(lambda: journal.checkpoint(state))

    @rule(part=st.floats(0, 1))
    def acknowledge(self, part: float) -> None:
        seq = int(self.journal.head * part)
        self.journal.acknowledge(seq)
        self.acknowledged |= {(self.journal.epoch, number) for number in range(1, seq + 1)}

    @rule(keep=st.sampled_from([0, 10, 40]), steps=st.integers(1, 20))
    def compact(self, keep: int, steps: int) -> None:
        for _ in range(steps):
            journal = self.journal
            if not self.attempt(lambda journal=journal: journal.compact(keep)):  # type: ignore[misc]  # a default binds it
                break

    @rule()
    def make_room(self) -> None:
        journal = self.journal
        lost: list[tuple[int, int] | None] = []
        full = journal.full
        self.attempt(lambda: lost.append(journal.make_room()))
        if lost and lost[0] and self.journal is journal:
            assert full
            self.lose(lost[0])

    @rule()
    def new_epoch(self) -> None:
        journal, epoch = self.journal, self.journal.epoch
        self.epochs += 1
        if self.attempt(lambda: journal.new_epoch(self.epochs)):
            assert self.journal.epoch != epoch
            assert self.journal.head == 0

    @precondition(lambda self: not self.flash.fail_at)
    @rule(after=st.integers(1, 6), how=st.sampled_from([UNDONE, DONE, TORN]), dies=st.booleans())
    def a_call_will_fail(self, after: int, how: int, dies: bool) -> None:
        self.flash.fail(after, how, dies)

    @rule()
    def power_goes_between_calls(self) -> None:
        self.power_cycle()

    @invariant()
    def tells_the_truth(self) -> None:
        journal = self.journal
        for seq in range(journal.oldest, journal.head + 1):
            record = journal.record(seq)
            assert record is not None
            assert wire.unpack_record(record)[0] == seq
            assert self.shown.setdefault((journal.epoch, seq), record) == record
        for seq in range(1, journal.oldest):
            assert (journal.epoch, seq) in self.acknowledged | self.given_up
        if journal.snapshot and journal.head:
            assert struct.unpack("<II", journal.snapshot) == (journal.epoch, journal.head)
        assert 0 <= journal.backlog <= journal.head - journal.oldest + 1


TestAnyOrder = AnyOrder.TestCase
