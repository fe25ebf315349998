"""A clock under a watcher's eyes: steps in, every fact and the clock's own state checked after each of them."""

from __future__ import annotations

import traceback
from dataclasses import dataclass
from typing import Any

from clock_run import ClockRun, dalej, juz
from moveclock import facts as k
from moveclock.clock import Clock
from tests.properties.watcher import Watcher

Step = list[Any]  # as `ClockRun.step` takes it
END_WITHIN = 40  # steps from anywhere in a game


class WatchedClock:
    """One table; `steps` is all that was done to it. An AssertionError says what should not have happened."""

    def __init__(self, kostka: bool = True, shared: bool = False) -> None:
        self.kostka = kostka
        self.shared = shared
        self.steps: list[Step] = []
        self.run = ClockRun(kostka=kostka, shared=shared)
        self._watcher = Watcher(self.run.clock.settings, kostka)
        self._seen = 0

    @property
    def clock(self) -> Clock:
        return self.run.clock

    def do(self, step: Step) -> None:
        """One step: the onlooker reads what it led to, and everything else must hold as before."""
        self.steps.append(step)
        run, watcher = self.run, self._watcher
        run.wait(run.now + step[1])
        self._read()
        before = run.clock.snapshot(run.now)
        if step[0] == "cut":
            watcher.power_cut(run.now)
        if run.step([step[0], 0, *step[2:]]):
            assert self._seen == len(run.facts), "a refused order has left a fact"
            assert run.clock.snapshot(run.now) == before, "a refused order has changed something"
        if step[0] == "configure":
            watcher.settings = run.clock.settings
        self._read()
        self._check()

    def finish(self) -> None:
        """A game that can go on can always reach its end."""
        for _ in range(END_WITHIN):
            state = self.clock.state
            if state in (k.IDLE, k.OVER):
                return
            if state == k.READY:
                self._start()
            elif state == k.STOPPED:
                self.do(["press", 5000, k.SEDZIA, 1, 0])
                self.do(["wait", 70000 if self.clock.deadline() is not None else 0])
            elif state == k.EXPIRED:
                self.do(["press", 5000, self.button(self.clock.next_seat(), False), 0, 0])
            elif self.clock.settings.taps_only:
                self.do(["order", 0, k.C_END_GAME])
            else:
                guard = self.clock.settings.shared_guard_ms if self.shared else self.clock.settings.guard_ms
                self.do(["press", guard, self.button(self.clock.seat, False), 1, 0])
        raise AssertionError("this game cannot be brought to its end")

    def button(self, seat: int, passes: bool) -> int:
        """What that seat presses: Już, or Dalej if it passes."""
        if self.shared:
            return k.SHARED_DALEJ if passes else k.SHARED_JUZ
        return dalej(seat) if passes else juz(seat)

    def _start(self) -> None:
        for _ in range(2):
            self.do(["press", 2000, self.button(self.clock.seat_after(k.SEAT_D), False), 0, 0])
        if self.clock.state == k.READY:
            self.do(["order", 0, k.C_START])

    def _read(self) -> None:
        for fact in self.run.facts[self._seen :]:
            self._watcher.see(fact)
        self._seen = len(self.run.facts)

    def _check(self) -> None:
        """The clock is where the onlooker says it is."""
        clock, watcher, now = self.clock, self._watcher, self.run.now
        running = clock.state == k.RUNNING
        assert running == (watcher.running_since is not None) == (clock.watch.since is not None)
        if running:
            assert clock.in_play(clock.seat)
            assert clock.seat == watcher.seat
        if watcher.open:
            assert clock.watch.remaining(now) == watcher.remaining(now)
        assert clock.bank == watcher.bank >= 0
        due = clock.deadline()
        assert due is None or due > now, "something is overdue"
        clock.alarm(now)
        clock.may_stall(now)
        kept = clock.snapshot(now)
        copy = Clock(clock.settings, clock.kostka, clock.shared)
        assert copy.restore(kept, 0)
        assert copy.snapshot(0) == kept, "a snapshot does not survive being restored"


@dataclass(frozen=True)
class Failure:
    """What a run of steps leads to that should not be."""

    kostka: bool
    shared: bool
    steps: list[Step]
    why: str

    def __str__(self) -> str:
        steps = "\n".join(f"    {step}" for step in self.steps)
        return f"{self.why}\nkostka {self.kostka}, shared {self.shared}\n{steps}"


def failure(kostka: bool, shared: bool, steps: list[Step]) -> Failure | None:
    """Play the steps, and the game to its end; None if all is as it should be."""
    table = WatchedClock(kostka, shared)
    try:
        for step in steps:
            table.do(step)
        table.finish()
    except Exception as error:  # noqa: BLE001 - whatever the clock raises is a failure
        place = traceback.extract_tb(error.__traceback__)[-1]
        why = f"{type(error).__name__} in {place.name}, line {place.lineno}: {str(error) or place.line}"
        return Failure(kostka, shared, table.steps, why)
    return None


def shrunk(found: Failure) -> Failure:
    """The same kind of failure with fewer steps; the last words of `why` may differ."""
    kind = found.why.partition(":")[0]
    size = len(found.steps)
    while size:
        start = 0
        while start < len(found.steps):
            fewer = failure(found.kostka, found.shared, found.steps[:start] + found.steps[start + size :])
            if fewer is not None and fewer.why.startswith(kind) and len(fewer.steps) < len(found.steps):
                found = fewer
            else:
                start += size
        size //= 2
    return found
