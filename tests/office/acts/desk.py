"""Simulated boxes under a real desk, and people who act on them by the catalogue."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

from dalej.event import eventlog
from dalej.event.event import Event
from dalej.event.ledger import Baseline, Ledger
from dalej.office.acts.attable import TableNow, table_now
from dalej.office.acts.catalogue import ACTS
from dalej.office.acts.performer import Line, Performer
from dalej.office.acts.roles import Actor
from dalej.office.acts.wishes import Done, Wish
from dalej.simulator.box import SimBox
from moveclock import facts as k
from moveclock.clock import Clock
from moveclock.settings import DRAW_FLAG, Settings
from tests.desk.setting import Setting
from tests.world import draw, sign_up

LIS: Final = Actor("Lis", "referee")
SOWA: Final = Actor("Sowa", "referee")
WHY: Final = "seen from close by"


class ActingDesk:
    """So many tables, boxes set up for game 1, seat A first; a desk that carries out what is asked."""

    def __init__(self, folder: Path, boxes: int = 1) -> None:
        self.setting = Setting(folder, boxes)
        self.place = self.setting.desk(poll_ms=100)
        self.lines: list[Line] = []
        ledger = self.place.ledger
        eventlog.choose_ruleset(ledger, "school-league", who="Puchacz", when_ms=self.setting.clock.wall_ms())
        for table, box in enumerate(self.setting.boxes, start=1):
            assert box.box is not None
            at = Baseline(table, box.uid.hex(), box.box.journal.epoch, 0)
            ledger.assign(at, who="Puchacz", when_ms=self.setting.clock.wall_ms(), why="it stands there")
            self.set_up(box)
        self.performer = Performer(self.event, self.lines.append)

    def set_up(self, box: SimBox | None = None) -> None:
        """The box, None: the only one, for game 1 with seat A first."""
        settings = Settings()
        settings.first, settings.draw = k.SEAT_A, DRAW_FLAG
        self.ask("configure", {"game": 1, "settings": settings.pack().hex()}, box)

    def ask(self, command: str, args: Mapping[str, Any], box: SimBox | None = None) -> None:
        """What the desk itself asks of a box."""
        box = self.setting.box if box is None else box
        assert self.place.desk.ask(box.uid, command, dict(args), who="Puchacz")
        self.carry_out()

    def event(self, who: str = "Lis") -> Event:
        return Event(self.place.ledger, who=who, wall_ms=self.setting.clock.wall_ms)

    def do(self, act: str, actor: Actor = LIS, why: str = WHY, seen: int = 0, /, **args: Any) -> Done:
        """The act, with what its box makes of it."""
        return self.wish(Wish(act, {"table": 1, **args}, why, seen), actor)

    def wish(self, wish: Wish, actor: Actor = LIS) -> Done:
        done = self.performer.do(actor, wish)
        self.carry_out()
        return done

    def performer_on(self, ledger: Ledger, event: Event | None = None) -> Performer:
        """The same people on another copy of the event, or within one that is open."""
        return Performer(
            lambda who: Event(ledger, who=who, wall_ms=self.setting.clock.wall_ms) if event is None else event.by(who),
            self.lines.append,
        )

    def actor_of(self, wish: Wish) -> Actor:
        """Somebody who may do that: what is taken back is their own."""
        return LIS if "referee" in ACTS[wish.act].roles else Actor("Lis", "organiser")

    def wish_of_an_organiser(self, act: str, /, **args: Any) -> Done:
        return self.wish(Wish(act, args, WHY), Actor("Puchacz", "organiser"))

    def carry_out(self) -> None:
        self.place.radio.serve()
        self.setting.run(1_500)

    def take_back(self, done: Done) -> Done:
        assert done.undo is not None
        return self.wish(done.undo)

    def results(self, done: Done) -> list[str]:
        return [self.place.ledger.outcomes(request)[-1].result for request in done.requests]

    @property
    def now(self) -> TableNow:
        return table_now(self.event(), 1)

    @property
    def clock(self) -> Clock:
        powered = self.setting.box.box
        assert powered is not None
        return powered.clock

    def close(self) -> None:
        self.place.desk.close()
        self.setting.close()


@contextmanager
def a_third_move(folder: Path) -> Iterator[ActingDesk]:
    """Four are seated at table 1, which is in its third move: seat C's."""
    desk = ActingDesk(folder)
    sign_up(desk.event(), range(1, 5))
    draw(desk.event())
    desk.setting.moves(2)
    desk.setting.run(1_000)
    try:
        yield desk
    finally:
        desk.close()
