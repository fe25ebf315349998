"""Time that goes faster: a loop in which everything that waits waits less, and a clock that is that loop's."""

from __future__ import annotations

import asyncio
from selectors import DefaultSelector, SelectorKey
from typing import TYPE_CHECKING, Final

from tests.world import NOON

if TYPE_CHECKING:
    from selectors import EpollSelector as _Selector
else:
    _Selector = DefaultSelector


class _Hurried(_Selector):
    def __init__(self, speed: float) -> None:
        super().__init__()
        self._speed = speed

    def select(self, timeout: float | None = None) -> list[tuple[SelectorKey, int]]:
        return super().select(timeout if timeout is None or timeout <= 0 else timeout / self._speed)


class HurriedLoop(asyncio.SelectorEventLoop):
    """`speed` 10: what sleeps for a second sleeps for a tenth of one."""

    def __init__(self, speed: float) -> None:
        super().__init__(_Hurried(speed))
        self._speed: Final = speed
        self._began: Final = super().time()

    def time(self) -> float:
        return self._began + (super().time() - self._began) * self._speed


class LoopClock:
    """`dalej.clock.Clock`, as fast as that loop, in any thread."""

    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        self._loop = loop

    def now_ms(self) -> int:
        return int(self._loop.time() * 1_000)

    def wall_ms(self) -> int:
        return NOON + self.now_ms()
