"""An event on PostgreSQL: the same tables as in a file, in a schema of their own; several computers at once.

Whoever writes locks the row of the head first, so there is one order, and nobody who reads on ever passes over an entry
that is not committed yet. A connection that is lost is made anew with the next transaction; if it is lost while a
transaction is committed, a row that goes with it says afterwards whether it was.
"""

from __future__ import annotations

import errno
import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import closing, contextmanager, suppress
from functools import cache
from pathlib import Path
from threading import Event
from typing import Any, Final

import psycopg
from psycopg import conninfo
from psycopg.pq import Conninfo, TransactionStatus

from dalej.errors import DalejError, Damaged, Refused, Unreachable, WrongInput
from dalej.event.ledger.elsewhere import read_elsewhere
from dalej.event.ledger.store import BUSY_MS, Connection, Store
from dalej.event.ledger.tables import ENTRY_TABLES, OLDEST, TABLES, UPGRADES, VERSION
from dalej.words import N_, cause, readable

NO_ADDRESS: Final = N_("that is no address of a PostgreSQL database: expected one such as postgresql:///dalej")
DATABASE: Final = "DALEJ_CENTRE"  # in the environment: the address, where it has a password that nobody shall see

_CONNECT_S: Final = 10
_SILENT_S: Final = 30  # a connection on which nobody answers, or a program that stopped in the middle of a transaction
_ATTEMPTS: Final = 10  # at asking whether a commit came through whose answer was lost
_ASKED_S: Final = 2
_AGAIN_S: Final = 0.5
_NAME_MOST: Final = 80
_WANTS_PASSWORD: Final = "password"  # as libpq and PostgreSQL say it, which has no code before there is a connection
_LOCK: Final = 0x44414C46  # "DALF": whoever makes an event of a name, or alters the tables of one, is alone

_OWN: Final = (
    "CREATE TABLE event (id TEXT NOT NULL, name TEXT NOT NULL, version INTEGER NOT NULL)",
    "CREATE TABLE writers (id TEXT PRIMARY KEY, writes INTEGER NOT NULL, at TIMESTAMPTZ NOT NULL)",
    """CREATE FUNCTION stays() RETURNS trigger LANGUAGE plpgsql AS $$
        BEGIN RAISE EXCEPTION 'entries of % are never changed', TG_TABLE_NAME; END $$""",
)
_TRIGGERS: Final = tuple(
    f"CREATE TRIGGER {table}_stay BEFORE UPDATE OR DELETE OR TRUNCATE ON {table} "
    "FOR EACH STATEMENT EXECUTE FUNCTION stays()"
    for table in ENTRY_TABLES
)

_Row = tuple[Any, ...]
_NOTHING_BEGUN: Final = (TransactionStatus.IDLE, TransactionStatus.UNKNOWN)


def connect(database: str, name: str, within_s: int = _CONNECT_S) -> psycopg.Connection[_Row]:
    """A connection outside any transaction, whose answers are waited for as long as somebody is there. `name`: what
    PostgreSQL lists it as. WrongInput if that is no address of a database.
    """
    try:
        return psycopg.connect(
            database, autocommit=True, connect_timeout=within_s, application_name=name, keepalives_idle=_CONNECT_S,
            keepalives_interval=_CONNECT_S, keepalives_count=2, tcp_user_timeout=_SILENT_S * 1_000,
        )  # fmt: skip
    except psycopg.ProgrammingError:
        raise WrongInput(NO_ADDRESS) from None  # its own words repeat what it was given


def reason(error: psycopg.Error) -> DalejError:
    """Its first line: what follows may repeat where the database is."""
    lines = str(error).strip().splitlines() or [type(error).__name__]
    return DalejError("{line}", line=lines[0][:200])


def hushed(database: str) -> str:
    """That address without what is secret in it; WrongInput if it is none."""
    return conninfo.make_conninfo(**{option: value for option, value, secret in _parts(database) if not secret})


