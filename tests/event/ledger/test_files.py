"""What counts as an event file, and what happens to files that do not: nothing."""

from __future__ import annotations

import shutil
import sqlite3
from contextlib import closing
from pathlib import Path, PurePath, PurePosixPath, PureWindowsPath

import pytest

from dalej.errors import Damaged, Refused, Unreachable, WrongInput
from dalej.event.ledger import Ledger, store
from dalej.event.reading import read
from tests.event.ledger.making import BOX, EPOCH, reports, seqs


def sqlite_file(path: Path, application: int, version: int) -> Path:
    """Somebody else's database, in the same journal mode as ours."""
    with closing(sqlite3.connect(path)) as db:
        db.execute("PRAGMA journal_mode = WAL")
        db.execute(f"PRAGMA application_id = {application}")
        db.execute(f"PRAGMA user_version = {version}")
        db.execute("CREATE TABLE bookmarks (url TEXT)")
    return path


def everything_in(folder: Path) -> dict[str, bytes | None]:
    return {path.name: None if path.is_dir() else path.read_bytes() for path in folder.iterdir()}


def make_wrong(kind: str, path: Path) -> None:
    match kind:
        case "folder":
            path.mkdir()
        case "empty":
            path.touch()
        case "text":
            path.write_text("0 A.juz down\n" * 500)
        case "only a header":
            path.write_bytes(b"SQLite format 3\0")
        case "foreign":
            sqlite_file(path, 0, 0)
        case "newer":
            sqlite_file(path, store.APPLICATION_ID, store.VERSION + 1)
        case "missing":
            pass


@pytest.mark.parametrize(
    ("kind", "words"),
    [
        ("missing", "does not exist: expected an event file"),
        ("folder", "is a folder: expected an event file"),
        ("empty", "is not an event file: expected one that Dalej made"),
        ("text", "is not an event file: expected one that Dalej made"),
        ("only a header", "is not an event file: expected one that Dalej made"),
        ("foreign", "is not an event file: expected one that Dalej made"),
        ("newer", "was made by another version of Dalej (format 4): expected format 3"),
    ],
)
def test_a_wrong_file_is_refused_in_one_sentence_and_nothing_is_written(kind: str, words: str, tmp_path: Path) -> None:
    path = tmp_path / "wrong.dalej"
    make_wrong(kind, path)
    before = everything_in(tmp_path)

    with pytest.raises(WrongInput) as refused:
        Ledger.open(path)

    assert str(refused.value) == f"{path} {words}"
    assert everything_in(tmp_path) == before


def test_a_name_that_is_taken_is_not_written_over(tmp_path: Path) -> None:
    taken = tmp_path / "notes.txt"
    taken.write_text("bring spare batteries")
    with pytest.raises(WrongInput, match=r"notes\.txt already exists"):
        Ledger.create(taken)
    with pytest.raises(WrongInput, match=r"expected .*nowhere to be a folder"):
        Ledger.create(tmp_path / "nowhere" / "event.dalej")
    assert everything_in(tmp_path) == {"notes.txt": b"bring spare batteries"}


def test_what_a_deleted_event_left_behind_does_not_come_back_in_a_new_one(event: Path) -> None:
    with Ledger.create(event) as old:
        old.record(reports(range(1, 9)))
        left = event.with_name("event.dalej-wal").read_bytes()
    event.unlink()
    event.with_name("event.dalej-wal").write_bytes(left)

    with Ledger.create(event) as new:
        assert list(read(new).facts()) == []
        new.expect_whole()


@pytest.mark.parametrize("page", [1, 8, 40])
def test_a_file_whose_inside_is_broken_is_called_damaged(event: Path, page: int) -> None:
    with Ledger.create(event) as ledger:
        ledger.record(reports(range(1, 2_000)))
    content = bytearray(event.read_bytes())
    content[4096 * page :] = bytes(len(content) - 4096 * page)
    event.write_bytes(content)

    with pytest.raises(Damaged, match=r"event\.dalej is damaged: "), Ledger.open(event) as broken:
        broken.expect_whole()


def test_a_file_without_its_tables_is_called_damaged(event: Path) -> None:
    sqlite_file(event, store.APPLICATION_ID, store.VERSION)
    with pytest.raises(Damaged, match="no such table"):
        Ledger.open(event)


