"""Who goes on to the next stage, as a decision."""

from __future__ import annotations

from dataclasses import replace

from dalej.domain.rules.rulesets import Stage
from dalej.domain.tournament import seating, stages
from dalej.domain.tournament.fold import standings
from dalej.domain.tournament.stages import round_said, stage_said
from dalej.domain.tournament.tournament import ADVANCED, Round, RoundKey, Tournament
from dalej.errors import Refused
from dalej.event.event import Change
from dalej.event.ledger import Draft
from dalej.event.ledger.entries import Json
from dalej.hints import EVENT, REASON, once_more, typed, undoing
from dalej.office.players import listed
from dalej.office.rounds import expect_corrections_confirmed
from dalej.words import N_


def advance(state: Tournament, players: int | None = None, anyway: str = "") -> Change:
    """Who plays in the next stage. `players`: how many go on if not as many as the ruleset says, which needs the
    reason `anyway` unless the text leaves that choice.

    Refused before the stage's last round is closed, when nothing comes after it, if a tie at the cut is undecided, or
    if so many cannot sit at tables.
    """
    stage, into = ends_and_follows(state)
    if not anyway:
        expect_corrections_confirmed(state)
    if players is not None and players != into.takes:
        _expect_choice(state, into, players, anyway)
        into = replace(into, takes=players)
    try:
        chosen = _chosen(state, stage, into)
    except Refused as level:
        raise _undecided(state, level) from level
    seating.sizes(len(chosen), state.ruleset.seats_min, state.ruleset.seats_max)
    body: dict[str, Json] = {"stage": into.id, "players": chosen}
    if anyway:
        body["anyway"] = anyway
    why = f"{len(chosen)} go on from {stage.id} to {into.id}"
    return Change([Draft(ADVANCED, body, f"{ADVANCED}:{into.id}")], f"{why}, nevertheless: {anyway}" if anyway else why)


def level_at_the_cut(state: Tournament) -> tuple[int, ...]:
    """Whom the head referee must put in order before anybody can go on; () while nobody waits for that."""
    try:
        stage, into = ends_and_follows(state)
        _chosen(state, stage, into)
    except Refused as level:
        return _level(level)
    return ()


def ordered_alone(state: Tournament, stage: str) -> list[frozenset[int]]:
    """Players among whom an order of those who are level counts, whoever else is level: everybody in the stage, or
    everybody who has played in it; and where the next stage takes the best of each table, each table, and all who are
    left once that is done.
    """
    lines = standings(state, stage)
    everybody = frozenset(line.player for line in lines)
    played = frozenset(line.player for line in lines if not (_unplayed_last(state) and line.absent))
    ids = [one.id for one in state.plan]
    into = state.plan[ids.index(stage) + 1] if stage in ids[:-1] else None
    if into is None or into.by != "table":
        return [everybody, played]
    staying = [player for player in played if state.players[player].gone is None]
    tables = [
        [line.player for line in standings(state, stage, among=set(staying).intersection(table))]
        for table in _last_tables(state, state.plan[ids.index(stage)])
    ]
    most = max(map(len, tables), default=0)
    left = [played.difference(*(table[:best] for table in tables)) for best in range(1, most)]
    return [everybody, played, *map(frozenset, tables), *left]


def _chosen(state: Tournament, stage: Stage, into: Stage) -> list[int]:
    gone = frozenset(number for number, player in state.players.items() if player.gone is not None)
    return stages.advancing(
        stage, into, standings(state, stage.id), _last_tables(state, stage), gone,
        lambda players: standings(state, stage.id, among=players), unplayed_last=_unplayed_last(state),
    )  # fmt: skip


def _last_tables(state: Tournament, stage: Stage) -> seating.Tables:
    last = state.rounds.get(RoundKey(stage.id, stage.rounds))
    return tuple(one.seated for one in last.seating.tables) if last is not None and last.seating is not None else ()


def _unplayed_last(state: Tournament) -> bool:
    return state.ruleset.not_played_advances == "last"


def ends_and_follows(state: Tournament) -> tuple[Stage, Stage]:
    """The stage that has just been played and the one after it; Refused if none has, or nothing follows."""
    current = state.current
    if current is not None:
        raise _entered(state, current) or Refused(N_("{round} is not closed yet"), round=round_said(*current.key))
    if state.over:
        raise Refused(N_("{event} is over: its last round is closed"), event=state.name)
    entered = max(place for place, stage in enumerate(state.plan) if RoundKey(stage.id, 1) in state.rounds)
    return state.plan[entered], state.plan[entered + 1]


def _entered(state: Tournament, current: Round) -> Refused | None:
    """That it is decided who goes on, and how to decide it anew; None once that stage is seated."""
    stage = current.key.stage
    advanced = state.latest.get(f"{ADVANCED}:{stage}")
    if current.key.round > 1 or current.seating is not None or advanced is None:
        return None
    return Refused(
        N_("{stage}: it is settled already who goes on ({players} players)"),
        players=len(state.entrants[stage]), stage=stage_said(stage),
    ).hinted(N_("{steps} settles it anew"), steps=(*undoing([advanced]), once_more()))  # fmt: skip


def _expect_choice(state: Tournament, into: Stage, players: int, anyway: str) -> None:
    """Refused, with the clause, if so many is neither the ruleset's number nor one that it leaves to the organiser."""
    if anyway or players in left_open(state, into):
        return
    said = N_("{takes} go on to the stage {stage} [{clause}], not {players}: to go on knowingly takes a reason")
    if into.takes is None:
        said = N_("everybody goes on to the stage {stage} [{clause}], not {players}: to go on knowingly takes a reason")
    raise Refused(
        said, takes=into.takes or 0, stage=stage_said(into.id), clause=state.ruleset.clause("stages"), players=players
    ).hinted(N_("{command} gives it"), command=once_more("--anyway", REASON))


def left_open(state: Tournament, into: Stage) -> list[int]:
    """Other numbers to go on to that stage that the text lets the organiser choose, for as many players as take part in
    the first one: of 24, eight or sixteen.
    """
    rule = state.ruleset.rule("semifinal_small_up_to")
    others = [*rule.allows, *([rule.original] if rule.organiser else [])]
    rulesets = [replace(state.ruleset, semifinal_small_up_to=one) for one in others if isinstance(one, int)]
    plans = [stages.plan(ruleset, _in_the_first_stage(state)) for ruleset in rulesets]
    found = {stage.takes for plan in plans for stage in plan if stage.id == into.id}
    return sorted(takes for takes in found if takes is not None and takes != into.takes)


def _in_the_first_stage(state: Tournament) -> int:
    """Whoever had a seat in it; before its last round is seated, whoever takes part as well."""
    first = state.plan[0]
    seats = [one.seating for key, one in state.rounds.items() if key.stage == first.id and one.seating]
    seated = {player for seating in seats for at in seating.tables for player in at.seated}
    if len(seats) == first.rounds:
        return len(seated)
    return len(seated | {number for number, player in state.players.items() if player.takes_part})


def _undecided(state: Tournament, level: Refused) -> Refused:
    """The tie with its players' names, and how it is decided."""
    numbers = _level(level)
    named = listed((state.players[number] for number in numbers), whole=True)
    told = Refused(level.template, **level.data | {"level": named}) if named else level
    return told.hinted(
        N_("{command}, the best first, records it"), command=typed("ruling", "tie", EVENT, *numbers, "--why", REASON)
    )


def _level(refused: Refused) -> tuple[int, ...]:
    """The players of a tie; () where another thing was refused."""
    players = refused.data.get("players")
    return tuple(one for one in players if isinstance(one, int)) if isinstance(players, tuple) else ()
