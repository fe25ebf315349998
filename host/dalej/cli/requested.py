"""What becomes of a command that the event's desk was asked to have a box carry out."""

from __future__ import annotations

from typing import Final

from dalej.clock import SystemClock
from dalej.ledger import SENT, Ledger, Outcome

_LOOK_MS: Final = 100
_DESK_EVERY: Final = 20  # looks: whether the desk is still there


class NoDesk(Exception):
    """Nobody serves the event any more, who would carry it out."""


def answer(ledger: Ledger, number: int, clock: SystemClock, within_ms: int) -> Outcome | None:
    """The box's word, or the desk's that it has no link; None if there is none in that time. NoDesk as it says."""
    end_ms, looks = clock.now_ms() + within_ms, 0
    while True:
        last = next((one for one in reversed(ledger.outcomes(number)) if one.result != SENT), None)
        if last is not None:
            return last
        looks += 1
        if looks % _DESK_EVERY == 0 and ledger.lease.holder(clock.wall_ms()) is None:
            raise NoDesk
        if clock.now_ms() >= end_ms:
            return None
        clock.sleep_ms(_LOOK_MS)
