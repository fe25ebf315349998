"""The public's screen, for a projector: the round's time in digits as large as they get, who sits and who stands where.

Nothing can be done here but to leave, and nothing of what tables call for is told but where a referee is to go: no
names, no reasons. No key of the app reaches through it (it is modal), no part of it blinks. Without a desk the round's
time goes on, by the clock of the machine on which the event lies: whoever has no boxes has no desk. A desk that was
there, or that boxes wait for, is missed in words, as long as any table has a box.
"""

from __future__ import annotations

import re
from typing import ClassVar, Final

from rich.segment import Segment
from rich.style import Style
from textual import events
from textual.app import ComposeResult
from textual.screen import ModalScreen
from textual.strip import Strip
from textual.widget import Widget

from dalej.domain.tournament.tournament import Round, Tournament
from dalej.office.paper.naming import round_name
from dalej.tui.feed import FactsRecorded, HearsDesk
from dalej.tui.room import Room
from dalej.tui.widgets.poster import ROOMY, Leaf, Painted, Said, frame, leaves, page_room, painted
from dalej.views.book import Page
from dalej.views.phrases import brief
from dalej.views.publiclists import Timing, Topic, timing, topics
from dalej.views.roundwords import clock_words
from dalej.views.rows import SILENT_MS
from dalej.words import _, ngettext, readable

_RUNS: Final = re.compile("█+|[^█]+")
TICK_S: Final = 0.2
DWELL_MS: Final = 5_000  # of a page, and for every entry on it
ENTRY_MS: Final = 400
DWELL_MOST_MS: Final = 20_000
HURRY_MS: Final = 60_000
CALLING: Final = frozenset({"referee", "dispute", "early_click"})  # somebody at the table asked for a referee


class Poster(Widget):
    """The picture, line by line; what does not change is not drawn again."""

    LOOKS: ClassVar[tuple[str, ...]] = (
        "head", "clock", "hurry", "words", "lap", "call", "alarm", "title", "text"
    )  # fmt: skip
    COMPONENT_CLASSES: ClassVar[set[str]] = {f"poster--{look}" for look in LOOKS}
    DEFAULT_CSS = """
    Poster { width: 100%; height: 100%; background: #000000; color: #ffffff; }
    Poster > .poster--head { color: #c0c0c0; background: #202020; }
    Poster > .poster--clock { color: #ffffff; }
    Poster > .poster--hurry { color: #ffd000; }
    Poster > .poster--words { color: #ffffff; text-style: bold; }
    Poster > .poster--lap { color: #000000; background: #ffd000; text-style: bold; }
    Poster > .poster--call { color: #000000; background: #ffffff; text-style: bold; }
    Poster > .poster--alarm { color: #ffffff; background: #b00020; text-style: bold; }
    Poster > .poster--title { color: #000000; background: #80c8ff; text-style: bold; }
    Poster > .poster--text { color: #ffffff; text-style: bold; }
    Poster.-light { background: #ffffff; color: #000000; }
    Poster.-light > .poster--head { color: #404040; background: #e0e0e0; }
    Poster.-light > .poster--clock { color: #000000; }
    Poster.-light > .poster--hurry { color: #a02000; }
    Poster.-light > .poster--words { color: #000000; }
    Poster.-light > .poster--call { color: #ffffff; background: #000000; }
    Poster.-light > .poster--title { color: #ffffff; background: #003a70; }
    Poster.-light > .poster--text { color: #000000; }
    """

    def __init__(self) -> None:
        super().__init__(id="poster")
        self._lines: list[Painted] = []

    def show(self, lines: list[Painted]) -> None:
        """Let these be its lines from now on."""
        if lines != self._lines:
            self._lines = lines
            self.refresh()

    def render_line(self, y: int) -> Strip:
        """The line, to the edge in its own colours."""
        line = self._lines[y] if y < len(self._lines) else Painted("", "text")
        style = self.get_component_rich_style(f"poster--{line.look}")
        filled = style + Style(reverse=True)  # as background: between full blocks many terminals leave hairlines
        parts = (
            Segment(" " * len(part), filled) if part.startswith("█") else Segment(part, style)
            for part in _RUNS.findall(line.text)
        )
        return Strip(parts).adjust_cell_length(self.size.width, style)


