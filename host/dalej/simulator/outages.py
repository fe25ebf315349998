"""How often links and power fail in a simulated hall, and one box that is out of reach or without power."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from dalej.simulator.world import World

CUT_EVERY_MS: Final = 900_000  # of one table's link, on average
POWER_CUT_EVERY_MS: Final = 14_400_000


class Outage:
    """Reach or power of one box. `is_there`, `put`: how it is, and how it is changed.

    What somebody orders is the last word: a return that chance had in mind before does not come any more.
    """

    def __init__(self, world: World, is_there: Callable[[], bool], put: Callable[[bool], None]) -> None:
        self._world = world
        self._is_there = is_there
        self._put = put
        self._pending: object | None = None

    def chance(self, for_ms: int) -> bool:
        """Take it away for so long; False: it is gone already."""
        if not self._is_there():
            return False
        self._put(False)
        pending = self._pending = object()
        self._world.after(for_ms, lambda: self._over(pending))
        return True

    def order(self, on: bool) -> None:
        """Somebody wants it so, for good."""
        self._pending = None
        if on != self._is_there():
            self._put(on)

    def end(self) -> None:
        """What chance took comes back now; what somebody ordered stays."""
        if self._pending is not None:
            self.order(True)

    def _over(self, pending: object) -> None:
        if pending is self._pending:
            self.order(True)
