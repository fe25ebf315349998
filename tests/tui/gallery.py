"""Every screen in a situation that shows what it is for: the one list of which the stored pictures, the check that no
text is cut in another language, and the pictures to look at are made.

A new screen is a new line of `GALLERY`: its name, and how to get there.
"""

from __future__ import annotations

import random
import tempfile
from collections.abc import AsyncIterator, Callable, Iterable
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from datetime import UTC
from functools import cache, partial
from pathlib import Path
from typing import Any, Final

from textual.pilot import Pilot
from textual.screen import ModalScreen, Screen
from textual.widgets import Input

from dalej.clock import ManualClock
from dalej.desk.feed.messages import Face, Pulse
from dalej.event.event import Event
from dalej.event.ledger import Ledger
from dalej.office.acts.wishes import Hands
from dalej.tui.app import HallApp
from dalej.tui.feed import TableChosen
from dalej.tui.room import Room
from dalej.tui.screens.checking import CheckScreen
from dalej.tui.screens.entry import EntryScreen
from dalej.tui.screens.people import PeopleScreen
from dalej.tui.screens.public import PublicScreen
from dalej.tui.screens.results import ResultsScreen
from dalej.tui.screens.seating import SeatingScreen
from dalej.tui.screens.settings import SettingsScreen
from dalej.tui.screens.standings import StandingsScreen
from dalej.tui.screens.times import TimesScreen
from dalej.views.book import Book, Page
from dalej.views.feed import Feed
from dalej.views.rows import Row
from tests.office.paper.events import NOON_MS as DECIDED_MS
from tests.tui import scenes
from tests.tui.atonce import at_once
from tests.tui.hands import PaperHands
from tests.tui.officescreens import Office, an_office
from tests.tui.one_table import OURS
from tests.tui.paper import NOON_MS, NoEntries, PaperDesk, PaperHall, PaperSent, a_row, an_alert, live
from tests.tui.public import PaperBook, an_event
from tests.tui.times import TurnedHall, an_evening
from tests.world import Ticking, play

Size = tuple[int, int]
SIZES: Final[tuple[Size, ...]] = ((80, 24), (120, 40), (200, 60))
PAUSES_MOST: Final = 400  # of the event loop: far more than any picture takes
STILL: Final = 3  # rounds in which nothing is done: what one worker has read another may have to show
_ENDLESS: Final = frozenset({"listen", "follow", "book"})  # workers of the app that only wait


@dataclass
class Stage:
    """A screen that stands still."""

    app: HallApp
    pilot: Pilot[None]

    async def settles(self) -> None:
        """Until nothing is being done."""
        still = 0
        for _ in range(PAUSES_MOST):
            for field in self.app.screen.query(Input):
                field.cursor_blink = False
            await self.pilot.pause()
            still = 0 if self._is_busy() else still + 1
            if still == STILL:
                return
        raise AssertionError("this screen never comes to rest")

    async def press(self, *keys: str) -> None:
        for key in keys:
            await self.pilot.press(key)
            await self.settles()

    async def resized(self, size: Size) -> None:
        """As if the window had been dragged to that size."""
        await self.pilot.resize_terminal(*size)
        if not isinstance(self.app.screen, PublicScreen):
            self.app.look_again()
        await self.settles()

    def _is_busy(self) -> bool:
        if isinstance(self.app.screen, ModalScreen):
            return False  # a worker may wait for its answer
        return any(one.is_running and one.name not in _ENDLESS for one in self.app.workers)


@asynccontextmanager
async def staged(
    size: Size, hall: PaperHall | None = None, *, hands: Hands | None = None, book: Book | None = None,
    on: Callable[[Room], Screen[Any]] | None = None, gone_ms: int | None = None, table: int = 0,
    face: Face | None = None, clock_ms: int = NOON_MS, keys: Iterable[str] = (),
) -> AsyncIterator[Stage]:  # fmt: skip
    """The app with a hall on paper. `on`: the screen on top; `table`: that table's; `gone_ms`: for how long the desk
    has been gone; `face`: of a simulated box; `keys`: pressed before the picture.
    """
    clock = ManualClock(clock_ms)
    welcome, pulse = live(simulated=face is not None)
    desk = PaperDesk(welcome, Pulse(pulse.now_ms, clock_ms, pulse.speed, pulse.cursor))
    feed = Feed(hall or PaperHall(scenes.six()), clock, event_name="jesień", ruleset="school-league", zone=UTC)
    app = HallApp(feed, NoEntries(), desk.connect, frozen=True, book=book, hands=hands)
    app.animation_level = "none"
    with at_once():
        async with app.run_test(size=size) as pilot:
            stage = Stage(app, pilot)
            while not feed.live:
                await pilot.pause()
            if gone_ms is not None:
                desk.vanish()
                while feed.live:
                    await pilot.pause()
                clock.time_ms += gone_ms
            if table:
                app.post_message(TableChosen(table))
                await stage.settles()
            if face is not None:
                desk.to_say.put_nowait(face)
            if on is not None:
                await app.push_screen(on(app.room))
            await stage.settles()
            app.look_again()
            await stage.settles()
            await stage.press(*keys)
            yield stage


# --- ways to get somewhere -----


def _hall(rows: Callable[[], Iterable[Row]], *, hands: bool = False, **how: Any) -> Scene:
    """The hall on these rows."""
    return lambda size: staged(size, PaperHall(rows()), hands=PaperHands() if hands else None, **how)


def _office(
    make: Callable[[Room], Screen[Any]], *keys: str, players: int = 12, played: int = 0, games: bool = False,
    seated: bool = True,
) -> Scene:  # fmt: skip
    """A screen of the tournament over a real event; `games`: the running round's games are in."""
    return partial(_at_office, make, keys, players, played, games, seated)


