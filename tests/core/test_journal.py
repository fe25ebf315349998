"""The journal over a flash that fails: each test's name is the fault, or the promise."""

import struct

from memory_flash import DONE, TORN, UNDONE, MemoryFlash
from moveclock import wire
from moveclock.journal import BATCH, CHUNK, Journal

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


def test_a_new_flash_is_formatted_with_the_epoch_given() -> None:
    journal = mounted(MemoryFlash())
    assert (journal.epoch, journal.boot, journal.head, journal.oldest, journal.acked) == (EPOCH, 1, 0, 1, 0)
    assert journal.fresh and journal.snapshot == b"" and journal.backlog == 0 and journal.record(1) is None


def test_facts_are_numbered_without_gaps_across_boots_that_grow() -> None:
    flash = MemoryFlash()
    for boot in range(1, 30):
        journal = mounted(flash)
        assert journal.boot == boot and journal.fresh == (boot == 1)
        add(journal, boot % 6 + 1, most=boot % 4 + 1)
        assert told(journal) == list(range(1, journal.head + 1))
        record = journal.record(journal.head)
        assert record is not None and wire.unpack_record(record) == (journal.head, boot, fact(journal.head))
    assert journal.epoch == EPOCH


def test_a_segment_begun_before_a_restart_is_read_as_it_was_filled_up_after_it() -> None:
    flash = MemoryFlash()
    add(mounted(flash), 2)
    journal = mounted(flash)
    add(journal, 30, most=2)
    for seq in (3, 4, 1, 2):
        assert journal.record(seq) is not None, seq


def test_a_batch_of_any_size_crosses_segments_and_folders() -> None:
    for size in range(1, BATCH + 1):
        flash = MemoryFlash()
        add(mounted(flash), 2 * CHUNK + 5, most=size)
        journal = mounted(flash)
        assert told(journal) == list(range(1, 2 * CHUNK + 6))
        assert len(flash.names("journal/5eed0001")) == 3


def test_a_batch_or_a_state_that_is_too_large_is_refused_before_anything_is_written() -> None:
    flash = MemoryFlash()
    journal = mounted(flash)
    writes = flash.writes
    for facts, snapshot in (([fact(1)] * (BATCH + 1), b""), ([fact(1)], bytes(256))):
        try:
            journal.commit(facts, snapshot)
        except ValueError:
            continue
        raise AssertionError("it was taken")
    assert flash.writes == writes and journal.head == 0


def test_two_facts_with_their_state_stay_within_what_littlefs_stores_inline() -> None:
    flash = MemoryFlash()
    journal = mounted(flash)
    journal.commit([fact(1), fact(2)], bytes(66))
    assert len(flash.files[HEAD]) == 128
    journal.commit([fact(3), fact(4), fact(5)], bytes(45))
    assert len(flash.files[HEAD]) == 128


def test_the_state_is_always_that_of_the_newest_fact() -> None:
    flash = MemoryFlash()
    journal = mounted(flash)
    add(journal, 7, most=2)
    assert mounted(flash).snapshot == state(7)
    journal.checkpoint(b"later")
    again = mounted(flash)
    assert (again.snapshot, again.head) == (b"later", 7)


def test_power_lost_at_any_call_loses_nothing_that_was_committed() -> None:
    for how in HOWS:
        after = 0
        finished = False
        while not finished:
            after += 1
            flash = MemoryFlash()
            flash.fail(after, how, True)
            finished, synced, epoch = _play(flash)
            flash.revive()
            journal = mounted(flash)
            # whatever was committed is there, at most the one batch under way besides it
            assert synced <= journal.head <= synced + 4, (how, after)
            assert journal.epoch == epoch or synced == 0
            assert told(journal) == list(range(journal.oldest, journal.head + 1))
            assert journal.snapshot == (state(journal.head) if journal.head else b"")
            assert journal.lost is None and journal.oldest <= max(1, synced - 11)
            # and the next boot goes on from there
            add(journal, 9, most=4)
            assert told(mounted(flash)) == list(range(journal.oldest, journal.head + 1))


