"""The one place that opens an event file and begins, commits or gives up a transaction; what such a file looks like
inside; and the one order of all its entries: who hands out cursors and request ids.
"""

from __future__ import annotations

import errno
import os
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path, PurePath
from threading import RLock
from typing import Final

from dalej.errors import DalejError, Damaged, Refused, Unreachable, WrongInput
from dalej.words import N_, cause

APPLICATION_ID: Final = 0x44414C45  # "DALE"
VERSION: Final = 3  # of the tables below; a file with a higher one was made by a newer program
OLDEST: Final = 1  # that is brought up to date when it is opened

ENTRY_TABLES: Final = ("facts", "conflicts", "gaps", "decisions", "requests", "outcomes")

PAYLOAD: Final = ("boot", "uptime_ms", "kind", "game", "move", "seat", "code", "a", "b", "c")
_PAYLOAD_SQL: Final = ", ".join(f"{column} INTEGER NOT NULL" for column in PAYLOAD)
_ARRIVAL_SQL: Final = "received_ms INTEGER NOT NULL, wall_ms INTEGER, old INTEGER NOT NULL CHECK (old IN (0, 1))"

# Since version 2. Outside the order: an entry stays for ever, a person's address must not.
PERSONAL: Final = """CREATE TABLE personal (
    player INTEGER NOT NULL, field TEXT NOT NULL, value TEXT NOT NULL, PRIMARY KEY (player, field))"""
# Since version 3. Where decisions come from that were not made here, and how far each such event was listened to.
ORIGINS: Final = (
    """CREATE TABLE origins (
        cursor INTEGER PRIMARY KEY REFERENCES decisions (cursor), name TEXT NOT NULL, epoch INTEGER NOT NULL,
        number INTEGER NOT NULL, UNIQUE (name, epoch, number))""",
    """CREATE TABLE heard (
        name TEXT PRIMARY KEY, epoch INTEGER NOT NULL, through INTEGER NOT NULL, at_ms INTEGER NOT NULL)""",
)

TABLES: Final = (
    "CREATE TABLE counters (cursor INTEGER NOT NULL, request INTEGER NOT NULL)",
    "INSERT INTO counters VALUES (0, 0)",
    """CREATE TABLE streams (
        id INTEGER PRIMARY KEY, box TEXT NOT NULL, epoch INTEGER NOT NULL,
        baseline INTEGER NOT NULL, contiguous INTEGER NOT NULL, top INTEGER NOT NULL, lost INTEGER NOT NULL,
        UNIQUE (box, epoch))""",
    f"""CREATE TABLE facts (
        cursor INTEGER PRIMARY KEY, stream INTEGER NOT NULL REFERENCES streams (id),
        seq INTEGER NOT NULL CHECK (seq > 0), {_PAYLOAD_SQL}, {_ARRIVAL_SQL},
        UNIQUE (stream, seq))""",
    f"""CREATE TABLE conflicts (
        cursor INTEGER PRIMARY KEY, stored INTEGER NOT NULL REFERENCES facts (cursor),
        {_PAYLOAD_SQL}, {_ARRIVAL_SQL})""",
    "CREATE INDEX conflicts_of_fact ON conflicts (stored)",
    """CREATE TABLE gaps (
        cursor INTEGER PRIMARY KEY, stream INTEGER NOT NULL REFERENCES streams (id),
        first INTEGER NOT NULL CHECK (first > 0), last INTEGER NOT NULL CHECK (last >= first),
        why TEXT NOT NULL, at_ms INTEGER NOT NULL,
        UNIQUE (stream, first, last))""",
    """CREATE TABLE decisions (
        cursor INTEGER PRIMARY KEY, kind TEXT NOT NULL, subject TEXT, body TEXT NOT NULL,
        who TEXT NOT NULL, when_ms INTEGER NOT NULL, why TEXT NOT NULL,
        revokes INTEGER UNIQUE REFERENCES decisions (cursor) CHECK (revokes < cursor))""",
    "CREATE INDEX decisions_on_subject ON decisions (subject, cursor)",
    "CREATE INDEX decisions_of_kind ON decisions (kind, cursor)",
    """CREATE TABLE requests (
        cursor INTEGER PRIMARY KEY, id INTEGER NOT NULL UNIQUE, at_table INTEGER NOT NULL, box TEXT,
        command TEXT NOT NULL, args TEXT NOT NULL, who TEXT NOT NULL, at_ms INTEGER NOT NULL, why TEXT NOT NULL,
        game INTEGER, move INTEGER)""",
    """CREATE TABLE outcomes (
        cursor INTEGER PRIMARY KEY, request INTEGER NOT NULL REFERENCES requests (id),
        result TEXT NOT NULL CHECK (result IN ('sent', 'applied', 'refused', 'no_link')),
        reason TEXT NOT NULL, at_ms INTEGER NOT NULL)""",
    "CREATE INDEX outcomes_of_request ON outcomes (request, cursor)",
    "CREATE TABLE lease (token INTEGER NOT NULL, holder TEXT, renewed_ms INTEGER NOT NULL, ttl_ms INTEGER NOT NULL)",
    "INSERT INTO lease VALUES (0, NULL, 0, 0)",
    PERSONAL,
    *ORIGINS,
)
# What makes a file of version N into one of version N + 1.
UPGRADES: Final = {1: (PERSONAL,), 2: ORIGINS}
TRIGGERS: Final = tuple(
    f"CREATE TRIGGER {table}_stay_on_{action} BEFORE {action} ON {table} "
    f"BEGIN SELECT RAISE(ABORT, 'entries of {table} are never changed'); END"
    for table in ENTRY_TABLES
    for action in ("UPDATE", "DELETE")
)
HEADER: Final = (f"PRAGMA application_id = {APPLICATION_ID}", f"PRAGMA user_version = {VERSION}")