@asynccontextmanager
async def _at_office(
    make: Callable[[Room], Screen[Any]], keys: tuple[str, ...], players: int, played: int, games: bool, seated: bool,
    size: Size,
) -> AsyncIterator[Stage]:  # fmt: skip
    async with AsyncExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="dalej-gallery-")))
        file, wall = folder / "event.dalej", Ticking()
        written, wall.now_ms = _written(players, played, games, seated)
        file.write_bytes(written)
        office = Office(Event(Ledger.open(file), who="Gęś", wall_ms=wall))
        stack.callback(office.close)
        hands = office.hands("Sowa")
        book = office.room(hands).book
        await book.turn()
        yield await stack.enter_async_context(staged(size, hands=hands, book=book, on=make, keys=keys))


@cache
def _written(players: int, played: int, games: bool, seated: bool) -> tuple[bytes, int]:
    """That event's file, which is made once, and the Unix time at which it was ready, ms."""
    with tempfile.TemporaryDirectory(prefix="dalej-gallery-") as folder:
        with an_office(Path(folder), players, played=played, seated=seated) as office:
            if games:
                play(office.event, random.Random(4))
            file, ready_ms = Path(office.event.ledger.path), office.event.wall_ms()
        return file.read_bytes(), ready_ms


def _paper(*, at_ms: int = 600_000, boxes: Iterable[int] = (), **how: Any) -> Scene:
    """The hall of a round that is written down on sheets, so long after it began; some tables may have `boxes`."""
    return lambda size: staged(
        size, PaperHall(a_row(table, **({} if table in boxes else scenes.WITHOUT_BOX)) for table in range(1, 6)),
        hands=PaperHands(), book=PaperBook(Page(head=1, state=an_event(**how).state)), gone_ms=None if boxes else 0,
        clock_ms=DECIDED_MS + at_ms,
    )  # fmt: skip


def _public(*, at_ms: int = 600_000, **how: Any) -> Scene:
    """The public's screen so long after its round began; its clock is the desk's."""
    calls = (a_row(7, alerts=(an_alert(7, "referee", 5_000),)),)
    return lambda size: staged(
        size, PaperHall(calls), book=PaperBook(Page(head=1, state=an_event(**how).state)), on=PublicScreen,
        clock_ms=DECIDED_MS + at_ms,
    )  # fmt: skip


def _late() -> list[Row]:
    """Table 3's time is over; somebody has to rule."""
    late = an_alert(3, "time_out", 30_000, seat=2)
    return [a_row(1), a_row(2, seat=1), a_row(3, state="expired", left_ms=-30_000, seat=2, alerts=(late,)), a_row(4)]


def _claimed() -> list[Row]:
    """Table 3 stands because of a claim."""
    claim = an_alert(3, "early_click", 9_000, stopped=True)
    return [a_row(1), a_row(3, state="stopped", reason="early_click", moves_on=False, alerts=(claim,))]


Scene = Callable[[Size], Any]
_LIMIT: Final = (*["down"] * 5, "enter")  # its value is being typed

GALLERY: Final[dict[str, Scene]] = {
    # --- the hall -----
    "live": _hall(scenes.six),
    "referee": _hall(scenes.six, hands=True),
    "no-desk": _hall(scenes.six, gone_ms=14_000),
    "silent-box": _hall(scenes.silent_box),
    "many-alerts": _hall(scenes.many_alerts, hands=True),
    "sixty": _hall(scenes.sixty, keys=("n",)),
    "no-boxes": _paper(started=True, played=True),
    "no-boxes-lap": _paper(started=True, at_ms=5_401_000),
    "some-boxes": _paper(started=True, at_ms=5_401_000, boxes=(1, 2, 5)),
    "help": _hall(scenes.six, hands=True, keys=("question_mark",)),
    "palette": _hall(scenes.six, hands=True, keys=("ctrl+p",)),
    # --- one table and what is done there -----
    "table": _hall(_late, hands=True, table=3),
    "table-played": _hall(lambda: [a_row(3, seat=3)], hands=True, table=3, face=OURS),
    "menu": _hall(_late, hands=True, table=3, keys=("a",)),
    "claim": _hall(_claimed, hands=True, keys=("n", "enter")),
    "rule": _hall(_late, hands=True, keys=("n", "enter")),
    "set-time": _hall(_claimed, hands=True, table=3, keys=("t",)),
    "passages": _hall(_late, hands=True, keys=("n", "enter", "f1")),
    "stop-all": _hall(scenes.six, hands=True, keys=("X", "1")),
    # --- the tournament -----
    "results": _office(ResultsScreen, played=1),
    "entry": _office(lambda room: EntryScreen(room, 1, 1)),
    "entry-wrong": _office(lambda room: EntryScreen(room, 1, 1), "0", "enter", "1", "0", "enter", "x", "enter"),
    "confirming": _office(lambda room: CheckScreen(room, 1), games=True),
    "standings": _office(StandingsScreen, played=2, games=True),
    "papers": _office(StandingsScreen, "p", played=2, games=True),
    "seating": _office(SeatingScreen, played=1),
    "seating-held": _office(SeatingScreen, "space", "right", played=1),
    "settings": _office(SettingsScreen),
    "settings-boxes": _office(lambda room: SettingsScreen(room, PaperSent(scenes.answering())), *_LIMIT, *"60"),
    "people": _office(PeopleScreen, played=1),
    # --- the public, and pictures -----
    "public": _public(started=True),
    "public-standings": _public(started=True, played=True, at_ms=615_000),
    "public-lap": _public(started=True, at_ms=5_395_000),
    "times": lambda size: staged(size, TurnedHall(an_evening()), on=TimesScreen),
}
