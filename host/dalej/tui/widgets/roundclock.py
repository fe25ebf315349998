"""The time of the round that is played: in words for the bar, in large figures where there is room."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from dalej.domain.tournament.stages import round_name
from dalej.office.roundclock import RoundTime, playing
from dalej.tui.room import Room
from dalej.tui.widgets.bars import Saying
from dalej.tui.widgets.boxdrawing import figures
from dalej.views.publiclists import ALONE_MS, Timing, timing
from dalej.views.rows import Row
from dalej.words import _, ngettext

ROOMY: Final = 40  # rows from which on there is room for large figures
WIDE: Final = 150
_SIZE: Final = 5  # of a figure
_PLAYS: Final = ("running", "expired", "stopped")


def round_time(room: Room) -> RoundTime | None:
    """The clock of the round at work, None as long as it has not been started."""
    page = room.book.page
    current = page.round
    if page.state is None or current is None or current.clock is None:
        return None
    return RoundTime(current.clock, page.state.ruleset.no_new_game_ms)


def round_words(room: Room, rows: Mapping[int, Row]) -> tuple[str, ...]:
    """`League, round 2: 12:05`; when its time is over, how many tables still play and how many in the final lap, at
    length and shorter. None as long as the round has no clock.
    """
    current, time = room.book.page.round, round_time(room)
    if current is None or time is None:
        return ()
    left = time.remaining_ms(room.feed.wall_ms())
    name = round_name(*current.key)
    if left:
        return (f"{name}: {clock_words(left)}",)
    play = [row for row in rows.values() if row.state in _PLAYS]
    lap = sum(1 for row in play if row.final_lap)
    if not play:
        return (_("{round}: time is over").format(round=name),)
    said = (
        _("{round}: time is over, {count} play, {lap} in the final lap"), _("{round}: final lap at {lap} of {count}"),
        _("final lap at {lap} of {count}"),
    )  # fmt: skip
    return tuple(words.format(round=name, count=len(play), lap=lap) for words in said)


def clock_words(ms: int) -> str:
    """`1:05:09`, `12:05`: a second that has begun counts."""
    seconds = -(-ms // 1_000)
    if seconds >= 3_600:
        return f"{seconds // 3_600}:{seconds // 60 % 60:02d}:{seconds % 60:02d}"
    return f"{seconds // 60}:{seconds % 60:02d}"


def by_voice(room: Room) -> tuple[int, ...]:
    """Tables of the round that still have a game to play, and no box that would tell them."""
    current, hall = room.book.page.round, room.feed.hall
    if current is None:
        return ()
    known = set(hall.tables())
    return tuple(at for at in playing(current) if at not in known or not hall.row(at, room.feed.now_ms()).box)


class Announcement(Saying):
    """What a person has to say aloud now, and where, because no box says it."""

    DEFAULT_CSS = """
    Announcement { display: none; height: auto; max-height: 2; background: $warning; color: $text; text-style: bold;
        padding: 0 1; }
    """

    def __init__(self) -> None:
        super().__init__(id="announcement", hides=True)
        self._last: str | None = None

    def show_room(self, room: Room) -> bool:
        """As the round's time is now; whether something has just come to be said."""
        what = _to_be_said(timing(room.book.page, room.feed.wall_ms()))
        tables = by_voice(room) if what else ()
        said = ""
        if tables and room.feed.hall.has_boxes:
            said = ngettext(
                "Say it at table {tables}: {what}", "Say it at tables {tables}: {what}", len(tables)
            ).format(tables=", ".join(map(str, tables)), what=what)
        elif tables:
            said = _("Say it aloud: {what}").format(what=what)
        self.say(said)
        before, self._last = self._last, what if said else ""
        return bool(said) and before is not None and before != what


def _to_be_said(time: Timing) -> str:
    """What everybody has to know when it comes to pass, and for a while after."""
    if time.left_ms is None or time.over_ms >= ALONE_MS:
        return ""
    if time.lap:
        return _("FINAL LAP: one more move for each")
    if time.ended:
        return _("TIME IS OVER: stop playing")
    if time.plays_on:
        return _("TIME IS OVER: finish your game")
    return _("no new game may begin") if time.no_new_game else ""


class RoundClockFace(Saying):
    """The same figures as in the bar, large."""

    DEFAULT_CSS = """
    RoundClockFace { display: none; height: auto; padding: 0 2; text-style: bold; text-align: center; }
    """

    def __init__(self) -> None:
        super().__init__(id="round", hides=True)

    def show_room(self, room: Room) -> None:
        """What is left now."""
        time = round_time(room)
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
