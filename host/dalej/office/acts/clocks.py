"""Acts on clocks: of one table, of the whole hall, and sending boxes the settings as they are now. Each asks a box
for a command, with the game and move that are meant; those that rest get settings, for a box in a game takes none.
"""

from __future__ import annotations

from typing import Annotated, Any, Final, Literal

from msgspec import Meta

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
from dalej.office.acts.act import Act, Asked, Count, Seat, Table
from dalej.office.acts.attable import (
    STATES,
    AtTable,
    GoesOn,
    TableNow,
    ToBox,
    ask,
    asked,
    expect_can,
    going_on,
    last_of,
    stands_on,
    stops_on_their_way,
    table_at,
    table_now,
    tables_now,
)
from dalej.office.acts.restoring import as_it_was
from dalej.office.acts.roles import ORGANISERS, REFEREES
from dalej.office.acts.wishes import Done, Wish, done, taken_back
from dalej.words import N_
from moveclock import facts as k

StopReason = Literal["referee", "dispute", "round_break"]
Because = Annotated[StopReason, Asked("choice", N_("because of"))]
Left = Annotated[int, Meta(ge=0, le=MS_MOST), Asked("seconds", N_("seconds"), corrects="left_ms")]
More = Annotated[int, Meta(ge=1, le=MS_MOST), Asked("seconds", N_("seconds"), least=0)]  # less than one, too
Bank = Annotated[int, Meta(ge=0, le=106), Asked("tiles", N_("tiles"), corrects="bank")]


_TIME: Final = (
    N_("the box was passed on late"),
    N_("a dispute took the time"),
    N_("disturbed from outside"),
    N_("technical fault"),
)


class Stop(AtTable, frozen=True):
    """The clock of a table stands, because of a referee, a dispute or a break of the round. One that was asked to go on
    and has not answered stands again right after.
    """

    name = "stop"
    title = N_("stop the clock")
    key = "s"
    topics = ("dispute", "gaps")
    reason: Because

    @classmethod
    def states(cls) -> frozenset[int]:
        return STATES["stop"] - {k.STOPPED}

    def do(self, event: Event, wish: Wish) -> Done:
        on_way = stops_on_their_way(event.read())
        now = table_now(event, self.table)
        expect_can(now, "stop")
        last = last_of(now, on_way)
        alone = last is None or last.command == "stop"
        request = ask(event, now, "stop", {"reason": self.reason}, wish.why, alone=alone)
        undo = None if stands_on(now, last) else Resume(table=now.table).wish()
        return asked(event, now, N_("Table {table}: its box is asked to stop the clock."), [request], undo)


class Resume(AtTable, frozen=True):
    """The clock goes on where it was stopped; if the box has not answered to the stop, as soon as it has stopped."""

    name = "resume"
    title = N_("let the clock go on")
    key = "r"
    topics = ("dispute",)

    @classmethod
    def states(cls) -> frozenset[int]:
        return STATES["resume"]

    def do(self, event: Event, wish: Wish) -> Done:
        on_way = stops_on_their_way(event.read())  # before the table: what is answered meanwhile is seen there
        now = table_now(event, self.table)
        last = last_of(now, on_way)
        if last is None or not now.plays:
            if now.plays and now.at.state != k.STOPPED:
                raise Refused(N_("table {table}: its clock runs"), table=now.table)
            expect_can(now, "resume")
        behind = last is not None and last.command == "stop"
        request = ask(event, now, "resume", {}, wish.why, alone=not behind)
        reason: object = None if now.at.reason is None else STOP_REASONS[now.at.reason]
        if behind and last is not None:
            reason = last.args.get("reason")
        undo = Stop(table=now.table, reason=_by_person(reason)).wish()
        said = N_("Table {table}: its box is asked to let the clock go on.")
        if behind and now.at.state != k.STOPPED:
            said = N_("Table {table}: its box has not stopped the clock yet; it is asked to let it go on right after "
                      "that.")  # fmt: skip
        return asked(event, now, said, [request], undo)


