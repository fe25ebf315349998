"""Acts on results: entered in the notation of `dalej.office.notation`, corrected, confirmed, taken back."""

from __future__ import annotations

from typing import Final

from dalej.domain.tournament.tournament import CONFIRMED, NOT_PLAYED, GameAt, Round
from dalej.errors import DalejError, WrongInput
from dalej.event.event import Change, Event, Seen
from dalej.event.ledger import Decision
from dalej.office import results
from dalej.office.acts.catalogue import ENDS
from dalej.office.acts.restoring import own_undo
from dalej.office.acts.wishes import Args, Done, Wish, cursors, done
from dalej.office.grounds import decided_from
from dalej.office.history import expect_none_newer
from dalej.office.notation import Entry, rack
from dalej.office.results import WHOLE, Correction, prepared
from dalej.office.rounds import together
from dalej.words import N_


def enter_result(event: Event, wish: Wish) -> Done:
    """What lies on the racks of one game; where the box knows more, that is filled in and said."""
    return _enter(event, wish, None)


def correct_result(event: Event, wish: Wish) -> Done:
    """Another result in the place of the one that is there."""
    return _enter(event, wish, Correction(wish.why))


def confirm_result(event: Event, wish: Wish) -> Done:
    """A second person has looked at the results of a table as they stood at `seen`."""
    args = Args(wish)
    one = _round(event, args)
    key, table = one.key, args.table

    def plan(seen: Seen) -> Change:
        expect_none_newer(seen, wish.seen, event.who, lambda made: _of_table(made, one, table))
        return results.confirm(seen.state, key, table, event.who)

    made = event.change_seen(plan)
    return done(N_("The results of table {table} are confirmed."), table=table, decisions=[made[0].cursor],
                undo=own_undo(made, wish))  # fmt: skip


def reopen_result(event: Event, wish: Wish) -> Done:
    """The result of a game, or of all games of the table, is taken back, and with it that it was confirmed."""
    args = Args(wish)
    table, game = args.table, args.maybe("game", 1) or WHOLE
    one = _round(event, args)

    def plan(seen: Seen) -> Change:
        expect_none_newer(seen, wish.seen, event.who, lambda made: _of_table(made, one, table))
        return results.reopen(seen, one.key, table, game, wish.why)

    made = event.change_seen(plan)
    said = N_("The results of table {table} are taken back.")
    if game != WHOLE:
        said = N_("Table {table}, game {game}: the result is taken back.")
    return done(said, table=table, game=game, decisions=cursors(made))


def _enter(event: Event, wish: Wish, correction: Correction | None) -> Done:
    args = Args(wish)
    told = args.texts("racks")
    ended = None if wish.args.get("ended") is None else args.one_of("ended", ENDS)
    one = _round(event, args)
    at = GameAt(args.table, args.number("game"))
    seats = results.seats_of(results.table_of(one, at.table))
    for seat in told:
        if seat not in seats:
            raise WrongInput(N_("nobody sits at table {table}, seat {seat}; expected {seats}"),
                             table=at.table, seat=seat, seats=", ".join(seats))  # fmt: skip
    why = wish.why if ended == NOT_PLAYED else ""
    entry = Entry(ended, tuple(rack(seat, text) for seat, text in told.items()), args.text("ruling", ""), why)
    if correction is None:
        results.expect_not_played(entry, at)
    ready = prepared(event, one, at, entry)
    remarks = [*ready.remarks, *ready.doubts]
    subject = results.subject_of(one.key, at)

    def plan(seen: Seen) -> Change:
        expect_none_newer(seen, wish.seen, event.who, lambda made: made.subject == subject)
        return results.enter(seen.state, one.key, {at: ready.entry}, correction)

    made = event.change_seen(plan)
    after = event.state()
    remarks += results.remarks(after, after.rounds[one.key], at)
    if correction is not None:
        remarks += [each.told for each in decided_from(event.seen(), one.key)]
    said = N_("Table {table}, game {game}: the result is entered.")
    if correction is not None:
        said = N_("Table {table}, game {game}: the result is corrected.")
    undo = own_undo(made, wish)
    first = DalejError(said, table=at.table, game=at.game)
    if not remarks:
        return done(said, table=at.table, game=at.game, decisions=[made[0].cursor], undo=undo)
    return done("{said} ({remarks})", said=first, remarks=together(remarks), decisions=[made[0].cursor], undo=undo)


def _round(event: Event, args: Args) -> Round:
    return results.which(event.state(), args.text("round", "") or None)


def _of_table(made: Decision, one: Round, table: int) -> bool:
    where = f"{one.key.stage}:{one.key.round}:{table}"
    subject = made.subject or ""
    return subject == f"{CONFIRMED}:{where}" or subject.startswith(f"result:{where}:")


HANDLERS: Final = {
    "enter_result": enter_result, "correct_result": correct_result, "confirm_result": confirm_result,
    "reopen_result": reopen_result,
}  # fmt: skip
