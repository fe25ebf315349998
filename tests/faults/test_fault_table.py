"""The fault table of the design, a row a section: what may go wrong, and what must come of it."""

from __future__ import annotations

import sqlite3
import struct
from collections.abc import Callable
from pathlib import Path
from random import Random
from time import sleep
from typing import Any

import pytest

from dalej.domain.facts import Fact
from dalej.ledger import Ledger
from dalej.link.board import MemoryFlash
from dalej.link.session import Trusted
from dalej.link.sim import Faults, SimRadio
from moveclock import facts as k
from moveclock.clock import Clock
from moveclock.segments import Flash
from moveclock.settings import Settings
from moveclock.ticks import PERIOD
from moveclock.upkeep import KEEP
from tests.desk.setting import FIRST, SECOND, Place, Setting, expect_clean
from tests.faults.dying import DONE, LIMIT_MS, TORN, UNDONE, DyingFlash, Evening
from tests.faults.kill import LEASE_MS, Remote
from tests.link.hand import Hand, hello, is_live
from tests.link.rig import Rig, Shelf, facts_of


@pytest.fixture
def setting(tmp_path: Path) -> Setting:
    return Setting(tmp_path)


@pytest.fixture
def place(setting: Setting) -> Place:
    """A desk whose table is set up."""
    place = setting.desk()
    setting.configure(place)
    return place


def journal(setting: Setting, number: int = 0) -> list[Fact]:
    """What lies on a box's flash, in the desk's words."""
    box = setting.boxes[number].box
    assert box is not None
    held = [box.journal.record(seq) for seq in range(box.journal.oldest, box.journal.head + 1)]
    return [_of(fact, setting.boxes[number].uid) for fact in facts_of(box.journal.epoch, held)]


def _of(fact: Fact, uid: bytes) -> Fact:
    return Fact(uid.hex(), *(getattr(fact, name) for name in Fact.__slots__[1:]))


# --- notification lost, duplicated, reordered: replay; ignored; same log -----


@pytest.mark.parametrize(
    "faults",
    [
        Faults(loss=0.3, delay_ms=(5, 40)),
        Faults(duplicate=0.6, delay_ms=(5, 40)),
        Faults(reorder=0.6, delay_ms=(5, 40)),
    ],
    ids=["lost", "duplicated", "reordered"],
)
def test_notification_lost_duplicated_reordered(setting: Setting, place: Place, faults: Faults) -> None:
    place.radio.faults = faults
    setting.moves(6)
    setting.settle(place)

    assert place.facts() == journal(setting)
    expect_clean(place.ledger)


# --- link lost, box out of range for 20 minutes: the game goes on; all facts arrive later, marked old -----


def test_link_lost_box_out_of_range_for_20_minutes(setting: Setting, place: Place) -> None:
    setting.moves(2)
    setting.settle(place)
    before = place.ledger.head()

    place.radio.set_reach(setting.box.uid, False)
    setting.moves(20, every_ms=50_000)
    setting.run(200_000)
    away = len(journal(setting))
    place.radio.set_reach(setting.box.uid, True)
    setting.settle(place)
    setting.tap(k.SEDZIA)
    setting.settle(place)

    late = [reported for reported in place.ledger.facts(after=before) if reported.fact.seq <= away]
    assert place.facts() == journal(setting)
    assert len([reported for reported in late if reported.fact.kind == k.MOVE_ENDED]) >= 17
    assert all(reported.old for reported in late)
    assert not [reported for reported in place.ledger.facts() if reported.fact.seq > away and reported.old]
    for reported in late:
        assert reported.wall_ms is not None
        assert abs(reported.wall_ms - setting.clock.wall_start_ms - reported.fact.uptime_ms) <= 20


# --- box loses power at any byte of any write: synced facts intact, seq never reused, box back in `stopped`,
#     remaining within 5 s, a press whose flush never returned was never shown to the desk -----


