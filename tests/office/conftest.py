"""An event file and desks that have it open, each as its own process would."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from itertools import count
from pathlib import Path

import pytest

from dalej.event import eventlog
from dalej.event.event import Event
from dalej.event.ledger import Draft, Ledger
from tests.domain.deciding import ANIMALS, NOON

Desk = Callable[[str], Event]


@pytest.fixture
def league(tmp_path: Path) -> Path:
    """A league of eight, nobody seated yet."""
    path = tmp_path / "league.dalej"
    with Ledger.create(path) as ledger:
        eventlog.choose_ruleset(ledger, "school-league", who="Puchacz", when_ms=NOON)
        players = [
            Draft("player", {"player": number, "name": name}, f"player:{number}")
            for number, name in enumerate(ANIMALS[:8], start=1)
        ]
        ledger.decide_together(players, who="Puchacz", when_ms=NOON + 1, why="sign-up")
    return path


@pytest.fixture
def desk(league: Path) -> Iterator[Desk]:
    """`desk("Sowa")`: the league opened once more."""
    instants = count(NOON + 1_000)
    with ExitStack() as opened:
        yield lambda who: Event(opened.enter_context(Ledger.open(league)), who=who, wall_ms=lambda: next(instants))
