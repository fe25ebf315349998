"""What was written stays as it was written, whole and in one order, and whatever has tampered with it is found out."""

from __future__ import annotations

import pytest

from dalej.errors import Damaged, Refused, WrongInput
from dalej.event.ledger import Ledger, tables
from dalej.event.reading import read
from tests.event.ledger.making import BOX, EPOCH, break_text, reports, tamper


@pytest.mark.parametrize("table", tables.ENTRY_TABLES)
def test_no_entry_can_be_changed_or_deleted(ledger: Ledger, table: str) -> None:
    first = ledger.record(reports([1])).new[0]
    ledger.record([reports([1])[0]._replace(fact=first.__class__(BOX, EPOCH, 1, 4, 0, 6))])
    ledger.lost(BOX, EPOCH, 5, 9, "compacted", 0)
    ledger.decide("note", {}, who="Anna", when_ms=0, why="first")
    request = ledger.request(1, "start", who="Anna", at_ms=0)
    ledger.outcome(request.id, "sent", at_ms=0, token=ledger.lease.acquire("desk", 0, 1_000).token)

    with ledger._store.reading() as db:
        assert db.execute(f"SELECT count(*) FROM {table}").fetchone() == (1,)
    before = ledger.since(0)
    for statement in (f"UPDATE {table} SET cursor = 99", f"DELETE FROM {table}"):
        with pytest.raises(Damaged, match="never changed"), ledger._store.writing() as db:
            db.execute(statement)
    assert ledger.since(0) == before


def test_an_audit_finds_an_order_with_a_hole_and_a_head_that_is_wrong(ledger: Ledger) -> None:
    ledger.record(reports(range(1, 5)))
    ledger.expect_whole()
    tamper(ledger, "UPDATE streams SET contiguous = 3")
    with pytest.raises(Damaged, match=f"wrong about how far box {BOX} has come"):
        ledger.expect_whole()
    tamper(ledger, "UPDATE streams SET contiguous = 4")
    tamper(ledger, "UPDATE counters SET cursor = 7")
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


@pytest.mark.parametrize("stored", ["'{broken'", "'[1]'", "''", f"'{'[' * 20_000}'"], ids=lambda stored: stored[:8])
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


def test_a_text_with_a_character_that_ends_texts_is_refused_in_words(ledger: Ledger) -> None:
    for write in (
        lambda: ledger.decide("note", {}, who="So\0wa", when_ms=0, why="why"),
        lambda: ledger.decide("note", {}, who="Sowa", when_ms=0, why="w\0"),
        lambda: ledger.request(1, "stop", who="Sowa", at_ms=0, why="\0"),
    ):
        with pytest.raises(WrongInput, match="holds a character that ends texts"):
            write()
    assert ledger.decide("note", {"text": "in a body it is a letter: \0"}, who="Sowa", when_ms=0, why="why").cursor == 1
    assert read(ledger).decisions()[0].body == {"text": "in a body it is a letter: \0"}


def test_whoever_reads_sees_one_state_however_deep_they_ask(ledger: Ledger, second: Ledger) -> None:
    with ledger._store.reading():
        assert ledger.head() == 0
        second.record(reports([1]))
        assert ledger.head() == 0
    assert ledger.head() == 1


def test_a_hole_costs_no_look_at_all_that_lies_behind_it(ledger: Ledger) -> None:
    ledger.record(reports([*range(1, 100), *range(101, 400)]))
    assert ledger.contiguous(BOX, EPOCH) == 99
    assert ledger.missing(BOX, EPOCH) == [(100, 100)]
    assert ledger.record(reports([100])).contiguous == {(BOX, EPOCH): 399}
    ledger.expect_whole()
