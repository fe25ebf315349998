"""One table: its box as it looks, its turns with their rulings, what the hall sees of it, and what may be done now. A
simulated box is under a person's fingers: its keys, its buttons by mouse, its radio, its power, the hall's speed.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Final

from textual import events
from textual.app import ComposeResult
from textual.containers import Horizontal
from textual.content import Content
from textual.timer import Timer
from textual.widgets import Static

from dalej.desk.feed.messages import Face, Finger, Look, Power, Reach, Speed, Take, Tap, parted
from dalej.domain.game.facts import SEATS
from dalej.errors import DalejError
from dalej.office.acts.catalogue import ACTS
from dalej.office.rulings import claims_granted
from dalej.tui.acting import ActingScreen
from dalej.tui.feed import AlertsSeen, FaceSeen, FactsRecorded, TableChosen, WishRefused
from dalej.tui.room import Room
from dalej.tui.takingback import DoneLine
from dalej.tui.typedahead import Repeats
from dalej.tui.widgets.bars import ActionBar, Banner, Button
from dalej.tui.widgets.boxdrawing import BoxDrawing, plan_for
from dalej.tui.widgets.tablelines import (
    CallLine,
    SeatList,
    after_answer,
    after_ruling_ahead,
    first_alert,
    seen_there,
    title,
    waiting_elsewhere,
    waits_next,
)
from dalej.tui.widgets.turnlist import TurnList
from dalej.views import tablehints
from dalej.views.callwords import after_ruling
from dalej.views.deeds import TABLE, Place
from dalej.views.offers import why_not
from dalej.views.rows import Row
from dalej.views.tablehints import acting_seat, hint, known
from dalej.views.tablesays import beside_the_game
from dalej.words import N_, _, said
from moveclock import facts as k

# If it can be done now: in short where room is scarce, the others where there is room.
FOOT: Final[Mapping[str, str]] = {"stop": N_("stop"), "resume": N_("go on")}
FOOT_ROOMY: Final = ("set_time", "give_time", "rule")


def playing_buttons(*, mine: bool) -> list[Button]:
    """Of a simulated box; `mine`: this screen plays it."""
    made = [Button("t", _("play"), "take")]
    if mine:
        made += [
            Button("j", "Już", "press_button(0, False)"), Button("d", "Dalej", "press_button(1, False)"),
            Button("k", "Kostka", "press_contact(8, False)"), Button("s", "Sędzia", "press_contact(9, False)"),
        ]  # fmt: skip
    return [*made, Button("l", _("radio"), "carry"), Button("p", _("power"), "switch")]


def act_buttons(row: Row, may: Collection[str], late: Sequence[int], *, roomy: bool) -> list[Button]:
    """What a referee does; `may`: acts that have a key of their own here, `late`: moves that ran out of time."""
    made = [Button("Enter", _("answer"), "answer_call")] if row.alerts else []
    made.append(Button("a", _("act"), "menu"))
    for name in (*FOOT, *FOOT_ROOMY) if roomy else FOOT:
        act = ACTS[name]
        if name in may and not why_not(act, row, late):
            made.append(Button(act.key, _(FOOT.get(name, act.title)), f"act({name!r})"))
    return made


def way_buttons(*, roomy: bool, waits: bool) -> list[Button]:
    """Out of here, and what every screen has. `waits`: somebody does at another table."""
    made = [Button("n", _("next waiting"), "next_waiting")] if waits else []
    made += [Button(":", _("find an act"), "of_app('command_palette')")] if roomy else []
    made += [Button("Esc", _("hall"), "leave"), Button("?", _("help"), "of_app('explain')")]
    if roomy:
        made += [Button("c", _("colours"), "of_app('change_colours')"), Button("q", _("quit"), "of_app('quit')")]
    return made


SPEEDS: Final = (0.1, 0.2, 0.5, 1.0, 2.0, 5.0, 10.0, 20.0, 50.0, 100.0)
PLAYED: Final = frozenset("tjdkslp")  # keys that play a simulated box
_PLAY_KEYS: Final = frozenset("jdksJDS")
_SEAT_KEYS: Final = frozenset("1234")


TICK_S: Final = 0.1
BLINK_MS: Final = 500
REMARK_S: Final = 3.0
TURNS_WIDTH: Final = 31  # columns that turns need at least, and the rows of everything above and below the box
ROWS_AROUND: Final = 9
TURNS_FROM: Final = 80  # columns of a screen from which on there is room for turns beside the box
ROOMY: Final = 30  # rows from which on there is room for everything
ROOMY_PLAYED: Final = 36  # and for a frame around the hints, while the foot has every key that plays
_NOT_DIRECT: Final = frozenset("c")  # the colours', on every screen


class TableScreen(ActingScreen):
    """Table `table` of the hall. `answers`: it is opened because of what waits there, with the act ready that answers
    it. Nothing that plays a box is offered where there is no simulated one.
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

    def __init__(self, table: int, room: Room, *, answers: bool = False) -> None:
        super().__init__(room)
        self.table = table
        self._answers = answers
        self._feed = room.feed
        self._chosen: int | None = None
        self._repeats = Repeats()
        self._keys_for: tuple[object, ...] | None = None
        self._said: dict[str, str] = {}
        self._remark = ""
        self._hush: Timer | None = None
        self._stray: int | None = None  # the last press that changed nothing
        self._goes_on = False  # another table waits
        self._bind_keys()

    def _bind_keys(self) -> None:
        bind = self._bindings.bind
        self._bind_playing()
        bind("enter", "answer_call", _("answer"), key_display="Enter")
        bind("a", "menu", _("act"))
        bind("n", "next_waiting", _("next waiting"))
        for act in self.acts():
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
        yield CallLine()
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
        if not self.room.frozen:
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
                self.remark(tablehints.changed_nothing(inside, self.row().names))
                return
        self.look()

    def on_facts_recorded(self, recorded: FactsRecorded) -> None:
        """A turn may have ended, or been ruled on."""
        self._feed.touched |= recorded.tables
        self.refresh_hall()

    def look_anew(self) -> None:
        """A new connection knows nothing of who looked; without one there is no box to draw."""
        self._ask_for_face()
        self.refresh_hall()

    def on_wish_refused(self, refused: WishRefused) -> None:
        """Say why nothing happened."""
        self.remark(said(DalejError(refused.refusal.template, **parted(refused.refusal.data))))

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
            drawing.show(face, row.names, blink=self.room.frozen or now_ms // BLINK_MS % 2 == 0, chosen=self._chosen)
        else:
            seats.show(row)
        mine = face is not None and face.mine
        self.query_one("#title").set_class(mine, "-ours")
        self._say("title", title(row, feed, self.size.width, mine=mine))
        room, alerts = self.size.width - 2, feed.hall.alerts(now_ms)
        self._goes_on = waits_next(self.table, alerts) is not None
        self.app.post_message(AlertsSeen(alerts))
        self.set_class(mine and self.size.height < ROOMY_PLAYED, "-tight")
        beside = beside_the_game(self.page, self.table, feed.wall_ms())
        self._say("others", f"{seen_there(row, room, beside)}\n{waiting_elsewhere(self.table, alerts, room)}")
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
        alert, then = first_alert(row) if self.acts() else None, ""
        if alert is not None and alert.kind == "time_out":
            following = known(row, self.face, self._feed.hall.ruleset).following
            decisions, since_ms = self.page.decisions, self._feed.wall_ms() - alert.waiting_ms
            then = after_ruling_ahead(row, decisions, since_ms, following)
            then = then or after_ruling(row, self._feed.hall.turns_of(self.table, row.game), following)
        elif alert is not None and alert.kind == "early_click":
            granted = claims_granted(self.page.claims)
            then = after_answer(row, self._feed.hall.turns_of(self.table, row.game), granted)
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
            return tablehints.chosen(self._chosen, row.names)
        return hint(row, face, self._feed.hall.ruleset, self._remark)

    # --- keys and mouse -----

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Which keys the foot of the screen offers: those of a box that is there; those of hands only who plays."""
        if action == "act":
            key = ACTS[str(parameters[0])].key
            return self.may(str(parameters[0])) and (self.face is None or key not in PLAYED)
        if action in ("menu", "answer_call"):
            return bool(self.acts())
        return super().check_action(action, parameters) and self._offers_playing(action)

    def buttons(self, row: Row, *, mine: bool) -> list[Button]:
        """Keys as buttons, as many as there is room for."""
        roomy = self.size.height >= (ROOMY_PLAYED if mine else ROOMY)
        may = {name for name in (*FOOT, *FOOT_ROOMY) if self.check_action("act", (name,))}
        made = [] if self.face is None else playing_buttons(mine=mine)
        if self.acts():
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

    # --- playing a simulated box -----

    def _bind_playing(self) -> None:
        bind = self._bindings.bind
        bind("t", "take", _("play"))
        bind("j", "press_button(0, False)", "Już")
        bind("d", "press_button(1, False)", "Dalej")
        bind("k", "press_contact(8, False)", "Kostka")
        bind("s", "press_contact(9, False)", "Sędzia")
        bind("J", "press_button(0, True)", _("hold Już"), show=False)
        bind("D", "press_button(1, True)", _("hold Dalej"), show=False)
        bind("S", "press_contact(9, True)", _("hold Sędzia"), show=False)
        for seat, letter in enumerate(SEATS):
            bind(str(seat + 1), f"choose({seat})", letter, show=False)
        bind("l", "carry", _("radio"))
        bind("p", "switch", _("power"))
        bind("plus,equals_sign", "hurry(1)", _("faster"), key_display="+", show=False)
        bind("minus", "hurry(-1)", _("slower"), key_display="-", show=False)

    @property
    def face(self) -> Face | None:
        """The simulated box of this table, if there is one and it has been seen."""
        face = self._feed.face
        return face if face is not None and face.table == self.table else None

    def _offers_playing(self, action: str) -> bool | None:
        """Of the actions that play a box: None for one that shows why it cannot be done just now."""
        if action in ("take", "carry", "switch", "hurry"):
            return self.face is not None
        if action in ("press_button", "press_contact", "choose"):
            if self.face is None:
                return False
            return True if self.face.mine else None
        return True

    def on_key(self, event: events.Key) -> None:
        """A key that is held down comes again and again: it is one tap. One of a table that is not ours is told so."""
        if event.key in _PLAY_KEYS | _SEAT_KEYS and self.face is not None and not self.face.mine:
            self.remark(tablehints.not_ours(self.face))
        if self._repeats.repeats(event.key, self._feed.own_ms()) and event.key in _PLAY_KEYS:
            event.stop()

    def action_take(self) -> None:
        """Play this table, or give it back to those who sit there."""
        if self.face is not None:
            self._chosen = None
            self._feed.say(Take(self.table, not self.face.mine))

    def action_choose(self, seat: int) -> None:
        """Już and Dalej are this seat's for the next press."""
        self._chosen = seat
        self.look()

    def action_press_button(self, kind: int, held: bool) -> None:
        """Już (0) or Dalej (1) of the chosen seat, else of the seat whose lamps call."""
        seat, self._chosen = self._chosen, None
        if seat is None:
            seat = acting_seat(known(self.row(), self.face, self._feed.hall.ruleset))
        if not self._has_power():
            return
        if seat == k.NOBODY:
            self.remark(tablehints.no_seat(kind))
        else:
            self.action_press_contact(2 * seat + kind, held)

    def action_press_contact(self, contact: int, held: bool) -> None:
        """A tap, or a hold as long as that contact needs."""
        if self._has_power():
            self._feed.say(Tap(self.table, contact, held))
            self.look()

    def _has_power(self) -> bool:
        """Whether a finger can do anything; if not, that is said."""
        dark = self.face is not None and not self.face.powered
        if dark:
            self.remark(tablehints.no_power())
        return not dark

    def action_carry(self) -> None:
        """Out of the radio's reach, or back."""
        if self.face is not None:
            self._feed.say(Reach(self.table, not self.face.in_reach))

    def action_switch(self) -> None:
        """Power off, or on."""
        if self.face is not None:
            self._feed.say(Power(self.table, not self.face.powered))

    def action_hurry(self, steps: int) -> None:
        """The simulated hall runs faster or slower."""
        nearest = min(SPEEDS, key=lambda speed: abs(speed - self._feed.speed))
        place = SPEEDS.index(nearest) + steps
        if 0 <= place < len(SPEEDS):
            self._feed.say(Speed(SPEEDS[place]))

    def on_box_drawing_touched(self, touched: BoxDrawing.Touched) -> None:
        """A finger of the mouse."""
        if self.face is not None and self.face.mine and (self._has_power() or not touched.down):
            self._feed.say(Finger(self.table, touched.contact, touched.down))
        elif self.face is not None and not self.face.mine and touched.down:
            self.remark(tablehints.not_ours(self.face))
