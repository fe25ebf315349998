"""The screen's app: `make_app` is handed everything real, workers keep up with ledger and desk and touch no widget.

With it the looks, when the terminal's bell rings, the command palette, and the question before the program ends.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from copy import copy
from datetime import tzinfo
from functools import partial
from pathlib import Path
from typing import Any, Final, NamedTuple, Protocol, runtime_checkable

from textual import events
from textual.app import App, ScreenStackError
from textual.binding import Binding
from textual.command import CommandList, CommandPalette, DiscoveryHit, Hit, Hits, Provider
from textual.driver import Driver
from textual.message import Message
from textual.screen import ModalScreen, Screen
from textual.theme import Theme
from textual.widgets.option_list import Option

from dalej.clock import Clock
from dalej.domain.rules.rulesets import Ruleset
from dalej.office.acts.wishes import Hands
from dalej.office.players import folded
from dalej.tui.ask.confirm import Confirm
from dalej.tui.ask.pages import Reading
from dalej.tui.feed import AlertsSeen, FactsRecorded, HearsDesk, MomentCame, NoticeRead, TableChosen, in_textual
from dalej.tui.room import BY_NAME, WAYS, WITHIN, NoBook, Room
from dalej.tui.screens.hall import HallScreen
from dalej.tui.screens.table import TableScreen
from dalej.tui.screens.work import WorkScreen
from dalej.tui.typedahead import Keys, begin
from dalej.tui.widgets.tablelist import TableList
from dalej.views.book import Book, Sent
from dalej.views.feed import Connect, Feed, News, Reader, follow, listen
from dalej.views.following import Entries, Hints, LedgerReader
from dalej.views.hall import HallModel
from dalej.views.papers import PAPERS
from dalej.views.rows import Alert
from dalej.words import N_, _, readable


class Bells:
    """`on`: whether they ring at all, for this run."""

    def __init__(self, *, on: bool = True) -> None:
        self.on = on
        self._known: set[tuple[int, str, int]] | None = None

    def rings(self, alerts: Sequence[Alert]) -> bool:
        """Whether something among these is urgent and new."""
        urgent: set[tuple[int, str, int]] = {(alert.table, alert.kind, alert.move) for alert in alerts if alert.urgent}
        new = self._known is not None and bool(urgent - self._known)
        self._known = urgent
        return new and self.on


CONTRAST: Final = Theme(
    name="dalej-contrast", primary="#ffffff", secondary="#ffff00", warning="#ffff00", error="#ff6060",
    success="#60ff60", accent="#00ffff", foreground="#ffffff", background="#000000", surface="#000000",
    panel="#202020", boost="#303030", dark=True,
    variables={"text-muted": "#ffffff", "primary": "#003a8c", "footer-key-foreground": "#ffff00"},
)  # fmt: skip
BLUE_ORANGE: Final = Theme(
    name="dalej-blue-orange", primary="#0072b2", secondary="#56b4e9", warning="#e69f00", error="#ff8c1a",
    success="#56b4e9", accent="#f0e442", foreground="#f0f0f0", background="#10141a", surface="#161c24",
    panel="#1d2530", dark=True,
)  # fmt: skip
OURS: Final = (CONTRAST, BLUE_ORANGE)
THEMES: Final[Mapping[str, str]] = {
    "textual-dark": N_("dark"), "textual-light": N_("light"), CONTRAST.name: N_("high contrast"),
    BLUE_ORANGE.name: N_("blue and orange"),
}  # fmt: skip


@runtime_checkable
class Types(Protocol):
    """A screen on which something is typed."""

    @property
    def would_lose(self) -> bool:
        """Whether something that was typed there is lost with it."""


def anything_lost(screens: Iterable[object]) -> bool:
    """Whether something is typed on one of these."""
    return any(isinstance(screen, Types) and screen.would_lose for screen in screens)


class AsksToQuit(Confirm):
    """Ctrl-C is a yes, like the key before it."""

    def __init__(self) -> None:
        words = _("What was typed here is lost when you leave.") + " " + _("Ctrl+C leaves, too.")
        super().__init__(_("Nothing is kept yet"), [words], yes=_("leave, it is lost"))
        # `bind` would add it to the list that all screens of this class share.
        again = Binding("ctrl+c", "answer(True)", show=False)
        self._bindings.key_to_bindings["ctrl+c"] = [*self._bindings.key_to_bindings["ctrl+c"], again]


_APP: Final = (
    (N_("help"), "app.explain"), (N_("colours"), "app.change_colours"), (N_("alert sounds on or off"), "app.sound"),
    (N_("quit"), "app.quit"),
)  # fmt: skip


class _Entry(NamedTuple):
    """`found_by`: words that find it: the reader's, English, and the name that programs use."""

    words: str
    found_by: tuple[str, ...]
    action: str


