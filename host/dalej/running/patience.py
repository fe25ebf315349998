"""The lease of a desk that was killed runs out after a few seconds: whoever wants its place waits for that."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from dalej.clock import Clock
from dalej.desk import LEASE_TTL_MS
from dalej.errors import Refused
from dalej.ledger import Held, Ledger

WAIT_MS: Final = LEASE_TTL_MS + 500
AGAIN_MS: Final = 250


def lease(
    ledger: Ledger,
    clock: Clock,
    name: str,
    *,
    ttl_ms: int,
    pause: Callable[[int], object],
    waits: Callable[[str], object],
    wait_ms: int = WAIT_MS,
) -> Held:
    """The lease on the links, now or as soon as it has run out; Refused, with the holder's name, if it is renewed.

    `waits(holder)` is called once before the first `pause(ms)`.
    """
    until_ms = clock.now_ms() + wait_ms
    told = False
    while True:
        try:
            return ledger.lease.acquire(name, clock.wall_ms(), ttl_ms)
        except Refused as refused:
            if clock.now_ms() >= until_ms:
                raise
            if not told:
                told = True
                waits(str(refused.data["holder"]))
        pause(AGAIN_MS)
