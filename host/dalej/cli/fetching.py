"""What a box has still to tell about something that is decided on: fetched first, where a desk serves the event."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, TypeVar

from dalej.acts.tables import table_at
from dalej.cli.boxwait import after_a_moment
from dalej.cli.requested import NoDesk, answer
from dalej.clock import SystemClock
from dalej.errors import Refused
from dalej.ledger import APPLIED, FETCH
from dalej.office.event import Event
from dalej.orders import TURN_WITHIN_MS
from dalej.words import _

WITHIN_MS: Final = TURN_WITHIN_MS + 5_000  # a desk gives up before this
_Made = TypeVar("_Made")


def once_told(held: Event, table: int, decide: Callable[[], _Made]) -> _Made:
    """What `decide` makes; if it is Refused, once more with what the table's box had still to tell."""
    try:
        return decide()
    except Refused:
        if not _fetched(held, table):
            raise
    return decide()


def _fetched(held: Event, table: int) -> bool:
    found = table_at(held.ledger, table)
    if found is None or held.ledger.lease.holder(held.wall_ms()) is None:
        return False
    asked = held.ledger.request(table, FETCH, {}, who=held.who, at_ms=held.wall_ms(), box=found.box)
    with after_a_moment(_("one moment: the box of table {table} is asked what happened …").format(table=table)):
        try:
            outcome = answer(held.ledger, asked.id, SystemClock(), WITHIN_MS)
        except NoDesk:
            return False
    return outcome is not None and outcome.result == APPLIED
