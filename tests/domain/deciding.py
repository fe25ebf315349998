"""An event decided step by step, as tests write it: decisions as the ledger gives them, without a file.

Rounds of a league of animals; a game is written as the points on the racks of seats A, B, C, D, 0 for who went out.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from dalej.domain.game.facts import SEATS
from dalej.domain.tournament import tournament as kinds
from dalej.domain.tournament.fold import standings, tournament
from dalej.domain.tournament.tournament import Tournament
from dalej.event.ledger import REVOKE, Decision, Json
from dalej.rulesets import rulebook

ANIMALS: Final = (
    "Lis", "Sowa", "Borsuk", "Wydra", "Żuraw", "Jeż", "Wilk", "Sarna", "Dzik", "Kuna", "Ryś", "Bocian", "Łoś", "Gęś",
    "Kret", "Bóbr", "Żubr", "Kozica",
)  # fmt: skip
NOON: Final = 1_795_000_000_000
LEAGUE: Final = "league"

Racks = Sequence[int]


class Decided:
    """Appends decisions; what they make is `state()`. `ruleset`: None for an event that does not name one."""

    def __init__(self, ruleset: str | None = "school-league", players: int = 0) -> None:
        self.decisions: list[Decision] = []
        if ruleset is not None:
            text, _ = rulebook.source(ruleset)
            self.decide(kinds.RULESET, {"id": ruleset, "text": text})
        for number in range(1, players + 1):
            self.player(number)

    def decide(
        self, kind: str, body: Mapping[str, Json], subject: str | None = None, revokes: int | None = None
    ) -> int:
        """One decision more; its cursor. Every tenth entry is one: the others are facts."""
        cursor = 10 * (len(self.decisions) + 1)
        self.decisions.append(Decision(cursor, kind, subject, body, "Puchacz", NOON + cursor, "because", revokes, None))
        return cursor

    def revoke(self, cursor: int) -> int:
        subject = next(one.subject for one in self.decisions if one.cursor == cursor)
        return self.decide(REVOKE, {}, subject, cursor)

    def player(self, number: int, **more: Json) -> int:
        name = ANIMALS[(number - 1) % len(ANIMALS)] + (f" {number}" if number > len(ANIMALS) else "")
        return self.decide(kinds.PLAYER, {"player": number, "name": name, **more}, f"player:{number}")

    def gone(self, number: int, how: str = "withdrawn") -> int:
        return self.decide(kinds.GONE, {"player": number, "how": how}, f"gone:{number}")

    def option(self, key: str, value: Json) -> int:
        return self.decide(kinds.OPTION, {"key": key, "value": value}, f"option:{key}")

    def seat(self, number: int, *tables: Sequence[int], stage: str = LEAGUE) -> int:
        seated: list[Json] = [
            {"table": table, "players": [*players, *[0] * (4 - len(players))], "names": ["", "", "", ""]}
            for table, players in enumerate(tables, start=1)
        ]
        body: dict[str, Json] = {"stage": stage, "round": number, "how": "lot", "seed": 7, "tables": seated}
        return self.decide(kinds.SEATING, body, f"seating:{stage}:{number}")

    def lock(self, number: int, locked: bool = True, stage: str = LEAGUE) -> int:
        body: dict[str, Json] = {"stage": stage, "round": number, "locked": locked}
        return self.decide(kinds.LOCKED, body, f"locked:{stage}:{number}")

    def result(
        self, number: int, table: int, game: int, players: Sequence[int], racks: Racks, stage: str = LEAGUE
    ) -> int:
        """The game as somebody went out: whoever's rack is 0."""
        return self.decide(*result(number, table, game, players, racks, stage))

    def not_played(self, number: int, table: int, game: int, stage: str = LEAGUE) -> int:
        body: dict[str, Json] = {
            "stage": stage, "round": number, "table": table, "game": game, "ended": kinds.NOT_PLAYED,
        }  # fmt: skip
        return self.decide(kinds.RESULT, body, f"result:{stage}:{number}:{table}:{game}")

    def confirm(self, number: int, table: int, *results: int, stage: str = LEAGUE) -> int:
        body: dict[str, Json] = {"stage": stage, "round": number, "table": table, "results": results}
        return self.decide(kinds.CONFIRMED, body, f"confirmed:{stage}:{number}:{table}")

    def close(self, number: int, stage: str = LEAGUE) -> int:
        return self.decide(kinds.CLOSED, {"stage": stage, "round": number}, f"closed:{stage}:{number}")

    def advance(self, stage: str, *players: int) -> int:
        return self.decide(kinds.ADVANCED, {"stage": stage, "players": players}, f"advanced:{stage}")

    def state(self) -> Tournament:
        return tournament(self.decisions)

    def table_of(self, stage: str | None = None, through: int | None = None) -> list[tuple[int, int, int | None, int]]:
        """The standings as (place, player, big, small)."""
        lines = standings(self.state(), stage, through=through)
        return [(line.place, line.player, line.big, line.small) for line in lines]


def result(
    number: int, table: int, game: int, players: Sequence[int], racks: Racks, stage: str = LEAGUE
) -> tuple[str, dict[str, Json], str]:
    """Kind, body and subject of a game's result."""
    body: dict[str, Json] = {
        "stage": stage, "round": number, "table": table, "game": game, "ended": "went_out",
        "started": len(players), "ruling": "",
        "racks": [
            {"seat": seat, "player": player, "points": points, "jokers": 0, "opened": True}
            for seat, player, points in zip(SEATS, players, racks, strict=False)
        ],
    }  # fmt: skip
    return kinds.RESULT, body, f"result:{stage}:{number}:{table}:{game}"
