"""What a file knows nothing of: a database that goes away in the middle, and comes back."""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from random import Random

import psycopg
import pytest

from dalej.errors import Refused, Unreachable, WrongInput
from dalej.event.ledger import Decision, Ledger, postgres
from dalej.event.ledger.elsewhere import read_elsewhere, write_elsewhere
from dalej.event.reading import read
from tests.event.ledger import process
from tests.event.ledger.commitwire import CommitWire, Fails
from tests.event.ledger.keeping import ON_POSTGRES, Keeping
from tests.event.ledger.making import BOX, EPOCH, NOON, OTHER, reports, seqs
from tests.postgres import Postgres
from tests.processes import WITHIN_S, bounded

PLACES = (ON_POSTGRES,)


@pytest.fixture
def wire(server: Postgres) -> Iterator[CommitWire]:
    with closing(CommitWire(server.folder)) as made:
        yield made


@pytest.fixture
def far(ledger: Ledger, wire: CommitWire, tmp_path: Path) -> Iterator[Ledger]:
    """The same event, over a network."""
    where = read_elsewhere(ledger.path)
    write_elsewhere(tmp_path / "far.dalej", where.id, f"host=127.0.0.1 port={wire.port} user=postgres dbname=postgres")
    with Ledger.open(tmp_path / "far.dalej") as opened:
        yield opened


def note(ledger: Ledger, why: str) -> Decision:
    return ledger.decide("note", {}, who="Sowa", when_ms=NOON, why=why)


@pytest.mark.parametrize(("fails", "there"), [("before", False), ("silent", False), ("after", True)])
def test_a_commit_whose_answer_is_lost_is_told_as_what_became_of_it(
    ledger: Ledger, far: Ledger, wire: CommitWire, fails: Fails, there: bool
) -> None:
    note(far, "first")
    wire.fails = fails
    if there:
        assert note(far, "second").cursor == 2
    else:
        with pytest.raises(Unreachable, match=r"the database of .*far\.dalej does not answer"):
            note(far, "second")
    assert wire.fails == ""
    note(far, "third")
    expected = ["first", "second", "third"] if there else ["first", "third"]
    assert [one.why for one in read(ledger).decisions()] == expected
    ledger.expect_whole()


def test_a_connection_that_went_while_nobody_used_it_is_made_anew_and_nobody_is_told(
    ledger: Ledger, server: Postgres
) -> None:
    note(ledger, "first")
    with psycopg.connect(server.url) as db:
        db.execute("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name LIKE 'dalej %'")
    assert note(ledger, "second").cursor == 2
    assert ledger.head() == 2


def test_a_program_that_stops_in_the_middle_of_a_transaction_is_not_waited_for_for_ever(
    ledger: Ledger, second: Ledger, monkeypatch: pytest.MonkeyPatch, event: Path
) -> None:
    monkeypatch.setattr(postgres, "_SILENT_S", 1)
    with Ledger.open(event) as stops, pytest.raises(Unreachable, match="did not go on with it"):
        stops_meanwhile(stops, second)
    assert [one.why for one in read(ledger).decisions()] == ["waited for it"]


def stops_meanwhile(stops: Ledger, other: Ledger) -> None:
    with stops.together():
        note(stops, "never said to the end")
        assert note(other, "waited for it").cursor == 1


def test_killed_postmasters_lose_and_double_nothing_and_whoever_reads_on_skips_nothing(
    event: Path, keeping: Keeping, server: Postgres, seed: int
) -> None:
    keeping.create(event).close()
    draw, count = Random(seed), 600
    over = threading.Event()
    seen: list[int] = []

    def tail() -> None:
        with Ledger.open(event) as ledger:
            while not over.is_set() or len(seen) < ledger.head():
                try:
                    seen.extend(entry.cursor for entry in ledger.since(len(seen), 70))
                except Unreachable:
                    time.sleep(0.05)

    def write(box: str) -> None:
        with Ledger.open(event) as ledger:
            lot, done = Random(f"{seed} {box}"), 0
            while done < count:
                batch = range(done + 1, min(count, done + lot.randint(1, 20)) + 1)
                try:
                    recorded = ledger.record(reports(batch, box=box))
                except Unreachable:
                    time.sleep(0.05)
                    continue
                assert not recorded.conflicting
                done = recorded.contiguous[box, EPOCH]

    threads = [threading.Thread(target=write, args=(box,), daemon=True) for box in (BOX, OTHER)]
    reader = threading.Thread(target=tail, daemon=True)
    for thread in (*threads, reader):
        thread.start()
    for _kill in range(2):
        time.sleep(draw.uniform(0.1, 0.5))
        server.stop()
        server.start()
    for thread in threads:
        thread.join(WITHIN_S)
        assert not thread.is_alive()
    over.set()
    reader.join(WITHIN_S)
    assert not reader.is_alive()

    with Ledger.open(event) as ledger:
        ledger.expect_whole()
        assert seen == list(range(1, ledger.head() + 1))
        assert [seqs(ledger, box) for box in (BOX, OTHER)] == [list(range(1, count + 1))] * 2


