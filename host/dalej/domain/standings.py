"""Who stands where: totals of players -> lines with places. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal

Ranking = Literal["big_then_small", "small"]


@dataclass(frozen=True, slots=True)
class Total:
    """What a player has in one stage: sums over its games. `big` None: the ruleset knows no big points."""

    player: int
    big: int | None
    small: int
    games: int = 0


@dataclass(frozen=True, slots=True)
class Line:
    """A line of the standings. `place` from 1; players level share it, `level` is then True, and the next is skipped.

    `stage`: the last stage the player reached, to which the sums belong.
    """

    place: int
    player: int
    big: int | None
    small: int
    games: int
    stage: str
    level: bool = False


def rank(
    totals: Iterable[Total], ranking: Ranking, stage: str = "", decided: Sequence[Sequence[int]] = ()
) -> list[Line]:
    """Lines, best first. `decided`: orders that the head referee has set among players who are level."""
    raise NotImplementedError
