"""Simulated time: a queue of what is due, played in order. Nothing sleeps; the clock jumps to the next deadline."""

from __future__ import annotations

import heapq
from collections import deque
from collections.abc import Callable

from dalej.clock import ManualClock
from dalej.errors import Damaged
from dalej.words import N_

Action = Callable[[], None]


class World:
    """One simulated world. `step_limit`: how many actions a scenario may take before it counts as stuck, None: any."""

    def __init__(self, clock: ManualClock, step_limit: int | None = 100_000_000) -> None:
        self.clock = clock
        self.steps = 0
        self._step_limit = step_limit
        self._times: list[int] = []  # a heap of numbers: with a thousand tables one of actions is four times as slow
        self._due: dict[int, deque[Action]] = {}

    @property
    def now_ms(self) -> int:
        return self.clock.time_ms

    def at(self, when_ms: int, action: Action) -> None:
        """Do it at that time; what is due at the same time happens in the order of these calls."""
        when_ms = max(when_ms, self.clock.time_ms)
        due = self._due.get(when_ms)
        if due is None:
            self._due[when_ms] = deque((action,))
            heapq.heappush(self._times, when_ms)
        else:
            due.append(action)

    def after(self, delay_ms: int, action: Action) -> None:
        """Do it so many ms from now."""
        self.at(self.clock.time_ms + delay_ms, action)

    def next_ms(self) -> int | None:
        """When something is due next."""
        return self._times[0] if self._times else None

    def run_until(self, when_ms: int) -> None:
        """Play everything due up to and at that time."""
        while self._times and self._times[0] <= when_ms:
            self.step()
        self.clock.time_ms = max(self.clock.time_ms, when_ms)

    def step(self) -> None:
        """Play the next thing."""
        self.steps += 1
        if self._step_limit is not None and self.steps > self._step_limit:
            raise Damaged(N_("the simulation did not come to rest within {limit} steps"), limit=self._step_limit)
        when = self._times[0]
        due = self._due[when]
        action = due.popleft()
        if not due:
            heapq.heappop(self._times)
            del self._due[when]
        self.clock.time_ms = max(self.clock.time_ms, when)
        action()
