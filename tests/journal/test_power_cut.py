"""Power goes at every single operation of the flash chip, before it or in the middle of it.

A story is played once on a littlefs that remembers every program and erase. What lay on flash at each of these instants
is then mounted like a box that gets its power back, and held against what the box had told anybody by then.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from functools import partial

import pytest

from moveclock.journal import CHUNK, Journal
from tests.journal.little_flash import BLOCK, CHIP_ERROR, Chip, LittleFlash, Operation
from tests.journal.story import BLOCKS, EPOCH, STATE, UID, Story, comes_back, fact_of


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
    _cut_anywhere(play(), torn)


def _cut_anywhere(story: Story, torn: bool) -> None:
    lot = random.Random(1)
    image = bytearray(story.before)
    for done, operation in enumerate([*story.operations, None]):
        left = bytearray(image)
        if operation is not None:
            if torn:
                operation.tear(left, lot)
            operation.apply(image)
        comes_back(story, done, left)


def test_a_journal_that_removes_what_its_flash_takes_for_unacknowledged_is_found(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    compact = Journal.compact

    def too_early(journal: Journal, keep: int) -> bool:
        journal._acked_on_flash = journal.acked
        return compact(journal, keep)

    monkeypatch.setattr(Journal, "compact", too_early)
    with pytest.raises(AssertionError, match=r"\(1, \d+\) are lost"):
        _cut_anywhere(a_late_desk(), torn=False)


@pytest.mark.torture
def test_power_lost_anywhere_in_a_long_evening_and_again_during_the_repair(seed: int) -> None:
    story = an_evening(100)
    chance = random.Random(seed)
    image = bytearray(story.before)
    for done, operation in enumerate(story.operations):
        left = bytearray(image)
        ways: list[Callable[[Operation, bytearray], None]]
        ways = [Operation.apply, partial(Operation.tear, lot=chance), _leave, _garble]
        chance.choice(ways)(operation, left)
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
            journal.commit([fact_of(head + 1), fact_of(head + 2)], STATE.pack(EPOCH, head + 2, 0))
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
            journal.commit([fact_of(journal.head + 1)], STATE.pack(EPOCH, journal.head + 1, 0))
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
