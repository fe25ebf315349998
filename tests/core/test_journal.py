"""The journal over a flash that fails: each test's name is the fault, or the promise."""

from journal_run import EPOCH, HEAD, HOWS, add, compacted, fact, mounted, raises, state, told
from memory_flash import UNDONE, MemoryFlash
from moveclock import wire
from moveclock.journal import BATCH, CHUNK, Journal


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


def test_of_a_folder_that_somebody_removed_as_much_is_lost_as_no_desk_has() -> None:
    lost = []
    for acked in range(CHUNK - 2, CHUNK + 6):
        flash = MemoryFlash()
        journal = mounted(flash)
        add(journal, CHUNK + 6)
        journal.acknowledge(acked)
        add(journal, 1)
        for path in sorted(flash.files):
            if path != HEAD:
                flash.remove(path)
        again = mounted(flash)
        gone = list(range(acked + 1, again.oldest))
        assert again.lost == ((gone[0], gone[-1]) if gone else None)
        lost.append(len(gone))
    assert {0, 1, 2} <= set(lost), lost


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


def test_brief_commits_wait_in_the_head_and_are_in_their_segments_with_the_next_long_one() -> None:
    flash = MemoryFlash()
    journal = mounted(flash)
    add(journal, 6)
    before = dict(flash.files)
    for number in (7, 8):
        journal.commit([fact(number)], state(number)[:20], True)
        journal.checkpoint(state(number)[:20])
    changed = [path for path in flash.files if flash.files[path] != before.get(path)]
    assert changed == ["journal/head"] and told(journal) == list(range(1, 9))
    add(journal, 1)
    again = mounted(flash)
    assert told(again) == list(range(1, 10)) and again.torn == 0


def test_a_brief_commit_that_the_head_has_no_room_for_is_a_long_one() -> None:
    flash = MemoryFlash()
    journal = mounted(flash)
    add(journal, 4)
    for number in range(5, 30):
        journal.commit([fact(number)], state(number)[:40], True)
        assert len(flash.files["journal/head"]) <= 128
        again = MemoryFlash()
        again.files, again.folders = dict(flash.files), list(flash.folders)
        assert told(mounted(again)) == list(range(1, number + 1))


def test_power_lost_at_any_call_of_brief_commits_loses_nothing_that_was_said() -> None:
    for how in HOWS:
        for after in range(1, 40):
            flash = MemoryFlash()
            journal = mounted(flash)
            add(journal, 3)
            said = 3
            flash.fail(after, how, True)
            try:
                for number in range(4, 16):
                    journal.commit([fact(number)], state(number)[:30], number % 5 > 0)
                    said = number
                    journal.checkpoint(state(number)[:30])
            except OSError:
                pass
            flash.revive()
            again = mounted(flash)
            assert again.head in (said, said + 1)
            assert told(again) == list(range(1, again.head + 1))


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
        journal.write_head(journal.epoch, head + 1, head, b"", 0, b"")
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
