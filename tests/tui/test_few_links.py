"""A referee at a screen of a hall on few links: what waits is answered while its facts are still on the box."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from datetime import UTC
from pathlib import Path
from typing import Any

import pytest
from textual.pilot import Pilot

from dalej.desk.feed.messages import Pulse, TableHeard, Welcome
from dalej.domain.tournament.tournament import CLAIM
from dalej.event.event import Event
from dalej.event.ledger import FETCH, Ledger, Request
from dalej.event.reading import read
from dalej.office.acts.roles import Actor
from dalej.office.acts.wishes import Done, Wish
from dalej.rulesets.rulebook import load
from dalej.tui.app import HallApp, make_app
from dalej.tui.ask.actdialog import ActDialog
from dalej.tui.ask.fields import Field
from dalej.tui.ask.menu import ActMenu
from dalej.tui.feed import TableChosen
from dalej.tui.screens.table import TableScreen
from dalej.views.book import EventBook
from tests.office.acts.few_links import LIS, FewLinks
from tests.tui.languages import speaking
from tests.tui.paper import PaperDesk
from tests.tui.scenes import as_text


class Referee(PaperDesk):
    """The screen, and the desk's end of its connection."""

    app: HallApp
    pilot: Pilot[None]
    actor = Actor("Lis", "referee")

    def __init__(self, hall: FewLinks) -> None:
        super().__init__(Welcome(1, "hall", False))
        self.hall = hall
        self._version = 0
        self.wished: list[Wish] = []

    async def do(self, wish: Wish) -> Done:
        self.wished.append(wish)
        return self.hall.performer.do(LIS, wish)

    def tell(self) -> None:
        """What a live desk would say now."""
        desk, clock = self.hall.place.desk, self.hall.setting.clock
        self.to_say.put_nowait(Pulse(clock.now_ms(), clock.wall_ms(), 1.0, self.hall.ledger.head()))
        for heard in reversed(desk.heard_since(self._version)):
            self.to_say.put_nowait(TableHeard(heard))
        self._version = desk.version

    @property
    def text(self) -> str:
        return " ".join(as_text(self.app).split())

    async def until(self, there: Callable[[], bool], *, passes_ms: int = 0) -> None:
        """Waits, while time passes in the hall; the test's deadline ends a wait in vain."""
        while not there():
            if passes_ms:
                self.hall.setting.run(passes_ms)
            self.tell()
            self.app.feed.grown.set()
            await self.pilot.pause(0.01)
            self.app.look_again()
            if isinstance(self.app.screen, ActDialog):
                self.app.screen._tick()

    async def sees(self, words: str, *, passes_ms: int = 0) -> None:
        await self.until(lambda: words in self.text, passes_ms=passes_ms)

    async def opens(self, table: int) -> None:
        """A table that waits, with the act ready that answers it."""
        self.app.post_message(TableChosen(table, answers=True))
        await self.until(lambda: isinstance(self.app.screen, ActDialog | ActMenu))

    def decided(self, kind: str) -> list[Any]:
        return [one for one in read(self.hall.ledger).decisions() if one.kind == kind]


@asynccontextmanager
async def at_the_hall(hall: FewLinks, size: tuple[int, int] = (100, 30)) -> AsyncIterator[Referee]:
    referee = Referee(hall)
    with speaking("en"), Ledger.open(hall.ledger.path) as read, Ledger.open(hall.ledger.path) as book:
        app = make_app(
            read, load("school-league"), referee.connect, hall.setting.clock, event_name="liga", frozen=True, zone=UTC,
            book=EventBook(Event(book, who="", wall_ms=hall.wall_ms)), hands=referee,
        )  # fmt: skip
        app.animation_level = "none"
        async with app.run_test(size=size) as pilot:
            referee.app, referee.pilot = app, pilot
            await referee.until(lambda: len(app.feed.hall.tables()) >= len(hall.setting.boxes))
            yield referee


@pytest.fixture
def hall(tmp_path: Path) -> Any:
    made = FewLinks(tmp_path)
    yield made
    made.close()


async def test_a_time_out_is_ruled_on_before_its_fact_is_there_and_holds_when_it_is(hall: FewLinks) -> None:
    hall.time_runs_out(5)
    async with at_the_hall(hall) as referee:
        await referee.opens(5)
        await referee.sees("one moment: its box is asked what happened")
        assert hall.row(5).ahead is not None

        await referee.pilot.press("2", "1", "enter")
        await referee.until(lambda: isinstance(referee.app.screen, TableScreen))
        [ruling] = referee.decided("ruling")
        assert ruling.body["open"] is True

        await referee.sees("one moment: it holds as soon as the box has told")
        await referee.sees("is next and presses Dalej; play goes on")
        assert hall.row(5).ahead is not None
        await referee.sees("the box has told of it: the ruling holds", passes_ms=100)
        assert hall.ruled(5)[-1].decision == ruling.cursor
        await referee.sees("; play goes on")


async def test_opening_what_waits_asks_the_desk_for_that_tables_facts_once(hall: FewLinks) -> None:
    hall.time_runs_out(5)
    async with at_the_hall(hall) as referee:
        await referee.opens(5)
        await referee.until(lambda: any(wish.act == "fetch" for wish in referee.wished))

        fetched = [one for one in hall.ledger.since(0) if isinstance(one, Request) and one.command == FETCH]
        assert [one.table for one in fetched] == [5]
        await referee.until(lambda: "one moment" not in referee.text, passes_ms=100)
        assert isinstance(referee.app.screen, ActDialog)


@pytest.mark.parametrize(("key", "granted"), [("1", True), ("2", False)])
async def test_a_claim_opened_before_its_fact_is_there_is_answered_as_soon_as_it_is(
    hall: FewLinks, key: str, granted: bool
) -> None:
    table = hall.claims()
    async with at_the_hall(hall) as referee:
        await referee.opens(table)
        await referee.pilot.press(key)
        await referee.until(lambda: isinstance(referee.app.screen, ActDialog))
        assert "move" not in {field.name for field in referee.app.screen.query(Field)}
        await referee.sees("one moment: its box is asked what happened")
        assert hall.row(table).ahead is not None

        await referee.pilot.press("1", "enter")
        await referee.sees("it is done as soon as its box has told of it")
        await referee.until(lambda: isinstance(referee.app.screen, TableScreen), passes_ms=100)

        [answer] = referee.decided(CLAIM)
        assert answer.body["granted"] is granted
        await referee.sees("the claim is granted" if granted else "the claim is denied")


async def test_a_table_that_settled_it_meanwhile_is_said_in_words(hall: FewLinks) -> None:
    hall.time_runs_out(5)
    async with at_the_hall(hall) as referee:
        await referee.opens(5)
        await referee.sees("one moment")
        hall.tap(2 * ((hall.clock(5).seat + 1) % 4), 5)  # Już of the next seat: it stands
        hall.setting.run(100)

        await referee.pilot.press("2", "1", "enter")
        await referee.sees("it does not hold: the table had settled it otherwise before", passes_ms=100)

        assert hall.ruled(5)[-1].by == "table"
