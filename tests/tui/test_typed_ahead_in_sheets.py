"""A score sheet typed as fast as fingers go, in the app as it is started: each rack in its field, nothing in a wrong
one, and two people at two screens over one event.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Iterable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import UTC
from pathlib import Path
from typing import Any, Final

from textual import events
from textual.pilot import Pilot
from textual.screen import Screen
from textual.widgets import Input

from dalej.clock import ManualClock
from dalej.domain.tournament.tournament import GameAt
from dalej.office.acts.wishes import Hands
from dalej.tui.app import HallApp
from dalej.tui.feed import Feed
from dalej.tui.room import Room
from dalej.tui.screens.entry import EntryScreen
from dalej.tui.screens.results import ResultsScreen
from dalej.tui.widgets.bars import Outcome
from dalej.views.entrycheck import texts_of
from tests.tui.officescreens import Office, an_office
from tests.tui.paper import NOON_MS, SMALL, NoEntries, PaperDesk, PaperHall, live
from tests.tui.test_results_screen import Slow

ROUNDS_MOST: Final = 4_000  # of the event loop
LASTING: Final = frozenset({"listen", "follow", "book"})
NAMES: Final = {"⏎": "enter", "+": "plus", "-": "minus"}


@dataclass
class Person:
    """At the app, with fast fingers."""

    app: HallApp
    pilot: Pilot[None]
    room: Room

    @property
    def screen(self) -> Any:
        return self.app.screen

    def hits(self, signs: Iterable[str]) -> None:
        """All at once, as a terminal hands on what was typed while the program was busy; ⏎ is Enter."""
        assert self.app._driver is not None
        for sign in signs:
            self.app._driver.send_message(events.Key(NAMES.get(sign, sign), None if sign == "⏎" else sign))

    async def types(self, signs: Iterable[str]) -> None:
        """The same, until all of it has come where it belongs."""
        self.hits(signs)
        await self.rests()

    async def rests(self) -> None:
        """Until nothing is being done any more, but for what waits for an answer; or until the app has ended."""
        for _ in range(ROUNDS_MOST):
            await self.pilot.pause()
            if self.app.return_code is not None:
                break
            working = {one.group for one in self.app.workers if one.is_running and one.name not in LASTING}
            if self.app.keys.at_rest and not working - {"keep"}:
                break
        await self.pilot.pause()

    async def opens(self, screen: Screen[Any]) -> None:
        await self.app.push_screen(screen)
        await self.rests()

    def racks(self) -> list[str]:
        sheet = next(one for one in reversed(self.app.screen_stack) if isinstance(one, EntryScreen))
        return [one.value for one in sheet.query(Input)]

    def told(self) -> str:
        return self.app.screen.query_one(Outcome).words


@asynccontextmanager
async def at_the_app(
    office: Office, who: str, make: Callable[[Room], Screen[Any]], hands: Hands | None = None
) -> AsyncIterator[Person]:
    desk = PaperDesk(*live(simulated=False))
    feed = Feed(PaperHall([]), ManualClock(NOON_MS), event_name="jesień", ruleset="school-league", zone=UTC)
    room = office.room(office.hands(who) if hands is None else hands)
    await room.book.turn()
    app = HallApp(feed, NoEntries(), desk.connect, frozen=True, book=room.book, hands=room.hands)
    async with app.run_test(size=SMALL) as pilot:
        person = Person(app, pilot, app.room)
        await person.rests()
        await person.opens(make(app.room))
        yield person


def sheet(room: Room) -> EntryScreen:
    return EntryScreen(room, 1, 1)


def racks_in(office: Office, game: int = 1) -> dict[str, str] | None:
    one = office.event.state().current
    assert one is not None
    result = one.results.get(GameAt(1, game))
    return None if result is None else dict(texts_of(result).racks)


async def test_racks_typed_without_a_pause_stand_each_in_its_own_field(tmp_path: Path) -> None:
    with an_office(tmp_path, 4) as office:
        async with at_the_app(office, "Sowa", sheet) as sowa:
            await sowa.types("0⏎45⏎x⏎17")
            assert sowa.racks() == ["0", "45", "x", "17"]


async def test_a_table_is_opened_typed_and_kept_and_the_next_game_begun_in_one_go(tmp_path: Path) -> None:
    with an_office(tmp_path, 4) as office:
        async with at_the_app(office, "Sowa", ResultsScreen) as sowa:
            await sowa.types("10⏎45⏎x⏎17⏎⏎23⏎0⏎5")
            assert racks_in(office) == {"A": "0", "B": "45", "C": "!", "D": "17"}
            assert sowa.screen.at == GameAt(1, 2)
            assert sowa.racks() == ["23", "0", "5", ""]


async def test_what_is_typed_while_the_desk_still_writes_waits_for_the_next_game(tmp_path: Path) -> None:
    with an_office(tmp_path, 4) as office:
        hands = Slow(office.hands("Sowa"))
        async with at_the_app(office, "Sowa", sheet, hands) as sowa:
            sowa.hits("0⏎45⏎x⏎17⏎⏎23")
            await hands.asked.wait()
            for _round in range(3):  # not long: keys that wait for three seconds are dropped
                await sowa.pilot.pause()
            assert sowa.racks() == ["0", "45", "x", "17"]
            hands.go_on.set()
            await sowa.rests()
            assert sowa.screen.at == GameAt(1, 2)
            assert sowa.racks() == ["23", "", "", ""]


async def test_what_was_typed_after_a_rack_that_cannot_be_read_is_dropped_not_put_into_it(tmp_path: Path) -> None:
    with an_office(tmp_path, 4) as office:
        async with at_the_app(office, "Sowa", sheet) as sowa:
            await sowa.types("0⏎4j5⏎17⏎30⏎⏎")
            assert sowa.racks() == ["0", "4j5", "", ""]
            assert sowa.screen.focused is sowa.screen.rows()[1].field
            assert racks_in(office) is None


async def test_two_people_at_two_screens_enter_one_table(tmp_path: Path) -> None:
    with an_office(tmp_path, 4) as office:
        async with at_the_app(office, "Sowa", sheet) as sowa, at_the_app(office, "Kuna", sheet) as kuna:
            await sowa.types("0⏎10⏎20⏎30⏎")
            await kuna.types("0⏎10⏎20⏎31⏎⏎")  # Sowa still looks at the question
            await sowa.types("⏎")
            assert racks_in(office) == {"A": "0", "B": "10", "C": "20", "D": "31"}
            assert kuna.screen.at == GameAt(1, 2)
            assert sowa.screen.mode == "outrun"
            assert sowa.racks() == ["0", "10", "20", "30"]
            assert "Kuna" in sowa.told()
            assert sowa.screen.rows()[3].note == "! ≠ Kuna: 31"
