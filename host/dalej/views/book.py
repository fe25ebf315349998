"""The tournament as screens show it beside the boxes: who plays where, results, standings, what comes next; the games
that boxes tell of, each read again only when its box says more; and which boxes have the settings as they are now.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Final, Protocol

from dalej.domain.game.games import BoxGame
from dalej.domain.tournament.tournament import SEATING, GameAt, Round, RoundKey, Tournament
from dalej.errors import DalejError
from dalej.event.boxplaces import STAND
from dalej.event.event import Event
from dalej.event.ledger import ASSIGN, REVOKE, Decision, Entry, Ledger, OlderFile, Reported
from dalej.event.roundgames import Assigned, BegunGame, BoxGames, games_of_box
from dalej.event.tableplans import Given, SettingsGiven
from dalej.event.threads import to_the_end
from moveclock import facts as k

_TOLD_ANEW: Final = frozenset({
    k.CONFIGURED, k.GAME_STARTED, k.GAME_ENDED, k.GAME_REOPENED, k.GAME_REDEALT, k.SEAT_WITHDRAWN, k.OPENING_ANNOUNCED,
})  # fmt: skip
_PLACES: Final = frozenset({SEATING, ASSIGN, STAND, REVOKE})  # decisions that say where or when a game was played


class KnownGames:
    """Of every box what it has told; `take` each new entry, then ask. `reads`: boxes read from their facts so far."""

    def __init__(self) -> None:
        self.reads = 0
        self._of_box: dict[str, list[BegunGame]] = {}
        self._numbers: dict[str, set[tuple[int, int]]] = {}  # epoch and number of the games known of a box
        self._games: BoxGames | None = None

    def take(self, entry: Entry) -> None:
        """What that entry makes out of date."""
        if isinstance(entry, Decision):
            if entry.kind in _PLACES:
                self._games = None
                if entry.kind != SEATING:
                    self._of_box.clear()
        elif isinstance(entry, Reported) and self._is_news(entry):
            self._of_box.pop(entry.fact.box, None)
            self._games = None

    def of_round(self, ledger: Ledger, state: Tournament, key: RoundKey) -> Mapping[GameAt, BoxGame]:
        """The games of a round; {} where there is no box."""
        if self._games is None:
            self._games = BoxGames(ledger, told_by=lambda box, assigned: self._told_by(ledger, box, assigned))
        return self._games.of_round(state, key)

    def _told_by(self, ledger: Ledger, box: str, assigned: Assigned) -> Sequence[BegunGame]:
        known = self._of_box.get(box)
        if known is None:
            self.reads += 1
            known = self._of_box[box] = games_of_box(ledger, box, assigned)
            self._numbers[box] = {(game.epoch, game.game) for _, game in known}
        return known

    def _is_news(self, entry: Reported) -> bool:
        fact = entry.fact
        if fact.kind in _TOLD_ANEW:
            return True
        return bool(fact.move) and (fact.epoch, fact.game) not in self._numbers.get(fact.box, ())


SLICE: Final = 2_000  # entries read at once


@dataclass(frozen=True, slots=True)
class Page:
    """An event at one moment. `head`: the ledger's last entry when it was read; what a wish made by it has `seen`.

    `state` None: nobody has said yet by which ruleset it is played, or it could never be read. `problem`: why it cannot
    be read now; what else stands here is then what was read last. `boxes`: what boxes tell of the games of the round at
    work, as of when one of them began or ended. `decisions`: all, for history and undoing.
    """

    head: int = 0
    state: Tournament | None = None
    boxes: Mapping[GameAt, BoxGame] = field(default_factory=dict)
    decisions: tuple[Decision, ...] = ()
    problem: DalejError | None = None

    @property
    def round(self) -> Round | None:
        """The round to work on."""
        return None if self.state is None else self.state.current

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


class EventBook:
    """A `Book` on an `Event` that nobody else uses; others may read its ledger at the same time.

    Only what is new in the ledger is read, decisions all of them when there is a new one. Facts of a game that goes on
    cost nothing but their reading.
    """

    def __init__(self, event: Event) -> None:
        self._event = event
        self._page = Page()
        self._cursor: int | None = None  # up to here entries were read; None: everything is read anew
        self._games = KnownGames()
        self._turning = asyncio.Lock()

    @property
    def page(self) -> Page:
        """As it was read last."""
        return self._page

    async def turn(self) -> bool:
        """Read on in a thread, one at a time; whether anything looks different. Once begun it is read to its end."""
        return await to_the_end(self._turn())

    async def _turn(self) -> bool:
        async with self._turning:
            page = await asyncio.to_thread(self._read)
            changed, self._page = not page.shows_as(self._page), page
            return changed

    def _read(self) -> Page:
        page = self._page
        try:
            return self._read_on(page)
        except DalejError as problem:
            self._cursor = None
            same = page.problem is not None and str(page.problem) == str(problem)
            return page if same else replace(page, problem=problem)

    def _read_on(self, page: Page) -> Page:
        head = self._event.ledger.head()
        if self._cursor == head and page.problem is None:
            return page
        decided = self._take_new() or page.state is None
        state, decisions = page.state, page.decisions
        if decided or state is None:
            seen = self._event.seen()
            head, state, decisions = max(head, seen.head), seen.state, tuple(seen.decisions)
        one = state.current
        boxes = {} if one is None else self._games.of_round(self._event.ledger, state, one.key)
        return Page(head, state, page.boxes if boxes == page.boxes else boxes, decisions)

    def _take_new(self) -> bool:
        """Whether anything was decided since; all that is known of games is forgotten where nothing was read yet."""
        if self._cursor is None:
            self._forget()
            return True
        decided = False
        try:
            for entry in self._new(self._cursor):
                self._games.take(entry)
                decided |= isinstance(entry, Decision)
                self._cursor = entry.cursor
        except OlderFile:
            self._forget()
            return True
        return decided

    def _forget(self) -> None:
        self._games = KnownGames()
        self._cursor = self._event.ledger.head()

    def _new(self, cursor: int) -> Iterator[Entry]:
        while entries := self._event.ledger.since(cursor, SLICE):
            yield from entries
            cursor = entries[-1].cursor


class Sent(Protocol):
    """What the settings screen asks."""

    async def look(self, page: Page) -> Sequence[Given]:
        """Every table of the page's round; DalejError if the ledger cannot be read now."""


class LedgerSent:
    """A `Sent` on an open ledger, read in a thread."""

    def __init__(self, ledger: Ledger) -> None:
        self._given = SettingsGiven(ledger)
        self._looking = asyncio.Lock()

    async def look(self, page: Page) -> Sequence[Given]:
        """One look at a time, each to its end."""
        return await to_the_end(self._look(page))

    async def _look(self, page: Page) -> Sequence[Given]:
        async with self._looking:
            return await asyncio.to_thread(self._read, page)

    def _read(self, page: Page) -> Sequence[Given]:
        if page.state is None:
            return ()
        self._given.read_on()
        return self._given.tables(page.state, page.boxes)
