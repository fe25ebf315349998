"""What is asked over a screen is answered once, however many keys and clicks arrive together; and the one question
before something is done that names what it touches: yes or no.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, TypeVar

from textual.app import ComposeResult
from textual.await_complete import AwaitComplete
from textual.containers import Vertical, VerticalScroll
from textual.screen import ModalScreen
from textual.widgets import Button, Static

from dalej.tui.typedahead import EndsItsWork, drop
from dalej.words import _

Answer = TypeVar("Answer")


YES: Final = "y"  # whatever the language


def yes_key() -> str:
    """The first letter of the reader's own yes."""
    # Translators: the key that says yes, one small letter.
    key = _("y")
    return key if len(key) == 1 else YES


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
    Confirm #asked { height: auto; max-height: 66vh; }
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
        for key in dict.fromkeys((yes_key(), YES)):
            self._bindings.bind(key, "answer(True)", _("yes"), show=key == yes_key())
        self._bindings.bind("n,escape", "answer(False)", _("no"))
        self._bindings.bind("up", "turn(-1)", show=False)
        self._bindings.bind("down", "turn(1)", show=False)
        self._bindings.bind("enter", "answer(True)" if enter else "warn", show=False)

    def compose(self) -> ComposeResult:
        """What it touches, and two ways to go on."""
        go_back, key = _("no, go back"), _("Enter") if self._enter else yes_key()
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

    def action_turn(self, step: int) -> None:
        """Up and down in a question that is longer than the screen."""
        self.query_one("#asked").scroll_relative(y=step, animate=False)

    def action_warn(self) -> None:
        """Enter in passing: say that nothing was done, and what does it."""
        drop(self.app)
        said = self.query_one("#enter", Static)
        said.display = True
        said.update(_("Nothing is done yet: {key} does it, Esc goes back.").format(key=yes_key()))
