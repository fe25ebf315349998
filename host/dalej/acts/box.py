"""Acts on a table's clock: each asks its box for a command, with the game and move that are meant.

The box answers with a fact; what became of the command is read from the ledger (`Outcome`). What takes an act back is
worked out from where the table stood when it was done. A stop is meant now, wherever the table has come to.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from dalej.acts.catalogue import STOPS
from dalej.acts.restoring import as_it_was
from dalej.acts.tables import (
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
    table_now,
)
from dalej.acts.wishes import Args, Done, Wish, done, taken_back
from dalej.domain.commands import MS_MOST
from dalej.domain.facts import SEATS, STOP_REASONS, seat_name
from dalej.errors import Refused
from dalej.ledger import FETCH, Json
from dalej.office.event import Event
from dalej.telling import seconds_said
from dalej.words import N_
from moveclock import facts as k


def stop(event: Event, wish: Wish) -> Done:
    """The clock of a table stands, because of a referee, a dispute or a break of the round. One that was asked to go on
    and has not answered stands again right after.
    """
    args = Args(wish)
    reason = args.one_of("reason", STOPS)
    on_way = stops_on_their_way(event.ledger)
    now = table_now(event, args.table)
    expect_can(now, "stop")
    last = last_of(now, on_way)
    request = ask(event, now, "stop", {"reason": reason}, wish.why, alone=last is None or last.command == "stop")
    undo = None if stands_on(now, last) else Wish("resume", {"table": now.table})
    return asked(event, now, N_("Table {table}: its box is asked to stop the clock."), [request], undo)


def resume(event: Event, wish: Wish) -> Done:
    """The clock goes on where it was stopped; if the box has not answered to the stop, as soon as it has stopped."""
    on_way = stops_on_their_way(event.ledger)  # before the table: what is answered meanwhile is seen there
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
    asked = next((one for one in event.ledger.open_requests() if (one.command, one.table) == (FETCH, now.table)), None)
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


HANDLERS: Final = {
    "stop": stop, "resume": resume, "set_time": set_time, "give_time": give_time, "restart_move": restart_move,
    "set_seat": set_seat, "set_bank": set_bank, "blink": blink, "fetch": fetch,
}  # fmt: skip