class PublicScreen(HearsDesk, ModalScreen[None]):
    """Asks the room five times a second, and turns its pages by the clock of this screen. `frozen`: when told to."""

    DEFAULT_CSS = "PublicScreen { background: #000000; }"

    def __init__(self, room: Room) -> None:
        super().__init__()
        self._bindings.bind("q,escape,ctrl+c", "app.quit", _("leave"), key_display="q")
        self._bindings.bind("c", "change_light", _("colours"), show=False)
        self._feed, self._book, self._frozen = room.feed, room.book, room.frozen
        self._state: Tournament | None = None  # of which the topics are
        self._fresh = True
        self._topics: tuple[Topic, ...] = ()
        self._leaves: list[Leaf] = []
        self._leaves_of: tuple[object, ...] = ()
        self._at = 0
        self._turned_ms = room.feed.own_ms()

    def compose(self) -> ComposeResult:
        """One picture."""
        yield Poster()

    def on_mount(self) -> None:
        """Start looking."""
        self.refresh_hall()
        if not self._frozen:
            self.set_interval(TICK_S, self.refresh_hall)

    def on_resize(self, _event: events.Resize) -> None:
        """Other type, other pages."""
        self.call_after_refresh(self.refresh_hall)

    def on_facts_recorded(self, _recorded: FactsRecorded) -> None:
        """Something may be called."""
        self.refresh_hall()

    def look_anew(self) -> None:
        """All is well again, or not."""
        self.refresh_hall()

    def on_click(self, click: events.Click) -> None:
        """The upper right corner leaves."""
        if click.screen_y == 0 and click.screen_x >= self.size.width - len(_leave()) - 2:
            self.app.exit()

    def action_change_light(self) -> None:
        """Black on white, for a projector in daylight, and back."""
        self.query_one(Poster).toggle_class("-light")

    def refresh_hall(self) -> None:
        """Draw what is known now."""
        width, height = self.size
        if not width or not height:
            return
        page = self._book.page
        time = timing(page, self._feed.wall_ms())
        shown = () if time.alone else self._topics_of(page, time.fresh)
        whole = frame(self._said(page, time), width, height, pages=bool(shown))
        leaf = self._turn(shown, page_room(width), whole.room, big=height >= ROOMY) if shown else None
        self.query_one(Poster).show(painted(whole, leaf))

    def _topics_of(self, page: Page, fresh: bool) -> tuple[Topic, ...]:
        """Worked out when another event, or another phase of its round, is to be shown."""
        if page.state is not self._state or fresh != self._fresh:
            self._state, self._fresh = page.state, fresh
            self._topics = tuple(topics(page, fresh=fresh))
        return self._topics

    def _turn(self, shown: tuple[Topic, ...], width: int, room: int, *, big: bool) -> Leaf | None:
        """The page whose turn it is; words that change within a page do not send anybody back to the first."""
        of = (shown, width, room, big)
        if of != self._leaves_of:
            before, self._leaves_of = [leaf.title for leaf in self._leaves], of
            self._leaves = leaves(shown, width, room, big=big)
            if [leaf.title for leaf in self._leaves] != before:
                self._at, self._turned_ms = 0, self._feed.own_ms()
        if not self._leaves:
            return None
        if self._feed.own_ms() - self._turned_ms >= dwell_ms(self._leaves[self._at]):
            self._at, self._turned_ms = (self._at + 1) % len(self._leaves), self._feed.own_ms()
        return self._leaves[self._at]

    def _said(self, page: Page, time: Timing) -> Said:
        feed, state, one = self._feed, page.state, page.round
        event = readable(state.name) if state is not None and state.name else feed.event_name
        alarm = self._alarm(page)
        return Said(
            event, feed.wall_text()[:5], _leave(), _round_words(state, one), _time_text(time),
            time.left_ms is not None and time.left_ms <= HURRY_MS, _timing_words(one, time),
            time.left_ms == 0, self._calls(), alarm,
        )  # fmt: skip

    def _calls(self) -> tuple[str, ...]:
        """To which tables a referee is called, longest waiting first; a desk that is not heard tells nothing new."""
        feed = self._feed
        if self._silent():
            return ()
        waiting = [alert.table for alert in feed.hall.alerts(feed.now_ms()) if alert.kind in CALLING and alert.urgent]
        tables = [str(table) for table in dict.fromkeys(waiting)]
        if not tables:
            return ()
        said = ngettext("Referee called: table {tables}", "Referee called: tables {tables}", len(tables))
        some = ", ".join(tables[:3]) + f" +{len(tables) - 3}" if len(tables) > 3 else ", ".join(tables)
        return said.format(tables=", ".join(tables)), said.format(tables=some)

    def _silent(self) -> bool:
        """Whether a desk is missed: it was heard and is not any more, or boxes wait for one."""
        feed = self._feed
        silence_ms = feed.silence_ms()
        return feed.hall.has_boxes and (silence_ms is None or not feed.live or silence_ms >= SILENT_MS)

    def _alarm(self, page: Page) -> tuple[str, ...]:
        """Why not everything here can be relied on."""
        if page.problem is not None or self._feed.trouble:
            return _("THIS MAY BE OLD: the event file cannot be read"), _("THIS MAY BE OLD")
        if not self._silent():
            return ()
        silence_ms = self._feed.silence_ms()
        if silence_ms is None:
            return _("NO LIVE DESK: calls of tables are not shown"), _("NO LIVE DESK")
        since = _("DESK SILENT FOR {age}").format(age=brief(silence_ms))
        return _("{since}: calls of tables are not shown").format(since=since), since


def dwell_ms(leaf: Leaf) -> int:
    """For how long a page stands: long enough to look for a name on it."""
    return min(DWELL_MOST_MS, DWELL_MS + ENTRY_MS * leaf.entries)


def _leave() -> str:
    return _("q: leave")


def _time_text(time: Timing) -> str:
    """As in the bar of a referee: 1:30:00, 12:05; 0:00 is when it is over."""
    return "" if time.left_ms is None else clock_words(time.left_ms)


def _round_words(state: Tournament | None, one: Round | None) -> str:
    if state is None:
        return ""
    if one is None:
        return _("The tournament is over") if state.over else _("The next stage follows")
    return round_name(state, one.key)


def _timing_words(one: Round | None, time: Timing) -> tuple[str, ...]:
    """What everybody should know of the time, all words first."""
    if one is None:
        return ()
    if time.left_ms is None:
        return (_("not started yet"),)
    if time.lap:
        return _("FINAL LAP: one more move for each"), _("FINAL LAP")
    if time.ended:
        return _("TIME IS OVER: stop playing"), _("TIME IS OVER")
    if time.plays_on:
        return _("TIME IS OVER: finish your game"), _("TIME IS OVER")
    return (_("no new game"),) if time.no_new_game else ()
