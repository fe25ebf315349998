"""A field in which, as long as it is empty, a digit takes one of some ready answers and Del asks for the default."""

from __future__ import annotations

from collections.abc import Callable

from textual import events
from textual.message import Message
from textual.widgets import Input


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