class ActPalette(CommandPalette):
    """It says in the reader's language, too, that nothing is found."""

    def __init__(self) -> None:
        super().__init__(placeholder=_("What is to be done?"))

    def _start_no_matches_countdown(self, search_value: str) -> None:
        """Textual's own words are in English and nowhere to be set: these come at the same moment in their place."""
        super()._start_no_matches_countdown(search_value)
        if search_value:
            self._stop_no_matches_countdown()
            self._no_matches_timer = self.set_timer(self._NO_MATCHES_COUNTDOWN, self._say_no_match)

    def _say_no_match(self) -> None:
        words = _("Nothing is called like that.")
        self.query_one(CommandList).add_option(Option(words, disabled=True, id=self._NO_MATCHES))
        self._list_visible = True


class ActCommands(Provider):
    """What can be done on the screen that it was called from."""

    async def discover(self) -> Hits:
        """All of it."""
        for entry in self._entries():
            yield DiscoveryHit(entry.words, partial(self._do, entry.action))

    async def search(self, query: str) -> Hits:
        """In which every word that was typed begins a word, accents and case apart: nothing that is only alike, which
        Enter would do. The first one is the one whose words begin so.
        """
        for entry in self._entries():
            score = max(_match(folded(query).split(), folded(words)) for words in entry.found_by)
            if score > 0:
                yield Hit(score, entry.words, partial(self._do, entry.action))

    def _entries(self) -> Iterator[_Entry]:
        screen = self.screen
        if isinstance(screen, WorkScreen):
            for title, deed, action in (
                (N_("take back"), screen.history.to_take_back, "take_back"),
                (N_("do it after all"), screen.history.to_do_again, "do_again"),
            ):
                if deed is not None:
                    yield _Entry(f"{_(title)} · {deed}", (_(title), title, str(deed)), f"screen.{action}")
            table = screen.chosen_table()
            for act in screen.named_acts():
                words = _(act.title)
                if act.about in ("table", "game", "player") and table is not None:
                    words = f"{words} · " + _("table {table}").format(table=table)
                yield _Entry(words, (words, act.title, act.name.replace("_", " ")), f"screen.act({act.name!r})")
        for way in WAYS:
            yield _Entry(_(way.words), (_(way.words), way.words, way.name), f"app.show({way.name!r})")
        if isinstance(screen, WorkScreen) and screen.page.state is not None:
            yield from _of_event(screen)
        for words, action in _APP:
            yield _Entry(_(words), (_(words), words), action)

    async def _do(self, action: str) -> None:
        await self.app.run_action(action)


def _match(typed: Sequence[str], words: str) -> float:
    """How well: 0 not at all, 1 where what was typed is how it begins."""
    there = re.findall(r"\w+", words)
    if not typed or not all(any(word.startswith(part) for word in there) for part in typed):
        return 0
    return 1 if words.startswith(" ".join(typed)) else 0.5


def _of_event(screen: WorkScreen[Any]) -> Iterator[_Entry]:
    """Lists that can be read, and papers that can be written, by whoever may."""
    for act, title, way in (
        ("sign_up_list", N_("read a list of players"), "people"),
        ("enter_results", N_("read a list of results"), "results"),
    ):
        if screen.room.folder is not None and screen.may(act):
            yield _Entry(_(title), (_(title), title), f"app.do_there({way!r}, 'read_list')")
    if screen.may("print"):
        for place, paper in enumerate(PAPERS):
            words = _("write: {paper}").format(paper=_(paper.words))
            print_it = " ".join((_("print"), _(paper.words)))
            yield _Entry(words, (words, paper.words, print_it), f"screen.write_paper({place})")


_AGAIN_S = 0.2  # between two looks at the book, whatever comes in


