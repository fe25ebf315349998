"""Event files and flash that know less than the other side: backups, second laptops, reflashed and copied boxes."""

from __future__ import annotations

from contextlib import ExitStack
from pathlib import Path

from dalej.event.reading import read
from dalej.link.session import Trusted
from dalej.simulator.box import MemoryFlash
from moveclock import facts as k
from moveclock.segments import Flash
from moveclock.upkeep import KEEP
from tests.desk.setting import FIRST, SECOND, Place, Setting, expect_clean
from tests.faults.conftest import journal, lock_the_file, take_away
from tests.link.hand import Hand
from tests.link.rig import Rig, Shelf
from tests.told import facts_of

# --- event file restored from an old backup, or an empty second laptop: the box sends again what it holds (a day);
#     what it no longer holds is reported as a range -----


def test_event_file_restored_from_an_old_backup(setting: Setting, place: Place) -> None:
    setting.moves(3)
    setting.settle(place)
    place.ledger.backup(setting.folder / "backup.dalej")
    saved = len(place.facts())
    setting.moves(6)
    setting.settle(place)
    whole = place.facts()
    take_away(place, setting)
    restored = setting.desk(FIRST, file="backup.dalej")
    setting.run(5000)
    assert restored.facts() == whole
    setting.tap(k.SEDZIA)
    setting.settle(restored)

    assert restored.facts() == journal(setting)
    assert not restored.said("conflict")
    assert all(one.old for one in read(restored.ledger).facts() if saved < one.fact.seq <= len(whole))
    expect_clean(restored.ledger)


def test_an_empty_second_laptop(setting: Setting, place: Place) -> None:
    setting.moves(6)
    setting.settle(place)
    whole = place.facts()
    take_away(place, setting)

    second = setting.desk(SECOND, file="empty.dalej")
    setting.run(5000)

    assert second.facts() == whole
    assert all(one.old for one in read(second.ledger).facts())
    assert not second.desk.notices


def test_what_a_box_no_longer_holds_is_reported_as_a_range(setting: Setting, place: Place) -> None:
    setting.moves(12)
    setting.settle(place)
    take_away(place, setting)
    box = setting.box.box
    assert box is not None
    while box.journal.compact(10):  # as a box does with what was acknowledged days ago
        pass
    oldest = box.journal.oldest
    assert 1 < oldest < KEEP

    second = setting.desk(SECOND, file="empty.dalej")
    setting.settle(second)
    setting.run(5000)

    assert second.said("lost") == [f"table 1: box {setting.box.uid.hex()} no longer holds facts 1 to {oldest - 1}"]
    assert [fact.seq for fact in second.facts()] == list(range(oldest, box.journal.head + 1))
    assert second.ledger.contiguous(setting.box.uid.hex(), box.journal.epoch) == box.journal.head


def test_what_a_box_no_longer_holds_is_reported_though_the_file_was_locked_when_it_connected(
    setting: Setting, place: Place
) -> None:
    setting.moves(12)
    setting.settle(place)
    place.desk.close()
    place.radio.abandon()
    box = setting.box.box
    assert box is not None
    while box.journal.compact(10):
        pass
    setting.run(13_000)
    setting.box.power_off()
    second = setting.desk(SECOND, file="empty.dalej")

    end_of_trouble = lock_the_file(second)
    setting.box.power_on()
    setting.run(10_000)
    end_of_trouble()
    setting.settle(second)

    assert len(second.said("lost")) == 1
    assert setting.box.box is not None
    journal = setting.box.box.journal
    assert second.ledger.contiguous(setting.box.uid.hex(), journal.epoch) == journal.head


def test_a_journal_that_runs_full_while_the_desk_cannot_store_is_a_range_that_both_know(
    setting: Setting, place: Place
) -> None:
    box = setting.box.box
    assert box is not None
    box.journal._capacity = 240  # much more than a window of frames
    end_of_trouble = lock_the_file(place)
    for _ in range(290):
        setting.tap(k.SEDZIA, 40)
    assert box.journal.oldest > 40
    end_of_trouble()

    setting.settle(place)
    setting.run(5000)

    assert not place.ledger.missing(setting.box.uid.hex(), box.journal.epoch)
    assert place.said("lost")
    assert place.ledger.contiguous(setting.box.uid.hex(), box.journal.epoch) == box.journal.head
    lost = [fact for fact in place.facts() if fact.kind == k.RECORDS_LOST]
    assert lost
    held = {fact.seq for fact in place.facts()}
    assert held == set(range(1, box.journal.head + 1)) - {seq for fact in lost for seq in range(fact.a, fact.b + 1)}


