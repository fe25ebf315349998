"""Personal data for the final form: kept apart, erased for good by one command, never quoted."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from datetime import date
from pathlib import Path

import pytest

from dalej.errors import Refused, Unreachable, WrongInput
from dalej.event.ledger import PERSONAL_TITLES, Ledger, tables
from tests.event.ledger.making import NOON, reports

TODAY = date(2026, 11, 22)
LIS = {
    "first_name": "Lis", "surname": "Rudokitski", "town": "Wejherowo", "born": "2013-05-04",
    "email": "lis@example.org", "phone": "+48 600 000 001",
}  # fmt: skip


def bytes_of(folder: Path) -> bytes:
    """Everything on the disk: the event file, its journals and whatever else lies beside it."""
    return b"".join(path.read_bytes() for path in sorted(folder.iterdir()) if path.is_file())


def left_of(values: dict[str, str], folder: Path) -> list[str]:
    held = bytes_of(folder)
    return [field for field, value in values.items() if field != "first_name" and value.encode() in held]


def old_event(path: Path) -> None:
    """An event file as version 1 made it."""
    Ledger.create(path).close()
    with closing(sqlite3.connect(path)) as db:
        for later in ("personal", "origins", "heard"):
            db.execute(f"DROP TABLE {later}")
        db.execute("PRAGMA user_version = 1")
        db.commit()


def test_what_is_kept_is_given_back_by_player_in_the_order_of_the_form(ledger: Ledger, second: Ledger) -> None:
    ledger.keep_personal(7, dict(reversed(LIS.items())), today=TODAY)
    ledger.keep_personal(3, {"town": "  Puck \t "}, today=TODAY)

    assert second.personal() == {3: {"town": "Puck"}, 7: LIS}
    assert list(second.personal()[7]) == list(LIS)


def test_a_field_is_replaced_and_an_empty_one_is_removed(ledger: Ledger) -> None:
    ledger.keep_personal(7, LIS, today=TODAY)
    ledger.keep_personal(7, {"phone": "", "town": "Reda"}, today=TODAY)

    assert ledger.personal()[7] == {**{k: v for k, v in LIS.items() if k != "phone"}, "town": "Reda"}


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("born", "2026-11-23"), ("born", "2062-05-04"),
        ("born", "2013-02-30"), ("born", "4/05/2013"), ("born", "20130504"), ("email", "lis@norka"),
        ("email", "a b@c.pl"), ("phone", "zapytac mame"), ("phone", "12"), ("surname", "R" * 201), ("town", "Re\x1bda"),
        ("pesel", "13250412345"),
    ],
)  # fmt: skip
def test_a_value_that_cannot_be_right_is_refused_by_the_name_of_its_field_and_never_quoted(
    ledger: Ledger, field: str, value: str
) -> None:
    with pytest.raises(WrongInput, match=PERSONAL_TITLES.get(field, field)) as refused:
        ledger.keep_personal(7, {"first_name": "Lis", field: value}, today=TODAY)

    assert value not in str(refused.value)
    assert value not in map(str, refused.value.data.values())
    assert ledger.personal() == {}


def test_personal_data_are_no_entry_of_the_ledger(ledger: Ledger) -> None:
    ledger.keep_personal(7, LIS, today=TODAY)

    assert ledger.head() == 0
    assert ledger.since(0) == []
    ledger.expect_whole()


@pytest.mark.parametrize("players", [1, 64])
def test_erasing_leaves_the_sporting_record_and_no_byte_of_the_data(event: Path, players: int) -> None:
    with Ledger.create(event) as ledger:
        ledger.record(reports(range(1, 300)))
        ledger.decide("note", {"winner": "Lis"}, who="Sowa", when_ms=NOON, why="the final is over")
        for player in range(1, players + 1):
            ledger.keep_personal(player, LIS, today=TODAY)
            ledger.keep_personal(player, {"town": "Rumia"}, today=TODAY)  # what was replaced is to go as well
        record = ledger.since(0, 1_000)
        assert left_of(LIS, event.parent)

        assert ledger.erase_personal() == players

        assert left_of(LIS, event.parent) == []
        assert b"Rumia" not in bytes_of(event.parent)
        assert ledger.personal() == {}
        assert ledger.since(0, 1_000) == record
        ledger.expect_whole()
    assert left_of(LIS, event.parent) == []


def test_erasing_while_another_program_reads_says_that_bytes_are_left_and_does_it_the_second_time(
    event: Path,
) -> None:
    with Ledger.create(event, busy_ms=50) as ledger, Ledger.open(event) as second:
        ledger.keep_personal(7, LIS, today=TODAY)
        with second._store.reading() as db:
            db.execute("SELECT * FROM personal").fetchall()
            with pytest.raises(Unreachable, match="close it and erase again"):
                ledger.erase_personal()
            assert ledger.personal() == {}

        assert ledger.erase_personal() == 0
        assert left_of(LIS, event.parent) == []


def test_a_backup_holds_no_personal_data_unless_told(ledger: Ledger, tmp_path: Path) -> None:
    shelf = tmp_path / "shelf"
    shelf.mkdir()
    ledger.decide("note", {}, who="Sowa", when_ms=NOON, why="the final is over")
    ledger.keep_personal(7, LIS, today=TODAY)

    ledger.backup(shelf / "copy.dalej")
    assert left_of(LIS, shelf) == []
    with Ledger.open(shelf / "copy.dalej") as copy:
        assert copy.personal() == {}
        assert copy.since(0) == ledger.since(0)
        copy.expect_whole()

    ledger.backup(shelf / "copy.dalej", overwrite=True, with_personal=True)
    with Ledger.open(shelf / "copy.dalej") as copy:
        assert copy.personal() == {7: LIS}


def test_copies_beside_the_event_that_still_hold_data_are_found(ledger: Ledger, tmp_path: Path) -> None:
    ledger.keep_personal(7, LIS, today=TODAY)
    ledger.backup(tmp_path / "event-whole.dalej", with_personal=True)
    ledger.backup(tmp_path / "event.1.backup.dalej")
    ledger.backup(tmp_path / "other.dalej", with_personal=True)
    (tmp_path / "event-notes.txt").write_text("bring spare batteries")

    assert [path.name for path in ledger.copies_with_personal()] == ["event-whole.dalej"]


def test_an_event_of_version_1_is_brought_up_to_date_when_it_is_opened(event: Path) -> None:
    old_event(event)

    with Ledger.open(event) as ledger, Ledger.open(event) as second:
        ledger.keep_personal(7, LIS, today=TODAY)
        assert second.personal() == {7: LIS}
        ledger.expect_whole()
    with closing(sqlite3.connect(event)) as db:
        assert db.execute("PRAGMA user_version").fetchone() == (tables.VERSION,)


def test_an_event_of_version_1_that_is_locked_stays_as_it_is(event: Path) -> None:
    old_event(event)
    with closing(sqlite3.connect(event, isolation_level=None)) as writer:
        writer.execute("PRAGMA journal_mode = WAL")
        writer.execute("BEGIN IMMEDIATE")
        with pytest.raises(Unreachable, match="is locked"):
            Ledger.open(event, busy_ms=20)
        writer.execute("ROLLBACK")
        assert writer.execute("PRAGMA user_version").fetchone() == (1,)
    Ledger.open(event).close()


def sign_up(ledger: Ledger, player: int) -> int:
    """Cursor of the decision."""
    return ledger.decide(
        "player", {"player": player, "name": "Lis"}, subject=f"player:{player}",
        who="Sowa", when_ms=NOON, why="signed up",
    ).cursor  # fmt: skip


def take_back(ledger: Ledger, cursor: int) -> None:
    ledger.revoke(cursor, who="Sowa", when_ms=NOON, why="entered by mistake")


def test_data_of_a_sign_up_that_was_taken_back_are_nobodys_and_leave_the_file(event: Path) -> None:
    with Ledger.create(event) as ledger:
        sign_up(ledger, 3)
        mistaken = sign_up(ledger, 7)
        ledger.keep_personal(3, {"town": "Puck"}, today=TODAY)
        ledger.keep_personal(7, LIS, today=TODAY)
        take_back(ledger, mistaken)

        assert ledger.personal() == {3: {"town": "Puck"}}
        with pytest.raises(Refused, match="sign-up of player 7 was taken back"):
            ledger.keep_personal(7, LIS, today=TODAY)
    assert left_of(LIS, event.parent) == []


def test_whoever_only_loses_another_name_keeps_the_data(ledger: Ledger) -> None:
    sign_up(ledger, 7)
    renamed = ledger.decide(
        "player", {"player": 7, "name": "Rudy Lis"}, subject="player:7", expects=ledger.head(), who="Sowa",
        when_ms=NOON, why="misspelled",
    )  # fmt: skip
    ledger.keep_personal(7, LIS, today=TODAY)
    take_back(ledger, renamed.cursor)

    assert ledger.personal() == {7: LIS}


def test_a_backup_with_personal_data_holds_none_of_a_sign_up_that_was_taken_back(
    ledger: Ledger, tmp_path: Path
) -> None:
    shelf = tmp_path / "shelf"
    shelf.mkdir()
    mistaken = sign_up(ledger, 7)
    ledger.keep_personal(7, LIS, today=TODAY)
    ledger.keep_personal(8, {"town": "Rumia"}, today=TODAY)
    take_back(ledger, mistaken)

    ledger.backup(shelf / "copy.dalej", with_personal=True)

    assert left_of(LIS, shelf) == []
    assert b"Rumia" in bytes_of(shelf)


def test_one_players_data_are_erased_and_no_others(event: Path) -> None:
    with Ledger.create(event) as ledger:
        ledger.keep_personal(7, LIS, today=TODAY)
        ledger.keep_personal(8, {"town": "Rumia"}, today=TODAY)

        assert ledger.erase_personal(7) == 1

        assert ledger.personal() == {8: {"town": "Rumia"}}
        assert left_of(LIS, event.parent) == []
        assert ledger.erase_personal(7) == 0


def test_a_copy_that_is_called_otherwise_is_found_and_another_event_is_not(ledger: Ledger, tmp_path: Path) -> None:
    sign_up(ledger, 7)
    ledger.keep_personal(7, LIS, today=TODAY)
    ledger.backup(tmp_path / "to-mail.dalej", with_personal=True)
    sign_up(ledger, 8)
    with Ledger.create(tmp_path / "event-of-spring.dalej") as other:
        sign_up(other, 1)
        other.keep_personal(1, LIS, today=TODAY)

    assert [path.name for path in ledger.copies_with_personal()] == ["to-mail.dalej"]


def test_a_copy_whose_data_are_still_in_its_journal_is_found(ledger: Ledger, tmp_path: Path) -> None:
    ledger.backup(tmp_path / "event-copy.dalej")
    with Ledger.open(tmp_path / "event-copy.dalej") as copy:
        copy.keep_personal(7, LIS, today=TODAY)
        assert (tmp_path / "event-copy.dalej-wal").stat().st_size

        assert [path.name for path in ledger.copies_with_personal()] == ["event-copy.dalej"]
        copy.keep_personal(8, LIS, today=TODAY)  # looking stood in nobody's way
