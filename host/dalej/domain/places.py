"""Places and big points of one game at one table. Pure."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Final

from dalej.domain.losses import Outcome
from dalej.domain.racks import Sheet
from dalej.domain.reasons import Citing, Reason
from dalej.domain.rulesets import Ruleset
from dalej.words import N_

_SCALES: Final = {2: "big_points_2", 3: "big_points_3", 4: "big_points_4"}


@dataclass(frozen=True, slots=True)
class Standing:
    """The place of a seat in one game, from 1, and its big points; None where the ruleset knows none."""

    place: int
    big: int | None
    reasons: tuple[Reason, ...]


def standings(outcomes: Sequence[Outcome], sheet: Sheet, ruleset: Ruleset) -> tuple[Standing, ...]:
    """Place and big points of every seat, in the order given.

    Winners come first, whoever left the game last (`withdrawn_ranks`), between them small points decide. Who is level
    shares the higher place, and the next is skipped; big points are the higher place's unless `level_big_points` says
    otherwise. A place that a referee has ruled is taken; the others fill what is left in their order.
    """
    cite = Citing(ruleset)
    places = _places(outcomes, ruleset)
    found = []
    for outcome, place in zip(outcomes, places, strict=True):
        level = places.count(place)
        big, why = _big(place, level, sheet, cite)
        found.append(Standing(place, big, (*_why(outcome, place, level, sheet, cite), *why)))
    return tuple(found)


def _places(outcomes: Sequence[Outcome], ruleset: Ruleset) -> list[int]:
    places = [outcome.rack.ruled_place or 0 for outcome in outcomes]
    free = _free(places, len(outcomes))
    by_count = sorted(
        (at for at, place in enumerate(places) if not place), key=lambda at: _order(outcomes[at], ruleset)
    )
    for _, level in groupby(by_count, key=lambda at: _order(outcomes[at], ruleset)):
        seats = list(level)
        shared, *_ = [next(free) for _ in seats]
        for at in seats:
            places[at] = shared
    return places


def _free(ruled: Sequence[int], seats: int) -> Iterator[int]:
    """Places that no ruling takes; two seats ruled to one place take the next as well."""
    taken: set[int] = set()
    for place in sorted(filter(None, ruled)):
        taken.add(next(at for at in range(place, place + seats) if at not in taken))
    return (place for place in range(1, 2 * seats + max(ruled) + 1) if place not in taken)


def _order(outcome: Outcome, ruleset: Ruleset) -> tuple[int, int]:
    """What places go by: smaller is better."""
    if outcome.won:
        return 0, 0
    last = outcome.rack.withdrawn and ruleset.withdrawn_ranks == "last"
    return 2 if last else 1, -outcome.small


def _why(outcome: Outcome, place: int, level: int, sheet: Sheet, cite: Citing) -> Iterator[Reason]:
    if outcome.rack.ruled_place:
        template = (
            N_("the referee ruled place {place}: {why}") if sheet.ruling else N_("the referee ruled place {place}")
        )
        yield cite.ruling("big_points_4", template, place=place, why=sheet.ruling)
    elif level > 1:
        template = N_("seats level in place {place}: {level}; they share it and the next is skipped")
        yield cite.value("level_big_points", template, place=place, level=level)
    if outcome.rack.withdrawn and not outcome.rack.ruled_place and cite.ruleset.withdrawn_ranks == "last":
        yield cite.passage("withdrawal", "withdrawn_ranks", N_("who left the game ranks last of the table"))


def _big(place: int, level: int, sheet: Sheet, cite: Citing) -> tuple[int | None, tuple[Reason, ...]]:
    scale = _scale(sheet.seats, cite.ruleset)
    if scale is None:
        return None, ()
    paid = place if cite.ruleset.level_big_points == "higher" else place + level - 1
    big = scale[min(paid, len(scale)) - 1]
    key, seats = _SCALES[sheet.seats], sheet.seats
    if paid == place:
        template = N_("place {place} at a table of {seats}, big points: {big}")
        return big, (cite.value(key, template, place=place, seats=seats, big=big),)
    template = N_("level seats get the big points of the lower place, {place} at a table of {seats}: {big}")
    return big, (cite.value(key, template, place=paid, seats=seats, big=big),)


def _scale(seats: int, ruleset: Ruleset) -> tuple[int, ...] | None:
    return {2: ruleset.big_points_2, 3: ruleset.big_points_3, 4: ruleset.big_points_4}[seats]
