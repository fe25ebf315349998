"""Fingers on a keyboard: a terminal tells no key's release, and a key that is held down comes again and again."""

from __future__ import annotations

from typing import Final

FIRST_MS: Final = 700  # keyboards wait a quarter to half a second before the first repeat
NEXT_MS: Final = 200  # and then repeat many times a second; no finger taps so fast


class Repeats:
    """Tells presses from repeats by their times, in ms of any clock that only grows."""

    def __init__(self) -> None:
        self._key = ""
        self._pressed_ms = self._seen_ms = 0

    def repeats(self, key: str, at_ms: int) -> bool:
        """Whether this is the same finger still on the same key."""
        again = key == self._key and (at_ms - self._seen_ms < NEXT_MS or at_ms - self._pressed_ms < FIRST_MS)
        self._key, self._seen_ms = key, at_ms
        if not again:
            self._pressed_ms = at_ms
        return again
