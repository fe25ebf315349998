"""What an event holds of earlier evenings when a desk takes its links: requests of hours ago, and their numbers."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, Protocol

from dalej.clock import Clock
from dalej.ledger import NO_LINK, Held, Ledger

OLD_MS: Final = 60_000  # a request that has waited longer is not carried out any more

_NEW: Final = 64_000_000
_AGAIN: Final = 1_000_000  # a few thousand starts of a desk use up what there is


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

    def skip_requests(self, count: int) -> None: ...


def begin_anywhere(ledger: Numbers, random: Callable[[int], bytes], *, new: bool) -> None:
    """Let the numbers of requests go on somewhere else whenever a desk starts: in a `new` event somewhere among 64
    million, else within the next million. A box does not obey a number twice, and remembers the last 32 of whatever
    event it was at: also of this one, if the file is an older copy of itself.
    """
    ledger.skip_requests(int.from_bytes(random(8), "little") % (_NEW if new else _AGAIN))
