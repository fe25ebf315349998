"""The fields of the one dialog: something to type, to pick by a digit, an arrow or a click, to set by steps of the
mouse, a player found by part of a name or a number, and the reason.
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
from textual.widgets import Input, Static

from dalej.domain.tournament.tournament import Player
from dalej.errors import DalejError, WrongInput
from dalej.office.players import folded
from dalej.words import N_, _, readable, said

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


class Choice(NamedTuple):
    """What is picked, and how it is called."""

    value: object
    words: str


class Pick(Widget, can_focus=True):
    """Lines to pick from. `picked`: index, None as long as nothing is. `numbered`: digits pick; without them the
    cursor is shown whoever has the keys, for a field that sends it its arrows.
    """

    DEFAULT_CSS = """
    Pick { height: auto; width: 1fr; }
    Pick:focus { background: $boost; }
    """

    class Picked(Message):
        """A line was picked."""

        def __init__(self, pick: Pick) -> None:
            super().__init__()
            self.pick = pick

        @property
        def control(self) -> Pick:
            """Whose line."""
            return self.pick

    def __init__(self, choices: Sequence[Choice], picked: int | None = None, *, numbered: bool = True) -> None:
        super().__init__()
        self.choices = choices
        self.moved = False
        self._numbered = numbered
        self.picked = picked
        self._at = picked or 0

    def render(self) -> Content:
        """Each with its digit; `▸` is where Enter picks, `●` what is picked."""
        lines = []
        for place, choice in enumerate(self.choices):
            mark = "●" if place == self.picked else "○"
            cursor = "▸" if (self.has_focus or not self._numbered) and place == self._at else " "
            before = f"{cursor}{mark} {place + 1} " if self._numbered else f"{cursor} "
            for row, words in enumerate(self._rows(choice, self.content_size.width)):
                line = f"{' ' * len(before) if row else before}{words}"
                lines.append(Content.styled(line, "bold" if cursor == "▸" else ""))
        return Content("\n").join(lines)

    def get_content_height(self, _container: object, _viewport: object, width: int) -> int:
        """One line each, or more where the words are too long for one."""
        return sum(len(self._rows(choice, width)) for choice in self.choices)

    def _rows(self, choice: Choice, width: int) -> list[str]:
        """The words on as many lines as they take beside what stands before them."""
        room = width - (len("▸○ 9 ") if self._numbered else len("▸ "))
        return [line.plain.rstrip() for line in Content(choice.words).wrap(room)] if room > 0 else [choice.words]

    @property
    def at(self) -> int:
        """Where the cursor is."""
        return self._at

    def offer(self, choices: Sequence[Choice]) -> None:
        """Others to pick from."""
        if choices != self.choices:
            self.choices, self.picked, self._at, self.moved = choices, None, 0, False
            self.refresh(layout=True)

    def go(self, steps: int) -> None:
        """The cursor, up or down."""
        self._at = max(0, min(len(self.choices) - 1, self._at + steps))
        self.moved = True
        self.refresh()

    def pick(self, place: int) -> None:
        """Pick a line, if there is one."""
        if 0 <= place < len(self.choices):
            self._at = self.picked = place
            self.refresh()
            self.post_message(self.Picked(self))

    def on_key(self, event: events.Key) -> None:
        """Digits pick, arrows go, Enter picks where they went."""
        if event.key.isdigit():
            self.pick(int(event.key) - 1)
        elif event.key in ("up", "down"):
            self.go(1 if event.key == "down" else -1)
        elif event.key in ("enter", "space"):
            self.pick(self._at)
        else:
            return
        event.stop()
        event.prevent_default()

    def on_click(self, click: events.Click) -> None:
        """The line under the pointer."""
        width = self.content_size.width
        at = [place for place, choice in enumerate(self.choices) for _row in self._rows(choice, width)]
        if 0 <= click.y < len(at):
            self.pick(at[click.y])

    def on_focus(self) -> None:
        self.refresh()

    def on_blur(self) -> None:
        self.refresh()


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
