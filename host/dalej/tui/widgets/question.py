"""A question over a screen: what would be, and what is to be filled in. By keys alone and by mouse alone. In a field
that is empty a digit takes one of some ready answers, and Del asks for the default.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Final

from textual import events
from textual.app import ComposeResult
from textual.containers import Vertical, VerticalScroll
from textual.content import Content
from textual.message import Message
from textual.style import Style
from textual.widgets import Input, Static

from dalej.errors import DalejError, WrongInput
from dalej.tui.ask.confirm import Asks
from dalej.words import N_, _, said


class ReadyInput(Input):
    """`take(digit)`: whether that digit stood for an answer, which it has then put in."""

    class Deleted(Message):
        """Del was pressed with nothing there to delete."""

    def __init__(self, value: str = "", *, take: Callable[[int], bool], id: str) -> None:  # noqa: A002 -- as Textual's
        super().__init__(value, id=id, compact=True)
        self._take = take

    def on_key(self, key: events.Key) -> None:
        """Before the field takes it as a letter."""
        if not self.value and len(key.key) == 1 and key.key in "123456789" and self._take(int(key.key)):
            key.stop()
            key.prevent_default()

    def action_delete_right(self) -> None:
        """As in any field, unless it is empty."""
        if self.value:
            super().action_delete_right()
        else:
            self.post_message(self.Deleted())

    def put(self, text: str) -> None:
        """That answer, with the cursor behind it."""
        self.value = text
        self.cursor_position = len(text)
        self.focus()


REASONS_MOST: Final = 9

Answers = Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Blank:
    """A field. `ready`: answers that a digit or a click puts in; `needed`: it cannot be left empty."""

    name: str
    label: str
    value: str = ""
    ready: Sequence[str] = ()
    needed: bool = False


class Question(Asks[Answers | None]):
    """Dismissed with what was filled in, None for no. `check`: raises what is wrong with the answers, or gives a
    sentence about them. What is to be answered with yes or no alone is a `Confirm`.
    """

    DEFAULT_CSS = """
    Question { align: center middle; }
    Question > #question { width: 74; max-width: 100%; height: auto; max-height: 100%; border: round $warning;
        background: $surface; padding: 0 1; }
    Question #asked { height: auto; max-height: 12; }
    Question Static { height: auto; }
    Question Input { height: 1; border: none; padding: 0; background: $boost; }
    Question Input:focus { background: $primary 30%; }
    Question #wrong { color: $text-error; }
    Question .ready, Question #answers { link-style: none; link-color: $foreground; link-style-hover: bold; }
    Question #answers { margin-top: 1; }
    """

    def __init__(
        self,
        title: str,
        lines: Sequence[str],
        blanks: Sequence[Blank],
        *,
        yes: str,
        check: Callable[[Answers], str] = lambda _answers: "",
    ) -> None:
        super().__init__()
        self._title = title
        self._lines = lines
        self._blanks = blanks
        self._yes = yes
        self._check = check
        self._wrong = False
        self._bindings.bind("escape", "say_no", _("no"), key_display="Esc", priority=True)

    def compose(self) -> ComposeResult:
        """Title, sentences, fields, what is wrong, the two answers."""
        with Vertical(id="question") as box:
            box.border_title = self._title
            with VerticalScroll(id="asked", can_focus=False):
                yield Static("\n".join(self._lines), markup=False)
            for blank in self._blanks:
                yield Static(blank.label, markup=False, classes="label")
                yield ReadyInput(blank.value, take=partial(self._take, blank), id=f"blank-{blank.name}")
                if blank.ready:
                    yield Static(_ready(blank), classes="ready")
            yield Static("", id="wrong", markup=False)
            yield Static(self._answers_line(), id="answers")

    def on_mount(self) -> None:
        """The first field is where one types."""
        for field in self.query(Input):
            field.focus()
            break
        self._look()

    def on_input_changed(self, changed: Input.Changed) -> None:
        """Check while typing."""
        changed.stop()
        self._look()

    def on_input_submitted(self, submitted: Input.Submitted) -> None:
        """On to the next field; from the last one: yes."""
        submitted.stop()
        fields = list(self.query(Input))
        place = fields.index(submitted.input)
        if place + 1 < len(fields):
            fields[place + 1].focus()
        else:
            self.action_say_yes()

    def action_take(self, name: str, index: int) -> None:
        """That ready answer."""
        ready = next(one for one in self._blanks if one.name == name).ready
        self.query_one(f"#blank-{name}", ReadyInput).put(ready[index])

    def action_say_yes(self) -> None:
        """If nothing is wrong; a key that comes before the question is seen answers nothing."""
        if not self.is_mounted or not self.is_active:
            return
        self._look(missing=True)
        if not self._wrong:
            self.dismiss(self._answers())

    def action_say_no(self) -> None:
        """Nothing happens."""
        self.dismiss(None)

    def _take(self, blank: Blank, digit: int) -> bool:
        """Whether there is such a ready answer."""
        if digit > len(blank.ready[:REASONS_MOST]):
            return False
        self.action_take(blank.name, digit - 1)
        return True

    def _answers(self) -> Answers:
        return {blank.name: self.query_one(f"#blank-{blank.name}", Input).value.strip() for blank in self._blanks}

    def _look(self, *, missing: bool = False) -> None:
        """Say what is wrong; that something is still to be filled in only once somebody wants to go on."""
        answers, wrong, told = self._answers(), "", ""
        try:
            told = self._check(answers)
        except DalejError as error:
            wrong = said(error)
        lacks = next((blank for blank in self._blanks if blank.needed and not answers[blank.name]), None)
        if lacks is not None:
            wrong = _("{field}: fill it in, it is needed").format(field=lacks.label) if missing else ""
        self._wrong = bool(wrong) or lacks is not None
        self.query_one("#wrong", Static).update(f"✗ {wrong}" if wrong else told)

    def _answers_line(self) -> Content:
        return Content.assemble(
            _button(_("Enter"), self._yes, "say_yes"), "    ", _button("Esc", _("no, leave it as it is"), "say_no")
        )


class Reading(Asks[None]):
    """A page to read; any of its keys closes it."""

    DEFAULT_CSS = """
    Reading { align: center middle; }
    Reading > VerticalScroll { width: 76; max-width: 100%; height: auto; max-height: 100%; border: round $primary;
        background: $surface; padding: 0 1; }
    Reading Static { height: auto; }
    """

    def __init__(self, title: str, text: str) -> None:
        super().__init__()
        self._title = title
        self._text = text
        self._bindings.bind("escape,question_mark,q,enter", "dismiss", _("close"), key_display="Esc")

    def compose(self) -> ComposeResult:
        """One page that scrolls."""
        with VerticalScroll() as page:
            page.border_title = self._title
            page.border_subtitle = _("Esc closes")
            yield Static(self._text, markup=False)

    def on_click(self) -> None:
        """A click closes it too."""
        self.dismiss()


def why_question(title: str, lines: Sequence[str], ready: Sequence[str], yes: str = "") -> Question:
    """Asks for a reason; `ready`: reasons that a digit puts in. Answered under `why`."""
    blank = Blank("why", _("because (a digit takes one of these)"), ready=ready, needed=True)
    return Question(title, lines, [blank], yes=yes or title)


def minutes_question(lines: Sequence[str], default: str) -> Question:
    """Asks how long a round is. Answered under `minutes`."""

    def check(answers: Answers) -> str:
        text = answers["minutes"]
        if text and not (text.isdecimal() and 1 <= int(text) <= 600):
            raise WrongInput(N_("{found} is no time, expected 1 to 600 minutes"), found=text)
        return ""

    blank = Blank("minutes", _("minutes"), default, needed=not default)
    return Question(_("The round's clock"), lines, [blank], yes=_("start it"), check=check)


def _button(key: str, words: str, action: str) -> Content:
    return Content.assemble((f" {key} ", "reverse"), f" {words} ").stylize(
        Style.from_meta({"@click": f"screen.{action}"})
    )


def _ready(blank: Blank) -> Content:
    """The ready answers, a line each, with their digits."""
    lines = [
        Content(f" {number} {text}").stylize(Style.from_meta({"@click": f"screen.take('{blank.name}', {number - 1})"}))
        for number, text in enumerate(blank.ready[:REASONS_MOST], start=1)
    ]
    return Content("\n").join(lines)
