"""A round from its clock to its closing, as decisions; which round is the one to work on; closed with a copy of the
event beside it, and opened again knowingly.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path
from typing import Final

from dalej.domain.tournament.stages import round_said, stage_said
from dalej.domain.tournament.tournament import (
    CLOCK,
    CLOSED,
    DATED,
    RESULT,
    GameAt,
    Round,
    RoundKey,
    Seating,
    Tournament,
)
from dalej.errors import DalejError, Refused, WrongInput
from dalej.event.event import Change, Event, Seen, taken_back
from dalej.event.homes import expect_home
from dalej.event.ledger import Decision, Draft
from dalej.event.ledger.entries import Json
from dalej.hints import EVENT, REASON, correcting, once_more, typed
from dalej.words import N_

REQUIRED: Final = "required"
DATED_SO: Final = N_("as the schedule says")

NAMED: Final = 12  # tables that are named one by one
RUN: Final = 4  # so many that follow each other are named by the first and the last


def at_work(state: Tournament) -> Round:
    """The round to work on; Refused when the next stage must be entered first, or everything is over."""
    current = state.current
    if current is not None:
        return current
    if state.over:
        raise Refused(N_("{event} is over: its last round is closed"), event=state.name)
    raise Refused(
        N_("the stage {stage} is played: next it is decided who goes on"), stage=stage_said([*state.rounds][-1].stage)
    ).hinted(N_("{command} says who goes on"), command=typed("advance", EVENT))  # fmt: skip


def seated(state: Tournament) -> Round:
    """The round to work on; Refused while nobody sits in it."""
    one = at_work(state)
    seating_of(one)
    return one


def seating_of(one: Round) -> Seating:
    """Who sits where in that round; Refused while nobody does."""
    if one.seating is None:
        raise Refused(
            N_("{round} is not seated yet"),
            round=round_said(*one.key),
        ).hinted(N_("{command} seats it"), command=typed("seat", "draw", EVENT))  # fmt: skip
    return one.seating


def round_of(state: Tournament, key: RoundKey) -> Round:
    """That round; WrongInput if the tournament has not come to it, or has no such round."""
    one = state.rounds.get(key)
    if one is None:
        raise WrongInput(
            N_("{round}: there is no such round yet, expected one of {known}"),
            round=round_said(*key), known=", ".join(known.text for known in state.rounds),
        )  # fmt: skip
    return one


def planned(state: Tournament, text: str | None) -> RoundKey:
    """The round that `text` names, `2` of the stage that is played or `league/2`, also one that is still to come; the
    one to work on if it is None. WrongInput if the event has no such round.
    """
    if text is None:
        return at_work(state).key
    known = [RoundKey(stage.id, number) for stage in state.plan for number in range(1, stage.rounds + 1)]
    stage, _sign, number = text.rpartition("/")
    stage = stage or (state.current.key.stage if state.current is not None else [*state.rounds][-1].stage)
    found = next((key for key in known if (key.stage, str(key.round)) == (stage, number)), None)
    if found is None:
        raise WrongInput(
            N_("“{found}” is no round, expected one of {known}"), found=text,
            known=", ".join(key.text for key in known),
        )  # fmt: skip
    return found


def date_round(state: Tournament, key: RoundKey, day: str) -> Change:
    """The day of a round, which may be still to come: rounds of a league lie on different ones. `day`: such as
    2026-12-04, "": none of its own; no drafts if it is so already.
    """
    if state.dates.get(key, "") == day:
        return Change([], DATED_SO)
    body: dict[str, Json] = {"stage": key.stage, "round": key.round, "date": day}
    return Change([Draft(DATED, body, f"{DATED}:{key.stage}:{key.round}")], DATED_SO)


def start(state: Tournament, minutes: int | None = None) -> Change:
    """The round's time begins now; `minutes` None: as long as the ruleset says. Started again, it begins anew."""
    one = seated(state)
    length_ms = state.ruleset.round_time_ms if minutes is None else minutes * 60_000
    if length_ms is None:
        raise Refused(
            N_("{ruleset} sets no round time ({clause}): say how long this round is"),
            ruleset=state.ruleset.title, clause=state.ruleset.clause("round_time_ms"),
        ).hinted(N_("{command} says so"), command=once_more("--minutes", 90))  # fmt: skip
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
    key = one.key
    body: dict[str, Json] = {"stage": key.stage, "round": key.round}
    if anyway:
        body["anyway"] = anyway
    drafts = [Draft(CLOSED, body, f"{CLOSED}:{key.stage}:{key.round}")]
    expect_home(state, (), drafts)
    if not anyway:
        _expect_complete(one)
        _expect_confirmed(state, one)
    return Change(drafts, f"closed nevertheless: {anyway}" if anyway else "every result is in")


