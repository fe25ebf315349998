"""An open event: the ledger, the tournament it holds, and the one way to change it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

from dalej.domain.tournament import Tournament
from dalej.domain.tournamentfold import tournament
from dalej.ledger import Decision, Draft, Ledger, Outrun

ATTEMPTS: Final = 20  # sixty tables' results at once are far fewer desks than this


@dataclass(frozen=True, slots=True)
class Change:
    """Decisions to be made together, and their reason."""

    drafts: Sequence[Draft]
    why: str


class Event:
    """`who` decides; `wall_ms` tells Unix time."""

    def __init__(self, ledger: Ledger, *, who: str, wall_ms: Callable[[], int]) -> None:
        self.ledger = ledger
        self.who = who
        self.wall_ms = wall_ms

    def state(self) -> Tournament:
        """The tournament as it stands now; WrongInput if nobody has said by which ruleset it is played."""
        return self._read()[0]

    def _read(self) -> tuple[Tournament, int]:
        head = self.ledger.head()
        return tournament(self.ledger.decisions()), head

    def change(self, plan: Callable[[Tournament], Change]) -> list[Decision]:
        """Decide what `plan` makes of the event as it stands. If another desk decides something at the same instant,
        `plan` is asked again with that included, so what it wants either still holds or is refused.

        A draft with a subject and without `expects` has seen what `plan` was given.
        """
        for _ in range(ATTEMPTS):
            state, head = self._read()
            wanted = plan(state)
            try:
                return self.ledger.decide_together(
                    [_aware(draft, state) for draft in wanted.drafts],
                    who=self.who, when_ms=self.wall_ms(), why=wanted.why, seen=head,
                )  # fmt: skip
            except Outrun as outrun:
                last = outrun
        raise last


def _aware(draft: Draft, state: Tournament) -> Draft:
    if draft.subject is None or draft.expects is not None or draft.revokes is not None:
        return draft
    latest = state.latest.get(draft.subject)
    return draft if latest is None else draft._replace(expects=latest)
