"""What the desk keeps of one box, and what it hears of its boxes, on links and from advertisements: the newer one
counts.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Final

from dalej.domain.game.heard import Heard, Told, Way
from dalej.link.pool import SYNC_EVERY_MS
from dalej.link.roster import Roster
from dalej.link.session import Phase, Session, StateHeard
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


SEEN_STEP_MS: Final = 1_000  # a box that has nothing new is mentioned again this often, because its age starts anew
REACH_MS: Final = 12_000  # a box that has not been heard for so long is not in reach
BELIEVED_MS: Final = 2 * SYNC_EVERY_MS  # of an advertisement that says nothing new; meanwhile every box has its turn
BACKLOG_MOST: Final = 255


class Hearing:
    """All boxes of a desk. `version` grows with every change, and a line's own is that of its last one."""

    def __init__(self, lines: Mapping[bytes, Line]) -> None:
        self.version = 0
        self.roster = Roster()
        self._lines = lines
        self._changed: dict[bytes, Line] = {}  # the latest change last

    def know(self, line: Line, now_ms: int) -> None:
        """A new line; what the ledger has of it is already there."""
        self.roster.know(line.uid, line.secret, line.uptimes)
        epoch, contiguous = line.stored
        if epoch:
            self.roster.met(line.uid, epoch, None, contiguous)
        self._change(line, now_ms)

    def moved(self, line: Line, now_ms: int) -> None:
        """The box stands on another table."""
        self._change(line, now_ms)

    def forget(self, line: Line) -> None:
        """The box is no longer one of these."""
        self._changed.pop(line.uid, None)

    def advertised(self, data: bytes, now_ms: int) -> Line | None:
        """The line of the box that an advertisement is of; None if no box of this event said it now."""
        sighting = self.roster.hear(data, now_ms)
        if sighting is None:
            return None
        line = self._lines.get(sighting.uid)
        if line is None:  # forgotten
            return None
        if not sighting.sure and line.told is not None:
            return line  # perhaps of another day: a session will tell
        line.advert_ms = now_ms
        told = sighting.told
        if told is not None:
            before = line.told
            if before is not None and (before.epoch, before.head) == (told.epoch, told.head):
                told = replace(told, game=before.game, move=before.move, bank=before.bank)
            self._tell(line, told, now_ms)
        elif line.proven_ms is None:  # it begins to be believed when it is heard
            self.seen(line, now_ms)
        elif now_ms - line.proven_ms <= BELIEVED_MS:
            self._still_there(line, now_ms)
        return line

    def stated(self, line: Line, boot: int, event: StateHeard) -> None:
        """A state came over the link, from this boot of the box."""
        state, before = event.state, line.told
        epoch, head, uptime = state["epoch"], state["head"], state["uptime"]
        self.roster.met(line.uid, epoch, boot, head, state["alarm"])
        if before is not None and before.epoch == epoch and before.head > head:
            return
        said_ms = line.uptimes.desk_ms((epoch, boot), uptime)
        told = Told(
            at_ms=event.at_ms if said_ms is None else min(said_ms, event.at_ms), epoch=epoch, boot=boot, head=head,
            state=state["state"], seat=state["seat"], alarm=state["alarm"], left_ms=state["left"], uptime_ms=uptime,
            game=state["game"], move=state["move"], bank=state["bank"], backlog=None,
        )  # fmt: skip
        self._tell(line, told, event.at_ms)

    def proved(self, line: Line, epoch: int, boot: int, head: int, now_ms: int) -> None:
        """The box proved itself on a link: what was told of another epoch is over."""
        line.served = True
        line.proven_ms = now_ms
        self.roster.met(line.uid, epoch, boot, head)
        if line.told is not None and line.told.epoch != epoch:
            line.told = None
        self._change(line, now_ms)

    def stored(self, line: Line, epoch: int, contiguous: int, now_ms: int) -> None:
        """The ledger has the box's facts up to there."""
        if line.stored != (epoch, contiguous):
            self.roster.met(line.uid, epoch, None, contiguous)
            line.stored = (epoch, contiguous)
            self._change(line, now_ms)

    def seen(self, line: Line, now_ms: int) -> None:
        """Something came from the box that nobody can have repeated, though perhaps nothing new."""
        line.proven_ms = now_ms
        self._still_there(line, now_ms)

    def _still_there(self, line: Line, now_ms: int) -> None:
        line.seen_ms = now_ms
        if now_ms - line.changed_ms >= SEEN_STEP_MS:
            self._change(line, now_ms)

    def parted(self, line: Line, now_ms: int) -> None:
        """Its link is gone."""
        self._change(line, now_ms)

    def unsure(self, line: Line) -> bool:
        """Whether only a session can tell more: what is heard may be of another day, or its boot was never met."""
        told = line.told
        if told is None or self.roster.doubts(line.uid):
            return True
        return line.uptimes.error_ms((told.epoch, told.boot)) is None

    def since(self, version: int, now_ms: int) -> list[Heard]:
        """What is known now of the boxes that have changed after that version, the latest first."""
        found = []
        for line in reversed(self._changed.values()):
            if line.version <= version:
                break
            found.append(heard(line, now_ms))
        return found

    def _tell(self, line: Line, told: Told, now_ms: int) -> None:
        line.told, line.seen_ms, line.proven_ms = told, now_ms, now_ms
        self._change(line, now_ms)

    def _change(self, line: Line, now_ms: int) -> None:
        self.version += 1
        line.version, line.changed_ms = self.version, now_ms
        self._changed.pop(line.uid, None)
        self._changed[line.uid] = line


def heard(line: Line, now_ms: int) -> Heard:
    """What is known of the box now; its backlog is what the ledger lacks."""
    told = line.told
    if told is not None:
        told = replace(told, backlog=min(line.backlog, BACKLOG_MOST))
    return Heard(line.box, line.table, _way(line, now_ms), line.seen_ms, told)


def in_reach(line: Line, now_ms: int) -> bool:
    """Whether the box's advertisements are heard."""
    return line.advert_ms is not None and now_ms - line.advert_ms <= REACH_MS


def _way(line: Line, now_ms: int) -> Way:
    if line.live is not None:
        return "link"
    return "advert" if in_reach(line, now_ms) else "none"
