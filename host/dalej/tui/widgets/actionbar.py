"""Keys that are buttons too: each with its words, wrapped onto as many lines as it takes, so that none is cut off."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

from rich.cells import cell_len
from textual.content import Content
from textual.style import Style
from textual.widgets import Static

_BLANKS: Final = 2  # around the words of a button
_GAP: Final = " "


class Button(NamedTuple):
    """`key` as it is written on the keyboard; `action`: of the screen."""

    key: str
    words: str
    action: str


class ActionBar(Static):
    """A line of buttons, or more where they do not fit."""

    DEFAULT_CSS = """
    ActionBar { height: auto; max-height: 4; background: $surface; color: $foreground; link-style: none;
        link-color: $foreground; link-background-hover: $primary; link-color-hover: $text; link-style-hover: bold; }
    ActionBar > .actionbar--key { text-style: bold; color: $text-accent; }
    """
    COMPONENT_CLASSES = {"actionbar--key"}  # noqa: RUF012 -- as Textual declares it

    def __init__(self) -> None:
        super().__init__(id="actions")
        self._buttons: tuple[Button, ...] = ()
        self._width = 0

    def show(self, buttons: Sequence[Button]) -> None:
        """These, in this order."""
        if tuple(buttons) != self._buttons:
            self._buttons = tuple(buttons)
            self._draw()

    def on_resize(self) -> None:
        """Other lines."""
        if self.size.width != self._width:
            self.call_after_refresh(self._draw)

    def _draw(self) -> None:
        self._width = self.size.width
        lines: list[list[Button]] = [[]]
        used = 0
        for button in self._buttons:
            needs = cell_len(button.key) + cell_len(button.words) + 1 + _BLANKS + len(_GAP)
            if lines[-1] and used + needs > max(self._width, 20):
                lines.append([])
                used = 0
            lines[-1].append(button)
            used += needs
        self.update(Content("\n").join(Content(_GAP).join(map(self._button, line)) for line in lines))

    def _button(self, button: Button) -> Content:
        key = self.get_visual_style("actionbar--key", partial=True)
        click = Style.from_meta({"@click": f"screen.{button.action}"})
        return Content.assemble(" ", (button.key, key), f" {button.words} ").stylize(click)
