"""Move times: how long whose moves took, against the limit: a list to choose from, and a picture of the chosen one."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Final

from textual import events
from textual.app import ComposeResult
from textual.containers import Horizontal, Vertical
from textual.content import Content
from textual.screen import Screen
from textual.widgets import Static

from dalej.domain.stagewords import round_name
from dalej.hall.movetimes import MoveTimes, in_games, of_players, of_tables
from dalej.hall.seen import SeenTurn
from dalej.tui.messages import DeskFound, DeskLost, FactsRecorded, LedgerFailed
from dalej.tui.room import Room
from dalej.tui.widgets.actionbar import ActionBar, Button
from dalej.tui.widgets.bar import Banner
from dalej.tui.widgets.grid import Grid
from dalej.tui.widgets.histogram import LATE, MEDIAN, SLOW, Piece, histogram, in_order
from dalej.tui.widgets.question import Reading
from dalej.tui.widgets.timelist import TimeList, rounded, whose_words
from dalej.words import N_, _, ngettext

WIDE: Final = 110  # columns from which on the list has more room
ROWS_MOST: Final = 32  # of the picture
AGAIN_S: Final = 5.0  # turns come all the time, and nobody reads a picture that changes faster
_LOOKS: Final = {"bar": "$primary-lighten-2", "late": "bold $error", "axis": "$text-muted", "mark": "bold"}
WHY_NOT: Final[Mapping[str, str]] = {
    "under_way": N_("under way"), "void": N_("dealt anew"), "partial": N_("start not known"),
    "stopped": N_("the clock stood"), "changed": N_("time or seat changed"),
    "ended_otherwise": N_("not ended by the player"),
}  # fmt: skip
ORDERS: Final = (N_("slowest median first"), N_("slowest tenth first"), N_("most time-outs first"), N_("by name"))


class TimesScreen(Screen[None]):
    """Turns are read from the hall's model when they have grown, every five seconds at most."""

    HORIZONTAL_BREAKPOINTS = [(0, "-narrow"), (WIDE, "-wide")]  # noqa: RUF012 -- as Textual declares it
    AUTO_FOCUS = "#times-list"
    DEFAULT_CSS = """
    TimesScreen #times-head { height: auto; background: $primary; color: $text; text-style: bold; padding: 0 1; }
    TimesScreen #times-list { width: 36; height: 1fr; }
    TimesScreen.-wide #times-list { width: 52; }
    TimesScreen #times-picture { width: 1fr; height: 1fr; padding: 0 1; }
    TimesScreen #times-said, TimesScreen #times-order { height: auto; }
    TimesScreen #times-plot { height: auto; }
    """

    def __init__(self, room: Room) -> None:
        super().__init__()
        bind = self._bindings.bind
        bind("p", "players", _("players or tables"))
        bind("o", "order", _("order"))
        bind("r", "scope", _("round or day"))
        bind("question_mark", "explain", _("help"), key_display="?")
        bind("escape", "leave", _("back"), key_display="Esc")
        self._room, self._feed = room, room.feed
        self._tables = False
        self._order = 0
        self._day = False
        self._grown = True

    def compose(self) -> ComposeResult:
        """Head, banner, the list beside words and pictures, keys."""
        yield Static(id="times-head", markup=False)
        yield Banner()
        with Horizontal():
            yield TimeList()
            with Vertical(id="times-picture"):
                yield Static(id="times-said", markup=False)
                yield Static(id="times-plot", markup=False)
                yield Static(id="times-order", markup=False)
        yield ActionBar()

    def on_mount(self) -> None:
        """Start looking."""
        self.query_one(ActionBar).show([
            Button("p", _("players or tables"), "players"), Button("o", _("order"), "order"),
            Button("r", _("round or day"), "scope"), Button("?", _("help"), "explain"),
            Button("Esc", _("back"), "leave"),
        ])  # fmt: skip
        self.call_after_refresh(self.refresh_hall)
        if not self._room.frozen:
            self.set_interval(AGAIN_S, self._look)

    def on_resize(self, _event: events.Resize) -> None:
        """Another picture."""
        self.call_after_refresh(self.refresh_hall)

    def on_screen_resume(self) -> None:
        """Much may have happened."""
        self.call_after_refresh(self.refresh_hall)

    def on_facts_recorded(self, _recorded: FactsRecorded) -> None:
        """It is looked at soon."""
        self._grown = True

    def on_desk_found(self, _found: DeskFound) -> None:
        """The banner goes."""
        self._banner()

    def on_desk_lost(self, _lost: DeskLost) -> None:
        """The banner says so."""
        self._banner()

    def on_ledger_failed(self, _failed: LedgerFailed) -> None:
        """The banner says why."""
        self._banner()

    def on_grid_picked(self, picked: Grid.Picked) -> None:
        """A click on a line chooses it."""
        picked.stop()
        self.query_one(TimeList).go_to(picked.table)

    def on_time_list_chosen(self, _chosen: TimeList.Chosen) -> None:
        """Its picture."""
        self._draw()

    def refresh_hall(self) -> None:
        """Work everything out anew."""
        if not self.is_mounted or not self.query("#times-list"):
            return
        self._grown = False
        self._banner()
        games = self._room.book.page.boxes
        wanted = None if self._day or not games else in_games(games.values())
        of = of_tables if self._tables else of_players
        times = _ordered(of(self._turns(), wanted), self._order)
        self.query_one("#times-head", Static).update(self._heading(len(times), of_round=wanted is not None))
        self.query_one(TimeList).show_times(times)

    def action_players(self) -> None:
        """Players, or tables."""
        self._tables = not self._tables
        self.refresh_hall()

    def action_order(self) -> None:
        """The next order."""
        self._order = (self._order + 1) % len(ORDERS)
        self.refresh_hall()

    def action_scope(self) -> None:
        """The games of the round that is played, or all there are."""
        self._day = not self._day
        self.refresh_hall()

    def action_leave(self) -> None:
        """To where one came from."""
        self.dismiss()

    def action_explain(self) -> None:
        """What the picture shows."""
        self.app.push_screen(Reading(_("Move times"), explanation()))

    def _look(self) -> None:
        self._banner()
        if self._grown and self.is_active:
            self.refresh_hall()

    def _turns(self) -> dict[int, Sequence[SeenTurn]]:
        return {table: self._feed.hall.turns(table) for table in self._feed.hall.tables()}

    def _banner(self) -> None:
        self.query_one(Banner).show_feed(self._feed)

    def _heading(self, count: int, *, of_round: bool) -> str:
        one = self._room.book.page.round
        whose = (
            ngettext("{count} table", "{count} tables", count)
            if self._tables
            else ngettext("{count} player", "{count} players", count)
        ).format(count=count)
        scope = _("all rounds") if not of_round or one is None else round_name(*one.key)
        return " · ".join([_("Move times"), scope, whose, _(ORDERS[self._order])])

    def _draw(self) -> None:
        times = self.query_one(TimeList).whose
        said, plot, order = (self.query_one(f"#times-{name}", Static) for name in ("said", "plot", "order"))
        if times is None:
            said.update(Content(_("No move has been made yet.")))
            plot.update("")
            order.update("")
            return
        said.update(Content("\n").join(map(Content, sentences(times))))
        room = self.query_one("#times-picture", Vertical).scrollable_content_region
        rows = room.height - said_rows(sentences(times), room.width) - 2
        lines = histogram(times, room.width, min(rows, ROWS_MOST))
        plot.update(Content("\n").join(map(_content, lines)))
        latest = _content(in_order(times.moves, room.width)) if times.moves else Content("")
        order.update(Content("\n").join([Content.styled(_("Move by move, the latest on the right:"), "dim"), latest]))