def test_the_name_may_hold_what_people_write(tmp_path: Path) -> None:
    odd = tmp_path / "Liga #3, 50% stołów? ąę.dalej"
    with Ledger.create(odd) as ledger:
        ledger.record(reports([1]))
    with Ledger.open(odd) as again:
        assert seqs(again) == [1]


def test_every_connection_writes_durably(ledger: Ledger, second: Ledger) -> None:
    for opened in (ledger, second):
        for pragma, expected in {
            "journal_mode": "wal",
            "synchronous": 2,
            "fullfsync": 1,
            "checkpoint_fullfsync": 1,
            "foreign_keys": 1,
            "busy_timeout": 5_000,
        }.items():
            assert opened._store.db.execute(f"PRAGMA {pragma}").fetchone() == (expected,), pragma


def test_a_file_that_another_tool_made_unshareable_is_shared_again(event: Path) -> None:
    Ledger.create(event).close()
    with closing(sqlite3.connect(event)) as tool:
        assert tool.execute("PRAGMA journal_mode = DELETE").fetchone() == ("delete",)
    with Ledger.open(event) as ledger, Ledger.open(event) as second:
        with second._store.reading():
            ledger.record(reports([1]))
        assert seqs(second) == [1]


def test_after_closing_a_copy_of_the_one_file_is_whole(ledger: Ledger, tmp_path: Path) -> None:
    ledger.record(reports(range(1, 500)))
    ledger.close()
    ledger.close()

    assert [path.name for path in tmp_path.iterdir()] == ["event.dalej"]
    shutil.copy(ledger.path, tmp_path / "copy.dalej")
    with Ledger.open(tmp_path / "copy.dalej") as copy:
        assert copy.contiguous(BOX, EPOCH) == 499
        copy.expect_whole()


def test_closing_while_another_process_has_it_open_still_gathers_everything(
    ledger: Ledger, second: Ledger, tmp_path: Path
) -> None:
    ledger.record(reports(range(1, 500)))
    ledger.close()
    shutil.copy(ledger.path, tmp_path / "copy.dalej")
    with Ledger.open(tmp_path / "copy.dalej") as copy:
        assert copy.contiguous(BOX, EPOCH) == 499
    assert second.record(reports([500])).contiguous == {(BOX, EPOCH): 500}


@pytest.mark.parametrize("fate", ["deleted", "moved", "replaced"])
def test_nothing_is_acknowledged_into_a_file_that_is_gone(ledger: Ledger, fate: str, tmp_path: Path) -> None:
    ledger.record(reports([1]))
    if fate == "deleted":
        ledger.path.unlink()
    else:
        ledger.path.rename(tmp_path / "elsewhere.dalej")
    if fate == "replaced":
        Ledger.create(ledger.path).close()
    with pytest.raises(Unreachable, match="was moved, deleted or replaced while it was open"):
        ledger.record(reports([2]))


@pytest.mark.parametrize("table", store.ENTRY_TABLES)
def test_no_entry_can_be_changed_or_deleted(ledger: Ledger, table: str) -> None:
    first = ledger.record(reports([1])).new[0]
    ledger.record([reports([1])[0]._replace(fact=first.__class__(BOX, EPOCH, 1, 4, 0, 6))])
    ledger.lost(BOX, EPOCH, 5, 9, "compacted", 0)
    ledger.decide("note", {}, who="Anna", when_ms=0, why="first")
    request = ledger.request(1, "start", who="Anna", at_ms=0)
    ledger.outcome(request.id, "sent", at_ms=0, token=ledger.lease.acquire("desk", 0, 1_000).token)

    db = ledger._store.db
    assert db.execute(f"SELECT count(*) FROM {table}").fetchone() == (1,)
    for statement in (f"UPDATE {table} SET cursor = 99", f"DELETE FROM {table}"):
        with pytest.raises(sqlite3.IntegrityError, match="never changed"):
            db.execute(statement)


