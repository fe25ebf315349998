"""Processor time that seating and ranking take, at 32, 320 and 3 200 players, against sorting as many totals.

Sorting the same totals by their points is the baseline: what the cheapest way to a ranking costs in the same run. A
job's growth is its ratio to the largest field's n log n, so that more than 1 is worse than n log n; from 320 players
on, because below that what a call costs by itself hides the rest.
"""

from __future__ import annotations

import gc
import math
import time
from collections import Counter
from collections.abc import Callable
from itertools import combinations
from random import Random
from typing import Final

from bench.row import NONE, Row
from dalej.domain.tournament.seating import by_lot, by_rank, fresh_lot, sizes
from dalej.domain.tournament.standings import Total, rank

FIELDS: Final = (32, 320, 3_200)
LEAST: Final = 16  # players: below four tables opponents must meet again
TURNS: Final = 30  # of the largest field; the fastest counts
SEED: Final = 3
GOAL: Final = "≤ 1.25"

Job = Callable[[], object]


def measure(size: float = 1) -> list[Row]:
    """For each job a row for every number of players, and one for its growth."""
    fields = [max(LEAST, int(players * size)) for players in FIELDS]
    turns = max(1, int(TURNS * size))
    took = {players: _fastest(_jobs(players), turns, fields[-1] // players) for players in fields}
    rows: list[Row] = []
    for job in took[fields[0]]:
        for players in fields:
            sorting, seconds = took[players]["sort"], took[players][job]
            against = (NONE, NONE) if job == "sort" else (f"sorting {_shown(sorting)}", f"{seconds / sorting:.1f}")
            rows.append(Row(f"{job}: {players:,} players", _shown(seconds), *against))
        rows.append(_growth(job, fields[-2], took[fields[-2]][job], fields[-1], took[fields[-1]][job]))
    return rows


def _jobs(players: int) -> dict[str, Job]:
    random = Random(SEED)
    everybody = range(1, players + 1)
    table_sizes = sizes(players, 3, 4)
    totals = [Total(player, random.randint(0, 8), random.randint(-400, 400), 4) for player in everybody]
    first_round = by_lot(everybody, table_sizes, random)
    met = Counter(frozenset(pair) for table in first_round for pair in combinations(table, 2))
    order = [line.player for line in rank(totals, "big_then_small")]
    return {
        "sort": lambda: sorted(totals, key=lambda total: (total.big, total.small)),
        "rank": lambda: rank(totals, "big_then_small"),
        "seat by rank": lambda: by_rank(order, sizes(players, 3, 4)),
        "seat by lot": lambda: by_lot(everybody, sizes(players, 3, 4), random),
        "seat by a fresh lot": lambda: fresh_lot(everybody, sizes(players, 3, 4), met, random),
    }


def _fastest(jobs: dict[str, Job], turns: int, times: int) -> dict[str, float]:
    """Seconds of each job, done so many times a turn; the jobs take turns. Garbage is collected between turns: how
    much there is to look through is the whole process's affair.
    """
    best = dict.fromkeys(jobs, math.inf)
    gc.disable()
    try:
        for _ in range(turns):
            gc.collect()
            for name, job in jobs.items():
                started = time.process_time_ns()
                for _ in range(times):
                    job()
                best[name] = min(best[name], (time.process_time_ns() - started) / times / 1e9)
    finally:
        gc.enable()
    return {name: max(seconds, 1e-9) for name, seconds in best.items()}


def _growth(job: str, few: int, took_few: float, many: int, took_many: float) -> Row:
    expected = took_few * (many * math.log(many)) / (few * math.log(few))
    return Row(
        f"{job}: growth from {few:,} to {many:,} players",
        _shown(took_many),
        f"n log n {_shown(expected)}",
        f"{took_many / expected:.2f}",
        GOAL,
    )


def _shown(seconds: float) -> str:
    return f"{seconds * 1000:.3f} ms"
