"""Reads the ledger along for a desk that keeps running: which box stands where, what was asked of the boxes, and the
round that it sets its boxes up for.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from dalej.domain.rules.rulesets import Ruleset
from dalej.domain.tournament.bodies import Body
from dalej.domain.tournament.tournament import SEATING, Round, RoundKey, Tournament
from dalej.errors import DalejError, Unreachable
from dalej.event.boxplaces import BoxPlace, BoxTables, placed
from dalej.event.event import Event
from dalej.event.ledger import (
    ASSIGN,
    REVOKE,
    SENT,
    Baseline,
    Decision,
    Ledger,
    OlderFile,
    Outcome,
    Request,
    baseline_of,
)
from dalej.event.ledger.entries import Json
from dalej.event.tableplans import LEAST, TablePlan, plans_of, seats_in_play, settings_text

SLICE: Final = 1_000
SLICES_MOST: Final = 10  # in one go: between them the desk has other things to do
SETS_UP: Final = ("configure", "take_over", "end_game")
OF_STATE: Final = ("state", "guard")  # reasons by which a box says that its table was quicker


@dataclass(frozen=True, slots=True)
class Assigned:
    """A standing assignment and its place in the ledger."""

    cursor: int
    baseline: Baseline


@dataclass(slots=True)
class Asked:
    """A request that sets a box up, or makes room for that, and what became of it last: an outcome of the ledger, None:
    nothing yet.
    """

    request: Request
    outcome: Outcome | None = None

    @property
    def result(self) -> str:
        """What became of it; "" while nothing is known."""
        return "" if self.outcome is None else self.outcome.result

    @property
    def reason(self) -> str:
        """Of a refusal."""
        return "" if self.outcome is None else self.outcome.reason

    @property
    def is_open(self) -> bool:
        """Whether the event does not hold yet what became of it; then nothing is asked again."""
        return self.result in ("", SENT)

    @property
    def game(self) -> int:
        """Of a `configure`: the game it sets up, 1 if it says none."""
        game = self.request.args.get("game")
        return game if isinstance(game, int) and game > 0 else 1

    @property
    def settings(self) -> Json:
        """Of a `configure`: what is to be played by."""
        return self.request.args.get("settings")


class Places:
    """The fold. `behind`: there is more to read; `decided` grows with every decision that is read.

    `places` by box; `assigned`: assignments that stand, oldest first; `requests`: how many were ever made.
    """

    def __init__(self, ledger: Ledger) -> None:
        self._ledger = ledger
        self._start()

    def _start(self) -> None:
        self.behind = True
        self.decided = 0
        self.requests = 0
        self.places: Mapping[str, BoxPlace] = {}
        self.assigned: Sequence[Assigned] = ()
        self._tables: BoxTables | None = None  # made when it is asked for
        self._cursor = 0
        self._decisions: dict[int, Decision] = {}
        self._asked: dict[int, Asked] = {}
        self._of_box: dict[str, list[Asked]] = {}

    def read_on(self) -> None:
        """Take in what is new; Unreachable if the ledger cannot be read now."""
        decided = self.decided
        for _ in range(SLICES_MOST):
            try:
                entries = self._ledger.since(self._cursor, SLICE)
            except OlderFile:
                self._start()
                decided = -1
                continue
            for entry in entries:
                self._cursor = entry.cursor
                match entry:
                    case Decision():
                        self.decided += 1
                        self._decisions[entry.cursor] = entry
                    case Request():
                        self._ask(entry)
                    case Outcome() if entry.request in self._asked:
                        self._asked[entry.request].outcome = entry
            self.behind = len(entries) == SLICE
            if not self.behind:
                break
        if self.decided != decided:
            self._tables = None
            standing = self._standing()
            self.places = {one.box: one for one in placed(standing)}
            self.assigned = [Assigned(one.cursor, baseline_of(one)) for one in standing if one.kind == ASSIGN]

    def before(self, place: BoxPlace) -> Assigned | None:
        """The last assignment of the box that stood on that table before this one; None if it was this box, or none."""
        box = self._box_tables().stood_before(place.table, place.cursor)
        of_box = [
            one
            for one in self.assigned
            if (one.baseline.table, one.baseline.box) == (place.table, box) and one.cursor < place.cursor
        ]
        return of_box[-1] if of_box and box != place.box else None

    def table_of_fact(self, box: str, epoch: int, seq: int) -> int | None:
        """The table at which that fact counts; None if it is from before that journal counted at any."""
        return self._box_tables().table_of_fact(box, epoch, seq)

    def is_undone(self, one: Assigned) -> bool:
        """Whether the box was assigned because of a step that has been undone since."""
        return self._box_tables().is_undone(one.baseline.box, one.baseline.epoch, one.baseline.seq + 1)

    def called(self, box: str) -> str:
        """How a person speaks of the box."""
        return self._box_tables().called(box) or box

    def asked(self, box: str, command: str, since: int, result: str | None = None) -> Asked | None:
        """The last request of that kind to that box after a place in the ledger, of those that came to that result."""
        for asked in reversed(self._of_box.get(box, [])):
            if asked.request.cursor <= since:
                return None
            if asked.request.command == command and result in (None, asked.result):
                return asked
        return None

    def seated_first(self, key: RoundKey) -> int:
        """Cursor of the standing decision by which the round was seated at first, 0 if none was."""
        cursors = (one.cursor for one in self._standing() if one.kind == SEATING and Body(one).round_key() == key)
        return min(cursors, default=0)

    def _box_tables(self) -> BoxTables:
        if self._tables is None:
            self._tables = BoxTables()
            for decision in self._decisions.values():
                self._tables.decide(decision)
        return self._tables

    def _standing(self) -> list[Decision]:
        revoked = {one.revokes for one in self._decisions.values() if one.revokes is not None}
        return [one for one in self._decisions.values() if one.cursor not in revoked and one.kind != REVOKE]

    def _ask(self, request: Request) -> None:
        self.requests += 1
        if request.command in SETS_UP and request.box is not None:
            self._asked[request.id] = asked = Asked(request)
            self._of_box.setdefault(request.box, []).append(asked)


class RoundNow:
    """The round that is at work, read again when something was decided. `began`: cursor of the decision that seated it,
    `seated`: of the last one that changed who sits where; 0 while nobody sits. `version` is another one after every
    reading.
    """

    def __init__(self, event: Event, places: Places) -> None:
        self.one: Round | None = None
        self.ruleset: Ruleset | None = None
        self.seated = 0
        self.version = -1
        self._state: Tournament | None = None
        self._event = event
        self._places = places
        self._plans: tuple[int, Mapping[int, TablePlan]] = (-1, {})
        self._settings: dict[tuple[int, int], str | None] = {}  # table and game -> as `settings` says

    def look(self) -> None:
        """Read what was decided since the last look; an event that is played by no rules yet has no round."""
        if self.version == self._places.decided:
            return
        self.version = self._places.decided
        self._plans = (-1, {})
        self._settings = {}
        self.one, self.ruleset, self.seated, self._state = None, None, 0, None
        try:
            state = self._event.state()
        except Unreachable:
            self.version = -1
            raise
        except DalejError:
            return
        self._state, self.ruleset = state, state.ruleset
        current = state.current
        if current is not None and current.seating is not None:
            self.one, self.seated = current, current.seating.mark.cursor

    def began(self) -> int:
        """Games that were begun before this place in the ledger are not of the round; 0: any game may go on."""
        one = self.one
        return 0 if one is None else self._places.seated_first(one.key)

    def plan(self, table: int) -> TablePlan | None:
        """What is left to play at the table, None: nothing, or nobody sits there."""
        if self.one is None:
            return None
        head = self._event.ledger.head()
        if self._plans[0] != head:
            plans = plans_of(self._event.ledger, self._event.state(), self.one)
            self._plans = (head, {plan.number: plan for plan in plans})
        return self._plans[1].get(table)

    def settings(self, table: int, game: int) -> str | None:
        """By what that game of the table is played, as a request holds it; None: nobody sits there, or too few do.
        WrongInput if what the event says makes no settings.
        """
        if (table, game) not in self._settings:
            self._settings[table, game] = self._settings_of(table, game)
        return self._settings[table, game]

    def _settings_of(self, table: int, game: int) -> str | None:
        at = None if self.one is None or self.one.seating is None else self.one.seating.at(table)
        if at is None or self._state is None:
            return None
        seats = seats_in_play(self._state, at)
        return settings_text(self._state.ruleset, seats, game) if len(seats) >= LEAST else None

    def seats(self, table: int) -> bool:
        """Whether somebody sits at the table."""
        return self.one is not None and self.one.seating is not None and self.one.seating.at(table) is not None
