"""Time that passes by itself and can be moved on: 20 minutes of a cut take no 20 minutes."""

from __future__ import annotations

import time
from typing import Final

NOON: Final = 1_760_000_000_000


class MovableClock:
    """The computer's clock; `skip` makes it later for everybody who has been given it."""

    def __init__(self) -> None:
        self._ahead_ms = 0

    def now_ms(self) -> int:
        return time.monotonic_ns() // 1_000_000 + self._ahead_ms

    def wall_ms(self) -> int:
        return NOON + self.now_ms()

    def skip(self, ms: int) -> None:
        self._ahead_ms += ms
