"""Acts on clocks: of one table, of the whole hall, and sending boxes the settings as they are now. Each asks a box
for a command, with the game and move that are meant; those that rest get settings, for a box in a game takes none.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from dalej.domain.game.commands import MS_MOST
from dalej.domain.game.facts import SEATS, STOP_REASONS, seat_name
from dalej.domain.game.positions import Position
from dalej.domain.game.sentences import seconds_said
from dalej.domain.tournament.tournament import Round, Tournament
from dalej.errors import Refused, Unreachable
from dalej.event.event import Event
from dalej.event.ledger import FETCH, NO_LINK, REFUSED, Json, Request
from dalej.event.reading import Reading
from dalej.event.roundgames import games_of_round
from dalej.event.tableplans import CONFIGURE, TablePlan, plans_of, renewed, settings_given
from dalej.office import rounds
from dalej.office.acts.catalogue import STOPS
from dalej.office.acts.restoring import as_it_was
from dalej.office.acts.tables import (
    OTHER_GAME,
    TableNow,
    ask,
    asked,
    expect_can,
    expect_not_asked,
    expect_settled,
    expect_unmoved,
    last_of,
    stands_on,
    stops_on_their_way,
    table_at,
    table_now,
    tables_now,
)
from dalej.office.acts.wishes import Args, Done, Wish, done, taken_back
from dalej.words import N_
from moveclock import facts as k


def stop(event: Event, wish: Wish) -> Done:
    """The clock of a table stands, because of a referee, a dispute or a break of the round. One that was asked to go on
    and has not answered stands again right after.
    """
    args = Args(wish)
    reason = args.one_of("reason", STOPS)
    on_way = stops_on_their_way(event.read())
    now = table_now(event, args.table)
    expect_can(now, "stop")
    last = last_of(now, on_way)
    request = ask(event, now, "stop", {"reason": reason}, wish.why, alone=last is None or last.command == "stop")
    undo = None if stands_on(now, last) else Wish("resume", {"table": now.table})
    return asked(event, now, N_("Table {table}: its box is asked to stop the clock."), [request], undo)


def resume(event: Event, wish: Wish) -> Done:
    """The clock goes on where it was stopped; if the box has not answered to the stop, as soon as it has stopped."""
    on_way = stops_on_their_way(event.read())  # before the table: what is answered meanwhile is seen there
    now = table_now(event, Args(wish).table)
    last = last_of(now, on_way)
    if last is None or not now.plays:
        if now.plays and now.at.state != k.STOPPED:
            raise Refused(N_("table {table}: its clock runs"), table=now.table)
        expect_can(now, "resume")
    behind = last is not None and last.command == "stop"
    request = ask(event, now, "resume", {}, wish.why, alone=not behind)
    reason: object = STOP_REASONS[now.at.reason] if now.at.reason is not None else STOPS[0]
    if behind and last is not None:
        reason = last.args.get("reason")
    undo = Wish("stop", {"table": now.table, "reason": str(reason) if reason in STOPS else STOPS[0]})
    said = N_("Table {table}: its box is asked to let the clock go on.")
    if behind and now.at.state != k.STOPPED:
        said = N_("Table {table}: its box has not stopped the clock yet; it is asked to let it go on right after that.")
    return asked(event, now, said, [request], undo)


def set_time(event: Event, wish: Wish) -> Done:
    """So much is left of the move."""
    ms = Args(wish).number("ms", 0, MS_MOST)
    now = _meant(event, wish, "set_remaining")
    request = ask(event, now, "set_remaining", {"ms": ms}, wish.why)
    return asked(event, now, N_("Table {table}: its box is asked to leave {seconds} s of the move."), [request],
                 _time_before(event, now, wish), seconds=seconds_said(ms))  # fmt: skip


def give_time(event: Event, wish: Wish) -> Done:
    """So much more than was left."""
    ms = Args(wish).number("ms", 1, MS_MOST)
    now = _meant(event, wish, "give_time")
    request = ask(event, now, "give_time", {"ms": ms}, wish.why)
    return asked(event, now, N_("Table {table}: its box is asked to give {seconds} s more."), [request],
                 _time_before(event, now, wish), seconds=seconds_said(ms))  # fmt: skip


def restart_move(event: Event, wish: Wish) -> Done:
    """The move begins anew with its full time."""
    now = _meant(event, wish, "restart_move")
    request = ask(event, now, "restart_move", {}, wish.why)
    return asked(event, now, N_("Table {table}: its box is asked to begin the move anew."), [request],
                 as_it_was(now, wish))  # fmt: skip


def set_seat(event: Event, wish: Wish) -> Done:
    """It is this seat's move; before the first one, this seat starts."""
    seat = Args(wish).one_of("seat", SEATS)
    now = _meant(event, wish, "set_seat")
    dealt = now.at.seats & ~now.at.out
    if dealt and not dealt >> SEATS.index(seat) & 1:
        raise Refused(N_("table {table}: seat {seat} does not play"), table=now.table, seat=seat)
    request = ask(event, now, "set_seat", {"seat": seat}, wish.why)
    before = seat_name(now.at.starter if now.at.state == k.READY else now.at.seat)
    undo = None
    if before is not None and now.at.late:
        undo = as_it_was(now, wish)  # the move that waited for its verdict is over then
    elif before is not None:
        undo = _undo("set_seat", now, wish, seat=before)
    return asked(event, now, N_("Table {table}: its box is asked to give the move to seat {seat}."), [request], undo,
                 seat=seat)  # fmt: skip


