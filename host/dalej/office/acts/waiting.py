"""What an act tells besides: who has moved up from the waiting list by it or signed up late, and what gives them a
seat; and that what is printed shows the old seats, wherever an act has seated anybody otherwise.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any, Final

from dalej.domain.tournament.tournament import RoundKey
from dalej.errors import DalejError
from dalej.event.event import Event, moved_up
from dalej.office.acts.wishes import Done
from dalej.office.rounds import together
from dalej.office.seating import Lacking, moving_up, newcomers
from dalej.office.signups import signed_up
from dalej.words import N_

_AND: Final = N_("{told} {moved}.")
_ANEW: Final = "{told} {printed}"
PRINTED: Final = N_(
    "Score sheets and lists of the seating that are printed already show the old seats: print them anew."
)
Chairs = tuple[RoundKey, Mapping[int, tuple[int, ...]]]
"""A round, and the players of its tables in the order of the seats."""
_OTHERWISE: Final = {"lock_seating": N_("unlock the seating")}  # the act is called by what it does most


def with_moved_up(event: Event, one: Done) -> Done:
    """What was done, and who has moved up or come in by its decisions and has no seat; itself of an event that cannot
    be read even now.
    """
    if not one.decisions:
        return one
    try:
        state = event.state()
    except DalejError:
        return one
    made = [each for each in event.read().decisions() if each.cursor in one.decisions]
    lacking = [*moving_up(state, moved_up(made, state)), *newcomers(state, signed_up(made))]
    if not lacking:
        return one
    told = DalejError(one.template, **one.data)
    moved = together([_with_acts(each) for each in lacking])
    data: dict[str, Any] = {"told": told, "moved": moved}
    return replace(one, template=_AND, data=data)


def chairs(event: Event) -> Chairs | None:
    """Who sits where in which round; None: nobody yet, or the event cannot be read."""
    try:
        one = event.state().current
    except DalejError:
        return None
    return (
        None if one is None or one.seating is None else (one.key, {at.table: at.players for at in one.seating.tables})
    )


def with_printed(event: Event, one: Done, before: Chairs | None) -> Done:
    """What was done, and that what is printed shows the old seats, if somebody sat elsewhere `before` in that round."""
    now = chairs(event)
    if before is None or now is None or now[0] != before[0] or now == before:
        return one
    data: dict[str, Any] = {"told": DalejError(one.template, **one.data), "printed": DalejError(PRINTED)}
    return replace(one, template=_ANEW, data=data)


def tells_who_moved_up(one: Done) -> bool:
    """Whether somebody has."""
    return any(told.template == _AND for told in _layers(one))


def tells_of_paper(one: Done) -> bool:
    """Whether what is printed shows the old seats."""
    return one.template == _ANEW


def itself(one: Done) -> DalejError:
    """What was done alone."""
    return [*_layers(one)][-1]


def _layers(one: Done) -> Iterator[DalejError]:
    """What was done with all that is told besides, and then with less and less of it."""
    told: object = DalejError(one.template, **one.data)
    while isinstance(told, DalejError):
        yield told
        told = told.data.get("told") if told.template in (_AND, _ANEW) else None


def _with_acts(one: Lacking) -> DalejError:
    from dalej.office.acts.catalogue import ACTS  # noqa: PLC0415 -- it loads every act; hardly ever is one told of

    if not one.ways:
        return one.told
    titles = [
        DalejError(N_("“{act}”"), act=DalejError(_OTHERWISE.get(way.act, ACTS[way.act].title))) for way in one.ways
    ]
    return DalejError(N_("{told}: {acts} gives one"), told=one.told, acts=_in_turn(titles))


def _in_turn(titles: list[DalejError]) -> DalejError:
    first, *rest = titles
    return DalejError(N_("{first}, then {rest}"), first=first, rest=_in_turn(rest)) if rest else first
