"""What a hall's entries cost on their way to a centre, against the same rows put down by psycopg alone; and how long a
hall that was offline takes to catch up.
"""

from __future__ import annotations

import asyncio
import tempfile
import time
from contextlib import closing
from pathlib import Path
from typing import Final

import psycopg

from bench.row import Row
from dalej.centre.mirror import Mirror
from dalej.centre.stream import line_of
from dalej.event.ledger import Ledger
from tests.centre.hall import listening, telling
from tests.centre.making import KEY
from tests.event.ledger.making import reports
from tests.postgres import postgres, programs

ENTRIES: Final = 75_000  # of sixty tables in two hours
BATCH: Final = 1_000


def measure(size: float) -> list[Row]:
    """`size`: of the whole, as for every measurement."""
    found = programs()
    if found is None:
        return [Row("a centre", "there is no PostgreSQL here")]
    count = max(2 * BATCH, round(ENTRIES * size))
    with (
        tempfile.TemporaryDirectory(prefix="dalej-pg-") as at, postgres(Path(at), found) as server,
        tempfile.TemporaryDirectory() as folder, Ledger.create(Path(folder) / "hall.dalej") as ledger,
        closing(Mirror(server.url)) as mirror,
    ):  # fmt: skip
        for first in range(1, count + 1, BATCH):
            ledger.record(reports(range(first, min(first + BATCH, count + 1))))
        alone_s = _alone(server.url, [(1, 1, entry.cursor, line_of(entry)) for entry in ledger.since(0, count)])
        mirror.init()
        mirror.add_hall("A", KEY, 1)
        began = time.perf_counter()
        asyncio.run(_catches_up(mirror, ledger))
        told_s = time.perf_counter() - began
        assert mirror.hall("A").through == count
    ratio = alone_s / told_s
    return [
        Row(f"{count:,} entries of a hall that was offline, at its centre", f"{count / told_s:,.0f} a second",
            f"{count / alone_s:,.0f} a second by executemany alone", f"{ratio:.2f}", "≥ 0.7"),
        Row("it has caught up after", f"{told_s:.1f} s"),
    ]  # fmt: skip


def _alone(url: str, rows: list[tuple[int, int, int, str]]) -> float:
    """Seconds for the same rows and keys, a transaction for each batch."""
    with psycopg.connect(url) as db:
        db.execute("CREATE TABLE raw (hall int, epoch int, at bigint, line text, PRIMARY KEY (hall, epoch, at))")
        db.commit()
        began = time.perf_counter()
        for first in range(0, len(rows), BATCH):
            with db.cursor() as cursor:
                cursor.executemany("INSERT INTO raw VALUES (%s, %s, %s, %s)", rows[first : first + BATCH])
            db.commit()
        return time.perf_counter() - began


async def _catches_up(mirror: Mirror, ledger: Ledger) -> None:
    async with listening(mirror) as server, telling(ledger.path, server.port) as hall:
        while hall.forwarder.through < ledger.head():  # noqa: ASYNC110 -- nobody tells
            await asyncio.sleep(0.05)
