"""What an event holds of earlier evenings when a desk takes its links: requests of hours ago, and their numbers."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, Protocol

from dalej.clock import Clock
from dalej.ledger import NO_LINK, Held, Ledger

OLD_MS: Final = 60_000  # a request that has waited longer is not carried out any more

_STEP: Final = 1_000_000  # as far as a ledger passes over numbers in one go
_STEPS: Final = 64


def end_old_requests(ledger: Ledger, clock: Clock, held: Held, older_than_ms: int = 0) -> None:
    """What was asked while no desk was there is not carried out hours later: it had no link. A box that did get it may
    still answer.
    """
    now_ms = clock.wall_ms()
    for request in ledger.open_requests():
        if now_ms - request.at_ms >= older_than_ms:
            ledger.outcome(request.id, NO_LINK, at_ms=now_ms, token=held.token)


class Numbers(Protocol):
    """A ledger, as far as the numbers of its requests go."""

    def pass_over_requests(self, last: int) -> None: ...


def begin_anywhere(ledger: Numbers, random: Callable[[int], bytes]) -> None:
    """Let the numbers of a new event's requests begin somewhere among 64 million. A box does not obey a number twice,
    and remembers the last 32 of whatever event it was at.
    """
    drawn = int.from_bytes(random(8), "little") % (_STEP * _STEPS) + 1
    for passed in range(_STEP, drawn, _STEP):
        ledger.pass_over_requests(passed)
    ledger.pass_over_requests(drawn)
