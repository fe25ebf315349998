"""The next step of the tournament, with the key that does it."""

from __future__ import annotations

from typing import Final

from textual import events
from textual.content import Content
from textual.message import Message
from textual.widgets import Static

from dalej.views.nextwords import Next
from dalej.words import _

KEY: Final = "N"  # with Shift, as everything that is about the whole event; n goes to a table
SHIFTED: Final = "Shift+N"  # the same, as newcomers read it
HERE: Final = frozenset({"sign_up", "print"})  # acts that ask on their screen what exactly is to be done


class NextLine(Static):
    """A line, or two where the words need them; a click does what it says."""

    DEFAULT_CSS = """
    NextLine { height: auto; max-height: 2; padding: 0 1; background: $boost; color: $foreground; }
    NextLine.-now:hover { text-style: reverse; }
    """

    class Taken(Message):
        """It was clicked."""

    def __init__(self) -> None:
        super().__init__(id="next")
        self.step = Next("")
        self.display = False

    def show(self, step: Next) -> None:
        """Name this step."""
        if step == self.step:
            return
        self.step = step
        self.display = bool(step.words)
        self.set_class(step.can, "-now")
        self._draw()

    def on_resize(self) -> None:
        """Another key has room."""
        self._draw()

    def _draw(self) -> None:
        long, short, width = self._line(SHIFTED), self._line(KEY), self.content_size.width
        self.update(short if short.cell_length <= width < long.cell_length else long)

    def _line(self, key: str) -> Content:
        does: list[str | tuple[str, str]] = ["  ", (f" {key} ", "reverse"), " ", _("does it")] if self.step.can else []
        return Content.assemble(_("Next:"), " ", (self.step.words, "bold"), *does)

    def on_click(self, click: events.Click) -> None:
        """The same as its key."""
        click.stop()
        if self.step.can:
            self.post_message(self.Taken())
