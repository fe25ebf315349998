"""Power cuts of a journal: at every operation of a box's flash chip, and at every transaction of a browser's storage.

On a board the journal lies on littlefs at the ESP32's geometry; power goes before an operation of the chip, or in the
middle of it (some bytes of a program, a stretch of an erase), and the box that starts again is held against what it had
told anybody by then. In a browser, whatever a turn keeps is one transaction, and a page that is killed begins with some
number of them.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from random import Random
from typing import Final

from bench.chip import BLOCKS
from dalej.boxes.page.glass import Glass
from moveclock import facts as k
from moveclock.wire import unpack_record
from proof.campaign import Outcome
from tests.journal.little_flash import BLOCK, ERASED
from tests.journal.story import Story, comes_back

COMMITS: Final = 560  # of a table in an evening, with some six hundred facts
PRESSES: Final = 600  # likewise
UID: Final = "a0b1c2d3e4f5"
SECRET: Final = bytes(range(32)).hex()


def of_a_chip(seed: int, commits: int = COMMITS) -> Outcome:
    """An evening, with as many cuts, clean and torn, as its chip did operations; it is as large as a board's."""
    lot = Random(seed)
    story = _use_of_a_journal(lot, commits, Story(used=_used(lot, commits)))
    counts: Counter[str] = Counter()
    for torn in (False, True):
        image = bytearray(story.before)
        for done, operation in enumerate(story.operations):
            left = bytearray(image)
            if torn:
                operation.tear(left, lot)
            operation.apply(image)
            comes_back(story, done, left)
            counts["cuts"] += 1
            counts["... in the middle of an operation"] += torn
            counts["... before or in the middle of an erase"] += operation.data is None
    counts["facts"] += story.journal.head
    return Outcome(counts)


def _used(lot: Random, commits: int) -> bytes:
    """A chip on which blocks of another evening lie about: on a new one most erases would change nothing."""
    before = _use_of_a_journal(lot, commits, Story())
    image = bytearray(before.before)
    for operation in before.operations:
        operation.apply(image)
    blocks = [bytes(image[start : start + BLOCK]) for start in range(0, len(image), BLOCK)]
    return b"".join(lot.choices([block for block in blocks if block != ERASED], k=BLOCKS))


def _use_of_a_journal(lot: Random, commits: int, story: Story) -> Story:
    """Batches of facts, checkpoints, acknowledgements, compaction, an early erase, as they come in play."""
    while len(story.points) < commits:
        match lot.choices(("facts", "checkpoint", "acknowledge", "compact", "rewrite"), (10, 4, 3, 1, 1))[0]:
            case "facts":
                story.facts(lot.randint(1, 4))
            case "checkpoint":
                story.checkpoint()
            case "acknowledge":
                story.acknowledge(max(0, story.journal.head - lot.randrange(6)))
            case "compact":
                story.compact(lot.randint(10, 40))
            case "rewrite":
                story.rewrite()
    return story


def of_a_browser(seed: int, presses: int = PRESSES) -> Outcome:
    """An evening of a table on a page, which is killed after each of its transactions."""
    lot = Random(seed)
    counts: Counter[str] = Counter()
    files: dict[str, str] = {}
    kept: list[tuple[dict[str, str], int]] = []  # what lay in the storage, and how far the journal was when it did
    page = Glass(UID, SECRET, "{}", lot.randbytes(32).hex(), 0, False, False)
    assert page.set_up(60_000, 15, 1, 0, False, False, 0) == ""
    raw = 0
    for contact in _presses(page, lot, presses):
        raw += lot.randint(500, 4_000)
        page.edge(contact, True, raw)
        page.edge(contact, False, raw + 80)
        for _ in range(3):
            raw += lot.randint(100, 3_000)
            if changed := json.loads(page.turn(raw))["changed"]:
                files = {path: data for path, data in (files | changed).items() if data is not None}
                kept.append((files, page.box.journal.head))
    truth = {seq: page.box.journal.record(seq) for seq in range(1, page.box.journal.head + 1)}  # no desk had any of it
    assert None not in truth.values(), "a page forgets what no desk has"
    for storage, head in kept:
        again = Glass(UID, SECRET, json.dumps(storage), lot.randbytes(32).hex(), 5, False, False)
        journal = again.box.journal
        again.turn(10)
        told = {seq: journal.record(seq) for seq in range(1, head + 1)}
        assert told == {seq: truth[seq] for seq in told}, (
            f"a fact is another, or none, after a page was killed at {head}"
        )
        assert journal.head > head, "nothing says that the page began anew"
        for seq in range(head + 1, journal.head + 1):
            record = journal.record(seq)
            assert record is not None
            assert unpack_record(record)[2][0] != k.MOVE_ENDED, "a move that nobody ended"
        assert again.box.clock.state not in (k.RUNNING, k.EXPIRED), "its clock goes on by itself"
        counts["cuts"] += 1
    counts["facts"] += page.box.journal.head
    return Outcome(counts)


def _presses(page: Glass, lot: Random, presses: int) -> Iterator[int]:
    """Whatever the table shows, somebody presses something: mostly whose move it is."""
    for _ in range(presses):
        seat = page.box.clock.seat if page.box.clock.state == k.RUNNING else k.SEAT_A
        yield lot.choices((2 * seat, 2 * seat + 1, k.KOSTKA, k.SEDZIA, lot.randrange(10)), (6, 4, 4, 1, 1))[0]
