"""A journal in use on a littlefs that remembers every program and erase, and what a box is told that starts again from
what lay on flash at one of these instants. Every file has a time stamp, as MicroPython makes them.
"""

from __future__ import annotations

import struct
from typing import NamedTuple

from moveclock.journal import Journal
from tests.journal.little_flash import BLOCK, Chip, LittleFlash, Operation

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
    """A journal in use, and everything it showed to anybody. `used`: what lay on the chip before it was formatted."""

    def __init__(self, capacity: int = 8192, used: bytes = b"\xff" * (BLOCKS * BLOCK)) -> None:
        chip = Chip(used)
        flash = LittleFlash(chip, blank=True, stamped=True)
        self.before = bytes(chip.buffer)
        self.operations: list[Operation] = []
        self.points = [Point(0, EPOCH, 0, 0, b"")]
        self.shown: dict[tuple[int, int], bytes] = {}
        self.given_up: list[tuple[int, int]] = []  # what a full flash had no room for, before the desk had it
        self.journal = Journal(flash, UID, EPOCH, capacity)
        self._serial = 0
        chip.log = self.operations
        self.journal.mount()
        self._mark()

    def facts(self, count: int) -> None:
        self.journal.commit([fact_of(self.journal.head + 1 + number) for number in range(count)], self._state(count))
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
            self.given_up.append(lost)
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


def fact_of(number: int) -> tuple[int, ...]:
    return (6, 977 * number, 1, number, number % 4, 1, 60_000 - number, 1, 50)


def comes_back(story: Story, done: int, image: bytearray) -> None:
    """The box whose flash is `image` after `done` operations starts again, tells the truth, and goes on."""
    synced = [point for point in story.points if point.done <= done][-1]
    next_ones = [point for point in story.points if point.done > done]
    under_way = next_ones[0] if next_ones else synced
    chip = Chip(image)
    journal = Journal(LittleFlash(chip, stamped=True), UID, EPOCH)
    journal.mount()

    # either all of the batch under way is there, or nothing of it; the state is that of the newest fact
    stands = (journal.epoch, journal.head, journal.snapshot)
    assert stands in [(point.epoch, point.head, point.snapshot) for point in (synced, under_way)]
    assert journal.snapshot == b"" or STATE.unpack(journal.snapshot)[1] == journal.head or journal.fresh
    assert journal.torn == 0

    # whatever the desk has not acknowledged is held, in order, as it was shown; nothing else is said to be lost than
    # what was given up, or the part of it that is gone by now
    assert journal.oldest <= max(synced.acked, under_way.acked) + 1
    if journal.lost is not None:
        first, last = journal.lost
        assert any(first == begin and last <= end for begin, end in story.given_up), f"{journal.lost} are lost"
    held = {}
    for seq in range(journal.oldest, journal.head + 1):
        record = journal.record(seq)
        assert record is not None
        assert story.shown.get((journal.epoch, seq), record) == record
        held[seq] = record

    # and it goes on with the next number
    boot = journal.boot
    journal.commit([fact_of(500), fact_of(501)], b"on")
    again = Journal(LittleFlash(chip, stamped=True), UID, EPOCH)
    again.mount()
    assert (again.head, again.snapshot, again.boot) == (journal.head, b"on", boot + 1)
    assert again.oldest == journal.oldest
    assert again.lost is None
    for seq, record in held.items():
        assert again.record(seq) == record
