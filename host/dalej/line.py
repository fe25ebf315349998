"""What the desk keeps of one box."""

from __future__ import annotations

from dataclasses import dataclass, field

from dalej.domain.heard import Told
from dalej.link.session import Phase, Session
from dalej.link.uptime import UptimeMap


@dataclass(slots=True)
class Line:
    """What the desk knows of one box. `state`: the last state heard and when (names of `moveclock.wire.STATE_FIELDS`).

    `running`: the last state in which a move's time ran. `catch_up`: epoch and seq that the ledger must have reached
    before commands of an earlier link are repeated, None: reached. `sent`: ids of the requests that went out on this
    link. `away_ms`: since when there is no link; `served`: on its latest link the box accepted this desk.

    `stored`: epoch, and seq up to which the ledger has its facts. `told`, `seen_ms`, `advert_ms`: what was heard last,
    when anything genuine was, when an advertisement was. `proven_ms`: when it last said what nobody can have repeated.
    `version`: the desk's count when any of that changed, at
    `changed_ms`.
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
    served: bool = False
    stored: tuple[int, int] = (0, 0)
    told: Told | None = None
    seen_ms: int | None = None
    advert_ms: int | None = None
    proven_ms: int | None = None
    version: int = 0
    changed_ms: int = 0

    @property
    def box(self) -> str:
        return self.uid.hex()

    @property
    def live(self) -> Session | None:
        """The session, if the box is on the line and trusted."""
        session = self.session
        return session if session is not None and session.phase is Phase.LIVE else None

    @property
    def backlog(self) -> int:
        """How many facts the box is known to have that the ledger has not."""
        if self.told is None:
            return 0
        epoch, contiguous = self.stored
        return max(0, self.told.head - (contiguous if epoch == self.told.epoch else 0))
