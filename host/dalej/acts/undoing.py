"""The act that takes back any decision of the tournament office; what an organiser decides comes with a wish for it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from dalej.acts.wishes import Args, Done, Wish, cursors, done, taken_back
from dalej.ledger import Decision
from dalej.office.event import Event
from dalej.office.history import names_in, tell
from dalej.office.undo import proposed
from dalej.office.undo import undo as take_back
from dalej.words import N_


def undo(event: Event, wish: Wish) -> Done:
    """The decision of that number with the rest of its step, or the latest step."""
    number = Args(wish).maybe("number", 1)
    expected = proposed(event, number)
    before = event.ledger.head()
    taken = take_back(event, number, wish.why, expected).decisions
    names = names_in(event.ledger.decisions())
    made = cursors(one for one in event.ledger.decisions() if one.cursor > before)
    return done(N_("Taken back: {decision} (number {number})."), number=taken[-1].cursor,
                decision="; ".join(tell(one, names) for one in taken[:3]), decisions=made)  # fmt: skip


def undoable(template: str, made: Sequence[Decision], wish: Wish, **data: Any) -> Done:
    """What was decided in one step, and the wish that takes the step back; nothing decided: there is none."""
    undo_wish = Wish("undo", {"number": made[-1].cursor}, taken_back(wish.why)) if made else None
    return done(template, decisions=cursors(made), undo=undo_wish, **data)


HANDLERS: Final = {"undo": undo}
