"""A session that asks for no more than the latest facts of a box, and counts as a desk to nobody."""

from __future__ import annotations

from typing import Any

from dalej.link.session import Session


class Reading(Session):
    """Asks for the last so many facts of whatever stream the box has, None: for all of them."""

    def __init__(self, last: int | None, **more: Any) -> None:
        super().__init__(**more)
        self.after: tuple[int, int] | None = None  # epoch, and the seq after which the facts begin
        self._last = last

    def _to_tell(self, epoch: int, head: int) -> tuple[int, int]:
        if self.after is None or self.after[0] != epoch:
            stored = self._known.get(epoch)
            begin = 0 if self._last is None else max(0, head - self._last)
            self.after = (epoch, begin if stored is None else min(stored.contiguous, head))
        return self.after
