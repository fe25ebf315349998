"""Ledger entries written by hand, as a ledger would give them, for a table on the firmware's own clock."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Final

from dalej.domain.game.facts import Fact
from dalej.domain.game.heard import Heard, Told, Way
from dalej.domain.game.rulings import RULING
from dalej.domain.tournament.tournament import SEATING
from dalej.event.ledger import ASSIGN, REVOKE, Baseline, Decision, Json, Reported, body_of
from dalej.event.people import SEATED
from dalej.rulesets.rulebook import load
from dalej.views.hall import HallModel
from moveclock import settings as rules
from moveclock.clock import Clock
from tests.domain.begun import table
from tests.domain.tables import BOX, EPOCH, PlayedTable

NOON: Final = 1_760_000_000_000
START: Final = 500_000  # the desk's clock when its first pulse is heard
HOUR_MS: Final = 3_600_000
RULES: Final = load("school-league")
FOREST: Final = {"A": "Lis", "B": "Sowa", "C": "Żuraw", "D": "Łoś"}


class Written:
    """A ledger's entries, one after the other. A boot of a box began at `began` of Unix time, unless told otherwise."""

    def __init__(self) -> None:
        self.entries: list[Reported | Decision] = []
        self.began: dict[tuple[str, int], int] = {}

    def facts(self, facts: Iterable[Fact]) -> list[Reported]:
        """Those that are not written yet."""
        known = {one.fact for one in self.entries if isinstance(one, Reported)}
        return [self._fact(fact) for fact in facts if fact not in known]

    def wall_ms(self, table: PlayedTable) -> int:
        """Unix time at the table."""
        return self._begun(table.box, table.boot) + table.now

    def decide(
        self, kind: str, body: Mapping[str, Json], *, who: str = "Puchacz", revokes: int | None = None,
        when_ms: int = NOON,
    ) -> Decision:  # fmt: skip
        cursor = len(self.entries) + 1
        decision = Decision(cursor, kind, None, body, who, when_ms, "because", revokes, None)
        self.entries.append(decision)
        return decision

    def revoke(self, decision: Decision) -> Decision:
        return self.decide(REVOKE, {}, revokes=decision.cursor)

    def assign(self, table: int, box: str = BOX, epoch: int = EPOCH, seq: int = 0) -> Decision:
        return self.decide(ASSIGN, body_of(Baseline(table, box, epoch, seq)))

    def seat(self, table: int, names: Mapping[str, str]) -> Decision:
        return self.decide(SEATED, {"table": table, "names": dict(names)})

    def seat_all(
        self, tables: Mapping[int, str], number: int = 1, *, how: str = "lot", when_ms: int = NOON
    ) -> Decision:
        """That round of these tables, names joined by spaces, "-" an empty chair."""
        seated: list[Json] = [
            {"table": table, "players": [1, 2, 3, 4], "names": [name.strip("-") for name in names.split()]}
            for table, names in tables.items()
        ]
        body: dict[str, Json] = {"stage": "league", "round": number, "how": how, "seed": 1, "tables": seated}
        return self.decide(SEATING, body, when_ms=when_ms)

    def rule(self, fact: Fact, ruling: str, tiles: int | None, *, who: str = "Puchacz") -> Decision:
        body: dict[str, Json] = {"of": [fact.box, fact.epoch, fact.seq], "ruling": ruling, "tiles": tiles}
        return self.decide(RULING, body, who=who)

    def model(self) -> HallModel:
        """A screen that has read everything, and has no desk yet."""
        model = HallModel(RULES)
        for entry in self.entries:
            model.entry(entry)
        return model

    def _fact(self, fact: Fact) -> Reported:
        wall = self._begun(fact.box, fact.boot) + fact.uptime_ms
        reported = Reported(len(self.entries) + 1, fact, wall, wall, False)
        self.entries.append(reported)
        return reported

    def _begun(self, box: str, boot: int) -> int:
        return self.began.get((box, boot), NOON)


def heard(table: PlayedTable, now_ms: int, number: int = 1, *, way: Way = "link", uptime: bool = True) -> Heard:
    """What a desk at `now_ms` tells of a box that says everything on a link, and little in an advertisement."""
    clock, head = table.clock, len(table.facts)
    linked = way == "link"
    told = Told(
        now_ms, EPOCH, table.boot, head, clock.state, clock.seat, clock.alarm(table.now), left(clock, table.now),
        table.now if uptime else None, clock.game if linked else None, clock.move if linked else None,
        clock.bank if linked else None, 0,
    )  # fmt: skip
    return Heard(table.box, number, way, now_ms, told)


def left(clock: Clock, now: int) -> int:
    """As a box says it: what remains, in `expired` what is over."""
    return now - clock.expired_at if clock.state == 3 else clock.watch.remaining(now)


def running(draw: int = rules.DRAW_OFF, *, box: str = BOX, limit_ms: int = 40_000) -> PlayedTable:
    """A's first move has just begun, 1 s after power on."""
    return table(box=box, draw=draw, limit_ms=limit_ms)
