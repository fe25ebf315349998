"""What was decided in other events of the same tournament and brought into this one: once each, in their order, and how
far each of them was listened to. Entries never change; from where one came is noted beside it.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, NamedTuple

from dalej.errors import Refused
from dalej.event.ledger import decisions
from dalej.event.ledger.decisions import REVOKE
from dalej.event.ledger.entries import Decision, Origin
from dalej.event.ledger.store import Store
from dalej.words import N_

_MOST: Final = 1 << 62


class Heard(NamedTuple):
    """How far another event was listened to: `through` is a number there, in that epoch, `at_ms` when that was."""

    epoch: int
    through: int
    at_ms: int


def heard(store: Store, name: str) -> Heard | None:
    """Of that event; None: never."""
    with store.reading() as db:
        row = db.execute("SELECT epoch, through, at_ms FROM heard WHERE name = ?", (name,)).fetchone()
    return None if row is None else Heard(*row)


def here(store: Store, name: str, epoch: int) -> Callable[[int], int | None]:
    """The cursor here of what has that number there; None: it was not brought."""

    def cursor_of(number: int) -> int | None:
        if not 0 < number <= _MOST:
            return None
        with store.reading() as db:
            row = db.execute(
                "SELECT cursor FROM origins WHERE name = ? AND epoch = ? AND number = ?", (name, epoch, number)
            ).fetchone()
        return None if row is None else int(row[0])

    return cursor_of


def last_brought(store: Store, name: str, epoch: int) -> Decision | None:
    """What was brought last of that event; None: nothing."""
    with store.reading() as db:
        row = db.execute(
            "SELECT cursor FROM origins WHERE name = ? AND epoch = ? ORDER BY number DESC LIMIT 1", (name, epoch)
        ).fetchone()
        return None if row is None else next(decisions.between(db, row[0] - 1, row[0]))


def bring(store: Store, made: Decision, origin: Origin) -> Decision:
    """Appends it."""
    with store.writing() as db:
        return decisions.bring(db, made, origin)


def listened(store: Store, name: str, before: Heard | None, now: Heard) -> None:
    """That event was listened to up to `now`; Refused if another program has listened since `before`."""
    with store.writing() as db:
        row = db.execute("SELECT epoch, through, at_ms FROM heard WHERE name = ?", (name,)).fetchone()
        if row != (None if before is None else tuple(before)):
            raise Refused(N_("{name} was listened to by another program meanwhile"), name=name)
        db.execute("DELETE FROM heard WHERE name = ?", (name,))
        db.execute("INSERT INTO heard VALUES (?, ?, ?, ?)", (name, *now))


def known_before(store: Store, made: Decision, origin: Origin) -> int | None:
    """The cursor of the same, brought from an earlier epoch of that event, whose file was put back since, or adopted
    meanwhile: from now on that entry is the one of this epoch. None: it is not here.
    """
    same = {
        "kind": made.kind, "subject": made.subject, "body": decisions.to_json(made.body), "who": made.who,
        "when_ms": made.when_ms, "why": made.why, "revokes": made.revokes,
    }  # fmt: skip
    said = " AND ".join(f"d.{name} {'IS NULL' if value is None else '= ?'}" for name, value in same.items())
    with store.writing() as db:
        row = db.execute(
            f"""SELECT d.cursor FROM decisions d LEFT JOIN origins o ON o.cursor = d.cursor
            LEFT JOIN decisions r ON r.revokes = d.cursor
            WHERE (o.cursor IS NULL OR (o.name = ? AND o.epoch < ?)) AND r.cursor IS NULL AND {said}
            ORDER BY d.cursor LIMIT 1""",
            (origin.name, origin.epoch, *(value for value in same.values() if value is not None)),
        ).fetchone()
        if row is not None:
            db.execute(
                "DELETE FROM origins WHERE cursor = ? OR (name = ? AND epoch = ? AND number = ?)", (row[0], *origin)
            )
            db.execute("INSERT INTO origins VALUES (?, ?, ?, ?)", (row[0], *origin))
    return None if row is None else int(row[0])


def adopt(store: Store, cursor: int) -> None:
    """That decision is one of this event from now on, wherever it came from."""
    with store.writing() as db:
        db.execute("DELETE FROM origins WHERE cursor = ?", (cursor,))


def left_behind(store: Store, name: str, epoch: int) -> list[Decision]:
    """What was brought from earlier epochs of that event and stands, though the event of this epoch knows nothing of
    it.
    """
    with store.reading() as db:
        cursors = [
            cursor
            for (cursor,) in db.execute(
                "SELECT cursor FROM origins WHERE name = ? AND epoch < ? ORDER BY cursor", (name, epoch)
            )
        ]
        found = [one for cursor in cursors for one in decisions.between(db, cursor - 1, cursor)]
    return [one for one in found if one.revoked_by is None and one.kind != REVOKE]
