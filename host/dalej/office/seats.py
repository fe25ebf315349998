"""Seating a round: who plays, by which method, with whose lot. A draw can be repeated from its seed."""

from __future__ import annotations

import random
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from hashlib import blake2b
from itertools import combinations, groupby
from typing import Final

from dalej.domain import seating, stages, tournamentfold
from dalej.domain.format import Method
from dalej.domain.reasons import Reason
from dalej.domain.seating import Tables
from dalej.domain.stagewords import round_said
from dalej.domain.tournament import SEATING, Round, RoundKey, Tournament
from dalej.errors import DalejError, Refused
from dalej.ledger import Draft
from dalej.ledger.entries import Json
from dalej.office.commands import EVENT, REASON, once_more, typed
from dalej.office.event import Change, Event
from dalej.office.reasons import reason_said
from dalej.office.registering import cited
from dalej.office.rounds import at_work, round_of, together
from dalej.words import N_

CHAIRS: Final = 4
SETTLED: Final = N_("the seating is settled")  # why it is locked, where nothing else is said
BY_LOT: Final = ("lot", "fresh_lot")  # everybody is drawn; by the other methods those who are level, if anybody
SEEDS: Final = 1_000_000  # six digits can be read out and typed again


@dataclass(frozen=True, slots=True, kw_only=True)
class Draw:
    """What an organiser asks for. `order` None: as the stage says; `anyway`: why with so few or so many players;
    `again`: in place of a seating that is there.
    """

    seed: int
    order: Method | None = None
    anyway: str = ""
    again: bool = False


def lot(event: Event) -> int:
    """A seed that nobody has chosen: of the instant, the ledger's place and who draws."""
    told = f"{event.wall_ms()} {event.ledger.head()} {event.who}".encode()
    return int.from_bytes(blake2b(told, digest_size=8).digest(), "big") % SEEDS


def draw(state: Tournament, wanted: Draw) -> Change:
    """The seating of the round to work on. Refused if it is seated and nobody said again, if games have begun or
    somebody locked it, if so many cannot sit at tables, and before the first round if there are too few or too many.
    """
    one = at_work(state)
    if one.seating is not None:
        _expect_asked(state, one, wanted)
        expect_unlocked(one)
        _expect_not_begun(one)
    _expect_enough(state, one, wanted.anyway)
    method = wanted.order or (one.stage.first if one.key.round == 1 else one.stage.later)
    tables, drawn = _tables(state, one, method, random.Random(wanted.seed))
    seed = wanted.seed if drawn else None
    said = f"seated by {method}" if seed is None else f"seated by {method}, seed {seed}"
    why = f"{said}, nevertheless: {wanted.anyway}" if wanted.anyway else said
    body = seating_body(state, one.key, dict(enumerate(tables, start=1)), method, seed)
    if wanted.anyway:
        body["anyway"] = wanted.anyway
    return Change([Draft(SEATING, body, subject(one.key))], why)


def present(state: Tournament, one: Round) -> tuple[int, ...]:
    """Who plays in the round: of those in its stage whoever has not left and is not absent; best first."""
    return tuple(
        number
        for number in state.entrants[one.key.stage]
        if state.players[number].gone is None and number not in one.absent
    )


def counted(state: Tournament, one: Round) -> int:
    """How many count as taking part before that round, as `players_counted` says."""
    if state.ruleset.players_counted == "signed_up":
        return sum(player.takes_part for player in state.players.values())
    return len(present(state, one))


def lot_has_a_say(state: Tournament, one: Round) -> bool:
    """Whether a seed may change who sits where in that round."""
    method = one.stage.first if one.key.round == 1 else one.stage.later
    return method in BY_LOT or (method != "table" and state.ruleset.level_seating == "lot")


def met_before(state: Tournament, key: RoundKey) -> Mapping[frozenset[int], int]:
    """Who has sat at one table how often in the rounds of that stage before."""
    before = {other: one for other, one in state.rounds.items() if other.stage == key.stage and other.round < key.round}
    return tournamentfold.met(replace(state, rounds=before), key.stage)


def repeated(state: Tournament, key: RoundKey) -> list[tuple[int, int]]:
    """Pairs who sit together in the round and have met in that stage before."""
    seats = round_of(state, key).seating
    met = met_before(state, key)
    pairs = (pair for table in (seats.tables if seats else ()) for pair in combinations(table.seated, 2))
    return [pair for pair in pairs if met.get(frozenset(pair), 0)]


def subject(key: RoundKey) -> str:
    """What seatings of that round are about."""
    return f"{SEATING}:{key.stage}:{key.round}"


def seating_body(
    state: Tournament, key: RoundKey, tables: Mapping[int, Sequence[int]], how: str, seed: int | None
) -> dict[str, Json]:
    """A seating as it is decided; `tables`: players at seats A to D by table, 0 an empty chair."""
    written: list[Json] = []
    for table, players in sorted(tables.items()):
        chairs = [*players, *[0] * (CHAIRS - len(players))]
        names = [state.players[player].name if player else "" for player in chairs]
        written.append({"table": table, "players": chairs, "names": names})
    return {"stage": key.stage, "round": key.round, "how": how, "seed": seed, "tables": written}


