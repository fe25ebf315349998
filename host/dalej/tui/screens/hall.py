"""The hall: every table, what waits for a person, and whether any of it can be trusted."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Final

from textual import events
from textual.app import ComposeResult
from textual.containers import Container, Vertical

from dalej.desk.feed.messages import Look
from dalej.domain.tournament.stages import round_name
from dalej.domain.tournament.tournament import Round
from dalej.office.acts.act import Act
from dalej.tui.acting import ActingScreen
from dalej.tui.feed import AlertsSeen, FactsRecorded, MomentCame, NoticeRead, TableChosen
from dalej.tui.room import WAYS, Room
from dalej.tui.takingback import DoneLine
from dalej.tui.widgets import resultlines as lines
from dalej.tui.widgets.alerts import AlertList
from dalej.tui.widgets.bars import ActionBar, Banner, Button, HallBar, NoticeBar
from dalej.tui.widgets.grid import Grid
from dalej.tui.widgets.nextline import KEY, SHIFTED, NextLine
from dalej.tui.widgets.roundclock import Announcement, RoundClockFace
from dalej.tui.widgets.tablelist import Known, TableList, changes_in_ms
from dalej.tui.widgets.turnlist import TurnList
from dalej.views.deeds import HALL, Place
from dalej.views.nextwords import Next, next_of
from dalej.views.phrases import TENTHS_MS
from dalej.views.resultwords import entered_words, is_in, standing, tables_of, wants_check
from dalej.views.roundwords import round_words
from dalej.views.rows import Alert, Row
from dalej.words import N_, _

# Key, words and act of those that have a button; the last two where there is room.
_ACTS: Final = (
    ("X", N_("STOP ALL"), "stop_hall", True), ("G", N_("all go on"), "resume_hall", True),
    ("s", N_("stop"), "stop", False), ("r", N_("go on"), "resume", False),
)  # fmt: skip
_RARE: Final = frozenset({"times", "public"})


def hall_buttons(
    may: Collection[str], back: Sequence[Button] = (), *, wide: bool, paper: bool = False, reads: bool = False
) -> list[Button]:
    """Where columns are few those that a referee in a hurry wants, and `?` tells the others. `may`: acts; `back`:
    those that take something back. `paper`: no table has a box, so there is no clock to be stopped. `reads`: a list
    can be read here.
    """
    made = [("Enter", _("sheet") if paper else _("open"), "open")]
    made.append(("n", _("next missing") if paper else _("next waiting"), "next_waiting"))
    if may:
        made.append(("a", _("act"), "menu"))
    if not paper:
        made += [
            (key, _(words), f"act({name!r})") for key, words, name, always in _ACTS if (always or wide) and name in may
        ]
    made += back
    if wide and not paper:
        made.append(("o", _("order"), "order"))
    made += [(way.key, _(way.words), f"show({way.name!r})") for way in WAYS if wide or way.name not in _RARE]
    if wide and paper and reads:
        made.append(("l", _("read a list"), "read_list"))
    if wide:
        made.append((":", _("find an act"), "of_app('command_palette')"))
        made.append(("c", _("colours"), "of_app('change_colours')"))
        made.append(("b", _("sounds"), "of_app('sound')"))
    made += [("?", _("help"), "of_app('explain')"), ("q", _("quit"), "of_app('quit')")]
    return [Button(*each) for each in made]


TICK_S = 0.1
MOST_A_TICK = 30  # rows; a hall that is all in its last ten seconds gets every other tenth
WIDE = 150  # columns from which on there is room beside the tables
ROOMY = 110  # from which on there is room for every key


class HallScreen(ActingScreen):
    """Asks the feed ten times a second for those rows only whose words may have changed."""

    AUTO_FOCUS = "#tables"
    HORIZONTAL_BREAKPOINTS = [(0, "-narrow"), (WIDE, "-wide")]  # noqa: RUF012 -- as Textual declares it

    def __init__(self, room: Room) -> None:
        super().__init__(room)
        bind = self._bindings.bind
        bind("n", "next_waiting", _("next waiting"))
        bind("o", "order", _("order"))
        bind("a", "menu", _("act"))
        bind("s", "act('stop')", _("stop"), show=False)
        bind("r", "act('resume')", _("go on"), show=False)
        bind("X", "act('stop_hall')", _("STOP ALL"))
        bind("G", "act('resume_hall')", _("all go on"))
        bind(KEY, "next_step", _("next step"), key_display=SHIFTED, show=False)
        self.bind_taking_back()
        bind("l", "read_list", _("read a list"), show=False)
        bind("b", "app.sound", _("alert sounds on or off"), show=False)
        for way in WAYS:
            bind(way.key, f"show({way.name!r})", _(way.words), show=False)
        self._urgent_first = False
        self._feed = room.feed
        self._rows: dict[int, Row] = {}
        self._due_ms: dict[int, int] = {}
        self._hurried: set[int] = set()  # tables that show tenths
        self._odd_beat = False
        self._alerts_due_ms = 0
        self._alerts: tuple[Alert, ...] = ()
        self._turns_of: int | None = None
        self._buttons_for: tuple[object, ...] | None = None
        self._looks = False  # at a table about which something is asked
        self._read = False  # the event, once to its end
        self._next_of: tuple[object, ...] | None = None
        self._paper_of: tuple[object, ...] | None = None
        self._went: int | None = None  # the table that `n` has gone to

    def compose(self) -> ComposeResult:
        """Bar, banner, alerts over or beside the tables, notices, keys."""
        yield HallBar()
        yield Banner()
        yield Announcement()
        yield NextLine()
        with Container(id="hall"):
            with Vertical(id="side"):
                yield RoundClockFace()
                yield AlertList()
                yield TurnList()
            yield TableList()
        yield NoticeBar()
        yield DoneLine()
        yield ActionBar()

    def on_mount(self) -> None:
        """Start looking."""
        self.set_focus(self.query_one(TableList))  # in a browser nothing tells that the app has the keys
        self.refresh_hall()
        if not self.room.frozen:
            self.set_interval(TICK_S, self._beat)

    def refresh_hall(self) -> None:
        """Ask for everything anew."""
        self._due_ms.clear()
        self._alerts_due_ms = 0
        self.query_one(TableList).forget()
        self._turns_of = self._paper_of = None
        self._tick()

    def on_resize(self, _event: events.Resize) -> None:
        """Other columns have room."""
        self.call_after_refresh(self.refresh_hall)

    def on_screen_resume(self) -> None:
        """Back from a table or a question: much may have happened."""
        if self._looks:
            self._looks = False
            self._feed.say(Look(0))
        self.refresh_hall()

    def on_facts_recorded(self, recorded: FactsRecorded) -> None:
        """Draw at once what the ledger says now."""
        self._feed.touched |= recorded.tables
        if self._turns_of in recorded.tables:
            self._turns_of = None
        self._tick()

    def look_anew(self) -> None:
        """Everything moves again, or stands."""
        self.refresh_hall()

    def on_notice_read(self, notice: NoticeRead) -> None:
        """Say it below the tables for a while."""
        self.query_one(NoticeBar).tell(notice.words)

    def on_grid_picked(self, picked: Grid.Picked) -> None:
        """Open the table of a line; one that was gone to because it waits with the act ready that answers it."""
        picked.stop()
        table_list = self.query_one(TableList)
        if self._has_sheet(picked.table):
            table_list.choose_table(picked.table)
            self._open_sheet(picked.table)
            return
        answers = picked.control is self.query_one(AlertList) or (self._went == picked.table == table_list.table)
        table_list.choose_table(picked.table)
        answers = answers and bool(self.acts()) and any(one.table == picked.table for one in self._alerts)
        self._went = None
        self.app.post_message(TableChosen(picked.table, answers=answers))

    def action_next_waiting(self) -> None:
        """The cursor goes to the table that waits longest, then down the list of alerts; without boxes to the next of
        which results are missing.
        """
        if self._paper:
            self._go_to_missing()
            return
        tables = list(dict.fromkeys(alert.table for alert in self._alerts))
        if tables:
            table_list, went = self.query_one(TableList), self._went
            goes_on = went in tables and went == table_list.table
            self._went = tables[(tables.index(went) + 1) % len(tables)] if went is not None and goes_on else tables[0]
            table_list.choose_table(self._went)

    def action_order(self) -> None:
        """By the tables' numbers, or what waits for a person first."""
        self._urgent_first = not self._urgent_first
        self.notify(_("What waits comes first.") if self._urgent_first else _("By the tables' numbers."), timeout=2)
        self._tick()

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Only what this person may do is offered."""
        if action == "act":
            act = str(parameters[0])
            return self.may(act) and (not self._paper or act in {one.name for one in self.named_acts()})
        if action == "order":
            return not self._paper
        if action == "menu":
            return bool(self.acts())
        return super().check_action(action, parameters)

    @property
    def _list_read(self) -> str:
        """The screen on which a list is read now: results where people sit, else players; "" if none can be."""
        one = self.page.round
        act, there = ("enter_results", "results") if one is not None and one.seating is not None else (
            "sign_up_list", "people"
        )  # fmt: skip
        return there if self.room.folder is not None and self.may(act) else ""

    async def action_read_list(self) -> None:
        """Where that is done."""
        if there := self._list_read:
            await self.run_action(f"app.do_there({there!r}, 'read_list')")
        else:
            self.hint(_("Lists are read on the computer that has the event, by whoever may."))

    @property
    def place(self) -> Place:
        """The hall."""
        return Place(HALL)

    def chosen_table(self) -> int | None:
        """The one with the cursor."""
        return self.query_one(TableList).table

    def refresh_acting(self) -> None:
        """What was done."""
        self.refresh_bindings()
        self._tick()

    def buttons(self) -> list[Button]:
        """Keys as buttons, as many as there is room for."""
        may = {act.name for act in self.acts()}
        return hall_buttons(may, self.taking_back_buttons(), wide=self.size.width >= ROOMY, paper=self._paper,
                            reads=bool(self._list_read))  # fmt: skip

    def action_open(self) -> None:
        """The table with the cursor, by mouse."""
        self.query_one(TableList).action_open()

    def open_act(self, act: type[Act], args: Mapping[str, object]) -> None:
        """What is about the whole hall names no table; simulated players wait while one decides about theirs."""
        table = args.get("table")
        if self._feed.simulated and isinstance(table, int):
            self._looks = self._feed.say(Look(table))
        super().open_act(act, {} if act.about == "hall" else args)

    def _ordered(self, tables: Sequence[int]) -> Sequence[int]:
        """The tables from top to bottom."""
        if not self._urgent_first:
            return tables
        waits: dict[int, tuple[bool, int]] = {}
        for place, alert in enumerate(self._alerts):
            mine = (not alert.urgent, place)
            waits[alert.table] = min(waits.get(alert.table, mine), mine)
        last = (True, len(self._alerts))
        stands = {table for table in tables if table in self._rows and self._rows[table].state == "stopped"}
        return sorted(tables, key=lambda table: (waits.get(table, last), table not in stands, table))

    def _show_turns(self, table: int | None) -> None:
        """Of the chosen table, where there is room beside the list."""
        turn_list = self.query_one(TurnList)
        if not turn_list.display or table is None or table == self._turns_of:
            return
        self._turns_of = table
        turn_list.entitle(
            _("table {table}: its turns, the newest on top").format(table=table), _("table {table}").format(table=table)
        )
        turn_list.show(self._feed.hall.turns(table))

    def _show_buttons(self) -> None:
        """Only an act or another width makes them others."""
        made_for = (self.size.width, self.hands, self._paper, self._list_read, *self.taking_back_buttons())
        if made_for != self._buttons_for:
            self._buttons_for = made_for
            self.query_one(ActionBar).show(self.buttons())

    def _beat(self) -> None:
        """Every other time only for those that show tenths: what else changes is drawn together."""
        self._odd_beat = not self._odd_beat
        self._tick(hurried_only=self._odd_beat)

    def _tick(self, *, hurried_only: bool = False) -> None:
        if not self.is_seen:
            return
        feed, now_ms = self._feed, self._feed.now_ms()
        table_list, tables = self.query_one(TableList), self._feed.hall.tables()
        touched, feed.touched = feed.touched, set()
        self._due_ms.update(dict.fromkeys(touched, 0))
        self._read = self._read or feed.caught_up.is_set()
        self._show_next()
        if self._paper:
            tables = tables_of(self._round)
            self._show_paper(tables)
        else:
            self._show_rows(tables, table_list, now_ms, hurried_only)
        if touched or now_ms >= self._alerts_due_ms:
            self._alerts = tuple(feed.hall.alerts(now_ms))
            self._alerts_due_ms = now_ms + min(
                (1_000 - alert.waiting_ms % 1_000 for alert in self._alerts), default=1_000
            )
            self.query_one(AlertList).show_alerts(self._alerts, self._rows)
            self.app.post_message(AlertsSeen(self._alerts))
        said, entered = round_words(self.room.book.page, self.room.feed.wall_ms(), self._rows), ""
        if self._paper and self._round is not None:
            said, entered = said or (round_name(*self._round.key),), _("nobody is seated yet")
            if tables:
                entered = entered_words(self.room.book.page.state, self._round)
        waiting = len({alert.table for alert in self._alerts})
        self.query_one(HallBar).show_feed(feed, len(tables), waiting, said, entered)
        self.query_one(RoundClockFace).show_room(self.room)
        if self.query_one(Announcement).show_room(self.room, self._rows):
            self.app.post_message(MomentCame())
        self.query_one(DoneLine).show_history(self.history, feed)
        self._show_buttons()
        self.query_one(Banner).show_feed(feed)
        self.query_one(NoticeBar).show_at(feed.own_ms())

    def _show_rows(self, tables: Sequence[int], table_list: TableList, now_ms: int, hurried_only: bool) -> None:
        """What boxes tell of their tables."""
        feed = self._feed
        rows = [feed.hall.row(table, now_ms) for table in self._due(tables, table_list, now_ms, hurried_only)]
        for row in rows:
            self._rows[row.table] = row
            hurried = row.moves_on and row.left_ms is not None and row.left_ms <= TENTHS_MS
            (self._hurried.add if hurried else self._hurried.discard)(row.table)
            self._due_ms[row.table] = now_ms + changes_in_ms(row)
        table_list.show_rows([(row, self._known(row)) for row in rows], self._ordered(tables))
        self._show_turns(table_list.table)

    def _known(self, row: Row) -> Known:
        if row.box:
            return Known(row.table in self._feed.mine, self._feed.written_text(row.age_ms))
        page, one = self.page, self.page.round
        if one is None or row.table not in tables_of(one):
            return Known()
        return Known(paper=lines.on_paper(page, one, row.table, checked=wants_check(page.state))[1])

    # --- a hall without boxes -----

    @property
    def _paper(self) -> bool:
        """Whether no table has a box, as far as the whole event says, and the tournament is known."""
        return self._read and self.room.on_paper

    @property
    def _round(self) -> Round | None:
        """The round to work on; as long as nobody is seated there, the one before it."""
        state, one = self.page.state, self.page.round
        if state is None or (one is not None and one.seating is not None):
            return one
        return next((each for each in [*state.rounds.values()][::-1] if each.seating is not None), one)

    def _show_next(self) -> None:
        """Of the tournament, where no boxes say what waits."""
        shown = self._paper, self.page, self.hands
        if shown != self._next_of:
            self._next_of = shown
            self.set_class(self._paper, "-paper")
            self.query_one(NextLine).show(self._next())

    def _next(self) -> Next:
        return next_of(self.page.state, self.may, self.page.boxes) if self._paper else Next("")

    def _show_paper(self, tables: Sequence[int]) -> None:
        table_list, page, one = self.query_one(TableList), self.page, self._round
        shown = page, one, table_list.room
        if shown == self._paper_of or not table_list.room:
            return
        self._paper_of = shown
        if one is None or not tables:
            table_list.show_paper((), ())
            return
        shape, checked = lines.shape(table_list.room, one.stage.games, boxes=False), wants_check(page.state)
        made = [lines.line(page, one, table, shape, checked=checked) for table in tables]
        table_list.show_paper(shape.places, made)

    def _has_sheet(self, table: int) -> bool:
        """Whether what there is to be opened of a table is the sheet of its results: it has no box."""
        one = self._round if self._paper else self.page.round
        if one is None or table not in tables_of(one):
            return False
        return self._paper or not self._feed.hall.row(table, self._feed.now_ms()).box

    def _open_sheet(self, table: int) -> None:
        from dalej.tui.screens.entry import EntryScreen  # noqa: PLC0415 -- the hall is to be seen before it is loaded

        one = self._round
        if one is not None:
            missing = [at.game for at in one.missing() if at.table == table]
            key = None if one is self.page.round else one.key
            self.app.push_screen(EntryScreen(self.room, table, missing[0] if missing else 1, key))

    def _go_to_missing(self) -> None:
        table_list, one = self.query_one(TableList), self._round
        checked, here = wants_check(self.page.state), table_list.table or 0
        stands = [] if one is None else [standing(self.page, one, table) for table in tables_of(one)]
        todo = [each.table for each in stands if not is_in(each, checked=checked)]
        if todo:
            table_list.choose_table(next((table for table in todo if table > here), todo[0]))

    def action_next_step(self) -> None:
        """Do what the line at the top names, or go where it is done."""
        step = self._next()
        if step.screen == "entry":
            self._open_sheet(step.table)
        elif step.act:
            self.app.call_later(self.do_there, step.screen or "results")
        elif step.screen:
            self.app.call_later(self.go_to, step.screen, step.table)
        elif step.words:
            self.hint(step.words)

    def on_next_line_taken(self, taken: NextLine.Taken) -> None:
        """The line was clicked."""
        taken.stop()
        self.action_next_step()

    def _due(self, tables: Sequence[int], table_list: TableList, now_ms: int, hurried_only: bool) -> list[int]:
        """Tables to look at now: those without a line all at once, else a few, those that can be seen first."""
        new = table_list.missing(tables)
        in_sight = table_list.in_sight()
        due = [
            (table not in in_sight, due_ms, table)
            for table in tables
            if table not in new
            and (due_ms := self._due_ms.get(table, 0)) <= now_ms
            and (not hurried_only or not due_ms or table in self._hurried)
        ]
        return [*new, *(table for *_order, table in sorted(due)[:MOST_A_TICK])]