class SetTime(ToBox, frozen=True):
    """So much is left of the move."""

    name = "set_time"
    title = N_("correct what is left")
    reasons = _TIME
    key = "t"
    why = True
    topics = ("time_limit",)
    command = "set_remaining"
    ms: Left
    goes_on: GoesOn = False

    def do(self, event: Event, wish: Wish) -> Done:
        now = self.meant(event)
        undo = _time_before(event, now, wish)
        requests, then = _ask(event, now, self, {"ms": self.ms}, wish)
        said = N_("Table {table}: its box is asked to leave {seconds} s of the move.")
        return asked(event, now, said, requests, then or undo, goes_on=len(requests) > 1,
                     seconds=seconds_said(self.ms))  # fmt: skip


class GiveTime(ToBox, frozen=True):
    """So much more than was left."""

    name = "give_time"
    title = N_("give extra time")
    reasons = _TIME
    key = "g"
    why = True
    topics = ("time_limit",)
    command = "give_time"
    ms: More

    def do(self, event: Event, wish: Wish) -> Done:
        now = self.meant(event)
        request = ask(event, now, self.command, {"ms": self.ms}, wish.why)
        said = N_("Table {table}: its box is asked to give {seconds} s more.")
        return asked(event, now, said, [request], _time_before(event, now, wish), seconds=seconds_said(self.ms))


class RestartMove(ToBox, frozen=True):
    """The move begins anew with its full time."""

    name = "restart_move"
    title = N_("restart the move")
    reasons = (N_("clicked before drawing"), N_("disturbed from outside"), N_("technical fault"))
    key = "m"
    why = True
    topics = ("click", "time_limit")
    confirm = N_("Table {table}: {name}'s move begins anew with {seconds} s; what was played of it does not count.")
    command = "restart_move"
    goes_on: GoesOn = False

    def do(self, event: Event, wish: Wish) -> Done:
        now = self.meant(event)
        requests, _then = _ask(event, now, self, {}, wish)
        said = N_("Table {table}: its box is asked to begin the move anew.")
        return asked(event, now, said, requests, as_it_was(now, wish), goes_on=len(requests) > 1)


class SetSeat(ToBox, frozen=True):
    """It is this seat's move; before the first one, this seat starts."""

    name = "set_seat"
    title = N_("give the move to a seat")
    reasons = (N_("the wrong player clicked"), N_("a mistake put right"), N_("technical fault"))
    key = "c"
    why = True
    topics = ("direction",)
    command = "set_seat"
    seat: Seat
    goes_on: GoesOn = False

    def do(self, event: Event, wish: Wish) -> Done:
        now = self.meant(event)
        dealt = now.at.seats & ~now.at.out
        if dealt and not dealt >> SEATS.index(self.seat) & 1:
            raise Refused(N_("table {table}: seat {seat} does not play"), table=now.table, seat=self.seat)
        requests, then = _ask(event, now, self, {"seat": self.seat}, wish)
        before = seat_name(now.at.starter if now.at.state == k.READY else now.at.seat)
        undo = None
        if before is not None and now.at.late:
            undo = as_it_was(now, wish)  # the move that waited for its verdict is over then
        elif before is not None:
            undo = SetSeat(before, **_here(now)).wish(taken_back(wish.why))
        said = N_("Table {table}: its box is asked to give the move to seat {seat}.")
        return asked(event, now, said, requests, then or undo, goes_on=len(requests) > 1, seat=self.seat)


class SetBank(ToBox, frozen=True):
    """So many tiles are left."""

    name = "set_bank"
    title = N_("correct the bank")
    reasons = (N_("counted at the table"), N_("technical fault"))
    key = "b"
    why = True
    topics = ("stack", "bank_empty")
    command = "set_bank"
    tiles: Bank

    def do(self, event: Event, wish: Wish) -> Done:
        now = self.meant(event)
        request = ask(event, now, self.command, {"tiles": self.tiles}, wish.why)
        undo = None if now.at.bank is None else SetBank(now.at.bank, **_here(now)).wish(taken_back(wish.why))
        if not self.tiles or now.at.lap_reason is not None:
            undo = as_it_was(now, wish)  # the final lap begins or ends with it
        said = N_("Table {table}: its box is asked to count {tiles} tiles in the bank.")
        return asked(event, now, said, [request], undo, tiles=self.tiles)


