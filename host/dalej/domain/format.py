"""The stages of a tournament as a ruleset or an organiser writes them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Literal

Method = Literal["lot", "fresh_lot", "rank", "snake", "table"]
By = Literal["rank", "table"]

METHODS: Final = ("lot", "fresh_lot", "rank", "snake", "table")
BY: Final = ("rank", "table")
STAGES_MOST: Final = 9
ROUNDS_MOST: Final = 50
GAMES_MOST: Final = 20
PLAYERS_MOST: Final = 5_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Stage:
    """One stage. `id` as files and commands name it: league, preliminaries, semifinal, final, series, stage-2, …

    `games`: per round at each table. `first`, `later`: how its first and its later rounds are seated ("table": the
    players decide; "snake": tables of equal strength). `takes`: how many players come in, None: everybody, in a
    semifinal as many as the ruleset's `semifinal_…` say; `by`: the best of the whole stage before ("rank"), or equally
    many of each table of its last round ("table").
    """

    id: str
    rounds: int = 1
    games: int = 2
    first: Method = "lot"
    later: Method = "rank"
    takes: int | None = None
    by: By = "rank"