def in_environment(database: str) -> dict[str, str]:
    """That address as PostgreSQL's own programs find it in their environment; WrongInput if it is none."""
    variables = {one.keyword.decode(): one.envvar for one in Conninfo.get_defaults()}
    found = ((variables[option], value) for option, value, _secret in _parts(database))
    return {variable.decode(): value for variable, value in found if variable is not None}


def _parts(database: str) -> list[tuple[str, str, bool]]:
    """Options, their values, and whether they are secret."""
    try:
        found = Conninfo.parse(database.encode())
    except (psycopg.Error, UnicodeError):
        raise WrongInput(NO_ADDRESS) from None
    return [(one.keyword.decode(), one.val.decode(), one.dispchar == b"*") for one in found if one.val is not None]


def _with_secrets(database: str) -> str:
    """That address; with what is secret in `DATABASE`, if that one is of the same user at the same server."""
    known = _parts(database)
    with suppress(WrongInput):
        said = _parts(os.environ.get(DATABASE, ""))
        if _server(said) == _server(known):
            secrets = {option: value for option, value, secret in said if secret}
            return conninfo.make_conninfo(database, **secrets)
    return database


def _server(parts: list[tuple[str, str, bool]]) -> list[tuple[str, str]]:
    return sorted((option, value) for option, value, _secret in parts if option in ("host", "hostaddr", "port", "user"))


def schema_of(event_id: str) -> str:
    """Where in the database its tables are."""
    return f"event_{event_id}"


# --- the events of a database -----


def create(database: str, event_id: str, name: str, fill: Callable[[Connection], None]) -> None:
    """An event of that name, filled, or nothing. Refused if there is one already."""
    if not name.strip() or len(name) > _NAME_MOST or not name.isprintable():
        raise WrongInput(
            N_("“{name}” is no name of an event, expected one line of at most {most} letters"),
            name=readable(name), most=_NAME_MOST,
        )  # fmt: skip
    schema = schema_of(event_id)
    with _transaction(database, name) as db:
        db.execute("SELECT pg_advisory_xact_lock(%s, hashtext(%s))", [_LOCK, name])
        if name in _events(db):
            raise Refused(N_("there is an event called {name} in that database already"), name=name)
        db.execute(f"CREATE SCHEMA {schema}".encode())
        db.execute(f"SET LOCAL search_path TO {schema}".encode())
        for statement in (*_OWN, *TABLES):
            db.execute(_wide(statement))
        db.execute("INSERT INTO event VALUES (%s, %s, %s)", [event_id, name, VERSION])
        fill(_Spoken(db, name))
        for statement in _TRIGGERS:
            db.execute(statement.encode())


def drop(database: str, event_id: str) -> None:
    """It was never there."""
    with _transaction(database, "") as db:
        db.execute(f"DROP SCHEMA {schema_of(event_id)} CASCADE".encode())


def events_at(database: str) -> dict[str, tuple[str, int]]:
    """The events that are kept there and may be seen, by their names: their ids, and how many entries each has."""
    with _transaction(database, "") as db:
        return {
            name: (event_id, int(_row(db, f"SELECT cursor FROM {schema_of(event_id)}.counters")[0]))
            for name, event_id in _events(db).items()
        }


@contextmanager
def _transaction(database: str, name: str) -> Iterator[psycopg.Connection[_Row]]:
    try:
        with closing(connect(database, "dalej")) as db, db.transaction():
            db.execute("SELECT set_config('lock_timeout', %s, true)", [str(BUSY_MS)])
            yield db
    except psycopg.Error as error:
        raise (_said(name, error) if name else in_centres_words(error)) from error


