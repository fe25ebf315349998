"""A simulated box under a person's fingers: its keys, its buttons by mouse, its radio, its power, the hall's speed."""

from __future__ import annotations

from typing import Final

from textual import events
from textual.binding import BindingsMap

from dalej.domain.facts import SEATS
from dalej.hall.seen import Row
from dalej.live.messages import Face, Finger, Power, Reach, Speed, Take, Tap
from dalej.tui.acting import ActingScreen
from dalej.tui.feed import Feed
from dalej.tui.repeats import Repeats
from dalej.tui.widgets import remarks
from dalej.tui.widgets.box import BoxDrawing
from dalej.tui.widgets.known import acting_seat, known
from dalej.words import _
from moveclock import facts as k

SPEEDS: Final = (0.1, 0.2, 0.5, 1.0, 2.0, 5.0, 10.0, 20.0, 50.0, 100.0)
PLAYED: Final = frozenset("tjdkslp")  # keys that play a simulated box
_PLAY_KEYS: Final = frozenset("jdksJDS")
_SEAT_KEYS: Final = frozenset("1234")


class PlayedTable(ActingScreen):
    """The part of a table's screen that plays its box; nothing of it is offered where there is no simulated box."""

    table: int
    _feed: Feed

    def __init__(self) -> None:
        super().__init__()
        self._chosen: int | None = None
        self._repeats = Repeats()

    def bind_playing(self, bindings: BindingsMap) -> None:
        """Its keys."""
        bind = bindings.bind
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

    def offers_playing(self, action: str) -> bool | None:
        """Of the actions that play a box: None for one that shows why it cannot be done just now."""
        if action in ("take", "carry", "switch", "hurry"):
            return self.face is not None
        if action in ("press_button", "press_contact", "choose"):
            if self.face is None:
                return False
            return True if self.face.mine else None
        return True

    # --- keys and mouse -----

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
        self.look()

    def action_press_button(self, kind: int, held: bool) -> None:
        """Już (0) or Dalej (1) of the chosen seat, else of the seat whose lamps call."""
        seat, self._chosen = self._chosen, None
        if seat is None:
            seat = acting_seat(known(self.row(), self.face, self._feed.hall.ruleset))
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
            self.look()

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

    def on_box_drawing_touched(self, touched: BoxDrawing.Touched) -> None:
        """A finger of the mouse."""
        if self.face is not None and self.face.mine and (self._has_power() or not touched.down):
            self._feed.say(Finger(self.table, touched.contact, touched.down))
        elif self.face is not None and not self.face.mine and touched.down:
            self.remark(remarks.not_ours(self.face))

    # --- what the screen itself does -----

    def remark(self, words: str) -> None:
        """Say for a moment what a key did not do."""
        raise NotImplementedError

    def look(self) -> None:
        """Draw what is so now."""
        raise NotImplementedError

    def row(self) -> Row:
        """The table as the hall sees it."""
        raise NotImplementedError
