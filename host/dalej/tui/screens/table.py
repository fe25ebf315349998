"""One table: its box as it looks, its turns with their rulings, what the hall sees of it, and what may be done now.

Where the desk simulates its boxes, the table can be played from here, by key and by mouse, with the box's own inputs.
"""

from __future__ import annotations

from typing import Final

from textual import events
from textual.app import ComposeResult
from textual.containers import Horizontal
from textual.content import Content
from textual.screen import Screen
from textual.timer import Timer
from textual.widgets import Footer, Static

from dalej.domain.facts import SEATS
from dalej.hall.seen import Row
from dalej.live.messages import Face, Finger, Look, Power, Reach, Speed, Take, Tap
from dalej.tui.feed import Feed
from dalej.tui.messages import DeskFound, DeskLost, FaceSeen, FactsRecorded, WishRefused
from dalej.tui.repeats import Repeats
from dalej.tui.widgets import remarks
from dalej.tui.widgets.bar import Banner
from dalej.tui.widgets.box import BoxDrawing
from dalej.tui.widgets.drawing import plan_for
from dalej.tui.widgets.hints import hint
from dalej.tui.widgets.known import acting_seat, known
from dalej.tui.widgets.lines import seen_there, title, waiting_elsewhere
from dalej.tui.widgets.seats import SeatList
from dalej.tui.widgets.turns import TurnList
from dalej.words import _
from moveclock import facts as k

TICK_S: Final = 0.1
BLINK_MS: Final = 500
REMARK_S: Final = 3.0
SPEEDS: Final = (0.1, 0.2, 0.5, 1.0, 2.0, 5.0, 10.0, 20.0, 50.0, 100.0)
TURNS_WIDTH: Final = 31  # columns that turns need at least, and the rows of everything above and below the box
ROWS_AROUND: Final = 9
TURNS_FROM: Final = 80  # columns of a screen from which on there is room for turns beside the box
_PLAY_KEYS: Final = frozenset("jdksJDS")
_SEAT_KEYS: Final = frozenset("1234")


