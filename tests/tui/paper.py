"""A hall on paper: rows as somebody wrote them, whose times go on by themselves; and the workers' ends that do nothing.

Screens are tested with it where what matters is how a row looks, not how it came to be.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterable, Sequence
from dataclasses import replace
from datetime import UTC
from typing import Final

from dalej.clock import ManualClock
from dalej.desk.feed.messages import FromScreen, Pulse, ToScreen, Welcome
from dalej.domain.game.heard import Heard
from dalej.domain.game.rulings import Ahead
from dalej.errors import DalejError, Unreachable
from dalej.event.tableplans import Given
from dalej.rulesets.rulebook import load
from dalej.tui.app import HallApp
from dalej.views.book import Page
from dalej.views.feed import Feed
from dalej.views.requests import Answered
from dalej.views.rows import Alert, AlertKind, Row, SeenTurn

NAMES: Final = (
    ("Lis", "Sowa", "Borsuk", "Wydra"),
    ("Żuraw", "Kuna", "Jeż", "Ryś"),
    ("Bóbr", "Łasica", "Dzik", "Sarna"),
    ("Wilk", "Czapla", "Puchacz", "Łoś"),
    ("Nornica", "Zając", "Gżegżółka", "Trzmiel"),
    ("Bocian", "Kruk", "Sójka", "Pstrąg"),
)
NOON_MS: Final = 1_795_262_400_000  # a noon on the wall
NOBODY: Final = 255
SMALL: Final = (80, 24)
LARGE: Final = (200, 60)


class PaperSent:
    """What boxes were sent, as somebody wrote it."""

    def __init__(self, given: Sequence[Given]) -> None:
        self._given = given

    async def look(self, _page: Page) -> Sequence[Given]:
        """The same each time."""
        return self._given


def a_row(table: int, **changes: object) -> Row:
    """A table in the middle of a game, seat A to move with 40 s left, unless told otherwise."""
    box = f"{table:012x}"
    row = Row(
        table=table, box=box, called=box, state="running", reason=None, seat=0, name="", left_ms=40_000,
        limit_ms=60_000, game=1, move=12, move_at_least=False, bank=38, names=NAMES[(table - 1) % len(NAMES)],
        seats=0b1111, out=0, penalties=(0, 0, 0, 0), final_lap=False, lag=0, way="link", age_ms=0, stale=False,
        moves_on=True, alerts=(),
    )  # fmt: skip
    row = replace(row, **changes)  # type: ignore[arg-type]
    return replace(row, name=row.names[row.seat] if row.seat < 4 else "")


def an_alert(
    table: int, kind: AlertKind, waiting_ms: int, *, seat: int = 0, urgent: bool = True, stopped: bool = False,
    denied: bool = False,
) -> Alert:  # fmt: skip
    """Something that waits in move 12."""
    return Alert(table, kind, seat, 12, waiting_ms, urgent, stopped, denied)


class PaperHall:
    """Rows are as written at instant 0. `asked`: tables whose row was asked for, in that order."""

    def __init__(self, rows: Iterable[Row]) -> None:
        self.written = {row.table: row for row in rows}
        self.asked: list[int] = []
        self.stands_at: int | None = None
        self.greeted = 0
        self.requests: dict[int, Answered] = {}
        self.ruleset = load("school-league")
        self.written_ms = 0

    @property
    def has_boxes(self) -> bool:
        return any(row.box for row in self.written.values())

    def tables(self) -> list[int]:
        return sorted(self.written)

    def row(self, table: int, now_ms: int) -> Row:
        self.asked.append(table)
        row = self.written[table]
        alerts = self._waiting(row, now_ms)
        left_ms = row.left_ms
        if self.stands_at is not None:
            age_ms = None if row.age_ms is None else row.age_ms + now_ms
            row, now_ms = replace(row, stale=bool(row.box), age_ms=age_ms), self.stands_at
        if left_ms is not None and row.moves_on:
            left_ms = left_ms - now_ms if row.state == "expired" else max(0, left_ms - now_ms)
        moves_on = row.moves_on and self.stands_at is None
        return replace(row, left_ms=left_ms, alerts=alerts, moves_on=moves_on)

    def rows(self, now_ms: int) -> list[Row]:
        return [self.row(table, now_ms) for table in self.tables()]

    def alerts(self, now_ms: int) -> list[Alert]:
        found = [alert for row in self.written.values() for alert in self._waiting(row, now_ms)]
        return sorted(found, key=lambda alert: (-alert.waiting_ms, alert.table))

    def _waiting(self, row: Row, now_ms: int) -> tuple[Alert, ...]:
        since_ms = now_ms if self.stands_at is None else self.stands_at
        return tuple(replace(alert, waiting_ms=alert.waiting_ms + since_ms) for alert in row.alerts)

    def turns(self, table: int) -> list[SeenTurn]:
        return []

    def turns_of(self, table: int, game: int) -> list[SeenTurn]:
        return [one for one in self.turns(table) if one.turn.game == game]

    def unanswered(self, table: int) -> list[Answered]:
        return []

    def outcomes(self, ids: Iterable[int]) -> list[Answered]:
        return [self.requests[each] for each in ids if each in self.requests]

    def ahead(self, decisions: Iterable[int]) -> list[Ahead]:
        return []

    def heard(self, heard: Heard) -> int:
        return heard.table

    def called(self, box: str) -> str:
        return {row.box: row.called for row in self.written.values()}.get(box, box)

    def met_desk(self) -> None:
        self.greeted += 1

    def pulse(self, now_ms: int, wall_ms: int) -> None:
        self.stands_at = None

    def lost_desk(self, now_ms: int | None = None) -> None:
        self.stands_at = now_ms


class PaperDesk:
    """The desk's end of a connection: says what is put into `to_say`; None ends it. `wishes`: what a screen sent."""

    def __init__(self, *said: ToScreen) -> None:
        self.to_say: asyncio.Queue[ToScreen | None] = asyncio.Queue()
        self.wishes: list[FromScreen] = []
        self.there = True
        for message in said:
            self.to_say.put_nowait(message)

    async def connect(self) -> PaperDesk:
        if not self.there:
            raise Unreachable("nobody answers")
        return self

    async def messages(self) -> AsyncIterator[ToScreen]:
        while (message := await self.to_say.get()) is not None:
            yield message

    async def send(self, message: FromScreen) -> None:
        self.wishes.append(message)

    async def close(self) -> None:
        """Nothing to hang up."""

    def vanish(self) -> None:
        """The desk is gone, and nobody answers until `there` again."""
        self.there = False
        self.to_say.put_nowait(None)


class NoEntries:
    """A ledger that never has anything new."""

    async def read_on(self) -> set[int] | None:
        return None

    async def hint(self) -> None:
        await asyncio.Event().wait()

    def new_troubles(self) -> list[DalejError]:
        return []


def live(now_ms: int = 0, *, speed: float = 1.0, cursor: int = 1, simulated: bool = True) -> tuple[Welcome, Pulse]:
    """What a desk says first."""
    return Welcome(1, "desk", simulated), Pulse(now_ms, NOON_MS + now_ms, speed, cursor)


def an_app(
    rows: Iterable[Row], desk: PaperDesk | None = None, clock: ManualClock | None = None, *, frozen: bool = True
) -> HallApp:
    """The app over a hall on paper, with a live desk unless given another."""
    feed = Feed(PaperHall(rows), clock or ManualClock(NOON_MS), event_name="jesień", ruleset="school-league", zone=UTC)
    return HallApp(feed, NoEntries(), (desk or PaperDesk(*live())).connect, frozen=frozen)
