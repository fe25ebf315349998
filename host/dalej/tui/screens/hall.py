"""The hall: every table, what waits for a person, and whether any of it can be trusted."""

from __future__ import annotations

from collections.abc import Sequence

from textual import events
from textual.app import ComposeResult
from textual.containers import Container, Vertical
from textual.screen import Screen
from textual.widgets import Footer

from dalej.hall.seen import Alert, Row
from dalej.tui.cells import Known, changes_in_ms
from dalej.tui.feed import Feed
from dalej.tui.messages import DeskFound, DeskLost, FactsRecorded, LedgerFailed, NoticeRead, TableChosen
from dalej.tui.widgets.alerts import AlertList
from dalej.tui.widgets.bar import Banner, HallBar, NoticeBar
from dalej.tui.widgets.grid import Grid
from dalej.tui.widgets.tables import TableList
from dalej.tui.widgets.turns import TurnList
from dalej.words import _

TICK_S = 0.1
MOST_A_TICK = 30  # rows; a hall that is all in its last ten seconds gets every other tenth
WIDE = 150  # columns from which on there is room beside the tables


class HallScreen(Screen[None]):
    """Asks the feed ten times a second for those rows only whose words may have changed. `frozen`: when told to."""

    AUTO_FOCUS = "#tables"
    HORIZONTAL_BREAKPOINTS = [(0, "-narrow"), (WIDE, "-wide")]  # noqa: RUF012 -- as Textual declares it

    def __init__(self, feed: Feed, *, frozen: bool = False) -> None:
        super().__init__()
        self._bindings.bind("n", "next_waiting", _("next waiting"))
        self._feed = feed
        self._frozen = frozen
        self._rows: dict[int, Row] = {}
        self._due_ms: dict[int, int] = {}
        self._alerts_due_ms = 0
        self._alerts: tuple[Alert, ...] = ()
        self._turns_of: int | None = None
        self._went: int | None = None  # the table that `n` has gone to

    def compose(self) -> ComposeResult:
        """Bar, banner, alerts over or beside the tables, notices, keys."""
        yield HallBar()
        yield Banner()
        with Container(id="hall"):
            with Vertical(id="side"):
                yield AlertList()
                yield TurnList()
            yield TableList()
        yield NoticeBar()
        yield Footer(show_command_palette=False)

    def on_mount(self) -> None:
        """Start looking."""
        self.refresh_hall()
        if not self._frozen:
            self.set_interval(TICK_S, self._tick)

    def refresh_hall(self) -> None:
        """Ask for everything anew."""
        self._due_ms.clear()
        self._alerts_due_ms = 0
        self.query_one(TableList).forget()
        self._turns_of = None
        self._tick()

    def on_resize(self, _event: events.Resize) -> None:
        """Other columns have room."""
        self.call_after_refresh(self.refresh_hall)

    def on_screen_resume(self) -> None:
        """Back from a table: much may have happened."""
        self.refresh_hall()

    def on_facts_recorded(self, recorded: FactsRecorded) -> None:
        """Draw at once what the ledger says now."""
        self._feed.touched |= recorded.tables
        if self._turns_of in recorded.tables:
            self._turns_of = None
        self._tick()

    def on_desk_found(self, _found: DeskFound) -> None:
        """Everything moves again."""
        self.refresh_hall()

    def on_desk_lost(self, _lost: DeskLost) -> None:
        """Everything stands."""
        self.refresh_hall()

    def on_ledger_failed(self, _failed: LedgerFailed) -> None:
        """The banner says why."""
        self._tick()

    def on_notice_read(self, notice: NoticeRead) -> None:
        """Say it below the tables for a while."""
        self.query_one(NoticeBar).tell(notice.words)

    def on_grid_picked(self, picked: Grid.Picked) -> None:
        """Open the table of a line."""
        picked.stop()
        self.query_one(TableList).choose_table(picked.table)
        self.app.post_message(TableChosen(picked.table))

    def action_next_waiting(self) -> None:
        """The cursor goes to the table that waits longest, then down the list of alerts."""
        tables = list(dict.fromkeys(alert.table for alert in self._alerts))
        if tables:
            table_list, went = self.query_one(TableList), self._went
            goes_on = went in tables and went == table_list.table
            self._went = tables[(tables.index(went) + 1) % len(tables)] if went is not None and goes_on else tables[0]
            table_list.choose_table(self._went)

    def _show_turns(self, table: int | None) -> None:
        """Of the chosen table, where there is room beside the list."""
        turn_list = self.query_one(TurnList)
        if not turn_list.display or table is None or table == self._turns_of:
            return
        self._turns_of = table
        turn_list.border_title = _("table {table}: its turns, the newest on top").format(table=table)
        turn_list.show(self._feed.hall.turns(table))

    def _tick(self) -> None:
        if not self.is_active:
            return
        feed, now_ms = self._feed, self._feed.now_ms()
        table_list, tables = self.query_one(TableList), self._feed.hall.tables()
        touched, feed.touched = feed.touched, set()
        self._due_ms.update(dict.fromkeys(touched, 0))
        rows = [feed.hall.row(table, now_ms) for table in self._due(tables, table_list, now_ms)]
        for row in rows:
            self._rows[row.table] = row
            self._due_ms[row.table] = now_ms + changes_in_ms(row)
        table_list.show_rows(
            [(row, Known(row.table in feed.mine, feed.written_text(row.age_ms))) for row in rows], tables
        )
        self._show_turns(table_list.table)
        if touched or now_ms >= self._alerts_due_ms:
            self._alerts = tuple(feed.hall.alerts(now_ms))
            self._alerts_due_ms = now_ms + min(
                (1_000 - alert.waiting_ms % 1_000 for alert in self._alerts), default=1_000
            )
            self.query_one(AlertList).show_alerts(self._alerts, self._rows)
        self.query_one(HallBar).show_feed(feed, len(tables), len({alert.table for alert in self._alerts}))
        self.query_one(Banner).show_feed(feed)
        self.query_one(NoticeBar).show_at(feed.own_ms())

    def _due(self, tables: Sequence[int], table_list: TableList, now_ms: int) -> list[int]:
        """Tables to look at now: those without a line all at once, else a few, those that can be seen first."""
        new = table_list.missing(tables)
        in_sight = table_list.in_sight()
        due = [
            (table not in in_sight, due_ms, table)
            for table in tables
            if table not in new and (due_ms := self._due_ms.get(table, 0)) <= now_ms
        ]
        return [*new, *(table for *_order, table in sorted(due)[:MOST_A_TICK])]
