"""Who holds the links: of all processes that have an event open, one talks to the boxes.

A lease runs out when it is not renewed, so a crash frees it. Its token grows with each acquisition; what is written
under a lease names the token, so a process that slept through its own lease cannot write into the next one's turn.
"""

from __future__ import annotations

from dataclasses import dataclass

from dalej.errors import Refused, WrongInput
from dalej.event.ledger.store import Connection, Store
from dalej.words import N_


@dataclass(frozen=True, slots=True)
class Held:
    """A lease as it stands: `holder`, its fencing `token`, and the wall time in ms at which it runs out."""

    holder: str
    token: int
    until_ms: int


class Lease:
    """The event's one lease. Times are wall milliseconds, given by the caller."""

    def __init__(self, store: Store) -> None:
        self._store = store

    def acquire(self, holder: str, now_ms: int, ttl_ms: int) -> Held:
        """Takes the lease; Refused with the holder's name while another one's runs. `holder` is shown to people."""
        if not holder.strip() or ttl_ms <= 0:
            raise WrongInput(N_("expected a name and a positive duration for the lease on the links"))
        with self._store.writing() as db:
            token, current, renewed_ms, ttl = _row(db)
            if current is not None and _runs(renewed_ms, ttl, now_ms):
                raise Refused(N_("the links of this event are held by {holder}"), holder=current, token=token)
            row = (token + 1, holder, now_ms, ttl_ms)
            db.execute("UPDATE lease SET token = ?, holder = ?, renewed_ms = ?, ttl_ms = ?", row)
        return Held(holder, token + 1, now_ms + ttl_ms)

    def renew(self, held: Held, now_ms: int, ttl_ms: int) -> Held:
        """Extends it, also when it ran out and nobody has taken it; Refused if somebody has."""
        with self._store.writing() as db:
            expect_token(db, held.token)
            db.execute("UPDATE lease SET renewed_ms = ?, ttl_ms = ?", (now_ms, ttl_ms))
        return Held(held.holder, held.token, now_ms + ttl_ms)

    def release(self, held: Held) -> None:
        """Gives it up; changes nothing if it is somebody else's by now."""
        with self._store.writing() as db:
            db.execute("UPDATE lease SET holder = NULL WHERE token = ?", (held.token,))

    def holder(self, now_ms: int) -> Held | None:
        """Who holds it now, None: nobody."""
        with self._store.reading() as db:
            token, current, renewed_ms, ttl_ms = _row(db)
        if current is None or not _runs(renewed_ms, ttl_ms, now_ms):
            return None
        return Held(current, token, renewed_ms + ttl_ms)


def expect_token(db: Connection, token: int) -> None:
    """Refused unless `token` is of the latest lease and that was not given up."""
    current, holder, _, _ = _row(db)
    if holder is None:
        raise Refused(N_("nobody holds the links of this event now: expected a lease"))
    if current != token:
        raise Refused(N_("the links of this event are held by {holder}"), holder=holder, token=current)


def _row(db: Connection) -> tuple[int, str | None, int, int]:
    token, holder, renewed_ms, ttl_ms = db.execute("SELECT token, holder, renewed_ms, ttl_ms FROM lease").fetchone()
    return token, holder, renewed_ms, ttl_ms


def _runs(renewed_ms: int, ttl_ms: int, now_ms: int) -> bool:
    """A renewal from further ahead than its own length was stamped by a clock that has since been set back."""
    return abs(now_ms - renewed_ms) < ttl_ms
