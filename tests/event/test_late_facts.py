"""Facts that come late, as over a lossy link: the same position, calls and rulings, without a fold from the start."""

from __future__ import annotations

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dalej.domain.game.calls import Calls
from dalej.domain.game.facts import Fact
from dalej.domain.game.positions import Position
from dalej.event import journal
from dalej.event.journal import KEPT, KEPT_EVERY, Journal
from dalej.event.ledger import Reported
from dalej.rulesets.rulebook import load
from tests.views.manyfacts import one_table

FACTS = 600
RULES = load("school-league")


@pytest.fixture(scope="module")
def told(tmp_path_factory: pytest.TempPathFactory) -> list[Reported]:
    """A journal in the order of its box."""
    return sorted(one_table(tmp_path_factory.mktemp("one"), FACTS), key=lambda one: one.fact.seq)


def log_of(told: list[Reported], look_every: int = 0) -> Journal:
    """A log that has taken them in, looked at now and then as a screen does."""
    fact = told[0].fact
    log = Journal(fact.box, fact.epoch, lambda: RULES, [])
    for place, reported in enumerate(told):
        log.add(reported)
        if look_every and place % look_every == 0:
            _ = log.position
    return log


def state(of: Position | Calls) -> dict[str, object]:
    return {name: getattr(of, name) for name in of.__slots__}


@given(st.integers(0, 2**32), st.integers(1, 300), st.integers(1, 40))
def test_facts_that_come_late_come_to_the_same_as_in_order(
    told: list[Reported], seed: int, late: int, look_every: int
) -> None:
    by_chance = random.Random(seed)
    places = sorted(range(len(told)), key=lambda place: place + by_chance.randrange(late) * (by_chance.random() < 0.1))

    shuffled, in_order = log_of([told[place] for place in places], look_every), log_of(told)

    assert state(shuffled.position) == state(in_order.position)
    assert shuffled.calls() == in_order.calls()
    assert [shuffled.reported(one.fact.seq) for one in told] == told


def test_a_fact_that_comes_a_little_late_costs_no_fold_from_the_start(
    told: list[Reported], monkeypatch: pytest.MonkeyPatch
) -> None:
    taken = 0

    class Counting(Position):
        __slots__ = ()

        def take(self, fact: Fact) -> None:
            nonlocal taken
            taken += 1
            super().take(fact)

    monkeypatch.setattr(journal, "Position", Counting)
    early, late, rest = told[:-5], told[-5], told[-4:]
    log = log_of([*early, *rest])
    assert log.position.game
    taken = 0

    log.add(late)

    assert state(log.position) == state(log_of(told).position)
    assert 0 < taken - len(told) <= KEPT_EVERY * KEPT < len(told) // 2
