"""Acts on the whole hall: every clock that runs is stopped, and what was stopped so goes on."""

from __future__ import annotations

from typing import Final

from dalej.acts.catalogue import STOPS
from dalej.acts.tables import TableNow, ask, last_of, stands_on, stops_on_their_way, tables_now
from dalej.acts.wishes import Args, Done, Wish, done
from dalej.domain.facts import STOP_REASONS
from dalej.errors import Refused, Unreachable
from dalej.ledger import NO_LINK, REFUSED, Ledger, Request
from dalej.office.event import Event
from dalej.words import N_
from moveclock import facts as k

_ONE_STEP_MS: Final = 2_000
WHY_HALL: Final = N_("the whole hall stops")


def stop_hall(event: Event, wish: Wish) -> Done:
    """Every table that plays, the ones with least time first, because they would lose most by waiting."""
    reason = Args(wish).one_of("reason", STOPS)
    now_ms = event.wall_ms()
    on_way = stops_on_their_way(event.ledger)
    play = [now for now in tables_now(event.ledger) if now.plays and not stands_on(now, last_of(now, on_way))]
    if not play:
        raise Refused(N_("no clock of the hall runs"))
    play.sort(key=lambda now: (now.at.state == k.EXPIRED, now.left_ms(now_ms) or 0, now.table))
    with event.together():
        requests = [ask(event, now, "stop", {"reason": reason}, wish.why or WHY_HALL, alone=False) for now in play]
    return done(N_("The boxes of {count} tables are asked to stop the clock."), count=len(play), requests=requests,
                undo=Wish("resume_hall", {"requests": requests}))  # fmt: skip


def resume_hall(event: Event, wish: Wish) -> Done:
    """What the last stop of the hall stopped and still stands because of it, or will once its box has obeyed: that one
    goes on right after. A dispute or a referee's own stop at a table is left for whoever deals with it.
    """
    args = Args(wish)
    named = args.numbers("requests") if wish.args.get("requests") is not None else None
    asked = _stopped_with_hall(event.ledger, named)
    on_way = stops_on_their_way(event.ledger)  # before the tables: what is answered meanwhile is seen there
    tables = [now for now in tables_now(event.ledger) if now.plays and now.table in asked]
    there = [(now, asked[now.table], last_of(now, on_way)) for now in tables]
    stand = [now for now, stop, last in there if stands_on(now, last) and _stands_so(now, stop)]
    late = [now for now, stop, last in there if last is not None and last.id == stop.id and now.at.state != k.STOPPED]
    if not (stand or late):
        if any(last is not None and last.command == "resume" for _, _, last in there):
            raise Unreachable(N_("the boxes are asked already to let the clocks go on, and have not answered yet"))
        raise Refused(N_("no clock stands that was stopped with the hall"))
    with event.together():
        requests = [ask(event, now, "resume", {}, wish.why, alone=False) for now in (*stand, *late)]
    reason = str(next(iter(asked.values())).args.get("reason"))
    said = N_("The boxes of {count} tables are asked to let the clock go on.")
    if late:
        said = N_("The boxes of {count} tables are asked to let the clock go on; of these, boxes that have not stopped "
                  "it yet and let it go on right after that: {late}.")  # fmt: skip
    return done(said, count=len(requests), late=len(late), requests=requests,
                undo=Wish("stop_hall", {"reason": reason if reason in STOPS else STOPS[0]}))  # fmt: skip


def _stopped_with_hall(ledger: Ledger, named: list[int] | None) -> dict[int, Request]:
    """The stops of one step, by table: those that are `named`, else of the last time the whole hall was stopped."""
    stops = [one for one in ledger.requests_for("stop") if named is None or one.id in named]
    if named is None:
        last = next((one for one in reversed(stops) if _with_others(one, stops)), None)
        stops = [] if last is None else [one for one in stops if _one_step(one, last)]
    outcomes = {one.id: [told.result for told in ledger.outcomes(one.id)] for one in stops}
    return {one.table: one for one in stops if not outcomes[one.id] or outcomes[one.id][-1] not in (REFUSED, NO_LINK)}


def _with_others(one: Request, stops: list[Request]) -> bool:
    return one.why == WHY_HALL or any(other.table != one.table and _one_step(one, other) for other in stops)


def _one_step(one: Request, other: Request) -> bool:
    return (one.who, one.why) == (other.who, other.why) and abs(one.at_ms - other.at_ms) < _ONE_STEP_MS


def _stands_so(now: TableNow, stop: Request) -> bool:
    reason = "" if now.at.reason is None else STOP_REASONS[now.at.reason]
    return reason == stop.args.get("reason")


HANDLERS: Final = {"stop_hall": stop_hall, "resume_hall": resume_hall}