def lose_power_at(change: int, how: int) -> None:
    evening = Evening(DyingFlash(change, how))
    rig = evening.rig
    held = rig.journal()

    assert evening.cut, (change, how)
    assert rig.shelf.log() == held, (change, how)
    assert not rig.shelf.conflicts, (change, how)
    assert [fact.seq for fact in held] == list(range(1, len(held) + 1))
    restarts = [place for place, fact in enumerate(held) if fact.kind == k.BOOTED]
    after = held[restarts[-1] :]
    stopped = [fact for fact in after if fact.kind == k.CLOCK_STOPPED and fact.code == k.BOX_LOST_POWER]
    if evening.state in (k.RUNNING, k.EXPIRED) and held[restarts[-1]].game and (1, 1) in evening.truth:
        assert stopped or not _was_running(held[: restarts[-1]]), (change, how)
    for fact in stopped:
        played = evening.truth.get((fact.game, fact.move))
        if played is not None and fact.a:
            assert -1 <= played - (LIMIT_MS - fact.a) <= 5000, (change, how, played, fact)


def _was_running(facts: list[Fact]) -> bool:
    states = {k.MOVE_STARTED: True, k.GAME_ENDED: False, k.CONFIGURED: False}
    return next((states[fact.kind] for fact in reversed(facts) if fact.kind in states), False)


def changes_of_an_evening() -> int:
    flash = DyingFlash()
    Evening(flash)
    return flash.changes


@pytest.mark.parametrize("how", [UNDONE, DONE, TORN], ids=["undone", "done", "torn"])
def test_box_loses_power_at_any_write(how: int) -> None:
    for change in range(1, changes_of_an_evening() + 1):
        lose_power_at(change, how)


@pytest.mark.parametrize("down_ms", [700, 4000, 4999, 5001, 9000, 14_500, 19_500])
def test_box_loses_power_within_a_move_and_is_at_most_5_s_off(down_ms: int) -> None:
    rig = Rig().configured()
    rig.tap(2 * k.SEAT_A)
    began = rig.journal()[-1].uptime_ms
    assert rig.sim.box is not None
    rig.run(began + down_ms - rig.sim.box.uptime.now)

    rig.sim.power_off()
    rig.sim.power_on()
    rig.run(2000)

    box = rig.sim.box
    assert box is not None
    assert (box.clock.state, box.clock.reason, box.clock.seat) == (k.STOPPED, k.BOX_LOST_POWER, k.SEAT_A)
    assert 0 <= down_ms - (60_000 - box.clock.watch.remaining(box.uptime.now)) <= 5000
    rig.run(600_000)
    assert box.clock.state == k.STOPPED  # it never resumes by itself


# --- watchdog, soft reset: state from RTC memory, stopped -----


@pytest.mark.parametrize("reason", [k.WATCHDOG, k.SOFT_RESET, k.HARD_RESET])
@pytest.mark.parametrize("down_ms", [400, 4321, 17_017, 59_500])
def test_watchdog_soft_reset(reason: int, down_ms: int) -> None:
    rig = Rig().configured()
    rig.tap(2 * k.SEAT_A)
    began = rig.journal()[-1].uptime_ms
    assert rig.sim.box is not None
    while rig.sim.box.uptime.now < began + down_ms:  # the loop runs many times a second
        rig.run(min(20, began + down_ms - rig.sim.box.uptime.now))
        rig.sim.pump()

    rig.sim.reset(reason)
    rig.run(2000)

    box = rig.sim.box
    assert box is not None
    assert (box.clock.state, box.clock.seat) == (k.STOPPED, k.SEAT_A)
    assert abs(box.clock.watch.remaining(box.uptime.now) - (60_000 - down_ms)) <= 100
    booted = [fact for fact in rig.journal() if fact.kind == k.BOOTED]
    assert [fact.code for fact in booted] == [k.POWER_ON, reason]
    rig.settle()
    assert rig.shelf.log() == rig.journal()


def clock_of(rig: Rig) -> Clock:
    assert rig.sim.box is not None
    return rig.sim.box.clock


def test_watchdog_while_flash_fails_gives_back_the_state_that_the_log_knows() -> None:
    """A press that was never written down did not happen: not on flash, not in memory, not at the desk."""
    rig = Rig().configured()
    rig.tap(2 * k.SEAT_A)
    rig.run(5000)
    flash = rig.sim.flash
    assert isinstance(flash, MemoryFlash)
    flash.broken = True
    rig.tap(2 * k.SEAT_A)
    assert clock_of(rig).seat == k.SEAT_B
    for _ in range(10):
        rig.run(50)
        rig.sim.pump()

    flash.broken = False
    rig.sim.crash()  # no last turn of the loop: it hung
    rig.sim.power_on(k.WATCHDOG)
    rig.run(3000)

    assert clock_of(rig).seat == k.SEAT_A
    assert clock_of(rig).state == k.STOPPED


