"""The round that the office has seated, as a simulated hall plays it: its tables, its rules, and when it ends."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from contextlib import suppress
from dataclasses import dataclass
from typing import Final

from dalej.clock import ManualClock
from dalej.desk.requests import end_old_requests
from dalej.domain.rules.rulesets import Ruleset
from dalej.domain.tournament.stages import round_said
from dalej.domain.tournament.tournament import CLOCK, CLOSED, RoundKey
from dalej.errors import Refused, Unreachable
from dalej.event.event import state_of
from dalej.event.ledger import Decision, Entry, Ledger, Request
from dalej.event.reading import read
from dalej.event.roundgames import games_of_round
from dalej.event.tableplans import TablePlan, plans_of
from dalej.hints import typed
from dalej.office import rounds
from dalej.office.results import table_of
from dalej.office.roundclock import is_called
from dalej.simulator.hall import WHO, Hall
from dalej.simulator.players import Habits
from dalej.words import N_

LEASE_MS: Final = 60_000  # in the hall's time; one that was killed keeps the links so long
_WHILE_MS: Final = 10_000  # for which the lease is taken


@dataclass(frozen=True, slots=True)
class RoundPlayed:
    """`since_ms`: Unix time before which nobody sat; `head`: of the ledger when it was read."""

    key: RoundKey
    ruleset: Ruleset
    tables: tuple[TablePlan, ...]
    since_ms: int
    head: int

    def clock(self, wall_ms: int) -> ManualClock:
        """The hall's time: it begins at that Unix time, and never before the round was seated."""
        return ManualClock(max(wall_ms, self.since_ms))


def round_of(ledger: Ledger, boxes: Collection[int] | None = None) -> RoundPlayed:
    """What is left to play of the round that is at work, at these tables or, None, at all. Refused if nobody is seated
    in it, or it is played there; WrongInput if it has no such table.
    """
    reading = read(ledger)
    state = state_of(reading)
    one = rounds.seated(state)
    seating = rounds.seating_of(one)
    if boxes is not None:
        for table in boxes:
            table_of(one, table)
    tables = tuple(plan for plan in plans_of(reading, state, one) if boxes is None or plan.number in boxes)
    if not tables:
        raise Refused(N_("{round}: every game has been played at the boxes"), round=round_said(*one.key))
    return RoundPlayed(one.key, state.ruleset, tables, seating.mark.when_ms, reading.head)


def expect_no_results_of_people(ledger: Ledger) -> None:
    """Refused if a result was entered of a game that no simulated box has told of: this event is people's own. In a
    round that simulated boxes have played at some tables, the others have none, and their results are typed.
    """
    reading = read(ledger)
    state = state_of(reading)
    simulated = {one.body.get("box") for one in reading.decisions() if one.who == WHO}
    for one in state.rounds.values():
        games = games_of_round(reading, state, one.key) if one.results else {}
        told = {at for at in games if games[at].box in simulated}
        tables = {at.table for at in told} or {at.table for at in one.results}
        own = [at for at in one.results if at not in told and at.table in tables]
        if own:
            raise Refused(
                N_("{round}: results of {count} games that people played are in this event: simulated boxes do not "
                   "play in it, rehearse in an event of its own"),
                round=round_said(*one.key), count=len(own),
            ).hinted(
                N_("{command} makes one"),
                command=typed("event", "new", "rehearsal.dalej", "--ruleset", state.ruleset.id),
            )  # fmt: skip


def hall_of_round(
    ledger: Ledger,
    played: RoundPlayed,
    clock: ManualClock,
    *,
    seed: int,
    moves: int | None = None,
    habits: Habits | None = None,
    links: int | None = None,
    poll_ms: int | None = None,
) -> Hall:
    """The hall before its first move; see `Hall`. Refused if another process holds the links, or if anybody has decided
    something since `played` was read.
    """
    held = ledger.lease.acquire(WHO, clock.wall_ms(), _WHILE_MS)
    try:
        end_old_requests(ledger, clock, held)
    finally:
        ledger.lease.release(held)
    called = TimeCalled(ledger, played.key, clock.wall_ms)
    return Hall(
        ledger, played.ruleset, clock, tables=played.tables, moves=moves, seed=seed, habits=habits, links=links,
        poll_ms=poll_ms, lease_ttl_ms=LEASE_MS, begins=called.may_begin, seen=played.head,
    )  # fmt: skip


class TimeCalled:
    """Whether a new game of the round may begin: not from the instant for which the boxes were asked for the final lap
    because the round's time is over, nor once the round is closed; again when its clock is started anew, or it is
    reopened. `wall_ms`: the hall's Unix time.
    """

    def __init__(self, ledger: Ledger, key: RoundKey, wall_ms: Callable[[], int]) -> None:
        self._ledger = ledger
        self._key = key
        self._wall_ms = wall_ms
        self._cursor = ledger.head()
        self._over_ms: int | None = None
        self._closed: int | None = None

    def may_begin(self) -> bool:
        """As the ledger has it now."""
        with suppress(Unreachable):  # then as it was
            while entries := self._ledger.since(self._cursor):
                for entry in entries:
                    self._take(entry)
                self._cursor = entries[-1].cursor
        is_over = self._over_ms is not None and self._wall_ms() >= self._over_ms
        return not is_over and self._closed is None

    def _take(self, entry: Entry) -> None:
        if isinstance(entry, Request):
            called_ms = is_called(entry)
            if called_ms is not None and (self._over_ms is None or called_ms < self._over_ms):
                self._over_ms = called_ms
        elif isinstance(entry, Decision):
            if entry.kind == CLOSED and self._is_this(entry.body):
                self._closed = entry.cursor
            elif entry.kind == CLOCK and self._is_this(entry.body):
                self._over_ms = None
            elif entry.revokes is not None and entry.revokes == self._closed:
                self._closed = None

    def _is_this(self, body: Mapping[str, object]) -> bool:
        return (body.get("stage"), body.get("round")) == self._key
