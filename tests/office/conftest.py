"""An event file and desks that have it open, each as its own process would."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from itertools import count
from pathlib import Path

import pytest

from dalej.event.event import Event
from dalej.event.ledger import Ledger
from tests import world

Desk = Callable[[str], Event]


@pytest.fixture(autouse=True)
def english(monkeypatch: pytest.MonkeyPatch) -> None:
    """Sentences are in English unless a test says otherwise."""
    monkeypatch.setenv("LANGUAGE", "en")


@pytest.fixture
def league(tmp_path: Path) -> Path:
    """A league of eight, nobody seated yet."""
    return world.event_file(tmp_path, seated=False, wall_ms=world.at_noon)


@pytest.fixture
def desk(league: Path) -> Iterator[Desk]:
    """`desk("Sowa")`: the league opened once more."""
    instants = count(world.NOON + 1_000)
    with ExitStack() as opened:
        yield lambda who: Event(opened.enter_context(Ledger.open(league)), who=who, wall_ms=lambda: next(instants))


@pytest.fixture
def held(tmp_path: Path) -> Iterator[Event]:
    """Eight are seated at two tables, by a clock that stands at noon."""
    with world.an_event(tmp_path, wall_ms=world.at_noon) as event:
        yield event
