"""What was decided from the numbers of a round that are corrected, or worked on again, later: seats, and who goes on.

It stands, for people play by it, and is named; deciding it anew is a step of its own, as long as nothing was played.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final

from dalej.domain import stages
from dalej.domain import tournament as kinds
from dalej.domain.stagewords import round_said, stage_said
from dalej.domain.tournament import Round, RoundKey, Tournament
from dalej.domain.tournamentfold import standings
from dalej.errors import DalejError
from dalej.office.commands import EVENT, Command, typed, undoing
from dalej.office.event import Seen
from dalej.office.grounds import PLAYED, in_rounds, steps_of
from dalej.office.players import listed
from dalej.words import N_

BY_NUMBERS: Final = ("rank", "snake")  # methods of seating
_STANDS: Final = N_("{what} stands as it was decided from the old numbers")


@dataclass(frozen=True, slots=True)
class Stands:
    """`what`: a part of a sentence. `anew`: what is typed, one after the other, to decide that anew; (): too late.
    `otherwise`: how it would be decided now, None: the same, or not looked at.
    """

    what: DalejError
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
    return Stands(what, (typed("seat", "draw", EVENT, "--again"),) if free else ())


def _cut(seen: Seen, key: RoundKey, stage: str) -> Stands:
    state, before = seen.state, key.stage
    number = state.latest[f"{kinds.ADVANCED}:{stage}"]
    what = DalejError(N_("who plays in {stage} (number {number})"), stage=stage_said(stage), number=number)
    return Stands(what, _steps_back(seen, key, stage, number), _otherwise(state, before, stage, number))


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
    there = in_rounds(seen, [at for at in seen.state.rounds if at.stage == stage])
    if any(one.kind in PLAYED for one in there):
        return ()
    one = seen.state.rounds[key]
    close = () if one.closed is not None else (typed("round", "close", EVENT),)
    return (*undoing([*steps_of(there), number]), *close, typed("advance", EVENT))
