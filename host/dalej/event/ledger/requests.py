"""Commands asked for by any process, and what became of them.

The process that holds the lease carries requests out and says what happened. `sent` is not the end; `applied` and
`refused` are the box's own word and final; `no_link` ends the waiting, but a box that did get the command may still
answer later.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final

from dalej.errors import Refused, WrongInput
from dalej.event.ledger import lease
from dalej.event.ledger.decisions import expect_text, from_json, to_json
from dalej.event.ledger.entries import APPLIED, NO_LINK, REFUSED, SENT, Json, Outcome, Request
from dalej.event.ledger.store import Connection, Store, next_cursor, next_request
from dalej.words import N_

_FINAL: Final = (APPLIED, REFUSED)
_REQUESTS: Final = "SELECT cursor, id, at_table, box, command, args, who, at_ms, why, game, move FROM requests"
_OUTCOMES: Final = "SELECT cursor, request, result, reason, at_ms FROM outcomes"


class AskedAlready(Refused):
    """The same was asked, and nobody has answered yet; `request` is the one that waits."""

    def __init__(self, request: Request) -> None:
        super().__init__(
            N_("table {table}: {who} has asked for {command} already, and it is not answered yet"),
            table=request.table, who=request.who, command=request.command,
        )  # fmt: skip
        self.request = request


_Row = tuple[int, int, int, str | None, str, str, str, int, str, int | None, int | None]


def append(
    store: Store,
    table: int,
    command: str,
    args: Mapping[str, Json],
    who: str,
    at_ms: int,
    why: str,
    box: str | None,
    guard: tuple[int, int] | None,
    unless_open_ms: int | None,
) -> Request:
    """Appends a request under an id of its own; see `Ledger.request`."""
    if not who.strip() or not command:
        raise WrongInput(N_("a request without a name or a command: expected both"))
    expect_text(who, why, command, box or "")
    text = to_json(args)
    game, move = guard if guard is not None else (None, None)
    with store.writing() as db:
        if unless_open_ms is not None:
            _expect_not_asked(db, table, command, box, at_ms - unless_open_ms)
        cursor, number = next_cursor(db), next_request(db)
        row = (cursor, number, table, box, command, text, who, at_ms, why, game, move)
        db.execute("INSERT INTO requests VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)", row)
        return _request(db, row)


def add_outcome(store: Store, request: int, result: str, at_ms: int, token: int, reason: str) -> Outcome:
    """Appends what became of a request; see `Ledger.outcome`."""
    if result not in (SENT, APPLIED, REFUSED, NO_LINK):
        raise WrongInput(N_("{result} is not what becomes of a request: expected one of {expected}"),
                         result=result, expected=f"{SENT}, {APPLIED}, {REFUSED}, {NO_LINK}")  # fmt: skip
    with store.writing() as db:
        lease.expect_token(db, token)
        if db.execute("SELECT 1 FROM requests WHERE id = ?", (request,)).fetchone() is None:
            raise WrongInput(N_("there is no request {request}"), request=request)
        row = db.execute(f"{_OUTCOMES} WHERE request = ? ORDER BY cursor DESC LIMIT 1", (request,)).fetchone()
        if row is not None and (latest := Outcome(*row)).result in _FINAL:
            if latest.result == result:
                return latest
            raise Refused(
                N_("request {request} is already {result}: {reason}"),
                request=request, result=latest.result, reason=latest.reason,
            )  # fmt: skip
        outcome = Outcome(next_cursor(db), request, result, reason, at_ms)
        db.execute("INSERT INTO outcomes VALUES (?, ?, ?, ?, ?)", (outcome.cursor, request, result, reason, at_ms))
    return outcome


def still_open(store: Store) -> list[Request]:
    """Requests that wait for an answer, in the order they were made: not yet sent, or sent and not answered."""
    with store.reading() as db:
        return _open(db)


def unanswered(store: Store) -> list[Request]:
    """Requests of which no box has said what became of them, also those for which nobody waits any more."""
    with store.reading() as db:
        return _without(db, APPLIED, REFUSED)


def _open(db: Connection) -> list[Request]:
    return _without(db, APPLIED, REFUSED, NO_LINK)


def _without(db: Connection, *results: str) -> list[Request]:
    """Those of which none of these results is known, in the order they were made."""
    any_of_them = ", ".join("?" * len(results))
    rows = db.execute(
        f"""{_REQUESTS} WHERE NOT EXISTS (SELECT 1 FROM outcomes
        WHERE outcomes.request = requests.id AND outcomes.result IN ({any_of_them})) ORDER BY cursor""",
        results,
    )
    return [_request(db, row) for row in rows]


def _expect_not_asked(db: Connection, table: int, command: str, box: str | None, since_ms: int) -> None:
    """A request of before `since_ms` is given up; one that was sent ahead with an instant is another matter."""
    for one in _open(db):
        same = (one.table, one.command) == (table, command) and (box is None or one.box in (None, box))
        if same and one.at_ms > since_ms and "at_ms" not in one.args:
            raise AskedAlready(one)


def outcomes_of(store: Store, request: int) -> list[Outcome]:
    """All that became of one request, in order."""
    with store.reading() as db:
        return [Outcome(*row) for row in db.execute(f"{_OUTCOMES} WHERE request = ? ORDER BY cursor", (request,))]


def requests_between(db: Connection, after: int, last: int) -> Iterator[Request]:
    """Requests among the entries `after < cursor <= last`."""
    rows = db.execute(f"{_REQUESTS} WHERE cursor > ? AND cursor <= ? ORDER BY cursor", (after, last))
    return (_request(db, row) for row in rows)


def outcomes_between(db: Connection, after: int, last: int) -> Iterator[Outcome]:
    """Outcomes among the entries `after < cursor <= last`."""
    rows = db.execute(f"{_OUTCOMES} WHERE cursor > ? AND cursor <= ? ORDER BY cursor", (after, last))
    return (Outcome(*row) for row in rows)


def _request(db: Connection, row: _Row) -> Request:
    cursor, number, table, box, command, args, who, at_ms, why, game, move = row
    return Request(cursor, number, table, box, command, from_json(db, cursor, args), who, at_ms, why, game, move)
