"""What fails in a building beside its boxes fails as it would, and a centre that has something else is found."""

from __future__ import annotations

from collections import Counter
from contextlib import closing
from pathlib import Path
from random import Random
from typing import Any, Final

import pytest
from msgspec.structs import replace
from psycopg.pq import TransactionStatus

from dalej.centre.talk import Batch, Reached
from dalej.clock import ManualClock
from dalej.event.ledger import Ledger
from dalej.simulator.box import Faults, SimBox
from dalej.simulator.world import World
from moveclock import facts as k
from proof import building
from proof.building import Building, Centre, Whereabouts
from tests.centre.unwired import WatchedMirror
from tests.event.ledger.making import report, reports
from tests.postgres import Postgres

NOON: Final = 1_760_000_000_000
BOXES: Final = 6
SLOW: Final = Faults(delay_ms=(5, 400))


class Heard:
    """A desk that says nothing, and expects of each box no word without a link, and one link at a time."""

    def __init__(self) -> None:
        self.linked: Counter[bytes] = Counter()
        self.links = 0

    def connected(self, uid: bytes, _now_ms: int) -> None:
        self.linked[uid] += 1
        self.links += 1
        assert self.linked[uid] == 1, "a second link"

    def disconnected(self, uid: bytes, _now_ms: int) -> None:
        self.linked[uid] -= 1
        assert not self.linked[uid], "the end of a link that was none"

    def receive(self, uid: bytes, _frame: bytes, _now_ms: int) -> None:
        assert self.linked[uid], "a word without a link"

    def waiting(self) -> list[bytes]:
        return []

    def frames(self, _uid: bytes) -> list[bytes]:
        return []

    def wants_to_leave(self, _uid: bytes) -> bool:
        return False

    def next_timer(self) -> int | None:
        return None

    def handle_timer(self, _now_ms: int) -> None:
        raise AssertionError("nothing was due")


def test_whatever_gateways_do_a_desk_hears_of_one_link_to_a_box_at_a_time_and_all_are_linked_again(seed: int) -> None:
    lot, world, desk, counts = Random(seed), World(ManualClock(NOON)), Heard(), Counter[str]()
    boxes = [SimBox(world, bytes([number] * 6), b"s" * 32, Random(number)) for number in range(BOXES)]
    rooms = {box.uid: number % building.ROOMS for number, box in enumerate(boxes)}
    made = Building(world, desk, lot, SLOW, Whereabouts(rooms), counts)
    for box in boxes:
        made.add(box)
        box.power_on()

    for _ in range(300):
        uid = lot.choice(boxes).uid
        made.set_reach(uid, False)
        world.run_until(world.now_ms + lot.randint(0, 20_000))
        if lot.random() < 0.5:
            made.carry(uid)
        else:
            made.set_reach(uid, True)
        world.run_until(world.now_ms + lot.randint(0, 20_000))
    assert {*counts} == {"gateways killed", "gateways cut off", "times carried into another room"}
    assert len({*rooms.values()}) > 1

    made.calm()
    world.run_until(world.now_ms + building.BACK_MS[1])
    due_ms = world.now_ms + 60_000
    while not all(made.connected(box.uid) for box in boxes):  # a box gives up a desk that says nothing
        assert world.now_ms < due_ms, "not linked again"
        world.run_until(world.now_ms + 100)
    assert desk.links > BOXES
    assert all(len(box.links) == 1 for box in boxes), "what a killed gateway has left is over"
    assert [desk.linked[box.uid] for box in boxes] == [1] * BOXES


def test_a_box_of_a_killed_gateway_has_a_link_until_the_gateway_is_there_again(monkeypatch: pytest.MonkeyPatch) -> None:
    """Given a gateway that is killed: its box hears nothing of it, and the desk only after a while."""
    monkeypatch.setattr(building, "NOTICED_MS", (1_000, 1_000))
    monkeypatch.setattr(building, "BACK_MS", (30_000, 30_000))
    world, desk, counts = World(ManualClock(NOON)), Heard(), Counter[str]()
    box = SimBox(world, b"box 01", b"s" * 32, Random(1))
    made = Building(world, desk, Random(1), SLOW, Whereabouts({box.uid: 1}), counts)
    box.power_on()
    made.add(box)
    while made.connected(box.uid) or not box.links:  # nor is it one that was cut off
        world.run_until(world.now_ms + 100)
        assert world.now_ms < 10 * 3_600_000

    assert (len(box.links), desk.linked[box.uid], made.connected(box.uid)) == (1, 1, False)
    world.run_until(world.now_ms + 1_500)
    assert (len(box.links), desk.linked[box.uid], made.connected(box.uid)) == (1, 0, False)
    world.run_until(world.now_ms + 30_000)
    assert (len(box.links), desk.linked[box.uid], made.connected(box.uid)) == (1, 1, True)


