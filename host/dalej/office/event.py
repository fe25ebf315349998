"""An open event: the ledger, the tournament it holds, and the one way to change it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

from dalej.domain.tournament import Tournament
from dalej.domain.tournamentfold import tournament
from dalej.errors import DalejError, Damaged, Refused
from dalej.ledger import Decision, Draft, Ledger, Outrun
from dalej.words import N_

ATTEMPTS: Final = 20  # sixty tables' results at once are far fewer desks than this


@dataclass(frozen=True, slots=True)
class Change:
    """Decisions to be made together, and their reason."""

    drafts: Sequence[Draft]
    why: str


@dataclass(frozen=True, slots=True)
class Seen:
    """An event as it was read: its decisions, what they make, and the ledger's head before they were read."""

    decisions: list[Decision]
    state: Tournament
    head: int


class Event:
    """`who` decides; `wall_ms` tells Unix time."""

    def __init__(self, ledger: Ledger, *, who: str, wall_ms: Callable[[], int]) -> None:
        self.ledger = ledger
        self.who = who
        self.wall_ms = wall_ms
        self._state: Tournament | None = None  # as it was read last

    def state(self) -> Tournament:
        """The tournament as it stands now; WrongInput if nobody has said by which ruleset it is played."""
        return self.seen().state

    def seen(self) -> Seen:
        """The same with the decisions that make it."""
        head = self.ledger.head()
        decisions = self.ledger.decisions()
        self._state = tournament(decisions, self._state)
        return Seen(decisions, self._state, head)

    def change(self, plan: Callable[[Tournament], Change]) -> list[Decision]:
        """Decide what `plan` makes of the event as it stands. If another desk decides something at the same instant,
        `plan` is asked again with that included, so what it wants either still holds or is refused.

        A draft with a subject and without `expects` has seen what `plan` was given. Refused if the event could not be
        read any more afterwards; a plan without drafts changes nothing.
        """
        return self.change_seen(lambda seen: plan(seen.state))

    def change_seen(self, plan: Callable[[Seen], Change]) -> list[Decision]:
        """The same for a plan that looks at single decisions."""
        for _ in range(ATTEMPTS):
            seen = self.seen()
            wanted = plan(seen)
            drafts = [_aware(draft, seen.state) for draft in wanted.drafts]
            when_ms = self.wall_ms()
            _expect_readable(seen, drafts, self.who, when_ms, wanted.why)
            try:
                return self.ledger.decide_together(
                    drafts, who=self.who, when_ms=when_ms, why=wanted.why, seen=seen.head
                )
            except Outrun as outrun:
                last = outrun
        raise last


def imagined(seen: Seen, drafts: Sequence[Draft], who: str = "", when_ms: int = 0, why: str = "") -> Tournament:
    """The tournament as it would be with these decisions made."""
    made = [
        Decision(cursor, draft.kind, draft.subject, draft.body, who, when_ms, why, draft.revokes, None)
        for cursor, draft in enumerate(drafts, start=seen.head + 1)
    ]
    return tournament([*seen.decisions, *made], seen.state)


def _expect_readable(seen: Seen, drafts: Sequence[Draft], who: str, when_ms: int, why: str) -> None:
    """Whoever makes a decision that another one contradicts would leave a file that nobody can open."""
    if not drafts:
        return
    try:
        imagined(seen, drafts, who, when_ms, why)
    except Damaged as problem:
        reason = problem.data.get("problem")
        raise Refused(
            N_("the event does not allow this: {problem}"),
            problem=reason if isinstance(reason, DalejError) else problem,
        ) from problem


def _aware(draft: Draft, state: Tournament) -> Draft:
    if draft.subject is None or draft.expects is not None or draft.revokes is not None:
        return draft
    latest = state.latest.get(draft.subject)
    return draft if latest is None else draft._replace(expects=latest)
