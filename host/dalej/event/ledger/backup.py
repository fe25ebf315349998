"""A copy of an event in one file, taken while others go on writing; and whether an event file is whole: SQLite's own
checks, and that what is derived agrees with the entries.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Collection, Mapping
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Final

from dalej import drafts
from dalej.errors import Damaged, Refused, Unreachable, WrongInput
from dalej.event.ledger import personal, recording
from dalej.event.ledger.elsewhere import is_elsewhere
from dalej.event.ledger.sqlitefile import FAULTS, JOURNALS, SqliteStore, beside, drop_beside, in_words, read_mode, uri
from dalej.event.ledger.store import Connection, Store, head
from dalej.event.ledger.tables import ENTRY_TABLES
from dalej.words import N_, cause


def back_up(store: Store, target: Path, overwrite: bool, with_personal: bool) -> None:
    """Copies the last committed state. `target`, a file, appears complete and checked, or not at all."""
    source = store.path
    _expect_free(source, target, overwrite)
    try:
        with drafts.draft_of(target) as draft:
            try:
                _copy_of(store, draft.path, target, with_personal=with_personal)
            finally:
                drop_beside(draft.path)
            _expect_free(source, target, overwrite)  # it took a while
            draft.put()
    except OSError as error:
        raise Unreachable(N_("{file} cannot be written: {reason}"), file=str(target), reason=cause(error)) from error


def _expect_free(source: Path, target: Path, overwrite: bool) -> None:
    if target.is_dir() or not target.parent.is_dir():
        raise WrongInput(N_("{file} cannot be a backup: expected a file name in an existing folder"), file=str(target))
    if target.exists() and (not overwrite or target.samefile(source)):
        raise Refused(N_("{file} already exists: expected a name that is free"), file=str(target))
    if is_elsewhere(target):
        raise Refused(N_("{file} says where an event is kept on PostgreSQL: expected another name"), file=str(target))
    for journal in (beside(target, suffix) for suffix in JOURNALS):
        if journal.exists() and journal.stat().st_size:
            raise Refused(N_("{file} is in use or was not closed: expected a name that is free"), file=str(target))


def copy(source: Path, part: Path, target: Path, *, with_personal: bool) -> None:
    """What is committed in `source` goes into `part`, which is to become `target`; Damaged if it is not sound.

    One step of SQLite's backup API is one read transaction: it neither waits for writers nor holds them up.
    """
    to_blame = source
    try:
        with closing(sqlite3.connect(uri(source.absolute(), read_mode(source)), uri=True)) as original:
            original.execute("PRAGMA schema_version").fetchone()
            to_blame = target
            with closing(sqlite3.connect(part, isolation_level=None)) as written:
                original.backup(written)
                personal.strip(written, whole=not with_personal)
                to_blame = source
                (finding,) = written.execute("PRAGMA quick_check(1)").fetchone()
    except FAULTS as error:
        bad = getattr(error, "sqlite_errorcode", -1) & 0xFF in (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB)
        raise in_words(source if bad else to_blame, error) from error
    if finding != "ok":
        raise Damaged(N_("{file} is damaged: {reason}"), file=str(source), reason=finding)


def _copy_of(store: Store, part: Path, target: Path, *, with_personal: bool) -> None:
    if isinstance(store, SqliteStore):
        copy(store.path, part, target, with_personal=with_personal)
        return
    with closing(SqliteStore.made_in(part)) as made, closing(store.once_more()) as other:
        with other.reading() as source, made.writing() as empty:
            copy_rows(source, empty, personal.FIELDS if with_personal else ())
        personal.strip(made.db, whole=False)


# By what their rows are in order, and what stands before the first. What refers to another row comes after it.
_ROWS: Final[Mapping[str, tuple[str, int | str]]] = {
    "streams": ("id", 0), "facts": ("cursor", 0), "conflicts": ("cursor", 0), "gaps": ("cursor", 0),
    "decisions": ("cursor", 0), "requests": ("cursor", 0), "outcomes": ("cursor", 0), "origins": ("cursor", 0),
    "heard": ("name", ""),
}  # fmt: skip
_AT_ONCE: Final = 1_000


def copy_rows(source: Connection, target: Connection, fields: Collection[str]) -> None:
    """Everything of one event into the empty tables of another, but the lease's holder; of personal data `fields`."""
    for table, (key, after) in _ROWS.items():
        last = after
        while some := source.execute(
            f"SELECT {key}, t.* FROM {table} t WHERE {key} > ? ORDER BY {key} LIMIT ?", (last, _AT_ONCE)
        ).fetchall():
            last = some[-1][0]
            places = ", ".join("?" * (len(some[0]) - 1))
            target.executemany(f"INSERT INTO {table} VALUES ({places})", [row[1:] for row in some])
    kept = [row for row in source.execute("SELECT player, field, value FROM personal") if row[1] in fields]
    if kept:
        target.executemany("INSERT INTO personal VALUES (?, ?, ?)", kept)
    target.execute("UPDATE counters SET cursor = ?, request = ?",
                   source.execute("SELECT cursor, request FROM counters").fetchone())  # fmt: skip
    target.execute("UPDATE lease SET token = ?", source.execute("SELECT token FROM lease").fetchone())


def expect_whole(store: Store, named: Path | None = None) -> None:
    """Damaged with the first thing found wrong, told of the file as it is `named`. Reads the whole file."""
    file = str(named or store.path)
    store.expect_sound(file)
    with store.reading() as db:
        if not _dense(db):
            raise Damaged(N_("{file} is damaged: entries are missing from its order"), file=file)
        for stream in recording.each(db):
            if stream != _recomputed(db, stream):
                raise Damaged(
                    N_("{file} is damaged: it is wrong about how far box {box} has come"), file=file, box=stream.box
                )


def _dense(db: Connection) -> bool:
    """Cursors run from 1 to the head, each used once."""
    cursors = " UNION ALL ".join(f"SELECT cursor FROM {table}" for table in ENTRY_TABLES)
    count, different, first, last = db.execute(
        "SELECT count(*), count(DISTINCT cursor), coalesce(min(cursor), 1), coalesce(max(cursor), 0) "
        f"FROM ({cursors}) entries"
    ).fetchone()
    return bool(first == 1 and count == different == last == head(db))


def _recomputed(db: Connection, stream: recording.Progress) -> recording.Progress:
    """The stream as its baseline, facts and gaps give it."""
    (top,) = db.execute("SELECT coalesce(max(seq), 0) FROM facts WHERE stream = ?", (stream.id,)).fetchone()
    (lost,) = db.execute("SELECT coalesce(max(last), 0) FROM gaps WHERE stream = ?", (stream.id,)).fetchone()
    walk = replace(stream, contiguous=stream.baseline, top=top, lost=lost)
    recording.advance(db, walk)
    return walk