def test_memory_with_garbage_in_it_is_not_believed() -> None:
    rig = Rig().configured()
    rig.tap(2 * k.SEAT_A)
    rig.run(7000)
    rig.sim.power_off()
    rig.sim.board.kept = bytes(range(90))

    rig.sim.power_on()

    box = rig.sim.box
    assert box is not None
    assert 0 <= 7000 + 200 - (60_000 - box.clock.watch.remaining(box.uptime.now)) <= 5000


# --- desk killed with SIGKILL at any instant: restart finds every acknowledged fact; unacknowledged ones are sent
#     again; the stale link is taken over or dropped by the box after 12 s -----


class Killings:
    """Three tables play on while their desk is killed again and again, in the middle of whatever it is doing."""

    def __init__(self, folder: Path, seed: int, kills: int, *, same_desk: bool) -> None:
        self.setting = Setting(folder, 3, seed=seed)
        self.event = folder / "event.dalej"
        self.random = Random(seed)
        self.kills_left = kills
        self.same_desk = same_desk
        self.started = 0
        self.remote, self.radio = self.start()
        self.schedule()

    def start(self) -> tuple[Remote, SimRadio]:
        setting = self.setting
        self.started += 1
        desk_id = 1 if self.same_desk else self.started
        boxes = [(box.uid, box.secret) for box in setting.boxes]
        remote = Remote(self.event, setting.clock, boxes, FIRST, desk_id, self.random.randrange(1 << 30))
        radio = SimRadio(setting.world, remote, self.random)
        if self.kills_left:
            self.kills_left -= 1
            at_call = remote.calls + self.random.randint(20, 120)
            remote.before_answer = lambda: self.maybe_kill(remote, at_call)
        for box in setting.boxes:
            radio.add(box)
        return remote, radio

    def maybe_kill(self, remote: Remote, at_call: int) -> None:
        if remote.calls == at_call:
            sleep(self.random.random() * 0.004)  # somewhere between reading the question and having answered it
            remote.kill()

    def schedule(self) -> None:
        """Taps of a whole evening, whatever happens to the desk."""
        world = self.setting.world
        for number, box in enumerate(self.setting.boxes):
            world.at(300 + number, lambda box=box, number=number: self.configure(number))  # type: ignore[misc]  # a default binds
            for turn in range(80):
                contact = 2 * (turn % 4) + turn % 2
                at = 4000 + 1500 * turn + 40 * number
                world.at(at, lambda box=box, contact=contact: box.edge(contact, True))  # type: ignore[misc]  # likewise
                world.at(at + 90, lambda box=box, contact=contact: box.edge(contact, False))  # type: ignore[misc]  # likewise

    def configure(self, number: int) -> None:
        box = self.setting.boxes[number]
        if box.box is not None and box.box.clock.state == k.IDLE:
            settings = Settings()
            settings.first = k.SEAT_A
            self.remote.ask(box.uid, "configure", {"game": 1, "settings": settings.pack().hex()})
            self.radio.serve()
            self.setting.world.after(2000, lambda: self.configure(number))

    def play(self) -> None:
        setting, world = self.setting, self.setting.world
        while world.now_ms < 130_000 or setting.backlog() or self.kills_left:
            assert world.now_ms < 1_000_000
            world.run_until(world.now_ms)
            if (due := world.next_ms()) is not None:
                world.run_until(due)
            if self.remote.dead:
                self.expect_nothing_acknowledged_is_gone()
                self.radio.abandon()
                setting.run(LEASE_MS + 100)
                self.remote, self.radio = self.start()
        self.remote.end()

    def expect_nothing_acknowledged_is_gone(self) -> None:
        if not self.event.exists() or not self.event.stat().st_size:
            return
        with Ledger.open(self.event) as ledger:
            for box in self.setting.boxes:
                assert box.box is not None
                held = box.box.journal
                known = {one.fact.seq: one.fact for one in ledger.facts(box.uid.hex(), held.epoch)}
                assert ledger.contiguous(box.uid.hex(), held.epoch) >= held.acked
                for seq in range(1, held.acked + 1):
                    (fact,) = facts_of(held.epoch, [held.record(seq)])
                    assert known[seq] == _of(fact, box.uid)


