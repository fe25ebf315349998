"""Durable inserts a second into a ledger, against raw sqlite3 with the same pragmas and one table of the same columns.

Both write the same facts, a transaction each or in batches, to the same disk, in turns; the fastest turn of each
counts, because the rest of the machine can only slow one down. Raw is handed rows, the ledger is handed reports.
"""

from __future__ import annotations

import sqlite3
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from dataclasses import astuple
from pathlib import Path
from typing import Final, TypeVar

from bench.row import Row
from dalej.domain.game.facts import Fact
from dalej.event.ledger import Ledger, Report

DISK: Final = Path("run")  # a folder for temporary files is often in memory, where nothing is durable
TURNS: Final = 11
FACTS: Final = ((1, 500, 0.5), (64, 6_400, 0.8), (1_000, 30_000, 0.8))  # batch, facts a turn, goal

T = TypeVar("T")

_RAW: Final = """CREATE TABLE facts (cursor INTEGER PRIMARY KEY, box TEXT NOT NULL, epoch INTEGER NOT NULL,
    seq INTEGER NOT NULL, boot INTEGER NOT NULL, uptime_ms INTEGER NOT NULL, kind INTEGER NOT NULL,
    game INTEGER NOT NULL, move INTEGER NOT NULL, seat INTEGER NOT NULL, code INTEGER NOT NULL, a INTEGER NOT NULL,
    b INTEGER NOT NULL, c INTEGER NOT NULL, received_ms INTEGER NOT NULL, wall_ms INTEGER, old INTEGER NOT NULL,
    UNIQUE (box, epoch, seq))"""
_PRAGMAS: Final = (
    "journal_mode = WAL", "synchronous = FULL", "fullfsync = ON", "checkpoint_fullfsync = ON", "foreign_keys = ON",
)  # fmt: skip


def measure(size: float = 1) -> list[Row]:
    """One row for each batch size."""
    DISK.mkdir(exist_ok=True)
    rows = []
    for batch, full, goal in FACTS:
        count = max(batch, int(full * size))
        reports = _reports(count)
        plain = [(seq, *astuple(fact), *when) for seq, (fact, *when) in enumerate(reports, start=1)]
        ours = raw = 0.0
        for _ in range(max(1, int(TURNS * size))):
            with tempfile.TemporaryDirectory(prefix="bench-", dir=DISK) as folder:
                raw = max(raw, count / _raw(Path(folder), plain, batch))
                ours = max(ours, count / _ledger(Path(folder), reports, batch))
        rows.append(
            Row(
                "durable inserts, one by one" if batch == 1 else f"durable inserts, {batch} at a time",
                f"{ours:,.0f}/s",
                f"raw sqlite3 {raw:,.0f}/s",
                f"{ours / raw:.2f}",
                f"≥ {goal}",
            )
        )
    return rows


def _reports(count: int) -> list[Report]:
    """Facts of one box as a game makes them, live."""
    start = 1_700_000_000_000
    return [
        Report(Fact("a0b1c2d3e4f5", 3_123_456_789, seq, 3, 9_000 * seq, 6, 1, seq // 3, seq % 4, 1, 12_345, 1, 60),
               start + 9_000 * seq, start + 9_000 * seq)
        for seq in range(1, count + 1)
    ]  # fmt: skip


def _ledger(folder: Path, reports: Sequence[Report], batch: int) -> float:
    with Ledger.create(folder / "event.dalej") as ledger:
        return _timed(ledger.record, _batches(reports, batch))


def _raw(folder: Path, rows: Sequence[tuple[object, ...]], batch: int) -> float:
    with closing(sqlite3.connect(folder / "raw.db", isolation_level=None)) as db:
        for pragma in _PRAGMAS:
            db.execute(f"PRAGMA {pragma}").fetchone()
        db.execute(_RAW)
        insert = f"INSERT OR IGNORE INTO facts VALUES ({', '.join('?' * len(rows[0]))})"

        def write(some: Sequence[tuple[object, ...]]) -> None:
            db.execute("BEGIN IMMEDIATE")
            db.executemany(insert, some)
            db.execute("COMMIT")

        return _timed(write, _batches(rows, batch))


def _timed(write: Callable[[Sequence[T]], object], batches: Iterator[Sequence[T]]) -> float:
    prepared = list(batches)
    start = time.perf_counter()
    for one in prepared:
        write(one)
    return time.perf_counter() - start


def _batches(all_of_them: Sequence[T], size: int) -> Iterator[Sequence[T]]:
    return (all_of_them[start : start + size] for start in range(0, len(all_of_them), size))
