"""What people and the desk decided: appended, never changed, revoked only by a later one.

Two processes may decide on the same thing at once. A decision with a `subject` says which decision on that subject it
has seen (`expects`); if there is a later one, it is refused and told who was first. Revoked is revoked for good: what
is to hold again is decided again.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict, replace
from typing import Final

from dalej.errors import Damaged, Refused, WrongInput
from dalej.event.ledger import recording
from dalej.event.ledger.entries import Baseline, Decision, Draft, Json, Origin
from dalej.event.ledger.store import Connection, Store, next_cursor
from dalej.words import N_


class Outrun(Refused):
    """Somebody else decided something after what the author of a decision has seen."""


ASSIGN: Final = "assign"
REVOKE: Final = "revoke"

_DECISIONS: Final = """SELECT d.cursor, d.kind, d.subject, d.body, d.who, d.when_ms, d.why, d.revokes, r.cursor,
    o.name, o.epoch, o.number
    FROM decisions d LEFT JOIN decisions r ON r.revokes = d.cursor LEFT JOIN origins o ON o.cursor = d.cursor"""

_PLACE: Final = {"table", "epoch", "seq"}
_POSITION: Final = _PLACE | {"game", "move", "seat", "remaining_ms", "bank"}

_Row = tuple[
    int, str, str | None, str, str, int, str, int | None, int | None, str | None, int | None, int | None
]  # fmt: skip


def decide(
    store: Store,
    kind: str,
    body: Mapping[str, Json],
    who: str,
    when_ms: int,
    why: str,
    subject: str | None,
    expects: int | None,
    revokes: int | None,
) -> Decision:
    """Appends a decision; see `Ledger.decide`."""
    return decide_together(store, [Draft(kind, body, subject, expects, revokes)], who, when_ms, why, None)[0]


def decide_together(
    store: Store, drafts: Iterable[Draft], who: str, when_ms: int, why: str, seen: int | None
) -> list[Decision]:
    """Appends decisions, all of them or none; see `Ledger.decide_together`."""
    texts = [(draft, _checked(draft.kind, draft.body, who, why)) for draft in drafts]
    with store.writing() as db:
        if seen is not None:
            _expect_none_since(db, seen)
        return [_decide(db, draft, text, who, when_ms, why) for draft, text in texts]


def _decide(db: Connection, draft: Draft, text: str, who: str, when_ms: int, why: str) -> Decision:
    kind, _, subject, expects, revokes = draft
    revoked = None if revokes is None else _revocable(db, revokes, kind)
    if revoked is not None:
        subject = revoked.subject if subject is None else subject
        expects = revoked.cursor if expects is None and subject == revoked.subject else expects
    if subject is not None:
        _expect_latest(db, subject, expects or 0)
    decision = _append(db, kind, subject, text, who, when_ms, why, revokes)
    if revoked is not None and revoked.kind == ASSIGN:
        _rebase(db, baseline_of(revoked))
    return decision


def baseline_of(decision: Decision) -> Baseline:
    """What an `assign` decision says; WrongInput if it is not one."""
    said = dict(decision.body)
    box = said.pop("box", None)
    numbers = {name: value for name, value in said.items() if isinstance(value, int) and value >= 0}
    if decision.kind != ASSIGN or not isinstance(box, str) or numbers != said or not _PLACE <= said.keys() <= _POSITION:
        raise WrongInput(N_("an assignment without its place: expected table, box, epoch and sequence number"))
    return Baseline(box=box, **numbers)


def body_of(baseline: Baseline) -> dict[str, Json]:
    """The body of an `assign` decision: what is unknown is left out."""
    return {name: value for name, value in asdict(baseline).items() if value is not None}


def between(db: Connection, after: int, last: int) -> Iterator[Decision]:
    """Decisions among the entries `after < cursor <= last`."""
    sql = f"{_DECISIONS} WHERE d.cursor > ? AND d.cursor <= ? ORDER BY d.cursor"
    return (_decision(db, row) for row in db.execute(sql, (after, last)))


def to_json(body: Mapping[str, Json]) -> str:
    """The one way bodies and arguments are written, so that equal ones are equal as text."""
    return json.dumps(body, ensure_ascii=False, allow_nan=False, sort_keys=True, separators=(",", ":"))


def from_json(db: Connection, cursor: int, text: str) -> dict[str, Json]:
    """The body or the arguments of the entry at `cursor`; Damaged if they are not what `to_json` writes."""
    try:
        body = json.loads(text)
    except (ValueError, TypeError, RecursionError):
        body = None
    if not isinstance(body, dict):
        raise Damaged(
            N_("{file} is damaged: entry {cursor} holds what cannot be read, expected a JSON object"),
            file=db.file, cursor=cursor,
        )  # fmt: skip
    return body


def bring(db: Connection, decision: Decision, origin: Origin) -> Decision:
    """Appends what was decided in another event of the same tournament, where it was checked; its own cursor is not
    looked at, `revokes` is one of here.
    """
    text = _checked(decision.kind, decision.body, decision.who, decision.why)
    if decision.revokes is not None:
        _revocable(db, decision.revokes, decision.kind)
    made = _append(
        db, decision.kind, decision.subject, text, decision.who, decision.when_ms, decision.why, decision.revokes
    )
    db.execute("INSERT INTO origins VALUES (?, ?, ?, ?)", (made.cursor, *origin))
    return replace(made, origin=origin)


def _checked(kind: str, body: Mapping[str, Json], who: str, why: str) -> str:
    """The body as it is stored."""
    if not who.strip() or not why.strip():
        raise WrongInput(N_("a decision ({kind}) without a name or a reason: expected both"), kind=kind)
    expect_text(who, why)
    return to_json(body)


def expect_text(*texts: str) -> None:
    """WrongInput if one holds what is no character of a text."""
    for text in texts:
        if "\0" in text:
            raise WrongInput(
                N_("“{text}” holds a character that ends texts: expected letters"), text=text.replace("\0", "␀")
            )


def _append(
    db: Connection,
    kind: str,
    subject: str | None,
    text: str,
    who: str,
    when_ms: int,
    why: str,
    revokes: int | None,
) -> Decision:
    cursor = next_cursor(db)
    row = (cursor, kind, subject, text, who, when_ms, why, revokes)
    db.execute("INSERT INTO decisions VALUES (?, ?, ?, ?, ?, ?, ?, ?)", row)
    decision = _decision(db, (*row, None, None, None, None))
    if kind == ASSIGN:  # the latest one of its stream
        baseline = baseline_of(decision)
        recording.rebase(db, recording.find_or_add(db, baseline.box, baseline.epoch), baseline.seq)
    return decision


def _expect_latest(db: Connection, subject: str, expects: int) -> None:
    row = db.execute(f"{_DECISIONS} WHERE d.subject = ? ORDER BY d.cursor DESC LIMIT 1", (subject,)).fetchone()
    latest = None if row is None else _decision(db, row)
    if latest is not None and latest.cursor != expects:
        raise Refused(
            N_("{who} has already decided on this ({kind}): {why}"),
            who=latest.who, kind=latest.kind, why=latest.why, when_ms=latest.when_ms, cursor=latest.cursor,
        )  # fmt: skip
    if latest is None and expects:
        raise Refused(N_("there is no decision {cursor} on this: expected the latest one"), cursor=expects)


def _expect_none_since(db: Connection, seen: int) -> None:
    row = db.execute(f"{_DECISIONS} WHERE d.cursor > ? ORDER BY d.cursor LIMIT 1", (seen,)).fetchone()
    if row is not None:
        newer = _decision(db, row)
        raise Outrun(
            N_("{who} has decided something in the meantime ({kind}): {why}"),
            who=newer.who, kind=newer.kind, why=newer.why, when_ms=newer.when_ms, cursor=newer.cursor,
        )  # fmt: skip


def _revocable(db: Connection, revokes: int, kind: str) -> Decision:
    row = db.execute(f"{_DECISIONS} WHERE d.cursor = ?", (revokes,)).fetchone()
    if row is None:
        raise WrongInput(N_("there is no decision {cursor} to revoke ({kind})"), cursor=revokes, kind=kind)
    revoked = _decision(db, row)
    if revoked.revoked_by is not None:
        by = _decision(db, db.execute(f"{_DECISIONS} WHERE d.cursor = ?", (revoked.revoked_by,)).fetchone())
        raise Refused(
            N_("{who} has already revoked this ({kind}): {why}"),
            who=by.who, kind=revoked.kind, why=by.why, when_ms=by.when_ms, cursor=by.cursor,
        )  # fmt: skip
    return revoked


def _rebase(db: Connection, moved: Baseline) -> None:
    """Counts a stream, one of whose assignments was revoked, from the latest standing one, else from the start."""
    sql = f"{_DECISIONS} WHERE d.kind = ? AND r.cursor IS NULL ORDER BY d.cursor DESC"
    rows = db.execute(sql, (ASSIGN,)).fetchall()
    standing = (baseline_of(_decision(db, row)) for row in rows)
    seq = next((one.seq for one in standing if (one.box, one.epoch) == (moved.box, moved.epoch)), 0)
    recording.rebase(db, recording.find_or_add(db, moved.box, moved.epoch), seq)


def _decision(db: Connection, row: _Row) -> Decision:
    cursor, kind, subject, body, who, when_ms, why, revokes, revoked_by, name, epoch, number = row
    origin = None if name is None or epoch is None or number is None else Origin(name, epoch, number)
    return Decision(cursor, kind, subject, from_json(db, cursor, body), who, when_ms, why, revokes, revoked_by, origin)