def set_bank(event: Event, wish: Wish) -> Done:
    """So many tiles are left."""
    tiles = Args(wish).number("tiles", 0, 106)
    now = _meant(event, wish, "set_bank")
    request = ask(event, now, "set_bank", {"tiles": tiles}, wish.why)
    undo = None if now.at.bank is None else _undo("set_bank", now, wish, tiles=now.at.bank)
    if not tiles or now.at.lap_reason is not None:
        undo = as_it_was(now, wish)  # the final lap begins or ends with it
    return asked(event, now, N_("Table {table}: its box is asked to count {tiles} tiles in the bank."), [request], undo,
                 tiles=tiles)  # fmt: skip


def blink(event: Event, wish: Wish) -> Done:
    """So that people find the box."""
    now = table_now(event, Args(wish).table)
    request = ask(event, now, "blink", {}, wish.why)
    return asked(event, now, N_("Table {table}: its box is asked to blink."), [request])


def fetch(event: Event, wish: Wish) -> Done:
    """The desk sees to it that what the box has to tell is recorded now, before what other boxes have."""
    now = table_now(event, Args(wish).table)
    asked = next((one for one in event.read().open_requests() if (one.command, one.table) == (FETCH, now.table)), None)
    if asked is None:
        asked = event.ledger.request(
            now.table, FETCH, {}, who=event.who, at_ms=event.wall_ms(), why=wish.why, box=now.box
        )
    return done(N_("Table {table}: its box is asked for what it has to tell."), table=now.table, requests=[asked.id])


def _meant(event: Event, wish: Wish, command: str) -> TableNow:
    """The table, where the person saw it, and in a state in which its box obeys."""
    now = table_now(event, Args(wish).table)
    expect_not_asked(event, now, command)
    expect_settled(event, now, OTHER_GAME)
    expect_unmoved(now, wish)
    expect_can(now, command)
    return now


def _time_before(event: Event, now: TableNow, wish: Wish) -> Wish | None:
    if now.at.late or now.at.late is None:
        return as_it_was(now, wish)
    left = now.left_ms(event.wall_ms())
    return None if left is None else _undo("set_time", now, wish, ms=left)


def _undo(act: str, now: TableNow, wish: Wish, **args: Json) -> Wish:
    where: Mapping[str, Json] = {"table": now.table, "game": now.at.game, "move": now.at.move}
    return Wish(act, {**where, **args}, why=taken_back(wish.why))


_ONE_STEP_MS: Final = 2_000
WHY_HALL: Final = N_("the whole hall stops")