def make_app(
    entries: Entries,
    ruleset: Ruleset,
    connect: Connect,
    clock: Clock,
    *,
    event_name: str,
    frozen: bool = False,
    zone: tzinfo | None = None,
    book: Book | None = None,
    hands: Hands | None = None,
    public: bool = False,
    sent: Sent | None = None,
    on_stdout: bool = False,
    starts: str = "",
    clears: str = "",
    folder: Path | None = None,
    hints: Hints | None = None,
) -> HallApp:
    """A screen on one event. `entries`: its ledger, read in a thread; `hints`: who says when it has grown. `frozen`:
    nothing ticks or blinks by itself. `book`: the tournament, None: only the tables are shown. `hands` None: nothing
    can be done here. `public`: the public's screen and no other, as for hands of that role. `on_stdout`: painted there,
    for stderr goes elsewhere. `starts`: what is typed here to start a desk that is gone; `clears`: to play without
    boxes. `folder`: where the event and lists lie; None where that is another computer.
    """
    model = HallModel(ruleset)
    feed = Feed(model, clock, event_name=readable(event_name), ruleset=ruleset.id, zone=zone)
    feed.starts, feed.clears = starts, clears
    reader = LedgerReader(entries, model, hints)
    return HallApp(
        feed, reader, connect, frozen=frozen, book=book, hands=hands, public=public, sent=sent, on_stdout=on_stdout,
        folder=folder,
    )  # fmt: skip


def _made(name: str, room: Room) -> Screen[Any]:
    """That screen."""
    makes: Callable[[Room], Screen[Any]] = BY_NAME[name].made
    return makes(room)


def _driver() -> type[Driver]:
    """The one that paints on stdout; there is none for Windows, which does so anyway."""
    from dalej.tui.onstdout import OnStdout  # noqa: PLC0415 -- it cannot be imported on Windows

    return OnStdout


