"""One table: its box as it looks, its turns with their rulings, what the hall sees of it, and what may be done now.

Where the desk simulates its boxes, the table can be played from here, by key and by mouse, with the box's own inputs.
"""

from __future__ import annotations

from typing import Final

from textual import events
from textual.app import ComposeResult
from textual.containers import Horizontal
from textual.content import Content
from textual.timer import Timer
from textual.widgets import Static

from dalej.acts.catalogue import ACTS
from dalej.errors import DalejError
from dalej.hall.seen import Row
from dalej.live.messages import Face, Look
from dalej.live.parts import fields
from dalej.office.referee import claims_granted
from dalej.tui.acting import Acting
from dalej.tui.feed import Feed
from dalej.tui.history import TABLE, Place
from dalej.tui.messages import AlertsSeen, DeskFound, DeskLost, FaceSeen, FactsRecorded, TableChosen, WishRefused
from dalej.tui.screens.playing import PLAYED, PlayedTable
from dalej.tui.screens.tablekeys import FOOT, FOOT_ROOMY, act_buttons, playing_buttons, way_buttons
from dalej.tui.widgets import remarks
from dalej.tui.widgets.actionbar import ActionBar, Button
from dalej.tui.widgets.bar import Banner
from dalej.tui.widgets.box import BoxDrawing
from dalej.tui.widgets.callline import (
    CallLine,
    after_answer,
    after_ruling,
    after_ruling_ahead,
    first_alert,
    waits_next,
)
from dalej.tui.widgets.doneline import DoneLine
from dalej.tui.widgets.drawing import plan_for
from dalej.tui.widgets.hints import hint
from dalej.tui.widgets.known import known
from dalej.tui.widgets.lines import seen_there, title, waiting_elsewhere
from dalej.tui.widgets.seats import SeatList
from dalej.tui.widgets.turns import TurnList
from dalej.words import _, said

TICK_S: Final = 0.1
BLINK_MS: Final = 500
REMARK_S: Final = 3.0
TURNS_WIDTH: Final = 31  # columns that turns need at least, and the rows of everything above and below the box
ROWS_AROUND: Final = 9
TURNS_FROM: Final = 80  # columns of a screen from which on there is room for turns beside the box
ROOMY: Final = 30  # rows from which on there is room for everything
ROOMY_PLAYED: Final = 36  # and for a frame around the hints, while the foot has every key that plays
_NOT_DIRECT: Final = frozenset("c")  # the colours', on every screen


