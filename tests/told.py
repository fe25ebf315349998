"""What a box has told, as a ledger holds it."""

from __future__ import annotations

from dalej.event.ledger import Ledger, Reported
from dalej.event.reading import read
from dalej.event.tables import Tables


def facts_of(ledger: Ledger, box: str, epoch: int | None = None) -> list[Reported]:
    """By epoch in the order in which they were met, then by sequence number."""
    journals = read(ledger).fold(Tables).journals(box)
    return [one for journal in journals if epoch in (None, journal.epoch) for one in journal.facts]