def test_an_audit_finds_an_order_with_a_hole_and_a_head_that_is_wrong(ledger: Ledger) -> None:
    ledger.record(reports(range(1, 5)))
    ledger.expect_whole()
    ledger._store.db.execute("UPDATE streams SET contiguous = 3")
    with pytest.raises(Damaged, match=f"wrong about how far box {BOX} has come"):
        ledger.expect_whole()
    ledger._store.db.execute("UPDATE streams SET contiguous = 4")
    ledger._store.db.execute("UPDATE counters SET cursor = 7")
    with pytest.raises(Damaged, match="entries are missing from its order"):
        ledger.expect_whole()


def test_a_refusal_inside_a_transaction_leaves_nothing_behind(ledger: Ledger) -> None:
    ledger.decide("ruling", {}, who="Anna", when_ms=0, why="first", subject="time-out 1")
    head = ledger.head()
    with pytest.raises(Refused):
        ledger.decide("ruling", {}, who="Ewa", when_ms=1, why="second", subject="time-out 1")
    with pytest.raises(WrongInput, match="numbered 0: expected numbers from 1"):
        ledger.record([*reports([1, 2]), *reports([0])])
    assert ledger.head() == head
    assert ledger.boxes() == []


@pytest.mark.parametrize(
    "stored", ["'{broken'", "'[1]'", "''", "x'7b22'", f"'{'[' * 20_000}'"], ids=lambda stored: stored[:8]
)
@pytest.mark.parametrize(("table", "column", "cursor"), [("decisions", "body", 1), ("requests", "args", 2)])
def test_an_entry_whose_text_is_broken_is_called_damaged_by_whoever_reads_it(
    ledger: Ledger, table: str, column: str, cursor: int, stored: str
) -> None:
    break_text(ledger, table, column, stored)
    words = f"{ledger.path.name} is damaged: entry {cursor} holds what cannot be read, expected a JSON object"

    for ask in (lambda: ledger.since(0), ledger.open_requests if table == "requests" else lambda: read(ledger)):
        with pytest.raises(Damaged, match=words) as told:
            ask()
        assert (told.value.data["file"], told.value.data["cursor"]) == (str(ledger.path), cursor)
    assert len(ledger.since(2)) == 2


def test_text_that_is_no_utf_8_is_called_damaged(ledger: Ledger) -> None:
    break_text(ledger, "decisions", "body", "CAST(x'7bff7d' AS TEXT)")

    with pytest.raises(Damaged, match=r"is damaged: .*UTF-8"):
        ledger.since(0)


def break_text(ledger: Ledger, table: str, column: str, stored: str) -> None:
    """A decision and a request, twice; then a text of the first one of them is overwritten."""
    for _again in range(2):
        ledger.decide("note", {}, who="Sowa", when_ms=0, why="first")
        ledger.request(1, "start", who="Sowa", at_ms=0)
    db = ledger._store.db
    for (name,) in db.execute("SELECT name FROM sqlite_master WHERE type = 'trigger'").fetchall():
        db.execute(f"DROP TRIGGER {name}")
    db.execute(f"UPDATE {table} SET {column} = {stored} WHERE cursor = (SELECT min(cursor) FROM {table})")


@pytest.mark.filterwarnings("ignore:pathlib.PurePath.as_uri:DeprecationWarning")  # 3.14; a Path's own stays
@pytest.mark.parametrize(
    ("path", "expected"),
    [
        (PureWindowsPath(r"\\hall\cups\autumn.dalej"), "file:////hall/cups/autumn.dalej?mode=rw"),
        (PureWindowsPath(r"\\hall\cups\łoś #1.dalej"), "file:////hall/cups/%C5%82o%C5%9B%20%231.dalej?mode=rw"),
        (PureWindowsPath(r"C:\cups\autumn.dalej"), "file:///C:/cups/autumn.dalej?mode=rw"),
        (PurePosixPath("/cups/is it?.dalej"), "file:///cups/is%20it%3F.dalej?mode=rw"),
        (PurePosixPath("//cups/50%.dalej"), "file:////cups/50%25.dalej?mode=rw"),
    ],
)
def test_a_share_on_a_server_is_part_of_the_path_that_sqlite_opens(path: PurePath, expected: str) -> None:
    """SQLite opens no URI with an authority."""
    assert store.uri(path, "mode=rw") == expected
