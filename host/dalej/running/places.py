"""Reads the ledger along for a desk that keeps running: which box stands where, what was asked of the boxes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from dalej.boxtables import BoxTables
from dalej.domain.tournament import SEATING, RoundKey
from dalej.domain.tournamentbodies import Body
from dalej.ledger import ASSIGN, REVOKE, SENT, Baseline, Decision, Ledger, OlderFile, Outcome, Request, baseline_of
from dalej.ledger.entries import Json
from dalej.office.boxplaces import BoxPlace, placed

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
