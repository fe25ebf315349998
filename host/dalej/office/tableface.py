"""What a table is told of the tournament: who sits there, and where those go who sat there before. Pure."""

from __future__ import annotations

from typing import TypedDict

from dalej.domain.game.facts import SEATS
from dalej.domain.tournament.tournament import GameAt, Round, Tournament
from dalej.office.publicnames import public_names
from dalej.office.tableracks import Written
from dalej.office.tablewords import Word


class Sheet(TypedDict):
    """A game whose racks the table writes down. `seats`: who has to agree; `racks`: by seat, as they were written, {}
    as long as nobody has; `of`: the number of those; `agreed`: seats; `out`: who went out by the box, "": nobody did.
    """

    game: int
    seats: list[str]
    racks: dict[str, str]
    of: int
    agreed: list[str]
    out: str


class FaceWord(TypedDict):
    """What a referee has to say. `of`: its number."""

    of: int
    words: str


class Face(TypedDict):
    """`names`: by seat, "" for an empty chair; `next`: who sat here in the round before, and table and seat from now
    on.
    """

    table: int
    names: list[str]
    next: list[tuple[str, int, str]]
    sheet: Sheet | None
    word: FaceWord | None


def sheet_of(at: GameAt, seats: list[str], written: Written | None, out: str) -> Sheet:
    """That game, for its table."""
    if written is None:
        return Sheet(game=at.game, seats=seats, racks={}, of=0, agreed=[], out=out)
    return Sheet(
        game=at.game, seats=seats, racks=dict(written.racks), of=written.number, agreed=[*written.agreed], out=out
    )


def table_face(state: Tournament | None, table: int, sheet: Sheet | None = None, word: Word | None = None) -> Face:
    """Names as everybody may read them. Of a table at which nobody sits, and of no event, the number and the word."""
    says = None if word is None or word.read else FaceWord(of=word.number, words=word.words)
    current = None if state is None else state.current
    seating = None if current is None else current.seating
    if state is None or current is None or seating is None:
        return Face(table=table, names=[""] * len(SEATS), next=[], sheet=None, word=says)
    names, here = public_names(state), seating.at(table)
    sit = [""] * len(SEATS) if here is None else [names.get(player, "") for player in here.players]
    gone: list[tuple[str, int, str]] = []
    was = _before(state, current, table)
    for player in was:
        place = seating.place_of(player)
        if place is not None and place[0] != table:
            gone.append((names[player], place[0], SEATS[place[1]]))
    return Face(table=table, names=sit, next=gone, sheet=sheet, word=says)


def _before(state: Tournament, current: Round, table: int) -> tuple[int, ...]:
    """Who sat there in the round before."""
    rounds = list(state.rounds.values())
    place = rounds.index(current)
    seating = rounds[place - 1].seating if place else None
    at = None if seating is None else seating.at(table)
    return () if at is None else tuple(at.seated)
