"""What rests on a decision: whoever takes it back must first take back what was built on it."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from typing import Final

from dalej.domain import tournament as kinds
from dalej.domain.tournament import RoundKey
from dalej.domain.tournamentbodies import Body
from dalej.domain.tournamentfold import standing
from dalej.errors import Refused
from dalej.ledger import Decision
from dalej.office.commands import correcting, undoing
from dalej.office.event import Seen
from dalej.office.history import names_in, told
from dalej.words import N_

_ON_A_SEATING: Final = frozenset(
    {kinds.LOCKED, kinds.CLOCK, kinds.RESULT, kinds.CONFIRMED, kinds.CLOSED, kinds.TABLE_RULING}
)
PLAYED: Final = frozenset({kinds.RESULT, kinds.CONFIRMED, kinds.CLOSED, kinds.TABLE_RULING})
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


def in_rounds(seen: Seen, keys: Collection[RoundKey]) -> list[Decision]:
    """What stands of those rounds."""
    return [
        one for one in standing(seen.decisions)
        if isinstance(one, Decision) and one.kind in _OF_A_ROUND and Body(one).round_key() in keys
    ]  # fmt: skip


def steps_of(decisions: Sequence[Decision]) -> list[int]:
    """One number of each step, the latest first: what was decided together is taken back together."""
    steps = {(one.who, one.when_ms, one.why): one.cursor for one in decisions}
    return sorted(steps.values(), reverse=True)


def _with_what_helps(seen: Seen, problem: Refused, one: Decision, resting: Decision) -> Refused:
    """A result of a closed round is corrected; what else rests on it, and carries nothing itself, goes first."""
    body = Body(one)
    if one.kind == kinds.RESULT:
        return problem.hinted(N_("{command} corrects it"), command=correcting(body.round_key(), *body.game_at()))
    if one.kind == kinds.CLOSED:
        return problem.hinted(
            N_("{command} corrects a result of it all the same"), command=correcting(body.round_key(), "TABLE", "GAME")
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