def _play(flash: MemoryFlash) -> tuple[bool, int, int]:
    """Commits, checkpoints, acknowledgements and compaction until the flash dies: (whether it lived, synced, epoch)."""
    synced = epoch = 0
    try:
        journal = mounted(flash)
        epoch = journal.epoch
        for step in range(18):
            add(journal, step % 4 + 1)
            synced = journal.head
            if step % 3 == 0:
                journal.checkpoint(state(synced))
            if step % 5 == 4:
                journal.acknowledge(synced - 2)
                while journal.compact(12):
                    pass
        return True, synced, epoch
    except OSError:
        return False, synced, epoch


def test_power_lost_again_while_the_first_loss_is_repaired() -> None:
    for first in HOWS:
        for second in HOWS:
            for after in range(1, 5):
                flash = MemoryFlash()
                journal = mounted(flash)
                add(journal, 6)
                flash.fail(2, first, True)  # the head has the batch, the segments have not
                add(journal, 4)
                flash.revive()
                flash.fail(after, second, True)
                raises(mounted, flash)
                flash.revive()
                assert told(mounted(flash)) == list(range(1, 11))


def test_a_write_that_fails_advances_nothing_and_may_be_repeated() -> None:
    for how in HOWS:
        for after in range(1, 30):
            flash = MemoryFlash()
            journal = mounted(flash)
            flash.fail(after, how, False)
            for step in range(14):
                head, snapshot = journal.head, journal.snapshot
                facts = [fact(head + 1 + number) for number in range(step % 4 + 1)]
                if raises(journal.commit, facts, state(head + len(facts))):
                    assert (journal.head, journal.snapshot) == (head, snapshot)
                    journal.commit(facts, state(head + len(facts)))
            assert told(journal) == list(range(1, journal.head + 1))
            again = mounted(flash)
            assert told(again) == told(journal) and again.snapshot == journal.snapshot


def test_a_number_that_was_readable_never_gets_another_record() -> None:
    """A commit of unknown outcome is followed by another fact than before, by a checkpoint, or by a power cut."""
    for how in HOWS:
        for after in (1, 2, 3):
            for sequel in ("other", "checkpoint", "cut"):
                flash = MemoryFlash()
                journal = mounted(flash)
                add(journal, 3)
                shown: dict[int, bytes] = {}
                flash.fail(after, how, False)
                raises(journal.commit, [fact(91), fact(92)], state(92))
                _show(journal, shown)
                if sequel == "other":
                    journal.commit([fact(77)], state(77))
                elif sequel == "checkpoint":
                    journal.checkpoint(b"checkpoint")
                _show(journal, shown)
                for _ in range(3):
                    flash.revive()
                    journal = mounted(flash)
                    _show(journal, shown)
                    add(journal, 2)
                    _show(journal, shown)


def _show(journal: Journal, shown: dict[int, bytes]) -> None:
    """What a desk may see now is what it saw before."""
    for seq in range(1, journal.head + 1):
        record = journal.record(seq)
        assert shown.get(seq, record) == record and record is not None, seq
        shown[seq] = record


def test_a_commit_counts_when_only_the_segments_fail_and_they_are_filled_later() -> None:
    flash = MemoryFlash()
    journal = mounted(flash)
    add(journal, CHUNK - 1)
    flash.fail(3, UNDONE, True)  # the head and the folder's last place are written, the next folder is not to be had
    add(journal, 3)
    assert journal.head == CHUNK + 2 and raises(journal.commit, [fact(1)], b"")
    flash.revive()
    assert told(journal) == list(range(1, CHUNK + 3))
    add(journal, 1)
    assert told(mounted(flash)) == list(range(1, CHUNK + 4))


def test_a_box_starts_though_what_only_the_head_has_cannot_be_written_now() -> None:
    for how in HOWS:
        flash = MemoryFlash()
        journal = mounted(flash)
        add(journal, 6)
        flash.fail(2, how, True)
        add(journal, 5)
        flash.revive()
        flash.fail(1, how, False)
        journal = mounted(flash)
        assert told(journal) == list(range(1, 12))
        add(journal, 1)
        assert told(journal) == told(mounted(flash)) == list(range(1, 13))


def test_a_folder_that_somebody_removed_is_made_again() -> None:
    flash = MemoryFlash()
    journal = mounted(flash)
    add(journal, CHUNK + 6)
    for path in sorted(flash.files):
        if path != HEAD:
            flash.remove(path)
    flash.folders = ["journal"]
    journal = mounted(flash)
    assert journal.head == CHUNK + 6 and not journal.fresh and journal.lost == (1, CHUNK)
    add(journal, 5)
    again = mounted(flash)
    assert told(again) == list(range(CHUNK + 1, CHUNK + 12))


