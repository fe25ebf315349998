"""Textual's web driver, which does not believe what a browser types about the size of its window.

A terminal may report its size among the keys (in-band resize), and Textual draws as large as it is told: a browser that
types a size of its own would have the hall's laptop draw a thousand million cells. Sizes come from the server alone,
which keeps them within reason. `dalej.web.terminal` names this driver to the screens that it starts.
"""

from __future__ import annotations

from textual import events
from textual.drivers.web_driver import WebDriver
from textual.message import Message


class ServedDriver(WebDriver):
    """What the server says comes another way than what is typed."""

    def process_message(self, message: Message) -> None:
        """Whatever was typed, but sizes."""
        if not isinstance(message, events.Resize):
            super().process_message(message)
