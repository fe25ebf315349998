"""The time of the round that is played: in words for the bar, in large figures where there is room."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from dalej.tui.room import Room
from dalej.tui.widgets.bars import Saying
from dalej.tui.widgets.boxdrawing import figures
from dalej.views.roundwords import aloud, clock_words, round_time
from dalej.views.rows import Row

ROOMY: Final = 40  # rows from which on there is room for large figures
WIDE: Final = 150
_SIZE: Final = 5  # of a figure
_PLAYS: Final = ("running", "expired", "stopped")


class Announcement(Saying):
    """What a person has to say aloud now, and where, because no box says it."""

    DEFAULT_CSS = """
    Announcement { display: none; height: auto; max-height: 2; background: $warning; color: $text; text-style: bold;
        padding: 0 1; }
    """

    def __init__(self) -> None:
        super().__init__(id="announcement", hides=True)
        self._last: str | None = None

    def show_room(self, room: Room, rows: Mapping[int, Row]) -> bool:
        """As the round's time is now; whether something has just come to be said."""
        said = aloud(room.book.page, room.feed.wall_ms(), rows, has_boxes=room.feed.hall.has_boxes)
        self.say(said.words)
        before, self._last = self._last, said.what
        return bool(said.what) and before is not None and before != said.what


class RoundClockFace(Saying):
    """The same figures as in the bar, large."""

    DEFAULT_CSS = """
    RoundClockFace { display: none; height: auto; padding: 0 2; text-style: bold; text-align: center; }
    """

    def __init__(self) -> None:
        super().__init__(id="round", hides=True)

    def show_room(self, room: Room) -> None:
        """What is left now."""
        time = round_time(room.book.page)
        roomy = self.screen.size.height >= ROOMY and self.screen.size.width >= WIDE
        said = ""
        if time is not None and roomy:
            said = clock_words(time.remaining_ms(room.feed.wall_ms())).rjust(5)
        self.say("\n".join(_large(said)) if said else "")


def _large(said: str) -> list[str]:
    """A display has four figures: hours stand on one more, of which two are seen."""
    hours, rest = said[:-5].rstrip(":"), said[-5:]
    if not hours:
        return figures(said, _SIZE)
    ahead = figures(f"{hours:>2}:{rest[:2]}", _SIZE)
    return [first + second[2 * (_SIZE + 2) + 1 :] for first, second in zip(ahead, figures(rest, _SIZE), strict=True)]
