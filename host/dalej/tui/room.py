"""What every screen is handed."""

from __future__ import annotations

from dataclasses import dataclass, field

from dalej.acts.wishes import Hands
from dalej.hall.book import Book, Page
from dalej.hall.boxsent import Sent
from dalej.tui.feed import Feed
from dalej.tui.history import History


@dataclass(frozen=True, slots=True)
class Room:
    """`hands` None: whoever sits here only looks. `frozen`: nothing ticks or blinks by itself. `sent`: tells which
    boxes have the settings; None: that is not known here. `history`: of what is done on all screens.
    """

    feed: Feed
    book: Book
    hands: Hands | None = None
    frozen: bool = False
    sent: Sent | None = None
    history: History = field(default_factory=History)


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