# Of each connection. fullfsync only means something on macOS, where a plain fsync leaves data in the drive's cache.
# What is deleted, which only personal data are, is overwritten.
SETTINGS: Final = (
    "PRAGMA synchronous = FULL",
    "PRAGMA fullfsync = ON",
    "PRAGMA checkpoint_fullfsync = ON",
    "PRAGMA foreign_keys = ON",
    "PRAGMA secure_delete = ON",
)


BUSY_MS: Final = 5_000
_CHECKPOINT_BUSY_MS: Final = 250  # closing waits no longer for a reader; the last process to close finishes the work


class Store:
    """An open event file. `db` is its connection, for this package only; outside a transaction it autocommits."""

    def __init__(self, path: Path, db: sqlite3.Connection) -> None:
        self.path = path
        self.db = db
        self._lock = RLock()
        self._depth = 0  # of `writing` within `writing`
        self._identity = _identity(path)

    @classmethod
    def create(cls, path: Path, busy_ms: int = BUSY_MS) -> Store:
        """A new, empty event file. Whatever already lies at `path` is refused and left as it is."""
        try:
            os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_RDWR, 0o600))
        except FileExistsError:
            raise WrongInput(N_("{file} already exists: expected a name that is free"), file=str(path)) from None
        except (FileNotFoundError, NotADirectoryError):
            raise WrongInput(
                N_("{file} cannot be created: expected {folder} to be a folder"),
                file=str(path), folder=str(path.parent),
            ) from None  # fmt: skip
        except OSError as error:
            raise Unreachable(N_("{file} cannot be created: {reason}"), file=str(path), reason=cause(error)) from error
        try:
            with _translated(path):
                return cls(path, _build(path, busy_ms))
        except BaseException:
            path.unlink(missing_ok=True)
            raise

    @classmethod
    def open(cls, path: Path, busy_ms: int = BUSY_MS, *, read_only: bool = False) -> Store:
        """An existing event file, brought up to date if it is of an older version. Anything else at `path` is refused
        before it could be altered.
        """
        expect_event_file(path)
        with _translated(path):
            db = _connect(path, busy_ms, "ro" if read_only else "rw")
            try:
                db.execute("SELECT cursor, request FROM counters").fetchone()
                _share(path, db)
                _bring_up_to_date(db)
                return cls(path, db)
            except BaseException:
                db.close()
                raise

    @contextmanager
    def writing(self) -> Iterator[sqlite3.Connection]:
        """One transaction, durable when the block is left, undone when it is left by an exception.

        A block within a block is a step of it: undone alone by an exception, durable with the whole.
        """
        with self._lock:
            db, step = self.db, f"step{self._depth}" if self._depth else ""
            self._depth += 1
            try:
                db.execute(f"SAVEPOINT {step}" if step else "BEGIN IMMEDIATE")
                yield db
                if not step:
                    self._expect_in_place()
                db.execute(f"RELEASE {step}" if step else "COMMIT")
            except BaseException as error:
                with suppress(sqlite3.Error):  # it never began, or a full disk has already rolled back
                    db.execute(f"ROLLBACK TO {step}" if step else "ROLLBACK")
                if isinstance(error, sqlite3.Error):
                    raise in_words(self.path, error) from error
                raise
            finally:
                self._depth -= 1

    @contextmanager
    def reading(self) -> Iterator[sqlite3.Connection]:
        """One state of the event for as long as the block lasts; neither waits for a writer nor holds one up. Within
        `writing` it is what was written so far.
        """
        with self._lock, _translated(self.path):
            if self._depth:
                yield self.db
                return
            self.db.execute("BEGIN")
            try:
                yield self.db
            finally:
                with suppress(sqlite3.Error):  # reading failed already, and that is what is told
                    self.db.execute("ROLLBACK")

    def compact(self) -> bool:
        """Writes the file anew without what was deleted, and empties its journal. False if the journal could not be
        emptied because another program is reading.
        """
        with self._lock, _translated(self.path):
            self.db.execute("VACUUM")
            (busy, _, _) = self.db.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
        return not busy

    def close(self) -> None:
        """Moves everything into the one file and lets go of it. May be called twice."""
        with self._lock:
            with suppress(sqlite3.Error):  # another process is still reading, and will do it, or the store is closed
                self.db.execute(f"PRAGMA busy_timeout = {_CHECKPOINT_BUSY_MS}")
                self.db.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
            self.db.close()

    def _expect_in_place(self) -> None:
        """What is committed to a file that was moved or deleted would be acknowledged and gone."""
        if _identity(self.path) != self._identity:
            raise Unreachable(N_("{file} was moved, deleted or replaced while it was open"), file=str(self.path))


