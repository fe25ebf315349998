"""An event in one SQLite file: the one place that opens it and begins, commits or gives up a transaction."""

from __future__ import annotations

import errno
import os
import sqlite3
from collections.abc import Iterator
from contextlib import AbstractContextManager, closing, contextmanager, suppress
from pathlib import Path, PurePath
from typing import Final

from dalej.errors import DalejError, Damaged, Refused, Unreachable, WrongInput
from dalej.event.ledger.elsewhere import is_elsewhere
from dalej.event.ledger.store import BUSY_MS, Store
from dalej.event.ledger.tables import ENTRY_TABLES, OLDEST, TABLES, UPGRADES, VERSION
from dalej.hints import typed
from dalej.words import N_, cause

APPLICATION_ID: Final = 0x44414C45  # "DALE"
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

JOURNALS: Final = ("-wal", "-journal")  # beside a file that was not closed: they would be replayed onto it
_BESIDE: Final = (*JOURNALS, "-shm")
_ALONE_MS: Final = 1_000  # with a command that writes at this instant
_CHECKPOINT_BUSY_MS: Final = 250  # closing waits no longer for a reader; the last process to close finishes the work


class _Connection(sqlite3.Connection):
    file = ""


class SqliteStore(Store):
    """An open event file. `db` is its connection, for this package only; outside a transaction it autocommits."""

    def __init__(self, path: Path, db: _Connection) -> None:
        super().__init__(path)
        self.db = db
        self._identity = _identity(path)

    @classmethod
    def create(cls, path: Path, busy_ms: int = BUSY_MS) -> SqliteStore:
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
            return cls.made_in(path, busy_ms)
        except BaseException:
            path.unlink(missing_ok=True)
            raise

    @classmethod
    def made_in(cls, path: Path, busy_ms: int = BUSY_MS) -> SqliteStore:
        """The same in an empty file that is there."""
        with _translated(path):
            return cls(path, _build(path, busy_ms))

    @classmethod
    def open(cls, path: Path, busy_ms: int = BUSY_MS, *, read_only: bool = False) -> SqliteStore:
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

    def once_more(self) -> SqliteStore:
        return SqliteStore.open(self.path, read_only=True)

    def _connection(self) -> _Connection:
        return self.db

    def _goes_on(self) -> bool:
        return self.db.in_transaction

    def _begin(self, *, writing: bool) -> _Connection:
        self.db.execute("BEGIN IMMEDIATE" if writing else "BEGIN")
        return self.db

    def _commit(self) -> None:
        self._expect_in_place()
        self.db.execute("COMMIT")

    def _give_up(self, sql: str) -> None:
        with suppress(sqlite3.Error):  # it never began, or a full disk has already rolled back
            self.db.execute(sql)

    def _in_words(self) -> AbstractContextManager[None]:
        return _translated(self.path)

    def expect_sound(self, file: str) -> None:
        with self.reading() as db:
            for (finding,) in db.execute("PRAGMA integrity_check").fetchall():
                if finding != "ok":
                    raise Damaged(N_("{file} is damaged: {reason}"), file=file, reason=finding)
            for table, _, parent, _ in db.execute("PRAGMA foreign_key_check").fetchall():
                raise Damaged(
                    N_("{file} is damaged: an entry of {table} refers to one of {parent} that is not there"),
                    file=file, table=table, parent=parent,
                )  # fmt: skip

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


@contextmanager
def alone(path: Path) -> Iterator[_Connection]:
    """An event that nobody has open, and nobody else can as long as the block lasts, not even to read it. Refused if
    somebody has.
    """
    in_use = Refused(
        N_("{event} is in use: end the desk, the server, the screens and all commands on it first"), event=str(path)
    )
    with _translated(path), closing(_connect(path, _ALONE_MS)) as db:
        try:
            db.execute("PRAGMA journal_mode = DELETE").fetchone()
            db.execute("BEGIN EXCLUSIVE")
            if db.execute("PRAGMA journal_mode").fetchone() != ("delete",):  # somebody came in between
                raise in_use
        except sqlite3.Error as error:
            if _primary_code(error) in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED):
                raise in_use from error
            raise
        try:
            yield db
        finally:
            with suppress(sqlite3.Error):
                db.execute("ROLLBACK")


def expect_event_file(path: Path) -> None:
    """Refuses what is not an event file of a known version, in one sentence; changes nothing.

    The header is read through SQLite: closing a file descriptor of our own would drop the locks that this process may
    already hold on the file.
    """
    if path.is_dir():
        raise WrongInput(N_("{file} is a folder: expected an event file"), file=str(path))
    if not path.exists():
        raise WrongInput(N_("{file} does not exist: expected an event file"), file=str(path))
    if is_elsewhere(path):
        raise WrongInput(
            N_("{file} only says where an event is kept on PostgreSQL: expected an event in one file"), file=str(path)
        ).hinted(N_("{command} makes one of it"), command=typed("event", "backup", str(path), "copy.dalej"))
    application, version = 0, 0
    try:
        db = sqlite3.connect(uri(path.absolute(), read_mode(path)), uri=True)
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


def read_mode(path: Path) -> str:
    """How SQLite opens that file to read it. What lies beside it is a part of it: a checkpoint that died has carried
    over a beginning. Where nothing does, nobody may have it open, nor need anything be written beside it.
    """
    return "mode=ro" if all_beside(path) else "mode=ro&immutable=1"


def beside(path: Path, suffix: str) -> Path:
    """What SQLite calls that file beside an event's."""
    return path.with_name(path.name + suffix)


def all_beside(path: Path) -> list[Path]:
    """What there is of them."""
    return [one for one in (beside(path, suffix) for suffix in _BESIDE) if one.exists()]


def drop_beside(path: Path) -> None:
    """Nothing of them stays: their event does not lie there any more."""
    for one in all_beside(path):
        one.unlink(missing_ok=True)


def uri(path: PurePath, options: str) -> str:
    r"""How SQLite is told to open the file at the absolute `path`. It knows no server, so that of a Windows share is
    part of the path: \\hall\cups\autumn.dalej is file:////hall/cups/autumn.dalej.
    """
    slashes_and_path = path.as_uri().removeprefix("file:")
    of_a_server = not slashes_and_path.startswith("///")
    return f"file:{'//' if of_a_server else ''}{slashes_and_path}?{options}"


FAULTS: Final = (sqlite3.Error, UnicodeDecodeError)
"""What SQLite raises: of the second kind where it quotes in a message what lies damaged in the file."""


def in_words(path: Path, error: sqlite3.Error | UnicodeDecodeError) -> DalejError:
    """One of `FAULTS` in Dalej's words; raises it again if it can only be a defect of this package."""
    file = str(path)
    if isinstance(error, UnicodeDecodeError):
        return Damaged(N_("{file} is damaged: {reason}"), file=file, reason=DalejError(N_("expected UTF-8")))
    code = _primary_code(error)
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
    except FAULTS as error:
        raise in_words(path, error) from error


def _primary_code(error: sqlite3.Error) -> int:
    return getattr(error, "sqlite_errorcode", -1) & 0xFF


def _connect(path: Path, busy_ms: int, mode: str = "rw") -> _Connection:
    """A connection that never creates a file and leaves transactions to `writing`, threads to its lock."""
    db = sqlite3.connect(
        uri(path.absolute(), f"mode={mode}"),
        uri=True, timeout=busy_ms / 1000, isolation_level=None, check_same_thread=False, factory=_Connection,
    )  # fmt: skip
    db.file = str(path)
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


def _build(path: Path, busy_ms: int) -> _Connection:
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
