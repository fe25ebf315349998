"""An event file made of what is at the centre: of all that a hall has told it, for a laptop that takes over from one
that is gone, each entry through the ledger's own door and compared with what was told; or a hall's first one.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Final

from dalej import drafts
from dalej.centre.decided import Listening
from dalej.centre.forward import Forwarder
from dalej.centre.stream import (
    BroughtLine,
    ConflictLine,
    DecisionLine,
    FactLine,
    GapLine,
    Line,
    OutcomeLine,
    RequestLine,
    decision_of,
    digest_of,
    read_line,
)
from dalej.centre.talk import HallKey
from dalej.domain.game.facts import Fact
from dalej.domain.tournament.tournament import HOME
from dalej.errors import DalejError, Damaged, Refused, Unreachable, WrongInput
from dalej.event.event import Event
from dalej.event.ledger import Heard, Held, Ledger, Origin, Report
from dalej.hints import once_more
from dalej.words import N_, cause

if TYPE_CHECKING:
    from dalej.centre.mirror import Mirror  # whose library is not where halls are

_STEP: Final = 1_000
_TTL_MS: Final = 60_000


def copy_hall(mirror: Mirror, name: str, file: Path, now_ms: int, epoch: int | None = None) -> int:
    """The number of entries in the new file, which is there whole or not at all; Damaged if it is not what was told.
    Refused if the hall was just telling another file from its beginning, and it is not said which `epoch` is meant.
    """
    hall, epochs = mirror.hall(name), mirror.epochs(name)
    if epoch is None and hall.through < epochs.get(hall.epoch - 1, 0):
        raise Refused(
            N_("hall {name} has told {through} entries of epoch {epoch}, and {before} of the one before: expected one "
               "of them to be named"),
            name=name, through=hall.through, epoch=hall.epoch, before=epochs[hall.epoch - 1],
        ).hinted(N_("{command} names it"), command=once_more("--epoch", hall.epoch - 1))  # fmt: skip
    wanted = hall.epoch if epoch is None else epoch
    if wanted not in epochs:
        raise WrongInput(
            N_("hall {name} has told no epoch {epoch}: expected one of {known}"),
            name=name, epoch=wanted, known=", ".join(map(str, epochs)) or "–",
        )  # fmt: skip
    through = epochs[wanted]
    with _new(file) as ledger:
        _fill(ledger, _told(mirror, name, through, wanted), now_ms)
        same = wanted != hall.epoch or digest_of(ledger, through) == hall.digest
        if ledger.head() != through or not same:
            raise Damaged(N_("what hall {name} has told makes another event file: it is not kept"), name=name)
        ledger.expect_whole()
    return through


def join_hall(hall: HallKey, file: Path, who: str, wall_ms: Callable[[], int]) -> str:
    """The event file of a hall, with all that its centre has decided so far; the event's name. `who`: makes it."""
    with _new(file) as ledger:
        ledger.decide(HOME, {"hall": hall.hall}, who=who, when_ms=wall_ms(), why="one of several halls", subject=HOME)
        event = Event(ledger, who=hall.hall, wall_ms=wall_ms)
        asyncio.run(Forwarder(ledger, hall, "", _nobody, Listening(event, hall.hall)).listen())
        return event.state().name


def _nobody(_what: DalejError) -> None:
    """Nothing has to be said where nothing was told before."""


@contextmanager
def _new(file: Path) -> Iterator[Ledger]:
    """An event file that is there once the block is left, if it is left in peace."""
    taken = WrongInput(N_("{file} already exists: expected a name that is free"), file=str(file))
    if file.exists():
        raise taken
    try:
        with drafts.draft_of(file) as draft:
            draft.path.unlink()  # a ledger makes its own
            try:
                with Ledger.create(draft.path) as ledger:
                    yield ledger
                draft.put(replace=False)
            finally:
                for suffix in ("-wal", "-shm"):
                    draft.path.with_name(draft.path.name + suffix).unlink(missing_ok=True)
    except FileExistsError:
        raise taken from None
    except OSError as error:
        raise Unreachable(N_("{file} cannot be written: {reason}"), file=str(file), reason=cause(error)) from error


def _fill(ledger: Ledger, told: Iterable[list[str]], now_ms: int) -> None:
    held = ledger.lease.acquire("dalej centre copy", now_ms, _TTL_MS)
    so_far = _SoFar(held)
    for lines in told:
        with ledger.together():
            for line in lines:
                so_far.put(ledger, read_line(line))
    ledger.lease.release(held)


def _told(mirror: Mirror, name: str, through: int, epoch: int) -> Iterator[list[str]]:
    after = 0
    while after < through:
        lines = mirror.lines(name, after, min(_STEP, through - after), epoch)
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
            case BroughtLine():
                made = ledger.bring(decision_of(line), Origin(line.origin, line.epoch, line.number))
                if line.subject is not None:
                    self._latest[line.subject] = made.cursor
                before = ledger.heard(line.origin)
                ledger.listened(line.origin, before, Heard(line.epoch, line.number, line.when_ms))
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
