"""Acts on the whole hall: every clock that runs is stopped, and what was stopped so goes on."""

from __future__ import annotations

from typing import Final

from dalej.acts.catalogue import STOPS
from dalej.acts.tables import TableNow, ask, tables_now
from dalej.acts.wishes import Args, Done, Wish, done
from dalej.domain.facts import STOP_REASONS
from dalej.errors import Refused
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
    play = [now for now in tables_now(event.ledger) if now.plays and now.at.state != k.STOPPED]
    if not play:
        raise Refused(N_("no clock of the hall runs"))
    play.sort(key=lambda now: (now.at.state == k.EXPIRED, now.left_ms(now_ms) or 0, now.table))
    with event.together():
        requests = [ask(event, now, "stop", {"reason": reason}, wish.why or WHY_HALL, alone=False) for now in play]
    return done(N_("The boxes of {count} tables are asked to stop the clock."), count=len(play), requests=requests,
                undo=Wish("resume_hall", {"requests": requests}))  # fmt: skip


def resume_hall(event: Event, wish: Wish) -> Done:
    """What the last stop of the hall stopped and still stands because of it; a dispute or a referee's own stop at a
    table is left for whoever deals with it.
    """
    args = Args(wish)
    named = args.numbers("requests") if wish.args.get("requests") is not None else None
    asked = _stopped_with_hall(event.ledger, named)
    stand = [now for now in tables_now(event.ledger) if now.plays and _stands_so(now, asked.get(now.table))]
    if not stand:
        raise Refused(N_("no clock stands that was stopped with the hall"))
    with event.together():
        requests = [ask(event, now, "resume", {}, wish.why, alone=False) for now in stand]
    reason = str(next(iter(asked.values())).args.get("reason"))
    said = N_("The boxes of {count} tables are asked to let the clock go on.")
    return done(said, count=len(stand), requests=requests,
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


def _stands_so(now: TableNow, asked: Request | None) -> bool:
    reason = "" if now.at.reason is None else STOP_REASONS[now.at.reason]
    return asked is not None and now.at.state == k.STOPPED and reason == asked.args.get("reason")


HANDLERS: Final = {"stop_hall": stop_hall, "resume_hall": resume_hall}
