"""Simulated time: a queue of what is due, played in order. Nothing sleeps; the clock jumps to the next deadline."""

from __future__ import annotations

import heapq
from collections.abc import Callable
from itertools import count

from dalej.clock import ManualClock
from dalej.errors import Damaged
from dalej.words import N_

Action = Callable[[], None]


class World:
    """One simulated world. `step_limit`: how many actions a scenario may take before it counts as stuck."""

    def __init__(self, clock: ManualClock, step_limit: int = 100_000_000) -> None:
        self.clock = clock
        self.steps = 0
        self._step_limit = step_limit
        self._due: list[tuple[int, int, Action]] = []
        self._order = count()

    @property
    def now_ms(self) -> int:
        return self.clock.time_ms

    def at(self, when_ms: int, action: Action) -> None:
        """Do it at that time; what is due at the same time happens in the order of these calls."""
        heapq.heappush(self._due, (max(when_ms, self.now_ms), next(self._order), action))

    def after(self, delay_ms: int, action: Action) -> None:
        """Do it so many ms from now."""
        self.at(self.now_ms + delay_ms, action)

    def next_ms(self) -> int | None:
        """When something is due next."""
        return self._due[0][0] if self._due else None

    def run_until(self, when_ms: int) -> None:
        """Play everything due up to and at that time."""
        while self._due and self._due[0][0] <= when_ms:
            self.step()
        self.clock.time_ms = max(self.clock.time_ms, when_ms)

    def step(self) -> None:
        """Play the next thing."""
        self.steps += 1
        if self.steps > self._step_limit:
            raise Damaged(N_("the simulation did not come to rest within {limit} steps"), limit=self._step_limit)
        when, _, action = heapq.heappop(self._due)
        if when > self.clock.time_ms:
            self.clock.time_ms = when
        action()