# --- box reflashed, or its flash cloned or restored (desk knows a later seq): new epoch, new stream, an alarm, nothing
#     mixed -----


def copy_of(flash: Flash) -> MemoryFlash:
    assert isinstance(flash, MemoryFlash)
    copy = MemoryFlash()
    copy.files, copy.folders = dict(flash.files), set(flash.folders)
    return copy


def expect_streams_apart(place: Place, setting: Setting, count: int) -> None:
    uid = setting.box.uid.hex()
    streams = [stream for stream in place.ledger.boxes() if stream.box == uid]
    assert len(streams) == count
    assert not read(place.ledger).conflicts()
    for stream in streams:
        assert [one.fact.seq for one in facts_of(place.ledger, uid, stream.epoch)] == list(range(1, stream.top + 1))
    box = setting.box.box
    assert box is not None
    assert [one.fact for one in facts_of(place.ledger, uid, box.journal.epoch)] == journal(setting)


def starts_with(setting: Setting, flash: MemoryFlash) -> None:
    """The box is switched on with what lies on that flash."""
    setting.box.power_off()
    setting.box.flash = flash
    setting.box.power_on()
    setting.run(3000)


def test_box_reflashed(setting: Setting, place: Place) -> None:
    setting.moves(2)
    setting.settle(place)
    before = place.facts()

    starts_with(setting, MemoryFlash())
    setting.tap(k.SEDZIA)
    setting.settle(place)

    assert place.facts()[: len(before)] == before
    assert len(place.said("new_epoch")) == 1
    expect_streams_apart(place, setting, 2)
    setting.configure(place)
    assert setting.box.box is not None
    assert setting.box.box.clock.state == k.READY


def test_box_whose_flash_was_restored_to_an_older_day(setting: Setting, place: Place) -> None:
    setting.moves(1)
    setting.settle(place)
    old = copy_of(setting.box.flash)
    setting.moves(3)
    setting.settle(place)
    before = place.facts()

    starts_with(setting, old)
    setting.tap(k.SEDZIA)
    setting.settle(place)

    assert place.facts()[: len(before)] == before
    assert len(place.said("new_epoch")) == 1
    expect_streams_apart(place, setting, 2)
    assert [fact.code for fact in journal(setting) if fact.kind == k.FAULT] == [k.E_NEW_EPOCH]


def test_box_whose_flash_was_restored_to_a_day_before_it_was_reflashed(setting: Setting, place: Place) -> None:
    """The desk has since heard of a later epoch, and would ask for that one."""
    setting.moves(1)
    old = copy_of(setting.box.flash)
    setting.moves(3)
    setting.settle(place)
    starts_with(setting, MemoryFlash())
    setting.settle(place)

    starts_with(setting, old)
    setting.settle(place)

    expect_streams_apart(place, setting, 3)


def test_a_restored_flash_is_found_out_even_if_the_desk_has_a_gap_before_what_it_knows() -> None:
    hand = Hand()
    old = copy_of(hand.flash)
    shelf = Shelf()
    rig = Rig(flash=hand.flash, shelf=shelf)
    rig.moves(2)
    rig.settle()
    epoch = rig.journal()[0].epoch
    later = max(seq for _, seq in shelf.facts)
    shelf.contiguous[epoch] = 1

    again = Rig(flash=old, shelf=shelf)
    again.settle()

    assert again.journal()[0].epoch != epoch
    assert max(seq for stream, seq in shelf.facts if stream == epoch) == later
    assert not shelf.conflicts
    assert len({event.epoch for event in shelf.events if isinstance(event, Trusted)}) == 2


def test_box_that_was_given_a_copy_of_another_boxs_flash(tmp_path: Path, kept_open: ExitStack) -> None:
    setting = kept_open.enter_context(Setting(tmp_path, 2))
    place = setting.desk()
    setting.configure(place)
    setting.moves(2)
    setting.settle(place)
    before = place.facts()

    setting.boxes[1].power_off()
    setting.boxes[1].flash = copy_of(setting.box.flash)
    setting.boxes[1].power_on()
    setting.run(3000)
    setting.settle(place)

    other = setting.boxes[1]
    assert other.box is not None
    assert setting.box.box is not None
    assert other.box.journal.epoch != setting.box.box.journal.epoch
    assert [fact for fact in place.facts() if fact.box == setting.box.uid.hex()] == [
        fact for fact in before if fact.box == setting.box.uid.hex()
    ]
    assert not read(place.ledger).conflicts()
    assert other.box.clock.state == k.IDLE
