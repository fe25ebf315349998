"""The standings of a season: several events, each whole, added up by the names of the players. Pure."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from unicodedata import normalize

from dalej.domain.tournament.standings import Total, over_all_rounds
from dalej.domain.tournament.tournament import Player, Tournament
from dalej.errors import Refused, WrongInput
from dalej.words import N_


@dataclass(frozen=True, slots=True)
class SeasonLine:
    """A line of the season's standings. `of`: for each event the player's number and points there, None: did not play;
    `counts`: for each event whether it is among those that are added up. `big` None: no event knows big points.
    """

    place: int
    of: tuple[Total | None, ...]
    counts: tuple[bool, ...]
    big: int | None
    small: int
    games: int
    level: bool = False


def season(events: Sequence[Tournament], best: int | None = None) -> list[SeasonLine]:
    """Everybody who has played in any of them, best first: by the sums of big points, then of small ones, or of small
    ones alone where the events are ranked by those; of `best` events of each player (None: of all). Refused if some are
    ranked by big points and some are not. Whoever is called the same is the same; see `people`.
    """
    if not events:
        raise WrongInput(N_("no event to add up: expected one or more"))
    by_big = [state.ruleset.ranking != "small" for state in events]
    if len(set(by_big)) > 1:
        raise Refused(
            N_("{one} is ranked by big points, and {other} is not: they cannot be added up"),
            one=events[by_big.index(True)].name, other=events[by_big.index(False)].name,
        )  # fmt: skip
    totals = [over_all_rounds(state) for state in events]
    lines = []
    for numbers in people(events):
        of = tuple(
            None if number is None else all_of.get(number) for number, all_of in zip(numbers, totals, strict=True)
        )
        if any(of):
            lines.append(_summed(of, best, by_big=by_big[0]))
    return list(_placed(lines, by_big=by_big[0]))


def people(events: Sequence[Tournament]) -> list[tuple[int | None, ...]]:
    """Each person's number in every event, None: not in it, in the order in which they are met. By name, in any case;
    a name that two have in one event, told apart by their class, club or town, is that person only with the same one.
    """
    twice = {
        name
        for state in events
        for name, same in groupby(sorted(_name(one) for one in state.players.values()))
        if len(list(same)) > 1
    }
    found: defaultdict[tuple[str, str, int], list[int | None]] = defaultdict(lambda: [None] * len(events))
    for place, state in enumerate(events):
        for number, one in state.players.items():
            name = _name(one)
            group, nth = _folded(one.group) if name in twice else "", 0
            while found[name, group, nth][place] is not None:  # two whom nothing tells apart are two
                nth += 1
            found[name, group, nth][place] = number
    return [tuple(numbers) for numbers in found.values()]


def _name(one: Player) -> str:
    """Without the class that tells two of one name apart: in another event nobody else may be called so."""
    name, group = _folded(one.name), _folded(one.group)
    return name.removesuffix(f"({group})").strip() if group else name


def _folded(text: str) -> str:
    return " ".join(normalize("NFC", text).split()).casefold()


def _summed(of: tuple[Total | None, ...], best: int | None, *, by_big: bool) -> SeasonLine:
    played = [place for place, one in enumerate(of) if one is not None]
    played.sort(key=lambda place: _worth(_sum([of[place]]), by_big=by_big))
    counted = set(played if best is None else played[:best])
    big, small, games = _sum(of[place] for place in counted)
    return SeasonLine(0, of, tuple(place in counted for place in range(len(of))), big, small, games)


def _sum(totals: Iterable[Total | None]) -> tuple[int | None, int, int]:
    there = [one for one in totals if one is not None]
    big = [one.big for one in there if one.big is not None]
    return sum(big) if big else None, sum(one.small for one in there), sum(one.games for one in there)


def _worth(summed: tuple[int | None, int, int], *, by_big: bool) -> tuple[int, int]:
    """What sorts the better one first."""
    big, small, _games = summed
    return (-(big or 0) if by_big else 0, -small)


def _placed(lines: Iterable[SeasonLine], *, by_big: bool) -> Iterator[SeasonLine]:
    def worth(line: SeasonLine) -> tuple[int, int]:
        return _worth((line.big, line.small, line.games), by_big=by_big)

    place = 1
    for _, alike in groupby(sorted(lines, key=worth), worth):
        level = list(alike)
        yield from (replace(line, place=place, level=len(level) > 1) for line in level)
        place += len(level)
