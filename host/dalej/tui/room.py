"""What every screen is handed; and the screens beside the hall and its tables: how each is called, its key, and what
makes it. A screen is imported when it is opened for the first time: the hall is to be seen before any of them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from importlib import import_module
from pathlib import Path
from typing import Any, Final, NamedTuple, cast

from textual.screen import Screen

from dalej.office.acts.wishes import Hands
from dalej.views.book import Book, Page, Sent
from dalej.views.deeds import History
from dalej.views.feed import Feed
from dalej.words import N_


class Way(NamedTuple):
    """`name`: the app's `show` opens it by that, and it is the module of `dalej.tui.screens` that has `screen`, a class
    that takes the room; no two ways share one.
    """

    name: str
    key: str
    words: str
    screen: str

    @property
    def made(self) -> type[Screen[Any]]:
        """The screen's class."""
        return cast(type[Screen[Any]], getattr(import_module(f"dalej.tui.screens.{self.name}"), self.screen))


WAYS: Final[Sequence[Way]] = (
    Way("results", "e", N_("results"), "ResultsScreen"),
    Way("standings", "t", N_("standings"), "StandingsScreen"),
    Way("seating", "d", N_("seating"), "SeatingScreen"),
    Way("people", "p", N_("players"), "PeopleScreen"),
    Way("settings", "i", N_("settings"), "SettingsScreen"),
    Way("times", "m", N_("move times"), "TimesScreen"),
    Way("public", "v", N_("public view"), "PublicScreen"),
)
BY_NAME: Final[Mapping[str, Way]] = {way.name: way for way in WAYS}
# Steps of the event that are taken on one of these, at a table that is chosen there.
WITHIN: Final[Mapping[str, str]] = {"entry": "results", "confirm": "results"}


@dataclass(frozen=True, slots=True)
class Room:
    """`hands` None: whoever sits here only looks. `frozen`: nothing ticks or blinks by itself. `sent`: tells which
    boxes have the settings; None: that is not known here. `folder`: of the event's file, None where this is not the
    computer that has it. `history`: of what is done on all screens.
    """

    feed: Feed
    book: Book
    hands: Hands | None = None
    frozen: bool = False
    sent: Sent | None = None
    folder: Path | None = None
    history: History = field(default_factory=History)

    @property
    def on_paper(self) -> bool:
        """Whether no table has a box, as far as is known, and the tournament is known."""
        return not self.feed.hall.has_boxes and self.book.page.state is not None


class NoBook:
    """A `Book` of an event of which nothing but its tables is known."""

    def __init__(self) -> None:
        self._page = Page()

    @property
    def page(self) -> Page:
        """Blank."""
        return self._page

    async def turn(self) -> bool:
        """Nothing ever changes."""
        return False
