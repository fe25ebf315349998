"""The one place that opens an event file and begins, commits or gives up a transaction.

Every failure of SQLite leaves here as one of Dalej's own errors, with nothing committed. A store may be used from
several threads; each transaction has it to itself.
"""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path, PurePath
from threading import RLock
from typing import Final

from dalej.errors import DalejError, Damaged, Unreachable, WrongInput
from dalej.ledger import schema
from dalej.words import N_

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
            raise Unreachable(
                N_("{file} cannot be created: {reason}"), file=str(path), reason=error.strerror
            ) from error
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
    if application != schema.APPLICATION_ID:
        raise WrongInput(N_("{file} is not an event file: expected one that Dalej made"), file=str(path))
    if not schema.OLDEST <= version <= schema.VERSION:
        raise WrongInput(
            N_("{file} was made by another version of Dalej (format {found}): expected format {expected}"),
            file=str(path), found=version, expected=schema.VERSION,
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
    if code in (sqlite3.SQLITE_READONLY, sqlite3.SQLITE_PERM, sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_IOERR):
        return Unreachable(N_("{file} cannot be read or written now: {reason}"), file=file, reason=str(error))
    if code in (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_CONSTRAINT, sqlite3.SQLITE_ERROR):
        return Damaged(N_("{file} is damaged: {reason}"), file=file, reason=str(error))
    if isinstance(error, sqlite3.OperationalError) and not hasattr(error, "sqlite_errorcode"):  # Python's: no UTF-8
        return Damaged(N_("{file} is damaged: {reason}"), file=file, reason=str(error))
    raise error


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
        for setting in schema.SETTINGS:
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
        for statement in (*schema.HEADER, *schema.TABLES, *schema.TRIGGERS):
            db.execute(statement)
        db.execute("COMMIT")
        _share(path, db)
    except BaseException:
        db.close()
        raise
    return db


def _bring_up_to_date(db: sqlite3.Connection) -> None:
    """Adds what the file's version has not; in one transaction, so that of two programs only one does it."""
    if _version(db) == schema.VERSION:
        return
    db.execute("BEGIN IMMEDIATE")
    try:
        for version in range(_version(db), schema.VERSION):
            for statement in schema.UPGRADES[version]:
                db.execute(statement)
        db.execute(f"PRAGMA user_version = {schema.VERSION}")
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