def test_a_desk_learns_late_that_a_box_has_gone_and_nobody_links_it_until_then(monkeypatch: pytest.MonkeyPatch) -> None:
    """Given a box that is carried from the room where it was linked into the next one, where it is heard at once."""
    monkeypatch.setattr(building, "AWAY_S", 1_000_000)
    world, desk, counts, lot = World(ManualClock(NOON)), Heard(), Counter[str](), Random(3)
    box, there = SimBox(world, b"box 01", b"s" * 32, Random(1)), Whereabouts({b"box 01": 0})
    made = Building(world, desk, lot, SLOW, there, counts)
    box.power_on()
    made.add(box)
    assert (len(box.links), desk.links, desk.linked[box.uid]) == (1, 1, 1)

    monkeypatch.setattr(lot, "randint", lambda _least, most: most)
    made.set_reach(box.uid, False)
    made.carry(box.uid)
    for late_ms, links in ((building.LATE_MS - 100, 0), (1_000, 1)):
        world.run_until(world.now_ms + late_ms)
        assert (len(box.links), made.believes_in(box.uid), made.connected(box.uid)) == (links, True, links == 1)
    assert (desk.links, desk.linked[box.uid], there.rooms[box.uid] != 0) == (2, 1, True)


def test_a_centre_has_what_the_file_has_and_another_copy_apart_and_what_it_lacks_is_found(
    tmp_path: Path, server: Postgres
) -> None:
    file, copy, counts = tmp_path / "evening.dalej", tmp_path / "copy", Counter[str]()
    with closing(Centre(server.new_database("building"), Random(1), counts)) as centre:
        with Ledger.create(file) as ledger:
            ledger.record(reports(range(1, 1_201)))
            ledger.backup(copy)
            ledger.record(reports(range(1_201, 1_301)))
        centre.hears(file, "laptop 1")
        centre.expect(file, 0)

        for path in tmp_path.glob("evening.*"):
            path.unlink()
        Ledger.restore(copy, file)
        with pytest.raises(AssertionError, match="the centre has 1300 entries, the file 1200"):
            centre.expect(file, 1)
        with Ledger.open(file) as ledger:
            ledger.record([report(seq, kind=k.CLOCK_STOPPED) for seq in range(1_301, 1_401)])
        with pytest.raises(AssertionError, match="the centre has 1300 entries, the file 1300, or they say something"):
            centre.expect(file, 1)
        centre.hears(file, "laptop 2")
        with pytest.raises(AssertionError, match="2 epochs, and 0 files were put back"):
            centre.expect(file, 0)
        centre.expect(file, 1)
        assert counts["entries kept apart there, of files that an old copy replaced"] == 1_300
        assert counts["entries at the centre"] == 1_300 + 1_300

        for number in range(60):
            with Ledger.open(file) as ledger:
                ledger.record(reports(range(1_401 + number, 1_402 + number)))
            centre.hears(file, "laptop 2")
        centre.expect(file, 1)
    assert all(counts[f"requests to the centre, {fate}"] for fate in building.FATES if fate), counts


def test_a_centre_that_forgets_what_it_has_taken_or_says_that_it_has_more_is_found(
    tmp_path: Path, server: Postgres, monkeypatch: pytest.MonkeyPatch
) -> None:
    file, counts, take = tmp_path / "evening.dalej", Counter[str](), WatchedMirror.take

    def forgets(mirror: WatchedMirror, key: str, batch: Batch, now_ms: int) -> Reached:
        return take(mirror, key, replace(batch, lines=batch.lines[:-1]), now_ms)

    monkeypatch.setattr(WatchedMirror, "take", forgets)
    with closing(Centre(server.new_database("forgets"), Random(1), counts)) as centre:
        with Ledger.create(file) as ledger:
            ledger.record(reports(range(1, 101)))
        with pytest.raises(AssertionError, match="after 500 requests the centre has not heard everything"):
            centre.hears(file, "laptop 1")


def test_a_centre_that_answers_before_it_has_stored_anything_is_found(
    tmp_path: Path, server: Postgres, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Given one that never ends its transaction: as long as it lives it sees what it has taken."""
    file, connected = tmp_path / "evening.dalej", WatchedMirror._connected

    def open_ended(mirror: WatchedMirror) -> Any:
        db = connected(mirror)
        if db.info.transaction_status == TransactionStatus.IDLE:
            db.execute("BEGIN")
        return db

    with closing(Centre(server.new_database("answers"), Random(1), Counter())) as centre:
        monkeypatch.setattr(WatchedMirror, "_connected", open_ended)
        with Ledger.create(file) as ledger:
            ledger.record(reports(range(1, 101)))
        with pytest.raises(AssertionError, match="after 500 requests the centre has not heard everything"):
            centre.hears(file, "laptop 1")
