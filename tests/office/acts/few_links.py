"""A hall of many tables on few links: what a box has told by its advertisement may come as a fact much later."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from dalej.domain.game.rulings import Ruling
from dalej.event import cases, eventlog
from dalej.event.event import Event
from dalej.event.ledger import Baseline, Ledger
from dalej.event.reading import read
from dalej.office.acts.performer import Line, Performer
from dalej.office.acts.roles import Actor
from dalej.office.acts.wishes import Done, Wish
from dalej.rulesets.rulebook import load
from dalej.simulator.box import SimBox
from dalej.views.following import Follower
from dalej.views.hall import HallModel
from dalej.views.rows import Row
from moveclock import facts as k
from moveclock.clock import Clock
from moveclock.settings import DRAW_FLAG, Settings
from tests.desk.setting import Setting
from tests.world import draw, sign_up

TABLES: Final = 16
LINKS: Final = 3
LIMIT_MS: Final = 40_000
LIS: Final = Actor("Lis", "referee")
WHY: Final = "seen by the referee"


class FewLinks:
    """Sixteen tables on three links; every table plays all the time, but those that a test lets stand."""

    def __init__(self, folder: Path) -> None:
        self.setting = Setting(folder, TABLES)
        self.place = self.setting.desk(links=LINKS, commit_delay_ms=20, wait_ms=2_000, poll_ms=100)
        self.ledger = self.place.ledger
        eventlog.choose_ruleset(self.ledger, "school-league", who="Puchacz", when_ms=self.wall_ms())
        for table, box in enumerate(self.setting.boxes, start=1):
            assert box.box is not None
            at = Baseline(table, box.uid.hex(), box.box.journal.epoch, 0)
            self.ledger.assign(at, who="Puchacz", when_ms=self.wall_ms(), why="it stands there")
            settings = Settings()
            settings.first, settings.draw, settings.limit_ms = k.SEAT_A, DRAW_FLAG, LIMIT_MS
            assert self.place.desk.ask(
                box.uid, "configure", {"game": 1, "settings": settings.pack().hex()}, who="Puchacz"
            )
            self.place.radio.serve()
            self.setting.run(5_000)
        self.event = Event(self.ledger, who="Lis", wall_ms=self.wall_ms)
        sign_up(self.event, range(1, 4 * TABLES + 1))
        draw(self.event)
        self.read = self.setting.enter_context(Ledger.open(self.ledger.path))
        self.model = HallModel(load("school-league"))
        self.follower = Follower(self.read, self.model)
        self.lines: list[Line] = []
        self.performer = Performer(self.event.by, self.lines.append)
        self.still: set[int] = set()
        for table in range(1, TABLES + 1):
            self.tap(2 * k.SEAT_A, table)

    def wall_ms(self) -> int:
        return self.setting.clock.wall_ms()

    def box(self, table: int) -> SimBox:
        return self.setting.boxes[table - 1]

    def clock(self, table: int) -> Clock:
        powered = self.box(table).box
        assert powered is not None
        return powered.clock

    def tap(self, contact: int, table: int) -> None:
        self.setting.tap(contact, box=table - 1)

    def passes(self, ms: int) -> None:
        """Time, in which everybody but those who stand still ends a move each few seconds, and keeps the links busy."""
        end = self.setting.world.now_ms + ms
        while self.setting.world.now_ms < end:
            for table in range(1, TABLES + 1):
                if table not in self.still and self.setting.world.now_ms < end:
                    self.tap(2 * self.clock(table).seat, table)
            self.setting.run(min(1_000, max(0, end - self.setting.world.now_ms)))

    def row(self, table: int) -> Row:
        """As a screen shows it now."""
        self.follower.catch_up()
        for heard in self.place.desk.heard_since(0):
            self.model.heard(heard)
        self.model.pulse(self.setting.world.now_ms, self.wall_ms())
        return self.model.row(table, self.setting.world.now_ms)

    def time_runs_out(self, table: int) -> Row:
        """The table lets its time run out; back as soon as a screen says so, its facts still being on the box."""
        self.still.add(table)
        head = self.top(table)
        while self.clock(table).state != k.EXPIRED:
            self.passes(1_000)
        while self.row(table).state != "expired":
            self.setting.run(50)
        row = self.row(table)
        assert row.ahead is not None, f"the facts are here already, from {head} to {self.top(table)}"
        return row

    def claims(self) -> int:
        """At some table without a link the next player claims that the one before clicked too early; back as soon as a
        screen says so, the facts being still on the box.
        """
        for table in range(1, TABLES + 1):
            self.still.add(table)
            if self.place.desk.is_live(self.box(table).uid):
                continue
            self.tap(2 * self.clock(table).seat + 1, table)
            self.setting.run(300)
            self.tap(k.SEDZIA, table)
            while not any(one.kind == "early_click" and one.urgent for one in self.row(table).alerts):
                self.setting.run(50)
            if self.row(table).ahead is not None:
                return table
        raise AssertionError("every table had a link")

    def top(self, table: int) -> int:
        return max(stream.contiguous for stream in self.ledger.boxes(self.box(table).uid.hex()))

    def is_told(self, table: int) -> bool:
        powered = self.box(table).box
        assert powered is not None
        return self.top(table) >= powered.journal.head

    def waits_until_told(self, table: int, most_ms: int = 60_000) -> int:
        """How long it takes until the ledger has the table's facts."""
        begun = self.setting.world.now_ms
        while not self.is_told(table):
            assert self.setting.world.now_ms - begun < most_ms
            self.passes(250)
        return self.setting.world.now_ms - begun

    def do(self, act: str, /, *, actor: Actor = LIS, **args: object) -> Done:
        return self.performer.do(actor, Wish(act, args, WHY))  # type: ignore[arg-type]  # plain JSON

    def rules_ahead(self, table: int, verdict: str, actor: Actor = LIS) -> Done:
        """As a screen wishes it that has heard of the time-out, and no more."""
        row = self.row(table)
        assert row.ahead is not None
        return self.do("rule", actor=actor, table=table, epoch=row.ahead[0], head=row.ahead[1], verdict=verdict)

    def ruled(self, table: int) -> list[Ruling]:
        """The rulings that hold there, by the ledger."""
        found = cases.cases(read(self.ledger), self.event.state())
        return [case.current for case in found if case.place.table == table and case.current is not None]

    def close(self) -> None:
        self.place.desk.close()
        self.setting.close()
