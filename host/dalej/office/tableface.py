"""What a table is told of the tournament: who sits there, and where those go who sat there before. Pure."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypedDict

from dalej.domain.game.facts import SEATS
from dalej.domain.tournament.tournament import GameAt, Round, Tournament
from dalej.office.tableracks import Written
from dalej.office.tablewords import Word


class Sheet(TypedDict):
    """A game whose racks the table writes down. `seats`: who has to agree; `racks`: by seat, as they were written, {}
    as long as nobody has; `of`: the number of those; `agreed`: seats; `out`: who went out by the box, "": nobody did;
    `ended`: how the game ended, as it was written.
    """

    game: int
    seats: list[str]
    racks: dict[str, str]
    of: int
    agreed: list[str]
    out: str
    ended: str


class Recorded(TypedDict):
    """The last game of the round that has a result: points by seat, None where nobody sat."""

    game: int
    points: list[int | None]


class FaceWord(TypedDict):
    """What a referee has to say. `of`: its number."""

    of: int
    words: str


class Face(TypedDict):
    """`names`: by seat, "" for an empty chair; `next`: who sat here in the round before, and table and seat from now
    on; `recorded`: None as long as no game of the round is; `played`: none is left to be played here.
    """

    table: int
    names: list[str]
    next: list[tuple[str, int, str]]
    sheet: Sheet | None
    word: FaceWord | None
    recorded: Recorded | None
    played: bool


def sheet_of(at: GameAt, seats: list[str], written: Written | None, out: str) -> Sheet:
    """That game, for its table."""
    if written is None:
        return Sheet(game=at.game, seats=seats, racks={}, of=0, agreed=[], out=out, ended="")
    return Sheet(
        game=at.game, seats=seats, racks=dict(written.racks), of=written.number, agreed=[*written.agreed], out=out,
        ended=written.ended,
    )  # fmt: skip


def table_face(
    state: Tournament | None, names: Mapping[int, str], table: int, sheet: Sheet | None = None, word: Word | None = None
) -> Face:
    """`names`: of all players, as everybody may read them. Of a table at which nobody sits, and of no event, the number
    and the word.
    """
    says = None if word is None or word.read else FaceWord(of=word.number, words=word.words)
    current = None if state is None else state.current
    seating = None if current is None else current.seating
    if state is None or current is None or seating is None:
        over = state is not None and current is None and bool(state.rounds)
        return Face(table=table, names=[""] * len(SEATS), next=[], sheet=None, word=says, recorded=None, played=over)
    here = seating.at(table)
    sit = [""] * len(SEATS) if here is None else [names.get(player, "") for player in here.players]
    gone: list[tuple[str, int, str]] = []
    was = _before(state, current, table)
    for player in was:
        place = seating.place_of(player)
        if place is not None and place[0] != table:
            gone.append((names[player], place[0], SEATS[place[1]]))
    played = here is not None and not any(at.table == table for at in current.missing())
    return Face(
        table=table, names=sit, next=gone, sheet=sheet, word=says, recorded=_recorded(current, table), played=played
    )


def _recorded(one: Round, table: int) -> Recorded | None:
    games = sorted(at for at, result in one.results.items() if at.table == table and result.sheet is not None)
    if not games:
        return None
    small = {score.seat: score.small for score in one.results[games[-1]].scores}
    return Recorded(game=games[-1].game, points=[small.get(seat) for seat in SEATS])


def _before(state: Tournament, current: Round, table: int) -> tuple[int, ...]:
    """Who sat there in the round before."""
    rounds = list(state.rounds.values())
    place = rounds.index(current)
    seating = rounds[place - 1].seating if place else None
    at = None if seating is None else seating.at(table)
    return () if at is None else tuple(at.seated)