class TableScreen(PlayedTable):
    """Table `table` of the hall. `frozen`: nothing moves or blinks unless told to. `answers`: it is opened because of
    what waits there, with the act ready that answers it.
    """

    DEFAULT_CSS = """
    TableScreen { layout: vertical; }
    TableScreen #title {
        height: 1; background: $primary; color: $text; text-wrap: nowrap; text-overflow: ellipsis;
    }
    TableScreen #title.-ours { background: $accent; color: $text; text-style: bold; }
    TableScreen #place { height: 1fr; }
    TableScreen #call { display: none; height: 1; background: $warning; color: $text; text-style: bold; padding: 0 1; }
    TableScreen #call.-urgent { background: $error; }
    TableScreen.-tight #hints { height: 3; border: none; }
    TableScreen #others { height: 2; padding: 0 1; text-wrap: nowrap; }
    TableScreen #hints { height: 5; border: round $accent; border-title-color: $text; padding: 0 1; }
    """
    AUTO_FOCUS = None

    def __init__(self, table: int, feed: Feed, acting: Acting, *, frozen: bool = False, answers: bool = False) -> None:
        super().__init__()
        self.table = table
        self.acting = acting
        self._answers = answers
        self._feed = feed
        self._frozen = frozen
        self._keys_for: tuple[object, ...] | None = None
        self._said: dict[str, str] = {}
        self._remark = ""
        self._hush: Timer | None = None
        self._stray: int | None = None  # the last press that changed nothing
        self._goes_on = False  # another table waits
        self._bind_keys()

    def _bind_keys(self) -> None:
        bind = self._bindings.bind
        self.bind_playing(self._bindings)
        bind("enter", "answer_call", _("answer"), key_display="Enter")
        bind("a", "menu", _("act"))
        bind("n", "next_waiting", _("next waiting"))
        for act in self.acting.acts():
            if act.key and act.key not in _NOT_DIRECT and act.about in ("table", "game"):
                bind(act.key, f"act({act.name!r})", _(act.title), show=False)
        self.bind_taking_back()
        bind("escape", "leave", _("hall"), key_display="Esc")
        # Where every column is needed, the help page is enough for these.
        bind("c", "app.change_colours", _("colours"), show=False)
        bind("q", "app.quit", _("quit"), show=False)

    def compose(self) -> ComposeResult:
        """Title, box and turns side by side, what the hall sees, what may be done, keys."""
        yield Static(id="title")
        yield Banner()
        yield CallLine(id="call")
        with Horizontal():
            with Horizontal(id="place"):
                yield BoxDrawing()
                yield SeatList()
            yield TurnList()
        yield Static(id="others")
        yield DoneLine()
        hints = Static(id="hints")
        hints.border_title = _("What goes on, and what you can do")
        yield hints
        yield ActionBar()

    def on_mount(self) -> None:
        """Ask for the box's face, and begin to look."""
        self._ask_for_face()
        self.refresh_hall()
        if not self._frozen:
            self.set_interval(TICK_S, self.look)
        if self.row().alerts:
            self.fetch(self.row())
        if self._answers:
            self.call_later(
                self.action_answer_call
            )  # before it is drawn: a table that flashes up tells nobody anything

    def on_unmount(self) -> None:
        """Nobody looks any more."""
        if self._feed.simulated:
            self._feed.say(Look(0))

    def _ask_for_face(self) -> None:
        """Only a desk that simulates its boxes has faces to tell of."""
        if self._feed.simulated:
            self._feed.say(Look(self.table))

    # --- what comes in -----

    def refresh_hall(self) -> None:
        """Ask for everything anew."""
        if self.table in self._feed.hall.tables():
            self.query_one(TurnList).show(self._feed.hall.turns(self.table))
            self.look()

    def on_resize(self, _event: events.Resize) -> None:
        """A larger drawing of the box has room, or no longer; on a narrow screen the turns give way."""
        beside = self.size.width >= TURNS_FROM
        plan = plan_for(self.size.width - TURNS_WIDTH * beside, self.size.height - ROWS_AROUND)
        self.query_one(TurnList).display = beside
        self.query_one("#place").styles.width = plan.width if beside else "1fr"
        self.call_after_refresh(self.refresh_hall)

    def on_screen_resume(self) -> None:
        """Something may have happened behind the help."""
        self.refresh_hall()

    def on_face_seen(self, seen: FaceSeen) -> None:
        """Draw the box at once: a finger wants to see what it does, or that it did nothing."""
        inside = seen.face.inside
        if seen.face.table == self.table and inside is not None:
            before, self._stray = self._stray, inside.stray[0]
            if seen.face.mine and before is not None and before != self._stray:
                self.remark(remarks.changed_nothing(inside, self.row().names))
                return
        self.look()

    def on_facts_recorded(self, recorded: FactsRecorded) -> None:
        """A turn may have ended, or been ruled on."""
        self._feed.touched |= recorded.tables
        self.refresh_hall()

    def on_desk_found(self, _found: DeskFound) -> None:
        """A new connection knows nothing of who looked."""
        self._ask_for_face()
        self.refresh_hall()

    def on_desk_lost(self, _lost: DeskLost) -> None:
        """No box to draw."""
        self.refresh_hall()

    def on_wish_refused(self, refused: WishRefused) -> None:
        """Say why nothing happened."""
        self.remark(said(DalejError(refused.refusal.template, **fields(refused.refusal.data))))

    # --- what is shown -----

    def remark(self, words: str) -> None:
        """Say for a moment what a key did not do, over what may be done."""
        if self._hush is not None:
            self._hush.stop()
        self._remark = words
        self._hush = self.set_timer(REMARK_S, self._end_remark)
        self.look()

    def _end_remark(self) -> None:
        self._remark = ""
        self.look()

    def row(self) -> Row:
        """The table as the hall sees it."""
        return self._feed.hall.row(self.table, self._feed.now_ms())

    def look(self) -> None:
        """Draw what is so now."""
        if not self.is_seen or self.table not in self._feed.hall.tables():
            return  # a ledger that was put back to an older state may not know it for a moment
        feed, face, now_ms = self._feed, self.face, self._feed.now_ms()
        row = feed.hall.row(self.table, now_ms)
        drawing, seats = self.query_one(BoxDrawing), self.query_one(SeatList)
        drawing.display, seats.display = face is not None, face is None
        if face is not None:
            drawing.show(face, row.names, blink=self._frozen or now_ms // BLINK_MS % 2 == 0, chosen=self._chosen)
        else:
            seats.show(row)
        mine = face is not None and face.mine
        self.query_one("#title").set_class(mine, "-ours")
        self._say("title", title(row, feed, self.size.width, mine=mine))
        room, alerts = self.size.width - 2, feed.hall.alerts(now_ms)
        self._goes_on = waits_next(self.table, alerts) is not None
        self.app.post_message(AlertsSeen(alerts))
        self.set_class(mine and self.size.height < ROOMY_PLAYED, "-tight")
        self._say("others", f"{seen_there(row, room)}\n{waiting_elsewhere(self.table, alerts, room)}")
        self._say("hints", self._hint(row, face))
        self._show_acting(row)
        self.query_one(Banner).show_feed(feed)
        keys_for = face is not None, mine, row.state, bool(row.alerts), *self.taking_back_buttons()
        if self._keys_for != keys_for:
            self._keys_for = keys_for
            self.refresh_bindings()
        self.query_one(ActionBar).show(self.buttons(row, mine=mine))

    def _show_acting(self, row: Row) -> None:
        """What waits here for a person, and what was done; where rows are few they take the place of other words."""
        call, done = self.query_one(CallLine), self.query_one(DoneLine)
        alert, then = first_alert(row) if self.acting.acts() else None, ""
        if alert is not None and alert.kind == "time_out":
            following = known(row, self.face, self._feed.hall.ruleset).following
            decisions, since_ms = self.acting.room.book.page.decisions, self._feed.wall_ms() - alert.waiting_ms
            then = after_ruling_ahead(row, decisions, since_ms, following)
            then = then or after_ruling(row, self._feed.hall.turns(self.table), following)
        elif alert is not None and alert.kind == "early_click":
            granted = claims_granted(self.acting.room.book.page.decisions)
            then = after_answer(row, self._feed.hall.turns(self.table), granted)
        call.show_alert(alert, row.names, then)
        done.show_history(self.history, self._feed)
        short = self.size.height < ROOMY
        self.query_one("#others").display = not (short and call.display)
        self.query_one("#hints").display = not (short and done.display)

    def _say(self, where: str, what: str) -> None:
        if self._said.get(where) != what:
            self._said[where] = what
            self.query_one(f"#{where}", Static).update(Content(what), layout=False)

    def _hint(self, row: Row, face: Face | None) -> str:
        if self._chosen is not None and not self._remark:
            return remarks.chosen(self._chosen, row.names)
        return hint(row, face, self._feed.hall.ruleset, self._remark)

    # --- keys and mouse -----

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Which keys the foot of the screen offers: those of a box that is there; those of hands only who plays."""
        if action == "act":
            key = ACTS[str(parameters[0])].key
            return self.acting.may(str(parameters[0])) and (self.face is None or key not in PLAYED)
        if action in ("menu", "answer_call"):
            return bool(self.acting.acts())
        return super().check_action(action, parameters) and self.offers_playing(action)

    def buttons(self, row: Row, *, mine: bool) -> list[Button]:
        """Keys as buttons, as many as there is room for."""
        roomy = self.size.height >= (ROOMY_PLAYED if mine else ROOMY)
        may = {name for name in (*FOOT, *FOOT_ROOMY) if self.check_action("act", (name,))}
        made = [] if self.face is None else playing_buttons(mine=mine)
        if self.acting.acts():
            made += act_buttons(row, may, self.late(row), roomy=roomy)
        return [*made, *self.taking_back_buttons(), *way_buttons(roomy=roomy, waits=self._goes_on)]

    @property
    def place(self) -> Place:
        """The table."""
        return Place(TABLE, self.table)

    def chosen_table(self) -> int:
        """The one of this screen."""
        return self.table

    def refresh_acting(self) -> None:
        """What was done."""
        self.look()

    def action_answer_call(self) -> None:
        """What the table waits for, if it does; else everything that can be done."""
        alert = first_alert(self.row())
        if alert is None:
            self.action_menu()
        else:
            self.answer(alert)

    def action_next_waiting(self) -> None:
        """On to the table that waits longest after this one, without the hall in between."""
        table = waits_next(self.table, self._feed.hall.alerts(self._feed.now_ms()))
        if table is not None and self.is_active:
            self.app.pop_screen()
            self.app.post_message(TableChosen(table))

    def on_call_line_clicked(self) -> None:
        """By mouse."""
        self.action_answer_call()

    def on_click(self, click: events.Click) -> None:
        """The right button opens the menu."""
        if click.button == 3:
            self.action_menu()

    def action_leave(self) -> None:
        """Let go of the chosen seat; else to the hall, and a table that is played stays in these hands."""
        if self._chosen is not None:
            self._chosen = None
            self.look()
        elif self.is_active:  # a second click on its way would close what lies beneath
            self.app.pop_screen()
