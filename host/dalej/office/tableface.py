"""What a table is told of the tournament: who sits there, and where those go who sat there before. Pure."""

from __future__ import annotations

from typing import TypedDict

from dalej.domain.game.facts import SEATS
from dalej.domain.tournament.tournament import Round, Tournament
from dalej.office.publicnames import public_names


class Face(TypedDict):
    """`names`: by seat, "" for an empty chair; `next`: who sat here in the round before, and table and seat from now
    on.
    """

    table: int
    names: list[str]
    next: list[tuple[str, int, str]]


def table_face(state: Tournament | None, table: int) -> Face:
    """Names as everybody may read them. Of a table at which nobody sits, and of no event, the number alone."""
    current = None if state is None else state.current
    seating = None if current is None else current.seating
    if state is None or current is None or seating is None:
        return Face(table=table, names=[""] * len(SEATS), next=[])
    names, here = public_names(state), seating.at(table)
    sit = [""] * len(SEATS) if here is None else [names.get(player, "") for player in here.players]
    gone: list[tuple[str, int, str]] = []
    was = _before(state, current, table)
    for player in was:
        place = seating.place_of(player)
        if place is not None and place[0] != table:
            gone.append((names[player], place[0], SEATS[place[1]]))
    return Face(table=table, names=sit, next=gone)


def _before(state: Tournament, current: Round, table: int) -> tuple[int, ...]:
    """Who sat there in the round before."""
    rounds = list(state.rounds.values())
    place = rounds.index(current)
    seating = rounds[place - 1].seating if place else None
    at = None if seating is None else seating.at(table)
    return () if at is None else tuple(at.seated)
