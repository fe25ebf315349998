"""The desk's rows of the fault table: killed, cut off, out of disk, locked out."""

from __future__ import annotations

import random
import shutil
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from pathlib import Path

import pytest

from dalej.errors import Unreachable, WrongInput
from dalej.event.ledger import Ledger
from dalej.event.reading import read
from tests.event.ledger import process
from tests.event.ledger.keeping import Keeping
from tests.event.ledger.making import BOX, EPOCH, NOON, OTHER, reports, seqs
from tests.processes import WITHIN_S, bounded


def test_a_desk_killed_at_any_instant_is_found_with_every_acknowledged_fact(
    event: Path, keeping: Keeping, seed: int
) -> None:
    draw = random.Random(seed)
    keeping.create(event).close()
    before = 0
    for _ in range(3):
        witness = Ledger.open(event) if draw.random() < 0.5 else None  # or the dead process was the only one
        writer = process.start("record", event, BOX, draw.randrange(1_000), 10**9)
        assert writer.stdout is not None
        with bounded(writer):
            first = writer.stdout.readline()
        time.sleep(draw.uniform(0, 0.15))
        writer.kill()
        acknowledged = max(int(line) for line in (first, *writer.communicate(timeout=WITHIN_S)[0].splitlines()))
        if witness is not None:
            with witness:
                assert seqs(witness)[acknowledged - 1] == acknowledged
                witness.decide("note", {}, who="Anna", when_ms=NOON, why="the dead do not hold the lock")

        with Ledger.open(event) as restarted:
            restarted.expect_whole()
            stored = seqs(restarted)
            assert stored == list(range(1, len(stored) + 1))
            assert restarted.contiguous(BOX, EPOCH) == len(stored) >= max(acknowledged, before)
            before = len(stored)


def test_a_database_that_stays_locked_is_said_in_words_and_nothing_is_acknowledged(
    event: Path, keeping: Keeping
) -> None:
    keeping.create(event).close()
    with Ledger.open(event, busy_ms=50) as ledger, Ledger.open(event) as other, ExitStack() as held:
        ledger.record(reports([1]))
        held.enter_context(other._store.writing())
        for write in (
            lambda: ledger.record(reports([2])),
            lambda: ledger.lost(BOX, EPOCH, 2, 3, "compacted", NOON),
            lambda: ledger.decide("note", {}, who="Anna", when_ms=NOON, why="seen"),
            lambda: ledger.request(1, "stop", who="Anna", at_ms=NOON),
            lambda: ledger.lease.acquire("desk", NOON, 1_000),
        ):
            with pytest.raises(Unreachable, match=r"event\.dalej is locked by another program"):
                write()
        assert seqs(ledger) == [1]  # reading goes on
        held.close()
        assert ledger.record(reports([2])).contiguous == {(BOX, EPOCH): 2}


def test_an_event_that_is_opened_and_closed_once_more_keeps_the_locks_that_its_process_holds(
    ledger: Ledger,
) -> None:
    """POSIX drops all locks of a process on a file as soon as it closes any descriptor of that file; then whoever comes
    and goes clears the journal away that this process goes on with.
    """
    ledger.record(reports([1]))
    Ledger.open(ledger.path).close()
    for count in (2, 3):
        process.start("note", ledger.path).communicate(timeout=WITHIN_S)
        assert ledger.head() == 2 * count - 2
        ledger.record(reports([count]))
    ledger.expect_whole()


def test_a_short_lock_is_waited_for(ledger: Ledger, second: Ledger) -> None:
    begun = threading.Event()

    def hold() -> None:
        with second._store.writing():
            begun.set()
            time.sleep(0.1)

    holding = threading.Thread(target=hold)
    holding.start()
    assert begun.wait(WITHIN_S)
    assert ledger.record(reports([1])).new
    holding.join(WITHIN_S)


def test_an_old_backup_asks_again_for_what_it_misses_and_ends_with_the_same_log(ledger: Ledger, tmp_path: Path) -> None:
    ledger.record(reports(range(1, 50)))
    ledger.backup(tmp_path / "restored.dalej")
    ledger.record(reports(range(50, 90)))
    with Ledger.open(tmp_path / "restored.dalej") as restored:
        resume = restored.contiguous(BOX, EPOCH) + 1
        assert resume == 50
        restored.record(reports(range(resume, 90)))
        assert [one.fact for one in read(restored).facts()] == [one.fact for one in read(ledger).facts()]


def test_threads_of_one_process_may_share_a_ledger(ledger: Ledger) -> None:
    boxes = (BOX, OTHER, "aa", "bb")
    with ThreadPoolExecutor(len(boxes)) as pool:
        for done in [
            pool.submit(lambda box: [ledger.record(reports([seq], box=box)) for seq in range(1, 51)], box)
            for box in boxes
        ]:
            done.result()
    assert [ledger.contiguous(box, EPOCH) for box in boxes] == [50] * len(boxes)
    ledger.expect_whole()


@pytest.mark.torture
def test_a_desk_killed_many_times_is_found_with_every_acknowledged_fact(
    event: Path, keeping: Keeping, seed: int
) -> None:
    for again in range(5):
        test_a_desk_killed_at_any_instant_is_found_with_every_acknowledged_fact(
            event.with_name(f"event{again}.dalej"), keeping, 1_000 * seed + again
        )


def test_what_is_written_together_is_durable_together_and_a_step_of_it_can_fail_alone(
    event: Path, keeping: Keeping
) -> None:
    with keeping.create(event) as ledger, Ledger.open(event, busy_ms=1) as other:
        with ledger.together():
            ledger.decide("note", {}, who="Lis", when_ms=NOON, why="first")
            with pytest.raises(WrongInput):
                ledger.decide("note", {}, who="", when_ms=NOON, why="nobody")
            ledger.request(1, "blink", who="Lis", at_ms=NOON)
            assert (ledger.head(), other.head()) == (2, 0)
            with pytest.raises(Unreachable, match="locked"):
                other.decide("note", {}, who="Sowa", when_ms=NOON, why="waits")
        assert [one.why for one in read(other).decisions()] == ["first"]

        with pytest.raises(WrongInput):
            _a_note_and_a_request_of_nobody(ledger)
        ledger.expect_whole()
        assert other.head() == 2


def _a_note_and_a_request_of_nobody(ledger: Ledger) -> None:
    with ledger.together():
        ledger.decide("note", {}, who="Lis", when_ms=NOON, why="given up with the request")
        ledger.request(1, "blink", who="", at_ms=NOON)


def test_an_event_whose_desk_was_killed_within_a_checkpoint_is_whole(event: Path, tmp_path: Path) -> None:
    """Given that SQLite has carried over the first page alone, which says that the file is longer than it is."""
    killed = tmp_path / "killed.dalej"
    with Ledger.create(event) as ledger:
        ledger.record(reports(range(1, 2_001)))
        for suffix in ("", "-wal"):
            shutil.copy(f"{event}{suffix}", f"{killed}{suffix}")
    frames = Path(f"{killed}-wal").read_bytes()
    size = int.from_bytes(frames[8:12], "big")
    places = range(32, len(frames), 24 + size)  # of the frames, each a header and a page
    first = [at for at in places if int.from_bytes(frames[at : at + 4], "big") == 1][-1]
    with killed.open("r+b") as file:
        file.write(frames[first + 24 : first + 24 + size])
    assert int.from_bytes(frames[first + 52 : first + 56], "big") * size > killed.stat().st_size

    for read_only in (True, False):
        with Ledger.open(killed, read_only=read_only) as again:
            assert seqs(again) == [*range(1, 2_001)]
            again.expect_whole()
