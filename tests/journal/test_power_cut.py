"""Power goes at every single operation of the flash chip, before it or half-way through it.

A story is played once on a littlefs that remembers every program and erase. What lay on flash at each of these instants
is then mounted like a box that gets its power back, and held against what the box had told anybody by then.
"""

from __future__ import annotations

import random
import struct
from collections.abc import Callable
from typing import NamedTuple

import pytest

from moveclock.journal import CHUNK, Journal
from tests.journal.little_flash import BLOCK, CHIP_ERROR, Chip, LittleFlash, Operation

UID = b"\x0a\x0b\x0c\x0d\x0e\x0f"
EPOCH = 0xC0FFEE01
BLOCKS = 48
STATE = struct.Struct("<III24x")  # epoch, head, serial number: which fact a state comes after


class Point(NamedTuple):
    """What was certain when a call had returned: after `done` chip operations the journal stood here."""

    done: int
    epoch: int
    head: int
    acked: int
    snapshot: bytes


class Story:
    """A journal in use, and everything it showed to anybody."""

    def __init__(self, capacity: int = 8192) -> None:
        chip = Chip(b"\xff" * (BLOCKS * BLOCK))
        flash = LittleFlash(chip, blank=True)
        self.before = bytes(chip.buffer)
        self.operations: list[Operation] = []
        self.points = [Point(0, EPOCH, 0, 0, b"")]
        self.shown: dict[tuple[int, int], bytes] = {}
        self.journal = Journal(flash, UID, EPOCH, capacity)
        self._serial = 0
        chip.log = self.operations
        self.journal.mount()
        self._mark()

    def facts(self, count: int) -> None:
        self.journal.commit([_fact(self.journal.head + 1 + number) for number in range(count)], self._state(count))
        self._mark()

    def checkpoint(self) -> None:
        self.journal.checkpoint(self._state(0))
        self._mark()

    def rewrite(self) -> None:
        """As when an erase is to be had early: nothing changes."""
        self.journal.checkpoint(self.journal.snapshot)
        self._mark()

    def acknowledge(self, seq: int) -> None:
        self.journal.acknowledge(seq)

    def compact(self, keep: int) -> None:
        while self.journal.compact(keep):
            self._mark()
        self._mark()

    def make_room(self) -> None:
        lost = self.journal.make_room()
        if lost:
            self.facts(1)

    def new_epoch(self, epoch: int) -> None:
        self.journal.new_epoch(epoch)
        self._mark()

    def _state(self, count: int) -> bytes:
        self._serial += 1
        return STATE.pack(self.journal.epoch, self.journal.head + count, self._serial)

    def _mark(self) -> None:
        journal = self.journal
        self.points.append(Point(len(self.operations), journal.epoch, journal.head, journal.acked, journal.snapshot))
        for seq in range(max(journal.oldest, journal.head - 4), journal.head + 1):
            record = journal.record(seq)
            assert record is not None
            assert self.shown.setdefault((journal.epoch, seq), record) == record


def _fact(number: int) -> tuple[int, ...]:
    return (6, 977 * number, 1, number, number % 4, 1, 60_000 - number, 1, 50)


def an_evening(commits: int) -> Story:
    """Batches of 1 to 4 facts, checkpoints, acknowledgements and compaction."""
    story = Story()
    for step in range(commits):
        story.facts(step % 4 + 1)
        if step % 3 == 1:
            story.checkpoint()
        if step % 4 == 2:
            story.acknowledge(story.journal.head - step % 5)
        if step % 8 == 7:
            story.compact(20)
    return story


def a_full_flash() -> Story:
    """A desk that never comes: facts are given up and the gap is recorded."""
    story = Story(capacity=64)
    story.facts(4)
    story.acknowledge(3)
    for _ in range(26):
        story.make_room()
        story.facts(3)
    return story


def a_late_desk() -> Story:
    """Nothing is acknowledged until late: folders become files, then go."""
    story = Story()
    for _ in range(10):
        story.facts(12)
    story.compact(4000)
    story.facts(2)
    story.acknowledge(story.journal.head)
    story.compact(30)
    story.facts(1)
    return story


def a_new_stream() -> Story:
    """The desk knows a later seq: a new epoch, and the old one's records swept away."""
    story = Story()
    for _ in range(9):
        story.facts(3)
    story.new_epoch(7)
    for _ in range(5):
        story.facts(2)
    story.compact(4000)
    story.facts(2)
    return story


def an_erase_had_early() -> Story:
    """The head is rewritten after a move until its block is a new one, twice."""
    story = Story()
    for count in (2, 3):
        story.facts(count)
        before = _erases(story)
        while _erases(story) == before:
            story.rewrite()
        story.rewrite()
    story.facts(2)
    story.checkpoint()
    return story


def _erases(story: Story) -> int:
    return sum(operation.data is None for operation in story.operations)


STORIES = {
    "evening": lambda: an_evening(30),
    "late desk": a_late_desk,
    "full flash": a_full_flash,
    "new stream": a_new_stream,
    "early erase": an_erase_had_early,
}


@pytest.mark.parametrize("torn", [False, True], ids=["clean", "torn"])
@pytest.mark.parametrize("play", STORIES.values(), ids=STORIES.keys())
def test_power_lost_at_any_operation_of_the_chip_loses_nothing_synced(play: Callable[[], Story], torn: bool) -> None:
    story = play()
    image = bytearray(story.before)
    for done, operation in enumerate([*story.operations, None]):
        left = bytearray(image)
        if operation is not None:
            if torn:
                operation.tear(left)
            operation.apply(image)
        comes_back(story, done, left)


