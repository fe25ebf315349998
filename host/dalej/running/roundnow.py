"""The round that a running desk sets its boxes up for, as the event has it now."""

from __future__ import annotations

from collections.abc import Mapping

from dalej.domain.rulesets import Ruleset
from dalej.domain.tournament import Round, Tournament
from dalej.errors import DalejError, Unreachable
from dalej.office.event import Event
from dalej.office.tableplans import LEAST, TablePlan, plans_of, seats_in_play, settings_text
from dalej.running.places import Places


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
