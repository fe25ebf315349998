"""Where the desk's time comes from. Only `dalej.cli` makes a `SystemClock`; everything else is handed a clock."""

from __future__ import annotations

import time
from typing import Protocol


class Clock(Protocol):
    """`now_ms` only grows and measures; `wall_ms` is Unix time, may jump, and is only ever shown or stored."""

    def now_ms(self) -> int: ...

    def wall_ms(self) -> int: ...


class SystemClock:
    """The computer's clocks."""

    def now_ms(self) -> int:
        return time.monotonic_ns() // 1_000_000

    def wall_ms(self) -> int:
        return time.time_ns() // 1_000_000

    def sleep_ms(self, ms: int) -> None:
        """Lets other programs go on for so long."""
        time.sleep(ms / 1_000)


class ManualClock:
    """A clock that stands until it is told the time. `wall_start_ms`: Unix time at `now_ms` 0."""

    def __init__(self, wall_start_ms: int = 0) -> None:
        self.time_ms = 0
        self.wall_start_ms = wall_start_ms

    def now_ms(self) -> int:
        return self.time_ms

    def wall_ms(self) -> int:
        return self.wall_start_ms + self.time_ms
