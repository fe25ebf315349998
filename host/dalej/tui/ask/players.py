"""The field that finds a player: part of a name or a number is typed, and whoever it may be is listed under it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from textual import events
from textual.app import ComposeResult
from textual.containers import Vertical
from textual.content import Content
from textual.widget import Widget
from textual.widgets import Input, Static

from dalej.domain.tournament import Player
from dalej.errors import DalejError
from dalej.office.players import folded
from dalej.tui.ask.fields import Field, Filled, Read
from dalej.tui.ask.pick import Choice, Pick
from dalej.words import readable, said

MOST: Final = 6  # of those listed


class PlayerField(Field):
    """`read`: what was typed -> a player's number, WrongInput if it is nobody or may be several."""

    DEFAULT_CSS = """
    PlayerField > Vertical { width: 1fr; height: auto; }
    PlayerField Pick { height: auto; }
    PlayerField .remark { color: $text-muted; }
    """

    def __init__(
        self, name: str, label: str, players: Sequence[Player], read: Read, *, needed: bool,
        given: Player | None = None,
    ) -> None:  # fmt: skip
        super().__init__(name, label, needed=needed)
        self._players = sorted(players, key=lambda player: folded(player.name))
        self._read = read
        shown = "" if given is None else readable(given.name)
        self._input = Input(shown, compact=True, select_on_focus=True)
        self._found = Pick((), numbered=False)
        self._found.can_focus = False
        self._remark = Static("", classes="remark", markup=False)
        self._picked = None if given is None else (shown, given.number)  # what stands in the field, and who that is

    def compose(self) -> ComposeResult:
        """Label, what is typed, who that may be."""
        yield Static(self.label, classes="label", markup=False)
        with Vertical():
            yield self._input
            yield self._found
            yield self._remark

    def on_mount(self) -> None:
        """Everybody, as far as there is room."""
        self._list()

    @property
    def target(self) -> Widget:
        """What gets the keys."""
        return self._input

    def value(self) -> object:
        """The player's number."""
        if self._picked is not None and self._picked[0] == self._input.value:
            return self._picked[1]
        return self._read(self._input.value)

    def is_open(self) -> bool:
        """Whether nobody was found yet."""
        try:
            return self.needed and self.value() is None
        except DalejError:
            return True

    def on_input_changed(self) -> None:
        self._list()

    def on_input_submitted(self, submitted: Input.Submitted) -> None:
        """The one under the cursor, if there is one."""
        submitted.stop()
        if self._found.choices and (self._input.value.strip() or self._found.moved):
            self._found.pick(self._found.at)
        else:
            self.post_message(Filled(self))

    def on_key(self, event: events.Key) -> None:
        """Arrows go through the list while one types."""
        if event.key in ("up", "down"):
            self._found.go(1 if event.key == "down" else -1)
            event.stop()

    def on_pick_picked(self, picked: Pick.Picked) -> None:
        """By Enter or by mouse."""
        picked.stop()
        choice = picked.pick.choices[picked.pick.at]
        if isinstance(choice.value, int):
            self._input.value = choice.words
            self._picked = choice.words, choice.value
        self._list()
        self.post_message(Filled(self))

    def _list(self) -> None:
        wanted = folded(self._input.value).removeprefix("#")
        done = self._picked is not None and self._picked[0] == self._input.value
        may_be = [] if done else [one for one in self._players if _matches(one, wanted)]
        self._found.offer([Choice(one.number, f"{readable(one.name)} ({one.number})") for one in may_be[:MOST]])
        self._found.display = bool(may_be)
        words = f"… {len(may_be)}" if len(may_be) > MOST else ""
        if not may_be and not done and self._input.value.strip():
            try:
                self.value()
            except DalejError as error:
                words = f"✗ {said(error)}"
        self._remark.display = bool(words)
        self._remark.update(Content(words))


def _matches(player: Player, wanted: str) -> bool:
    return str(player.number).startswith(wanted) if wanted.isdecimal() else wanted in folded(player.name)
