"""An event file made of what a hall has told its centre, for a laptop that takes over from one that is gone: each entry
goes through the ledger's own door, and is compared with what was told.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Final

from dalej import drafts
from dalej.centre.mirror import Mirror
from dalej.centre.stream import (
    ConflictLine,
    DecisionLine,
    FactLine,
    GapLine,
    Line,
    OutcomeLine,
    RequestLine,
    digest_of,
    read_line,
)
from dalej.domain.game.facts import Fact
from dalej.errors import Damaged, Unreachable, WrongInput
from dalej.event.ledger import Held, Ledger, Report
from dalej.words import N_, cause

_STEP: Final = 1_000
_TTL_MS: Final = 60_000


def copy_hall(mirror: Mirror, name: str, file: Path, now_ms: int) -> int:
    """The number of entries in the new file, which is there whole or not at all; Damaged if it is not what was told."""
    hall = mirror.hall(name)
    taken = WrongInput(N_("{file} already exists: expected a name that is free"), file=str(file))
    if file.exists():
        raise taken
    try:
        with drafts.draft_of(file) as draft:
            draft.path.unlink()  # a ledger makes its own
            try:
                with Ledger.create(draft.path) as ledger:
                    _fill(ledger, _told(mirror, name, hall.through), now_ms)
                    if (ledger.head(), digest_of(ledger, hall.through)) != (hall.through, hall.digest):
                        raise Damaged(
                            N_("what hall {name} has told makes another event file: it is not kept"), name=name
                        )
                    ledger.expect_whole()
                draft.put(replace=False)
            finally:
                for suffix in ("-wal", "-shm"):
                    draft.path.with_name(draft.path.name + suffix).unlink(missing_ok=True)
    except FileExistsError:
        raise taken from None
    except OSError as error:
        raise Unreachable(N_("{file} cannot be written: {reason}"), file=str(file), reason=cause(error)) from error
    return hall.through


def _fill(ledger: Ledger, told: Iterable[list[str]], now_ms: int) -> None:
    held = ledger.lease.acquire("dalej centre copy", now_ms, _TTL_MS)
    so_far = _SoFar(held)
    for lines in told:
        with ledger.together():
            for line in lines:
                so_far.put(ledger, read_line(line))
    ledger.lease.release(held)


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
