"""The clock of the desk that a screen hears, as its pulses tell it."""

from __future__ import annotations

from typing import Final, NamedTuple

SAME_CLOCK_MS: Final = 1_000  # two desks whose clocks are that close to each other, measured by Unix time, share one


class Pulsed(NamedTuple):
    """What a pulse changes. `another`: it is the clock of another desk than before; `begins`: or the first one that is
    heard; `leaps`: what was worked out by the time before holds no longer.
    """

    another: bool
    begins: bool
    leaps: bool


class DeskTime:
    """`live`: a desk is heard. `first_ms`: when it first was, `stood_ms`: when it last was, both by its own clock."""

    def __init__(self) -> None:
        self.live = False
        self.first_ms = 0
        self.stood_ms = 0
        self._greeted = False  # since the last pulse
        self._pulse: tuple[int, int] | None = None  # the desk's clock, and Unix time minus it

    @property
    def known(self) -> bool:
        """Whether a desk was ever heard."""
        return self._pulse is not None

    @property
    def wall_ahead_ms(self) -> int:
        """Unix time minus the desk's clock; 0 before any desk was heard."""
        return 0 if self._pulse is None else self._pulse[1]

    def greeted(self) -> None:
        """A desk greets: maybe another one, and then its next pulse is of another clock."""
        self._greeted = True

    def pulse(self, now_ms: int, wall_ms: int) -> Pulsed:
        """The desk is alive and this is its clock."""
        another = self._is_another(now_ms, wall_ms)
        begins = self._pulse is None or another
        pulsed = Pulsed(another, begins, not self.live or another or now_ms < self.stood_ms)
        if begins:
            self.first_ms = now_ms
        self._pulse = (now_ms, wall_ms - now_ms)
        self.stood_ms = now_ms
        self.live, self._greeted = True, False
        return pulsed

    def lost(self, now_ms: int | None) -> bool:
        """No desk is heard any more, since then or since the last pulse; whether that is news."""
        if not self.live:
            return False
        self.live = False
        self.stood_ms = max(self.stood_ms, now_ms or 0)
        return True

    def shown(self, now_ms: int, written_ms: int) -> int:
        """The instant that is shown: now, or when the desk was last heard; without any, `written_ms`."""
        if self.live:
            return now_ms
        return self.stood_ms if self.known else written_ms

    def _is_another(self, now_ms: int, wall_ms: int) -> bool:
        """Whether that is the clock of another desk. Of one that goes on, only the wall clock may have been set."""
        if self._pulse is None:
            return False
        before_ms, ahead_ms = self._pulse
        return now_ms < before_ms or (self._greeted and abs(wall_ms - now_ms - ahead_ms) > SAME_CLOCK_MS)