def test_a_torn_tail_is_dropped_and_counted_never_misread() -> None:
    path = "journal/5eed0001/0/1"
    for size in range(1, 64):
        flash = MemoryFlash()
        journal = mounted(flash)
        add(journal, 6, most=2)
        whole = flash.files[path]
        flash.files[path] = whole[:size]
        again = mounted(flash)
        assert again.torn == (0 if size == 32 else 1) and told(again) == list(range(1, 7))
        assert flash.files[path] == whole and mounted(flash).torn == 0


def test_a_damaged_record_that_nothing_can_restore_reads_as_none_and_its_number_stays_taken() -> None:
    flash = MemoryFlash()
    journal = mounted(flash)
    add(journal, 6, most=3)
    journal.checkpoint(state(6))
    flash.files["journal/5eed0001/0/1"] = b"\xff" * 64
    journal = mounted(flash)
    assert journal.torn == 2 and journal.head == 6
    add(journal, 40)
    again = mounted(flash)
    assert again.torn == 0
    for reader in (journal, again):
        assert [seq for seq in range(1, 47) if reader.record(seq) is None] == [5, 6]


def test_a_bit_flipped_in_an_old_segment_reads_as_none() -> None:
    flash = MemoryFlash()
    journal = mounted(flash)
    add(journal, 40)
    data = bytearray(flash.files["journal/5eed0001/0/2"])
    data[40] ^= 4
    flash.files["journal/5eed0001/0/2"] = bytes(data)
    assert [seq for seq in range(1, 41) if journal.record(seq) is None] == [10]


def test_a_head_that_is_missing_or_damaged_ends_the_epoch() -> None:
    for damage in (None, b"", b"\x00", b"\xff" * 90, b"bit"):
        flash = MemoryFlash()
        journal = mounted(flash)
        add(journal, 10)
        if damage is None:
            flash.remove(HEAD)
        elif damage == b"bit":
            data = bytearray(flash.files[HEAD])
            data[9] ^= 1
            flash.files[HEAD] = bytes(data)
        else:
            flash.files[HEAD] = damage
        again = mounted(flash)
        assert again.fresh and again.epoch == EPOCH + 1 and again.head == 0 and again.record(1) is None
        add(again, 3)
        assert told(mounted(flash)) == [1, 2, 3]


def test_a_head_restored_from_before_its_segments_ends_the_epoch_and_keeps_the_boots() -> None:
    for head in (3, 4, CHUNK):
        for behind in range(1, 20):
            flash = MemoryFlash()
            journal = mounted(flash)
            add(journal, head)
            old = flash.files[HEAD]
            add(journal, behind, most=3)
            flash.files[HEAD] = old
            again = mounted(flash)
            assert again.fresh and again.epoch != EPOCH and again.boot == 2 and again.snapshot == b""


def test_a_segment_that_contradicts_the_head_ends_the_epoch() -> None:
    flash = MemoryFlash()
    journal = mounted(flash)
    add(journal, 2)
    flash.files["journal/5eed0001/0/0"] = wire.pack_record(1, 1, fact(1)) + wire.pack_record(2, 1, fact(3))
    assert mounted(flash).fresh


def test_a_copy_of_another_boxs_flash_begins_its_own_epoch() -> None:
    flash = MemoryFlash()
    add(mounted(flash), 10)
    journal = Journal(flash, b"\x01\x02\x03\x04\x05\x07", 9)
    journal.mount()
    assert journal.fresh and journal.epoch == 9 and journal.head == 0
    add(journal, 1)
    compacted(journal, 0)
    assert flash.names("journal") == ["00000009", "head"]


def test_an_epoch_that_was_used_is_never_begun_again() -> None:
    flash = MemoryFlash()
    journal = mounted(flash)
    journal.new_epoch(EPOCH)
    assert journal.epoch == EPOCH + 1
    add(journal, 1)
    journal.new_epoch(EPOCH + 1)
    assert journal.epoch == EPOCH + 2
    journal.new_epoch(0)
    assert journal.epoch == 1


