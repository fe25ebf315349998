"""A desk that is killed, or whose file takes nothing."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from random import Random
from time import sleep

import pytest

from dalej.event.ledger import Ledger
from dalej.simulator.box import SimRadio
from moveclock import facts as k
from moveclock.settings import Settings
from tests import told
from tests.desk.setting import FIRST, Place, Setting, expect_clean
from tests.event.ledger.making import raw
from tests.faults.conftest import journal, lock_the_file, of_box
from tests.faults.kill import LEASE_MS, Remote
from tests.link.rig import facts_of

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
        boxes = [(box.uid, box.secret, table) for table, box in enumerate(setting.boxes, start=1)]
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
                known = {one.fact.seq: one.fact for one in told.facts_of(ledger, box.uid.hex(), held.epoch)}
                assert ledger.contiguous(box.uid.hex(), held.epoch) >= held.acked
                for seq in range(1, held.acked + 1):
                    (fact,) = facts_of(held.epoch, [held.record(seq)])
                    assert known[seq] == of_box(fact, box.uid)


def expect_complete_after(killings: Killings) -> None:
    killings.play()
    with Ledger.open(killings.event) as ledger:
        ledger.expect_whole()
        expect_clean(ledger)
        for number, box in enumerate(killings.setting.boxes):
            stored = [one.fact for one in told.facts_of(ledger, box.uid.hex())]
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
    db = raw(place.ledger)
    (pages,) = db.execute("PRAGMA page_count").fetchone()
    db.execute(f"PRAGMA max_page_count = {pages}").close()
    return lambda: db.execute("PRAGMA max_page_count = 1000000").close()


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
