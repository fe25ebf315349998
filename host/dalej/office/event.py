"""An open event: the ledger, the tournament it holds, and the one way to change it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Final

from dalej.domain.tournament import Tournament
from dalej.domain.tournamentfold import tournament
from dalej.errors import DalejError, Damaged, Refused
from dalej.ledger import REVOKE, Decision, Draft, Ledger, Outrun
from dalej.office import waiting
from dalej.office.kept import expect_kept
from dalej.words import N_

ATTEMPTS: Final = 40  # with a pause between them, thirty desks that hammer at once all get their turn


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


def at_once(attempt: int) -> None:
    """No pause: where nobody else decides."""


class _LastRead:
    """The tournament as it was read last."""

    def __init__(self) -> None:
        self.state: Tournament | None = None


class Event:
    """`who` decides; `wall_ms` tells Unix time; `pause(attempt)`, from 1, waits a little before the next attempt."""

    def __init__(
        self, ledger: Ledger, *, who: str, wall_ms: Callable[[], int], pause: Callable[[int], None] = at_once
    ) -> None:
        self.ledger = ledger
        self.who = who
        self.wall_ms = wall_ms
        self.pause = pause
        self._last = _LastRead()

    def by(self, who: str) -> Event:
        """The same event, in which somebody else decides. What either has read, both need not read again, so only one
        of them is used at a time.
        """
        other = Event(self.ledger, who=who, wall_ms=self.wall_ms, pause=self.pause)
        other._last = self._last
        return other

    def state(self) -> Tournament:
        """The tournament as it stands now; WrongInput if nobody has said by which ruleset it is played."""
        return self.seen().state

    def seen(self) -> Seen:
        """The same with the decisions that make it."""
        head = self.ledger.head()
        decisions = self.ledger.decisions()
        self._last.state = state = tournament(decisions, self._last.state)
        return Seen(decisions, state, head)

    def change(self, plan: Callable[[Tournament], Change]) -> list[Decision]:
        """Decide what `plan` makes of the event as it stands. If another desk decides something at the same instant,
        `plan` is asked again with that included, so what it wants either still holds or is refused.

        A place that becomes free by it goes to whoever waits for one, in the same step. A draft with a subject and
        without `expects` has seen what `plan` was given. Refused if the event could not be read any more afterwards, or
        if a round that is seated would be no part of it; a plan without drafts changes nothing.
        """
        return self.change_seen(lambda seen: plan(seen.state))

    def change_seen(self, plan: Callable[[Seen], Change]) -> list[Decision]:
        """The same for a plan that looks at single decisions."""
        for attempt in range(1, ATTEMPTS + 1):
            seen = self.seen()
            wanted = plan(seen)
            when_ms = self._instant(seen, wanted.why)
            drafts = [_aware(draft, seen.state) for draft in (*wanted.drafts, *_moving_up(seen, wanted.drafts))]
            _expect_sound(seen, drafts, self.who, when_ms, wanted.why)
            try:
                return self.ledger.decide_together(
                    drafts, who=self.who, when_ms=when_ms, why=wanted.why, seen=seen.head
                )
            except Outrun as outrun:
                last = outrun
            if attempt < ATTEMPTS:
                self.pause(attempt)
        raise last

    @contextmanager
    def together(self) -> Iterator[None]:
        """What is decided and asked of boxes within is all done, or none of it: if a step is refused, so are those
        before it. Nothing long belongs into it: a desk that records waits.
        """
        before = self._last.state
        try:
            with self.ledger.together():
                yield
        except BaseException:
            self._last.state = before
            raise

    def _instant(self, seen: Seen, why: str) -> int:
        """Now; a millisecond later than a step that would look like a part of this one."""
        now_ms = self.wall_ms()
        last = seen.decisions[-1] if seen.decisions else None
        same = last is not None and (last.who, last.when_ms, last.why) == (self.who, now_ms, why)
        return now_ms + 1 if same else now_ms


def imagined(seen: Seen, drafts: Sequence[Draft], who: str = "", when_ms: int = 0, why: str = "") -> Tournament:
    """The tournament as it would be with these decisions made."""
    made = [
        Decision(cursor, draft.kind, draft.subject, draft.body, who, when_ms, why, draft.revokes, None)
        for cursor, draft in enumerate(drafts, start=seen.head + 1)
    ]
    return tournament([*seen.decisions, *made], seen.state)


def taken_back(decisions: Iterable[Decision], subject: str) -> list[Draft]:
    """Revocations of everything that stands on the subject: of the latest alone, what it replaced would count again."""
    standing = [one for one in decisions if one.subject == subject and one.revoked_by is None and one.kind != REVOKE]
    return [
        Draft(REVOKE, {}, None if one is standing[-1] else f"{REVOKE}:{one.cursor}", revokes=one.cursor)
        for one in standing
    ]


def _moving_up(seen: Seen, drafts: Sequence[Draft]) -> list[Draft]:
    if not drafts:
        return []
    try:
        return waiting.moving_up(imagined(seen, drafts))
    except Damaged:
        return []  # which is said of the drafts themselves


def _expect_sound(seen: Seen, drafts: Sequence[Draft], who: str, when_ms: int, why: str) -> None:
    """Whoever makes a decision that another one contradicts would leave a file that nobody can open, or rounds that
    nobody finds.
    """
    if not drafts:
        return
    try:
        after = imagined(seen, drafts, who, when_ms, why)
    except Damaged as problem:
        reason = problem.data.get("problem")
        raise Refused(
            N_("the event does not allow this: {problem}"),
            problem=reason if isinstance(reason, DalejError) else problem,
        ) from problem
    expect_kept(seen.state, after, taken_back_in(seen.decisions, drafts))


def taken_back_in(decisions: Iterable[Decision], drafts: Iterable[Draft]) -> set[str]:
    """The subjects of what these drafts take back: what is lost with that is meant to be."""
    revoked = {draft.revokes for draft in drafts}
    return {one.subject for one in decisions if one.subject is not None and one.cursor in revoked}


def _aware(draft: Draft, state: Tournament) -> Draft:
    if draft.subject is None or draft.expects is not None or draft.revokes is not None:
        return draft
    latest = state.latest.get(draft.subject)
    return draft if latest is None else draft._replace(expects=latest)
