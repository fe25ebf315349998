"""What a ledger holds, as its readers get it: small, immutable, each with its place (`cursor`) in the one order."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple, TypeAlias

from dalej.domain.game.facts import Fact

Json: TypeAlias = "bool | int | float | str | Sequence[Json] | Mapping[str, Json] | None"

SENT: Final = "sent"
APPLIED: Final = "applied"
REFUSED: Final = "refused"
NO_LINK: Final = "no_link"

# The command of a request that is for the desk and not for the box: record now what the box has to tell.
FETCH: Final = "fetch"


class Report(NamedTuple):
    """A fact as a link hands it over. Wall times are Unix milliseconds; `wall_ms` is when it happened, None: unknown.

    `old`: it was replayed after the event, nobody has just pressed anything.
    """

    fact: Fact
    received_ms: int
    wall_ms: int | None = None
    old: bool = False


@dataclass(frozen=True, slots=True)
class Reported:
    """A fact in the ledger; the other fields as in `Report`."""

    cursor: int
    fact: Fact
    received_ms: int
    wall_ms: int | None
    old: bool


@dataclass(frozen=True, slots=True)
class Conflict:
    """A box said two things under one `(box, epoch, seq)`. `stored` came first and is what counts."""

    cursor: int
    stored: Fact
    reported: Fact
    received_ms: int
    wall_ms: int | None
    old: bool


@dataclass(frozen=True, slots=True)
class Gap:
    """Facts `first` to `last` of a stream that the box reported as no longer held."""

    cursor: int
    box: str
    epoch: int
    first: int
    last: int
    why: str
    at_ms: int


class Origin(NamedTuple):
    """Another event of the same tournament that a decision was brought from: its `name`, the `epoch` of its file, and
    the decision's `number` there.
    """

    name: str
    epoch: int
    number: int


@dataclass(frozen=True, slots=True)
class Decision:
    """What a person or the desk decided. `revoked_by`: cursor of the decision that revoked it, None while it stands;
    `origin`: where it was decided, None: here.
    """

    cursor: int
    kind: str
    subject: str | None
    body: Mapping[str, Json]
    who: str
    when_ms: int
    why: str
    revokes: int | None
    revoked_by: int | None
    origin: Origin | None = None


class Draft(NamedTuple):
    """A decision that is still to be made. With a `subject`, `expects` is the last one on it that its author has seen,
    None: there was none. `revokes`: cursor of one that it revokes, whose subject it takes over.
    """

    kind: str
    body: Mapping[str, Json]
    subject: str | None = None
    expects: int | None = None
    revokes: int | None = None


@dataclass(frozen=True, slots=True)
class Request:
    """A command somebody asks of a table's box. `game`, `move`: the guard, None where order does not matter."""

    cursor: int
    id: int
    table: int
    box: str | None
    command: str
    args: Mapping[str, Json]
    who: str
    at_ms: int
    why: str
    game: int | None
    move: int | None


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of request `request`: `sent`, then `applied`, `refused` (with its reason) or `no_link`."""

    cursor: int
    request: int
    result: str
    reason: str
    at_ms: int


Entry: TypeAlias = Reported | Conflict | Gap | Decision | Request | Outcome


@dataclass(frozen=True, slots=True)
class Recorded:
    """What one `record` did with its reports; durable when you hold this.

    `cursor`: of the last entry; `contiguous`: per `(box, epoch)` in the batch the seq to acknowledge.
    """

    cursor: int
    new: list[Fact]
    duplicate: list[Fact]
    conflicting: list[Conflict]
    contiguous: dict[tuple[str, int], int]


@dataclass(frozen=True, slots=True)
class Stream:
    """One journal of one box: nothing up to `baseline` is asked for, everything up to `contiguous` is here or lost.

    `top`: the highest seq ever reported, 0 for none.
    """

    box: str
    epoch: int
    baseline: int
    contiguous: int
    top: int


@dataclass(frozen=True, slots=True)
class Baseline:
    """From which fact on a box belongs to a table, and the table's position if the box takes over within a game.

    `seq` is the last fact that does not count: the box's head at that instant. Seat 0..3.
    """

    table: int
    box: str
    epoch: int
    seq: int
    game: int | None = None
    move: int | None = None
    seat: int | None = None
    remaining_ms: int | None = None
    bank: int | None = None
