"""The tournament as screens show it beside the boxes: who plays where, results, standings, what comes next; the games
that boxes tell of; and which boxes have the settings as they are now.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Protocol

from dalej.domain.game.games import BoxGame
from dalej.domain.game.rulings import FactKey
from dalej.domain.tournament.tournament import CLAIM, GameAt, Round, Tournament
from dalej.errors import DalejError
from dalej.event.event import Event, Seen, state_of
from dalej.event.ledger import Decision
from dalej.event.roundgames import games_of_round
from dalej.event.tableplans import Given, settings_given
from dalej.event.threads import to_the_end
from dalej.office.rulings import claims_answered
from dalej.office.tableracks import OF_RACKS
from dalej.office.tablewords import OF_WORDS


@dataclass(frozen=True, slots=True)
class Page:
    """An event at one moment. `head`: the ledger's last entry when it was read; what a wish made by it has `seen`.

    `state` None: nobody has said yet by which ruleset it is played, or it could never be read. `problem`: why it cannot
    be read now; what else stands here is then what was read last. `boxes`: what boxes tell of the games of the round at
    work, as of when one of them began or ended. `decisions`: all, for history and undoing; `claims`: which of them
    answered what boxes claim; `by_tables`: what goes on at tables beside their games.
    """

    head: int = 0
    state: Tournament | None = None
    boxes: Mapping[GameAt, BoxGame] = field(default_factory=dict)
    decisions: tuple[Decision, ...] = ()
    claims: Mapping[FactKey, Decision] = field(default_factory=dict)
    by_tables: tuple[Decision, ...] = ()
    problem: DalejError | None = None

    @property
    def round(self) -> Round | None:
        """The round to work on."""
        return None if self.state is None else self.state.current

    @property
    def seen(self) -> Seen | None:
        """The same for plans of the office; None while there is none."""
        return None if self.state is None else Seen(list(self.decisions), self.state, self.head)

    def shows_as(self, other: Page) -> bool:
        """Whether the two are alike but for how far the ledger has been read: facts come in all the time."""
        mine = (self.state, self.boxes, self.decisions, self.problem)
        theirs = (other.state, other.boxes, other.decisions, other.problem)
        return all(one is another for one, another in zip(mine, theirs, strict=True))


class Book(Protocol):
    """What screens ask."""

    @property
    def page(self) -> Page:
        """As it was read last."""

    async def turn(self) -> bool:
        """Read on; whether anything looks different."""


class Sent(Protocol):
    """What the settings screen asks."""

    async def look(self, page: Page) -> Sequence[Given]:
        """Every table of the page's round; DalejError if the ledger cannot be read now."""


class EventBook:
    """A `Book` and a `Sent` on an `Event`. Whoever else uses that event does so with the lock `one_at_a_time`; others
    may read its ledger at the same time.

    Facts of a game that goes on cost nothing but their reading.
    """

    def __init__(self, event: Event, one_at_a_time: asyncio.Lock | None = None) -> None:
        self._event = event
        self._page = Page()
        self._one_at_a_time = one_at_a_time or asyncio.Lock()

    @property
    def page(self) -> Page:
        """As it was read last."""
        return self._page

    async def turn(self) -> bool:
        """Read on in a thread, one at a time; whether anything looks different. Once begun it is read to its end."""
        return await to_the_end(self._turn())

    async def _turn(self) -> bool:
        async with self._one_at_a_time:
            page = await asyncio.to_thread(self._read)
            changed, self._page = not page.shows_as(self._page), page
            return changed

    def _read(self) -> Page:
        page = self._page
        try:
            return self._read_on(page)
        except DalejError as problem:
            same = page.problem is not None and str(page.problem) == str(problem)
            return page if same else replace(page, problem=problem)

    def _read_on(self, page: Page) -> Page:
        reading = self._event.read()
        if reading.head == page.head and page.state is not None and page.problem is None:
            return page
        state = state_of(reading)
        decisions, claims, by_tables = page.decisions, page.claims, page.by_tables
        if state is not page.state:
            decisions = tuple(reading.decisions())
            claims = claims_answered(reading.decisions(CLAIM))
            by_tables = tuple(reading.decisions(*OF_RACKS, *OF_WORDS))
        one = state.current
        boxes = {} if one is None else games_of_round(reading, state, one.key, lately=True)
        return Page(reading.head, state, page.boxes if boxes == page.boxes else boxes, decisions, claims, by_tables)

    async def look(self, page: Page) -> Sequence[Given]:
        """By what each table of the page's round was told to play; one look at a time, each to its end."""
        return await to_the_end(self._look(page))

    async def _look(self, page: Page) -> Sequence[Given]:
        async with self._one_at_a_time:
            return await asyncio.to_thread(self._given, page)

    def _given(self, page: Page) -> Sequence[Given]:
        return () if page.state is None else settings_given(self._event.read(), page.state, page.boxes)
