"""Boxes put on tables, and taken away, in a ledger."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from dalej.event.boxplaces import ALL, NOW, BoxPlace, Moved, Wish, decide, places
from dalej.event.event import Event, at_once
from dalej.event.ledger import Ledger
from dalej.event.reading import read

__all__ = ["ALL", "NOW", "decided", "place", "standing", "take_away"]


def decided(
    ledger: Ledger,
    plan: Callable[[Sequence[BoxPlace]], Sequence[Wish]],
    *,
    who: str,
    when_ms: int,
    why: str,
    pause: Callable[[int], None] = at_once,
) -> Moved:
    """What `plan` wishes."""
    return decide(Event(ledger, who=who, wall_ms=lambda: when_ms, pause=pause), plan, why)


def place(
    ledger: Ledger, table: int, box: str, *, since: str, goes_on: bool, who: str, when_ms: int, why: str, name: str = ""
) -> BoxPlace:
    """The box stands on that table."""
    wish = Wish(box, table, since, goes_on, name)
    moved = decided(ledger, lambda _: [wish], who=who, when_ms=when_ms, why=why)
    return next(one for one in moved.after if one.box == box)


def take_away(ledger: Ledger, box: str, *, who: str, when_ms: int, why: str) -> None:
    """The box stands on no table any more."""
    decided(ledger, lambda _: [Wish(box, None)], who=who, when_ms=when_ms, why=why)


def standing(file: str) -> dict[int, str]:
    """What the box of each table is called, in the event of that file."""
    with Ledger.open(file) as ledger:
        return {one.table: one.called for one in places(read(ledger))}
