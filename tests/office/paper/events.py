"""Events to make paper of, as decisions make them: animals play, some have long names."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import count, islice
from typing import Any

from dalej.domain.tournament import tournament as kinds
from dalej.domain.tournament.fold import tournament
from dalej.domain.tournament.tournament import Round, Tournament
from dalej.rulesets import rulebook

ANIMALS = (
    "Lis", "Sowa", "Borsuk", "Wydra", "Żuraw", "Jeż", "Wilk", "Sarna", "Dzik", "Kuna", "Ryś", "Bocian", "Łoś", "Gęś",
    "Żółw", "Bóbr", "Ćma", "Świstak", "Łasica", "Źrebię", "Cicogna però", "Öhreule", "Dąbrówka", "Puchacz",
)  # fmt: skip
LONG = "Wielkouchy Nietoperz Zażółcający Gęślą Jaźń Świętokrzyski IV"
UNBROKEN = "Ż" * 60
NOON_MS = 1_795_255_200_000


@dataclass(frozen=True, slots=True)
class Decided:
    """A decision as the fold reads it."""

    cursor: int
    kind: str
    body: Mapping[str, Any]
    subject: str | None = None
    who: str = "Sowa"
    when_ms: int = NOON_MS
    why: str = "as the rules say"
    revokes: int | None = None
    revoked_by: int | None = None


@dataclass
class Written:
    """An event in the making: decisions one after the other."""

    ruleset: str
    names: Sequence[str]
    name: str = "Liga Leśna"
    groups: Sequence[str] = ()  # one for each player; else all are of one class
    drafts: list[tuple[str, dict[str, Any], str | None]] = field(default_factory=list)

    def __post_init__(self) -> None:
        text, _ = rulebook.source(self.ruleset)
        self.add(kinds.EVENT, {"name": self.name, "town": "Wejherowo", "date": "2026-11-10", "closed": False}, "event")
        self.add(kinds.RULESET, {"id": self.ruleset, "text": text})
        for number, name in enumerate(self.names, start=1):
            self.add(
                kinds.PLAYER,
                {
                    "player": number, "name": name, "group": self.groups[number - 1] if self.groups else "4b",
                    "qualified": False, "consent": number % 2 == 1,
                },
                f"player:{number}",
            )  # fmt: skip

    def add(self, kind: str, body: dict[str, Any], subject: str | None = None) -> None:
        self.drafts.append((kind, body, subject))

    def seat(self, stage: str, number: int, tables: Sequence[Sequence[int]]) -> None:
        """Tables of three or four, from seat A on."""
        seats: list[dict[str, Any]] = [
            {"table": table, "players": [*players, *[0] * (4 - len(players))]}
            for table, players in enumerate(tables, start=1)
        ]
        for one in seats:
            one["names"] = [self.names[player - 1] if player else "" for player in one["players"]]
        body = {"stage": stage, "round": number, "how": "lot", "seed": 7, "tables": seats}
        self.add(kinds.SEATING, body, f"seating:{stage}:{number}")

    def play(self, stage: str, number: int, tables: Sequence[Sequence[int]], games: int) -> None:
        """Seats the round and enters all its games: seat A wins, then B, …; closes it."""
        self.seat(stage, number, tables)
        for table, players in enumerate(tables, start=1):
            for game in range(1, games + 1):
                racks = [
                    {
                        "seat": "ABCD"[seat], "player": player, "opened": True, "jokers": 0,
                        "points": 0 if (seat - game + 1) % len(players) == 0 else 7 * seat + table + 1,
                    }
                    for seat, player in enumerate(players)
                ]  # fmt: skip
                body = {
                    "stage": stage, "round": number, "table": table, "game": game, "ended": "went_out",
                    "started": len(players), "ruling": "", "racks": racks,
                }  # fmt: skip
                self.add(kinds.RESULT, body, f"result:{stage}:{number}:{table}:{game}")
        self.add(kinds.CLOSED, {"stage": stage, "round": number}, f"closed:{stage}:{number}")

    @property
    def state(self) -> Tournament:
        return tournament(
            Decided(cursor, kind, body, subject) for cursor, (kind, body, subject) in enumerate(self.drafts, start=1)
        )


def names(players: int) -> list[str]:
    """So many different ones."""
    numbered = (f"{name} {number}" if number > 1 else name for number in count(1) for name in ANIMALS)
    return list(islice(numbered, players))


def tables_of(players: int) -> list[list[int]]:
    """Four at each, three at the last ones."""
    threes = -players % 4
    sizes = [4] * ((players - 3 * threes) // 4) + [3] * threes
    numbers: Iterator[int] = iter(range(1, players + 1))
    return [list(islice(numbers, size)) for size in sizes]


def league(players: int = 23, ruleset: str = "school-league") -> Written:
    """A school league whose first round is over and whose second is seated."""
    written = Written(ruleset, [*names(players - 2), LONG, UNBROKEN])
    written.play("league", 1, tables_of(players), games=4)
    written.seat("league", 2, tables_of(players))
    return written


def finished(players: Sequence[str], groups: Sequence[str] = (), *, name: str = "Liga Leśna") -> Written:
    """A school league that is over; the same sit together in all its rounds, so that tables are level."""
    written = Written("school-league", players, name=name, groups=groups)
    for number in range(1, rulebook.load("school-league").stages[0].rounds + 1):
        written.play("league", number, tables_of(len(players)), games=4)
    return written


def eliminations(*, over: bool = True) -> Written:
    """Sixteen players; everything has been played, or the final only entered."""
    written = Written("pl-eliminations", names(16), name="Eliminacje „Pod Dębem” & <b>Las</b>")
    written.play("preliminaries", 1, tables_of(16), games=2)
    written.play("preliminaries", 2, tables_of(16), games=2)
    written.add(kinds.ADVANCED, {"stage": "semifinal", "players": list(range(1, 9))}, "advanced:semifinal")
    written.play("semifinal", 1, tables_of(8), games=2)
    written.add(kinds.ADVANCED, {"stage": "final", "players": [1, 2, 5, 6]}, "advanced:final")
    if over:
        written.play("final", 1, [[1, 2, 5, 6]], games=2)
    return written


def current(state: Tournament) -> Round:
    """The round under way."""
    assert state.current is not None
    return state.current
