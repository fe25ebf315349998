"""A hall's entries as they travel to its centre: one line of JSON each, in the order of their cursors, and a running
digest over all of them, by which two ends know that they mean the same entries without comparing them.

What changes later is no part of a line: whether a decision was revoked is said by the entry that revokes it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import astuple, fields
from hashlib import sha256
from operator import attrgetter
from typing import Annotated, Any, Final, Literal, TypeAlias

import msgspec
from msgspec import Meta, Struct

from dalej.domain.game.facts import Fact
from dalej.errors import WrongInput
from dalej.event.ledger import Conflict, Decision, Entry, Gap, Ledger, Outcome, Reported, Request
from dalej.typedjson import Reader
from dalej.words import N_

BEGINNING: Final = sha256(b"dalej entries 1").digest()  # of a ledger in which nothing is yet
LONGEST: Final = 1 << 20  # bytes of one line
_STEP: Final = 1_000

_Held = Annotated[int, Meta(ge=-(1 << 62), le=1 << 62)]  # SQLite holds none much beyond
_Values: TypeAlias = tuple[str, int, int, int, int, int, int, int, int, int, int, int, int]  # a fact's, as it has them


class FactLine(Struct, frozen=True, array_like=True, tag="fact", forbid_unknown_fields=True):
    """A fact that a box has told."""

    cursor: int
    fact: _Values
    received_ms: int
    wall_ms: int | None
    old: bool


class ConflictLine(Struct, frozen=True, array_like=True, tag="conflict", forbid_unknown_fields=True):
    """What a box told under a number that it had given to something else: `fact` beside what counts."""

    cursor: int
    fact: _Values
    received_ms: int
    wall_ms: int | None
    old: bool


class GapLine(Struct, frozen=True, array_like=True, tag="gap", forbid_unknown_fields=True):
    """Facts that a box holds no longer."""

    cursor: int
    box: str
    epoch: int
    first: int
    last: int
    why: str
    at_ms: int


class _Decided(Struct, frozen=True, array_like=True, forbid_unknown_fields=True):
    cursor: int
    kind: str
    subject: str | None
    body: dict[str, Any]
    who: str
    when_ms: _Held
    why: str
    revokes: _Held | None


class DecisionLine(_Decided, frozen=True, array_like=True, tag="decision", forbid_unknown_fields=True):
    """What somebody decided."""


class BroughtLine(_Decided, frozen=True, array_like=True, tag="brought", forbid_unknown_fields=True):
    """A decision that was made in another event of the same tournament: `number` of its `epoch` of `origin`."""

    origin: str
    epoch: int
    number: int


class RequestLine(Struct, frozen=True, array_like=True, tag="request", forbid_unknown_fields=True):
    """What a box was asked for."""

    cursor: int
    id: int
    table: int
    box: str | None
    command: str
    args: dict[str, Any]
    who: str
    at_ms: int
    why: str
    game: int | None
    move: int | None


class OutcomeLine(Struct, frozen=True, array_like=True, tag="outcome", forbid_unknown_fields=True):
    """What became of it."""

    cursor: int
    request: int
    result: Literal["sent", "applied", "refused", "no_link"]
    reason: str
    at_ms: int


Line: TypeAlias = FactLine | ConflictLine | GapLine | DecisionLine | BroughtLine | RequestLine | OutcomeLine

_READER: Final[Reader[Line]] = Reader(Line, LONGEST)
# `astuple` would copy each value with care, which takes ten times as long.
_VALUES: Final[Callable[[Fact], _Values]] = attrgetter(*(one.name for one in fields(Fact)))
_ENCODER: Final = msgspec.json.Encoder(order="sorted")


def line_of(entry: Entry) -> str:
    """The entry as it travels; equal entries are equal as text."""
    return encoded(_line(entry))


def encoded(line: Line) -> str:
    """As text."""
    return _ENCODER.encode(line).decode()


def _line(entry: Entry) -> Line:
    match entry:
        case Reported():
            return FactLine(entry.cursor, _VALUES(entry.fact), entry.received_ms, entry.wall_ms, entry.old)
        case Conflict():
            return ConflictLine(entry.cursor, _VALUES(entry.reported), entry.received_ms, entry.wall_ms, entry.old)
        case Gap():
            return GapLine(*astuple(entry))
        case Decision():
            return decision_line(entry) if entry.origin is None else BroughtLine(*_decided(entry), *entry.origin)
        case Request():
            return RequestLine(
                entry.cursor, entry.id, entry.table, entry.box, entry.command, dict(entry.args), entry.who,
                entry.at_ms, entry.why, entry.game, entry.move,
            )  # fmt: skip
        case Outcome():
            return OutcomeLine(*astuple(entry))


def decision_line(made: Decision) -> DecisionLine:
    """Without where it came from."""
    return DecisionLine(*_decided(made))


def _decided(made: Decision) -> tuple[int, str, str | None, dict[str, Any], str, int, str, int | None]:
    return made.cursor, made.kind, made.subject, dict(made.body), made.who, made.when_ms, made.why, made.revokes


def decision_of(line: DecisionLine | BroughtLine) -> Decision:
    """As it was decided there."""
    return Decision(
        line.cursor, line.kind, line.subject, line.body, line.who, line.when_ms, line.why, line.revokes, None
    )


def read_line(text: str) -> Line:
    """What travelled; WrongInput if it is no entry."""
    return _READER.read(text)


def digest_after(before: bytes, lines: Iterable[str]) -> bytes:
    """The running digest once those lines are in, from the one `before` them."""
    for line in lines:
        before = sha256(before + line.encode()).digest()
    return before


def digest_of(ledger: Ledger, through: int) -> bytes:
    """The running digest of its first entries, so many of them, or all that there are."""
    digest, cursor = BEGINNING, 0
    while entries := ledger.since(cursor, min(_STEP, through - cursor)) if cursor < through else []:
        digest, cursor = digest_after(digest, map(line_of, entries)), entries[-1].cursor
    return digest


def expect_dense(lines: Iterable[str], after: int) -> None:
    """WrongInput unless they are the entries that follow `after`, one by one."""
    for expected, text in enumerate(lines, start=after + 1):
        found = read_line(text).cursor
        if found != expected:
            raise WrongInput(N_("entry {found} comes where {expected} was expected"), found=found, expected=expected)
