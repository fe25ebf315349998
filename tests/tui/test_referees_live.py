"""Referees at screens on a hall that lives: one alert and two of them; a table that is played and judged at once."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from contextlib import ExitStack, asynccontextmanager
from datetime import UTC
from pathlib import Path

from textual.pilot import Pilot

from dalej.desk.feed.messages import Take
from dalej.event.event import Event
from dalej.event.ledger import Ledger
from dalej.office.acts.hands import LocalHands
from dalej.office.acts.performer import Performer
from dalej.office.acts.roles import Actor
from dalej.office.rulings import rulings_of
from dalej.rulesets import rulebook
from dalej.tui.app import HallApp, make_app
from dalej.tui.ask.actdialog import ActDialog
from dalej.tui.ask.confirm import Confirm
from dalej.tui.ask.menu import ActMenu
from dalej.tui.feed import TableChosen
from dalej.tui.screens.table import TableScreen
from dalej.views.book import EventBook
from tests.desk.feed.living import RULESET, SET_UP_MS, Life, lively
from tests.tui.scenes import as_text
from tests.tui.visitor import SCREEN, Visitor

LIMIT_MS = 62_000  # longer than a move may take


class Referee:
    """Somebody at a screen of table 1."""

    def __init__(self, app: HallApp, pilot: Pilot[None], visitor: Visitor) -> None:
        self.app, self.pilot, self.visitor = app, pilot, visitor

    async def until(self, there: Callable[[], bool]) -> None:
        """Waits, while time passes in the hall; the test's deadline ends a wait in vain."""
        while not there():
            await self.pilot.pause(0.01)
            self.visitor.life.hall.desk.carry_out()
            self.visitor.life.passes(50)
            self.visitor.tell()
            self.app.look_again()

    async def sees(self, words: str) -> None:
        await self.until(lambda: words in " ".join(as_text(self.app).split()))

    async def asks(self) -> None:
        await self.until(lambda: isinstance(self.app.screen, ActDialog))


@asynccontextmanager
async def at_table_1(life: Life, who: str) -> AsyncIterator[Referee]:
    with ExitStack() as stack:
        read, turned, acted = (stack.enter_context(Ledger.open(life.ledger.path)) for _each in range(3))

        def event_for(person: str, ledger: Ledger = acted) -> Event:
            return Event(ledger, who=person, wall_ms=life.simulated.wall_ms)

        visitor = Visitor(life)
        app = make_app(
            read, rulebook.load(RULESET), visitor.connect, life.clock, event_name="hall", frozen=True, zone=UTC,
            book=EventBook(event_for(who, turned)),
            hands=LocalHands(Actor(who, "referee"), Performer(event_for, lambda _line: None)),
        )  # fmt: skip
        async with app.run_test(size=(120, 40)) as pilot:
            referee = Referee(app, pilot, visitor)
            visitor.pilot = pilot
            await referee.until(lambda: 1 in app.feed.hall.tables())
            app.post_message(TableChosen(1))
            await referee.until(lambda: isinstance(app.screen, TableScreen) and app.screen.is_mounted)
            yield referee


@asynccontextmanager
async def playing_table_1(folder: Path, *, late: bool = False) -> AsyncIterator[Referee]:
    """Lis plays the table by hand, has begun the first game, and with `late` is late in its first move."""
    with lively(folder / "hall.dalej", tables=1) as life:
        life.living.wish(SCREEN, Take(1, True))
        life.passes(SET_UP_MS)
        async with at_table_1(life, "Lis") as lis:
            await lis.sees("begins: j starts the clock")
            await lis.pilot.press("j")
            await lis.sees("Lis (A) to move")
            if late:
                life.passes(LIMIT_MS)
                await lis.sees("time is over")
            yield lis


async def test_the_second_referee_on_one_alert_is_told_who_has_decided(tmp_path: Path) -> None:
    async with playing_table_1(tmp_path, late=True) as lis, at_table_1(lis.visitor.life, "Sowa") as sowa:
        await sowa.sees("time is over")
        await sowa.pilot.press("enter")
        await sowa.asks()
        await lis.pilot.press("enter")
        await lis.asks()

        await lis.pilot.press("2", "1", "enter")
        await lis.until(lambda: isinstance(lis.app.screen, TableScreen))
        await sowa.pilot.press("1", "1", "enter")
        await sowa.sees("✗")

        assert isinstance(sowa.app.screen, ActDialog)
        assert "Lis" in as_text(sowa.app).split("✗")[1].splitlines()[0]


async def test_a_table_is_played_and_judged_from_one_screen(tmp_path: Path) -> None:
    async with playing_table_1(tmp_path) as lis:
        await lis.sees("The hall sees: playing")
        await lis.pilot.press("a", "s", "1")
        await lis.sees("the clock stands")
        await lis.sees("✓ the box has done it")
        await lis.pilot.press("a", "r")
        await lis.sees("The hall sees: playing")
        await lis.pilot.press("j")
        await lis.sees("Sowa (B) to move")


async def test_a_ruling_at_this_table_is_found_by_its_move_and_taken_back(tmp_path: Path) -> None:
    async with playing_table_1(tmp_path, late=True) as lis:
        await lis.pilot.press("enter")
        await lis.asks()
        await lis.pilot.press("2", "1", "enter")
        await lis.until(lambda: bool(rulings_of(lis.app.room.book.page.decisions)))
        await lis.until(lambda: isinstance(lis.app.screen, TableScreen))
        await lis.sees("; play goes on")  # the turns know of it too

        await lis.pilot.press("a")
        await lis.until(lambda: isinstance(lis.app.screen, ActMenu))
        [key] = [one.key for one in lis.app.screen.offers if one.act.name == "revoke"]  # type: ignore[attr-defined]  # a menu's
        await lis.pilot.press(key)
        await lis.asks()
        assert "1 game 1, move 1 · Lis (A): undone · Lis" in as_text(lis.app)
        await lis.pilot.press("1", "1", "enter")
        await lis.until(lambda: isinstance(lis.app.screen, Confirm))
        await lis.pilot.press("y")
        await lis.until(lambda: not rulings_of(lis.app.room.book.page.decisions))