def expect_event_file(path: Path) -> None:
    """Refuses what is not an event file of a known version, in one sentence; locks, changes and creates nothing.

    The header is read through SQLite: closing a file descriptor of our own would drop the locks that this process may
    already hold on the file.
    """
    if path.is_dir():
        raise WrongInput(N_("{file} is a folder: expected an event file"), file=str(path))
    if not path.exists():
        raise WrongInput(N_("{file} does not exist: expected an event file"), file=str(path))
    application, version = 0, 0
    try:
        db = sqlite3.connect(uri(path.absolute(), "mode=ro&immutable=1"), uri=True)
        try:
            (application,) = db.execute("PRAGMA application_id").fetchone()
            (version,) = db.execute("PRAGMA user_version").fetchone()
        finally:
            db.close()
    except sqlite3.Error as error:
        if _primary_code(error) != sqlite3.SQLITE_NOTADB:
            raise in_words(path, error) from error
    if application != APPLICATION_ID:
        raise WrongInput(N_("{file} is not an event file: expected one that Dalej made"), file=str(path))
    if not OLDEST <= version <= VERSION:
        raise WrongInput(
            N_("{file} was made by another version of Dalej (format {found}): expected format {expected}"),
            file=str(path), found=version, expected=VERSION,
        )  # fmt: skip


def uri(path: PurePath, options: str) -> str:
    r"""How SQLite is told to open the file at the absolute `path`. It knows no server, so that of a Windows share is
    part of the path: \\hall\cups\autumn.dalej is file:////hall/cups/autumn.dalej.
    """
    slashes_and_path = path.as_uri().removeprefix("file:")
    of_a_server = not slashes_and_path.startswith("///")
    return f"file:{'//' if of_a_server else ''}{slashes_and_path}?{options}"


