"""The line at the top: which hall this is, how many wait, the desk's clock, and whether there is a desk."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from rich.cells import cell_len
from textual.content import Content
from textual.widgets import Static

from dalej.tui.feed import Feed
from dalej.tui.widgets.grid import first_fit, fitted
from dalej.tui.words import duration
from dalej.words import _, ngettext

LIVE, DEAD = "●", "◌"
NOTICE_MS: Final = 12_000
NOTICES_MOST: Final = 2


class HallBar(Static):
    """One line, written anew only when it says something else."""

    def __init__(self) -> None:
        super().__init__(id="bar")
        self._said: tuple[tuple[str, ...], str, str, int] | None = None

    def show_feed(self, feed: Feed, tables: int, waiting: int, round_said: Sequence[str] = ()) -> None:
        """What the hall is called, and how it is; `round_said`: how much time its round has left, at length and
        shorter. Who waits is said however little room there is.
        """
        counted = ngettext("{count} table", "{count} tables", tables).format(count=tables)
        wait = (
            ngettext("{count} table waits", "{count} tables wait", waiting).format(count=waiting)
            if waiting
            else _("nobody waits")
        )
        left = tuple(
            line for said in round_said or (feed.ruleset,)
            for line in _shorter([feed.event_name, said, counted, wait], (2, 0) if round_said else (1, 2, 0))
        )  # fmt: skip
        clock = feed.wall_text()
        if feed.live and feed.speed != 1:
            clock = f"×{feed.speed:g}  {clock}"
        mark = f"{LIVE} " + _("live") if feed.live else f"{DEAD} " + _("NO LIVE DESK")
        said = (left, clock, mark, self.size.width)
        if said == self._said or not self.size.width:
            return
        self._said = said
        right = f"{clock}  {mark}".strip()
        room = self.size.width - 2 - cell_len(right) - 2
        self.update(
            Content.assemble(" ", (fitted(first_fit(left, room), max(0, room)), "bold"), "  ", right, " "),
            layout=False,
        )


def _shorter(parts: list[str], spared: Sequence[int]) -> tuple[str, ...]:
    """All parts in a line, then without the first of the spared, without two of them, and so on."""
    gone = [set(spared[:count]) for count in range(len(spared) + 1)]
    return tuple(" · ".join(part for at, part in enumerate(parts) if at not in out) for out in gone)


class Banner(Static):
    """Across the screen as long as what it shows cannot be trusted."""

    def __init__(self) -> None:
        super().__init__(id="banner")
        self._said = ""

    def show_feed(self, feed: Feed) -> None:
        """Since when no desk answers, and why the event file cannot be read."""
        said = feed.trouble
        if not feed.live:
            since_ms, written = feed.silence_ms(), feed.written_text()
            if written:
                lost = _("NO LIVE DESK. This is what the event file says; its last entry: {time}.").format(time=written)
            elif since_ms is None:
                lost = _("NO LIVE DESK. This is what the event file says; times stand still.")
            else:
                lost = _("NO LIVE DESK since {age}. Times stand still at what was heard last.").format(
                    age=duration(since_ms)
                )
            remedy = _("Start it anew on the desk's computer: dalej run, or dalej demo.")
            said = f"{lost} {remedy} {feed.trouble}".strip()
        if said != self._said:
            self._said = said
            self.display = bool(said)
            self.update(Content(f"░░░ {said} ░░░"))


def stale_words(feed: Feed) -> str:
    """The same in a few words, for the frame of what lies over the banner; "" while all can be trusted."""
    if not feed.live:
        since_ms = feed.silence_ms()
        return f"{DEAD} " + " ".join([_("NO LIVE DESK"), *([] if since_ms is None else [duration(since_ms)])])
    return "░ " + _("THE EVENT FILE CANNOT BE READ") if feed.trouble else ""


class NoticeBar(Static):
    """Below the tables, where it hides no line that waits: the latest notices, each for a while after it was shown."""

    def __init__(self) -> None:
        super().__init__(id="notices")
        self._told: list[tuple[int | None, str]] = []  # until when, None: not shown yet
        self._said = ""

    def tell(self, words: str) -> None:
        """Something a person has to act on; it is shown when the screen is looked at."""
        self._told = [told for told in self._told if told[1] != words][1 - NOTICES_MOST :]
        self._told.append((None, words))

    def show_at(self, now_ms: int) -> None:
        """What is to be read at this instant of the screen's own time."""
        if not self._told:
            return
        told = ((now_ms + NOTICE_MS if until is None else until, words) for until, words in self._told)
        self._told = [(until, words) for until, words in told if until > now_ms]
        said = "\n".join(f"! {words}" for _until, words in self._told)
        if said != self._said:
            self._said = said
            self.display = bool(said)
            self.update(Content(said))
