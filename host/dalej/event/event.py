"""An open event: the ledger, the tournament it holds, and the one way to change it.

No change may lose by the way a round that is seated or the stage that was entered. Who signs up once all places are
taken waits, in the order in which they came, and moves up by whatever change makes a place.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Final

from dalej.domain.tournament.fold import tournament
from dalej.domain.tournament.stages import round_said, stage_said
from dalej.domain.tournament.tournament import ADVANCED, PLAYER, SEATING, WAITING, Player, Round, RoundKey, Tournament
from dalej.errors import DalejError, Damaged, Refused
from dalej.event.homes import expect_home
from dalej.event.ledger import REVOKE, Decision, Draft, Entry, Ledger, Outrun
from dalej.event.reading import Reading
from dalej.words import N_


def queue(state: Tournament) -> list[Player]:
    """Who waits, the next to move up first."""
    waits = [(player.waits.cursor, player) for player in state.players.values() if player.waits and not player.gone]
    return [player for _cursor, player in sorted(waits, key=lambda one: one[0])]


def free_places(state: Tournament) -> int | None:
    """How many can still come in; None: the ruleset sets no limit."""
    most = state.ruleset.players_max
    return None if most is None else max(0, most - sum(player.takes_part for player in state.players.values()))


def moving_up(state: Tournament) -> list[Draft]:
    """Places that are free go to who has waited longest; nobody comes in any more once the first stage is seated."""
    first, free = state.plan[0], free_places(state)
    if all(_seated(state, RoundKey(first.id, number)) for number in range(1, first.rounds + 1)):
        return []
    return [waits(player.number, False) for player in queue(state)[:free]]


def waits(number: int, waiting: bool) -> Draft:
    """That the player waits for a place, or has one now."""
    return Draft(WAITING, {"player": number, "waits": waiting}, f"{WAITING}:{number}")


def moved_up(made: Iterable[Decision], state: Tournament) -> list[Player]:
    """Who has moved up by these decisions."""
    numbers = [one.body.get("player") for one in made if one.kind == WAITING and not one.body.get("waits")]
    return [state.players[number] for number in numbers if isinstance(number, int) and number in state.players]


def _seated(state: Tournament, key: RoundKey) -> bool:
    one = state.rounds.get(key)
    return one is not None and (one.seating is not None or one.closed is not None)


def expect_kept(before: Tournament, after: Tournament, taken_back: Collection[str] = ()) -> None:
    """Refused if a round that is seated or a stage that was entered would be no part of the tournament any more,
    unless that very seating or entry is `taken_back` (their subjects).
    """
    for key, one in before.rounds.items():
        if key not in after.rounds and _decided(one) and f"{SEATING}:{key.stage}:{key.round}" not in taken_back:
            raise Refused(N_("{round} would be no part of the event"), round=round_said(*key))
    for stage in [*before.entrants][1:]:
        if stage not in after.entrants and f"{ADVANCED}:{stage}" not in taken_back:
            raise Refused(
                N_("{stage} would be no part of the event, though it is decided who plays in it"),
                stage=stage_said(stage),
            )


def _decided(one: Round) -> bool:
    return bool(one.seating or one.results or one.closed or one.clock)


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


class _Played:
    """The tournament that decisions make. What has not changed since it was asked for last is not scored again."""

    def __init__(self) -> None:
        self._decided: list[Decision] = []
        self._made: tuple[int, Tournament] | None = None

    def take(self, entry: Entry) -> None:
        """The next entry, of whatever kind."""
        if isinstance(entry, Decision):
            self._decided.append(entry)

    def state(self) -> Tournament:
        """As it stands now; WrongInput if nobody has said by which ruleset it is played."""
        at, known = self._made or (-1, None)
        if known is None or at != len(self._decided):
            known = tournament(self._decided, known)
            self._made = len(self._decided), known
        return known


class Event:
    """`who` decides; `wall_ms` tells Unix time; `pause(attempt)`, from 1, waits a little before the next attempt."""

    def __init__(
        self, ledger: Ledger, *, who: str, wall_ms: Callable[[], int], pause: Callable[[int], None] = at_once
    ) -> None:
        self.ledger = ledger
        self.who = who
        self.wall_ms = wall_ms
        self.pause = pause
        self._reading = Reading(ledger)

    def by(self, who: str) -> Event:
        """The same event, in which somebody else decides. What either has read, both need not read again, so only one
        of them is used at a time.
        """
        other = Event(self.ledger, who=who, wall_ms=self.wall_ms, pause=self.pause)
        other._reading = self._reading
        return other

    def read(self) -> Reading:
        """What the event holds now. Unreachable if it cannot be read now."""
        return self._reading.on()

    def state(self) -> Tournament:
        """The tournament as it stands now; WrongInput if nobody has said by which ruleset it is played."""
        return state_of(self.read())

    def seen(self) -> Seen:
        """The same with the decisions that make it."""
        reading = self.read()
        return Seen(reading.decisions(), state_of(reading), reading.head)

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
            expect_home(seen.state, seen.decisions, drafts)
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
        before = self._reading.head
        try:
            with self.ledger.together():
                yield
        except BaseException:
            self._reading.back_to(before)
            raise

    def _instant(self, seen: Seen, why: str) -> int:
        """Now; a millisecond later than a step that would look like a part of this one."""
        now_ms = self.wall_ms()
        last = seen.decisions[-1] if seen.decisions else None
        same = last is not None and (last.who, last.when_ms, last.why) == (self.who, now_ms, why)
        return now_ms + 1 if same else now_ms


def state_of(reading: Reading) -> Tournament:
    """The tournament as it was read; WrongInput if nobody has said by which ruleset it is played."""
    return reading.fold_decisions(_Played).state()


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
    if not drafts or seen.state.home:  # who comes in is decided at the centre
        return []
    may_wait = any(draft.kind in (PLAYER, WAITING) or draft.revokes is not None for draft in drafts)
    if not may_wait and not queue(seen.state):
        return []
    try:
        return moving_up(imagined(seen, drafts))
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