class Blink(AtTable, frozen=True):
    """So that people find the box."""

    name = "blink"
    title = N_("let the box blink")

    def do(self, event: Event, wish: Wish) -> Done:
        now = table_now(event, self.table)
        request = ask(event, now, "blink", {}, wish.why)
        return asked(event, now, N_("Table {table}: its box is asked to blink."), [request])


class Fetch(AtTable, frozen=True):
    """The desk sees to it that what the box has to tell is recorded now, before what other boxes have."""

    name = "fetch"
    title = N_("ask the box for what it has to tell")
    offered = False

    def do(self, event: Event, wish: Wish) -> Done:
        now = table_now(event, self.table)
        waits = (one for one in event.read().open_requests() if (one.command, one.table) == (FETCH, now.table))
        asked = next(waits, None)
        if asked is None:
            asked = event.ledger.request(
                now.table, FETCH, {}, who=event.who, at_ms=event.wall_ms(), why=wish.why, box=now.box
            )
        said = N_("Table {table}: its box is asked for what it has to tell.")
        return done(said, table=now.table, requests=[asked.id])


def _ask(
    event: Event, now: TableNow, act: SetTime | RestartMove | SetSeat, args: dict[str, Json], wish: Wish
) -> tuple[list[int], Wish | None]:
    """What is asked of the box; and if the clock goes on with it, the wish that puts the table back as it stood."""
    with event.together():
        requests = [ask(event, now, act.command, args, wish.why)]
        then = going_on(event, now, wish.why) if act.goes_on else []
    return [*requests, *then], as_it_was(now, wish) if then else None


def _time_before(event: Event, now: TableNow, wish: Wish) -> Wish | None:
    if now.at.late or now.at.late is None:
        return as_it_was(now, wish)
    left = now.left_ms(event.wall_ms())
    return None if left is None else SetTime(left, **_here(now)).wish(taken_back(wish.why))


def _here(now: TableNow) -> dict[str, Any]:
    return {"table": now.table, "game": now.at.game, "move": now.at.move}


def _by_person(reason: object) -> StopReason:
    """Why a clock stands, as somebody says who stops it again."""
    return "dispute" if reason == "dispute" else "round_break" if reason == "round_break" else "referee"


_ONE_STEP_MS: Final = 2_000
WHY_HALL: Final = N_("the whole hall stops")


class StopHall(Act, frozen=True):
    """Every table that plays, the ones with least time first, because they would lose most by waiting."""

    name = "stop_hall"
    title = N_("stop the whole hall")
    keeps_why = True
    about = "hall"
    roles = REFEREES
    topics = ("gaps",)
    confirm = N_("The clocks of all {count} tables that play are stopped.")
    reason: Because

    @classmethod
    def states(cls) -> frozenset[int]:
        return STATES["stop"] - {k.STOPPED}

    def do(self, event: Event, wish: Wish) -> Done:
        now_ms = event.wall_ms()
        on_way = stops_on_their_way(event.read())
        play = [now for now in tables_now(event.read()) if now.plays and not stands_on(now, last_of(now, on_way))]
        if not play:
            raise Refused(N_("no clock of the hall runs"))
        play.sort(key=lambda now: (now.at.state == k.EXPIRED, now.left_ms(now_ms) or 0, now.table))
        with event.together():
            requests = [
                ask(event, now, "stop", {"reason": self.reason}, wish.why or WHY_HALL, alone=False) for now in play
            ]
        said = N_("The boxes of {count} tables are asked to stop the clock.")
        if len(play) == 1:
            said = N_("The box of one table is asked to stop the clock.")
        return done(said, count=len(play), requests=requests, undo=ResumeHall(requests=tuple(requests)).wish())


