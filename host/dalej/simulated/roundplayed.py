"""The round that the office has seated, as a simulated hall plays it: its tables, its rules, and when it ends."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from typing import Final

from dalej.clock import Clock, ManualClock
from dalej.domain.facts import SEATS
from dalej.domain.rulesets import Ruleset
from dalej.domain.stagewords import round_said
from dalej.domain.tournament import CLOCK, CLOSED, Round, RoundKey, TableSeats, Tournament
from dalej.errors import Refused, Unreachable
from dalej.ledger import NO_LINK, Decision, Entry, Ledger, Request
from dalej.office import rounds
from dalej.office.boxes import games_of_round
from dalej.office.event import Event
from dalej.office.roundclock import FINAL_LAP, ROUND_TIME
from dalej.simulated.hall import WHO, Hall
from dalej.simulated.players import Habits
from dalej.simulated.seating import TablePlan
from dalej.words import N_

LEAST: Final = 2  # players at a table that is played
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


def round_of(ledger: Ledger) -> RoundPlayed:
    """What is left to play of the round that is at work. Refused if nobody is seated in it, or it is played."""
    seen = Event(ledger, who="", wall_ms=lambda: 0).seen()
    one = rounds.seated(seen.state)
    seating = rounds.seating_of(one)
    over = _games_over(ledger, seen.state, one)
    plans = [_plan(seen.state, one, at, over[at.table]) for at in seating.tables]
    tables = tuple(plan for plan in plans if plan.games and len(plan.names) >= LEAST)
    if not tables:
        raise Refused(N_("{round}: every game has been played at the boxes"), round=round_said(*one.key))
    return RoundPlayed(one.key, seen.state.ruleset, tables, seating.mark.when_ms, seen.head)


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
    _end_old_requests(ledger, clock)
    called = TimeCalled(ledger, played.key)
    return Hall(
        ledger, played.ruleset, clock, tables=played.tables, moves=moves, seed=seed, habits=habits, links=links,
        poll_ms=poll_ms, lease_ttl_ms=LEASE_MS, begins=called.may_begin, seen=played.head,
    )  # fmt: skip


def _end_old_requests(ledger: Ledger, clock: Clock) -> None:
    """What was asked while no hall was there is not carried out hours later: it had no link."""
    held = ledger.lease.acquire(WHO, clock.wall_ms(), _WHILE_MS)
    try:
        for request in ledger.open_requests():
            ledger.outcome(request.id, NO_LINK, at_ms=clock.wall_ms(), token=held.token)
    finally:
        ledger.lease.release(held)


class TimeCalled:
    """Whether a new game of the round may begin: not once the boxes were asked for the final lap because the round's
    time is over, nor once the round is closed; again when its clock is started anew, or it is reopened.
    """

    def __init__(self, ledger: Ledger, key: RoundKey) -> None:
        self._ledger = ledger
        self._key = key
        self._cursor = ledger.head()
        self._over = False
        self._closed: int | None = None

    def may_begin(self) -> bool:
        """As the ledger has it now."""
        with suppress(Unreachable):  # then as it was
            while entries := self._ledger.since(self._cursor):
                for entry in entries:
                    self._take(entry)
                self._cursor = entries[-1].cursor
        return not self._over and self._closed is None

    def _take(self, entry: Entry) -> None:
        if isinstance(entry, Request):
            if entry.command == FINAL_LAP and entry.args.get("reason") == ROUND_TIME:
                self._over = True
        elif isinstance(entry, Decision):
            if entry.kind == CLOSED and self._is_this(entry.body):
                self._closed = entry.cursor
            elif entry.kind == CLOCK and self._is_this(entry.body):
                self._over = False
            elif entry.revokes is not None and entry.revokes == self._closed:
                self._closed = None

    def _is_this(self, body: Mapping[str, object]) -> bool:
        return (body.get("stage"), body.get("round")) == self._key


def _games_over(ledger: Ledger, state: Tournament, one: Round) -> Counter[int]:
    """How many games boxes have seen to their end, by table."""
    over = [at.table for at, game in games_of_round(ledger, state, one.key).items() if game.ended is not None]
    return Counter(over)


def _plan(state: Tournament, one: Round, at: TableSeats, over: int) -> TablePlan:
    names = {
        seat: state.players[player].name
        for seat, player in zip(SEATS, at.players, strict=True)
        if player and state.players[player].gone is None
    }
    return TablePlan(at.table, names, first_game=over + 1, games=max(0, one.stage.games - over))