class HallApp(App[None]):
    """Screens over one feed."""

    CSS_PATH = "app.tcss"
    COMMANDS = {ActCommands}  # noqa: RUF012 -- as Textual declares it
    COMMAND_PALETTE_BINDING = "ctrl+p"

    def __init__(
        self, feed: Feed, reader: Reader, connect: Connect, *, frozen: bool = False, book: Book | None = None,
        hands: Hands | None = None, public: bool = False, sent: Sent | None = None, on_stdout: bool = False,
        folder: Path | None = None,
    ) -> None:  # fmt: skip
        super().__init__(driver_class=_driver() if on_stdout else None)
        self.public = public or (hands is not None and hands.actor.role == "public")
        for theme in OURS:
            self.register_theme(theme)
        self.room = Room(feed, NoBook() if book is None else book, hands, frozen, sent, folder)
        self.bells = Bells(on=not frozen)
        self.keys = Keys(self)
        self._grown = asyncio.Event()
        self._bindings.bind("colon", "command_palette", _("find an act"), key_display=":", show=False)
        self._bindings.bind("c", "change_colours", _("colours"))
        self._bindings.bind("question_mark", "explain", _("help"), key_display="?")
        self._bindings.bind("q", "quit", _("quit"))
        feed.called = self._called
        self.title = feed.event_name
        self.feed = feed
        self._reader = reader
        self._connect = connect

    def get_default_screen(self) -> Screen[Any]:
        """The hall lies beneath everything else; the public has a screen of its own."""
        if self.public:
            return _made("public", self.room)
        return HallScreen(self.room)

    async def on_event(self, event: events.Event) -> None:
        """What is typed waits for its turn."""
        typed = isinstance(event, events.Key | events.Paste) and not event.is_forwarded
        if not (typed and self.keys.hold(event)):  # type: ignore[arg-type]  # typed is what it is
            await super().on_event(event)

    def on_mount(self) -> None:
        """Start to listen and to read."""
        begin(self, partial(listen, self.feed, self._connect, self._tell), name="listen")
        begin(self, partial(follow, self.feed, self._reader, self._tell), name="follow")
        begin(self, self._read_book, name="book")

    def on_table_chosen(self, chosen: TableChosen) -> None:
        """Open the table; two clicks that come together open it once."""
        if isinstance(self.screen, HallScreen):
            self.screen.query_one(TableList).choose_table(chosen.table)  # from table to table, too
            self.push_screen(TableScreen(chosen.table, self.room, answers=chosen.answers))

    def look_again(self) -> None:
        """Draw what is known now; a frozen screen does not by itself."""
        if isinstance(self.screen, HearsDesk):
            self.screen.look_anew()

    # --- other screens -----

    def action_show(self, name: str) -> None:
        """Open that screen, or go back to it where it lies beneath; never from a question that waits for an answer."""
        way = BY_NAME[WITHIN.get(name, name)]
        above = list(reversed(self.screen_stack))
        if self.public or isinstance(self.screen, ModalScreen):
            return
        at = next((at for at, screen in enumerate(above) if type(screen) is way.made), None)
        if at is None:
            self.push_screen(_made(way.name, self.room))
        for _screen in above[:at] if at else ():
            self.pop_screen()

    def action_do_there(self, name: str, action: str) -> None:
        """What is done on that screen."""
        self.action_show(name)
        self.screen.call_after_refresh(self.screen.run_action, action)

    async def action_quit(self) -> None:
        """End; a public screen that lies over the hall is only put away."""
        lies_over = len(self.screen_stack) > 1 and not self.public
        if lies_over and type(self.screen) is BY_NAME["public"].made:
            self.pop_screen()
        else:
            self._quit()

    def action_explain(self) -> None:
        """What the marks mean, and every key of the screen in front."""
        if not isinstance(self.screen, ModalScreen):
            self.push_screen(Reading.of_marks(self.screen, boxes=not self.room.on_paper))

    def action_command_palette(self) -> None:
        """Every act by its name."""
        if not isinstance(self.screen, ModalScreen):  # the palette is one too
            self.push_screen(ActPalette())

    def action_sound(self) -> None:
        """Alert sounds on or off, for this run."""
        self.bells.on = not self.bells.on
        self.notify(_("Alert sounds are on.") if self.bells.on else _("Alert sounds are off."), timeout=3)

    def on_alerts_seen(self, seen: AlertsSeen) -> None:
        """The terminal's bell, once for whatever has become urgent."""
        if self.bells.rings(seen.alerts):
            self.bell()

    def on_moment_came(self, _came: MomentCame) -> None:
        """The same bell."""
        if self.bells.on:
            self.bell()

    def action_help_quit(self) -> None:
        """Ctrl-C ends a screen as it ends any program."""
        self._quit()

    def _quit(self) -> None:
        """At once; what is typed is lost only if that is what is wanted, or if it is asked for again."""
        if isinstance(self.screen, AsksToQuit) or not anything_lost(self.screen_stack):
            self.exit()
        else:
            self.push_screen(AsksToQuit(), lambda agreed: self.exit() if agreed else None)

    def action_change_colours(self) -> None:
        """Dark for a room, light for a projector, high contrast, blue and orange; its name is shown for a moment."""
        names = list(THEMES)
        self.theme = names[(names.index(self.theme) + 1) % len(names)] if self.theme in THEMES else names[0]
        self.clear_notifications()
        self.notify(_("colours: {name}").format(name=_(THEMES[self.theme])), timeout=2)

    def _called(self) -> str:
        """The event, as the book has it."""
        state = self.room.book.page.state
        return "" if state is None else readable(state.name).strip()

    async def _read_book(self) -> None:
        """Turn the book whenever the ledger has grown."""
        while True:
            self._grown.clear()
            await self.room.book.turn()
            self.title = self.feed.event_name
            await self._grown.wait()
            await asyncio.sleep(_AGAIN_S)

    def _tell(self, news: News) -> None:
        told = in_textual(news)
        if told is not None:
            self._post(told)

    def _post(self, message: Message) -> None:
        """Workers tell the screen in front, and what is seen around a question; any other that lies beneath looks for
        itself when it comes up again.

        Notices are kept by the hall, which lies beneath all others.
        """
        if isinstance(message, FactsRecorded):
            self._grown.set()
        with suppress(ScreenStackError, IndexError):  # on the way out there is none
            if isinstance(message, NoticeRead):
                self.screen_stack[0].post_message(message)
                return
            for screen in reversed(self.screen_stack):
                screen.post_message(copy(message))
                if not isinstance(screen, ModalScreen):
                    break
