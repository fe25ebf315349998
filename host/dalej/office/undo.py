"""Taking back what was decided: which decision, what rests on it, what would change. Nothing is erased.

What was decided together in one step is taken back together, unless one decision is named. What is to hold again is
decided again.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from dalej.domain import tournament as kinds
from dalej.domain.rulings import RULING
from dalej.domain.tournament import Tournament
from dalej.errors import DalejError, Refused, WrongInput
from dalej.ledger import REVOKE, Decision, Draft
from dalej.office.effect import effect
from dalej.office.event import Change, Event, Seen, imagined
from dalej.office.grounds import expect_free
from dalej.words import N_, _

UNDOABLE: Final = frozenset({
    kinds.EVENT, kinds.RULESET, kinds.OPTION, kinds.PLAYER, kinds.GONE, kinds.WARNED, kinds.ABSENT, kinds.SEATING,
    kinds.LOCKED, kinds.CLOCK, kinds.RESULT, kinds.CONFIRMED, kinds.CLOSED, kinds.ADVANCED, kinds.TIE,
    kinds.TABLE_RULING, kinds.CLAIM, RULING,
})  # fmt: skip


@dataclass(frozen=True, slots=True)
class Undoing:
    """What would be taken back, latest last, and what would change by it."""

    decisions: tuple[Decision, ...]
    effect: tuple[str, ...]


def proposed(event: Event, number: int | None = None) -> Undoing:
    """What `undo` would do; WrongInput or Refused as there."""
    decisions = event.ledger.decisions()
    chosen = _chosen(decisions, number)
    seen = _seen(event, decisions)
    if seen is None:
        return Undoing(chosen, (_("the event can be read again"),))
    after = _without(seen, chosen)
    return Undoing(chosen, tuple(effect(seen.state, after)))


def undo(event: Event, number: int | None, why: str, expected: Undoing | None = None) -> Undoing:
    """Take back decision `number`, or the latest step. WrongInput: there is none; Refused: later ones rest on it, or it
    is no longer what was `expected`.
    """
    decisions = event.ledger.decisions()
    if _seen(event, decisions) is None:
        chosen = _chosen(decisions, number)
        _expect_same(chosen, expected)
        for one in reversed(chosen):
            event.ledger.revoke(one.cursor, who=event.who, when_ms=event.wall_ms(), why=why)
        return Undoing(chosen, (_("the event can be read again"),))
    done: list[Undoing] = []

    def plan(seen: Seen) -> Change:
        chosen = _chosen(seen.decisions, number)
        _expect_same(chosen, expected)
        done[:] = [Undoing(chosen, tuple(effect(seen.state, _without(seen, chosen))))]
        return Change(_drafts(seen.state, chosen), why)

    event.change_seen(plan)
    return done[0]


def _chosen(decisions: Sequence[Decision], number: int | None) -> tuple[Decision, ...]:
    """The decision of that number, or those of the latest step that still stand."""
    if number is not None:
        found = next((one for one in decisions if one.cursor == number), None)
        _expect_undoable(found, number)
        return () if found is None else (found,)
    standing = [one for one in decisions if one.revoked_by is None and one.kind in UNDOABLE]
    if not standing:
        raise Refused(N_("there is nothing to take back: nothing was decided, or everything is taken back already"))
    last = standing[-1]
    step = tuple(one for one in standing if _same_step(one, last))
    subjects = [one.subject for one in step if one.subject is not None]
    return step if len(set(subjects)) == len(subjects) else (last,)


def _same_step(one: Decision, other: Decision) -> bool:
    """Whether they were decided together: a step has one author, instant and reason."""
    return (one.who, one.when_ms, one.why) == (other.who, other.when_ms, other.why)


def _expect_undoable(found: Decision | None, number: int) -> None:
    if found is None:
        raise WrongInput(
            N_("there is no decision {number}: expected a number that `dalej event history` shows"), number=number
        )
    if found.kind == REVOKE:
        raise Refused(
            N_("number {number} takes back number {revoked}; what is to hold again is decided again"),
            number=number, revoked=found.revokes,
        )  # fmt: skip
    if found.kind not in UNDOABLE:
        raise Refused(
            N_("number {number} ({kind}) is no decision of the tournament office"), number=number, kind=found.kind
        )
    if found.revoked_by is not None:
        raise Refused(N_("number {number} is taken back already, by number {by}"), number=number, by=found.revoked_by)


def _expect_same(chosen: Iterable[Decision], expected: Undoing | None) -> None:
    if expected is None:
        return
    newer = next((one for one in chosen if one not in expected.decisions), None)
    if newer is not None:
        raise Refused(
            N_("{who} has decided something in the meantime ({kind}): {why}"),
            who=newer.who, kind=newer.kind, why=newer.why,
        )  # fmt: skip


def _seen(event: Event, decisions: Sequence[Decision]) -> Seen | None:
    """The event as it can be read; None if it cannot, which taking back what is wrong with it may mend."""
    try:
        return event.seen()
    except DalejError:
        if not decisions:
            raise
        return None


def _without(seen: Seen, chosen: Sequence[Decision]) -> Tournament:
    """The tournament without them; Refused if something that stands rests on one of them."""
    expect_free(seen, chosen)
    try:
        after = imagined(seen, _drafts(seen.state, chosen))
    except DalejError as problem:
        raise Refused(
            N_("number {number} cannot be taken back: {problem}"), number=chosen[-1].cursor, problem=problem
        ) from problem
    lost = next((key for key, one in seen.state.rounds.items() if one.seating and key not in after.rounds), None)
    if lost is not None:
        raise Refused(
            N_("number {number} cannot be taken back: {stage}, round {round} would be no part of the event"),
            number=chosen[-1].cursor, stage=lost.stage, round=lost.round,
        )  # fmt: skip
    return after


def _drafts(state: Tournament, chosen: Sequence[Decision]) -> list[Draft]:
    """A revocation of each. It takes over the subject, and so must have seen what was decided on that since."""
    return [
        Draft(
            REVOKE, {}, one.subject, state.latest.get(one.subject) if one.subject is not None else None, one.cursor
        )
        for one in chosen
    ]  # fmt: skip
