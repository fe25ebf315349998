"""Work that a screen waits for: how it begins, and that it ends before the screen does."""

from __future__ import annotations

from collections.abc import Callable, Coroutine

from textual.dom import DOMNode
from textual.messages import Prune
from textual.widget import Widget
from textual.worker import Worker

Work = Callable[[], Coroutine[None, None, None]]


def begin(node: DOMNode, work: Work, name: str = "", *, group: str = "default") -> None:
    """A worker of that node. It is told what to call, not handed a coroutine: one that is called off before its first
    step would leave that behind, never awaited, and Python says so on stderr.
    """
    _worker: Worker[None] = node.run_worker(work, name, group=group, description=name or group)


class EndsItsWork(Widget):
    """A screen that closes: what it still waits for must not wake among widgets that are gone, so its workers end
    before its widgets do. Textual by itself ends them after, and waits in between.
    """

    async def on_prune(self, _asked: Prune) -> None:
        """The first that a screen hears of its end."""
        self.workers.cancel_node(self)
