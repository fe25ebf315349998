"""A program of Dalej whose time goes faster: `python -m proof.faster SPEED SINCE_MS WALL_MS WORD …` is `dalej WORD …`
with a clock and a loop in which everything that waits waits less. Nothing else of it is changed: what it works, reads
and writes takes as long as ever, on a computer that is slower by as much in its eyes.

All programs of one day have one `Tempo`, so that a second of one is a second of all.
"""

from __future__ import annotations

import asyncio
import sys
import time
import warnings
from dataclasses import dataclass
from selectors import DefaultSelector, SelectorKey
from typing import TYPE_CHECKING, Self

from dalej.cli import main
from dalej.clock import SystemClock

if TYPE_CHECKING:
    from selectors import EpollSelector as _Selector
else:
    _Selector = DefaultSelector


@dataclass(frozen=True, slots=True)
class Tempo:
    """`dalej.clock.Clock`: from the computer's monotonic instant `since_ms` on, when it was `wall_ms` (Unix time), this
    time is `speed` times as fast.
    """

    speed: float
    since_ms: int
    wall_since_ms: int

    @classmethod
    def begun(cls, speed: float) -> Self:
        """From now on."""
        clock = SystemClock()
        return cls(speed, clock.now_ms(), clock.wall_ms())

    def now_s(self) -> float:
        """As a loop has it."""
        return self.since_ms / 1_000 + (time.monotonic() - self.since_ms / 1_000) * self.speed

    def now_ms(self) -> int:
        return int(self.now_s() * 1_000)

    def wall_ms(self) -> int:
        return self.wall_since_ms + self.now_ms() - self.since_ms

    def program(self, *words: str) -> list[str]:
        """The command that is `dalej` with those words, in this time. At the computer's own it is the plain program."""
        if self.speed == 1:
            return [sys.executable, "-m", "dalej", *words]
        mine = (self.speed, self.since_ms, self.wall_since_ms)
        return [sys.executable, "-m", "proof.faster", *map(str, mine), *words]


class _Hasty(_Selector):
    def __init__(self, speed: float) -> None:
        super().__init__()
        self._speed = speed

    def select(self, timeout: float | None = None) -> list[tuple[SelectorKey, int]]:
        return super().select(timeout if timeout is None or timeout <= 0 else timeout / self._speed)


class FastLoop(asyncio.SelectorEventLoop):
    """In it, what sleeps for a second sleeps for a second of that tempo."""

    def __init__(self, tempo: Tempo) -> None:
        self._tempo = tempo
        super().__init__(_Hasty(tempo.speed))

    def time(self) -> float:
        return self._tempo.now_s()


def run(speed: str, since_ms: str, wall_ms: str, *words: str) -> None:
    """That program, which ends this one."""
    tempo, own_sleep = Tempo(float(speed), int(since_ms), int(wall_ms)), SystemClock.sleep_ms
    faster = {
        "now_ms": lambda _clock: tempo.now_ms(), "wall_ms": lambda _clock: tempo.wall_ms(),
        "sleep_ms": lambda clock, ms: own_sleep(clock, int(ms / tempo.speed)),
    }  # fmt: skip
    for name, told in faster.items():
        setattr(SystemClock, name, told)
    with warnings.catch_warnings():  # later Pythons warn, and have no other way for all loops of a program
        warnings.simplefilter("ignore", DeprecationWarning)

        class Loops(asyncio.DefaultEventLoopPolicy):
            def new_event_loop(self) -> FastLoop:
                return FastLoop(tempo)

        asyncio.set_event_loop_policy(Loops())
    sys.argv = ["dalej", *words]
    main()


if __name__ == "__main__":
    run(*sys.argv[1:])