class ResumeHall(Act, frozen=True):
    """What the last stop of the hall stopped and still stands because of it, or will once its box has obeyed: that one
    goes on right after. A dispute or a referee's own stop at a table is left for whoever deals with it. `requests`: of
    the stop that is meant, None: the last one.
    """

    name = "resume_hall"
    title = N_("let the whole hall go on")
    keeps_why = True
    about = "hall"
    roles = REFEREES
    topics = ("gaps",)
    confirm = N_("The clocks of all {count} tables that were stopped with the hall go on.")
    requests: Annotated[tuple[Count, ...], Meta(min_length=1)] | None = None

    @classmethod
    def states(cls) -> frozenset[int]:
        return STATES["resume"]

    def do(self, event: Event, wish: Wish) -> Done:
        asked = _stopped_with_hall(event.read(), self.requests)
        on_way = stops_on_their_way(event.read())  # before the tables: what is answered meanwhile is seen there
        tables = [now for now in tables_now(event.read()) if now.plays and now.table in asked]
        there = [(now, asked[now.table], last_of(now, on_way)) for now in tables]
        stand = [now for now, stop, last in there if stands_on(now, last) and _stands_so(now, stop)]
        late = [
            now for now, stop, last in there
            if last is not None and last.id == stop.id and now.at.state != k.STOPPED
        ]  # fmt: skip
        if not (stand or late):
            if any(last is not None and last.command == "resume" for _, _, last in there):
                raise Unreachable(N_("the boxes are asked already to let the clocks go on, and have not answered yet"))
            raise Refused(N_("no clock stands that was stopped with the hall"))
        with event.together():
            requests = [ask(event, now, "resume", {}, wish.why, alone=False) for now in (*stand, *late)]
        said = N_("The boxes of {count} tables are asked to let the clock go on.")
        if len(requests) == 1:
            said = N_("The box of one table is asked to let the clock go on.")
        elif late:
            said = N_("The boxes of {count} tables are asked to let the clock go on; of these, boxes that have not "
                      "stopped it yet and let it go on right after that: {late}.")  # fmt: skip
        undo = StopHall(_by_person(next(iter(asked.values())).args.get("reason"))).wish()
        return done(said, count=len(requests), late=len(late), requests=requests, undo=undo)


def _stopped_with_hall(reading: Reading, named: tuple[int, ...] | None) -> dict[int, Request]:
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


class SendSettings(Act, frozen=True):
    """Every box of the round that goes by other settings and rests is asked to take these; `table`: only that one."""

    name = "send_settings"
    title = N_("send the settings to the boxes that rest")
    keeps_why = True
    about = "hall"
    roles = ORGANISERS
    table: Table | None = None

    def do(self, event: Event, wish: Wish) -> Done:
        state = event.state()
        one = rounds.seated(state)
        reading = event.read()
        given = settings_given(reading, state, games_of_round(reading, state, one.key))
        known = {table.table: table for table in given if self.table in (None, table.table)}
        if self.table is not None and not known:
            raise Refused(N_("there is no table {table} in this round"), table=self.table)
        lacking = {number: table for number, table in known.items() if table.lacks}
        if not lacking:
            raise Refused(
                N_("no box has to be sent anything: each has the settings, waits for its answer, or has no game")
            )
        playing = [number for number, table in lacking.items() if table.plays]
        now = [plan for plan in plans_of(reading, state, one) if plan.number in lacking and plan.number not in playing]
        if not now:
            raise Refused(
                N_("tables {tables} are in a game: a box takes other settings only between games"),
                tables=", ".join(map(str, playing)),
            )
        with event.together():
            requests = [_configure(event, state, plan, known[plan.number].box, one, wish.why) for plan in now]
        data: dict[str, Any] = {
            "tables": ", ".join(str(plan.number) for plan in now),
            "playing": ", ".join(map(str, playing)),
        }
        said = N_("Asked to take the settings: the boxes of tables {tables}.")
        if playing:
            said = N_("Asked to take the settings: the boxes of tables {tables}. In a game, to be sent later: "
                      "{playing}.")  # fmt: skip
        return done(said, requests=requests, **data)


def _configure(event: Event, state: Tournament, plan: TablePlan, box: str, one: Round, why: str) -> int:
    found = table_at(event.read(), plan.number)
    at = Position() if found is None else found.at
    return event.ledger.request(
        plan.number, CONFIGURE, dict(renewed(plan, state.ruleset, at)), who=event.who, at_ms=event.wall_ms(),
        why=why or f"round {one.key.round}: settings changed", box=box,
    ).id  # fmt: skip
