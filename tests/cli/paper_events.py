"""Writes the events of `tests.office.paper.events` into event files."""

from __future__ import annotations

from pathlib import Path

from dalej.event.ledger import Draft, Ledger
from tests.office.paper.events import NOON_MS, Written


def write(path: Path, written: Written) -> Path:
    """The decisions as their own event file."""
    with Ledger.create(path) as ledger:
        ledger.decide_together(
            [Draft(kind, body, subject) for kind, body, subject in written.drafts],
            who="Sowa", when_ms=NOON_MS, why="as the rules say",
        )  # fmt: skip
    return path
