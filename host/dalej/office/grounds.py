"""What rests on a decision: whoever takes it back must first take back what was built on it. And what was decided
from the numbers of a round that are corrected, or worked on again, later: seats, and who goes on.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final

from dalej.domain.tournament import stages
from dalej.domain.tournament import tournament as kinds
from dalej.domain.tournament.bodies import Body
from dalej.domain.tournament.fold import standing, standings
from dalej.domain.tournament.stages import round_said, stage_said
from dalej.domain.tournament.tournament import Round, RoundKey, Tournament
from dalej.errors import Command, DalejError, Refused
from dalej.event.event import Seen
from dalej.event.ledger import Decision
from dalej.hints import EVENT, correcting, typed, undoing
from dalej.office.decisionwords import names_in, told
from dalej.office.players import listed
from dalej.words import N_

_ON_A_SEATING: Final = frozenset(
    {kinds.LOCKED, kinds.CLOCK, kinds.RESULT, kinds.CONFIRMED, kinds.CLOSED, kinds.TABLE_RULING}
)
_PLAYED: Final = frozenset({kinds.RESULT, kinds.CONFIRMED, kinds.CLOSED, kinds.TABLE_RULING})
_ON_THEIR_OWN: Final = frozenset({kinds.SEATING, kinds.LOCKED, kinds.CLOCK, kinds.ABSENT, kinds.ADVANCED})
_OF_A_ROUND: Final = _ON_A_SEATING | {kinds.SEATING, kinds.ABSENT}


def expect_free(seen: Seen, chosen: Sequence[Decision]) -> None:
    """Refused, naming the first decision that stands and rests on one of these."""
    cursors = {one.cursor for one in chosen}
    others = [one for one in standing(seen.decisions) if isinstance(one, Decision) and one.cursor not in cursors]
    for one in chosen:
        resting = next(_resting(seen, one, others), None)
        if resting is not None:
            names = names_in(seen.decisions)
            problem = Refused(
                N_("number {number} ({what}) cannot be taken back: number {later} ({resting}) rests on it"),
                number=one.cursor, what=told(one, names), later=resting.cursor, resting=told(resting, names),
            )  # fmt: skip
            raise _with_what_helps(seen, problem, one, resting)


def _in_rounds(seen: Seen, keys: Collection[RoundKey]) -> list[Decision]:
    """What stands of those rounds."""
    return [
        one for one in standing(seen.decisions)
        if isinstance(one, Decision) and one.kind in _OF_A_ROUND and Body(one).round_key() in keys
    ]  # fmt: skip


def _steps_of(decisions: Sequence[Decision]) -> list[int]:
    """One number of each step, the latest first: what was decided together is taken back together."""
    steps = {(one.who, one.when_ms, one.why): one.cursor for one in decisions}
    return sorted(steps.values(), reverse=True)


def _with_what_helps(seen: Seen, problem: Refused, one: Decision, resting: Decision) -> Refused:
    """A result of a closed round is corrected; what else rests on it, and carries nothing itself, goes first."""
    body = Body(one)
    if one.kind == kinds.RESULT:
        return problem.hinted(N_("{command} corrects it"), command=correcting(body.round_key().text, *body.game_at()))
    if one.kind == kinds.CLOSED:
        return problem.hinted(
            N_("{command} corrects a result of it all the same"),
            command=correcting(body.round_key().text, "TABLE", "GAME"),
        )
    others = [each for each in standing(seen.decisions) if isinstance(each, Decision) and each is not resting]
    if resting.kind in _ON_THEIR_OWN and next(_resting(seen, resting, others), None) is None:
        problem.hinted(N_("{steps} takes that back first"), steps=undoing([resting.cursor]))
    return problem


def _resting(seen: Seen, one: Decision, others: Sequence[Decision]) -> Iterator[Decision]:
    later = [other for other in others if other.cursor > one.cursor]
    body = Body(one)
    match one.kind:
        case kinds.EVENT | kinds.RULESET:
            if not any(other.kind == one.kind for other in others):
                yield from later
        case kinds.PLAYER:
            if not any(other.kind == one.kind and other.subject == one.subject for other in others):
                yield from _mentioning(body.number("player"), later)
        case kinds.WAITING if not body.flag("waits"):
            yield from _mentioning(body.number("player"), later)
        case kinds.SEATING:
            yield from _in_round(body.round_key(), later, _ON_A_SEATING)
        case kinds.TABLE_RULING:
            yield from (other for other in later if other.kind == one.kind and other.body.get("instead") == one.cursor)
        case kinds.RESULT:
            yield from _in_round(body.round_key(), later, {kinds.CLOSED})
        case kinds.CLOSED:
            yield from _after_round(seen, body.round_key(), later)
        case kinds.ADVANCED:
            stage = body.text("stage")
            yield from (other for other in later if other.kind in _OF_A_ROUND and Body(other).text("stage") == stage)
        case kinds.TIE:
            following = _next_stage(seen, body.text("stage"))
            yield from (other for other in later if _enters(other, following))


def _mentioning(player: int, later: Sequence[Decision]) -> Iterator[Decision]:
    """Decisions about that player, or that seat or list them."""
    for other in later:
        body = Body(other)
        match other.kind:
            case kinds.SEATING:
                found = any(player in table.seated for table in body.tables())
            case kinds.RESULT:
                found = "racks" in other.body and player in body.seat_players().values()
            case kinds.ADVANCED:
                found = player in body.numbers("players")
            case kinds.TIE:
                found = player in body.numbers("order")
            case _:
                found = other.body.get("player") == player
        if found:
            yield other


def _in_round(key: RoundKey, later: Sequence[Decision], kind: Collection[str]) -> Iterator[Decision]:
    return (other for other in later if other.kind in kind and Body(other).round_key() == key)


def _after_round(seen: Seen, key: RoundKey, later: Sequence[Decision]) -> Iterator[Decision]:
    """What was seated or entered because that round was over."""
    following = _next_stage(seen, key.stage)
    for other in later:
        if _enters(other, following):
            yield other
        elif other.kind == kinds.SEATING:
            seated = Body(other).round_key()
            if seated.stage == key.stage and seated.round > key.round:
                yield other


def _enters(decision: Decision, stage: str | None) -> bool:
    return decision.kind == kinds.ADVANCED and stage is not None and decision.body.get("stage") == stage


def _next_stage(seen: Seen, stage: str) -> str | None:
    ids = [one.id for one in seen.state.plan]
    place = ids.index(stage) + 1 if stage in ids else len(ids)
    return ids[place] if place < len(ids) else None


BY_NUMBERS: Final = ("rank", "snake")  # methods of seating
_STANDS: Final = N_("{what} stands as it was decided from the old numbers")


@dataclass(frozen=True, slots=True)
class Stands:
    """`what`: a part of a sentence, about decision `number`. `anew`: what is typed, one after the other, to decide that
    anew; (): too late. `otherwise`: how it would be decided now, None: the same, or not looked at.
    """

    what: DalejError
    number: int
    anew: tuple[Command, ...] = ()
    otherwise: DalejError | None = None

    @property
    def told(self) -> DalejError:
        """As a sentence without its stop."""
        told = DalejError(_STANDS, what=self.what)
        return told if self.otherwise is None else DalejError("{told}; {now}", told=told, now=self.otherwise)


def decided_from(seen: Seen, key: RoundKey) -> list[Stands]:
    """What stands that was decided from the numbers of that round, in the order of play."""
    state = seen.state
    ids = [one.id for one in state.plan]
    later = [one for at, one in state.rounds.items() if list(state.rounds).index(at) > list(state.rounds).index(key)]
    following = ids[ids.index(key.stage) + 1 : ids.index(key.stage) + 2] if key.stage in ids else []
    found = [_seats(state, one) for one in later if one.key.stage == key.stage and _by_numbers(one)]
    for stage in following:
        if stage in state.entrants:
            found.append(_cut(seen, key, stage))
            found += [_seats(state, one) for one in later if one.key == RoundKey(stage, 1) and _by_numbers(one)]
    return found


def _by_numbers(one: Round) -> bool:
    """Whether who sits where there came of points."""
    if one.seating is None:
        return False
    method = one.stage.first if one.key.round == 1 else one.stage.later
    how = one.seating.how
    return (method if how == "moved" else how) in BY_NUMBERS


def _seats(state: Tournament, one: Round) -> Stands:
    seating = one.seating
    assert seating is not None, "only what is seated stands"
    free = one is state.current and not one.results and one.clock is None and seating.locked is None
    what = DalejError(
        N_("the seating of {round} (number {number})"), round=round_said(*one.key), number=seating.mark.cursor
    )
    return Stands(what, seating.mark.cursor, (typed("seat", "draw", EVENT, "--again"),) if free else ())


def _cut(seen: Seen, key: RoundKey, stage: str) -> Stands:
    state, before = seen.state, key.stage
    number = state.latest[f"{kinds.ADVANCED}:{stage}"]
    what = DalejError(N_("who plays in {stage} (number {number})"), stage=stage_said(stage), number=number)
    return Stands(what, number, _steps_back(seen, key, stage, number), _otherwise(state, before, stage, number))


def _otherwise(state: Tournament, before: str, stage: str, number: int) -> DalejError | None:
    """How it would be decided now, as a part of a sentence; None: the same."""
    was, entered = (next(one for one in state.plan if one.id == name) for name in (before, stage))
    on = state.entrants[stage]
    last = state.rounds[RoundKey(before, was.rounds)].seating
    tables = tuple(one.seated for one in last.tables) if last else ()
    gone = frozenset(one.number for one in state.players.values() if one.gone and one.gone.mark.cursor < number)
    try:
        now = stages.advancing(was, replace(entered, takes=len(on)), standings(state, before), tables, gone)
    except DalejError:
        return DalejError(N_("by the corrected ones there is a tie at the cut"))
    comes, goes = ([state.players[one] for one in some if one not in others] for some, others in ((now, on), (on, now)))
    if not comes:
        return None
    return DalejError(
        N_("by the corrected ones {comes} would play in place of {goes}"),
        comes=listed(comes, whole=True), goes=listed(goes, whole=True),
    )  # fmt: skip


def _steps_back(seen: Seen, key: RoundKey, stage: str, number: int) -> tuple[Command, ...]:
    """Everything of that stage taken back, the latest first, and who goes on decided again."""
    there = _in_rounds(seen, [at for at in seen.state.rounds if at.stage == stage])
    if any(one.kind in _PLAYED for one in there):
        return ()
    one = seen.state.rounds[key]
    close = () if one.closed is not None else (typed("round", "close", EVENT),)
    return (*undoing([*_steps_of(there), number]), *close, typed("advance", EVENT))
