"""A table of a seated round as its box must know it: who plays, which game is next, by which settings.

Simulated halls and real desks set their boxes up by the same plan.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from dalej.domain.facts import SEATS
from dalej.domain.rulesets import Ruleset
from dalej.domain.tablesettings import Choices, settings_for
from dalej.domain.tournament import Round, TableSeats, Tournament
from dalej.ledger import Ledger
from dalej.office.boxes import games_of_round

LEAST: Final = 2  # players at a table that is played
SEAT_A: Final = "seat_a"  # the ruleset's word for: seat A starts the first game


@dataclass(frozen=True, slots=True)
class TablePlan:
    """A table and who sits at it, by seat. `first_game`: the number it begins with; `games`: how many it plays from
    there on, None: without end.
    """

    number: int
    names: Mapping[str, str]
    first_game: int = 1
    games: int | None = None

    @property
    def seats(self) -> str:
        """The letters of the seats that play."""
        return "".join(seat for seat in SEATS if seat in self.names)

    @property
    def starter(self) -> str:
        """Who starts the first game, if seat A starts game 1 and the next seat every later one."""
        return self.seats[(self.first_game - 1) % len(self.seats)]


def configuration(plan: TablePlan, ruleset: Ruleset) -> dict[str, int | str]:
    """The arguments of the `configure` by which the box of that table begins. WrongInput if they make no table."""
    first = plan.starter if ruleset.first_starter == SEAT_A else None
    return configured(ruleset, plan.seats, first, plan.first_game)


def configured(ruleset: Ruleset, seats: str, first: str | None, game: int) -> dict[str, int | str]:
    """The same for any game: these seats in play, this one starts, None: nobody is named."""
    settings = settings_for(ruleset, Choices(seats=seats, first=first))
    return {"game": game, "settings": settings.pack().hex()}


def plans_of(ledger: Ledger, state: Tournament, one: Round) -> list[TablePlan]:
    """What is left to play at each table of a round; [] while nobody sits there. A table where nothing is left, or
    where too few are left, is not among them.
    """
    if one.seating is None:
        return []
    ended = (at.table for at, game in games_of_round(ledger, state, one.key).items() if game.ended is not None)
    over = Counter(ended)
    plans = [_plan(state, one, at, over[at.table]) for at in one.seating.tables]
    return [plan for plan in plans if plan.games and len(plan.names) >= LEAST]


def _plan(state: Tournament, one: Round, at: TableSeats, over: int) -> TablePlan:
    names = {
        seat: state.players[player].name
        for seat, player in zip(SEATS, at.players, strict=True)
        if player and state.players[player].gone is None
    }
    return TablePlan(at.table, names, first_game=over + 1, games=max(0, one.stage.games - over))
