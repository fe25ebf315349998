"""A round from its clock to its closing, as decisions; and which round is the one to work on."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import groupby
from typing import Final

from dalej.domain.tournament import (
    ADVANCED,
    CLOCK,
    CLOSED,
    LOCKED,
    SEATING,
    GameAt,
    Round,
    RoundKey,
    Seating,
    Tournament,
)
from dalej.errors import DalejError, Refused, WrongInput
from dalej.ledger import REVOKE, Decision, Draft
from dalej.ledger.entries import Json
from dalej.office.event import Change, Seen
from dalej.words import N_

REQUIRED: Final = "required"


def at_work(state: Tournament) -> Round:
    """The round to work on; Refused when the next stage must be entered first, or everything is over."""
    current = state.current
    if current is not None:
        return current
    if state.over:
        raise Refused(N_("{event} is over: its last round is closed"), event=state.name)
    raise Refused(
        N_("the stage {stage} is played: dalej advance says who goes on"), stage=[*state.rounds][-1].stage
    )  # fmt: skip


def seated(state: Tournament) -> Round:
    """The round to work on; Refused while nobody sits in it."""
    one = at_work(state)
    seating_of(one)
    return one


def seating_of(one: Round) -> Seating:
    """Who sits where in that round; Refused while nobody does."""
    if one.seating is None:
        raise Refused(
            N_("round {round} of {stage} is not seated yet: dalej seat draw seats it"),
            round=one.key.round, stage=one.key.stage,
        )  # fmt: skip
    return one.seating


def round_of(state: Tournament, key: RoundKey) -> Round:
    """That round; WrongInput if the tournament has not come to it, or has no such round."""
    one = state.rounds.get(key)
    if one is None:
        raise WrongInput(
            N_("there is no round {round} of {stage} yet, expected one of {known}"),
            round=key.round, stage=key.stage, known=", ".join(f"{known.stage}/{known.round}" for known in state.rounds),
        )  # fmt: skip
    return one


def start(state: Tournament, minutes: int | None = None) -> Change:
    """The round's time begins now; `minutes` None: as long as the ruleset says. Started again, it begins anew."""
    one = seated(state)
    length_ms = state.ruleset.round_time_ms if minutes is None else minutes * 60_000
    if length_ms is None:
        raise Refused(
            N_("{ruleset} sets no round time ({clause}): --minutes says how long this round is"),
            ruleset=state.ruleset.id, clause=state.ruleset.clause("round_time_ms"),
        )  # fmt: skip
    key = one.key
    body: dict[str, Json] = {"stage": key.stage, "round": key.round, "length_ms": length_ms}
    again = "" if one.clock is None else " anew"
    return Change(
        [Draft(CLOCK, body, f"{CLOCK}:{key.stage}:{key.round}")], f"the round begins{again}, {length_ms // 1000} s"
    )


def close(state: Tournament, anyway: str = "") -> Change:
    """The round is over. Refused, table by table, while results are missing, or where a second person must still
    confirm one; `anyway` is the organiser's reason to close it as it is.
    """
    one = seated(state)
    if not anyway:
        _expect_complete(one)
        _expect_confirmed(state, one)
    key = one.key
    body: dict[str, Json] = {"stage": key.stage, "round": key.round}
    if anyway:
        body["anyway"] = anyway
    why = f"closed nevertheless: {anyway}" if anyway else "every result is in"
    return Change([Draft(CLOSED, body, f"{CLOSED}:{key.stage}:{key.round}")], why)


def reopen(seen: Seen, key: RoundKey, why: str) -> Change:
    """A closed round is worked on again. Refused once a later round has results or is closed. Who had gone on to a
    later stage because of it, and where they sit there, is decided anew.
    """
    state = seen.state
    if round_of(state, key).closed is None:
        raise Refused(N_("round {round} of {stage} is not closed"), round=key.round, stage=key.stage)
    later = list(state.rounds)[list(state.rounds).index(key) + 1 :]
    played = next((one for one in later if state.rounds[one].results or state.rounds[one].closed), None)
    if played is not None:
        raise Refused(
            N_("round {round} of {stage} stays closed: round {later_round} of {later_stage} has results already"),
            round=key.round, stage=key.stage, later_round=played.round, later_stage=played.stage,
        )  # fmt: skip
    fallen = [one for one in later if one.stage != key.stage]
    subjects = [
        f"{CLOSED}:{key.stage}:{key.round}",
        *(f"{ADVANCED}:{stage}" for stage in dict.fromkeys(one.stage for one in fallen)),
        *(f"{kind}:{one.stage}:{one.round}" for one in fallen for kind in (SEATING, LOCKED, CLOCK)),
    ]
    return Change([draft for subject in subjects for draft in _taken_back(seen.decisions, subject)], why)


def unconfirmed(one: Round) -> list[int]:
    """Tables with results that no second person has confirmed."""
    return sorted({at.table for at, result in one.results.items() if result.confirmed is None})


def games_by_table(games: Iterable[GameAt]) -> DalejError:
    """Which games of which tables, in words."""
    each = [
        DalejError(N_("table {table}: {games}"), table=table, games=", ".join(str(at.game) for at in at_table))
        for table, at_table in groupby(sorted(games), key=lambda at: at.table)
    ]
    return together(each)


def together(parts: Sequence[DalejError]) -> DalejError:
    """Several things to say, said in one sentence."""
    first, *rest = parts
    return DalejError("{first}; {rest}", first=first, rest=together(rest)) if rest else first


def _expect_complete(one: Round) -> None:
    missing = one.missing()
    if missing:
        raise Refused(
            N_("round {round} of {stage} lacks results of games: {missing}"),
            round=one.key.round, stage=one.key.stage, missing=games_by_table(missing),
        )  # fmt: skip


def _expect_confirmed(state: Tournament, one: Round) -> None:
    tables = unconfirmed(one) if state.ruleset.check_results == REQUIRED else []
    if tables:
        raise Refused(
            N_("round {round} of {stage}: a second person must confirm tables {tables} ({clause})"),
            round=one.key.round, stage=one.key.stage, tables=", ".join(map(str, tables)),
            clause=state.ruleset.clause("check_results"),
        )  # fmt: skip


def _taken_back(decisions: Iterable[Decision], subject: str) -> list[Draft]:
    """Everything that stands on the subject: of the latest alone, what it replaced would count again."""
    standing = [one for one in decisions if one.subject == subject and one.revoked_by is None and one.kind != REVOKE]
    return [
        Draft(REVOKE, {}, None if one is standing[-1] else f"{REVOKE}:{one.cursor}", revokes=one.cursor)
        for one in standing
    ]
