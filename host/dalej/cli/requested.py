"""What becomes of a command that the event's desk was asked to have a box carry out; and what a box has still to tell
about something that is decided on, fetched first.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, TypeVar

from dalej.cli.terminal import after_a_moment
from dalej.clock import SystemClock
from dalej.desk.requests import TURN_WITHIN_MS
from dalej.errors import Refused
from dalej.event.event import Event
from dalej.event.ledger import APPLIED, FETCH, SENT, Ledger, Outcome
from dalej.office.acts.attable import table_at
from dalej.words import _

_LOOK_MS: Final = 100
_DESK_EVERY: Final = 20  # looks: whether the desk is still there


class NoDesk(Exception):
    """Nobody serves the event any more, who would carry it out."""


def answer(ledger: Ledger, number: int, clock: SystemClock, within_ms: int) -> Outcome | None:
    """The box's word, or the desk's that it has no link; None if there is none in that time. NoDesk as it says."""
    end_ms, looks = clock.now_ms() + within_ms, 0
    while True:
        last = next((one for one in reversed(ledger.outcomes(number)) if one.result != SENT), None)
        if last is not None:
            return last
        looks += 1
        if looks % _DESK_EVERY == 0 and ledger.lease.holder(clock.wall_ms()) is None:
            raise NoDesk
        if clock.now_ms() >= end_ms:
            return None
        clock.sleep_ms(_LOOK_MS)


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
    found = table_at(held.read(), table)
    if found is None or held.ledger.lease.holder(held.wall_ms()) is None:
        return False
    asked = held.ledger.request(table, FETCH, {}, who=held.who, at_ms=held.wall_ms(), box=found.box)
    with after_a_moment(_("one moment: the box of table {table} is asked what happened …").format(table=table)):
        try:
            outcome = answer(held.ledger, asked.id, SystemClock(), WITHIN_MS)
        except NoDesk:
            return False
    return outcome is not None and outcome.result == APPLIED
