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
from dalej.event.boxplaces import STAND, BoxPlace, BoxTables, placed
from dalej.event.event import Event
from dalej.event.ledger import ASSIGN, Baseline, Reported, baseline_of
from dalej.event.reading import Asked, Reading
from dalej.event.tableplans import LEAST, TablePlan, plans_of, seats_in_play, settings_text
from dalej.event.tables import Tables

OF_STATE: Final = ("state", "guard")  # reasons by which a box says that its table was quicker


@dataclass(frozen=True, slots=True)
class Assigned:
    """A standing assignment and its place in the ledger."""

    cursor: int
    baseline: Baseline


def game_of(asked: Asked) -> int:
    """Of a `configure`: the game it sets up, 1 if it says none."""
    game = asked.request.args.get("game")
    return game if isinstance(game, int) and game > 0 else 1


class Places:
    """`decided`: another number when something was decided.

    `places` by box; `assigned`: assignments that stand, oldest first.
    """

    def __init__(self, event: Event) -> None:
        self.decided = -1
        self.places: Mapping[str, BoxPlace] = {}
        self.assigned: Sequence[Assigned] = ()
        self._event = event
        self.read_on()

    def reading(self) -> Reading:
        """What the event holds by now."""
        return self._event.read()

    def read_on(self) -> None:
        """Take in what is new; Unreachable if the ledger cannot be read now."""
        reading = self.reading()
        if reading.decided != self.decided:
            self.decided = reading.decided
            self.places = {one.box: one for one in placed(reading.decisions(STAND, standing=True))}
            self.assigned = [Assigned(one.cursor, baseline_of(one)) for one in reading.decisions(ASSIGN, standing=True)]

    def before(self, place: BoxPlace) -> Assigned | None:
        """The last assignment of the box that stood on that table before this one; None if it was this box, or none."""
        box = self._boxes().stood_before(place.table, place.cursor)
        of_box = [
            one
            for one in self.assigned
            if (one.baseline.table, one.baseline.box) == (place.table, box) and one.cursor < place.cursor
        ]
        return of_box[-1] if of_box and box != place.box else None

    def table_of_fact(self, box: str, epoch: int, seq: int) -> int | None:
        """The table at which that fact counts; None if it is from before that journal counted at any."""
        boxes = self._boxes()
        return boxes.table_of_fact(box, epoch, seq) if boxes.counted(box, epoch) else None

    def is_undone(self, one: Assigned) -> bool:
        """Whether the box was assigned because of a step that has been undone since."""
        return self._boxes().is_undone(one.baseline.box, one.baseline.epoch, one.baseline.seq + 1)

    def called(self, box: str) -> str:
        """How a person speaks of the box."""
        return self._boxes().called(box) or box

    def facts(self, box: str, epoch: int) -> Sequence[Reported]:
        """All that the journal has told, in the order of the box."""
        journal = self.reading().fold(Tables).journal(box, epoch)
        return () if journal is None else journal.facts

    def asked(self, box: str, command: str, since: int, result: str | None = None) -> Asked | None:
        """The last request of that kind to that box after a place in the ledger, of those that came to that result."""
        for asked in reversed(self.reading().asked(box)):
            if asked.request.cursor <= since:
                return None
            if asked.request.command == command and result in (None, asked.result):
                return asked
        return None

    def seated_first(self, key: RoundKey) -> int:
        """Cursor of the standing decision by which the round was seated at first, 0 if none was."""
        seatings = self.reading().decisions(SEATING, standing=True)
        return min((one.cursor for one in seatings if Body(one).round_key() == key), default=0)

    def _boxes(self) -> BoxTables:
        return self.reading().fold(Tables).boxes


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
        head = self._event.read().head
        if self._plans[0] != head:
            plans = plans_of(self._event.read(), self._event.state(), self.one)
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
