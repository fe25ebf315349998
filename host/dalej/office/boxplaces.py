"""Which box is meant to stand on which table, as organisers decide it, whether or not the box is heard just now.

The desk that holds the links turns each of these into an `assign` decision (with the epoch and sequence number from
which the box's facts count) as soon as it has met the box: see `dalej.running`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from dalej.ledger import Ledger

STAND: Final = (
    "stand"  # kind: {"table", "box" (hex uid), "from": "now" | "all", "goes_on": bool}, subject "stand:TABLE"
)
NOW: Final = "now"
ALL: Final = "all"


@dataclass(frozen=True, slots=True)
class BoxPlace:
    """`since`: NOW, the box's facts count from when the desk meets it, or ALL, everything it holds. `goes_on`: it takes
    over the game that the table's box before it has not ended. `cursor`: of the decision.
    """

    table: int
    box: str
    since: str
    goes_on: bool
    cursor: int


def place(
    ledger: Ledger, table: int, box: str, *, since: str, goes_on: bool, who: str, when_ms: int, why: str
) -> BoxPlace:
    """Decide that a box stands on a table; a box stands on one table, a table has one box."""
    raise NotImplementedError


def take_away(ledger: Ledger, box: str, *, who: str, when_ms: int, why: str) -> None:
    """Decide that a box stands on no table any more. Refused if it does not stand on any."""
    raise NotImplementedError


def places(ledger: Ledger) -> Sequence[BoxPlace]:
    """Those that hold now, by table."""
    raise NotImplementedError
