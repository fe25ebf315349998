"""Who goes on to the next stage, as a decision."""

from __future__ import annotations

from dataclasses import replace

from dalej.domain import seating, stages
from dalej.domain.format import Stage
from dalej.domain.stagewords import round_said, stage_said
from dalej.domain.tournament import ADVANCED, RoundKey, Tournament
from dalej.domain.tournamentfold import standings
from dalej.errors import Refused
from dalej.ledger import Draft
from dalej.ledger.entries import Json
from dalej.office.event import Change
from dalej.office.players import listed
from dalej.words import N_


def advance(state: Tournament, players: int | None = None, anyway: str = "") -> Change:
    """Who plays in the next stage. `players`: how many go on if not as many as the ruleset says, which needs the
    reason `anyway` unless the text leaves that choice.

    Refused before the stage's last round is closed, when nothing comes after it, if a tie at the cut is undecided, or
    if so many cannot sit at tables.
    """
    stage, into = ends_and_follows(state)
    if players is not None and players != into.takes:
        _expect_choice(state, into, players, anyway)
        into = replace(into, takes=players)
    gone = frozenset(number for number, player in state.players.items() if player.gone is not None)
    last = state.rounds[RoundKey(stage.id, stage.rounds)].seating
    tables = tuple(one.seated for one in last.tables) if last else ()
    try:
        chosen = stages.advancing(stage, into, standings(state, stage.id), tables, gone)
    except Refused as level:
        raise _undecided(state, level) from level
    seating.sizes(len(chosen), state.ruleset.seats_min, state.ruleset.seats_max)
    body: dict[str, Json] = {"stage": into.id, "players": chosen}
    if anyway:
        body["anyway"] = anyway
    why = f"{len(chosen)} go on from {stage.id} to {into.id}"
    return Change([Draft(ADVANCED, body, f"{ADVANCED}:{into.id}")], f"{why}, nevertheless: {anyway}" if anyway else why)


def ends_and_follows(state: Tournament) -> tuple[Stage, Stage]:
    """The stage that has just been played and the one after it; Refused if none has, or nothing follows."""
    current = state.current
    if current is not None:
        raise Refused(N_("{round} is not closed yet"), round=round_said(*current.key))
    if state.over:
        raise Refused(N_("{event} is over: its last round is closed"), event=state.name)
    entered = max(place for place, stage in enumerate(state.plan) if RoundKey(stage.id, 1) in state.rounds)
    return state.plan[entered], state.plan[entered + 1]


def _expect_choice(state: Tournament, into: Stage, players: int, anyway: str) -> None:
    """Refused, with the clause, if so many is neither the ruleset's number nor one that it leaves to the organiser."""
    if anyway or players in _left_open(state, into):
        return
    raise Refused(
        N_("{takes} go on to the stage {stage} [{clause}], not {players}: to go on knowingly takes a reason"),
        takes=into.takes, stage=stage_said(into.id), clause=state.ruleset.clause("stages"), players=players,
    ).hinted(N_("--anyway REASON gives it"))  # fmt: skip


def _left_open(state: Tournament, into: Stage) -> set[int | None]:
    """Other numbers that the ruleset allows for as many players as had a seat in the first stage: of 24, eight or
    sixteen.
    """
    first = [one.seating for key, one in state.rounds.items() if key.stage == state.plan[0].id and one.seating]
    entered = len({player for seats in first for at in seats.tables for player in at.seated})
    others = state.ruleset.rule("semifinal_small_up_to").allows
    rulesets = [replace(state.ruleset, semifinal_small_up_to=one) for one in others if isinstance(one, int)]
    plans = [stages.plan(ruleset, entered) for ruleset in rulesets]
    return {stage.takes for plan in plans for stage in plan if stage.id == into.id}


def _undecided(state: Tournament, level: Refused) -> Refused:
    """The tie with its players' names, and how it is decided."""
    players = level.data.get("players")
    numbers = players if isinstance(players, tuple) else ()
    named = listed((state.players[number] for number in numbers), whole=True)
    told = Refused(level.template, **level.data | {"level": named}) if named else level
    return told.hinted(N_("dalej ruling tie records it"))