def expect_complete_after(killings: Killings) -> None:
    killings.play()
    with Ledger.open(killings.event) as ledger:
        ledger.expect_whole()
        expect_clean(ledger)
        for number, box in enumerate(killings.setting.boxes):
            stored = [one.fact for one in ledger.facts(box.uid.hex())]
            assert stored == journal(killings.setting, number)
            assert len(stored) > 100
        assert not ledger.open_requests()


@pytest.mark.parametrize("same_desk", [True, False], ids=["stale links are taken over", "stale links run out"])
def test_desk_killed_with_sigkill_at_any_instant(tmp_path: Path, same_desk: bool) -> None:
    killings = Killings(tmp_path, 1, 4, same_desk=same_desk)

    expect_complete_after(killings)

    assert killings.started == 5


@pytest.mark.torture
def test_desk_killed_with_sigkill_again_and_again(tmp_path: Path, seed: int) -> None:
    killings = Killings(tmp_path, seed, 20, same_desk=seed % 2 == 0)

    expect_complete_after(killings)

    assert killings.started >= 20


# --- disk full, database locked: no acknowledgement; the box keeps its facts; the desk says so in words -----


def fill_the_disk(place: Place) -> Callable[[], None]:
    db = place.ledger._store.db
    (pages,) = db.execute("PRAGMA page_count").fetchone()
    db.execute(f"PRAGMA max_page_count = {pages}").close()
    return lambda: db.execute("PRAGMA max_page_count = 1000000").close()


