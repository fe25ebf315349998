"""What chance takes from a simulated box comes back by itself, but never against what a screen has ordered."""

from __future__ import annotations

from dataclasses import dataclass, field

import pytest

from dalej.clock import ManualClock
from dalej.simulator.outages import Outage
from dalej.simulator.world import World


@dataclass
class Box:
    """`put`: every change, in order."""

    world: World = field(default_factory=lambda: World(ManualClock()))
    there: bool = True
    put: list[bool] = field(default_factory=list)

    def change(self, on: bool) -> None:
        self.there = on
        self.put.append(on)

    def outage(self) -> Outage:
        return Outage(self.world, lambda: self.there, self.change)

    def after(self, ms: int) -> bool:
        self.world.run_until(self.world.now_ms + ms)
        return self.there


@pytest.fixture
def box() -> Box:
    return Box()


def test_what_chance_took_comes_back_by_itself(box: Box) -> None:
    box.outage().chance(5_000)

    assert not box.after(4_999)
    assert box.after(1)


def test_what_a_screen_took_stays_away_when_chance_would_have_brought_it_back(box: Box) -> None:
    outage = box.outage()
    outage.chance(5_000)
    outage.order(False)

    assert not box.after(60_000)
    outage.end()
    assert not box.there  # whoever takes the table over ends what chance did, not what was ordered


def test_what_a_screen_gave_back_is_not_touched_by_an_outage_that_is_over(box: Box) -> None:
    outage = box.outage()
    outage.chance(5_000)
    outage.order(True)
    outage.order(False)

    assert not box.after(60_000)
    assert box.put == [False, True, False]


def test_chance_takes_nothing_that_a_screen_has_taken(box: Box) -> None:
    outage = box.outage()
    outage.order(False)
    outage.chance(5_000)

    assert not box.after(60_000)


def test_a_taken_over_table_has_at_once_what_chance_took(box: Box) -> None:
    outage = box.outage()
    outage.chance(5_000)
    outage.end()

    assert box.there
    outage.chance(5_000)
    assert not box.after(4_999)  # the return of the outage before does not shorten the next one
    assert box.after(1)
