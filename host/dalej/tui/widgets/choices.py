"""Choosing: one of a few things, or their order, in a row or over a screen. By keys alone and by mouse alone."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from rich.cells import cell_len
from textual import events
from textual.app import ComposeResult
from textual.containers import Horizontal, VerticalScroll
from textual.content import Content
from textual.message import Message
from textual.widget import Widget
from textual.widgets import Button, Static

from dalej.tui.ask.confirm import Asks
from dalej.words import _

MARKED, OPEN = "●", "○"
DIGITS: Final = "123456789"


class Choices(Static, can_focus=True):
    """`chosen`: index of what is marked, None: nothing. It stays on as few lines as the words need."""

    DEFAULT_CSS = """
    Choices { height: auto; padding: 0 1; link-style: none; link-style-hover: reverse; }
    Choices:focus { background: $surface-lighten-2; text-style: bold; }
    """

    class Chosen(Message):
        """Somebody has chosen."""

        def __init__(self, choices: Choices, index: int) -> None:
            super().__init__()
            self.choices = choices
            self.index = index

        @property
        def control(self) -> Widget:
            return self.choices

    def __init__(self, title: str, words: Sequence[str] = (), *, id: str, digits: bool = True) -> None:  # noqa: A002 -- as Textual's
        super().__init__(id=id)
        self.chosen: int | None = None
        self.words: Sequence[str] = ()
        self._title = title
        self._digits = digits
        self._width = 0
        self.show(words)

    def show(self, words: Sequence[str], chosen: int | None = None) -> None:
        """These words, this one marked."""
        if (tuple(words), chosen) == (tuple(self.words), self.chosen) and self.words:
            return
        self.words, self.chosen = words, chosen
        self._draw()

    def on_resize(self) -> None:
        """Other lines."""
        if self.content_size.width != self._width:
            self.call_after_refresh(self._draw)

    def _draw(self) -> None:
        """Line by line: Textual would part a digit from its word, whatever blank stands between them."""
        self._width = self.content_size.width
        lines, used = [Content(f"{self._title} ")], cell_len(self._title) + 1
        for index, word in enumerate(self.words):
            number = f"{DIGITS[index]} " if self._digits and index < len(DIGITS) else ""
            said = f" {MARKED if index == self.chosen else OPEN} {number}{word} "
            if used and self._width and used + cell_len(said.rstrip()) > self._width:
                lines.append(Content())
                used = 0
            look = Content(said).stylize("bold reverse" if index == self.chosen else "")
            lines[-1] = Content.assemble(lines[-1], look.stylize(f"@click=choose({index})"), " ")
            used += cell_len(said) + 1
        self.update(Content("\n").join(lines))

    def action_choose(self, index: int) -> None:
        """A click on one of them."""
        if not self.disabled and 0 <= index < len(self.words):
            self.post_message(self.Chosen(self, index))

    def on_key(self, key: events.Key) -> None:
        """Digits and arrows, while it has the focus."""
        if self._digits and key.character is not None and key.character in DIGITS:
            self.action_choose(DIGITS.index(key.character))
            key.stop()
        elif key.key in ("left", "right") and self.words:
            step = 1 if key.key == "right" else -1
            at = -1 if self.chosen is None and step > 0 else (self.chosen or 0)
            self.action_choose((at + step) % len(self.words))
            key.stop()


LETTERS = DIGITS + "abcdefghijklmnopqrstuvwxyz"
LOOK = """
{name} {{ align: center middle; }}
{name} > #asked {{
    width: 74; max-width: 100%; height: auto; max-height: 100%; border: round $accent; background: $surface;
    border-title-color: $text; border-subtitle-color: $text; padding: 0 1;
}}
{name} #words {{ height: auto; }}
{name} #wrong {{ height: auto; color: $text-error; text-style: bold; }}
{name} Horizontal {{ height: auto; }}
{name} Button {{ margin: 0 1; }}
"""


class Ready(Static):
    """A ready answer."""

    DEFAULT_CSS = "Ready { height: 1; } Ready:hover { text-style: reverse; }"

    class Picked(Message):
        """It was clicked."""

        def __init__(self, number: int, text: str) -> None:
            super().__init__()
            self.number = number
            self.text = text

    def __init__(self, number: int, text: str) -> None:
        super().__init__(f" {LETTERS[number]}  {text}", markup=False)
        self.number, self.text = number, text

    def on_click(self, click: events.Click) -> None:
        """Take this one."""
        click.stop()
        self.post_message(self.Picked(self.number, self.text))


class Choose(Asks[int | None]):
    """One of a few things, by digit or click."""

    DEFAULT_CSS = LOOK.format(name="Choose")

    def __init__(self, title: str, words: str, choices: Sequence[str]) -> None:
        super().__init__()
        self._bindings.bind("escape", "dismiss(None)", _("leave"))
        self._title, self._words, self._choices = title, words, choices

    def compose(self) -> ComposeResult:
        """A line each."""
        with VerticalScroll(id="asked") as box:
            box.border_title = self._title
            box.border_subtitle = _("a digit or a click · Esc: leave")
            yield Static(self._words, id="words", markup=False)
            for number, text in enumerate(self._choices):
                yield Ready(number, text)

    def on_key(self, key: events.Key) -> None:
        """Its digit."""
        if key.character is not None and key.character in LETTERS[: len(self._choices)]:
            key.stop()
            self.dismiss(LETTERS.index(key.character))

    def on_ready_picked(self, picked: Ready.Picked) -> None:
        """Its line."""
        self.dismiss(picked.number)


class Order(Asks[list[int] | None]):
    """Puts a few in order, best first: each by its sign or a click; what is left at the end is last."""

    DEFAULT_CSS = LOOK.format(name="Order")

    def __init__(self, title: str, words: str, names: Sequence[str]) -> None:
        super().__init__()
        self._bindings.bind("escape", "dismiss(None)", _("leave"))
        self._bindings.bind("backspace", "back", _("one back"))
        self._bindings.bind("enter", "take", _("take it"))
        self._title, self._words, self._names = title, words, names
        self._order: list[int] = []

    def compose(self) -> ComposeResult:
        """Those who are still to be named, and the order so far."""
        with VerticalScroll(id="asked") as box:
            box.border_title = self._title
            box.border_subtitle = _("Enter: take it · Backspace: one back · Esc: leave")
            yield Static(self._words, id="words", markup=False)
            for number, name in enumerate(self._names):
                yield Ready(number, name)
            yield Static(id="order", markup=False)
            yield Static(id="wrong", markup=False)
            with Horizontal():
                yield Button(_("take it"), id="yes", compact=True, variant="primary")
                yield Button(_("one back"), id="back", compact=True)
                yield Button(_("leave"), id="no", compact=True)

    def on_mount(self) -> None:
        """Nobody is named yet."""
        self.set_focus(None)
        self._say()

    def on_key(self, key: events.Key) -> None:
        """The next one's sign."""
        if key.character is not None and key.character in LETTERS[: len(self._names)]:
            key.stop()
            self._put(LETTERS.index(key.character))

    def on_ready_picked(self, picked: Ready.Picked) -> None:
        """The next one's line."""
        self._put(picked.number)

    def on_button_pressed(self, pressed: Button.Pressed) -> None:
        """A click."""
        match pressed.button.id:
            case "yes":
                self.action_take()
            case "back":
                self.action_back()
            case _:
                self.dismiss(None)

    def action_back(self) -> None:
        """The last one is not named any more."""
        del self._order[-1:]
        self._say()

    def action_take(self) -> None:
        """The order is complete, or says that it is not."""
        if len(self._order) < len(self._names):
            self.query_one("#wrong", Static).update(_("Name them all, the best first."))
            return
        self.dismiss(self._order)

    def _put(self, number: int) -> None:
        if number in self._order:
            return
        self._order.append(number)
        left = [one for one in range(len(self._names)) if one not in self._order]
        if len(left) == 1:
            self._order += left
        self._say()

    def _say(self) -> None:
        named = "  ".join(f"{place}. {self._names[one]}" for place, one in enumerate(self._order, 1))
        self.query_one("#order", Static).update("\n" + (named or _("nobody named yet")))
        self.query_one("#wrong", Static).update("")
