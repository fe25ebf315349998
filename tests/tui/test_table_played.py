"""A game at a simulated table, played from the keyboard: what a visitor presses, sees, and is told to do next."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from datetime import UTC
from pathlib import Path
from typing import Final

from textual.pilot import Pilot
from textual.widgets import Static

from dalej.desk.feed.messages import FromScreen, Look, Open, Pulse, Refusal, TableHeard, Take, Welcome
from dalej.errors import Refused
from dalej.event.ledger import Ledger
from dalej.rulesets import rulebook
from dalej.tui.app import make_app
from dalej.tui.feed import Feed, TableChosen
from dalej.tui.screens.table import TableScreen
from dalej.tui.widgets.turnlist import TurnList
from tests.desk.feed.living import RULESET, SET_UP_MS, Life, lively
from tests.tui.paper import PaperDesk

SCREEN: Final = 1


@dataclass
class Visitor(PaperDesk):
    """The screen of a table in a hall that lives by the test's clock; in between, the desk's end of its connection."""

    life: Life
    pilot: Pilot[None] = field(init=False)
    feed: Feed = field(init=False)

    def __post_init__(self) -> None:
        super().__init__(Welcome(1, "demo", True))
        self._table = 0
        self._version = 0

    async def send(self, message: FromScreen) -> None:
        if isinstance(message, Look):
            self._table = message.table
        elif not isinstance(message, Open):
            try:
                self.life.living.wish(SCREEN, message)
            except Refused as error:
                self.to_say.put_nowait(Refusal(error.template, {"why": str(error)}))
        self.tell()

    def tell(self) -> None:
        """What a live desk would say now."""
        desk, clock = self.life.hall.desk, self.life.simulated
        pulse = Pulse(clock.now_ms(), clock.wall_ms(), self.life.living.speed, self.life.ledger.head())
        self.to_say.put_nowait(pulse)
        for heard in reversed(desk.heard_since(self._version)):
            self.to_say.put_nowait(TableHeard(heard))
        self._version = desk.version
        if self._table:
            self.to_say.put_nowait(self.life.living.face(SCREEN, self._table))

    async def after(self, ms: int, *keys: str) -> None:
        """So much time passes, then keys are pressed."""
        self.life.passes(ms)
        self.tell()
        for key in keys:
            await self.pilot.press(key)

    async def sees(self, *said: str) -> None:
        """Waits until all of it stands on the screen; the test's deadline ends a wait in vain."""
        await self._until(lambda: all(words in self.lines() for words in said))

    async def reads(self, words: str) -> None:
        """Waits until the hint says so."""
        await self._until(lambda: words in self.hint())

    async def finds(self, words: str) -> None:
        """Waits until the turns say so, wherever a line ends."""
        await self._until(lambda: words in " ".join(self.turns().split()))

    async def _until(self, there: Callable[[], bool]) -> None:
        """The hall's time goes on only when the screen has shown all that it was told: how much of it passes must not
        depend on how busy the machine is.
        """
        while True:
            await self._settled()
            if there():
                return
            self.life.passes(10)
            self.tell()

    async def _settled(self) -> None:
        """Everything that was said and recorded has been read and shown."""
        await self.pilot.pause()
        while not (self.to_say.empty() and self.feed.caught_up.is_set()):
            await self.pilot.pause(0.001)
        await self.pilot.pause()

    def hint(self) -> str:
        return str(self.screen.query_one("#hints", Static).content)

    def lines(self) -> str:
        return "\n".join(strip.text for strip in self.screen._compositor.render_strips())

    def turns(self) -> str:
        return str(self.screen.query_one(TurnList).query_one(Static).content)

    @property
    def screen(self) -> TableScreen:
        assert isinstance(self.pilot.app.screen, TableScreen)
        return self.pilot.app.screen


@asynccontextmanager
async def a_visitor(event: Path, *, tables: int = 1) -> AsyncIterator[Visitor]:
    """In front of table 1, which is set up and that nobody has played at."""
    with lively(event, tables=tables) as life, Ledger.open(event) as ledger:
        life.living.wish(SCREEN, Take(1, True))
        life.passes(SET_UP_MS)
        visitor = Visitor(life)
        rules = rulebook.load(RULESET)
        app = make_app(ledger, rules, visitor.connect, life.clock, event_name="hall", frozen=True, zone=UTC)
        visitor.feed = app.feed
        async with app.run_test(size=(120, 40)) as visitor.pilot:
            visitor.tell()
            while 1 not in app.feed.hall.tables():
                await visitor.pilot.pause(0.01)
            app.post_message(TableChosen(1))
            while not isinstance(app.screen, TableScreen) or not app.screen.is_mounted:
                await visitor.pilot.pause(0.01)
            yield visitor