def lock_the_file(place: Place) -> Callable[[], None]:
    other = sqlite3.connect(place.ledger.path, isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    return other.close


@pytest.mark.parametrize(
    ("trouble", "words"),
    [(fill_the_disk, "no room is left on the disk for"), (lock_the_file, "is locked by another program")],
    ids=["disk full", "database locked"],
)
def test_disk_full_database_locked(
    setting: Setting, place: Place, trouble: Callable[[Place], Callable[[], None]], words: str
) -> None:
    setting.moves(2)
    setting.settle(place)
    box = setting.box.box
    assert box is not None

    end_of_trouble = trouble(place)
    while not place.said("not_recorded"):  # a full disk still has room within its pages
        setting.tap(k.SEDZIA)
        setting.run(1000)
        assert setting.world.now_ms < 1_000_000
    acked, known = box.journal.acked, len(place.facts())
    for _ in range(5):
        setting.tap(k.SEDZIA)
        setting.run(1000)
    assert box.journal.acked == acked
    assert box.journal.backlog >= 5
    assert len(place.facts()) == known
    (said,) = place.said("not_recorded")
    assert words in said

    end_of_trouble()
    setting.settle(place)
    assert place.facts() == journal(setting)
    assert place.said("recorded_again") == [f"the event file takes facts again: {place.ledger.path}"]
    expect_clean(place.ledger)


def test_a_command_while_the_file_is_locked_is_refused_in_words_and_the_desk_goes_on(
    setting: Setting, place: Place
) -> None:
    end_of_trouble = lock_the_file(place)
    with pytest.raises(Exception, match="is locked by another program"):
        setting.ask(place, "start")
    setting.run(30_000)
    end_of_trouble()

    assert setting.ask(place, "start")
    setting.settle(place)
    assert place.facts() == journal(setting)


def test_a_box_that_connects_while_the_file_is_locked_is_served_when_it_is_free(setting: Setting, place: Place) -> None:
    setting.box.power_off()
    end_of_trouble = lock_the_file(place)
    setting.box.power_on()
    setting.run(20_000)
    end_of_trouble()

    setting.settle(place)

    assert place.facts() == journal(setting)


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
    place.desk.close()
    place.radio.abandon()

    setting.run(13_000)
    restored = setting.desk(FIRST, file="backup.dalej")
    setting.run(5000)
    assert restored.facts() == whole
    setting.tap(k.SEDZIA)
    setting.settle(restored)

    assert restored.facts() == journal(setting)
    assert not restored.said("conflict")
    assert all(one.old for one in restored.ledger.facts() if saved < one.fact.seq <= len(whole))
    expect_clean(restored.ledger)


def test_an_empty_second_laptop(setting: Setting, place: Place) -> None:
    setting.moves(6)
    setting.settle(place)
    whole = place.facts()
    place.desk.close()
    place.radio.abandon()
    setting.run(13_000)

    second = setting.desk(SECOND, file="empty.dalej")
    setting.run(5000)

    assert second.facts() == whole
    assert all(one.old for one in second.ledger.facts())
    assert not second.desk.notices


def test_what_a_box_no_longer_holds_is_reported_as_a_range(setting: Setting, place: Place) -> None:
    setting.moves(12)
    setting.settle(place)
    place.desk.close()
    place.radio.abandon()
    setting.run(13_000)
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
    assert not place.ledger.conflicts()
    for stream in streams:
        assert [one.fact.seq for one in place.ledger.facts(uid, stream.epoch)] == list(range(1, stream.top + 1))
    box = setting.box.box
    assert box is not None
    assert [one.fact for one in place.ledger.facts(uid, box.journal.epoch)] == journal(setting)


def test_box_reflashed(setting: Setting, place: Place) -> None:
    setting.moves(2)
    setting.settle(place)
    before = place.facts()

    setting.box.power_off()
    setting.box.flash = MemoryFlash()
    setting.box.power_on()
    setting.run(2000)
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

    setting.box.power_off()
    setting.box.flash = old
    setting.box.power_on()
    setting.run(3000)
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
    setting.box.power_off()
    setting.box.flash = MemoryFlash()
    setting.box.power_on()
    setting.run(2000)
    setting.settle(place)

    setting.box.power_off()
    setting.box.flash = old
    setting.box.power_on()
    setting.run(3000)
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


def test_box_that_was_given_a_copy_of_another_boxs_flash(tmp_path: Path) -> None:
    setting = Setting(tmp_path, 2)
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
    assert not place.ledger.conflicts()
    assert other.box.clock.state == k.IDLE


# --- two desks: the second is refused, in words, with the first one's name -----


def test_two_desks(setting: Setting, place: Place) -> None:
    setting.moves(1)

    second = setting.desk(SECOND, file="another.dalej")
    setting.run(10_000)
    setting.moves(3)
    setting.settle(place)

    assert second.said("turned_away") == [f"box {setting.box.uid.hex()} is served by another desk: {FIRST}"]
    assert second.facts() == []
    assert place.desk.is_live(setting.box.uid)
    assert place.facts() == journal(setting)


# --- host clock jumps by an hour, box drifts by 100 ppm: durations unchanged -----


@pytest.mark.parametrize("hours", [1, -1])
def test_host_clock_jumps_by_an_hour(setting: Setting, place: Place, hours: int) -> None:
    setting.tap(2 * k.SEAT_A)
    setting.run(10_000)
    setting.clock.wall_start_ms += hours * 3_600_000
    setting.run(10_000)
    setting.tap(2 * k.SEAT_A)
    setting.settle(place)

    ended = next(one for one in place.ledger.facts() if one.fact.kind == k.MOVE_ENDED)
    assert ended.fact.a == 20_200
    assert ended.wall_ms is not None
    assert abs(ended.wall_ms - (setting.clock.wall_start_ms + ended.fact.uptime_ms)) <= 5
    setting.run(60_000)
    assert place.desk.is_live(setting.box.uid)
    assert place.desk.resigned is None
    expect_clean(place.ledger)


@pytest.mark.parametrize("ppm", [100, -100])
def test_box_drifts_by_100_ppm(ppm: int) -> None:
    rig = Rig(ppm=ppm).configured()
    rig.run(7_200_000)
    assert rig.sim.box is not None
    rig.tap(2 * k.SEAT_A)
    rig.run(29_800)
    at = rig.world.now_ms
    rig.tap(2 * k.SEAT_A)
    rig.settle()

    ended = next(fact for fact in rig.shelf.log() if fact.kind == k.MOVE_ENDED)
    assert abs(ended.a - 30_000) <= 4  # by the box's own crystal: 3 ms in 30 s
    dated = rig.shelf.uptimes.desk_ms((ended.epoch, ended.boot), ended.uptime_ms)
    assert dated is not None
    assert abs(dated - at) <= 5
    assert abs(ended.uptime_ms - at) > 600  # that far had it run away


# --- ticks counter wraps mid-move: nothing to see -----


@pytest.mark.parametrize("before_ms", [1, 1500, 5000, 20_000])
def test_ticks_counter_wraps_mid_move(before_ms: int) -> None:
    straight = Rig().configured()
    wrapping = Rig(raw_start=PERIOD - 1100 - before_ms).configured()
    for rig in (straight, wrapping):
        rig.moves(4)
        rig.run(70_000)
        rig.settle()

    assert wrapping.shelf.log() == straight.shelf.log()
    assert wrapping.sim.raw() < straight.sim.raw()


# --- stranger connects, replays a recorded session, reflects frames, sends garbage, truncated or oversized frames:
#     refused, counted, no effect, slot freed in 3 s (each kind of frame: tests/link/test_bad_frames.py) -----


@pytest.mark.parametrize("kind", ["replays", "reflects", "garbage", "truncated", "oversized"])
def test_stranger(kind: str) -> None:
    hand = Hand().configured()
    desk = hand.session(1)
    hand.tap(2 * k.SEAT_A)
    desk.command(7, k.C_STOP, struct.pack("<I", k.ROUND_BREAK), hand.now)
    genuine = desk.frames()
    said = [frame for _, _, frame in hand.sent]
    before = hand.fingerprint()
    frames = {
        "replays": [hello(), *genuine],
        "reflects": said,
        "garbage": [Random(number).randbytes(1 + number * 7) for number in range(30)],
        "truncated": [genuine[0][:size] for size in range(len(genuine[0]))] + [hello()[:size] for size in range(30)],
        "oversized": [genuine[0] + bytes(300), bytes(4000)],
    }[kind]

    hand.open(2)
    since, refused = hand.now, hand.box.links.refused
    for frame in frames:
        hand.give(frame, 2)
    assert hand.box.links.refused - refused >= len(frames) - 1
    assert hand.fingerprint() == before
    while hand.is_open(2):
        assert hand.now - since <= 3000
        hand.wait(100)

    assert hand.is_open(1)
    assert is_live(desk)
    for frame in genuine:
        hand.give(frame)
    assert hand.box.clock.state == k.STOPPED


# --- an exception in a handler: counted as a fault fact with a numbered code, box goes on -----


class Sick:
    """Stands where something sound was, and breaks on every touch."""

    def __getattr__(self, name: str) -> Any:
        raise RuntimeError(f"no {name} today")


@pytest.mark.parametrize(
    ("code", "part"),
    [
        (k.E_EDGE_HANDLER, "_contacts"),
        (k.E_TICK_HANDLER, "_contacts"),
        (k.E_RECEIVE_HANDLER, "_board"),
        (k.E_LINK_HANDLER, "journal"),
    ],
)
def test_an_exception_in_a_handler(code: int, part: str) -> None:
    hand = Hand().configured()
    hand.tap(2 * k.SEAT_A)
    box = hand.box
    session = hand.session(1)
    hand.wait(100)
    hand.frames()
    sound = getattr(box, part)

    setattr(box, part, Sick())
    if code == k.E_EDGE_HANDLER:
        box.edge(k.SEDZIA, True, hand.now)
    elif code == k.E_TICK_HANDLER:
        box.tick(hand.now)
    elif code == k.E_RECEIVE_HANDLER:
        box.receive(1, hello(), hand.now)
    else:
        hand.now += 1500
        assert box.send(1, hand.now) is None
    setattr(box, part, sound)
    hand.wait(3000)
    hand.talk(session)

    assert is_live(session)
    assert [fact.code for fact in facts_of(1, _records(hand)) if fact.kind == k.FAULT] == [code]
    assert box.view(hand.now - 2900).displays
    hand.tap(2 * k.SEAT_A)
    assert box.clock.seat == k.SEAT_B


def test_faults_of_one_kind_are_told_every_ten_seconds_at_most() -> None:
    hand = Hand().configured()
    for _ in range(100):
        hand.box.edge(99, True, hand.now)
        hand.wait(250)

    faults = [fact for fact in facts_of(1, _records(hand)) if fact.kind == k.FAULT]
    assert [fact.code for fact in faults] == [k.E_EDGE_HANDLER] * 3


def test_a_fact_that_cannot_be_written_down_does_not_hold_up_the_others() -> None:
    hand = Hand().configured()
    hand.box.clock.emit(k.STRAY_TAP, hand.now, 0, c=70_000)  # does not fit into its two bytes
    hand.box.clock.emit(k.REFEREE_CALLED, hand.now)

    hand.wait(10_000)

    names = [fact.name for fact in facts_of(1, _records(hand))]
    assert "stray_tap" not in names
    assert names.count("referee_called") == 1
    assert names.count("fault") == 2  # that it happened, and that one fact was given up
    assert not hand.box.clock.facts


def test_an_order_that_fails_half_way_is_refused_and_a_fault() -> None:
    hand = Hand().configured()
    session = hand.session()
    hand.box.clock.start = Sick()  # type: ignore[method-assign,assignment]  # whatever a defect might do

    session.command(7, k.C_START, b"", hand.now)
    hand.talk(session)
    hand.wait(100)

    facts = facts_of(1, _records(hand))
    assert [(fact.a, fact.c) for fact in facts if fact.kind == k.COMMAND_REFUSED] == [(7, k.R_UNKNOWN)]
    assert [fact.code for fact in facts if fact.kind == k.FAULT] == [k.E_TICK_HANDLER]


def _records(hand: Hand) -> list[bytes | None]:
    held = hand.box.journal
    return [held.record(seq) for seq in range(held.oldest, held.head + 1)]


def test_flash_that_fails_for_minutes_does_not_stop_the_game_and_what_was_given_up_is_told() -> None:
    rig = Rig().configured()
    flash = rig.sim.flash
    assert isinstance(flash, MemoryFlash)
    rig.tap(2 * k.SEAT_A)

    flash.broken = True
    for move in range(60):
        rig.run(1000)
        rig.tap(2 * (move % 4))
    assert rig.sim.box is not None
    assert len(rig.sim.box.clock.facts) <= 100
    assert rig.sim.box.clock.move == 61
    flash.broken = False
    rig.run(5000)
    rig.settle()

    log = rig.shelf.log()
    assert log == rig.journal()
    faults = [fact for fact in log if fact.kind == k.FAULT]
    assert [fact.code for fact in faults] == [k.E_FLASH_WRITE] * 2
    ended = [fact.move for fact in log if fact.kind == k.MOVE_ENDED]
    started = [fact.move for fact in log if fact.kind == k.MOVE_STARTED]
    assert faults[1].a + len(ended) + len(started) == 60 + 61
    assert ended[-1] == 60


# --- a button stuck or held: its fault code, the rest of the box goes on -----


@pytest.mark.parametrize("contact", [2 * k.SEAT_B, 2 * k.SEAT_C + 1, k.KOSTKA, k.SEDZIA])
def test_a_button_stuck_or_held(setting: Setting, place: Place, contact: int) -> None:
    setting.tap(2 * k.SEAT_D)  # not the starter's: stray
    setting.box.edge(contact, True)
    setting.run(6000)
    setting.tap(2 * k.SEAT_A)
    setting.run(2000)
    setting.tap(2 * k.SEAT_A + 1)
    setting.run(7000)
    setting.settle(place)

    faults = [fact for fact in place.facts() if fact.kind == k.FAULT]
    assert [fact.code for fact in faults] == [k.E_STUCK + contact]
    assert place.names().count("move_ended") == 1
    box = setting.box.box
    assert box is not None
    assert box.clock.state == k.RUNNING
    left = box.clock.watch.remaining(box.uptime.now)
    setting.box.power_off()
    setting.box.power_on()
    assert setting.box.box is not None
    assert setting.box.box.clock.watch.remaining(0) - left <= 5000  # checkpoints go on too

    setting.box.edge(contact, False)
    setting.run(1000)
    setting.settle(place)
    expect_clean(place.ledger)