def in_words(path: Path, error: sqlite3.Error) -> DalejError:
    """The error in Dalej's words; raises it again if it can only be a defect of this package."""
    code, file = _primary_code(error), str(path)
    if code in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED, sqlite3.SQLITE_PROTOCOL):
        return Unreachable(N_("{file} is locked by another program"), file=file)
    if code == sqlite3.SQLITE_FULL:
        return Unreachable(N_("no room is left on the disk for {file}"), file=file)
    if code in _CAUSES:
        return Unreachable(N_("{file} cannot be read or written now: {reason}"), file=file, reason=_reason(code))
    if code in (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_CONSTRAINT, sqlite3.SQLITE_ERROR):
        return Damaged(N_("{file} is damaged: {reason}"), file=file, reason=str(error))
    if isinstance(error, sqlite3.OperationalError) and not hasattr(error, "sqlite_errorcode"):  # Python's: no UTF-8
        return Damaged(N_("{file} is damaged: {reason}"), file=file, reason=str(error))
    raise error


# What SQLite cannot do is what the system cannot, as far as it can be told.
_CAUSES: Final = {
    sqlite3.SQLITE_READONLY: errno.EROFS, sqlite3.SQLITE_PERM: errno.EACCES, sqlite3.SQLITE_IOERR: errno.EIO,
    sqlite3.SQLITE_CANTOPEN: errno.EACCES,
}  # fmt: skip


def _reason(code: int) -> DalejError:
    return cause(OSError(_CAUSES[code], ""))


@contextmanager
def _translated(path: Path) -> Iterator[None]:
    try:
        yield
    except sqlite3.Error as error:
        raise in_words(path, error) from error


def _primary_code(error: sqlite3.Error) -> int:
    return getattr(error, "sqlite_errorcode", -1) & 0xFF


def _connect(path: Path, busy_ms: int, mode: str = "rw") -> sqlite3.Connection:
    """A connection that never creates a file and leaves transactions to `writing`, threads to its lock."""
    db = sqlite3.connect(
        uri(path.absolute(), f"mode={mode}"),
        uri=True, timeout=busy_ms / 1000, isolation_level=None, check_same_thread=False,
    )  # fmt: skip
    try:
        for setting in SETTINGS:
            db.execute(setting)
    except BaseException:
        db.close()
        raise
    return db


def _share(path: Path, db: sqlite3.Connection) -> None:
    """Readers and a writer at once: a property of the file, so this changes nothing after the first time."""
    (mode,) = db.execute("PRAGMA journal_mode = WAL").fetchone()
    if mode != "wal":
        raise Unreachable(N_("{file} lies on a drive that cannot be shared by programs"), file=str(path))


def _build(path: Path, busy_ms: int) -> sqlite3.Connection:
    """Fills an empty file in one transaction, so that a crash leaves it empty or complete."""
    db = _connect(path, busy_ms)
    try:
        db.execute("BEGIN EXCLUSIVE")
        for statement in (*HEADER, *TABLES, *TRIGGERS):
            db.execute(statement)
        db.execute("COMMIT")
        _share(path, db)
    except BaseException:
        db.close()
        raise
    return db


def _bring_up_to_date(db: sqlite3.Connection) -> None:
    """Adds what the file's version has not; in one transaction, so that of two programs only one does it."""
    if _version(db) == VERSION:
        return
    db.execute("BEGIN IMMEDIATE")
    try:
        for version in range(_version(db), VERSION):
            for statement in UPGRADES[version]:
                db.execute(statement)
        db.execute(f"PRAGMA user_version = {VERSION}")
        db.execute("COMMIT")
    except BaseException:
        with suppress(sqlite3.Error):
            db.execute("ROLLBACK")
        raise


def _version(db: sqlite3.Connection) -> int:
    return int(db.execute("PRAGMA user_version").fetchone()[0])


def _identity(path: Path) -> tuple[int, int] | None:
    try:
        found = path.stat()
    except OSError:
        return None
    return found.st_dev, found.st_ino


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