def expect_unlocked(one: Round, tables: Collection[int] | None = None) -> None:
    """Refused, with who locked it, if somebody did, or if a result is in, of these tables or of any (None)."""
    key, locked = one.key, one.seating and one.seating.locked
    if locked:
        said = N_("{round}: {who} has locked the seating ({why})")
        if locked.why == SETTLED:
            said = N_("{round}: {who} has locked the seating")
        raise Refused(said, who=locked.who, round=round_said(*key), why=reason_said(locked.why)).hinted(
            N_("{command} lets it be changed again"), command=typed("seat", "lock", EVENT, "--off")
        )
    entered = [result for at, result in one.results.items() if tables is None or at.table in tables]
    if entered:
        first = min(entered, key=lambda result: result.mark.cursor)
        stays = N_("{round}: the seating stays, {who} has entered a result")
        if tables is not None:
            stays = N_("{round}: the seating of table {table} stays, {who} has entered a result of it")
        raise Refused(stays, who=first.mark.who, table=first.at.table, round=round_said(*key))


def _expect_not_begun(one: Round) -> None:
    if one.clock is not None:
        raise Refused(
            N_("{round}: the seating stays, {who} has started the round"),
            who=one.clock.mark.who, round=round_said(*one.key),
        )  # fmt: skip


def _expect_asked(state: Tournament, one: Round, wanted: Draw) -> None:
    if one.seating is not None and not wanted.again:
        knowingly = ("--anyway", REASON) if _too_few_or_many(state, one, wanted.anyway) else ()
        raise Refused(
            N_("{round}: {who} has seated it already"),
            who=one.seating.mark.who, round=round_said(*one.key),
        ).hinted(N_("{command} seats it anew"), command=once_more("--again", *knowingly))  # fmt: skip


def _expect_enough(state: Tournament, one: Round, anyway: str) -> None:
    """Whether so many as are there may play is asked once, before the first round."""
    if remarks := _too_few_or_many(state, one, anyway):
        raise Refused(
            N_("{remark}; to go on knowingly takes a reason"),
            remark=together([_quoted(one, state.ruleset.language) for one in remarks]),
        ).hinted(N_("{command} gives it"), command=once_more("--anyway", REASON))


def _too_few_or_many(state: Tournament, one: Round, anyway: str) -> list[Reason]:
    if one.key != RoundKey(state.plan[0].id, 1) or anyway:
        return []
    return stages.remarks(state.ruleset, counted(state, one), closed=state.closed)


def _quoted(reason: Reason, language: str) -> DalejError:
    said = DalejError(reason.template, **reason.data)
    return DalejError("{said} {citation}", said=said, citation=cited(reason.clause, reason.quote, language))


def _tables(state: Tournament, one: Round, method: Method, lot: random.Random) -> tuple[Tables, bool]:
    """The tables, and whether the lot had a say."""
    players, rules = present(state, one), state.ruleset
    sizes = seating.sizes(len(players), rules.seats_min, rules.seats_max)
    if method == "lot":
        return seating.by_lot(sorted(players), sizes, lot), True
    if method == "fresh_lot":
        return seating.fresh_lot(sorted(players), sizes, met_before(state, one.key), lot), True
    if method == "table":
        return seating.by_rank(sorted(players), sizes), False
    groups = _by_strength(state, one, players)
    drawn = rules.level_seating == "lot" and any(len(group) > 1 for group in groups)
    order = _ordered(groups, lot if drawn else None)
    return (seating.snake if method == "snake" else seating.by_rank)(order, sizes), drawn


def _by_strength(state: Tournament, one: Round, players: Sequence[int]) -> list[list[int]]:
    """Players best first, those who are level together."""
    key = one.key
    if key.round > 1:
        lines = tournamentfold.standings(state, key.stage, through=key.round - 1)
        place = {line.player: line.place for line in lines}
        order = sorted(players, key=lambda player: place.get(player, len(state.players) + 1))
    else:
        place, order = _places_before(state, key.stage), list(players)
    return [list(group) for _, group in groupby(order, key=lambda player: place.get(player, 0))]


def _places_before(state: Tournament, stage: str) -> dict[int, int]:
    """Places in the stage before this one; its entrants stand in that order already."""
    ids = [each.id for each in state.plan]
    before = ids.index(stage) - 1
    if before < 0:
        return {}
    return {line.player: line.place for line in tournamentfold.standings(state, ids[before])}


def _ordered(groups: Iterable[list[int]], lot: random.Random | None) -> list[int]:
    """Everybody in one row; who is level by lot, without one by sign-up."""
    order: list[int] = []
    for group in groups:
        level = sorted(group)
        if lot is not None:
            lot.shuffle(level)
        order += level
    return order
