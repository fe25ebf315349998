"""What an act tells besides: who has moved up from the waiting list by it, and what gives them a seat."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, Final

from dalej.errors import DalejError
from dalej.event.event import Event, moved_up
from dalej.office.acts.wishes import Done
from dalej.office.rounds import together
from dalej.office.seating import Lacking, moving_up
from dalej.words import N_

_AND: Final = N_("{told} {moved}.")
_OTHERWISE: Final = {"lock_seating": N_("unlock the seating")}  # the act is called by what it does most


def with_moved_up(event: Event, one: Done) -> Done:
    """What was done, and who has moved up by its decisions; itself of an event that cannot be read even now."""
    if not one.decisions:
        return one
    try:
        state = event.state()
    except DalejError:
        return one
    up = moved_up((made for made in event.read().decisions() if made.cursor in one.decisions), state)
    if not up:
        return one
    told = DalejError(one.template, **one.data)
    moved = together([_with_acts(each) for each in moving_up(state, up)])
    data: dict[str, Any] = {"told": told, "moved": moved}
    return replace(one, template=_AND, data=data)


def tells_who_moved_up(one: Done) -> bool:
    """Whether somebody has."""
    return one.template == _AND


def itself(one: Done) -> DalejError:
    """What was done alone."""
    told: object = one.data.get("told") if tells_who_moved_up(one) else None
    return told if isinstance(told, DalejError) else DalejError(one.template, **one.data)


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
