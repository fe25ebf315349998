"""A figure set by mouse: so much less or more at a click."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final, NamedTuple

from textual.content import Content
from textual.message import Message
from textual.style import Style
from textual.widgets import Static

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