def in_centres_words(error: psycopg.Error) -> DalejError:
    """What went wrong with the database of a centre; raises it again if it can only be a defect of ours."""
    match error:
        case psycopg.errors.InsufficientPrivilege():
            return Refused(N_("PostgreSQL does not let the centre do that: {reason}"), reason=reason(error))
        case psycopg.OperationalError() if _WANTS_PASSWORD in str(error):
            return Unreachable(N_("the centre's database wants a password: {variable} holds its address with it"),
                               variable=DATABASE)  # fmt: skip
        case psycopg.OperationalError() | psycopg.InterfaceError():
            return Unreachable(N_("the centre's database does not answer: {reason}"), reason=reason(error))
    raise error


def _row(db: psycopg.Connection[_Row], statement: str) -> _Row:
    found = db.execute(statement.encode()).fetchone()
    assert found is not None
    return found


def _events(db: psycopg.Connection[_Row]) -> dict[str, str]:
    schemas = db.execute(
        "SELECT nspname FROM pg_namespace n JOIN pg_class c ON c.relnamespace = n.oid AND c.relname = 'event' "
        "WHERE nspname ~ '^event_[0-9a-f]{12}$' AND has_schema_privilege(n.oid, 'USAGE') "
        "AND has_table_privilege(c.oid, 'SELECT') ORDER BY nspname"
    ).fetchall()
    found = (db.execute(f"SELECT name, id FROM {schema}.event".encode()).fetchone() for (schema,) in schemas)
    return dict(one for one in found if one is not None)


# --- one of them -----


class _Spoken:
    """The one connection, in the words of `store.Connection`."""

    def __init__(self, db: psycopg.Connection[_Row], file: str) -> None:
        self.db = db
        self.file = file

    def execute(self, statement: str, values: Sequence[object] = (), /) -> psycopg.Cursor[_Row]:
        return self.db.execute(_spoken(statement), values or None)

    def executemany(self, statement: str, rows: Iterable[Sequence[object]], /) -> None:
        with self.db.cursor() as cursor:
            cursor.executemany(_spoken(statement), rows)


@cache
def _spoken(statement: str) -> bytes:
    return statement.replace("?", "%s").encode()


