"""A screen that asks something over another one: it is answered once, however many keys and clicks arrive together."""

from __future__ import annotations

from typing import TypeVar

from textual.await_complete import AwaitComplete
from textual.screen import ModalScreen

from dalej.tui.ending import EndsItsWork

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
