"""The field of the reason: typed, or one of the ready ones by its digit while nothing is typed, or by a click."""

from __future__ import annotations

from collections.abc import Sequence

from textual.app import ComposeResult
from textual.containers import Horizontal, Vertical
from textual.widget import Widget
from textual.widgets import Input, Static

from dalej.tui.ask.fields import Filled
from dalej.tui.ask.pick import Choice, Pick
from dalej.words import _


class ReasonField(Vertical):
    """The reason: typed, or one of the ready ones by its digit while nothing is typed, or by a click."""

    DEFAULT_CSS = """
    ReasonField { height: auto; }
    ReasonField > Horizontal { height: 1; }
    ReasonField .label { width: 24; color: $text; }
    ReasonField Input { width: 1fr; }
    ReasonField Pick { margin: 0 0 0 23; }
    """

    def __init__(self, ready: Sequence[str], given: str = "") -> None:
        super().__init__()
        self._input = Input(given, compact=True, max_length=200)
        self._ready = Pick([Choice(words, words) for words in ready])
        self._ready.can_focus = False

    def compose(self) -> ComposeResult:
        """What is typed, and under it what can be picked."""
        with Horizontal():
            yield Static(_("why"), classes="label", markup=False)
            yield self._input
        yield self._ready

    @property
    def target(self) -> Widget:
        """What gets the keys."""
        return self._input

    @property
    def text(self) -> str:
        """The reason."""
        return self._input.value.strip()

    def on_input_changed(self, changed: Input.Changed) -> None:
        if changed.value.isdigit() and 0 < int(changed.value) <= len(self._ready.choices):
            self._take(int(changed.value) - 1)

    def on_input_submitted(self, submitted: Input.Submitted) -> None:
        submitted.stop()
        self.post_message(Filled())

    def on_pick_picked(self, picked: Pick.Picked) -> None:
        picked.stop()
        self._take(picked.pick.picked or 0)

    def _take(self, place: int) -> None:
        self._ready.picked = place
        self._ready.refresh()
        self._input.value = self._ready.choices[place].words
        self.screen.set_focus(self._input)
        self._input.cursor_position = len(self._input.value)