class PostgresStore(Store):
    """An event on PostgreSQL. `database`: as libpq takes it; never said, it may hold a password."""

    def __init__(self, path: Path, event_id: str, database: str, busy_ms: int, *, read_only: bool = False) -> None:
        super().__init__(path)
        self.id = event_id
        self._database = database
        self._busy_ms = busy_ms
        self._read_only = read_only
        self._as = f"dalej {os.urandom(8).hex()}"
        self._writes = 0
        self._spoken: _Spoken | None = None
        self._hints: psycopg.Connection[_Row] | None = None
        self._closed = False

    @classmethod
    def open(cls, path: Path, busy_ms: int = BUSY_MS, *, read_only: bool = False) -> PostgresStore:
        """The event of which the file at `path` says where it is, brought up to date if it is of an older version."""
        where = read_elsewhere(path)
        made = cls(path, where.id, _with_secrets(where.database), busy_ms, read_only=read_only)
        try:
            with made._in_words():
                made._bring_up_to_date()
        except BaseException:
            made.close()
            raise
        return made

    def once_more(self) -> PostgresStore:
        return PostgresStore(self.path, self.id, self._database, self._busy_ms, read_only=True)

    def expect_sound(self, file: str) -> None:
        """PostgreSQL keeps what refers to what; whether its pages are whole its own tools check."""

    def compact(self) -> bool:
        with self._lock, self._in_words():
            try:
                self._ready().db.execute("VACUUM (FULL) personal")
            except psycopg.errors.LockNotAvailable:
                return False
        return True

    def close(self) -> None:
        with self._lock:
            self._closed = True
            if self._spoken is not None:
                with suppress(psycopg.Error):
                    self._spoken.execute("DELETE FROM writers WHERE id = ?", (self._as,))
                self._spoken.db.close()
            if self._hints is not None:
                self._hints.close()
            self._spoken = self._hints = None

    def hinted(self, most_s: float) -> bool | None:
        try:
            if self._hints is None or self._hints.closed:
                hints = connect(self._database, f"{self._as} listening")
                if self._closed:
                    hints.close()
                    return False
                self._hints = hints
                hints.execute(f"LISTEN {schema_of(self.id)}".encode())
                return True  # of what was said before nobody knows
            return any(True for _hint in self._hints.notifies(timeout=most_s, stop_after=1))
        except (psycopg.Error, AttributeError):  # it went away, or was closed meanwhile
            Event().wait(most_s)
            return False

    def _connection(self) -> _Spoken:
        assert self._spoken is not None  # within a transaction there is one
        return self._spoken

    def _goes_on(self) -> bool:
        return self._connection().db.info.transaction_status == TransactionStatus.INTRANS

    def _begin(self, *, writing: bool) -> Connection:
        level = "READ COMMITTED" if writing else "REPEATABLE READ READ ONLY"
        begin = f"BEGIN ISOLATION LEVEL {level}"
        spoken = self._ready()
        try:
            spoken.execute(begin)
        except (psycopg.OperationalError, psycopg.InterfaceError):  # nothing was begun on what has gone meanwhile
            if not spoken.db.closed:
                raise
            spoken = self._ready()
            spoken.execute(begin)
        if writing:
            spoken.execute("SELECT cursor FROM counters FOR UPDATE")
        return spoken

    def _commit(self) -> None:
        spoken = self._connection()
        spoken.execute(
            "INSERT INTO writers VALUES (?, ?, now()) ON CONFLICT (id) DO UPDATE SET writes = excluded.writes, "
            f"at = now() RETURNING pg_notify('{schema_of(self.id)}', '')",
            (self._as, self._writes + 1),
        )
        self._writes += 1
        try:
            spoken.execute("COMMIT")
        except (psycopg.OperationalError, psycopg.InterfaceError):
            if not spoken.db.closed or not self._came_through():
                raise

    def _came_through(self) -> bool:
        """Whether what was being committed as the connection was lost is there. Unreachable: nobody can say."""
        for _attempt in range(_ATTEMPTS):
            with suppress(psycopg.OperationalError, psycopg.InterfaceError), closing(
                connect(self._database, f"{self._as} asking", _ASKED_S)
            ) as db:  # fmt: skip
                db.execute(f"SET search_path TO {schema_of(self.id)}".encode())
                gone = db.execute(  # the one that was lost may still be there, and wait for more, or commit just now
                    "SELECT coalesce(bool_and(pg_terminate_backend(pid, %s)), true) FROM pg_stat_activity "
                    "WHERE application_name = %s", [_ASKED_S * 1_000, self._as],
                ).fetchone()  # fmt: skip
                if gone == (True,):
                    found = db.execute("SELECT writes FROM writers WHERE id = %s", [self._as]).fetchone()
                    return found is not None and found[0] == self._writes
            Event().wait(_AGAIN_S)
        raise Unreachable(
            N_("{file}: its database went away while it wrote, and whether it did nobody can say: look before it is "
               "done again"),
            file=str(self.path),
        )  # fmt: skip

    def _give_up(self, sql: str) -> None:
        if self._spoken is not None:
            with suppress(psycopg.Error):  # it never began, or the connection is gone and with it the transaction
                self._spoken.execute(sql)

    def _ready(self) -> _Spoken:
        """A connection that answered when it was used last, or a new one."""
        if self._spoken is not None and self._spoken.db.info.transaction_status not in _NOTHING_BEGUN:
            self._spoken.db.close()  # whoever gave up what was begun on it was interrupted
        if self._spoken is None or self._spoken.db.closed:
            self._spoken = self._connected()
        return self._spoken

    def _connected(self) -> _Spoken:
        db = connect(self._database, self._as)
        try:
            there = db.execute(
                "SELECT has_schema_privilege(oid, 'USAGE') FROM pg_namespace WHERE nspname = %s", [schema_of(self.id)]
            ).fetchone()
            if there is None:
                raise WrongInput(
                    N_("{file} says that its event is kept on PostgreSQL, and that database has it not"),
                    file=str(self.path),
                )
            if not there[0]:
                raise Refused(N_("PostgreSQL does not let this user read the event of {file}"), file=str(self.path))
            for name, value in (
                ("search_path", schema_of(self.id)),
                ("synchronous_commit", "on"),
                ("lock_timeout", str(max(1, self._busy_ms))),
                ("idle_in_transaction_session_timeout", str(_SILENT_S * 1_000)),
                ("default_transaction_read_only", "on" if self._read_only else "off"),
            ):
                db.execute("SELECT set_config(%s, %s, false)", [name, value])
            if not self._read_only:  # of programs that were killed
                db.execute("DELETE FROM writers WHERE at < now() - interval '1 day'")
        except BaseException:
            db.close()
            raise
        return _Spoken(db, str(self.path))

    def _bring_up_to_date(self) -> None:
        """In one transaction, so that of two programs only one does it."""
        db = self._ready().db
        version = _version(db)
        if not OLDEST <= version <= VERSION:
            raise WrongInput(
                N_("{file} was made by another version of Dalej (format {found}): expected format {expected}"),
                file=str(self.path), found=version, expected=VERSION,
            )  # fmt: skip
        if self._read_only or version == VERSION:
            return
        with db.transaction():
            db.execute("SELECT pg_advisory_xact_lock(%s, hashtext(%s))", [_LOCK, self.id])
            for older in range(_version(db), VERSION):
                for statement in UPGRADES[older]:
                    db.execute(_wide(statement))
            db.execute("UPDATE event SET version = %s", [VERSION])

    @contextmanager
    def _in_words(self) -> Iterator[None]:
        try:
            yield
        except psycopg.Error as error:
            raise _said(str(self.path), error) from error