def reopen(seen: Seen, key: RoundKey, why: str) -> Change:
    """A closed round is worked on again; who goes on because of it stands. Refused once a later round is seated, for
    people may be playing there: a result of the closed round is then corrected as it is.
    """
    state = seen.state
    if round_of(state, key).closed is None:
        raise Refused(N_("{round} is not closed"), round=round_said(*key))
    later = list(state.rounds)[list(state.rounds).index(key) + 1 :]
    begun = next((one for one in later if state.rounds[one].seating), None)
    if begun is not None:
        raise Refused(
            N_("{round} stays closed: {later} is seated already; a result of {round} is corrected all the same, with a "
               "reason"),
            round=round_said(*key), later=round_said(*begun),
        ).hinted(N_("{command} does that"), command=correcting(key.text, "TABLE", "GAME"))  # fmt: skip
    return Change(taken_back(seen.decisions, f"{CLOSED}:{key.stage}:{key.round}"), why)


def to_be_confirmed(state: Tournament) -> list[tuple[RoundKey, int]]:
    """Tables with a result that was corrected in a closed round and lacks the second person whom closing it asks for,
    in the order of play.
    """
    rounds = state.rounds.values() if state.ruleset.check_results == REQUIRED else ()
    return [
        (one.key, table)
        for one in rounds
        for table in sorted({at.table for at in one.corrected() if one.results[at].confirmed is None})
    ]


def expect_corrections_confirmed(state: Tournament) -> None:
    """Refused while there are any: what comes next would rest on them."""
    found = to_be_confirmed(state)
    if found:
        key, table = found[0]
        raise Refused(
            N_("{round} was corrected after it was closed: a second person must confirm tables {tables} ({clause})"),
            round=round_said(*key), tables=tables_words([there for at, there in found if at == key]),
            clause=state.ruleset.clause("check_results"),
        ).hinted(
            N_("{command} records that"),
            command=typed("results", "confirm", EVENT, table, "--round", key.text, "--who", "NAME"),
        )  # fmt: skip


def unconfirmed(one: Round) -> list[int]:
    """Tables with results that no second person has confirmed."""
    return sorted({at.table for at, result in one.results.items() if result.confirmed is None})


def games_by_table(games: Iterable[GameAt]) -> DalejError:
    """Which games of which tables, in words; tables with the same ones together."""
    at_tables = {
        table: tuple(at.game for at in there) for table, there in groupby(sorted(games), key=lambda at: at.table)
    }
    tables = {one: [table for table, other in at_tables.items() if other == one] for one in at_tables.values()}
    return together([
        DalejError(N_("table {tables}: {games}") if len(at) == 1 else N_("tables {tables}: {games}"),
                   tables=tables_words(at), games=", ".join(map(str, one)))
        for one, at in tables.items()
    ])  # fmt: skip


def together(parts: Sequence[DalejError]) -> DalejError:
    """Several things to say, said in one sentence."""
    first, *rest = parts
    return DalejError("{first}; {rest}", first=first, rest=together(rest)) if rest else first


