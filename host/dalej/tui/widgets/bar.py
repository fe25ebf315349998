"""The line at the top: which hall this is, how many wait, the desk's clock, and whether there is a desk."""

from __future__ import annotations

from rich.cells import cell_len
from textual.content import Content
from textual.widgets import Static

from dalej.tui.feed import Feed
from dalej.tui.widgets.grid import fitted
from dalej.tui.words import duration
from dalej.words import _, ngettext

LIVE, DEAD = "●", "◌"


class HallBar(Static):
    """One line, written anew only when it says something else."""

    def __init__(self) -> None:
        super().__init__(id="bar")
        self._said: tuple[str, str, str, int] | None = None

    def show_feed(self, feed: Feed, tables: int, waiting: int) -> None:
        """What the hall is called, and how it is."""
        left = " · ".join([
            feed.event_name,
            feed.ruleset,
            ngettext("{count} table", "{count} tables", tables).format(count=tables),
            _("{count} waiting").format(count=waiting) if waiting else _("nobody waits"),
        ])  # fmt: skip
        clock = feed.wall_text()
        if feed.live and feed.speed != 1:
            clock = f"×{feed.speed:g}  {clock}"
        mark = f"{LIVE} {_('live')}" if feed.live else f"{DEAD} {_('NO LIVE DESK')}"
        said = (left, clock, mark, self.size.width)
        if said == self._said or not self.size.width:
            return
        self._said = said
        right = f"{clock}  {mark}".strip()
        room = self.size.width - 2 - cell_len(right) - 2
        self.update(
            Content.assemble(" ", (fitted(left, max(0, room)), "bold"), "  ", right, " "),
            layout=False,
        )


class Banner(Static):
    """Across the screen as long as what it shows cannot be trusted."""

    def __init__(self) -> None:
        super().__init__(id="banner")
        self._said = ""

    def show_feed(self, feed: Feed, trouble: str) -> None:
        """Since when no desk answers; `trouble`: why the event file cannot be read, in words."""
        said = trouble
        if not feed.live:
            since_ms = feed.silence_ms()
            if since_ms is None:
                lost = _("NO LIVE DESK. This is what the event file says; times stand still.")
            else:
                lost = _("NO LIVE DESK since {age}. Times stand still at what was heard last.").format(
                    age=duration(since_ms)
                )
            said = f"{lost} {trouble}".strip()
        if said != self._said:
            self._said = said
            self.display = bool(said)
            self.update(Content(f"░░░ {said} ░░░"))
