"""Who stands where: totals of players -> lines with places. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Literal

Ranking = Literal["big_then_small", "small"]


@dataclass(frozen=True, slots=True)
class Total:
    """What a player has in one stage: sums over its games. `big` None: the ruleset knows no big points.

    `absent`: without a game in that stage, whatever points there are; `last`: stands behind everybody else.
    """

    player: int
    big: int | None
    small: int
    games: int = 0
    absent: bool = False
    last: bool = False


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
    absent: bool = False
    last: bool = False


def rank(
    totals: Iterable[Total], ranking: Ranking, stage: str = "", decided: Sequence[Sequence[int]] = ()
) -> list[Line]:
    """Lines, best first; players level stand by number. `decided`: orders, the latest last, that the head referee has
    set among players who are level.

    Who is to stand `last` is level with nobody who is not. An order counts where at least two of its players are level;
    those it does not name stand behind those it does.
    """
    lines: list[Line] = []
    for _, points_alike in groupby(
        sorted(totals, key=lambda total: (_worth(total, ranking), total.player)), lambda total: _worth(total, ranking)
    ):
        for level in _parted(list(points_alike), decided):
            place = len(lines) + 1
            lines += [
                Line(place, one.player, one.big, one.small, one.games, stage, len(level) > 1, one.absent, one.last)
                for one in level
            ]
    return lines


def _worth(total: Total, ranking: Ranking) -> tuple[bool, int, int]:
    """What sorts the better total first."""
    return (total.last, -(total.big or 0) if ranking == "big_then_small" else 0, -total.small)


def _parted(alike: Sequence[Total], decided: Sequence[Sequence[int]]) -> Iterator[Sequence[Total]]:
    """Totals of equal worth as the decisions part them: best first, each group still level in itself."""
    if len(alike) == 1:
        yield alike
        return
    numbers = {total.player for total in alike}
    orders = [order for order in reversed(decided) if sum(player in numbers for player in dict.fromkeys(order)) > 1]

    def as_decided(total: Total) -> tuple[int, ...]:
        return tuple(order.index(total.player) if total.player in order else len(order) for order in orders)

    for _, level in groupby(sorted(alike, key=as_decided), as_decided):
        yield list(level)
