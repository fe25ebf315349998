"""Time that goes faster: a loop in which everything that waits waits less, and a clock that is that loop's."""

from __future__ import annotations

import asyncio
from selectors import DefaultSelector, SelectorKey
from time import monotonic
from typing import TYPE_CHECKING, Final

from tests.world import NOON

if TYPE_CHECKING:
    from selectors import EpollSelector as _Selector
else:
    _Selector = DefaultSelector


STEP_S: Final = 0.1


class _Hurried(_Selector):
    """`now`: the loop's time in seconds, which stands still while the loop is at work beyond `STEP_S` at a time: what a
    busy machine takes for its work is no time in which a player thinks.
    """

    def __init__(self, speed: float) -> None:
        super().__init__()
        self.now = self._seen = monotonic()
        self._speed = speed

    def select(self, timeout: float | None = None) -> list[tuple[SelectorKey, int]]:
        ready = super().select(timeout if timeout is None or timeout <= 0 else timeout / self._speed)
        seen = monotonic()
        passed, self._seen = (seen - self._seen) * self._speed, seen
        self.now += passed if timeout is None else min(passed, max(0.0, timeout) + STEP_S)
        return ready


class HurriedLoop(asyncio.SelectorEventLoop):
    """`speed` 10: what sleeps for a second sleeps for a tenth of one, on a machine that keeps up with it."""

    def __init__(self, speed: float) -> None:
        self._hurried: Final = _Hurried(speed)
        super().__init__(self._hurried)

    def time(self) -> float:
        return self._hurried.now


class LoopClock:
    """`dalej.clock.Clock`, as fast as that loop, in any thread."""

    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        self._loop = loop

    def now_ms(self) -> int:
        return int(self._loop.time() * 1_000)

    def wall_ms(self) -> int:
        return NOON + self.now_ms()
