"""Whether an event file is whole: SQLite's own checks, and that what is derived agrees with the entries."""

from __future__ import annotations

import sqlite3
from dataclasses import replace

from dalej.errors import Damaged
from dalej.ledger import order, streams
from dalej.ledger.schema import ENTRY_TABLES
from dalej.ledger.store import Store
from dalej.words import N_


def expect_whole(store: Store) -> None:
    """Damaged with the first thing found wrong. Reads the whole file."""
    file = str(store.path)
    with store.reading() as db:
        for (finding,) in db.execute("PRAGMA integrity_check").fetchall():
            if finding != "ok":
                raise Damaged(N_("{file} is damaged: {reason}"), file=file, reason=finding)
        for table, _, parent, _ in db.execute("PRAGMA foreign_key_check").fetchall():
            raise Damaged(
                N_("{file} is damaged: an entry of {table} refers to one of {parent} that is not there"),
                file=file, table=table, parent=parent,
            )  # fmt: skip
        if not _dense(db):
            raise Damaged(N_("{file} is damaged: entries are missing from its order"), file=file)
        for stream in streams.each(db):
            if stream != _recomputed(db, stream):
                raise Damaged(
                    N_("{file} is damaged: it is wrong about how far box {box} has come"), file=file, box=stream.box
                )


def _dense(db: sqlite3.Connection) -> bool:
    """Cursors run from 1 to the head, each used once."""
    cursors = " UNION ALL ".join(f"SELECT cursor FROM {table}" for table in ENTRY_TABLES)
    count, different, first, last = db.execute(
        f"SELECT count(*), count(DISTINCT cursor), coalesce(min(cursor), 1), coalesce(max(cursor), 0) FROM ({cursors})"
    ).fetchone()
    return bool(first == 1 and count == different == last == order.head(db))


def _recomputed(db: sqlite3.Connection, stream: streams.Progress) -> streams.Progress:
    """The stream as its baseline, facts and gaps give it."""
    (top,) = db.execute("SELECT coalesce(max(seq), 0) FROM facts WHERE stream = ?", (stream.id,)).fetchone()
    (lost,) = db.execute("SELECT coalesce(max(last), 0) FROM gaps WHERE stream = ?", (stream.id,)).fetchone()
    walk = replace(stream, contiguous=stream.baseline, top=top, lost=lost)
    streams.advance(db, walk)
    return walk
