"""The same conversation over the air: the box is heard, linked, lost and linked again, on simulated time."""

from __future__ import annotations

from random import Random

from dalej.clock import ManualClock
from dalej.link.talk import Talk
from dalej.simulator.air import SimAdapter
from dalej.simulator.box import Faults, SimBox
from dalej.simulator.world import World
from moveclock import facts as k
from tests.link.rig import SECRET, STEPS, UID


class Air:
    """One box and one adapter with room for one link."""

    def __init__(self, last: int | None, faults: Faults | None = None) -> None:
        self.clock = ManualClock()
        self.world = World(self.clock, STEPS)
        self.box = SimBox(self.world, UID, SECRET, Random(7))
        random = Random(3)
        self.talk = Talk(UID, SECRET, self.clock, random.randbytes, called="7", last=last)
        self.adapter = SimAdapter(self.world, self.talk, random, faults, links=1)
        self.box.power_on()
        self.adapter.add(self.box)

    def run(self, ms: int) -> None:
        self.world.run_until(self.world.now_ms + ms)

    def tap_kostka(self) -> None:
        """A fact for the box to tell, whatever its state."""
        self.box.edge(k.KOSTKA, True)
        self.run(60)
        self.box.edge(k.KOSTKA, False)
        self.run(100)


def test_a_box_that_is_heard_is_linked_and_read() -> None:
    air = Air(last=None)
    for _ in range(30):
        air.tap_kostka()

    air.run(10_000)

    assert air.box.box is not None
    head = air.box.box.journal.head
    assert [fact.seq for fact in air.talk.facts] == list(range(1, head + 1))
    assert air.box.box.journal.acked == 0
    assert air.talk.backlog is not None


def test_a_lossy_link_that_breaks_now_and_then_is_taken_up_where_it_broke() -> None:
    air = Air(last=None, faults=Faults(loss=0.1, duplicate=0.1, reorder=0.1, cut=0.03))
    for _ in range(100):
        air.tap_kostka()

    air.run(120_000)

    assert air.adapter.cuts > 0
    assert air.box.box is not None
    assert [fact.seq for fact in air.talk.facts] == list(range(1, air.box.box.journal.head + 1))


def test_only_the_latest_facts_are_asked_for() -> None:
    air = Air(last=2)
    air.run(15_000)

    assert air.box.box is not None
    head = air.box.box.journal.head
    assert [fact.seq for fact in air.talk.facts] == list(range(max(1, head - 1), head + 1))


def test_a_goodbye_ends_the_link_and_no_other_is_begun() -> None:
    air = Air(last=0)
    air.run(15_000)
    assert air.talk.state is not None

    air.talk.leave()
    air.adapter.serve()
    air.run(30_000)

    assert not air.adapter.connected(UID)
    assert air.adapter.connects == 1