def test_a_desk_that_knows_a_later_seq_makes_a_new_stream_and_nothing_is_mixed() -> None:
    for how in HOWS:
        for after in range(1, 40):
            flash = MemoryFlash()
            journal = mounted(flash)
            add(journal, 30)
            journal.acknowledge(20)
            flash.fail(after, how, True)
            try:
                journal.new_epoch(77)
                assert (journal.epoch, journal.head, journal.acked, journal.boot) == (77, 0, 0, 1)
                assert journal.snapshot == state(30) and journal.record(5) is None
                add(journal, 5)
                compacted(journal, 0)
            except OSError:
                pass
            flash.revive()
            journal = mounted(flash)
            assert journal.boot == 2 and told(journal) == list(range(1, journal.head + 1))
            assert (journal.epoch, journal.head) in ((EPOCH, 30), (77, 0), (77, 5))
            compacted(journal, 4000)
            assert len(flash.names("journal")) == (1 if journal.head == 0 else 2)


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


def test_state_from_memory_that_outlives_a_reset_counts_only_at_the_same_head() -> None:
    flash = MemoryFlash()
    journal = mounted(flash)
    add(journal, 5)
    kept = journal.rtc_pack(b"newer state")
    again = mounted(flash)
    assert again.rtc_unpack(kept) == b"newer state"
    for place in range(len(kept)):
        torn = bytearray(kept)
        torn[place] ^= 0x10
        assert again.rtc_unpack(bytes(torn)) is None and again.rtc_unpack(kept[:place]) is None
    add(again, 1)
    assert again.rtc_unpack(kept) is None
    other = Journal(flash, b"another", 3)
    other.mount()
    assert other.rtc_unpack(kept) is None


def test_numbers_beyond_a_small_integer_work_alike() -> None:
    for head in (0x3FFFFFFE, 0x7FFFFFFE, 0xFFFFFF00):
        flash = MemoryFlash()
        journal = mounted(flash)
        journal._write_head(journal.epoch, head + 1, head, b"", 0, b"")
        journal = mounted(flash)
        assert journal.head == head and journal.oldest <= head + 1
        for number in range(9):
            journal.commit([fact(number), fact(number)], b"")
        journal = mounted(flash)
        assert journal.head == head + 18 and journal.lost is None
        record = journal.record(head + 18)
        assert record is not None and wire.unpack_record(record)[0] == head + 18


def test_a_flash_that_cannot_be_read_now_is_not_taken_for_an_empty_one() -> None:
    flash = MemoryFlash()
    add(mounted(flash), 5)
    flash.dead = True
    assert raises(mounted, flash)
    flash.revive()
    assert told(mounted(flash)) == [1, 2, 3, 4, 5]


# --- erases ---


def until_worn(journal: Journal, checkpoints: int) -> int:
    """How many checkpoints it takes."""
    count = 0
    while not journal.worn(checkpoints):
        journal.checkpoint(journal.snapshot)
        count += 1
    return count


def test_whether_the_heads_block_is_worn_is_not_known_after_a_mount_so_it_is() -> None:
    flash = MemoryFlash()
    journal = mounted(flash)
    add(journal, 1)
    assert journal.worn(1)
    journal.erased(1)
    assert not journal.worn(16)
    assert mounted(flash).worn(1)


def test_a_block_is_worn_when_it_could_not_take_the_checkpoints_to_come() -> None:
    for checkpoints in (1, 5, 13, 16):
        journal = mounted(MemoryFlash())
        add(journal, 1)
        journal.erased(1)
        taken = 1 + until_worn(journal, checkpoints) + checkpoints
        assert 29 <= taken <= 31, taken


def test_how_much_a_block_takes_is_learned_from_its_last_erase() -> None:
    journal = mounted(MemoryFlash())
    add(journal, 1)
    journal.erased(1)
    taken = [until_worn(journal, 0)]
    for more in (8, 60):  # 60 more than it takes: there was one that nobody noticed
        for _ in range(more):
            journal.checkpoint(journal.snapshot)
        journal.erased(1)
        taken.append(until_worn(journal, 0))
    assert taken[0] < taken[1] == taken[2]


def test_where_an_erase_is_never_noticed_none_is_waited_for() -> None:
    journal = mounted(MemoryFlash())
    add(journal, 1)
    rewrites = 0
    while journal.worn(13):
        journal.checkpoint(journal.snapshot)
        rewrites += 1
    assert 43 <= rewrites < 80  # 43 fill a block whatever littlefs adds
    journal.erased(1)
    until_worn(journal, 13)
    assert journal.worn(13)
