"""A league on paper, and people who decide in it by the catalogue; where a test says so, boxes that have played."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any, Final

from dalej.domain.game.games import BoxGame
from dalej.domain.tournament.tournament import GameAt, Tournament
from dalej.event.event import Event
from dalej.event.ledger import Baseline, Report
from dalej.event.reading import read
from dalej.event.roundgames import games_of_round
from dalej.office.acts.performer import Line, Performer
from dalej.office.acts.roles import Actor
from dalej.office.acts.wishes import Done, Wish
from moveclock import facts as k
from tests.domain import begun as boxes
from tests.domain.tables import EPOCH, A
from tests.world import NOON, Ticking, new_event

WHY: Final = "seen from close by"
RACKS: Final = {"A": "0", "B": "23+j", "C": "-", "D": "12,7"}
LIS, SOWA = Actor("Lis", "organiser"), Actor("Sowa", "organiser")


class Office:
    """A league of eight, seated at two tables, on paper."""

    def __init__(self, folder: Path) -> None:
        self.event = new_event(folder, "school-league", 8)
        self.wall = Ticking()
        self.wall.now_ms = NOON + 1_000_000
        self.lines: list[Line] = []
        self.performer = Performer(lambda who: Event(self.event.ledger, who=who, wall_ms=self.wall), self.lines.append)
        self.do("draw_seating", seed=3, anyway="few of us")

    @property
    def state(self) -> Tournament:
        return self.event.state()

    @property
    def head(self) -> int:
        return self.event.ledger.head()

    def do(self, act: str, actor: Actor = LIS, why: str = WHY, seen: int = 0, /, **args: Any) -> Done:
        return self.performer.do(actor, Wish(act, args, why, seen))

    def plain(self) -> object:
        """What everybody would look at, without who and when."""
        state, one = self.state, self.state.current
        assert one is not None
        return (
            {number: (player.gone is None, len(player.warnings)) for number, player in state.players.items()},
            None if one.seating is None else (one.seating.tables, one.seating.locked is None),
            {at: (result.sheet, result.confirmed is None) for at, result in one.results.items()},
            one.absent, one.clock is None, state.options, state.ties, [ruling.ruling for ruling in one.rulings],
        )  # fmt: skip


def box_plays(office: Office, number: int, *, over: bool = False) -> None:
    """A game goes on at that table's box, or is over."""
    box = f"{number:012x}"
    office.event.ledger.assign(Baseline(number, box, EPOCH, 0), who="Lis", when_ms=NOON, why="it stands there")
    played = boxes.table()
    boxes.lay(played, A)
    if over:
        played.order(k.C_END_GAME)
    at_ms = office.wall.now_ms + 1_000
    office.event.ledger.record([Report(replace(fact, box=box), at_ms) for fact in played.facts])
    assert [game.ended is not None for game in games(office).values()][-1] is over


def games(office: Office) -> dict[GameAt, BoxGame]:
    current = office.state.current
    assert current is not None
    return games_of_round(read(office.event.ledger), office.state, current.key)


def player_at(office: Office, table: int, seat: int = 0) -> int:
    one = office.state.current
    assert one is not None
    assert one.seating is not None
    at = one.seating.at(table)
    assert at is not None
    return at.players[seat]
