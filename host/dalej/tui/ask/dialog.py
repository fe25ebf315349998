"""The one dialog: its fields one below the other, what is wrong, what is done next and by which key; and what it asks
where no act is at stake: which of a few, under which name.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TypeVar

from textual.app import ComposeResult
from textual.containers import Horizontal, VerticalScroll
from textual.content import Content
from textual.widgets import Button, Static

from dalej.errors import DalejError
from dalej.tui.ask.confirm import Asks
from dalej.tui.ask.fields import Field, Filled, PickField, PlayerField, ReasonField, TypeField
from dalej.tui.ask.pages import Reading
from dalej.tui.ask.reasons import ready
from dalej.tui.typedahead import drop
from dalej.tui.widgets.choices import Choice
from dalej.words import _, said

Answer = TypeVar("Answer")
Answers = Mapping[str, object]
Check = Callable[[Answers], str]


def unchecked(_answers: Answers) -> str:
    """There is nothing to say of any answer."""
    return ""


class Dialog(Asks[Answer]):
    """`fields`: what is asked, by the names of the answers. `yes`: what is done once they are answered.

    Enter goes on to the next field that says nothing yet, a pick to the next that has to say something; after the last
    one it is done, which is said before.
    """

    DEFAULT_CSS = """
    Dialog #form {
        width: 78; max-width: 100%; height: auto; max-height: 100%; border: round $accent; padding: 0 1;
        border-title-color: $text; border-title-style: bold;
    }
    Dialog #where { height: auto; margin: 0 0 1 0; }
    Dialog #told { display: none; height: auto; }
    Dialog #trouble { height: auto; min-height: 1; }
    Dialog .-wrong { color: $text-error; text-style: bold; }
    Dialog #at-once { display: none; height: auto; color: $text-warning; }
    Dialog #buttons { height: 1; margin: 1 0 0 0; }
    Dialog Button { margin: 0 2 0 0; }
    """
    AUTO_FOCUS = ""

    def __init__(self, title: str, fields: Sequence[Field], *, lines: Sequence[str] = (), yes: str) -> None:
        super().__init__()
        self.fields = fields
        self._title = title
        self._yes = yes
        self.lines = lines
        self._troubled = self._at_once = False
        self._bindings.bind("escape", "leave", _("leave"))
        self._bindings.bind("f1", "rules", _("the rule"))
        self._bindings.bind("ctrl+s", "go", _("do it"))

    def compose(self) -> ComposeResult:
        """What it is about, what is asked, what is wrong, what to press."""
        with VerticalScroll(id="form", can_focus=False) as form:
            form.border_title = self._title
            where = Static("\n".join(self.lines), id="where", markup=False)
            where.display = bool(self.lines)
            yield where
            yield from self.fields
            yield Static(id="told", markup=False)
            yield Static(id="trouble", markup=False)
            yield Static(_("What is picked here is done at once."), id="at-once", markup=False)
            leave = _("leave")
            with Horizontal(id="buttons"):
                yield Button("", id="do", compact=True, variant="primary")
                yield Button(f"Esc {leave}", id="leave", compact=True)
                yield Button(f"F1 {self.help_words()}", id="rules", compact=True)

    def on_mount(self) -> None:
        """Begin with what is still to be answered, else where something may be typed."""
        self.show_fields()
        asks = next((one for one in self.fields if one.is_open()), None)
        asks = asks or next((one for one in self.fields if one.display and not isinstance(one, PickField)), None)
        self.set_focus(self.query_one("#do", Button) if asks is None else asks.target)

    # --- of the kind of dialog -----

    @property
    def busy(self) -> bool:
        """What was answered is being done: nothing else is answered meanwhile."""
        return False

    @property
    def asks_first(self) -> bool:
        """Whether there is a question before it is done."""
        return False

    def is_asked(self, field: Field, known: Answers) -> bool:
        """Whether the field means something beside what is answered."""
        del field, known  # of the kind of dialog
        return True

    def look(self, known: Answers) -> str:
        """What there is to say of what is answered so far; DalejError if it cannot be right."""
        del known
        return ""

    def done_with(self, answers: Answers) -> None:
        """Everything is answered."""
        raise NotImplementedError

    def help_words(self) -> str:
        """What F1 brings."""
        return _("help")

    def action_rules(self) -> None:
        """How a dialog is filled in."""
        self.app.push_screen(Reading.of_keys())

    # --- keys and mouse -----

    @property
    def holds_keys(self) -> bool:
        """Nobody knows yet whether this stays open."""
        return self.busy

    def on_filled(self, filled: Filled) -> None:
        """Enter in a field, or a pick; what cannot be right is not left."""
        filled.stop()
        try:
            filled.field.value()
        except DalejError as error:
            self.refuse(error)
            return
        self.show_fields()
        after = self._after(filled.field)
        if after is None:
            self.action_go()
        else:
            self.set_focus(after.target)

    def on_input_changed(self) -> None:
        """What is typed may say something, or be wrong beside the others."""
        self.say("")
        self.show_fields()

    def on_descendant_focus(self) -> None:
        """What Enter would do there."""
        self.show_fields()

    def on_button_pressed(self, pressed: Button.Pressed) -> None:
        """By mouse, or by Enter where one has the keys."""
        {"do": self.action_go, "leave": self.action_leave, "rules": self.action_rules}[pressed.button.id or "leave"]()

    def action_leave(self) -> None:
        """Nothing is done."""
        if not self.busy:
            self.dismiss(None)

    def action_go(self) -> None:
        """If everything is answered; a key that comes before the dialog is seen answers nothing."""
        if self.is_mounted and self.is_active:
            self.go()

    def go(self) -> None:
        """Take what is answered; what is wrong with it is said."""
        if self.busy:
            return
        answers: dict[str, object] = {}
        try:
            for field in self.fields:
                if field.display:
                    answers[field.name or ""] = self._value(field)
        except DalejError as error:
            self.refuse(error)
            return
        self.say("")
        try:
            self.look(answers)
        except DalejError:
            drop(self.app)  # it stands there since it was typed
            return
        self.done_with(answers)

    # --- what is shown -----

    def say(self, words: str, *, wrong: bool = False, of_answers: bool = False) -> None:
        """What there is to be read below the fields; what it is `of_answers` stands on a line of its own."""
        line = self.query_one("#told" if of_answers else "#trouble", Static)
        line.set_class(wrong, "-wrong")
        line.update(Content(f"✗ {words}" if wrong else words))
        if of_answers:
            line.display = bool(words)
        else:
            self._troubled = bool(words)
            self._share_the_line()

    def _share_the_line(self) -> None:
        """One line is always there for either, so that nothing moves under the pointer."""
        self.query_one("#trouble").display = self._troubled or not self._at_once
        self.query_one("#at-once").display = self._at_once and not self._troubled

    def refuse(self, error: DalejError) -> None:
        """Say what is wrong; what has been typed ahead was meant for what comes after it."""
        drop(self.app)
        self.say(said(error), wrong=True)

    def show_fields(self) -> None:
        """Those that mean something beside what is answered, what that comes to, and how it is done by key."""
        known = {field.name or "": field.answer() for field in self.fields}
        for field in self.fields:
            field.display = self.is_asked(field, known)
        try:
            self.say(self.look({name: value for name, value in known.items() if value is not None}), of_answers=True)
        except DalejError as error:
            self.say(said(error), wrong=True, of_answers=True)
        here = self._here()
        does = self._after(here) is None if here is not None else self._open() is None
        self.query_one("#do", Button).label = f"⏎ {self._yes}" if does else f"Ctrl+S {self._yes}"
        self._at_once = does and isinstance(here, PickField) and not self.asks_first
        self._share_the_line()

    def _value(self, field: Field) -> object:
        try:
            return field.value()
        except DalejError:
            self.set_focus(field.target)
            raise

    def _here(self) -> Field | None:
        """The field that has the keys."""
        return next((one for one in self.fields if one.target is self.focused), None)

    def _open(self, but: Field | None = None) -> Field | None:
        return next((one for one in self.fields if one is not but and one.is_open()), None)

    def _after(self, field: Field) -> Field | None:
        """Where Enter or a pick in that field goes on; None: it is done then."""
        places = list(self.fields)
        for one in places[places.index(field) + 1 :]:
            typed_on = not isinstance(field, PickField) and isinstance(one, TypeField | PlayerField)
            if one.is_open() or (typed_on and one.display and one.answer() is None):
                return one
        return self._open(field)


class Question(Dialog[Answers | None]):
    """Dismissed with what was filled in by the fields' names, None for no. `check`: raises what is wrong with what is
    filled in so far, or gives a sentence about it. `asks_first`: another question follows. What is to be
    answered with yes or no alone is a `Confirm`.
    """

    def __init__(
        self,
        title: str,
        fields: Sequence[Field],
        *,
        lines: Sequence[str] = (),
        yes: str,
        check: Check = unchecked,
        asks_first: bool = False,
    ) -> None:
        super().__init__(title, fields, lines=lines, yes=yes)
        self._check = check
        self._asks_first = asks_first

    @property
    def asks_first(self) -> bool:
        """As it is told."""
        return self._asks_first

    def look(self, known: Answers) -> str:
        """As it is filled in."""
        return self._check(known)

    def done_with(self, answers: Answers) -> None:
        """That is the answer."""
        self.dismiss(answers)


CHOSEN = "chosen"


def chooser(title: str, words: str, choices: Sequence[str], yes: str, *, asks_first: bool = False) -> Question:
    """One of a few, answered under `CHOSEN` by its place."""
    picks = [Choice(place, text) for place, text in enumerate(choices)]
    return Question(title, [PickField(CHOSEN, "", picks, needed=True)], lines=[words], yes=yes, asks_first=asks_first)


def why_question(title: str, lines: Sequence[str], reasons: Sequence[str], yes: str = "") -> Question:
    """Asks for a reason, answered under `WHY`. `reasons`: some that are ready."""
    return Question(title, [ReasonField(ready(reasons))], lines=lines, yes=yes or title)
