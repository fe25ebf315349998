"""Who decides about what where a tournament is played in several halls, of which each has an event file of its own: a
hall about the tables that stand there, the centre about people, seating, rounds and rules. A round is given to the
halls and taken back; who sits where, and that it is closed, is decided while no hall may decide about it any more. A
round that is closed is the centre's altogether: it corrects what was entered.

So what is decided in two files at once never contradicts.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Final

from dalej.domain.tournament.fold import tells_how_to_score
from dalej.domain.tournament.stages import round_said
from dalej.domain.tournament.tournament import (
    ABSENT,
    ADVANCED,
    CLAIM,
    CLOCK,
    CLOSED,
    CONFIRMED,
    DATED,
    EVENT,
    GIVEN,
    GONE,
    HALL,
    LOCKED,
    OPTION,
    PLAYER,
    RESULT,
    RULESET,
    SEATING,
    TABLE_RULING,
    TIE,
    WAITING,
    Round,
    RoundKey,
    Tournament,
)
from dalej.errors import Refused
from dalej.event.ledger import REVOKE, Decision, Draft
from dalej.words import N_

CENTRE: Final = "centre"  # the origin of what a hall's file was told
OF_THE_CENTRE: Final = frozenset({
    EVENT, RULESET, OPTION, PLAYER, WAITING, GONE, ABSENT, SEATING, LOCKED, DATED, CLOCK, CLOSED, ADVANCED, TIE, HALL,
    GIVEN,
})  # fmt: skip
OF_A_TABLE: Final = frozenset({RESULT, CONFIRMED, TABLE_RULING, CLAIM})
_BETWEEN: Final = frozenset({SEATING, CLOSED})  # while no hall decides about the round


def expect_home(state: Tournament, decisions: Iterable[Decision], drafts: Iterable[Draft]) -> None:
    """Refused if any of it is for another file to decide, or not for now."""
    if not state.halls and not state.home:
        return
    made: dict[int, Decision] | None = None
    for draft in drafts:
        kind, body = draft.kind, draft.body
        if draft.revokes is not None:
            made = {one.cursor: one for one in decisions} if made is None else made
            revoked = made.get(draft.revokes)
            if revoked is not None:
                _expect_own(state, revoked)
                kind, body = (revoked.kind, revoked.body) if kind == REVOKE else (kind, body)
        if state.home:
            _expect_hall(state, kind, body)
        else:
            _expect_centre(state, kind, body)


def _expect_own(state: Tournament, revoked: Decision) -> None:
    if revoked.origin is None:
        return
    if state.home:
        raise Refused(N_("the centre has decided this, and takes it back there"))
    raise Refused(N_("hall {hall} has decided this, and takes it back there"), hall=revoked.origin.name)


def _expect_hall(state: Tournament, kind: str, body: Mapping[str, object]) -> None:
    if kind in OF_THE_CENTRE:
        raise Refused(
            N_("this is the event file of hall {hall}: people, seats, rounds and rules are decided at the centre"),
            hall=state.home,
        )
    table = _table(kind, body)
    if table is None:
        return
    one = _round(state, body)
    if one is not None and one.closed is not None:
        raise Refused(N_("{round} is closed: the centre corrects it"), round=round_said(*one.key))
    if not state.hall_of(table):
        raise Refused(N_("table {table} stands in no hall: it is decided about at the centre"), table=table)
    if state.hall_of(table) != state.home:
        raise Refused(
            N_("table {table} stands in another hall than {hall}: it is decided about there"),
            table=table, hall=state.home,
        )  # fmt: skip
    if one is not None and one.given is None:
        raise Refused(
            N_("the centre has not given {round} to the halls, or taken it back already"), round=round_said(*one.key)
        )


def _expect_centre(state: Tournament, kind: str, body: Mapping[str, object]) -> None:
    table, one = _table(kind, body), _round(state, body)
    open_here = one is None or one.closed is None
    if table is not None and open_here and (hall := state.hall_of(table)):
        raise Refused(
            N_("table {table} stands in hall {hall}, which decides about it in its own event file"),
            table=table, hall=hall,
        )  # fmt: skip
    if kind in _BETWEEN and one is not None:
        expect_here(one)
    elif kind == HALL or tells_how_to_score(kind, body):
        for each in state.rounds.values():
            expect_here(each)


def expect_here(one: Round) -> None:
    """Refused while halls may decide about the round."""
    if one.returns and one.given is not None:
        raise Refused(
            N_("{round} is with the halls {halls}: take it back first"),
            round=round_said(*one.key), halls=", ".join(sorted(one.returns)),
        )  # fmt: skip
    if one.returns:
        raise Refused(
            N_("{round} was taken back, and is not complete yet from the halls {halls}: expected until they are heard"),
            round=round_said(*one.key), halls=", ".join(sorted(one.returns)),
        )  # fmt: skip


def _table(kind: str, body: Mapping[str, object]) -> int | None:
    table = body.get("table") if kind in OF_A_TABLE else None
    return table if isinstance(table, int) else None


def _round(state: Tournament, body: Mapping[str, object]) -> Round | None:
    stage, number = body.get("stage"), body.get("round")
    return state.rounds.get(RoundKey(stage, number)) if isinstance(stage, str) and isinstance(number, int) else None