def stop_hall(event: Event, wish: Wish) -> Done:
    """Every table that plays, the ones with least time first, because they would lose most by waiting."""
    reason = Args(wish).one_of("reason", STOPS)
    now_ms = event.wall_ms()
    on_way = stops_on_their_way(event.read())
    play = [now for now in tables_now(event.read()) if now.plays and not stands_on(now, last_of(now, on_way))]
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
    asked = _stopped_with_hall(event.read(), named)
    on_way = stops_on_their_way(event.read())  # before the tables: what is answered meanwhile is seen there
    tables = [now for now in tables_now(event.read()) if now.plays and now.table in asked]
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


def _stopped_with_hall(reading: Reading, named: list[int] | None) -> dict[int, Request]:
    """The stops of one step, by table: those that are `named`, else of the last time the whole hall was stopped."""
    asked = {one.request.id: one for one in reading.asked() if one.request.command == "stop"}
    stops = [one.request for number, one in asked.items() if named is None or number in named]
    if named is None:
        last = next((one for one in reversed(stops) if _with_others(one, stops)), None)
        stops = [] if last is None else [one for one in stops if _one_step(one, last)]
    return {one.table: one for one in stops if asked[one.id].result not in (REFUSED, NO_LINK)}


def _with_others(one: Request, stops: list[Request]) -> bool:
    return one.why == WHY_HALL or any(other.table != one.table and _one_step(one, other) for other in stops)


def _one_step(one: Request, other: Request) -> bool:
    return (one.who, one.why) == (other.who, other.why) and abs(one.at_ms - other.at_ms) < _ONE_STEP_MS


def _stands_so(now: TableNow, stop: Request) -> bool:
    reason = "" if now.at.reason is None else STOP_REASONS[now.at.reason]
    return reason == stop.args.get("reason")


def send_settings(event: Event, wish: Wish) -> Done:
    """Every box of the round that goes by other settings and rests is asked to take these; `table`: only that one."""
    only = Args(wish).maybe("table", 1, 9_999)
    state = event.state()
    one = rounds.seated(state)
    reading = event.read()
    given = settings_given(reading, state, games_of_round(reading, state, one.key))
    known = {table.table: table for table in given if only in (None, table.table)}
    if not known:
        raise Refused(N_("there is no table {table} in this round"), table=only)
    lacking = {number: table for number, table in known.items() if table.lacks}
    if not lacking:
        raise Refused(N_("no box has to be sent anything: each has the settings, waits for its answer, or has no game"))
    playing = [number for number, table in lacking.items() if table.plays]
    now = [plan for plan in plans_of(reading, state, one) if plan.number in lacking and plan.number not in playing]
    if not now:
        raise Refused(
            N_("tables {tables} are in a game: a box takes other settings only between games"),
            tables=", ".join(map(str, playing)),
        )
    with event.together():
        requests = [_ask(event, state, plan, known[plan.number].box, one, wish.why) for plan in now]
    data: dict[str, Any] = {
        "tables": ", ".join(str(plan.number) for plan in now),
        "playing": ", ".join(map(str, playing)),
    }
    said = N_("Asked to take the settings: the boxes of tables {tables}.")
    if playing:
        said = N_("Asked to take the settings: the boxes of tables {tables}. In a game, to be sent later: {playing}.")
    return done(said, requests=requests, **data)


def _ask(event: Event, state: Tournament, plan: TablePlan, box: str, one: Round, why: str) -> int:
    found = table_at(event.read(), plan.number)
    at = Position() if found is None else found.at
    return event.ledger.request(
        plan.number, CONFIGURE, dict(renewed(plan, state.ruleset, at)), who=event.who, at_ms=event.wall_ms(),
        why=why or f"round {one.key.round}: settings changed", box=box,
    ).id  # fmt: skip


HANDLERS: Final = {
    "stop": stop,
    "resume": resume,
    "set_time": set_time,
    "give_time": give_time,
    "restart_move": restart_move,
    "set_seat": set_seat,
    "set_bank": set_bank,
    "blink": blink,
    "fetch": fetch,
    "stop_hall": stop_hall,
    "resume_hall": resume_hall,
    "send_settings": send_settings,
}