def sentences(times: MoveTimes) -> list[str]:
    """What the picture shows, a line each: whose, how many moves, median and time-outs, the slowest tenth, what is left
    out.
    """
    late, moves = times.time_outs, len(times.moves)
    head = [ngettext("{count} move", "{count} moves", moves).format(count=moves)]
    if times.limits:
        head.append(_("limit {seconds} s").format(seconds=", ".join(map(rounded, times.limits))))
    said = [f"{whose_words(times.whose)}: {', '.join(head)}"]
    if moves:
        said.append(
            f"{MEDIAN} "
            + _("median {seconds} s").format(seconds=rounded(times.median_ms))
            + f"   {LATE} "
            + ngettext("{count} time-out", "{count} time-outs", late).format(count=late)
        )
        said.append(f"{SLOW} " + _("slowest tenth {seconds} s or more").format(seconds=rounded(times.slow_ms)))
    if times.left_out:
        left = ", ".join(f"{_(WHY_NOT[why])} {count}" for why, count in times.left_out.items())
        said.append(_("Not counted: {moves}").format(moves=left))
    return said


def said_rows(texts: Sequence[str], width: int) -> int:
    """Rows that these take when they are wrapped."""
    return sum(len(Content(text).wrap(width)) for text in texts) if width > 0 else len(texts)


def explanation() -> str:
    """The help of this screen."""
    return "\n\n".join([
        _("Each bar says how many moves took so many seconds; the scale ends at the limit. Moves that ran out of time "
          "stand apart on the right, under ×."),
        _("▲ median: half of the moves took no longer. △ slowest tenth: one move in ten took this long or longer."),
        _("Below it each move stands in its order, as high as the part of the limit that it took; × is a time-out."),
        _("Only moves that a player made from beginning to end alone are counted. How many are left out, and why, "
          "stands beside: the clock stood, the referee changed time or seat, the deal was dealt anew."),
        _("p: players or tables.  o: another order.  r: this round or all rounds.  ↑ ↓ or a click: choose."),
    ])  # fmt: skip


def _ordered(times: Sequence[MoveTimes], order: int) -> list[MoveTimes]:
    figures: tuple[Callable[[MoveTimes], int], ...] = (
        lambda one: -(one.median_ms or 0), lambda one: -(one.slow_ms or 0), lambda one: -one.time_outs,
    )  # fmt: skip
    named = sorted(times, key=lambda one: (one.whose.table, one.whose.seat or 0, whose_words(one.whose).casefold()))
    return named if order >= len(figures) else sorted(named, key=figures[order])


def _content(pieces: Sequence[Piece]) -> Content:
    return Content.assemble(*((text, _LOOKS[look]) for text, look in pieces))
