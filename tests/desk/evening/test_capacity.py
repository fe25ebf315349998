"""How many boxes an adapter holds, how long a connect takes, how old what is heard gets; in words people understand."""

from __future__ import annotations

from random import Random

from hypothesis import given
from hypothesis import strategies as st

from dalej.clock import ManualClock
from dalej.link.capacity import Found, Survey, share
from dalej.simulator.air import CONNECT_MS, REPEAT_MS, SimAdapter
from dalej.simulator.box import SimBox
from dalej.simulator.world import World


class Bench:
    """So many boxes around an adapter that holds so many."""

    def __init__(self, boxes: int, room: int, *, most: int = 12, foreign: int = 0) -> None:
        self.world = World(ManualClock())
        random = Random(3)
        self.boxes = [SimBox(self.world, bytes([9, 9, 9, 9, 9, n]), bytes([n] * 32), random) for n in range(boxes)]
        known = {box.uid: box.secret for box in self.boxes[foreign:]}
        self.survey = Survey(known, most=most, hold_ms=30_000, now_ms=0, random=random.randbytes, desk=(7, "measuring"))
        self.adapter = SimAdapter(self.world, self.survey, random, links=room)
        for box in self.boxes:
            box.power_on()
            self.adapter.add(box)
        self.adapter.serve()

    def measured(self) -> Found:
        while not self.survey.over and self.world.now_ms < 300_000:
            self.world.run_until(self.world.now_ms + 100)
        assert self.survey.over
        return self.survey.found()


def test_it_finds_how_many_links_the_adapter_holds() -> None:
    found = Bench(boxes=8, room=4).measured()

    assert (found.boxes, found.heard, found.most, found.held, found.full) == (8, 8, 4, 4, True)


def test_with_fewer_boxes_than_links_it_says_that_there_may_be_more() -> None:
    found = Bench(boxes=3, room=6).measured()

    assert (found.most, found.held, found.full) == (3, 3, False)


def test_it_tries_for_no_more_than_it_was_told() -> None:
    found = Bench(boxes=8, room=6, most=2).measured()

    assert (found.most, found.full) == (2, False)


def test_boxes_of_others_are_not_touched() -> None:
    bench = Bench(boxes=5, room=6, foreign=2)
    found = bench.measured()

    assert (found.boxes, found.most) == (3, 3)
    assert not any(bench.adapter.connected(box.uid) for box in bench.boxes[:2])


def test_connects_and_ages_are_those_of_the_adapter() -> None:
    found = Bench(boxes=6, room=4).measured()

    assert CONNECT_MS <= found.connect_ms() <= CONNECT_MS + 500
    assert share(found.ages_ms, 50) <= REPEAT_MS
    assert share(found.ages_ms, 100) <= REPEAT_MS


def test_nothing_that_a_box_has_to_tell_is_taken_from_it() -> None:
    bench = Bench(boxes=1, room=3)
    box = bench.boxes[0].box
    assert box is not None
    backlog = box.journal.backlog
    bench.measured()

    assert backlog
    assert box.journal.backlog >= backlog


def test_a_box_that_another_desk_serves_names_it() -> None:
    bench = Bench(boxes=1, room=3)
    other = Survey(
        {box.uid: box.secret for box in bench.boxes}, most=1, hold_ms=600_000, now_ms=0,
        random=Random(5).randbytes, desk=(8, "desk 1"),
    )  # fmt: skip
    radio = SimAdapter(bench.world, other, Random(5), links=3, connect_ms=100)
    radio.add(bench.boxes[0])
    radio.serve()
    found = bench.measured()

    assert found.busy == ("desk 1",)
    assert found.held == 0


@given(st.lists(st.integers(0, 10_000), min_size=1), st.integers(0, 100))
def test_a_share_is_one_of_the_values_and_grows(values: list[int], percent: int) -> None:
    assert share(values, percent) in values
    assert share(values, 0) <= share(values, percent) <= share(values, 100)
