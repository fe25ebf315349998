"""The fields of the one dialog: something to type, or something to pick."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from textual.app import ComposeResult
from textual.containers import Horizontal, Vertical
from textual.content import Content
from textual.message import Message
from textual.widget import Widget
from textual.widgets import Input, Static

from dalej.errors import DalejError, WrongInput
from dalej.tui.ask.pick import Choice, Pick
from dalej.tui.ask.steps import STEPS, Figure, Steps
from dalej.words import N_, said

Read = Callable[[str], object]


class Filled(Message):
    """A field was answered: go on to the next. `field`: which; None: that of the reason."""

    def __init__(self, field: Field | None = None) -> None:
        super().__init__()
        self.field = field


class Field(Horizontal):
    """A label and what answers it. `name`: of the wish's argument. One that is not shown is not asked."""

    DEFAULT_CSS = """
    Field { height: auto; }
    Field > .label { width: 24; padding: 0 1 0 0; color: $text; }
    Field > Vertical { width: 1fr; height: auto; }
    Field Horizontal { height: 1; }
    Field .remark { width: 1fr; height: auto; color: $text-error; }
    """

    def __init__(self, name: str, label: str, *, needed: bool) -> None:
        super().__init__(name=name)
        self.label = label
        self.needed = needed

    def value(self) -> object:
        """What was answered, None for nothing; WrongInput if it cannot be right."""
        raise NotImplementedError

    @property
    def target(self) -> Widget:
        """What gets the keys."""
        raise NotImplementedError

    def is_open(self) -> bool:
        """Whether it still has to be answered."""
        try:
            return self.display and self.needed and self.value() is None
        except DalejError:
            return True


class PickField(Field):
    """One of a few."""

    def __init__(self, name: str, label: str, choices: Sequence[Choice], *, needed: bool, given: object = None) -> None:
        super().__init__(name, label, needed=needed)
        picked = next((at for at, one in enumerate(choices) if given is not None and one.value == given), None)
        self._pick = Pick(choices, picked)

    def compose(self) -> ComposeResult:
        """Label and lines."""
        yield Static(self.label, classes="label", markup=False)
        yield self._pick

    @property
    def target(self) -> Widget:
        return self._pick

    def value(self) -> object:
        place = self._pick.picked
        if place is None and self.needed:
            raise WrongInput(N_("{field}: pick one"), field=self.label)
        return None if place is None else self._pick.choices[place].value

    def on_pick_picked(self, picked: Pick.Picked) -> None:
        picked.stop()
        self.post_message(Filled(self))


class TypeField(Field):
    """Something typed; what cannot be right is said beside it at once. `figure`: it can be set by mouse too."""

    def __init__(
        self, name: str, label: str, read: Read, *, needed: bool, given: str = "", wide: bool = False,
        figure: Figure | None = None,
    ) -> None:  # fmt: skip
        super().__init__(name, label, needed=needed)
        self._read = read
        self._figure = figure
        self._input = Input(given, compact=True, select_on_focus=True)
        self._input.styles.width = "1fr" if wide else 12
        self._remark = Static("", classes="remark", markup=False)

    def compose(self) -> ComposeResult:
        """Label, what is typed, what is wrong with it."""
        yield Static(self.label, classes="label", markup=False)
        with Vertical():
            with Horizontal():
                yield self._input
                if self._figure is not None:
                    yield Steps(STEPS)
            self._remark.display = False
            yield self._remark

    def on_steps_stepped(self, stepped: Steps.Stepped) -> None:
        """From what stands there, or from the base; what cannot be read is written anew."""
        stepped.stop()
        if self._figure is None:
            return
        base, text, unit = self._figure
        try:
            read = self._read(self._input.value)
        except DalejError:
            read = None
        at = read // unit if isinstance(read, int) else base
        self._input.value = text(max(0, at + stepped.by))

    @property
    def target(self) -> Widget:
        return self._input

    @property
    def text(self) -> str:
        """As it stands there."""
        return self._input.value

    def value(self) -> object:
        return self._read(self._input.value)

    def on_input_changed(self) -> None:
        wrong = ""
        if self._input.value.strip():
            try:
                self.value()
            except DalejError as error:
                wrong = "✗ " + said(error).removeprefix(f"{self.label}: ")
        self._remark.display = bool(wrong)
        self._remark.update(Content(wrong))

    def on_input_submitted(self, submitted: Input.Submitted) -> None:
        submitted.stop()
        self.post_message(Filled(self))
