"""Where records lie: what a mount looks at and mends, when folders become files, which folders are made ahead."""

from journal_run import HEAD, add, compacted, mounted, state, told
from memory_flash import MemoryFlash
from moveclock.journal import CHUNK

EPOCH = "journal/5eed0001"


def flip(flash: MemoryFlash, path: str, place: int) -> None:
    data = bytearray(flash.files[path])
    data[place] ^= 4
    flash.files[path] = bytes(data)


def prepared(flash: MemoryFlash, count: int) -> list[int]:
    """The folders that are there once all are prepared that follow on `count` facts."""
    journal = mounted(flash)
    add(journal, count - journal.head)
    steps = 0
    before = len(flash.folders)
    while journal.prepare():
        steps += 1
        assert len(flash.folders) == before + steps, "one folder a step"
    return sorted(int(name) for name in flash.names(EPOCH))


def test_a_segment_after_the_newest_ends_the_epoch_though_it_cannot_be_read() -> None:
    for count in range(1, 9):
        flash = MemoryFlash()
        add(mounted(flash), count)
        flash.files[f"{EPOCH}/0/{(count - 1) // 4 + 1}"] = b"\xff" * 32
        assert mounted(flash).fresh, count


def test_a_mount_mends_the_newest_four_segments_and_leaves_older_ones_alone() -> None:
    for segment, torn in ((5, 0), (6, 1), (9, 1)):
        flash = MemoryFlash()
        journal = mounted(flash)
        add(journal, 40)
        journal.checkpoint(state(40))
        flip(flash, f"{EPOCH}/0/{segment}", 40)
        damaged = flash.files[f"{EPOCH}/0/{segment}"]

        again = mounted(flash)

        lost = 4 * segment + 2
        assert again.torn == torn, segment
        assert (flash.files[f"{EPOCH}/0/{segment}"] == damaged) == (not torn), segment
        assert [seq for seq in range(1, 41) if again.record(seq) is None] == [lost], segment


def test_a_segment_that_holds_a_fifth_record_is_cut() -> None:
    flash = MemoryFlash()
    add(mounted(flash), 8)
    whole = flash.files[f"{EPOCH}/0/0"]
    flash.files[f"{EPOCH}/0/0"] = whole + flash.files[f"{EPOCH}/0/1"][:32]
    assert told(mounted(flash)) == list(range(1, 9))
    assert flash.files[f"{EPOCH}/0/0"] == whole


def test_a_folder_becomes_a_file_once_sixteen_newer_facts_are_in_their_segments() -> None:
    for count, archived in ((CHUNK + 15, False), (CHUNK + 16, True)):
        flash = MemoryFlash()
        journal = mounted(flash)
        add(journal, count)
        compacted(journal, 4000)
        assert ("old" in flash.names(EPOCH)) == archived, count


def test_folders_for_the_ten_times_48_facts_to_come_are_made_one_at_a_time() -> None:
    flash = MemoryFlash()
    assert not mounted(flash).prepare()
    assert flash.names(EPOCH) == []
    for count in (1, CHUNK):
        assert prepared(MemoryFlash(), count) == list(range(11)), count
    assert prepared(MemoryFlash(), CHUNK + 1) == list(range(12))


def test_folders_made_ahead_are_not_in_the_way_of_a_mount() -> None:
    for ahead in range(11):
        flash = MemoryFlash()
        journal = mounted(flash)
        add(journal, 5)
        for _ in range(ahead):
            assert journal.prepare()
        assert told(mounted(flash)) == list(range(1, 6)), ahead


def test_of_an_archive_alone_a_head_at_its_end_is_believed_and_one_before_it_is_not() -> None:
    for head, believed in ((CHUNK, True), (CHUNK - 4, False)):
        flash = MemoryFlash()
        journal = mounted(flash)
        add(journal, head)
        journal.checkpoint(state(head))
        old = flash.files[HEAD]
        add(journal, CHUNK + 16 - head)
        compacted(journal, 4000)
        for path in list(flash.files):
            if path.startswith(f"{EPOCH}/1/"):
                flash.remove(path)
        flash.remove_folder(f"{EPOCH}/1")
        flash.files[HEAD] = old

        again = mounted(flash)

        assert again.fresh == (not believed), head
        if believed:
            assert told(again) == list(range(1, CHUNK + 1))