@pytest.mark.torture
def test_power_lost_anywhere_in_a_long_evening_and_again_during_the_repair(seed: int) -> None:
    story = an_evening(100)
    chance = random.Random(seed)
    image = bytearray(story.before)
    for done, operation in enumerate(story.operations):
        left = bytearray(image)
        chance.choice([Operation.apply, Operation.tear, _leave, _garble])(operation, left)
        operation.apply(image)
        repair: list[Operation] = []
        Journal(LittleFlash(Chip(left, repair)), UID, EPOCH).mount()
        for again in repair[: chance.randrange(len(repair) + 1)]:
            again.apply(left)
        comes_back(story, done, left)


def _leave(operation: Operation, image: bytearray) -> None:
    """Power goes before the operation begins."""


def _garble(operation: Operation, image: bytearray) -> None:
    """Power goes while bits flip: some have, some have not."""
    for place in range(BLOCK if operation.data is None else len(operation.data)):
        target = 0xFF if operation.data is None else operation.data[place]
        image[operation.offset + place] ^= (image[operation.offset + place] ^ target) & (place * 0x9D & 0xFF)


def comes_back(story: Story, done: int, image: bytearray) -> None:
    """The box whose flash is `image` after `done` operations starts again, tells the truth, and goes on."""
    synced = [point for point in story.points if point.done <= done][-1]
    next_ones = [point for point in story.points if point.done > done]
    under_way = next_ones[0] if next_ones else synced
    chip = Chip(image)
    journal = Journal(LittleFlash(chip), UID, EPOCH)
    journal.mount()

    # either all of the batch under way is there, or nothing of it; the state is that of the newest fact
    stands = (journal.epoch, journal.head, journal.snapshot)
    assert stands in [(point.epoch, point.head, point.snapshot) for point in (synced, under_way)]
    assert journal.snapshot == b"" or STATE.unpack(journal.snapshot)[1] == journal.head or journal.fresh
    assert journal.torn == 0

    # whatever the desk has not acknowledged is held, in order, as it was shown, or known to be lost
    assert journal.oldest <= max(synced.acked, under_way.acked) + 1 or journal.lost is not None
    held = {}
    for seq in range(journal.oldest, journal.head + 1):
        record = journal.record(seq)
        assert record is not None
        assert story.shown.get((journal.epoch, seq), record) == record
        held[seq] = record

    # and it goes on with the next number
    boot = journal.boot
    journal.commit([_fact(500), _fact(501)], b"on")
    again = Journal(LittleFlash(chip), UID, EPOCH)
    again.mount()
    assert (again.head, again.snapshot, again.boot) == (journal.head, b"on", boot + 1)
    assert again.oldest == journal.oldest
    assert again.lost is None
    for seq, record in held.items():
        assert again.record(seq) == record


@pytest.mark.parametrize("after", range(1, 30))
def test_a_chip_that_fails_once_costs_nothing_when_the_commit_is_repeated(after: int) -> None:
    """Not a power cut: one program or erase reports an error, the box lives on and tries again."""
    chip = _FailsOnce(b"\xff" * (BLOCKS * BLOCK))
    journal = Journal(LittleFlash(chip, blank=True), UID, EPOCH)
    journal.mount()
    chip.countdown = after
    failures = 0
    while journal.head < 60:
        head = journal.head
        try:
            journal.commit([_fact(head + 1), _fact(head + 2)], STATE.pack(EPOCH, head + 2, 0))
        except OSError:
            failures += 1
            assert journal.head == head
    again = Journal(LittleFlash(Chip(chip.buffer)), UID, EPOCH)
    again.mount()
    assert failures <= 1
    assert (again.head, again.epoch) == (60, EPOCH)
    assert [again.record(seq) for seq in range(1, 61)] == [journal.record(seq) for seq in range(1, 61)]
    assert None not in [again.record(seq) for seq in range(1, 61)]


def test_a_filesystem_without_a_free_block_refuses_and_goes_on_once_there_is_room() -> None:
    chip = Chip(b"\xff" * (14 * BLOCK))
    flash = LittleFlash(chip, blank=True)
    journal = Journal(flash, UID, EPOCH)
    journal.mount()
    refused = 0
    shown: dict[int, bytes | None] = {}
    while refused < 3:
        try:
            journal.commit([_fact(journal.head + 1)], STATE.pack(EPOCH, journal.head + 1, 0))
            shown[journal.head] = journal.record(journal.head)
        except OSError:
            refused += 1
            again = Journal(LittleFlash(Chip(chip.buffer)), UID, EPOCH)
            again.mount()
            assert again.head in (journal.head, journal.head + 1)
            assert all(again.record(seq) == record for seq, record in shown.items() if seq >= journal.oldest)
            assert journal.full
            lost = (journal.oldest, journal.oldest + CHUNK - 1)
            assert journal.make_room() == lost
            assert not journal.full
    assert journal.head > 3 * CHUNK


class _FailsOnce(Chip):
    countdown = 0

    def _do(self, operation: Operation) -> int:
        self.countdown -= 1
        return CHIP_ERROR if self.countdown == 0 else super()._do(operation)
