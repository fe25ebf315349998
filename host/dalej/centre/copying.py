"""An event file made of what a hall has told its centre, for a laptop that takes over from one that is gone: each entry
goes through the ledger's own door, and is compared with what was told.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Final

from dalej.centre.mirror import Mirror
from dalej.centre.stream import (
    BEGINNING,
    ConflictLine,
    DecisionLine,
    FactLine,
    GapLine,
    Line,
    OutcomeLine,
    RequestLine,
    digest_after,
    line_of,
    read_line,
)
from dalej.domain.game.facts import Fact
from dalej.errors import Damaged
from dalej.event.ledger import Held, Ledger, Report
from dalej.words import N_

_STEP: Final = 1_000
_TTL_MS: Final = 60_000


def copy_hall(mirror: Mirror, name: str, file: Path, now_ms: int) -> int:
    """The number of entries in the new file, which is there whole or not at all; Damaged if it is not what was told."""
    hall = mirror.hall(name)
    ledger = Ledger.create(file)
    try:
        held = ledger.lease.acquire("dalej centre copy", now_ms, _TTL_MS)
        so_far = _SoFar(held)
        for lines in _told(mirror, name, hall.through):
            with ledger.together():
                for line in lines:
                    so_far.put(ledger, read_line(line))
        ledger.lease.release(held)
        if digest_of(ledger, hall.through) != hall.digest or ledger.head() != hall.through:
            raise Damaged(N_("what hall {name} has told makes another event file: it is not kept"), name=name)
        ledger.expect_whole()
    except BaseException:
        ledger.close()
        file.unlink(missing_ok=True)
        raise
    ledger.close()
    return hall.through


def digest_of(ledger: Ledger, through: int) -> bytes:
    """The running digest of its first entries, so many of them."""
    digest, cursor = BEGINNING, 0
    while cursor < through:
        entries = ledger.since(cursor, min(_STEP, through - cursor))
        if not entries:
            break
        digest, cursor = digest_after(digest, map(line_of, entries)), entries[-1].cursor
    return digest


def _told(mirror: Mirror, name: str, through: int) -> Iterator[list[str]]:
    after = 0
    while after < through:
        lines = mirror.lines(name, after, min(_STEP, through - after))
        if not lines:
            return
        yield lines
        after += len(lines)


class _SoFar:
    """What the next entry has to know of those before it."""

    def __init__(self, held: Held) -> None:
        self._held = held
        self._latest: dict[str, int] = {}  # of each subject its last decision
        self._request = 0

    def put(self, ledger: Ledger, line: Line) -> None:
        match line:
            case FactLine() | ConflictLine():
                ledger.record([Report(Fact(*line.fact), line.received_ms, line.wall_ms, line.old)])
            case GapLine():
                ledger.lost(line.box, line.epoch, line.first, line.last, line.why, line.at_ms)
            case DecisionLine():
                subject = line.subject
                made = ledger.decide(
                    line.kind, line.body, who=line.who, when_ms=line.when_ms, why=line.why, subject=subject,
                    expects=None if subject is None else self._latest.get(subject), revokes=line.revokes,
                )  # fmt: skip
                if subject is not None:
                    self._latest[subject] = made.cursor
            case RequestLine():
                ledger.skip_requests(line.id - 1 - self._request)
                self._request = line.id
                ledger.request(
                    line.table, line.command, line.args, who=line.who, at_ms=line.at_ms, why=line.why, box=line.box,
                    guard=None if line.game is None or line.move is None else (line.game, line.move),
                )  # fmt: skip
            case OutcomeLine():
                ledger.outcome(
                    line.request, line.result, at_ms=line.at_ms, token=self._held.token, reason=line.reason
                )  # fmt: skip
