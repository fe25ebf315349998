"""The desk's standing with its ledger: the lease on the links, and what becomes of work that the ledger cannot take."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Final

from dalej.clock import Clock
from dalej.desk.hearing import Line
from dalej.desk.notices import Notices
from dalej.errors import Damaged, Refused, Unreachable
from dalej.event.ledger import Held, Ledger

TRY_AGAIN_MS: Final = 1_000


class Care:
    """Holds the lease; `resigned` is set when another process has taken it, and then `leave(None)` is called.

    `leave(line)`: give up this box's link, None: every one.
    """

    def __init__(
        self,
        ledger: Ledger,
        clock: Clock,
        notices: Notices,
        leave: Callable[[Line | None], None],
        name: str,
        ttl_ms: int,
    ) -> None:
        self.resigned: Refused | None = None
        self.held: Held = ledger.lease.acquire(name, clock.wall_ms(), ttl_ms)
        self.renew_at = clock.now_ms() + ttl_ms // 3
        self._ledger = ledger
        self._clock = clock
        self._notices = notices
        self._leave = leave
        self._ttl_ms = ttl_ms

    @contextmanager
    def taken(self, line: Line | None = None) -> Iterator[None]:
        """What the ledger cannot take is said, and given up for now; for a `line` by a fresh start of its link."""
        try:
            yield
        except Refused as error:
            self._resign(error)
        except (Unreachable, Damaged) as error:
            self._notices.in_trouble(error)
            if line is not None and line.session is not None:
                self._leave(line)

    def renew(self, now_ms: int) -> None:
        """Keep the lease, if that is due."""
        if now_ms < self.renew_at or self.resigned is not None:
            return
        self.renew_at = now_ms + TRY_AGAIN_MS
        with self.taken():
            self.held = self._ledger.lease.renew(self.held, self._clock.wall_ms(), self._ttl_ms)
            self.renew_at = now_ms + self._ttl_ms // 3

    def release(self) -> None:
        """Give the lease back, if it is still held."""
        if self.resigned is None:
            self._ledger.lease.release(self.held)

    def _resign(self, error: Refused) -> None:
        """Another process holds the links now: it alone talks to the boxes."""
        if self.resigned is None:
            self.resigned = error
            self._notices.error("lease_lost", error)
            self._leave(None)
