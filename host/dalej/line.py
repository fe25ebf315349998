"""What the desk keeps of one box."""

from __future__ import annotations

from dataclasses import dataclass, field

from dalej.link.session import Phase, Session
from dalej.link.uptime import UptimeMap


@dataclass(slots=True)
class Line:
    """What the desk knows of one box. `state`: the last state heard and when (names of `moveclock.wire.STATE_FIELDS`).

    `running`: the last state in which a move's time ran. `catch_up`: epoch and seq that the ledger must have reached
    before commands of an earlier link are repeated, None: reached. `sent`: ids of the requests that went out on this
    link. `away_ms`: since when there is no link.
    """

    uid: bytes
    secret: bytes
    table: int
    session: Session | None = None
    uptimes: UptimeMap = field(default_factory=UptimeMap)
    state: tuple[int, dict[str, int]] | None = None
    running: tuple[int, dict[str, int]] | None = None
    catch_up: tuple[int, int] | None = None
    sent: set[int] = field(default_factory=set)
    away_ms: int = 0

    @property
    def box(self) -> str:
        return self.uid.hex()

    @property
    def live(self) -> Session | None:
        """The session, if the box is on the line and trusted."""
        session = self.session
        return session if session is not None and session.phase is Phase.LIVE else None
