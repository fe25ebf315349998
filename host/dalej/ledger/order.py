"""The one order of all entries: who hands out cursors and request ids.

Both come from one row that the writing transaction reads and writes, so what is rolled back is handed out again and
nothing is skipped: the entries with `after < cursor <= last` are exactly `last - after` of them.
"""

from __future__ import annotations

import sqlite3
from typing import Final

from dalej.errors import Damaged, Refused
from dalej.words import N_

LAST_REQUEST: Final = 0xFFFF_FFFF  # ids travel to the box as u32
_BELIEVED_AHEAD: Final = 1_000_000  # an id further ahead than this was never a request of any event


class OlderFile(Damaged):
    """The file has fewer entries than were read from it: it is an older copy, to be read from its start."""


def head(db: sqlite3.Connection) -> int:
    """Cursor of the last entry, 0 for none."""
    (cursor,) = db.execute("SELECT cursor FROM counters").fetchone()
    return int(cursor)


def move_head(db: sqlite3.Connection, cursor: int) -> None:
    """Entries up to `cursor` were added in this transaction."""
    db.execute("UPDATE counters SET cursor = ?", (cursor,))


def file_of(db: sqlite3.Connection) -> str:
    """The event file, as sentences about it name it."""
    return str(db.execute("PRAGMA database_list").fetchone()[2])


def next_cursor(db: sqlite3.Connection) -> int:
    """The cursor for one entry that this transaction adds."""
    cursor = head(db) + 1
    move_head(db, cursor)
    return cursor


def next_request(db: sqlite3.Connection) -> int:
    """An id that no request of this event has, nor any command that a box has told of."""
    (used,) = db.execute("SELECT request FROM counters").fetchone()
    if used >= LAST_REQUEST:
        raise Refused(N_("this event has used up its command numbers: expected a new event file"))
    db.execute("UPDATE counters SET request = ?", (used + 1,))
    return int(used) + 1


def skip(db: sqlite3.Connection, count: int) -> None:
    """Leave out the next `count` ids, as long as that leaves plenty."""
    db.execute(
        "UPDATE counters SET request = request + ? WHERE request + ? + ? <= ?",
        (count, count, _BELIEVED_AHEAD, LAST_REQUEST),
    )


def pass_over(db: sqlite3.Connection, request: int) -> None:
    """Ids up to `request` are taken: a box knows them, from this event before it was restored, or from another one."""
    db.execute(
        "UPDATE counters SET request = ? WHERE request < ? AND request + ? >= ?",
        (request, request, _BELIEVED_AHEAD, request),
    )
