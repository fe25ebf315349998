"""The screen's app: `make_app` is handed everything real, workers keep up with ledger and desk and touch no widget."""

from __future__ import annotations

from contextlib import suppress
from datetime import tzinfo

from textual.app import App, ScreenStackError
from textual.message import Message

from dalej.clock import Clock
from dalej.domain.rulesets import Ruleset
from dalej.hall.ahead import LedgerReader
from dalej.hall.follow import Entries
from dalej.hall.model import HallModel
from dalej.tui.feed import Feed
from dalej.tui.messages import NoticeRead, TableChosen
from dalej.tui.screens.hall import HallScreen
from dalej.tui.screens.help import HelpScreen
from dalej.tui.screens.table import TableScreen
from dalej.tui.workers import Connect, Reader, follow, listen
from dalej.words import _, readable

THEMES = ("textual-dark", "textual-light")


def make_app(
    entries: Entries,
    ruleset: Ruleset,
    connect: Connect,
    clock: Clock,
    *,
    event_name: str,
    frozen: bool = False,
    zone: tzinfo | None = None,
) -> HallApp:
    """A screen on one event. `entries`: its ledger, read in a thread. `frozen`: nothing ticks or blinks by itself."""
    model = HallModel(ruleset)
    feed = Feed(model, clock, event_name=readable(event_name), ruleset=ruleset.id, zone=zone)
    return HallApp(feed, LedgerReader(entries, model), connect, frozen=frozen)


class HallApp(App[None]):
    """Screens over one feed."""

    CSS_PATH = "app.tcss"
    ENABLE_COMMAND_PALETTE = False

    def __init__(self, feed: Feed, reader: Reader, connect: Connect, *, frozen: bool = False) -> None:
        super().__init__()
        self._bindings.bind("c", "change_colours", _("colours"))
        self._bindings.bind("question_mark", "explain", _("help"), key_display="?")
        self._bindings.bind("q", "quit", _("quit"))
        self.title = feed.event_name
        self.feed = feed
        self._reader = reader
        self._connect = connect
        self._frozen = frozen

    def get_default_screen(self) -> HallScreen:
        """The hall lies beneath everything else."""
        return HallScreen(self.feed, frozen=self._frozen)

    def on_mount(self) -> None:
        """Start to listen and to read."""
        self.run_worker(listen(self.feed, self._connect, self._post), name="listen")
        self.run_worker(follow(self.feed, self._reader, self._post), name="follow")

    def on_table_chosen(self, chosen: TableChosen) -> None:
        """Open the table; two clicks that come together open it once."""
        if isinstance(self.screen, HallScreen):
            self.push_screen(TableScreen(chosen.table, self.feed, frozen=self._frozen))

    def look_again(self) -> None:
        """Draw what is known now; a frozen screen does not by itself."""
        if isinstance(self.screen, HallScreen | TableScreen):
            self.screen.refresh_hall()

    def action_explain(self) -> None:
        """What the marks mean."""
        self.push_screen(HelpScreen())

    def action_help_quit(self) -> None:
        """Ctrl-C ends a screen as it ends any program; Textual would only say which key does."""
        self.exit()

    def action_change_colours(self) -> None:
        """Dark for a room, light for a projector."""
        self.theme = THEMES[self.theme == THEMES[0]]

    def _post(self, message: Message) -> None:
        """Workers tell the screen in front; one that lies beneath looks for itself when it comes up again.

        Notices are kept by the hall, which lies beneath all others.
        """
        with suppress(ScreenStackError, IndexError):  # on the way out there is none
            screen = self.screen_stack[0] if isinstance(message, NoticeRead) else self.screen
            screen.post_message(message)
