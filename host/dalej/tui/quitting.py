"""The end of the program, from wherever it is asked for: what somebody has typed is not thrown away in passing."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Protocol, runtime_checkable

from textual.binding import Binding

from dalej.tui.ask.confirm import Confirm
from dalej.words import _


@runtime_checkable
class Types(Protocol):
    """A screen on which something is typed."""

    @property
    def would_lose(self) -> bool:
        """Whether something that was typed there is lost with it."""


def anything_lost(screens: Iterable[object]) -> bool:
    """Whether something is typed on one of these."""
    return any(isinstance(screen, Types) and screen.would_lose for screen in screens)


class AsksToQuit(Confirm):
    """`copies`: Ctrl-C is the key for copying there, and answers nothing; else it is a yes like the key before it."""

    def __init__(self, *, copies: bool) -> None:
        words = _("What was typed here is lost when you leave.")
        super().__init__(
            _("Nothing is kept yet"), [words if copies else words + " " + _("Ctrl+C leaves, too.")],
            yes=_("leave, it is lost"),
        )  # fmt: skip
        if not copies:
            # `bind` would add it to the list that all screens of this class share, those of a browser too.
            again = Binding("ctrl+c", "answer(True)", show=False)
            self._bindings.key_to_bindings["ctrl+c"] = [*self._bindings.key_to_bindings["ctrl+c"], again]
