"""The same work by what people would pick instead, in one run: the rows of the bench that have such a baseline."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Final

from bench import air, centre, core, ledger, phones
from bench.row import NONE, Row
from proof.campaign import Outcome

SIZE: Final = 0.2  # of the bench's own
MEASURED: Final[Sequence[Callable[[float], list[Row]]]] = (
    ledger.measure, air.measure, centre.measure, phones.measure, core.measure,
)  # fmt: skip
PLAIN: Final = ("raw sqlite3", "bare notification", "executemany", "bare echo", core.PLAIN)
"""Of their rows those that are against a library alone, by the words of the baseline; where there is no PostgreSQL, its
rows are missing.
"""


def side_by_side(seed: int) -> Outcome:
    """`seed` changes nothing: this measures time, and time is never the same twice."""
    del seed
    rows = [(row.what, row.value, row.baseline, row.ratio) for row in _rows()]
    return Outcome({"measurements": len(rows)}, beside=rows)


def _rows() -> Iterator[Row]:
    for measure in MEASURED:
        for row in measure(SIZE):
            if row.ratio != NONE and any(name in row.baseline for name in PLAIN):
                yield row
