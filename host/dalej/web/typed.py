"""What a browser may type, and how fast: a hand, not a program, is at the other end."""

from __future__ import annotations

from typing import Final

from dalej.clock import Clock

A_SECOND: Final = 2_000  # bytes: a hand that moves a mouse fast sends half of that
AT_ONCE: Final = 80 * 1024  # a long paste and more
LEAST: Final = 20  # bytes that every message counts as
WAIT_MOST_S: Final = 1.0
PASTE, PASTED = "\x1b[200~", "\x1b[201~"


class Pace:
    """How long the next message of one browser must wait."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._left = float(AT_ONCE)
        self._last_ms = clock.now_ms()

    def wait_s(self, length: int) -> float:
        """Before a message of that many characters is heeded; 0: at once."""
        now_ms = self._clock.now_ms()
        self._left = min(AT_ONCE, self._left + (now_ms - self._last_ms) * A_SECOND / 1_000) - max(LEAST, length)
        self._last_ms = now_ms
        return min(WAIT_MOST_S, max(0.0, -self._left / A_SECOND))


class Pastes:
    """A browser sends a paste whole. One that is begun and not ended would be kept by the screen for ever."""

    def __init__(self) -> None:
        self._before = ""

    def expect_whole(self, typed: str) -> None:
        """ValueError if a paste is begun and not ended, however it is cut into messages."""
        said = self._before + typed
        if said.rfind(PASTE) > said.rfind(PASTED):
            raise ValueError(PASTE)
        self._before = said[-(len(PASTE) - 1) :]