def _version(db: psycopg.Connection[_Row]) -> int:
    found = db.execute("SELECT version FROM event").fetchone()
    return 0 if found is None else int(found[0])


def _wide(statement: str) -> bytes:
    """SQLite's numbers have 64 bits."""
    return statement.replace("INTEGER", "BIGINT").encode()


def _said(file: str, error: psycopg.Error) -> DalejError:
    """The error in Dalej's words; raises it again if it can only be a defect of this package."""
    match error:
        case psycopg.errors.LockNotAvailable():
            return Unreachable(N_("{file} is locked by another program"), file=file)
        case psycopg.errors.DiskFull():
            return Unreachable(N_("no room is left on the disk for {file}"), file=file)
        case psycopg.errors.ReadOnlySqlTransaction():
            why = cause(OSError(errno.EROFS, ""))
            return Unreachable(N_("{file} cannot be read or written now: {reason}"), file=file, reason=why)
        case psycopg.errors.IdleInTransactionSessionTimeout():
            return Unreachable(N_("{file}: others have waited, and this program did not go on with it"), file=file)
        case psycopg.errors.InsufficientPrivilege():
            return Refused(N_("PostgreSQL does not let you do that with {file}: {reason}"),
                           file=file, reason=reason(error))  # fmt: skip
        case psycopg.DataError() | psycopg.errors.ProgramLimitExceeded():
            return WrongInput(N_("{file} cannot hold this: {reason}"), file=file, reason=reason(error))
        case psycopg.OperationalError() if _WANTS_PASSWORD in str(error):
            return Unreachable(N_("the database of {file} wants a password: {variable} holds its address with it"),
                               file=file, variable=DATABASE)  # fmt: skip
        case psycopg.OperationalError() | psycopg.InterfaceError():
            return Unreachable(N_("the database of {file} does not answer: {reason}"), file=file, reason=reason(error))
        case psycopg.errors.UndefinedTable() | psycopg.errors.RaiseException() | psycopg.IntegrityError():
            return Damaged(N_("{file} is damaged: {reason}"), file=file, reason=reason(error))
    raise error
