"""A day of play behind a screen that is never closed: what the screen itself keeps does not grow.

The day is played first, into an event file; then a headless screen reads it hour by hour, as time goes by, with all
its drawing. Only then is memory traced, so boxes and desk are not in it.
"""

from __future__ import annotations

import asyncio
import gc
import os
import tracemalloc
from datetime import UTC
from functools import _lru_cache_wrapper
from itertools import takewhile
from pathlib import Path
from typing import Final

import pytest
from textual.cache import FIFOCache, LRUCache

from dalej.clock import ManualClock
from dalej.desk.feed.messages import Pulse
from dalej.event import eventlog
from dalej.event.ledger import Entry, Ledger
from dalej.rulesets.rulebook import load
from dalej.simulator.hall import Hall
from dalej.tui.app import HallApp
from dalej.tui.widgets.grid import Grid
from dalej.views.feed import Feed
from dalej.views.following import LedgerReader
from dalej.views.hall import HallModel
from tests.tui.paper import NOON_MS, PaperDesk, live

TABLES: Final = 25
HOURS: Final = 8
WARM_UP_HOURS: Final = 2
HOUR_MS: Final = 3_600_000
LOOK_MS: Final = 60_000  # between two looks of the screen
SIZE: Final = (120, 40)
SCREEN: Final = tuple(tracemalloc.Filter(True, f"*/{part}/*") for part in ("dalej/tui", "textual", "rich"))
MODEL: Final = (tracemalloc.Filter(True, "*/dalej/views/*"), tracemalloc.Filter(True, "*/dalej/domain/*"))
# Measured with 4 tables from hour 1 to 4: a screen takes 27 kB more (messages and reactive values that are on their
# way); the model 47 bytes a fact, because turns are shown all day. The bounds are three times that: a row kept with
# each fact would be ten times.
SCREEN_MOST: Final = 9_000 * (HOURS - WARM_UP_HOURS) * 3  # bytes
FACT_MOST: Final = 150  # bytes


class Until:
    """The ledger as it was at an instant of the day. `at_ms`: Unix time."""

    def __init__(self, ledger: Ledger) -> None:
        self.ledger = ledger
        self.at_ms = 0
        self.cursor = 0

    def since(self, cursor: int, limit: int) -> list[Entry]:
        # In order, up to the first that is of later: some entries have no time, and none may be passed over.
        entries = list(takewhile(lambda one: when(one) <= self.at_ms, self.ledger.since(cursor, limit)))
        self.cursor = max([self.cursor, *(one.cursor for one in entries)])
        return entries


def when(entry: Entry) -> int:
    """Unix time at which it was written down."""
    return int(getattr(entry, "received_ms", 0) or getattr(entry, "when_ms", 0))


def played(folder: Path, tables: int, hours: int, seed: int) -> Ledger:
    """An event with that day in it."""
    ledger = Ledger.create(folder / "day.dalej")
    eventlog.choose_ruleset(ledger, "school-league", who="test", when_ms=NOON_MS)
    hall = Hall(ledger, load("school-league"), ManualClock(NOON_MS), tables=tables, moves=None, seed=seed)
    hall.world.run_until(hours * HOUR_MS)
    hall.desk.close()
    return ledger


def kept(app: HallApp, filters: tuple[tracemalloc.Filter, ...]) -> int:
    """Bytes that were allocated there and are still held, but for what is kept up to a limit to be drawn again."""
    for grid in app.screen.query(Grid):
        grid._segments.clear()
    for one in gc.get_objects():
        if isinstance(one, _lru_cache_wrapper):
            one.cache_clear()
        elif isinstance(one, LRUCache | FIFOCache):
            one.clear()
    gc.collect()
    return sum(one.size for one in tracemalloc.take_snapshot().filter_traces(filters).statistics("filename"))


async def watched(ledger: Ledger, tables: int, hours: int, warm_up: int) -> tuple[int, int, int]:
    """Bytes that came to the screen and to its model after the warm-up, and the facts that came meanwhile."""
    until, clock, model = Until(ledger), ManualClock(NOON_MS), HallModel(load("school-league"))
    desk = PaperDesk(*live())
    feed = Feed(model, clock, event_name="day", ruleset="school-league", zone=UTC)
    app = HallApp(feed, LedgerReader(until, model), desk.connect, frozen=True)
    before = (0, 0, 0)
    tracemalloc.start()
    try:
        async with app.run_test(size=SIZE) as pilot:
            for at_ms in range(LOOK_MS, hours * HOUR_MS + 1, LOOK_MS):
                clock.time_ms = until.at_ms = NOON_MS + at_ms
                feed.pulsed(Pulse(at_ms, until.at_ms, 1.0, at_ms))
                await pilot.pause()
                app.look_again()
                if at_ms == warm_up * HOUR_MS:
                    before = kept(app, SCREEN), kept(app, MODEL), until.cursor
            assert len(model.tables()) == tables
            after = kept(app, SCREEN), kept(app, MODEL), until.cursor
    finally:
        tracemalloc.stop()
    return after[0] - before[0], after[1] - before[1], after[2] - before[2]


@pytest.mark.torture
@pytest.mark.usefixtures("drawn")
def test_a_day_of_play_leaves_a_screen_as_large_as_it_was(tmp_path: Path) -> None:
    seed = int(os.environ["DALEJ_SEED"])
    with played(tmp_path, TABLES, HOURS, seed) as ledger:
        screen, model, facts = asyncio.run(watched(ledger, TABLES, HOURS, WARM_UP_HOURS))

    told = f"seed {seed}: screen {screen:+,} bytes, model {model:+,} bytes for {facts:,} facts"
    assert screen < SCREEN_MOST, told
    assert model < facts * FACT_MOST, told
