"""The centre's side, on a real PostgreSQL: what is told is there once, in its order, and never changed."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path
from random import Random

import psycopg
import pytest

from dalej.centre.copying import copy_hall
from dalej.centre.mirror import LEASE_MS, Mirror
from dalej.errors import Refused, Unreachable, WrongInput
from dalej.event.ledger import Ledger
from tests.centre.making import KEY, Filling, batch, lines_of
from tests.postgres import Postgres


@pytest.fixture
def lines(tmp_path: Path, seed: int) -> list[str]:
    with Ledger.create(tmp_path / "hall.dalej") as ledger:
        Filling(ledger, Random(seed)).some(120)
        return lines_of(ledger)


def test_what_is_told_is_there_and_what_is_told_again_is_there_once(mirror: Mirror, lines: list[str]) -> None:
    mirror.add_hall("Północ", KEY, 1)
    first = mirror.take(KEY, batch(lines[:50]), 2)
    assert (first.epoch, first.through) == (1, 0), "the first that is heard of a hall begins its epoch"
    told = mirror.take(KEY, batch(lines[:50]), 3)
    again = mirror.take(KEY, batch(lines[:50]), 4)
    assert told == again
    assert (told.epoch, told.through) == (1, 50)
    mirror.take(KEY, batch(lines[50:], lines[:50]), 5)
    assert mirror.lines("Północ") == lines
    assert mirror.hall("Północ").through == len(lines)


@pytest.mark.parametrize("what", ["ahead", "other"])
def test_what_does_not_follow_puts_nothing_down_and_is_told_where_the_hall_stands(
    mirror: Mirror, lines: list[str], what: str
) -> None:
    mirror.add_hall("A", KEY, 1)
    mirror.take(KEY, batch([]), 2)
    stands = mirror.take(KEY, batch(lines[:10]), 3)
    wrong = batch(lines[20:30], lines[:20]) if what == "ahead" else batch(lines[10:20], [*lines[:9], "another"])
    assert mirror.take(KEY, wrong, 4) == stands
    assert mirror.lines("A") == lines[:10]


def test_entries_out_of_their_order_are_refused_and_nothing_of_them_is_kept(mirror: Mirror, lines: list[str]) -> None:
    mirror.add_hall("A", KEY, 1)
    mirror.take(KEY, batch([]), 2)
    with pytest.raises(WrongInput, match="entry 3 comes where 2 was expected"):
        mirror.take(KEY, batch([lines[0], lines[2]]), 3)
    assert mirror.lines("A") == []


def test_another_file_is_another_epoch_and_what_was_told_before_stays(mirror: Mirror, lines: list[str]) -> None:
    mirror.add_hall("A", KEY, 1)
    mirror.take(KEY, batch([]), 2)
    mirror.take(KEY, batch(lines[:30]), 3)
    begun = mirror.take(KEY, batch([], anew=1), 4)
    assert (begun.epoch, begun.through) == (2, 0)
    assert mirror.take(KEY, batch([], anew=1), 5) == begun, "told twice it begins once"
    mirror.take(KEY, batch(lines[:12]), 6)
    assert mirror.lines("A") == lines[:12]
    assert mirror.lines("A", epoch=1) == lines[:30]


def test_a_key_that_is_not_known_or_not_any_more_reaches_nothing(mirror: Mirror, lines: list[str]) -> None:
    mirror.add_hall("A", KEY, 1)
    with pytest.raises(Refused, match="does not know this hall's key"):
        mirror.take("another", batch([]), 2)
    mirror.take(KEY, batch([]), 3)
    mirror.revoke("A", 4)
    with pytest.raises(Refused, match="or not any more"):
        mirror.take(KEY, batch(lines), 5)
    mirror.new_key("A", "a new one")
    assert mirror.take("a new one", batch(lines), 6).through == len(lines)
    with pytest.raises(Refused):
        mirror.take(KEY, batch([]), 7)


def test_a_key_whose_bytes_are_no_text_is_not_known(mirror: Mirror) -> None:
    with pytest.raises(Refused, match="does not know this hall's key"):
        mirror.whose(b"\xff\xfe".decode(errors="surrogateescape"))  # as a header of it is read


def test_a_second_desk_of_a_hall_is_refused_until_the_first_has_been_silent(mirror: Mirror, lines: list[str]) -> None:
    mirror.add_hall("A", KEY, 1)
    mirror.take(KEY, batch([], desk="desk 1"), 1_000)
    with pytest.raises(Refused, match="another desk tells the centre of this hall just now: desk 1"):
        mirror.take(KEY, batch([], desk="desk 2"), 1_000 + LEASE_MS - 1)
    assert mirror.take(KEY, batch(lines, desk="desk 2"), 1_000 + LEASE_MS).through == len(lines)


@pytest.mark.parametrize("table", ["entries", "epochs"])
@pytest.mark.parametrize("how", ["UPDATE {table} SET epoch = 7", "DELETE FROM {table}", "TRUNCATE {table} CASCADE"])
def test_nothing_that_was_told_is_ever_changed(
    mirror: Mirror, database: str, lines: list[str], table: str, how: str
) -> None:
    mirror.add_hall("A", KEY, 1)
    mirror.take(KEY, batch([]), 2)
    mirror.take(KEY, batch(lines), 3)
    with psycopg.connect(database) as db, pytest.raises(psycopg.errors.RaiseException, match="are never changed"):
        db.execute(how.format(table=table))
    assert mirror.lines("A") == lines


def test_one_hall_told_by_two_connections_at_once_has_every_entry_once(
    mirror: Mirror, database: str, lines: list[str]
) -> None:
    mirror.add_hall("A", KEY, 1)
    mirror.take(KEY, batch([]), 2)

    def tells(_: int) -> None:
        with closing(Mirror(database)) as own:
            for at in range(0, len(lines), 7):
                own.take(KEY, batch(lines[at : at + 7], lines[:at]), 3)

    with ThreadPoolExecutor(4) as pool:
        list(pool.map(tells, range(4)))
    assert mirror.lines("A") == lines


def test_a_postmaster_that_is_killed_is_said_and_what_was_acknowledged_is_there(
    server: Postgres, mirror: Mirror, lines: list[str]
) -> None:
    mirror.add_hall("A", KEY, 1)
    mirror.take(KEY, batch([]), 2)
    mirror.take(KEY, batch(lines[:40]), 3)
    server.stop()
    with pytest.raises(Unreachable, match="the centre's database does not answer"):
        mirror.take(KEY, batch(lines[40:], lines[:40]), 4)
    server.start()
    assert mirror.take(KEY, batch([], lines[:40]), 5).through == 40
    assert mirror.take(KEY, batch(lines[40:], lines[:40]), 6).through == len(lines)


def test_a_database_without_a_centre_and_a_second_init_are_said(database: str) -> None:
    with closing(Mirror(database)) as made:
        with pytest.raises(WrongInput, match="holds no centre yet"):
            made.halls()
        assert made.init()
        assert not made.init()
    with closing(Mirror("no such thing")) as wrong, pytest.raises(WrongInput, match="no address of a PostgreSQL"):
        wrong.halls()


def test_two_that_make_a_centre_at_once_make_one(database: str) -> None:
    def makes(_: int) -> bool:
        with closing(Mirror(database)) as made:
            return made.init()

    with ThreadPoolExecutor(4) as pool:
        assert sorted(pool.map(makes, range(4))) == [False, False, False, True]


def test_an_event_file_made_of_what_was_told_holds_the_same(mirror: Mirror, tmp_path: Path, seed: int) -> None:
    with Ledger.create(tmp_path / "hall.dalej") as ledger:
        Filling(ledger, Random(seed)).some(400)
        entries, lines = ledger.since(0, 10_000), lines_of(ledger)
        streams = ledger.boxes()
    mirror.add_hall("A", KEY, 1)
    mirror.take(KEY, batch([]), 2)
    mirror.take(KEY, batch(lines), 3)
    assert copy_hall(mirror, "A", tmp_path / "copy.dalej", 4) == len(lines)
    with Ledger.open(tmp_path / "copy.dalej") as copied:
        assert copied.since(0, 10_000) == entries
        assert copied.boxes() == streams
        copied.expect_whole()
    with pytest.raises(WrongInput, match="already exists"):
        copy_hall(mirror, "A", tmp_path / "copy.dalej", 5)


# --- the second wall: PostgreSQL's own roles and rows -----


def as_hall(database: str, hall: str) -> psycopg.Connection[tuple[object, ...]]:
    """A connection as the server has it once it knows which hall speaks, whatever mistake it makes then."""
    db = psycopg.connect(database, autocommit=True)
    found = db.execute("SELECT id FROM halls WHERE name = %s", [hall]).fetchone()
    assert found is not None
    db.execute("SELECT set_config('dalej.hall', %s, false)", [str(found[0])])
    db.execute("SET ROLE dalej_hall")
    return db


def test_whoever_takes_a_halls_batch_sees_and_alters_nothing_of_another_hall(
    mirror: Mirror, database: str, lines: list[str]
) -> None:
    for hall, key in (("A", KEY), ("B", KEY.upper())):
        mirror.add_hall(hall, key, 1)
        mirror.take(key, batch([]), 2)
        mirror.take(key, batch(lines), 3)
    with as_hall(database, "A") as db:
        assert db.execute("SELECT name FROM halls").fetchall() == [("A",)]
        assert db.execute("SELECT count(*), count(DISTINCT hall) FROM entries").fetchone() == (len(lines), 1)
        assert db.execute("UPDATE halls SET through = 0 WHERE name = 'B'").rowcount == 0
        with pytest.raises(psycopg.errors.InsufficientPrivilege, match="row-level security"):
            db.execute("INSERT INTO entries SELECT hall + 1, epoch, cursor + 1000, line FROM entries")
        for forbidden in (
            "UPDATE halls SET key_hash = ''", "DELETE FROM entries", "UPDATE entries SET line = ''", "TRUNCATE entries",
            "INSERT INTO halls (name, key_hash, made_ms, epoch, through, digest) VALUES ('C', '', 1, 0, 0, '')",
            "UPDATE dalej_centre SET version = 9",
        ):  # fmt: skip
            with pytest.raises(psycopg.errors.InsufficientPrivilege):
                db.execute(forbidden)
    assert [mirror.hall(hall).through for hall in ("A", "B")] == [len(lines)] * 2


def test_without_a_hall_there_is_nothing_to_be_seen(mirror: Mirror, database: str) -> None:
    mirror.add_hall("A", KEY, 1)
    with psycopg.connect(database, autocommit=True) as db:
        db.execute("SET ROLE dalej_hall")
        assert db.execute("SELECT * FROM halls").fetchall() == []


def test_a_centre_of_version_1_is_brought_up_to_date_once(mirror: Mirror, database: str, lines: list[str]) -> None:
    mirror.add_hall("A", KEY, 1)
    mirror.take(KEY, batch([]), 2)
    with psycopg.connect(database, autocommit=True) as db:  # as the version before made it
        for table in ("halls", "epochs", "entries"):
            db.execute(f"DROP POLICY {table}_own ON {table}")
            db.execute(f"ALTER TABLE {table} DISABLE ROW LEVEL SECURITY")
            db.execute(f"REVOKE ALL ON {table} FROM dalej_hall")
        db.execute("ALTER TABLE entries ADD FOREIGN KEY (hall, epoch) REFERENCES epochs")
        db.execute("UPDATE dalej_centre SET version = 1")
    with pytest.raises(WrongInput, match=r"another version of Dalej \(format 1\)") as refused:
        mirror.take(KEY, batch(lines), 3)
    assert refused.value.hint is not None
    with ThreadPoolExecutor(4) as pool:
        others = [Mirror(database) for _ in range(4)]
        assert sorted(pool.map(Mirror.upgrade, others)) == [False, False, False, True]
        for other in others:
            other.close()
    assert mirror.take(KEY, batch(lines), 4).through == len(lines)
    with as_hall(database, "A") as db, pytest.raises(psycopg.errors.InsufficientPrivilege):
        db.execute("DELETE FROM entries")


def test_a_later_version_and_no_centre_at_all_are_left_alone(mirror: Mirror, database: str, server: Postgres) -> None:
    with psycopg.connect(database, autocommit=True) as db:
        db.execute("UPDATE dalej_centre SET version = 99")
    with pytest.raises(WrongInput, match=r"format 99"):
        mirror.upgrade()
    with closing(Mirror(server.url)) as none, pytest.raises(WrongInput, match="holds no centre yet"):
        none.upgrade()


def test_whoever_may_not_make_roles_makes_no_half_of_a_centre(
    mirror: Mirror, server: Postgres, database: str, lines: list[str]
) -> None:
    name = f"small_{database.partition('dbname=')[2].split()[0]}"
    with psycopg.connect(server.url, autocommit=True) as db:
        db.execute(f"CREATE ROLE {name} LOGIN")
        db.execute(f"CREATE DATABASE {name}")
    database = server.url.replace("dbname=postgres", f"dbname={name}")
    with psycopg.connect(database, autocommit=True) as db:
        db.execute(f"GRANT ALL ON DATABASE {name} TO {name}")
        db.execute(f"GRANT ALL ON SCHEMA public TO {name}")
    url = database.replace("user=postgres", f"user={name}")
    with closing(Mirror(url)) as mirror:
        with pytest.raises(Refused, match="PostgreSQL does not let the centre do that"):
            mirror.init()
        with pytest.raises(WrongInput, match="holds no centre yet"):
            mirror.halls()
    with psycopg.connect(server.url, autocommit=True) as db:  # whoever may, does it for them
        db.execute(f"GRANT dalej_hall TO {name}")
    with closing(Mirror(url)) as mirror:
        assert mirror.init()
        mirror.add_hall("A", KEY, 1)
        mirror.take(KEY, batch([]), 2)
        assert mirror.take(KEY, batch(lines), 3).through == len(lines)