def test_a_program_killed_in_the_middle_holds_nobody_up(event: Path, keeping: Keeping) -> None:
    keeping.create(event).close()
    writer = process.start("record", event, BOX, 1, 10**9)
    assert writer.stdout is not None
    with bounded(writer):
        acknowledged = int(writer.stdout.readline())
    writer.kill()
    writer.communicate(timeout=WITHIN_S)
    with Ledger.open(event) as ledger:
        assert note(ledger, "goes on").cursor > acknowledged


def test_somebody_who_writes_is_hinted_at_to_whoever_waits(ledger: Ledger, second: Ledger) -> None:
    assert ledger.hinted(WITHIN_S)  # from now on
    assert ledger.hinted(0.05) is False
    note(second, "news")
    assert ledger.hinted(WITHIN_S)
    ledger.close()
    assert ledger.hinted(0.01) is not None


def test_an_event_of_an_older_version_is_brought_up_to_date_and_one_of_a_newer_is_refused(
    ledger: Ledger, server: Postgres
) -> None:
    note(ledger, "before")
    schema = postgres.schema_of(read_elsewhere(ledger.path).id)
    with psycopg.connect(server.url) as db:
        db.execute(f"DROP TABLE {schema}.origins, {schema}.heard".encode())
        db.execute(f"UPDATE {schema}.event SET version = 2".encode())
    with Ledger.open(ledger.path) as opened:
        assert opened.heard("North") is None
        assert [one.why for one in read(opened).decisions()] == ["before"]
    with psycopg.connect(server.url) as db:
        db.execute(f"UPDATE {schema}.event SET version = 99".encode())
    with pytest.raises(WrongInput, match=r"made by another version of Dalej \(format 99\): expected format 3"):
        Ledger.open(ledger.path)


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ('{"dalej": "an event on PostgreSQL"}', "is no event file: id is missing"),
        ('{"dalej": "an event on PostgreSQL", "id": "x; DROP", "database": ""}', "is no event file: id"),
        ('{"dalej": "an event", "id": "0123456789ab", "database": ""}', "is no event file: dalej"),
        ("{", "is no event file: "),
    ],
)
def test_a_file_that_does_not_say_where_an_event_is_kept_is_refused_in_words(event: Path, text: str, says: str) -> None:
    event.write_text(text)
    with pytest.raises(WrongInput, match=says):
        Ledger.open(event)


def test_an_event_that_is_not_there_is_refused_in_words(event: Path, server: Postgres) -> None:
    write_elsewhere(event, os.urandom(6).hex(), server.url)
    with pytest.raises(WrongInput, match="kept on PostgreSQL, and that database has it not"):
        Ledger.open(event)


@pytest.mark.parametrize(
    "database", ["postgresql://u:hon%ey@h/d", "password=two honeys", "host=h sslpassword=honey", "u:p@honey"]
)
def test_nothing_secret_is_in_a_message_or_a_file(database: str) -> None:
    try:
        said = postgres.hushed(database)
    except WrongInput as error:
        said = str(error)
    assert "honey" not in said
    assert "hon%ey" not in said


def test_what_a_database_cannot_hold_is_refused_in_words(ledger: Ledger) -> None:
    with pytest.raises(WrongInput, match="cannot hold this"):
        ledger.decide("note", {}, who="Sowa", when_ms=0, why="long", subject=random_text(20_000))
    with pytest.raises(WrongInput, match="cannot hold this"):
        ledger.decide("note", {}, who="Sowa", when_ms=1 << 70, why="late")
    assert ledger.head() == 0


def random_text(length: int) -> str:
    """That no database makes shorter."""
    lot = Random(1)
    return "".join(chr(lot.randrange(0x100, 0x2000)) for _ in range(length))


def test_whoever_may_not_read_it_is_told_so(ledger: Ledger, server: Postgres, tmp_path: Path) -> None:
    with psycopg.connect(server.url, autocommit=True) as db:
        db.execute("DROP ROLE IF EXISTS obcy")
        db.execute("CREATE ROLE obcy LOGIN")
    where = read_elsewhere(ledger.path)
    write_elsewhere(tmp_path / "other.dalej", where.id, server.url.replace("user=postgres", "user=obcy"))
    with pytest.raises(Refused, match="does not let this user read the event"):
        Ledger.open(tmp_path / "other.dalej")
    seen = postgres.events_at(server.url.replace("user=postgres", "user=obcy"))
    assert where.id not in {event_id for event_id, _count in seen.values()}


def test_a_password_comes_from_the_environment_and_is_never_said(
    event: Path, keeping: Keeping, server: Postgres, monkeypatch: pytest.MonkeyPatch
) -> None:
    keeping.create(event).close()
    told = postgres.hushed(f"{server.url} password=honey")
    assert "honey" not in told
    event.unlink()
    write_elsewhere(event, "0123456789ab", told)
    monkeypatch.setenv("DALEJ_CENTRE", f"{server.url} password=honey")
    assert "password=honey" in postgres._with_secrets(told)
    monkeypatch.setenv("DALEJ_CENTRE", f"{server.url.replace('dbname=postgres', 'dbname=other')} password=honey")
    assert "password=honey" in postgres._with_secrets(told)
    assert "dbname=postgres" in postgres._with_secrets(told)
    monkeypatch.setenv("DALEJ_CENTRE", "host=elsewhere password=honey")
    assert postgres._with_secrets(told) == told
