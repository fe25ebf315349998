"""A row of a few things of which one is chosen: by a digit, by the arrows, by a click."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from rich.cells import cell_len
from textual import events
from textual.content import Content
from textual.message import Message
from textual.widget import Widget
from textual.widgets import Static

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
