"""A screen that closes: what it still waits for must not wake among widgets that are gone."""

from __future__ import annotations

from textual.messages import Prune
from textual.widget import Widget


class EndsItsWork(Widget):
    """A screen whose workers end before its widgets do. Textual by itself ends them after, and waits in between."""

    async def on_prune(self, _asked: Prune) -> None:
        """The first that a screen hears of its end."""
        self.workers.cancel_node(self)
