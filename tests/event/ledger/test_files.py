"""What counts as an event file, and what happens to files that do not: nothing."""

from __future__ import annotations

import shutil
import sqlite3
from contextlib import closing
from pathlib import Path, PurePath, PurePosixPath, PureWindowsPath

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dalej.errors import Damaged, Unreachable, WrongInput
from dalej.event.ledger import Ledger, sqlitefile, tables
from dalej.event.reading import read
from tests.event.ledger.keeping import IN_A_FILE
from tests.event.ledger.making import BOX, EPOCH, break_text, raw, reports, seqs

PLACES = (IN_A_FILE,)


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
            sqlite_file(path, sqlitefile.APPLICATION_ID, tables.VERSION + 1)
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


def test_a_file_whose_damage_sqlite_itself_quotes_is_called_damaged(event: Path, tmp_path: Path) -> None:
    """Its message then holds bytes that are no text."""
    with Ledger.create(event):
        pass
    event.write_bytes(event.read_bytes().replace(b"CREATE TABLE counters", b"CREATE TABL\xff counters"))

    with pytest.raises(Damaged, match=r"event\.dalej is damaged: expected UTF-8"):
        Ledger.open(event)
    with pytest.raises(Damaged, match="is damaged: "):
        Ledger.restore(event, tmp_path / "copy.dalej")


def test_a_file_without_its_tables_is_called_damaged(event: Path) -> None:
    sqlite_file(event, sqlitefile.APPLICATION_ID, tables.VERSION)
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
            assert raw(opened).execute(f"PRAGMA {pragma}").fetchone() == (expected,), pragma


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


def test_text_that_is_no_utf_8_is_called_damaged(ledger: Ledger) -> None:
    break_text(ledger, "decisions", "body", "CAST(x'7bff7d' AS TEXT)")

    with pytest.raises(Damaged, match=r"is damaged: .*UTF-8"):
        ledger.since(0)


def test_what_is_no_text_at_all_is_called_damaged(ledger: Ledger) -> None:
    break_text(ledger, "decisions", "body", "x'7b22'")

    with pytest.raises(Damaged, match="entry 1 holds what cannot be read, expected a JSON object"):
        ledger.since(0)


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
    assert sqlitefile.uri(path, "mode=rw") == expected


@pytest.fixture(scope="module")
def cut_short(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, list[int]]:
    """An event whose facts are all still in its write-ahead log, and how far each commit had come."""
    folder = tmp_path_factory.mktemp("cut")
    commits = [0]
    with Ledger.create(folder / "event.dalej") as ledger:
        for size in (1, 7, 40, 2, 1, 16, 64):
            ledger.record(reports(range(commits[-1] + 1, commits[-1] + size + 1)))
            commits.append(commits[-1] + size)
        for suffix in ("", "-wal"):
            shutil.copy(folder / f"event.dalej{suffix}", folder / f"kept{suffix}")
    return folder, commits


@given(data=st.data())
def test_power_lost_at_any_byte_of_the_write_ahead_log_leaves_whole_commits(
    cut_short: tuple[Path, list[int]], data: st.DataObject
) -> None:
    folder, commits = cut_short
    log = (folder / "kept-wal").read_bytes()
    end = data.draw(st.integers(0, len(log)))
    shutil.copy(folder / "kept", folder / "torn.dalej")
    (folder / "torn.dalej-wal").write_bytes(log[:end] + bytes(data.draw(st.integers(0, 5_000))))

    with Ledger.open(folder / "torn.dalej") as torn:
        torn.expect_whole()
        assert torn.contiguous(BOX, EPOCH) in commits
        assert seqs(torn) == list(range(1, torn.contiguous(BOX, EPOCH) + 1))
        if end == len(log):
            assert torn.contiguous(BOX, EPOCH) == commits[-1]


def goes_on_after_a_full_disk(ledger: Ledger) -> None:
    """SQLite gives the whole transaction up by itself."""
    with ledger.together():
        with pytest.raises(Unreachable, match="no room"):
            ledger.record(reports(range(100, 2_000)))
        ledger.decide("note", {}, who="Sowa", when_ms=0, why="no step of what is no more")


def test_disk_full_is_said_in_words_and_nothing_is_acknowledged(ledger: Ledger) -> None:
    ledger.record(reports(range(1, 100)))
    db = raw(ledger)
    (pages,) = db.execute("PRAGMA page_count").fetchone()
    db.execute(f"PRAGMA max_page_count = {pages + 2}")

    with pytest.raises(Unreachable, match=r"no room is left on the disk for .*event\.dalej"):
        ledger.record(reports(range(100, 2_000)))
    assert ledger.head() == ledger.contiguous(BOX, EPOCH) == 99
    ledger.expect_whole()

    with pytest.raises(Unreachable, match="what was begun was given up"):
        goes_on_after_a_full_disk(ledger)
    assert ledger.head() == 99

    db.execute("PRAGMA max_page_count = 1000000")
    assert ledger.record(reports(range(100, 2_000))).contiguous == {(BOX, EPOCH): 1_999}


def test_the_backup_of_a_file_that_is_gone_leaves_nothing(ledger: Ledger, tmp_path: Path) -> None:
    ledger.path.rename(tmp_path / "elsewhere.dalej")
    with pytest.raises(Unreachable, match=r"event\.dalej cannot be read or written now"):
        ledger.backup(tmp_path / "round1.dalej")
    assert not (tmp_path / "round1.dalej").exists()
