"""The line of the last act, with the keys that take it back, or what was done before it; a click does the same."""

from __future__ import annotations

from textual.content import Content
from textual.widgets import Static

from dalej.tui.feed import Feed
from dalej.tui.history import History
from dalej.tui.takingback import keys_line


class DoneLine(Static):
    """Shown as long as it is news."""

    DEFAULT_CSS = """
    DoneLine { display: none; height: auto; max-height: 4; background: $success-muted; color: $text; padding: 0 1;
        link-style: bold; link-color: $text; link-style-hover: reverse; }
    DoneLine.-trouble { background: $error-muted; text-style: bold; }
    """
    ALLOW_SELECT = False

    def __init__(self) -> None:
        super().__init__(id="done")
        self._said = Content()

    def show_history(self, history: History, feed: Feed) -> None:
        """What was done, what became of it by now."""
        said, last = Content(), history.last
        if last is not None:
            asked = feed.hall.outcomes(() if last.done is None else last.done.requests)
            ahead = [] if last.done is None or last.back else feed.hall.ahead(last.done.decisions)
            if last.is_shown(feed.own_ms(), asked, ahead):
                said = Content.assemble(last.words(asked, ahead), "  ", keys_line(history))
        if not said.is_same(self._said):
            self._said = said
            self.display = bool(said)
            self.set_class("✗" in said.plain, "-trouble")
            self.update(said)
