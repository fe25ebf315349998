"""The simulated adapter: what it hears and when, and that its links are as few and slow as real ones."""

from __future__ import annotations

from itertools import pairwise
from random import Random
from typing import Final

from dalej.clock import ManualClock
from dalej.simulator.air import INTERVAL_MS, NO_ANSWER_MS, REPEAT_MS, SimAdapter
from dalej.simulator.box import SimBox
from dalej.simulator.world import World
from moveclock import facts as k

CONNECT_MS: Final = 500  # boxes drop a link on which nobody proves himself after 3 s
SOON_MS: Final = 6 * INTERVAL_MS  # an advertisement missed five times in a row


class Ear:
    """Hears everything, connects to whatever it is told to, says nothing to anybody."""

    def __init__(self) -> None:
        self.heard: list[tuple[int, bytes]] = []
        self.wanted: list[bytes] = []
        self.log: list[tuple[str, int, bytes]] = []
        self.leaves: set[bytes] = set()
        self.busy = False
        self.hurries = False  # asks for the next before the last one is done

    def advertised(self, data: bytes, now_ms: int) -> bytes | None:
        self.heard.append((now_ms, data))
        return None

    def proved(self, uid: bytes) -> bool:
        return False

    def plugged(self, uid: bytes, now_ms: int) -> None:
        pass

    def unplugged(self, uid: bytes, now_ms: int) -> None:
        pass

    def to_connect(self, now_ms: int) -> list[bytes]:
        if not self.wanted or (self.busy and not self.hurries):
            return []
        self.busy = True
        return [self.wanted.pop(0)]

    def failed(self, uid: bytes, now_ms: int) -> None:
        self.busy = False
        self.log.append(("failed", now_ms, uid))

    def connected(self, uid: bytes, now_ms: int) -> None:
        self.busy = False
        self.log.append(("connected", now_ms, uid))

    def disconnected(self, uid: bytes, now_ms: int) -> None:
        self.log.append(("disconnected", now_ms, uid))

    def receive(self, uid: bytes, frame: bytes, now_ms: int) -> None:
        pass

    def waiting(self) -> list[bytes]:
        return list(self.leaves)

    def frames(self, uid: bytes) -> list[bytes]:
        return []

    def wants_to_leave(self, uid: bytes) -> bool:
        return uid in self.leaves

    def next_timer(self) -> int | None:
        return None

    def handle_timer(self, now_ms: int) -> None:
        pass


class Room:
    """So many boxes around one adapter."""

    def __init__(self, boxes: int, links: int = 3) -> None:
        self.world = World(ManualClock())
        self.ear = Ear()
        self.adapter = SimAdapter(self.world, self.ear, Random(1), links=links, connect_ms=CONNECT_MS)
        self.boxes = [SimBox(self.world, bytes([number] * 6), bytes(32), Random(number)) for number in range(boxes)]
        for box in self.boxes:
            box.power_on()
            self.adapter.add(box)

    def run(self, ms: int) -> None:
        self.world.run_until(self.world.now_ms + ms)

    def want(self, *numbers: int) -> None:
        self.ear.wanted += [self.boxes[number].uid for number in numbers]
        self.adapter.serve()

    def heard_of(self, number: int) -> list[int]:
        """When the box was heard."""
        return [at for at, data in self.ear.heard if data[6:9] == self.boxes[number].uid[3:]]


def test_a_change_is_heard_within_a_few_intervals() -> None:
    room = Room(5)
    room.run(SOON_MS)
    before = {data for _, data in room.ear.heard}

    room.boxes[3].edge(k.SEDZIA, True)
    room.run(100)
    room.boxes[3].edge(k.SEDZIA, False)
    at = room.world.now_ms
    room.run(SOON_MS)

    new = [(heard, data) for heard, data in room.ear.heard if data not in before]
    powered = room.boxes[3].box
    assert powered is not None
    assert new[-1][1] == powered.advertisement()
    assert new[0][0] - at <= SOON_MS


def test_what_stays_the_same_is_reported_every_two_seconds_linked_or_not() -> None:
    room = Room(5)
    room.want(2)
    room.run(CONNECT_MS + REPEAT_MS)

    assert room.adapter.connected(room.boxes[2].uid)
    assert room.heard_of(2)[-1] > CONNECT_MS
    room.run(60_000)
    for number in range(5):
        times = room.heard_of(number)
        assert max(later - earlier for earlier, later in pairwise(times)) <= REPEAT_MS


def test_a_box_without_power_or_out_of_reach_is_not_heard() -> None:
    room = Room(3)
    room.run(5000)
    room.boxes[0].power_off()
    room.adapter.set_reach(room.boxes[1].uid, False)
    silent_from = room.world.now_ms

    room.run(20_000)
    assert room.heard_of(0)[-1] <= silent_from
    assert room.heard_of(1)[-1] <= silent_from
    assert room.heard_of(2)[-1] > silent_from
    room.boxes[0].power_on()
    room.adapter.set_reach(room.boxes[1].uid, True)
    room.run(REPEAT_MS)
    assert room.heard_of(0)[-1] > silent_from + 20_000
    assert room.heard_of(1)[-1] > silent_from + 20_000


def test_connects_take_their_time_one_after_the_other() -> None:
    room = Room(3)
    room.want(0, 1, 2)
    room.run(3 * CONNECT_MS)

    assert room.ear.log == [("connected", CONNECT_MS * (turn + 1), room.boxes[turn].uid) for turn in range(3)]
    assert room.adapter.connects == 3


def test_a_box_that_is_not_there_fails_and_costs_only_time() -> None:
    room = Room(2)
    room.boxes[0].power_off()
    room.want(0, 1)
    room.run(NO_ANSWER_MS + CONNECT_MS)

    assert room.ear.log == [
        ("failed", NO_ANSWER_MS, room.boxes[0].uid),
        ("connected", NO_ANSWER_MS + CONNECT_MS, room.boxes[1].uid),
    ]


def test_a_box_that_goes_while_it_is_connected_to_fails() -> None:
    room = Room(1)
    room.want(0)
    room.run(100)
    room.adapter.set_reach(room.boxes[0].uid, False)
    room.run(5000)

    assert room.ear.log == [("failed", CONNECT_MS, room.boxes[0].uid)]


def test_it_holds_no_more_links_than_it_has() -> None:
    room = Room(4, links=2)
    room.want(0, 1)
    room.run(2 * CONNECT_MS)
    room.want(2)
    room.run(CONNECT_MS)
    assert [what for what, *_ in room.ear.log] == ["connected", "connected"]

    room.ear.leaves = {room.boxes[0].uid}
    room.adapter.serve()
    room.run(NO_ANSWER_MS - CONNECT_MS)
    assert ("failed", 2 * CONNECT_MS + NO_ANSWER_MS, room.boxes[2].uid) in room.ear.log
    room.want(2)
    room.run(CONNECT_MS)

    assert room.ear.log[-1] == ("connected", 3 * CONNECT_MS + NO_ANSWER_MS, room.boxes[2].uid)
    assert room.adapter.left == 1


def test_a_connect_under_way_ends_when_another_one_is_asked_for() -> None:
    room = Room(2)
    room.boxes[0].power_off()
    room.want(0)
    room.run(CONNECT_MS)
    room.ear.hurries = True
    room.want(1)
    room.run(NO_ANSWER_MS)

    named = [(what, uid) for what, _, uid in room.ear.log]
    assert named[:2] == [("failed", room.boxes[0].uid), ("connected", room.boxes[1].uid)]