def _expect_complete(one: Round) -> None:
    missing = one.missing()
    if missing:
        raise Refused(
            N_("{round} lacks results of games: {missing}"),
            round=round_said(*one.key), missing=games_by_table(missing),
        ).hinted(
            N_("{command} asks for them, {anyway} closes it all the same"),
            command=typed("results", "enter", EVENT), anyway=once_more("--anyway", REASON),
        )  # fmt: skip


def _expect_confirmed(state: Tournament, one: Round) -> None:
    tables = unconfirmed(one) if state.ruleset.check_results == REQUIRED else []
    if tables:
        raise Refused(
            N_("{round}: a second person must confirm tables {tables} ({clause})"),
            round=round_said(*one.key), tables=tables_words(tables), clause=state.ruleset.clause("check_results"),
        ).hinted(
            N_("{command} shows and records them all, {anyway} closes it all the same"),
            command=typed("results", "confirm", EVENT, "--who", "NAME"), anyway=once_more("--anyway", REASON),
        )  # fmt: skip


@dataclass(frozen=True, slots=True)
class Closing:
    """`copy`: of the event; `problem`: why there is none. The round stays closed if the copy cannot be made."""

    key: RoundKey
    made: Sequence[Decision]
    copy: Path
    problem: DalejError | None


def close_round(event: Event, anyway: str = "") -> Closing:
    """Closes the round at work; Refused as `rounds.close` says."""
    key = seated(event.state()).key
    made = event.change(lambda state: close(state, anyway))
    return Closing(key, made, backup_of(event.ledger.path, key), _copied(event, key))


def copies(event: Event, made: Iterable[Decision]) -> DalejError | None:
    """Where these decisions are about results of rounds that are closed, the copies that their closing left, and those
    of later ones, are written anew, so that none lacks them; else what hinders that.
    """
    about = {(one.body["stage"], one.body["round"]) for one in made if one.kind == RESULT}
    if not about:
        return None
    keys = [key for key, one in event.state().rounds.items() if one.closed is not None]
    first = next((place for place, key in enumerate(keys) if tuple(key) in about), len(keys))
    problems = [problem for key in keys[first:] if (problem := _copied(event, key)) is not None]
    return DalejError(N_("no copy was made: {problem}"), problem=problems[0]) if problems else None


def _copied(event: Event, key: RoundKey) -> DalejError | None:
    try:
        event.ledger.backup(backup_of(event.ledger.path, key), overwrite=True)
    except DalejError as problem:
        return problem
    return None


def backup_of(event: Path, key: RoundKey) -> Path:
    """Where the copy of a closed round lies."""
    return event.with_name(f"{event.stem}.{key.stage}-{key.round}.backup.dalej")


def reopen_round(event: Event, at: RoundKey, why: str) -> list[Decision]:
    """Opens it again; Refused as `rounds.reopen` says."""
    return event.change_seen(lambda seen: reopen(seen, at, why))


def usual_minutes(state: Tournament) -> str:
    """How long the round is: as the ruleset says, else as long as the last one that had a clock; "" if nobody knows."""
    length_ms = state.ruleset.round_time_ms
    if length_ms is None:
        clocks = [one.clock for one in state.rounds.values() if one.clock is not None]
        length_ms = max(clocks, key=lambda clock: clock.starts_ms).length_ms if clocks else None
    return "" if length_ms is None else str(length_ms // 60_000)


def tables_words(tables: Collection[int]) -> str:
    """`1, 2, 5–8`; of very many the first ones."""
    parts: list[str] = []
    for _apart, run in groupby(enumerate(sorted(tables)), key=lambda one: one[1] - one[0]):
        there = [table for _place, table in run]
        parts += [f"{there[0]}–{there[-1]}"] if len(there) >= RUN else map(str, there)
    first = ", ".join(parts[:NAMED])
    return first if len(parts) <= NAMED else f"{first}, …"
