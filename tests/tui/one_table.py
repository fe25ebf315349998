"""The screen of table 3 of a hall on paper, and faces of its box as a desk would tell them."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from typing import Final

from textual.pilot import Pilot
from textual.widgets import Static

from dalej.desk.feed.messages import Face, FromScreen, Inside, Look, ToScreen
from dalej.tui.app import HallApp
from dalej.tui.feed import TableChosen
from dalej.tui.screens.table import TableScreen
from dalej.views.rows import Row
from moveclock import facts as k
from moveclock import view as v
from tests.tui.paper import SMALL, PaperDesk, a_row, an_alert, an_app, live

RUNS: Final = Inside(
    state=k.RUNNING, seat=3, following=0, playing=0b1111, game=1, bank=38, reason=k.NOBODY, by_desk=False, about=2,
    drawn=False, further=False, clicked=False, pending=False, called=False, announced=False, final_lap=False,
    claim_s=0, withdraw_s=0, holds=(k.NOBODY, 0, 0), stray=(0, k.NOBODY, 0),
)  # fmt: skip
FREE: Final = Face(3, True, True, (" 0:24",) * 4, (v.GREEN, 14, 3), 3 << 6, 0, 0, 0, False, False, RUNS)
OURS: Final = replace(FREE, taken=True, mine=True)
READY: Final = replace(
    OURS, ring=(v.WHITE, 24, k.NOBODY), lit=0, blinking=255, inside=replace(RUNS, state=k.READY, following=k.NOBODY)
)
LATE: Final = replace(
    OURS, ring=(v.RED, 24, 3), lit=0, blinking=3, displays=("-  7",) * 4, inside=replace(RUNS, state=k.EXPIRED)
)
STANDS: Final = replace(
    OURS, ring=(v.BLUE, 24, 3), lit=0, blinking=1 << k.SEDZIA,
    inside=replace(RUNS, state=k.STOPPED, following=k.NOBODY, reason=k.DISPUTE),
)  # fmt: skip
DARK: Final = replace(OURS, powered=False, in_reach=False, inside=None)
OTHERS: Final = (a_row(1, alerts=(an_alert(1, "time_out", 23_000),)), a_row(5, alerts=(an_alert(5, "dispute", 4_000),)))


@dataclass
class Desk:
    """The screen of table 3, and the desk that it talks to."""

    app: HallApp
    pilot: Pilot[None]
    paper: PaperDesk

    @property
    def screen(self) -> TableScreen:
        assert isinstance(self.app.screen, TableScreen)
        return self.app.screen

    @property
    def wishes(self) -> list[FromScreen]:
        """What the screen has asked for, but for looking."""
        return [wish for wish in self.paper.wishes if not isinstance(wish, Look)]

    async def says(self, *messages: ToScreen | None) -> None:
        for message in messages:
            self.paper.to_say.put_nowait(message)
        await self.settles()

    async def settles(self) -> None:
        """Until workers and screen have nothing more to do."""
        for _ in range(3):
            await self.pilot.pause()

    async def press(self, *keys: str) -> None:
        await self.pilot.press(*keys)
        await self.settles()

    def text(self, where: str) -> str:
        return str(self.screen.query_one(f"#{where}", Static).content)

    def lines(self) -> str:
        """The whole screen as text."""
        return "\n".join(strip.text for strip in self.screen._compositor.render_strips())


@asynccontextmanager
async def table_screen(
    *faces: Face, row: Row | None = None, size: tuple[int, int] = SMALL, simulated: bool = True
) -> AsyncIterator[Desk]:
    paper = PaperDesk(*live(simulated=simulated))
    app = an_app([a_row(3, seat=3) if row is None else row, *OTHERS], paper)
    async with app.run_test(size=size) as pilot:
        app.post_message(TableChosen(3))
        desk = Desk(app, pilot, paper)
        await desk.settles()
        await desk.says(*faces)
        yield desk