async def test_a_game_from_the_first_move_to_the_empty_rack(tmp_path: Path) -> None:
    async with a_visitor(tmp_path / "hall.dalej") as visitor:
        await visitor.reads("Lis (A) begins: j starts the clock.")
        await visitor.after(500, "j")
        await visitor.reads("Lis (A) to move.")

        await visitor.after(5_000, "j")
        await visitor.reads("Sowa (B) to move.")
        await visitor.after(5_000, "k")
        await visitor.after(1_000, "d")
        await visitor.reads("Borsuk (C) to move.")
        await visitor.finds("Dalej +1")

        await visitor.after(5_000, "d")
        await visitor.reads("Dalej came before the tile: Wydra (D) may press s within")
        await visitor.sees("The hall sees: △ early click")
        await visitor.after(1_000, "s")
        await visitor.reads("Wydra (D) claims a fresh move, because Dalej came before the tile.")
        await visitor.sees("The hall sees: ▲ early click", "the clock stands · Wydra (D)")
        await visitor.after(1_000, "k")
        await visitor.finds("Borsuk 5.1 Dalej +1 clicked before drawing, tile drawn late")
        await visitor.after(1_000, "S")
        await visitor.reads("the clock runs again in 3")
        await visitor.after(3_000)
        await visitor.reads("Wydra (D) to move.")

        await visitor.after(40_500)
        await visitor.reads("Time is over for Wydra (D). Lis (A) speaks for the table")
        await visitor.sees("The hall sees: △ time is over", "s · Wydra (D)")
        await visitor.after(20_000)
        await visitor.sees("▲ time is over")
        await visitor.finds("time-out … until somebody decides: undone, +1 tile (rule 6h)")
        await visitor.after(100, "d")
        await visitor.reads("Lis (A) to move.")
        await visitor.finds("time-out → undone, +1 tile (rule 6h), the table")

        await visitor.after(1_000, "s")
        await visitor.reads("Dispute about the move of Wydra (D): the clock stands, nobody touches the tiles.")
        await visitor.sees("▲ dispute")
        await visitor.after(4_000, "S")
        await visitor.reads("the clock runs again in")
        await visitor.after(5_000)
        await visitor.reads("Lis (A) to move.")

        await visitor.after(2_000, "J")
        await visitor.after(1_500)
        await visitor.reads("The game is over: Lis (A) has no tiles left.")
        assert visitor.life.names(1).count("game_ended") == 1
        await visitor.finds("empty rack")


async def test_a_power_cut_and_a_walk_out_of_reach_are_seen_and_ended_from_the_keyboard(tmp_path: Path) -> None:
    async with a_visitor(tmp_path / "hall.dalej") as visitor:
        await visitor.after(500, "j")
        await visitor.reads("Lis (A) to move.")

        await visitor.after(8_000, "l")
        await visitor.sees("OUT OF REACH")
        await visitor.after(16_000)
        await visitor.sees("△ box silent")
        await visitor.after(100, "j")
        await visitor.reads("Sowa (B) to move.")
        await visitor.after(100, "l")
        await visitor.sees("The hall sees: playing · Sowa (B)")

        await visitor.after(8_000, "p")
        await visitor.sees("NO POWER")
        await visitor.reads("The box has no power. p gives it back")
        await visitor.after(1_000, "p")
        await visitor.reads("The box was without power: the clock stands at what was left for Sowa (B).")
        await visitor.after(1_000, "S")
        await visitor.reads("the clock runs again in")
        await visitor.after(5_000)
        await visitor.reads("Sowa (B) to move.")


async def test_what_keys_did_is_answered_out_of_reach_too(tmp_path: Path) -> None:
    async with a_visitor(tmp_path / "hall.dalej") as visitor:
        await visitor.reads("Lis (A) begins: j starts the clock.")
        await visitor.after(100, "l")
        await visitor.after(500, "j")
        await visitor.reads("Lis (A) to move.")
        await visitor.after(1_000, "3", "j")
        await visitor.reads("✗ It is the move of Lis (A), not of Borsuk (C).")
        await visitor.after(1_000, "k")
        await visitor.reads("A tile is taken: d = pass (Dalej).")
        await visitor.after(1_000, "1", "escape", "k")  # without others in between it would be a key that repeats
        await visitor.reads("One tile a move is enough: the referee sees more.")
        await visitor.after(1_000, "d")
        await visitor.reads("Sowa (B) to move.")
        await visitor.after(1_000, "D")
        await visitor.reads("▼ hold Dalej")
        await visitor.reads("Sowa (B) announced: „Wyłożę się w następnej rundzie”.")
        await visitor.after(6_000, "s")
        await visitor.reads("A dispute: the clock stops when this move ends. s again within")


async def test_a_table_that_is_left_stays_in_the_visitors_hands(tmp_path: Path) -> None:
    async with a_visitor(tmp_path / "hall.dalej") as visitor:
        await visitor.after(500, "j")
        await visitor.reads("Lis (A) to move.")
        await visitor.after(100, "escape")
        while isinstance(visitor.pilot.app.screen, TableScreen):
            await visitor.pilot.pause(0.01)
        await visitor.after(60_000)
        visitor.pilot.app.post_message(TableChosen(1))
        while not isinstance(visitor.pilot.app.screen, TableScreen):
            await visitor.pilot.pause(0.01)

        await visitor.reads("Time is over for Lis (A). Sowa (B) speaks for the table: j = the move stands")
        assert "YOU PLAY" in str(visitor.screen.query_one("#title", Static).content)


async def test_a_table_that_is_given_back_is_played_on_by_its_people(tmp_path: Path) -> None:
    async with a_visitor(tmp_path / "hall.dalej") as visitor:
        await visitor.reads("Lis (A) begins: j starts the clock.")
        await visitor.after(60_000)
        assert visitor.life.names(1) == []

        await visitor.after(100, "t")
        await visitor.reads("t = you play this table")
        await visitor.after(60_000)
        await visitor.finds("Już")

        assert "move_ended" in visitor.life.names(1)