class TableScreen(Screen[None]):
    """Table `table` of the hall. `frozen`: nothing moves or blinks unless told to."""

    DEFAULT_CSS = """
    TableScreen { layout: vertical; }
    TableScreen #title {
        height: 1; background: $primary; color: $text; text-wrap: nowrap; text-overflow: ellipsis;
    }
    TableScreen #title.-ours { background: $accent; color: $text; text-style: bold; }
    TableScreen #place { height: 1fr; }
    TableScreen #others { height: 2; padding: 0 1; text-wrap: nowrap; }
    TableScreen #hints { height: 5; border: round $accent; border-title-color: $text; padding: 0 1; }
    """
    AUTO_FOCUS = None

    def __init__(self, table: int, feed: Feed, *, frozen: bool = False) -> None:
        super().__init__()
        self.table = table
        self._feed = feed
        self._frozen = frozen
        self._chosen: int | None = None
        self._repeats = Repeats()
        self._keys_for: tuple[bool, bool] | None = None
        self._said: dict[str, str] = {}
        self._remark = ""
        self._hush: Timer | None = None
        self._stray: int | None = None  # the last press that changed nothing
        self._bind_keys()

    def _bind_keys(self) -> None:
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
        bind("escape", "leave", _("hall"))
        # Where every column is needed, the help page is enough for these.
        bind("c", "app.change_colours", _("colours"), show=False)
        bind("q", "app.quit", _("quit"), show=False)

    def compose(self) -> ComposeResult:
        """Title, box and turns side by side, what the hall sees, what may be done, keys."""
        yield Static(id="title")
        yield Banner()
        with Horizontal():
            with Horizontal(id="place"):
                yield BoxDrawing()
                yield SeatList()
            yield TurnList()
        yield Static(id="others")
        hints = Static(id="hints")
        hints.border_title = _("What goes on, and what you can do")
        yield hints
        yield Footer(show_command_palette=False, compact=True)

    def on_mount(self) -> None:
        """Ask for the box's face, and begin to look."""
        self._feed.say(Look(self.table))
        self.refresh_hall()
        if not self._frozen:
            self.set_interval(TICK_S, self._tick)

    def on_unmount(self) -> None:
        """Nobody looks any more."""
        self._feed.say(Look(0))

    # --- what comes in -----

    def refresh_hall(self) -> None:
        """Ask for everything anew."""
        if self.table in self._feed.hall.tables():
            self.query_one(TurnList).show(self._feed.hall.turns(self.table))
            self._tick()

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
                self.remark(remarks.changed_nothing(inside, self._row().names))
                return
        self._tick()

    def on_facts_recorded(self, recorded: FactsRecorded) -> None:
        """A turn may have ended, or been ruled on."""
        self._feed.touched |= recorded.tables
        self.refresh_hall()

    def on_desk_found(self, _found: DeskFound) -> None:
        """A new connection knows nothing of who looked."""
        self._feed.say(Look(self.table))
        self.refresh_hall()

    def on_desk_lost(self, _lost: DeskLost) -> None:
        """No box to draw."""
        self.refresh_hall()

    def on_wish_refused(self, refused: WishRefused) -> None:
        """Say why nothing happened."""
        self.remark(_(refused.refusal.template).format(**refused.refusal.data))

    # --- what is shown -----

    def remark(self, words: str) -> None:
        """Say for a moment what a key did not do, over what may be done."""
        if self._hush is not None:
            self._hush.stop()
        self._remark = words
        self._hush = self.set_timer(REMARK_S, self._end_remark)
        self._tick()

    def _end_remark(self) -> None:
        self._remark = ""
        self._tick()

    @property
    def face(self) -> Face | None:
        """The simulated box of this table, if there is one and it has been seen."""
        face = self._feed.face
        return face if face is not None and face.table == self.table else None

    def _row(self) -> Row:
        return self._feed.hall.row(self.table, self._feed.now_ms())

    def _tick(self) -> None:
        if not self.is_active or self.table not in self._feed.hall.tables():
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
        self._say("title", title(row, feed, mine=mine))
        room, alerts = self.size.width - 2, feed.hall.alerts(now_ms)
        self._say("others", f"{seen_there(row, room)}\n{waiting_elsewhere(self.table, alerts, room)}")
        self._say("hints", self._hint(row, face))
        self.query_one(Banner).show_feed(feed)
        if self._keys_for != (face is not None, mine):
            self._keys_for = (face is not None, mine)
            self.refresh_bindings()

    def _say(self, where: str, what: str) -> None:
        if self._said.get(where) != what:
            self._said[where] = what
            self.query_one(f"#{where}", Static).update(Content(what), layout=False)

    def _hint(self, row: Row, face: Face | None) -> str:
        if self._chosen is not None and not self._remark:
            return remarks.chosen(self._chosen, row.names)
        return hint(row, face, self._feed.hall.ruleset, self._remark)

    # --- keys and mouse -----

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:  # noqa: ARG002 -- Textual's
        """Which keys the foot of the screen offers: those of a box that is there; those of hands only who plays."""
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
            self.remark(remarks.not_ours(self.face))
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
        self._tick()

    def action_press_button(self, kind: int, held: bool) -> None:
        """Już (0) or Dalej (1) of the chosen seat, else of the seat whose lamps call."""
        seat, self._chosen = self._chosen, None
        if seat is None:
            seat = acting_seat(known(self._row(), self.face, self._feed.hall.ruleset))
        if not self._has_power():
            return
        if seat == k.NOBODY:
            self.remark(remarks.no_seat(kind))
        else:
            self.action_press_contact(2 * seat + kind, held)

    def action_press_contact(self, contact: int, held: bool) -> None:
        """A tap, or a hold as long as that contact needs."""
        if self._has_power():
            self._feed.say(Tap(self.table, contact, held))
            self._tick()

    def _has_power(self) -> bool:
        """Whether a finger can do anything; if not, that is said."""
        dark = self.face is not None and not self.face.powered
        if dark:
            self.remark(remarks.no_power())
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

    def action_leave(self) -> None:
        """Let go of the chosen seat; else to the hall, and a table that is played stays in these hands."""
        if self._chosen is not None:
            self._chosen = None
            self._tick()
            return
        self.app.pop_screen()

    def on_box_drawing_touched(self, touched: BoxDrawing.Touched) -> None:
        """A finger of the mouse."""
        if self.face is not None and self.face.mine and (self._has_power() or not touched.down):
            self._feed.say(Finger(self.table, touched.contact, touched.down))
        elif self.face is not None and not self.face.mine and touched.down:
            self.remark(remarks.not_ours(self.face))
