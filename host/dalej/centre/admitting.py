"""What the centre takes of a hall into the event of the whole tournament: decisions about games at its own tables, of
rounds that are with it, that say no more than their kind needs. Whoever has a hall's key can do no more. Pure.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from dalej.domain.game.facts import SEATS
from dalej.domain.tournament.bodies import Body
from dalej.domain.tournament.fold import expect_right
from dalej.domain.tournament.tournament import (
    COMPLETE,
    CONFIRMED,
    RESULT,
    TABLE_RULING,
    WARNED,
    Round,
    RoundKey,
    TableSeats,
    Tournament,
)
from dalej.errors import Refused
from dalej.event.ledger import REVOKE, Decision
from dalej.words import N_

OF_A_TABLE: Final = frozenset({RESULT, CONFIRMED, TABLE_RULING})
OF_A_HALL: Final = OF_A_TABLE | {WARNED, COMPLETE, REVOKE}
_WORDS_MOST: Final = 1_000  # letters of a name or a reason
_BODY_MOST: Final = 4_000  # of all that a body says
_DEEP: Final = 4  # lists and objects within each other


def expect_admitted(hall: str, made: Decision, revoked: Decision | None, state: Tournament) -> None:
    """Refused or Damaged if that hall may not decide this; `revoked`: what it takes back."""
    if len(made.who) > _WORDS_MOST or len(made.why) > _WORDS_MOST or _size(made.body, _DEEP) > _BODY_MOST:
        raise Refused(N_("it says more than a decision of its kind needs"))
    if made.kind == REVOKE:
        _expect_revocable(hall, made, revoked)
        assert revoked is not None
        if revoked.kind in OF_A_TABLE:
            _round_of(hall, revoked, state)
        return
    body = Body(made)
    if made.kind == COMPLETE:
        body.round_key(), body.number("of")
        if body.text("hall") != hall:
            raise Refused(N_("it speaks for another hall"))
    if made.kind == WARNED and body.number("player") not in state.players:
        raise Refused(N_("there is no such player"))
    if made.kind in OF_A_TABLE:
        one = _round_of(hall, made, state)
        _expect_seated(made, one)
        expect_right(made, state)
    if made.subject != _subject(made):
        raise Refused(N_("its subject is of another kind"))


def _expect_revocable(hall: str, made: Decision, revoked: Decision | None) -> None:
    if revoked is None or revoked.origin is None or revoked.origin.name != hall or revoked.kind not in OF_A_HALL:
        raise Refused(N_("it takes back what the hall has not decided"))
    if revoked.kind == COMPLETE:
        raise Refused(N_("it takes back that the hall is complete"))
    if made.subject not in (revoked.subject, f"{REVOKE}:{revoked.cursor}"):
        raise Refused(N_("its subject is of another kind"))


def _round_of(hall: str, made: Decision, state: Tournament) -> Round:
    body = Body(made)
    if state.hall_of(body.number("table")) != hall:
        raise Refused(N_("the table stands in another hall"))
    one = state.rounds.get(RoundKey(*body.round_key()))
    if one is None or hall not in one.returns:
        raise Refused(N_("the round is not with the hall"))
    return one


def _expect_seated(made: Decision, one: Round) -> None:
    """Of the game at a table of that round: those who sit there, and nobody else."""
    body = Body(made)
    seats = None if one.seating is None else one.seating.at(body.number("table"))
    if seats is None:
        raise Refused(N_("nobody sits at that table in this round"))
    if made.kind != CONFIRMED and body.number("game") > one.stage.games:
        raise Refused(N_("the round has no such game"))
    if made.kind == TABLE_RULING and not _sits(seats, body.text("seat"), body.number("player")):
        raise Refused(N_("somebody else sits there"))
    if made.kind == RESULT and "racks" in made.body:
        players = body.seat_players()
        if not all(_sits(seats, seat, player) for seat, player in players.items()):
            raise Refused(N_("somebody else sits there"))


def _sits(seats: TableSeats, seat: str, player: int) -> bool:
    return seat in SEATS and seats.players[SEATS.index(seat)] == player


def _subject(made: Decision) -> str | None:
    """What a decision of that kind and body is about, as `dalej.domain.tournament.tournament` has it."""
    body = Body(made)
    if made.kind == RESULT:
        key, at = body.round_key(), body.game_at()
        return f"{RESULT}:{key.stage}:{key.round}:{at.table}:{at.game}"
    if made.kind == CONFIRMED:
        key = body.round_key()
        return f"{CONFIRMED}:{key.stage}:{key.round}:{body.number('table')}"
    return None


def _size(value: object, deep: int) -> int:
    """Letters and numbers in it; more than is allowed if it is deeper than so."""
    if isinstance(value, Mapping | list | tuple):
        if not deep:
            return _BODY_MOST + 1
        parts = [*value.keys(), *value.values()] if isinstance(value, Mapping) else value
        return len(parts) + sum(_size(one, deep - 1) for one in parts)
    return len(str(value))
