"""The halls of a centre on PostgreSQL: their keys, their epochs, and every entry that they have told, never changed.

One transaction takes a batch: the hall's row is locked, what follows it is put down, the row moves on, and only then is
it acknowledged. What is told twice is put down once; a batch that does not follow puts nothing down.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from hashlib import sha256
from threading import RLock
from typing import Any, Final

import msgspec
import psycopg
from psycopg import Connection

from dalej.centre.stream import BEGINNING, digest_after, expect_dense
from dalej.centre.talk import Batch, Reached
from dalej.errors import Refused, WrongInput
from dalej.event.ledger.postgres import connect, in_centres_words
from dalej.hints import typed
from dalej.words import N_

VERSION: Final = 2
OLDEST_SERVER: Final = 150_000  # PostgreSQL 15
LEASE_MS: Final = 30_000  # of a desk that says nothing any more
UNKNOWN_KEY: Final = N_("the centre does not know this hall's key, or not any more")
_LOCK: Final = 0x44414C45  # "DALE": whoever makes or alters the tables is alone

_WALLED: Final = ("halls", "epochs", "entries")
_OWN: Final = "nullif(current_setting('dalej.hall', true), '')::integer"
# Since version 2: whatever takes a hall's batch does it as somebody who sees and alters nothing but that hall's rows.
_ROLE: Final = (
    """DO $$ BEGIN
        IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = 'dalej_hall') THEN CREATE ROLE dalej_hall NOLOGIN; END IF;
        EXCEPTION WHEN duplicate_object OR unique_violation THEN NULL; END $$""",
    """DO $$ BEGIN
        IF NOT pg_has_role(current_user, 'dalej_hall', 'MEMBER') THEN GRANT dalej_hall TO CURRENT_USER; END IF;
        END $$""",
)
_WALL: Final = (
    *_ROLE,
    "GRANT SELECT, INSERT ON epochs, entries TO dalej_hall",
    "GRANT SELECT, UPDATE (epoch, through, digest, heard_ms, desk, desk_until_ms) ON halls TO dalej_hall",
    *(f"ALTER TABLE {table} ENABLE ROW LEVEL SECURITY" for table in _WALLED),
    *(
        f"CREATE POLICY {table}_own ON {table} TO dalej_hall USING ({'id' if table == 'halls' else 'hall'} = {_OWN})"
        for table in _WALLED
    ),
)
# An epoch's row and its entries are put down in one place; a foreign key would look it up again for every entry, which
# takes a third of the time.
_UPGRADES: Final = {
    1: ("ALTER TABLE entries DROP CONSTRAINT entries_hall_epoch_fkey", *_WALL)
}  # what makes a centre of version N one of version N + 1

_TABLES: Final = (
    "CREATE TABLE dalej_centre (version integer NOT NULL)",
    f"INSERT INTO dalej_centre VALUES ({VERSION})",
    """CREATE TABLE halls (
        id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY, name text NOT NULL UNIQUE, key_hash bytea NOT NULL UNIQUE,
        made_ms bigint NOT NULL, revoked_ms bigint, epoch integer NOT NULL, through bigint NOT NULL,
        digest bytea NOT NULL, heard_ms bigint, desk text, desk_until_ms bigint NOT NULL DEFAULT 0)""",
    """CREATE TABLE epochs (
        hall integer NOT NULL REFERENCES halls, epoch integer NOT NULL, began_ms bigint NOT NULL, desk text NOT NULL,
        PRIMARY KEY (hall, epoch))""",
    """CREATE TABLE entries (
        hall integer NOT NULL, epoch integer NOT NULL, cursor bigint NOT NULL CHECK (cursor > 0), line text NOT NULL,
        PRIMARY KEY (hall, epoch, cursor))""",
    """CREATE FUNCTION dalej_stays() RETURNS trigger LANGUAGE plpgsql AS $$
        BEGIN RAISE EXCEPTION 'entries of % are never changed', TG_TABLE_NAME; END $$""",
    *(
        f"CREATE TRIGGER {table}_stay BEFORE UPDATE OR DELETE OR TRUNCATE ON {table} "
        "FOR EACH STATEMENT EXECUTE FUNCTION dalej_stays()"
        for table in ("entries", "epochs")
    ),
    *_WALL,
)


@dataclass(frozen=True, slots=True)
class SeenHall:
    """A hall as its centre knows it. Times are Unix milliseconds; `heard_ms` None: never; `revoked`: its key is not
    taken any more.
    """

    name: str
    epoch: int
    through: int
    digest: bytes
    heard_ms: int | None
    desk: str | None
    revoked: bool


class Mirror:
    """One connection, made anew when it was lost. `database`: as libpq takes it; never said, it may hold a password."""

    def __init__(self, database: str) -> None:
        self._database = database
        self._connection: Connection[tuple[Any, ...]] | None = None
        self._lock = RLock()

    def close(self) -> None:
        with self._lock:
            if self._connection is not None:
                self._connection.close()
            self._connection = None

    def init(self) -> bool:
        """Make the tables; False if they are there already. Two that do it at once do it once."""
        with self._transaction(versioned=False) as db:
            server, letters = _row(
                db, "SELECT current_setting('server_version_num')::int, current_setting('server_encoding')"
            )
            if server < OLDEST_SERVER:
                raise WrongInput(N_("this is PostgreSQL {found}: expected 15 or later"), found=server // 10_000)
            if letters != "UTF8":
                raise WrongInput(
                    N_("this database keeps its letters as {found}: expected one that keeps them as UTF8"),
                    found=letters,
                )
            db.execute("SELECT pg_advisory_xact_lock(%s)", [_LOCK])
            if _version(db) is not None:
                return False
            for statement in _TABLES:
                db.execute(statement)
            return True

    def expect_empty(self) -> None:
        """Refused if the database holds anything already; the role whose rows a copy may tell of is there."""
        with self._transaction(versioned=False) as db:
            (there,) = _row(
                db,
                "SELECT count(*) FROM pg_class WHERE relnamespace::regnamespace::text !~ '^(pg_|information_schema)'",
            )
            if there:
                raise Refused(N_("this database is not empty: expected one that a copy can be put into"))
            for statement in _ROLE:
                db.execute(statement)

    def upgrade(self) -> bool:
        """Bring the tables of an older version up to date; False if they are. Two that do it at once do it once."""
        with self._transaction(versioned=False) as db:
            db.execute("SELECT pg_advisory_xact_lock(%s)", [_LOCK])
            version = _version(db)
            if version == VERSION:
                return False
            if version is None or version not in _UPGRADES:
                _expect_version(db)
            for older in range(version or VERSION, VERSION):
                for statement in _UPGRADES[older]:
                    db.execute(statement)
            db.execute("UPDATE dalej_centre SET version = %s", [VERSION])
            return True

    def add_hall(self, name: str, key: str, now_ms: int) -> None:
        """Refused if there is a hall of that name."""
        if not name.strip() or len(name) > 80 or not name.isprintable():
            raise WrongInput(N_("“{name}” is no name of a hall, expected one line of at most 80 letters"), name=name)
        with self._transaction() as db:
            added = db.execute(
                "INSERT INTO halls (name, key_hash, made_ms, epoch, through, digest) VALUES (%s, %s, %s, 0, 0, %s) "
                "ON CONFLICT (name) DO NOTHING RETURNING id", [name, _hash(key), now_ms, BEGINNING],
            ).fetchone()  # fmt: skip
            if added is None:
                raise Refused(N_("there is a hall called {name} already"), name=name)

    def revoke(self, name: str, now_ms: int) -> None:
        """Its key is not taken any more; what it told stays."""
        with self._transaction() as db:
            self._expect(db, name)
            db.execute("UPDATE halls SET revoked_ms = coalesce(revoked_ms, %s) WHERE name = %s", [now_ms, name])

    def new_key(self, name: str, key: str) -> None:
        """Another key in the place of the one before, for a hall whose laptop is another one now."""
        with self._transaction() as db:
            self._expect(db, name)
            db.execute(
                "UPDATE halls SET key_hash = %s, revoked_ms = NULL, desk_until_ms = 0 WHERE name = %s",
                [_hash(key), name],
            )

    def halls(self) -> list[SeenHall]:
        """By their names."""
        with self._transaction() as db:
            return [_seen(row) for row in db.execute(f"{_HALLS} ORDER BY name")]

    def hall(self, name: str) -> SeenHall:
        """WrongInput if there is none of that name."""
        with self._transaction() as db:
            return self._expect(db, name)

    def whose(self, key: str) -> SeenHall:
        """The hall of that key; Refused if it is not known."""
        with self._transaction() as db:
            row = db.execute(f"{_HALLS} WHERE key_hash = %s AND revoked_ms IS NULL", [_hash(key)]).fetchone()
            if row is None:
                raise Refused(UNKNOWN_KEY)
            return _seen(row)

    def take(self, key: str, batch: Batch, now_ms: int) -> Reached:
        """Where the hall stands once what follows is put down; durable when it is returned.

        Refused if the key is not known, or another desk of the same hall told something within `LEASE_MS`.
        """
        with self._transaction() as db:
            found = db.execute(
                "SELECT id, epoch, through, digest, desk, desk_until_ms FROM halls "
                "WHERE key_hash = %s AND revoked_ms IS NULL FOR UPDATE", [_hash(key)],
            ).fetchone()  # fmt: skip
            if found is None:
                raise Refused(UNKNOWN_KEY)
            hall, epoch, through, digest, desk, until_ms = found
            db.execute("SELECT set_config('dalej.hall', %s, true)", [str(hall)])
            db.execute("SET LOCAL ROLE dalej_hall")
            if desk is not None and desk != batch.desk and until_ms > now_ms:
                raise Refused(N_("another desk tells the centre of this hall just now: {desk}"), desk=desk)
            if epoch == 0 or batch.anew == epoch:
                epoch, through, digest = epoch + 1, 0, BEGINNING
                db.execute("INSERT INTO epochs VALUES (%s, %s, %s, %s)", [hall, epoch, now_ms, batch.desk])
            elif batch.anew is None and (batch.after, bytes.fromhex(batch.digest)) == (through, digest) and batch.lines:
                expect_dense(batch.lines, through)
                db.execute(  # as JSON, because an array of texts is three times the work
                    "INSERT INTO entries SELECT %s, %s, %s + told.at, told.line "
                    "FROM json_array_elements_text(%s::json) WITH ORDINALITY AS told (line, at)",
                    [hall, epoch, through, msgspec.json.encode(batch.lines).decode()],
                )
                digest, through = digest_after(digest, batch.lines), through + len(batch.lines)
            db.execute(
                "UPDATE halls SET epoch = %s, through = %s, digest = %s, heard_ms = %s, desk = %s, desk_until_ms = %s "
                "WHERE id = %s", [epoch, through, digest, now_ms, batch.desk, now_ms + LEASE_MS, hall],
            )  # fmt: skip
            return Reached(epoch, through, bytes(digest).hex())

    def epochs(self, name: str) -> dict[int, int]:
        """How many entries the hall has told in each of its epochs."""
        with self._transaction() as db:
            self._expect(db, name)
            found = db.execute(
                "SELECT epochs.epoch, coalesce(max(cursor), 0) FROM epochs JOIN halls ON halls.id = epochs.hall "
                "LEFT JOIN entries ON entries.hall = epochs.hall AND entries.epoch = epochs.epoch WHERE name = %s "
                "GROUP BY epochs.epoch ORDER BY epochs.epoch", [name],
            )  # fmt: skip
            return dict(found.fetchall())

    def lines(self, name: str, after: int = 0, limit: int = 1_000, epoch: int | None = None) -> list[str]:
        """The entries of its epoch (None: of now) that follow `after`, at most so many."""
        with self._transaction() as db:
            now = self._expect(db, name).epoch
            found = db.execute(
                "SELECT line FROM entries JOIN halls ON halls.id = entries.hall WHERE name = %s "
                "AND entries.epoch = %s AND cursor > %s ORDER BY cursor LIMIT %s",
                [name, now if epoch is None else epoch, after, limit],
            )  # fmt: skip
            return [line for (line,) in found]

    def _expect(self, db: Connection[tuple[Any, ...]], name: str) -> SeenHall:
        row = db.execute(f"{_HALLS} WHERE name = %s", [name]).fetchone()
        if row is None:
            known = ", ".join(one for (one,) in db.execute("SELECT name FROM halls ORDER BY name")) or "–"
            raise WrongInput(N_("there is no hall called {name}: expected one of {known}"), name=name, known=known)
        return _seen(row)

    @contextmanager
    def _transaction(self, *, versioned: bool = True) -> Iterator[Connection[tuple[Any, ...]]]:
        """One transaction; Unreachable, with nothing done, if the database is not there."""
        with self._lock:
            try:
                db = self._connected()
                with db.transaction():
                    if versioned:
                        _expect_version(db)
                    yield db
            except psycopg.Error as error:
                if isinstance(error, (psycopg.OperationalError, psycopg.InterfaceError)):
                    self.close()
                raise in_centres_words(error) from error

    def _connected(self) -> Connection[tuple[Any, ...]]:
        if self._connection is None or self._connection.closed:
            self._connection = connect(self._database, "dalej centre")
        return self._connection


_HALLS: Final = "SELECT name, epoch, through, digest, heard_ms, desk, revoked_ms IS NOT NULL FROM halls"


def _seen(row: tuple[Any, ...]) -> SeenHall:
    name, epoch, through, digest, heard_ms, desk, revoked = row
    return SeenHall(name, epoch, through, bytes(digest), heard_ms, desk, revoked)


def _row(db: Connection[tuple[Any, ...]], query: str) -> tuple[Any, ...]:
    row = db.execute(query).fetchone()
    assert row is not None
    return row


def _version(db: Connection[tuple[Any, ...]]) -> int | None:
    (there,) = _row(db, "SELECT to_regclass('dalej_centre') IS NOT NULL")
    return int(_row(db, "SELECT version FROM dalej_centre")[0]) if there else None


def _expect_version(db: Connection[tuple[Any, ...]]) -> None:
    version = _version(db)
    if version is None:
        raise WrongInput(N_("this database holds no centre yet"))
    if version != VERSION:
        raise WrongInput(
            N_("this centre was made by another version of Dalej (format {found}): expected format {expected}"),
            found=version, expected=VERSION,
        ).hinted(N_("{command} brings an older one up to date"), command=typed("centre", "upgrade"))  # fmt: skip


def _hash(key: str) -> bytes:
    return sha256(key.encode(errors="surrogateescape")).digest()  # as it was sent, also where that is no text
