"""What is asked over a screen is answered once, however many keys and clicks arrive together: yes or no before
something is done that names what it touches; the regulation's own words on what is being decided.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby
from typing import TypeVar

from textual.app import ComposeResult
from textual.await_complete import AwaitComplete
from textual.containers import Vertical, VerticalScroll
from textual.content import Content
from textual.screen import ModalScreen
from textual.widgets import Button, Static

from dalej.domain.rules.rulesets import Ruleset
from dalej.tui.keys import EndsItsWork, drop
from dalej.words import _, readable

Answer = TypeVar("Answer")


class Asks(EndsItsWork, ModalScreen[Answer]):
    """Once it is answered, or while it lies under another question, it takes no answer."""

    DEFAULT_CSS = """
    Asks { align: center middle; background: $background 82%; }
    """

    def dismiss(self, result: Answer | None = None) -> AwaitComplete:
        """Only the screen in front is answered: a second answer would close what lies beneath it."""
        return super().dismiss(result) if self.is_active else AwaitComplete(_nothing())


async def _nothing() -> None:
    """What there is to wait for where nothing is closed."""


class Confirm(Asks[bool]):
    """True if the person agreed. `yes`: what is done then, "": just yes. `enter`: it is what was just asked for and
    destroys nothing, so Enter agrees as well.
    """

    DEFAULT_CSS = """
    Confirm { background: $background 70%; }
    Confirm #question {
        width: 78; max-width: 100%; height: auto; max-height: 100%; border: heavy $error; padding: 1 2;
        border-title-color: $text;
    }
    Confirm.-mild #question { border: round $accent; }
    Confirm #asked { height: auto; max-height: 14; }
    Confirm #asked Static { height: auto; }
    Confirm #answers { layout: horizontal; height: auto; margin: 1 0 0 0; }
    Confirm Button { margin: 0 2 0 0; }
    Confirm #enter { display: none; color: $text-warning; text-style: bold; margin: 1 0 0 0; }
    """
    AUTO_FOCUS = ""

    def __init__(self, title: str, lines: Sequence[str], *, yes: str = "", enter: bool = False) -> None:
        super().__init__()
        self._title = title
        self._lines = lines
        self._yes = yes or _("yes, do it")
        self._enter = enter
        self.set_class(enter, "-mild")
        self._bindings.bind("y", "answer(True)", _("yes"))
        self._bindings.bind("n,escape", "answer(False)", _("no"))
        self._bindings.bind("enter", "answer(True)" if enter else "warn", show=False)

    def compose(self) -> ComposeResult:
        """What it touches, and two ways to go on."""
        go_back, key = _("no, go back"), _("Enter") if self._enter else "y"
        with Vertical(id="question") as box:
            box.border_title = self._title if self._enter else f"▲ {self._title}"
            with VerticalScroll(id="asked", can_focus=False):
                yield Static("\n".join(self._lines), markup=False)
            with Vertical(id="answers"):
                yield Button(
                    f"{key}  {self._yes}", id="yes", compact=True, variant="primary" if self._enter else "error"
                )
                yield Button(f"Esc  {go_back}", id="no", compact=True)
            yield Static(id="enter", markup=False)

    def on_button_pressed(self, pressed: Button.Pressed) -> None:
        """A click, or Enter where Tab has brought the keys."""
        self.dismiss(pressed.button.id == "yes")

    def action_answer(self, agreed: bool) -> None:
        """By key; one that comes before the question is seen answers nothing."""
        if self.is_mounted and self.is_active:
            self.dismiss(agreed)

    def action_warn(self) -> None:
        """Enter in passing: say that nothing was done, and what does it."""
        drop(self.app)
        said = self.query_one("#enter", Static)
        said.display = True
        said.update(_("Nothing is done yet: y does it, Esc goes back."))


class Reading(Asks[None]):
    """A page to read; any of its keys closes it, and a click."""

    DEFAULT_CSS = """
    Reading > VerticalScroll {
        width: 76; max-width: 100%; height: auto; max-height: 100%; border: round $accent; padding: 0 1;
        background: $surface;
    }
    Reading Static { height: auto; }
    """

    def __init__(self, title: str, text: Content) -> None:
        super().__init__()
        self._title = title
        self._text = text
        self._bindings.bind("escape,f1,question_mark,q,enter,section_sign", "dismiss", _("close"), key_display="Esc")

    @classmethod
    def of_passages(cls, ruleset: Ruleset, topics: Sequence[str], *, keys: bool = False) -> Reading:
        """Passages on these topics; `keys`: and how a dialog is filled in. All passages if there is neither."""
        found = [text for text in ruleset.texts if text.topic in topics]
        if not found and not keys:
            found = list(ruleset.texts)
        lines: list[Content] = []
        for clause, texts in groupby(found, key=lambda text: readable(text.clause)):
            lines.append(Content.styled("§ " + _("rule {clause}").format(clause=clause), "bold $accent"))
            lines += [Content(readable(quote) + "\n") for quote in dict.fromkeys(text.quote for text in texts)]
        if keys:
            lines += [Content.styled(_("THE KEYS OF A DIALOG"), "bold"), Content(keys_words())]
        nothing = Content(_("The regulation says nothing about it."))
        return cls(readable(ruleset.title), Content("\n").join(lines or [nothing]))

    @classmethod
    def of_keys(cls) -> Reading:
        """How a dialog is filled in."""
        return cls(_("help"), Content("\n").join([
            Content.styled(_("THE KEYS OF A DIALOG"), "bold"), Content(keys_words()),
        ]))  # fmt: skip

    def compose(self) -> ComposeResult:
        """One page that scrolls."""
        with VerticalScroll(id="page") as page:
            page.border_title = self._title
            page.border_subtitle = _("Esc closes")
            yield Static(self._text, markup=False)

    def on_click(self) -> None:
        """Whoever has only a mouse leaves, too."""
        self.dismiss()


def keys_words() -> str:
    """How a dialog is filled in."""
    return _(
        "A digit picks a line, or ↑ ↓ and Enter. In a field type what is asked and press Enter: it goes to the next "
        "that says nothing yet, and after the last one it is done; where the last is picked, the pick does it, which "
        "stands below. Tab goes on, Shift+Tab back, Ctrl+S does it from anywhere, Esc leaves and nothing is done. A "
        "reason may be typed instead of picked; it is kept with the decision. Everything can be clicked."
    )
