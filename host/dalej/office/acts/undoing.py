"""The act that takes back any decision of the tournament office; what an organiser decides comes with a wish for it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Annotated, Final

from msgspec import Meta

from dalej.domain.tournament.tournament import MOVED, SEATING
from dalej.errors import DalejError, Sayable
from dalej.event.event import Event, imagined
from dalej.event.ledger import Decision
from dalej.office.acts.act import Act, Asked, Count, Tables
from dalej.office.acts.sight import Sight, decision_named
from dalej.office.acts.wishes import Done, Wish, cursors, done, taken_back
from dalej.office.decisionwords import names_in, told_together
from dalej.office.reseating import places_again, seated_otherwise_in_round
from dalej.office.rounds import copies, together
from dalej.office.undo import Undoing, expect_shown, mending_drafts, proposed
from dalej.office.undo import undo as take_back
from dalej.words import N_

_TOLD: Final = 3  # decisions, or players, that are told one by one


class Undo(Act, frozen=True):
    """The decision of that number with the rest of its step, or the latest step. `playing`: tables that are known to
    play while others sit there again; `shown`: what was shown to be taken back, and nothing else is.
    """

    name = "undo"
    title = N_("take a decision back")
    about = "decision"
    why = True
    confirm = N_("Decision {number} is taken back: {decision}.")
    number: Annotated[int, Meta(ge=1), Asked("number", N_("number"))] | None = None
    playing: Tables = ()
    shown: tuple[Count, ...] = ()

    @classmethod
    def touched(cls, args: Mapping[str, object], sight: Sight) -> Mapping[str, object]:
        return decision_named(args, sight)

    def do(self, event: Event, wish: Wish) -> Done:
        undoing = proposed(event, self.number)
        if self.shown:
            expect_shown(undoing.decisions, self.shown)
        seated = _seated_again(event, undoing)
        before = event.read().head
        taken = take_back(event, self.number, wish.why, undoing, self.playing).decisions
        decisions = event.read().decisions()
        names = names_in(decisions)
        uncopied = copies(event, taken) if _can_be_read(event) else None
        made = cursors(one for one in decisions if one.cursor > before)
        what = together(seated) if 0 < len(seated) <= _TOLD else told_together(taken[:_TOLD], names)
        said = N_("Taken back: {decision} (number {number}).")
        if len(taken) > _TOLD and len(seated) not in range(1, _TOLD + 1):
            said = N_("Taken back: {decision} … and {more} more (the last is number {number}).")
        data: dict[str, Sayable] = {"number": taken[-1].cursor, "decision": what, "more": len(taken) - _TOLD}
        if uncopied is None:
            return Done(said, data, tuple(made))
        return done("{said} ({remark})", said=DalejError(said, **data), remark=uncopied, decisions=made)


def undoable(template: str, made: Sequence[Decision], wish: Wish, /, **data: Sayable) -> Done:
    """What was decided in one step, and the wish that takes the step back; nothing decided: there is none. Tables that
    were known to play then are known so still.
    """
    undo = None
    if made:
        playing = wish.args.get("playing")
        known = tuple(playing) if isinstance(playing, list | tuple) and playing else ()
        undo = Undo(made[-1].cursor, known).wish(taken_back(wish.why))
    return Done(template, data, tuple(cursors(made)), undo=undo)


def _can_be_read(event: Event) -> bool:
    try:
        event.state()
    except DalejError:
        return False
    return True


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
