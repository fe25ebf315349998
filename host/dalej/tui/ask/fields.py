"""The fields of the one dialog: something to type, to pick by a key, an arrow or a click, to set by steps of the mouse,
a player found by part of a name or a number, an order of a few, and the reason.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final, NamedTuple

from textual import events
from textual.app import ComposeResult
from textual.containers import Horizontal, Vertical
from textual.content import Content
from textual.message import Message
from textual.style import Style
from textual.widget import Widget
from textual.widgets import Button, Input, Static

from dalej.domain.tournament.tournament import Player
from dalej.errors import DalejError, WrongInput
from dalej.office.acts.wishes import WHY_MOST
from dalej.office.players import folded, goes_by
from dalej.tui.widgets.choices import OPEN, Choice, Pick
from dalej.words import N_, _, alphabetical, readable, said

STEPS: Final = (-10, -1, 1, 10)
MINUS: Final = "−"


class Steps(Static):
    """A figure by mouse: so much less or more at a click."""

    DEFAULT_CSS = """
    Steps { width: auto; height: 1; margin: 0 0 0 1; link-style: none; link-color: $text-accent;
        link-style-hover: bold; }
    """
    ALLOW_SELECT = False

    class Stepped(Message):
        """By so much."""

        def __init__(self, by: int) -> None:
            super().__init__()
            self.by = by

    def __init__(self, steps: Sequence[int]) -> None:
        made = (Content(f" {MINUS if by < 0 else '+'}{abs(by)} ").stylize(_click(f"step({by})")) for by in steps)
        super().__init__(Content(" ").join(made))

    def action_step(self, by: int) -> None:
        """A click on one of them."""
        self.post_message(self.Stepped(by))


def _click(action: str) -> Style:
    return Style.from_meta({"@click": action})


class Figure(NamedTuple):
    """How a figure is set by mouse. `base`: what a first click counts from; `text`: how a figure is written;
    `unit`: what is read for 1.
    """

    base: int = 0
    text: Callable[[int], str] = str
    unit: int = 1


Read = Callable[[str], object]


class Filled(Message):
    """A field was answered: go on to the next."""

    def __init__(self, field: Field) -> None:
        super().__init__()
        self.field = field


class Field(Horizontal):
    """A label ("": none) and what answers it. `name`: of the answer. One that is not shown is not asked."""

    DEFAULT_CSS = """
    Field { height: auto; }
    Field > .label { width: 24; height: auto; padding: 0 1 0 0; color: $text; }
    Field > Vertical { width: 1fr; height: auto; }
    Field Horizontal { height: 1; }
    Field .remark { width: 1fr; height: auto; color: $text-muted; }
    Field .remark.-wrong { color: $text-error; }
    """

    def __init__(self, name: str, label: str, *, needed: bool) -> None:
        super().__init__(name=name)
        self.label = label
        self.needed = needed

    def compose(self) -> ComposeResult:
        """Label and what answers it."""
        if self.label:
            yield Static(self.label, classes="label", markup=False)
        yield from self.compose_answer()

    def compose_answer(self) -> ComposeResult:
        """Of the kind of field."""
        raise NotImplementedError

    def value(self) -> object:
        """What was answered, None for nothing; WrongInput if it cannot be right."""
        raise NotImplementedError

    @property
    def target(self) -> Widget:
        """What gets the keys."""
        raise NotImplementedError

    def answer(self) -> object:
        """The value, None too as long as it cannot be right."""
        try:
            return self.value()
        except DalejError:
            return None

    def is_open(self) -> bool:
        """Whether it still has to be answered."""
        return self.display and self.needed and self.answer() is None


class PickField(Field):
    """One of a few."""

    def __init__(self, name: str, label: str, choices: Sequence[Choice], *, needed: bool, given: object = None) -> None:
        super().__init__(name, label, needed=needed)
        picked = next((at for at, one in enumerate(choices) if given is not None and one.value == given), None)
        self._pick = Pick(choices, picked)

    def compose_answer(self) -> ComposeResult:
        """Lines."""
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


class _InOrder(Pick):
    """`order`: what was picked, the first first."""

    def __init__(self, choices: Sequence[Choice]) -> None:
        super().__init__(choices)
        self.order: list[int] = []

    def mark(self, place: int) -> str:
        """Which it is."""
        return f"{self.order.index(place) + 1}." if place in self.order else f"{OPEN} "


class OrderField(Field):
    """Some in order, the first first: each by its key or a click; what is left at the end is last."""

    def __init__(self, name: str, label: str, choices: Sequence[Choice]) -> None:
        super().__init__(name, label, needed=True)
        self._pick = _InOrder(choices)
        self._back = Button("Backspace  " + _("one back"), compact=True)
        self._back.can_focus = False

    def compose_answer(self) -> ComposeResult:
        """Lines, and what takes the last back."""
        with Vertical():
            yield self._pick
            yield self._back

    @property
    def target(self) -> Widget:
        return self._pick

    def value(self) -> object:
        order = self._pick.order
        if len(order) < len(self._pick.choices):
            raise WrongInput(N_("{field}: name them all"), field=self.label)
        return [self._pick.choices[place].value for place in order]

    def on_pick_picked(self, picked: Pick.Picked) -> None:
        """The next one; who is named already stays where it is."""
        picked.stop()
        order, place = self._pick.order, picked.pick.picked
        if place is not None and place not in order:
            order.append(place)
        left = [one for one in range(len(self._pick.choices)) if one not in order]
        if len(left) == 1:
            order += left
        self._pick.refresh()
        if len(order) == len(self._pick.choices):
            self.post_message(Filled(self))

    def on_button_pressed(self, pressed: Button.Pressed) -> None:
        """By mouse."""
        pressed.stop()
        self._one_back()

    def on_key(self, key: events.Key) -> None:
        """By key."""
        if key.key == "backspace":
            key.stop()
            self._one_back()

    def _one_back(self) -> None:
        """The last one is not named any more, nor the one that was left when it was."""
        full = len(self._pick.order) == len(self._pick.choices)
        del self._pick.order[-2 if full else -1 :]
        self._pick.refresh()
        self.screen.set_focus(self._pick)


class TypeField(Field):
    """Something typed; what cannot be right is said under it at once, else the `hint`. `figure`: it can be set by mouse
    too; `most`: of its letters, 0: as many as anybody types.
    """

    def __init__(
        self, name: str, label: str, read: Read, *, needed: bool, given: str = "", wide: bool = False,
        figure: Figure | None = None, hint: str = "", most: int = 0,
    ) -> None:  # fmt: skip
        super().__init__(name, label, needed=needed)
        self._read = read
        self._figure = figure
        self._hint = hint
        self._input = Input(given, compact=True, select_on_focus=True, max_length=most)
        self._input.styles.width = "1fr" if wide else 12
        self._remark = Static(hint, classes="remark", markup=False)

    def compose_answer(self) -> ComposeResult:
        """What is typed, what is wrong with it."""
        with Vertical():
            with Horizontal():
                yield self._input
                if self._figure is not None:
                    yield Steps(STEPS)
            self._remark.display = bool(self._hint)
            yield self._remark

    def on_steps_stepped(self, stepped: Steps.Stepped) -> None:
        """From what stands there, or from the base; what cannot be read is written anew."""
        stepped.stop()
        if self._figure is None:
            return
        base, text, unit = self._figure
        read = self.answer()
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
        found = self._read(self._input.value)
        return None if found == "" else found

    def on_input_changed(self) -> None:
        wrong = ""
        if self._input.value.strip():
            try:
                self.value()
            except DalejError as error:
                wrong = "✗ " + said(error).removeprefix(f"{self.label}: ")
        self._remark.display = bool(wrong or self._hint)
        self._remark.set_class(bool(wrong), "-wrong")
        self._remark.update(Content(wrong or self._hint))

    def on_input_submitted(self, submitted: Input.Submitted) -> None:
        submitted.stop()
        self.post_message(Filled(self))


WHY: Final = "why"


class ReasonField(Field):
    """The reason: typed, or one of the ready ones by its digit while nothing is typed, or by a click."""

    DEFAULT_CSS = """
    ReasonField Input { width: 1fr; }
    """

    def __init__(self, ready: Sequence[str], *, needed: bool = True) -> None:
        super().__init__(WHY, _("why"), needed=needed)
        self._input = Input(compact=True, max_length=WHY_MOST)
        self._ready = Pick([Choice(words, words) for words in ready])
        self._ready.can_focus = False

    def compose_answer(self) -> ComposeResult:
        """What is typed, and under it what can be picked."""
        with Vertical():
            yield self._input
            yield self._ready

    @property
    def target(self) -> Widget:
        return self._input

    @property
    def text(self) -> str:
        """The reason."""
        return self._input.value.strip()

    def value(self) -> object:
        if self.needed and not self.text:
            raise WrongInput(N_("say why: it is kept with the decision"))
        return self.text or None

    def on_input_changed(self, changed: Input.Changed) -> None:
        if changed.value.isdigit() and 0 < int(changed.value) <= len(self._ready.choices):
            self._take(int(changed.value) - 1)

    def on_input_submitted(self, submitted: Input.Submitted) -> None:
        submitted.stop()
        self.post_message(Filled(self))

    def on_pick_picked(self, picked: Pick.Picked) -> None:
        picked.stop()
        self._take(picked.pick.picked or 0)

    def _take(self, place: int) -> None:
        self._ready.picked = place
        self._ready.refresh()
        self._input.value = self._ready.choices[place].words
        self.screen.set_focus(self._input)
        self._input.cursor_position = len(self._input.value)


MOST: Final = 6  # of those listed


class PlayerField(Field):
    """`read`: what was typed -> a player's number, WrongInput if it is nobody or may be several."""

    def __init__(
        self, name: str, label: str, players: Sequence[Player], read: Read, *, needed: bool,
        given: Player | None = None,
    ) -> None:  # fmt: skip
        super().__init__(name, label, needed=needed)
        self._players = sorted(players, key=lambda player: alphabetical(player.name))
        self._read = read
        shown = "" if given is None else readable(given.name)
        self._input = Input(shown, compact=True, select_on_focus=True)
        self._found = Pick((), keyed=False)
        self._found.can_focus = False
        self._remark = Static("", classes="remark", markup=False)
        self._picked = None if given is None else (shown, given.number)  # what stands in the field, and who that is

    def compose_answer(self) -> ComposeResult:
        """What is typed, who that may be."""
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

    def on_input_changed(self) -> None:
        self._list()

    def on_input_submitted(self, submitted: Input.Submitted) -> None:
        """The one under the cursor, if there is one."""
        submitted.stop()
        if self._found.choices and (self._input.value.strip() or self._found.moved):
            self._found.pick(self._found.at or 0)
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
        choice = picked.pick.choices[picked.pick.picked or 0]
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
    return str(player.number).startswith(wanted) if wanted.isdecimal() else goes_by(player.name, wanted)
