"""What the organiser does next, as the event stands."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from dalej.domain.tournament.stages import round_said
from dalej.domain.tournament.tournament import Round, Tournament
from dalej.office import advancing
from dalej.office.rounds import REQUIRED, to_be_confirmed, unconfirmed
from dalej.words import N_


@dataclass(frozen=True, slots=True)
class Step:
    """What to do, a template with `{named}` fields, and the command that does it, without the program's name."""

    template: str
    command: tuple[str, ...]
    data: Mapping[str, object] = field(default_factory=dict)


def next_step(state: Tournament, event: str) -> Step:
    """Always one: at the end, the standings."""
    if not any(player.takes_part for player in state.players.values()):
        return Step(N_("sign up players, one by one or from a list"), ("players", "import", event, "sign-ups.csv"))
    one = state.current
    plays = one is not None and one.seating is not None and bool(one.missing())
    if (corrected := to_be_confirmed(state)) and not plays:
        key, table = corrected[0]
        return Step(
            N_("let a second person confirm table {table} of {round}, which was corrected"),
            ("results", "confirm", event, str(table), "--round", key.text), {"round": round_said(*key), "table": table},
        )  # fmt: skip
    if one is not None:
        return _of_round(state, one, event)
    if not state.over:
        return _who_goes_on(state, event)
    return Step(N_("everything is played: print the standings and the diplomas"), ("standings", event))


def _who_goes_on(state: Tournament, event: str) -> Step:
    """With the choice that the text leaves, if it leaves one."""
    _stage, into = advancing.ends_and_follows(state)
    others = advancing.left_open(state, into)
    if not others:
        return Step(N_("say who goes on to the next stage"), ("advance", event))
    return Step(
        N_("say who goes on to the next stage: {takes} players, or {others} where the organiser chooses so [{clause}]"),
        ("advance", event),
        {"takes": into.takes, "others": ", ".join(map(str, others)), "clause": state.ruleset.clause("stages")},
    )  # fmt: skip


def _of_round(state: Tournament, one: Round, event: str) -> Step:
    where = {"round": round_said(*one.key)}
    if one.seating is None:
        return Step(N_("seat {round}"), ("seat", "draw", event), where)
    missing = one.missing()
    if missing and one.clock is None and not one.results:
        length = ("--minutes", "90") if state.ruleset.round_time_ms is None else ()
        return Step(N_("start the clock of {round}"), ("round", "start", event, *length), where)
    if missing:
        table = missing[0].table
        return Step(
            N_("enter the results of table {table}"), ("results", "enter", event, str(table)),
            {**where, "table": table},
        )  # fmt: skip
    if state.ruleset.check_results == REQUIRED and (tables := unconfirmed(one)):
        return Step(
            N_("let a second person confirm table {table}"), ("results", "confirm", event, str(tables[0])),
            {**where, "table": tables[0]},
        )  # fmt: skip
    return Step(N_("close {round}"), ("round", "close", event), where)
