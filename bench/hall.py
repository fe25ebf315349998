"""Processor time that a simulated hall takes for each table and hour of play, at 10, 100 and 1 000 tables.

Boxes, radio, desk and ledger of a hall run in one process. Every size plays the same minutes of as many tables in all:
a hundred halls of ten tables, one of a thousand; setting up and the first minute are not counted.
"""

from __future__ import annotations

import tempfile
import time
from pathlib import Path
from typing import Final

from bench.row import Row
from dalej.clock import ManualClock
from dalej.ledger import Ledger
from dalej.rulebook import load
from dalej.simulated.hall import Hall

SIZES: Final = (10, 100, 1_000)
FIRST_MS: Final = 60_000
COUNTED_MS: Final = 120_000
LINKS: Final = 3
DISK: Final = Path("run")


def measure(size: float = 1) -> list[Row]:
    """One row for each size, and for the largest one behind a pool of three links."""
    tables = [max(1, int(tables * size)) for tables in SIZES]
    most = tables[-1]
    base = _seconds_a_table_hour(tables[0], most // tables[0], None)
    rows = [Row(f"simulated hall of {tables[0]:,}: processor time a table and hour", f"{base * 1000:.0f} ms")]
    for number, links in [*((number, None) for number in tables[1:]), (most, LINKS)]:
        took = _seconds_a_table_hour(number, most // number, links)
        of = f"simulated hall of {number:,}" + ("" if links is None else f" behind {links} links")
        rows.append(
            Row(
                of,
                f"{took * 1000:.0f} ms",
                f"hall of {tables[0]:,}: {base * 1000:.0f} ms",
                f"{took / base:.2f}",
                "≤ 1.10" if links is None else "–",
            )
        )
    return rows


def _seconds_a_table_hour(tables: int, halls: int, links: int | None) -> float:
    return sum(_played(tables, seed, links) for seed in range(halls)) / (halls * tables * COUNTED_MS / 3_600_000)


def _played(tables: int, seed: int, links: int | None) -> float:
    """Processor seconds of one hall's counted minutes."""
    DISK.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory(prefix="bench-", dir=DISK) as folder:
        with Ledger.create(Path(folder) / "hall.dalej") as ledger:
            clock = ManualClock()
            hall = Hall(ledger, load("school-league"), clock, tables=tables, moves=None, seed=seed, links=links)
            hall.world.run_until(FIRST_MS)
            started = time.process_time()
            hall.world.run_until(FIRST_MS + COUNTED_MS)
            took = time.process_time() - started
            hall.desk.close()
    return took
