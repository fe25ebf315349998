"""The act that takes back any decision of the tournament office; what an organiser decides comes with a wish for it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from dalej.domain.tournament.tournament import MOVED, SEATING
from dalej.errors import DalejError
from dalej.event.event import Event, imagined
from dalej.event.ledger import Decision, Json
from dalej.office.acts.waiting import with_moved_up
from dalej.office.acts.wishes import Args, Done, Wish, cursors, done, taken_back
from dalej.office.history import names_in, told_together
from dalej.office.reseating import places_again, seated_otherwise_in_round
from dalej.office.rounds import together
from dalej.office.undo import Undoing, mending_drafts, proposed
from dalej.office.undo import undo as take_back
from dalej.words import N_

_TOLD: Final = 3  # decisions, or players, that are told one by one


def undo(event: Event, wish: Wish) -> Done:
    """The decision of that number with the rest of its step, or the latest step. `playing`: tables that are known to
    play while others sit there again.
    """
    args = Args(wish)
    number = args.maybe("number", 1)
    undoing = proposed(event, number)
    seated = _seated_again(event, undoing)
    before = event.read().head
    taken = take_back(event, number, wish.why, undoing, args.tables("playing")).decisions
    decisions = event.read().decisions()
    names = names_in(decisions)
    made = cursors(one for one in decisions if one.cursor > before)
    what = together(seated) if 0 < len(seated) <= _TOLD else told_together(taken[:_TOLD], names)
    undone = done(
        N_("Taken back: {decision} (number {number})."), number=taken[-1].cursor, decision=what, decisions=made
    )
    return with_moved_up(event, undone)


def undoable(template: str, made: Sequence[Decision], wish: Wish, **data: Any) -> Done:
    """What was decided in one step, and the wish that takes the step back; nothing decided: there is none. Tables that
    were known to play then are known so still.
    """
    undo_wish = None
    if made:
        args: dict[str, Json] = {"number": made[-1].cursor}
        if playing := wish.args.get("playing"):
            args["playing"] = playing
        undo_wish = Wish("undo", args, taken_back(wish.why))
    return done(template, decisions=cursors(made), undo=undo_wish, **data)


def _seated_again(event: Event, undoing: Undoing) -> list[DalejError]:
    """Who would sit where again without a seating that was changed by hand."""
    seatings = [one for one in undoing.decisions if one.kind == SEATING]
    if not seatings or any(one.body.get("how") != MOVED for one in seatings):
        return []
    try:
        seen = event.seen()
        after = imagined(seen, mending_drafts(seen.decisions, undoing.decisions))
    except DalejError:
        return []  # what is wrong is said, or mended, by taking it back
    return places_again(seen.state, after) if seated_otherwise_in_round(seen.state, after) else []


HANDLERS: Final = {"undo": undo}
