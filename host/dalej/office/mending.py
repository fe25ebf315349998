"""An event that cannot be read: which decision is to blame, and what taking one back would help."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Final

from dalej.domain.tournamentfold import tournament
from dalej.errors import DalejError, Refused
from dalej.ledger import REVOKE, Decision, Draft
from dalej.words import N_

SUSPECTS: Final = 100  # of a large event each look takes its time


def problem_without(decisions: Sequence[Decision], chosen: Sequence[Decision] = ()) -> DalejError | None:
    """What makes the event unreadable once these are taken back; None if nothing does."""
    last = decisions[-1].cursor if decisions else 0
    made = [
        Decision(cursor, REVOKE, one.subject, {}, "", 0, "", one.cursor, None)
        for cursor, one in enumerate(chosen, start=last + 1)
    ]
    try:
        tournament([*decisions, *made])
    except DalejError as problem:
        return problem
    return None


def to_blame(decisions: Sequence[Decision], may_go: Callable[[Decision], bool]) -> Decision:
    """The decision without which the event can be read, else one without which something else is wrong with it: the
    one that the error names, then the latest. Refused if taking back one alone helps nothing.
    """
    problem = problem_without(decisions)
    told = str(problem)
    better: Decision | None = None
    for one in _suspects(decisions, problem, may_go):
        left = problem_without(decisions, [one])
        if left is None:
            return one
        better = one if better is None and str(left) != told else better
    if better is None:
        raise Refused(N_("no decision that is taken back would let the event be read: {problem}"), problem=problem)
    return better


def drafts(decisions: Sequence[Decision], chosen: Sequence[Decision]) -> list[Draft]:
    """A revocation of each, which has seen what was decided on its subject since."""
    latest = {one.subject: one.cursor for one in decisions if one.subject is not None}
    return [
        Draft(REVOKE, {}, one.subject, latest[one.subject] if one.subject is not None else None, one.cursor)
        for one in chosen
    ]


def _suspects(
    decisions: Sequence[Decision], problem: DalejError | None, may_go: Callable[[Decision], bool]
) -> Iterator[Decision]:
    """The one that is named, its kind, the others; of each the latest first."""
    named = None if problem is None else problem.data.get("cursor")
    kinds = {one.kind for one in decisions if one.cursor == named}
    known = [one for one in reversed(decisions) if may_go(one)]
    known.sort(key=lambda one: (one.cursor != named, one.kind not in kinds))
    yield from known[:SUSPECTS]
