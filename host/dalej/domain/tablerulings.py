"""The rulings of one table, from the journals of all its boxes: a time-out that a spare box took over is one case.

The spare goes on either where the table was to say what becomes of the late move, and then its verdict is the verdict
on the time-out that the box before told of; or in a move that still has time, and then that is as if the referee had
given it. A ruling made on either box's fact holds for the one case. What a redeal or a new start of the game at the
spare box makes void is void at the box before as well.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from dalej.domain.parts import DealKey, Part, TableGame, table_games
from dalej.domain.rulings import Case, Ruling, Rulings


@dataclass(frozen=True, slots=True)
class Told:
    """One deal at the table; `round`: another number for another round, `rulings`: the fold that has its journal and
    every decision.
    """

    round: int
    part: Part
    rulings: Rulings


@dataclass(frozen=True, slots=True)
class GameRulings:
    """One game of the table; `history`: all rulings on its time-outs, one case after the other."""

    game: TableGame
    history: tuple[Ruling, ...]

    def current(self) -> list[Ruling]:
        """Those that hold, one for each time-out."""
        return [ruling for ruling in self.history if ruling.standing == "current"]


def games_ruled(told: Iterable[Told]) -> list[GameRulings]:
    """Every game of one table, from its parts in the order in which they were played."""
    parts = list(told)
    fold_of = {one.part.deal: one.rulings for one in parts}
    return [
        GameRulings(game, tuple(_history(game, fold_of)))
        for game in table_games((one.round, one.part) for one in parts)
    ]


def broken_off(games: Iterable[GameRulings]) -> frozenset[DealKey]:
    """Deals of games that count as little as if they had not been played, though no box was told so."""
    return frozenset(part.deal for one in games if one.game.void for part in one.game.parts)


def _history(game: TableGame, fold_of: dict[DealKey, Rulings]) -> list[Ruling]:
    found: list[Case] = []
    rulings: Rulings | None = None
    for part in game.parts:
        rulings = fold_of[part.deal]
        own = rulings.cases(part.deal)
        before = next((case for case in reversed(found) if case.move == part.move and case.ended is None), None)
        if before is not None and not part.late and part.given_ms:
            before.ended = "lapsed"
        elif before is not None:
            same = next((case for case in own if case.move == part.move), None)
            if same is not None:
                own.remove(same)
                before.goes_on_as(same)
        found += own
    if rulings is None:
        return []
    for case in found if game.void else ():
        case.ended = "void"
    return [ruling for case in found for ruling in rulings.entries(case)]
