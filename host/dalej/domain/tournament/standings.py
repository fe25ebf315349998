"""Who stands where: totals of players -> lines with places; sums over the rounds of a stage or of the whole event;
who has met whom. Pure.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations, groupby
from typing import Literal

from dalej.domain.tournament.tournament import Round, Tie, Tournament
from dalej.errors import Refused
from dalej.words import N_

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


def standings(
    state: Tournament, stage: str | None = None, *, through: int | None = None, among: Collection[int] | None = None
) -> list[Line]:
    """Standings of one stage (through its round `through`), or of the whole event: by last stage reached, then by that
    stage's points; `through` is then a round of the last stage that has been reached. Everybody who played is in it,
    also who has left. Refused if nobody has reached that stage yet, or there is none of that name.

    `among`: of a stage these players alone, as if nobody else played: an order of the head referee counts there if it
    names everybody of them who is level, whoever else may be level too.
    """
    reached = [one.id for one in state.plan if one.id in state.entrants]
    if stage is not None and stage not in reached:
        raise Refused(
            N_("nobody has reached {stage} yet, expected one of {stages}"), stage=stage, stages=", ".join(reached)
        )
    if stage is not None:
        totals = _totals(state, stage, through)
        return _ranked(state, stage, [one for one in totals.values() if among is None or one.player in among])
    lines: list[Line] = []
    placed: set[int] = set()
    for one in reversed(reached):
        totals = _totals(state, one, through if one == reached[-1] else None)
        group = [total for player, total in totals.items() if player not in placed]
        before = len(placed)
        lines += [replace(line, place=line.place + before) for line in _ranked(state, one, group)]
        placed |= totals.keys()
    return lines


def met(state: Tournament, stage: str, *, before: int | None = None) -> Mapping[frozenset[int], int]:
    """Pairs of players -> how often they have sat at one table in that stage, in rounds earlier than `before`."""
    pairs: Counter[frozenset[int]] = Counter()
    for one in _rounds(state, stage, None if before is None else before - 1):
        for table in () if one.seating is None else one.seating.tables:
            pairs.update(frozenset(pair) for pair in combinations(table.seated, 2))
    return pairs


def over_all_rounds(state: Tournament) -> dict[int, Total]:
    """What everybody who has played a game has over all games of the event, whatever a stage makes of earlier ones."""
    sums = _Sums(state)
    for one in state.rounds.values():
        sums.add(one)
    return {player: sums.total(player) for player in sums.games}


def _ranked(state: Tournament, stage: str, totals: Iterable[Total]) -> list[Line]:
    ranking: Ranking = "small" if state.ruleset.ranking == "small" else "big_then_small"
    everybody = list(totals)
    return rank(everybody, ranking, stage, [_ruled(state, tie, everybody) for tie in state.ties.get(stage, ())])


def _ruled(state: Tournament, tie: Tie, totals: Iterable[Total]) -> tuple[int, ...]:
    """The order as far as it still counts: among players level on the points ruled on, and only while it names
    everybody level with them. Those who have left it need not name; they stand behind.
    """
    if tie.points is None:
        return tie.order
    level = [total for total in totals if (total.big, total.small) == tie.points]
    named = {total.player for total in level if total.player in tie.order}
    kinds = {total.last for total in level if total.player in named}
    open_still = {total.player for total in level if total.last in kinds and _stays(state, total.player)} - named
    return () if open_still else tuple(player for player in tie.order if player in named)


def _totals(state: Tournament, stage: str, through: int | None) -> dict[int, Total]:
    """What everybody who plays or played in that stage has. Whoever has no game in it is listed, with the points that
    `absent_points` or an earlier stage give, and stands where `not_played_stands` says.
    """
    sums = _Sums(state)
    for one in _rounds(state, stage, through):
        sums.add(one)
    taking_part = [
        player
        for player in dict.fromkeys((*state.entrants[stage], *sums.games))
        if player in sums.games or player in sums.seated or _stays(state, player)
    ]
    played = set(sums.games)
    if state.ruleset.stage_points == "carried":
        for earlier in state.plan:
            if earlier.id == stage:
                break
            for one in _rounds(state, earlier.id, None):
                sums.add(one)
    last = {player for player in taking_part if player not in played and _stands_last(state, player)}
    return {
        player: replace(sums.total(player), absent=player not in played, last=player in last) for player in taking_part
    }


class _Sums:
    """Points and games of every player over some rounds."""

    def __init__(self, state: Tournament) -> None:
        self._state = state
        rules = state.ruleset
        self._knows_big = any(scale for scale in (rules.big_points_4, rules.big_points_3, rules.big_points_2))
        self._big: Counter[int] = Counter()
        self._small: Counter[int] = Counter()
        self.games: Counter[int] = Counter()
        self.seated: set[int] = set()

    def add(self, one: Round) -> None:
        for result in one.results.values():
            for score in result.scores:
                player = result.players[score.seat]
                self._big[player] += score.big or 0
                self._small[player] += score.small
                self.games[player] += 1
        seated = set() if one.seating is None else {player for at in one.seating.tables for player in at.seated}
        self.seated |= seated
        if one.closed is not None and self._state.ruleset.absent_points:
            for player in self._missed(one, one.closed.cursor, seated):
                self._small[player] += self._state.ruleset.absent_points

    def _missed(self, one: Round, closed: int, seated: set[int]) -> Iterator[int]:
        """Who could have played in it and did not sit anywhere; whoever had left by then could not."""
        for player in self._state.entrants[one.key.stage]:
            known = self._state.players.get(player)
            if player not in seated and known is not None and (known.gone is None or known.gone.mark.cursor > closed):
                yield player

    def total(self, player: int) -> Total:
        big = self._big[player] if self._knows_big else None
        return Total(player, big, self._small[player], self.games[player])


def _stands_last(state: Tournament, player: int) -> bool:
    """Of somebody without a game: whether the points do not count for the place."""
    return state.ruleset.not_played_stands == "last" or not _stays(state, player)


def _stays(state: Tournament, player: int) -> bool:
    known = state.players.get(player)
    return known is not None and known.gone is None


def _rounds(state: Tournament, stage: str, through: int | None) -> Iterator[Round]:
    for key, one in state.rounds.items():
        if key.stage == stage and (through is None or key.round <= through):
            yield one
