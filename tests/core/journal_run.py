"""A journal on a flash that may fail, and what the journal tests ask of it."""

import struct

from memory_flash import DONE, TORN, UNDONE, MemoryFlash
from moveclock import wire
from moveclock.journal import BATCH, Journal

UID = b"\x01\x02\x03\x04\x05\x06"
EPOCH = 0x5EED0001
HOWS = (UNDONE, DONE, TORN)
HEAD = "journal/head"


def fact(number: int) -> tuple[int, ...]:
    return (4, 1000 * number, 1, number & 0xFFFF, number & 3, 0, number, 7, 106)


def state(number: int) -> bytes:
    """A state of 34 bytes that tells which fact it comes after."""
    return struct.pack("<I30x", number)


def mounted(flash: MemoryFlash, capacity: int = 8192) -> Journal:
    journal = Journal(flash, UID, EPOCH, capacity)
    journal.mount()
    return journal


def add(journal: Journal, count: int, most: int = BATCH) -> None:
    """`count` more facts, each numbered in `a` like its seq, in batches of up to `most`."""
    while count:
        size = min(count, most)
        first = journal.head + 1
        journal.commit([fact(first + number) for number in range(size)], state(first + size - 1))
        count -= size


def told(journal: Journal) -> list[int]:
    """The numbers in the facts held, oldest first; every record is under its own seq."""
    numbers = []
    for seq in range(journal.oldest, journal.head + 1):
        record = journal.record(seq)
        assert record is not None, seq
        held, _, content = wire.unpack_record(record)
        assert held == seq
        numbers.append(content[6])
    return numbers


def compacted(journal: Journal, keep: int) -> None:
    for _ in range(10000):
        if not journal.compact(keep):
            return
    raise AssertionError("compaction does not end")


def raises(call: object, *arguments: object) -> bool:
    try:
        call(*arguments)  # type: ignore[operator]  # a bound method, spelled without typing
    except OSError:
        return True
    return False
