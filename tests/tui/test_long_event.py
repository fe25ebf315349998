"""A screen that is opened on a long event: something is there at once, keys answer, and rows come as they are read."""

from __future__ import annotations

import asyncio
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from dalej.clock import ManualClock
from dalej.event.ledger import Entry, Reported
from dalej.rulesets.rulebook import load
from dalej.tui.app import HallApp
from dalej.tui.screens.table import TableScreen
from dalej.tui.widgets.bars import Banner, HallBar
from dalej.tui.widgets.tablelist import TableList
from dalej.views import feed as workers
from dalej.views.feed import Feed, News, Recorded
from dalej.views.following import LedgerReader
from dalej.views.hall import HallModel
from tests.tui.paper import LARGE, NoEntries, PaperDesk
from tests.views.manyfacts import NOON_MS, LongLedger, one_table

TABLES = 120
FACTS = 100_000
WITHIN_S = 20


class Held(LongLedger):
    """Gives a page at a time, each when it is let through. `wanted`: a page is waited for."""

    def __init__(self, one: list[Reported], tables: int) -> None:
        super().__init__(one, tables)
        self.wanted = threading.Event()
        self.let = threading.Semaphore(0)

    def since(self, cursor: int, limit: int) -> list[Entry]:
        """In the thread that reads."""
        self.wanted.set()
        assert self.let.acquire(timeout=WITHIN_S)
        self.wanted.clear()
        return super().since(cursor, limit)

    async def turn(self) -> None:
        """Let one page through; all that it brings has been read when the next is wanted."""
        assert await asyncio.to_thread(self.wanted.wait, WITHIN_S)
        self.wanted.clear()
        self.let.release()
        assert await asyncio.to_thread(self.wanted.wait, WITHIN_S)

    def end(self) -> None:
        """Whoever reads need not wait any more."""
        self.count = 0
        for _page in range(100):
            self.let.release()


@pytest.fixture
def held(tmp_path: Path) -> Iterator[Held]:
    """A hundred thousand facts of a large hall."""
    ledger = Held(one_table(tmp_path, -(-FACTS // TABLES)), TABLES)
    yield ledger
    ledger.end()


async def test_a_screen_on_a_long_event_is_there_before_its_first_fact_and_obeys_while_most_is_still_to_be_read(
    held: Held,
) -> None:
    model, desk = HallModel(load("school-league")), PaperDesk()
    desk.there = False
    feed = Feed(model, ManualClock(NOON_MS), event_name="long", ruleset="school-league")
    app = HallApp(feed, LedgerReader(held, model), desk.connect)
    async with app.run_test(size=LARGE) as pilot:
        await pilot.pause()
        tables = app.screen.query_one(TableList)
        assert "long" in str(app.screen.query_one(HallBar).render())
        assert not held.read
        assert not tables.lines

        await held.turn()
        await pilot.pause()
        assert len(tables.lines) == TABLES  # the first slice is enough for a row of each
        assert "NO LIVE DESK" in str(app.screen.query_one(Banner).render())  # and to know that a desk is needed

        await pilot.press("down", "down")
        assert tables.table == 3
        await held.turn()
        await pilot.press("down", "enter")
        assert isinstance(app.screen, TableScreen)
        assert held.read < held.count // 10
        assert held.count >= FACTS
        held.end()


class Slices(NoEntries):
    """A reader of so many slices of one table each."""

    def __init__(self, count: int) -> None:
        self.left = count

    async def read_on(self) -> set[int] | None:
        self.left -= 1
        await asyncio.sleep(0)
        return {self.left} if self.left >= 0 else None


async def test_slices_that_come_together_are_shown_together_and_none_is_forgotten(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(workers, "SHOW_S", 3_600.0)
    told: list[News] = []
    feed = Feed(HallModel(load("school-league")), ManualClock(NOON_MS), event_name="x", ruleset="school-league")

    following = asyncio.create_task(workers.follow(feed, Slices(100), told.append))
    try:
        async with asyncio.timeout(WITHIN_S):
            await feed.caught_up.wait()
    finally:
        following.cancel()

    recorded = [message.tables for message in told if isinstance(message, Recorded)]
    assert recorded == [frozenset({99}), frozenset(range(99))]


async def test_the_screens_beside_the_hall_and_what_typesets_are_not_loaded_before_they_are_wanted() -> None:
    code = (
        "import sys, dalej.cli.screen, dalej.tui.app\n"
        "from dalej.tui.room import WAYS\n"
        "later = [f'dalej.tui.screens.{way.name}' for way in WAYS]\n"
        "later += ['dalej.office.acts.performer', 'dalej.office.paper', 'jinja2', 'xlsxwriter', 'babel']\n"
        "print(*(name for name in later if name in sys.modules))\n"
        "print(*(way.made.__name__ for way in WAYS))"
    )
    asked = await asyncio.create_subprocess_exec(sys.executable, "-c", code, stdout=asyncio.subprocess.PIPE)
    async with asyncio.timeout(60):
        said, _error = await asked.communicate()

    loaded, *made = said.decode().splitlines()
    assert loaded == ""
    assert made == ["ResultsScreen StandingsScreen SeatingScreen PeopleScreen SettingsScreen TimesScreen PublicScreen"]
