"""Processor time that a simulated hall takes for each table and hour of play, at 10, 100 and 1 000 tables.

Boxes, radio, desk and ledger of a hall run in one process. Every size plays the same minute of as many tables in all:
a hundred halls of ten tables, one of a thousand; setting up and the minute before are not counted. The sizes take
turns, and the fastest turn of each counts, because the rest of the machine can only slow one down.
"""

from __future__ import annotations

import tempfile
import time
from pathlib import Path
from typing import Final

from bench.row import NONE, Row
from dalej.clock import ManualClock
from dalej.event.ledger import Ledger
from dalej.rulesets.rulebook import load
from dalej.simulator.hall import Hall

SIZES: Final = (10, 100, 1_000)
FIRST_MS: Final = 60_000
COUNTED_MS: Final = 60_000
TURNS: Final = 2
LINKS: Final = 3
GOAL: Final = "≤ 1.10"
DISK: Final = Path("run")


def measure(size: float = 1) -> list[Row]:
    """One row for each size, and for the largest one behind a pool of three links."""
    sizes = [max(1, int(tables * size)) for tables in SIZES]
    most = sizes[-1]
    played = [(tables, None) for tables in sizes] + [(most, LINKS)]
    turns = [
        [_seconds_a_table_hour(tables, most // tables, links) for tables, links in played]
        for _ in range(max(1, int(TURNS * size)))
    ]
    base, *rest = (min(turn[place] for turn in turns) for place in range(len(played)))
    rows = [Row(f"simulated hall of {sizes[0]:,}: processor time a table and hour", f"{base * 1000:.0f} ms")]
    for (tables, links), took in zip(played[1:], rest, strict=True):
        behind = "" if links is None else f" behind {links} links"
        rows.append(
            Row(
                f"simulated hall of {tables:,}{behind}",
                f"{took * 1000:.0f} ms",
                f"hall of {sizes[0]:,}: {base * 1000:.0f} ms",
                f"{took / base:.2f}",
                GOAL if links is None else NONE,
            )
        )
    return rows


def _seconds_a_table_hour(tables: int, halls: int, links: int | None) -> float:
    return sum(_played(tables, seed, links) for seed in range(halls)) / (halls * tables * COUNTED_MS / 3_600_000)


def _played(tables: int, seed: int, links: int | None) -> float:
    """Processor seconds of one hall's counted minutes."""
    DISK.mkdir(exist_ok=True)
    with (
        tempfile.TemporaryDirectory(prefix="bench-", dir=DISK) as folder,
        Ledger.create(Path(folder) / "hall.dalej") as ledger,
    ):
        hall = Hall(
            ledger, load("school-league"), ManualClock(), tables=tables, moves=None, seed=seed, links=links
        )  # fmt: skip
        hall.world.run_until(FIRST_MS)
        started = time.process_time()
        hall.world.run_until(FIRST_MS + COUNTED_MS)
        took = time.process_time() - started
        hall.desk.close()
        return took
