"""Facts and reports for the ledger's tests, as short as they can be said."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable
from typing import Final

from dalej.domain.game.facts import Fact
from dalej.event.ledger import Ledger, Report
from dalej.event.ledger.sqlitefile import SqliteStore
from moveclock import facts as k
from tests.told import facts_of

BOX: Final = "a0b1c2d3e4f5"
OTHER: Final = "0011223344ff"
EPOCH: Final = 3_123_456_789
_TRIGGERS: Final = "SELECT name FROM sqlite_master WHERE type = 'trigger'"
_TRIGGERS_OF_POSTGRES: Final = """SELECT tgname || ' ON ' || relname FROM pg_trigger JOIN pg_class c ON c.oid = tgrelid
    WHERE NOT tgisinternal AND relnamespace = current_schema()::regnamespace"""
NOON: Final = 1_760_000_000_000


def fact(seq: int, *, box: str = BOX, epoch: int = EPOCH, kind: int = k.MOVE_ENDED, a: int = 12_345) -> Fact:
    """The same for the same arguments, as a box sends it again and again."""
    return Fact(box, epoch, seq, 3, 1_000 * seq, kind, 1, seq // 3 + 1, seq % 4, k.BY_JUZ, a, 1, 60)


def report(seq: int, *, box: str = BOX, epoch: int = EPOCH, kind: int = k.MOVE_ENDED, a: int = 12_345) -> Report:
    """A live report of that fact, received a tenth of a second after it happened."""
    at = NOON + 1_000 * seq
    return Report(fact(seq, box=box, epoch=epoch, kind=kind, a=a), at + 100, at)


def reports(seqs: Iterable[int], *, box: str = BOX, epoch: int = EPOCH) -> list[Report]:
    return [report(seq, box=box, epoch=epoch) for seq in seqs]


def seqs(ledger: Ledger, box: str = BOX, epoch: int = EPOCH) -> list[int]:
    """What the ledger holds of a stream."""
    return [stored.fact.seq for stored in facts_of(ledger, box, epoch)]


def raw(ledger: Ledger) -> sqlite3.Connection:
    """Of an event in a file."""
    assert isinstance(ledger._store, SqliteStore)
    return ledger._store.db


def tamper(ledger: Ledger, statement: str) -> None:
    """Whoever has the rights to change the tables can change entries, too."""
    in_a_file = isinstance(ledger._store, SqliteStore)
    with ledger._store.writing() as db:
        for (name,) in db.execute(_TRIGGERS if in_a_file else _TRIGGERS_OF_POSTGRES).fetchall():
            db.execute(f"DROP TRIGGER {name}")
        db.execute(statement)


def break_text(ledger: Ledger, table: str, column: str, stored: str) -> None:
    """A decision and a request, twice; then a text of the first one of them is overwritten."""
    for _again in range(2):
        ledger.decide("note", {}, who="Sowa", when_ms=0, why="first")
        ledger.request(1, "start", who="Sowa", at_ms=0)
    tamper(ledger, f"UPDATE {table} SET {column} = {stored} WHERE cursor = (SELECT min(cursor) FROM {table})")
