"""A tournament that is played in several halls, each with an event file of its own, as decisions of the centre: which
tables stand where, and a round given to the halls and taken back. Who decides what: `dalej.event.homes`.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from typing import Final

from dalej.domain.tournament.stages import round_said
from dalej.domain.tournament.tournament import GIVEN, HALL, Round, Tournament
from dalej.errors import Refused, WrongInput
from dalej.event.event import Change
from dalej.event.homes import CENTRE, expect_home
from dalej.event.ledger import Draft
from dalej.event.ledger.entries import Json
from dalej.office.rounds import seated
from dalej.words import N_

_WHY: Final = "it is played in several halls"
_NAME_MOST: Final = 80


def stands(state: Tournament, hall: str, tables: Collection[int]) -> Change:
    """Those tables, each from 1, are the ones of that hall; WrongInput if one stands in another hall."""
    name = hall.strip()
    if not name or len(name) > _NAME_MOST or not name.isprintable() or name == CENTRE:
        raise WrongInput(N_("“{name}” is no name of a hall, expected one line of at most 80 letters"), name=hall)
    for table in sorted(tables):
        if (other := state.hall_of(table)) not in ("", name):
            raise Refused(
                N_("table {table} stands in hall {other}: expected it to be left out there first"),
                table=table, other=other,
            )  # fmt: skip
    wanted = frozenset(tables)
    if not wanted and name not in state.halls:
        known = named(state.halls) or "–"
        raise WrongInput(N_("there is no hall called {name}: expected one of {known}"), name=name, known=known)
    if state.halls.get(name, frozenset()) == wanted:
        return Change([], _WHY)
    body: dict[str, Json] = {"hall": name, "tables": sorted(wanted)}
    return Change([Draft(HALL, body, f"{HALL}:{name}")], _WHY)


def give(state: Tournament) -> Change:
    """The round at work is the halls'; Refused while nobody sits in it or no hall has a table of it."""
    one = seated(state)
    drafts = [_given(one, True, halls_of(state, one))]
    expect_home(state, (), drafts)
    if one.given is not None:
        return Change([], _WHY)
    if not halls_of(state, one):
        raise Refused(N_("no table of {round} stands in a hall with an event file of its own"),
                      round=round_said(*one.key))  # fmt: skip
    return Change(drafts, "the halls play it")


def take_back(state: Tournament) -> Change:
    """The round at work is the centre's again, once every hall is complete; Refused if it was not given."""
    one = seated(state)
    drafts = [_given(one, False, sorted(one.returns))]
    expect_home(state, (), drafts)
    if one.given is None:
        if one.returns:  # it was taken back, and somebody asks again
            return Change([], _WHY)
        raise Refused(N_("{round} is not with the halls"), round=round_said(*one.key))
    return Change(drafts, "the halls have played it")


def halls_of(state: Tournament, one: Round) -> list[str]:
    """Those with a table in that round; none in a hall's own file, which knows of itself."""
    tables = set() if one.seating is None else {at.table for at in one.seating.tables}
    return [] if state.home else [hall for hall, there in state.halls.items() if there & tables]


def _given(one: Round, given: bool, halls: Sequence[str]) -> Draft:
    body: dict[str, Json] = {"stage": one.key.stage, "round": one.key.round, "given": given, "halls": list(halls)}
    return Draft(GIVEN, body, f"{GIVEN}:{one.key.stage}:{one.key.round}")


def named(halls: Iterable[str]) -> str:
    """In a sentence."""
    return ", ".join(sorted(halls))
