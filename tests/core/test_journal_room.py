"""Room on flash: what is kept, tidied, given up and worn; each test's name is the promise."""

from journal_run import HOWS, add, compacted, fact, mounted, raises, state, told
from memory_flash import TORN, UNDONE, MemoryFlash
from moveclock.journal import CHUNK, Journal


def test_compaction_keeps_what_is_not_acknowledged_the_newest_segment_and_what_the_day_needs() -> None:
    for count in list(range(1, 14)) + list(range(45, 54)) + [96, 97]:
        for acknowledged, keep in ((0, 0), (count // 2, 0), (count, 0), (count, 20)):
            flash = MemoryFlash()
            journal = mounted(flash)
            add(journal, count)
            journal.acknowledge(acknowledged)
            compacted(journal, keep)
            assert journal.oldest <= acknowledged + 1 and count - journal.oldest + 1 >= min(keep, count)
            assert journal.oldest <= (count - 1) // 4 * 4 + 1
            if acknowledged == count and keep == 0:
                assert journal.oldest == (count - 1) // 4 * 4 + 1
            assert told(journal) == list(range(journal.oldest, count + 1))
            again = mounted(flash)
            assert told(again) == told(journal) and again.lost is None


def test_one_step_of_compaction_removes_one_file_or_makes_one() -> None:
    flash = MemoryFlash()
    journal = mounted(flash)
    add(journal, 3 * CHUNK)
    for acknowledged in (0, 3 * CHUNK):
        journal.acknowledge(acknowledged)
        files = len(flash.files)
        while journal.compact(12):
            assert abs(len(flash.files) - files) <= 1
            files = len(flash.files)
    assert journal.oldest == 3 * CHUNK - 11 and not journal.compact(12)


def test_folders_of_old_segments_become_files_and_nothing_is_lost_by_it() -> None:
    flash = MemoryFlash()
    journal = mounted(flash)
    add(journal, 4 * CHUNK)
    compacted(journal, 4000)
    assert flash.names("journal/5eed0001") == ["3", "old"] and flash.names("journal/5eed0001/old") == ["0", "1", "2"]
    for reader in (journal, mounted(flash)):
        assert told(reader) == list(range(1, 4 * CHUNK + 1))
    journal.acknowledge(2 * CHUNK + 7)
    compacted(journal, 0)
    assert flash.names("journal/5eed0001/old") == ["2"] and journal.oldest == 2 * CHUNK + 1
    add(journal, CHUNK)
    compacted(journal, 0)
    again = mounted(flash)
    assert told(again) == told(journal) == list(range(2 * CHUNK + 1, 5 * CHUNK + 1)) and again.lost is None


def test_power_lost_at_any_call_while_a_folder_becomes_a_file() -> None:
    for how in HOWS:
        for after in range(1, 36):
            flash = MemoryFlash()
            journal = mounted(flash)
            add(journal, 2 * CHUNK + 20)
            flash.fail(after, how, True)
            raises(compacted, journal, 4000)
            flash.revive()
            journal = mounted(flash)
            assert told(journal) == list(range(1, 2 * CHUNK + 21)) and journal.lost is None and journal.torn == 0
            compacted(journal, 4000)
            assert told(journal) == told(mounted(flash)) == list(range(1, 2 * CHUNK + 21))
            assert flash.names("journal/5eed0001") == ["2", "old"]


def test_a_file_that_power_left_empty_is_no_archive_of_its_folder() -> None:
    flash = MemoryFlash()
    journal = mounted(flash, 3 * CHUNK)
    add(journal, 3 * CHUNK)
    journal.compact(4000)
    flash.fail(2, TORN, True)
    assert raises(compacted, journal, 4000) and flash.files["journal/5eed0001/old/0"] == b""
    flash.revive()
    journal = mounted(flash, 3 * CHUNK)
    assert told(journal) == list(range(1, 3 * CHUNK + 1))
    assert journal.make_room() == (1, CHUNK)
    add(journal, CHUNK)
    compacted(journal, 4000)
    assert told(journal) == told(mounted(flash)) == list(range(CHUNK + 1, 4 * CHUNK + 1))


def test_a_folder_that_was_half_given_up_becomes_a_file_without_what_is_gone() -> None:
    flash = MemoryFlash()
    journal = mounted(flash, 96)
    add(journal, 96)
    flash.fail(4, UNDONE, False)
    assert journal.make_room() == (1, 12) and journal.oldest == 13
    compacted(journal, 4000)
    for reader in (journal, mounted(flash, 96)):
        assert told(reader) == list(range(13, 97))


def test_an_acknowledgement_of_a_number_never_given_or_an_older_one_changes_nothing() -> None:
    journal = mounted(MemoryFlash())
    add(journal, 5)
    for seq, acked in ((4, 4), (3, 4), (6, 4), (0xFFFFFFFF, 4), (5, 5)):
        journal.acknowledge(seq)
        assert (journal.acked, journal.backlog) == (acked, 5 - acked)


def test_an_acknowledgement_survives_with_the_next_commit() -> None:
    flash = MemoryFlash()
    journal = mounted(flash)
    add(journal, 5)
    journal.acknowledge(4)
    assert mounted(flash).acked == 0
    journal.checkpoint(state(5))
    assert mounted(flash).acked == 4


def test_compaction_cut_at_any_call_looks_like_no_loss() -> None:
    for how in HOWS:
        for after in range(1, 30):
            flash = MemoryFlash()
            journal = mounted(flash)
            add(journal, 60)
            journal.acknowledge(54)
            flash.fail(after, how, True)
            raises(compacted, journal, 0)
            flash.revive()
            journal = mounted(flash)
            assert journal.lost is None and journal.head == 60 and journal.oldest <= 55
            assert told(journal) == list(range(journal.oldest, 61))
            for folder in flash.names("journal/5eed0001"):
                assert flash.names("journal/5eed0001/" + folder), "an empty folder is left"


def test_full_of_unacknowledged_facts_gives_up_the_oldest_and_says_which() -> None:
    flash = MemoryFlash()
    journal = mounted(flash, 96)
    add(journal, 95)
    assert not journal.full and journal.make_room() is None
    journal.acknowledge(10)
    add(journal, 1)
    assert journal.full and journal.make_room() == (11, 48)
    assert not journal.full and (journal.oldest, journal.acked, journal.backlog) == (49, 48, 48)
    add(journal, 48)
    assert journal.full and journal.make_room() == (49, 96) and journal.oldest == 97
    journal.acknowledge(144)
    add(journal, 48)
    assert journal.full and journal.make_room() is None and journal.oldest == 145
    assert told(mounted(flash, 96)) == list(range(145, 193))


def test_a_single_fact_that_is_given_up_is_said_too() -> None:
    journal = mounted(MemoryFlash(), 96)
    add(journal, 95)
    journal.acknowledge(CHUNK - 1)
    add(journal, 1)
    assert journal.full and journal.make_room() == (CHUNK, CHUNK) and journal.acked == CHUNK


def test_a_filesystem_without_a_free_block_is_full_whatever_the_capacity() -> None:
    for errno, full in ((28, True), (5, False)):
        flash = MemoryFlash()
        journal = mounted(flash)
        add(journal, 2 * CHUNK)
        flash.errno = errno
        flash.fail(1, UNDONE, False)
        assert raises(journal.commit, [fact(97)], b"") and journal.full == full
        assert journal.make_room() == ((1, CHUNK) if full else None) and not journal.full
        add(journal, 1)


def test_an_old_stream_is_given_up_before_anything_of_the_new_one_is_lost() -> None:
    flash = MemoryFlash()
    journal = mounted(flash, 2 * CHUNK)
    add(journal, 3 * CHUNK)
    journal.new_epoch(77)
    add(journal, 2 * CHUNK)
    rooms = 0
    while "5eed0001" in flash.names("journal"):
        assert journal.full and journal.make_room() is None and journal.oldest == 1
        rooms += 1
    assert rooms == 4 and journal.make_room() == (1, CHUNK)


def test_even_a_tiny_capacity_never_costs_the_newest_segment() -> None:
    journal = mounted(MemoryFlash(), 1)
    for count in range(1, 20):
        add(journal, 1)
        assert journal.full
        journal.make_room()
        assert journal.oldest == (count - 1) // 4 * 4 + 1


def test_a_loss_that_a_power_cut_kept_from_being_recorded_is_known_at_the_next_mount() -> None:
    for how in HOWS:
        for after in range(1, 16):
            flash = MemoryFlash()
            journal = mounted(flash, 96)
            add(journal, 96)
            journal.acknowledge(6)
            flash.fail(after, how, True)
            recorded = 0
            try:
                lost = journal.make_room()
                if lost is not None:
                    journal.commit([fact(97)], state(97))
                    recorded = lost[1]
            except OSError:
                pass
            flash.revive()
            journal = mounted(flash, 96)
            if recorded or journal.head == 97:
                assert journal.lost is None
            elif journal.oldest > 7:
                assert journal.lost == (7, journal.oldest - 1) and journal.acked == journal.oldest - 1
                add(journal, 1)
                again = mounted(flash)
                assert again.lost is None
            assert told(journal) == list(range(journal.oldest, journal.head + 1))


def test_a_segment_that_somebody_removed_does_not_stop_compaction() -> None:
    flash = MemoryFlash()
    journal = mounted(flash)
    add(journal, 60)
    flash.remove("journal/5eed0001/0/2")
    journal.acknowledge(60)
    assert [seq for seq in range(1, 61) if journal.record(seq) is None] == [9, 10, 11, 12]
    compacted(journal, 0)
    assert journal.oldest == 57 and flash.names("journal/5eed0001") == ["1"]


# --- erases ---


class ErasingFlash(MemoryFlash):
    """A flash in memory whose writing of the head takes its time, and says so to its journal, as the pump does."""

    def __init__(self) -> None:
        super().__init__()
        self.journal: Journal | None = None
        self.takes = 8

    def write(self, path: str, data: bytes) -> None:
        super().write(path, data)
        if self.journal is not None and path == "journal/head":
            self.journal.stalled(1)  # it was opened
            self.journal.stalled(self.takes)


def timed() -> tuple[Journal, ErasingFlash]:
    """A journal with a fact that is told how long its calls take."""
    flash = ErasingFlash()
    journal = flash.journal = mounted(flash)
    add(journal, 1)
    return journal, flash


def erase(journal: Journal, flash: ErasingFlash) -> None:
    """A checkpoint that finds the block full."""
    flash.takes = 190
    journal.checkpoint(journal.snapshot)
    flash.takes = 8


def until_worn(journal: Journal, checkpoints: int) -> int:
    """How many checkpoints it takes."""
    count = 0
    while not journal.worn(checkpoints):
        journal.checkpoint(journal.snapshot)
        count += 1
    return count


def test_whether_the_heads_block_is_worn_is_not_known_after_a_mount_so_it_is() -> None:
    journal, flash = timed()
    assert journal.worn(1)
    erase(journal, flash)
    assert not journal.worn(16)
    again = flash.journal = mounted(flash)
    add(again, 1)
    assert again.worn(1)


def test_a_block_of_which_nothing_is_known_is_not_known_to_be_worn_so_checkpoints_are_written() -> None:
    journal, flash = timed()
    assert not journal.worn(1, True)
    erase(journal, flash)
    until_worn(journal, 1)
    assert journal.worn(1, True)


def test_no_erase_is_waited_for_by_a_journal_that_nobody_tells_how_long_calls_take() -> None:
    journal = mounted(MemoryFlash())
    add(journal, 1)
    assert not journal.worn(16)


def test_a_long_call_that_wrote_no_head_and_a_slow_one_without_an_erase_are_no_erase() -> None:
    journal, flash = timed()
    journal.stalled(250)  # a collection, a radio, a display
    assert journal.worn(1)
    flash.takes = 40
    add(journal, 1)
    assert journal.worn(1)


def test_an_erase_is_noticed_in_the_commit_of_facts_as_well() -> None:
    journal, flash = timed()
    flash.takes = 190
    add(journal, 2)
    assert not journal.worn(16)


def test_a_block_is_worn_when_it_could_not_take_the_checkpoints_to_come() -> None:
    for checkpoints in (1, 5, 13, 16):
        journal, flash = timed()
        erase(journal, flash)
        taken = 1 + until_worn(journal, checkpoints) + checkpoints
        assert 29 <= taken <= 31, taken


def test_how_much_a_block_takes_is_learned_from_its_last_erase() -> None:
    journal, flash = timed()
    erase(journal, flash)
    taken = [until_worn(journal, 0)]
    for more in (8, 60):  # 60 more than it takes: there was one that nobody noticed
        for _ in range(more):
            journal.checkpoint(journal.snapshot)
        erase(journal, flash)
        taken.append(until_worn(journal, 0))
    assert taken[0] < taken[1] == taken[2]


def test_where_an_erase_is_never_noticed_none_is_waited_for() -> None:
    journal, flash = timed()
    rewrites = 0
    while journal.worn(13):
        journal.checkpoint(journal.snapshot)
        rewrites += 1
    assert 43 <= rewrites < 80  # 43 fill a block whatever littlefs adds
    erase(journal, flash)
    until_worn(journal, 13)
    assert journal.worn(13)
