"""A session that asks for no more than the latest facts of a box, and counts as a desk to nobody."""

from __future__ import annotations

from typing import Any, Final

from dalej.link.session import Session

_MADE_MEANWHILE: Final = 8  # facts between a welcome and the next one: for so few nobody asks anew


class Reading(Session):
    """Asks for the last so many facts of whatever stream the box has, None: for all of them."""

    def __init__(self, last: int | None, **more: Any) -> None:
        super().__init__(**more)
        self._last = last

    @property
    def after(self) -> tuple[int, int]:
        """Once the box has proved itself: the epoch, and the seq after which it was asked to begin."""
        return self._told

    def _to_tell(self, epoch: int, head: int) -> tuple[int, int]:
        """Anybody may have said so: what an earlier welcome called for binds only if this one calls for it too."""
        stored = self._known.get(epoch)
        if stored is not None:
            return epoch, min(stored.contiguous, head)
        begin = 0 if self._last is None else max(0, head - self._last)
        told_of, told = self._told
        if told_of == epoch and begin - _MADE_MEANWHILE <= told <= begin:
            return self._told
        return epoch, begin
