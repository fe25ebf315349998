"""`dalej round`: a round from its clock to its closing. The clock runs in a terminal; the boxes are told ahead when
the final lap begins.
"""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Callable
from contextlib import suppress

import click

from dalej.cli.actcommand import Told, act_command
from dalej.cli.decision import (
    anyway_option,
    do,
    event_command,
    json_option,
    opened,
    round_option,
    who_option,
    within,
)
from dalej.cli.event import say_next
from dalej.cli.eventfile import EventCommand
from dalej.cli.resultdialogue import say_stands
from dalej.cli.stopping import on_signal
from dalej.cli.terminal import Group, example, json_line, table
from dalej.clock import Clock, SystemClock
from dalej.domain.tournament.stages import round_name, round_said
from dalej.domain.tournament.tournament import GameAt, Round, RoundKey, TableSeats, Tournament
from dalej.errors import Refused
from dalej.event import eventlog
from dalej.event.event import Event
from dalej.event.ledger import Heard
from dalej.office import roundclock, rounds
from dalej.office.acts.halls import GiveRound, TakeRound
from dalej.office.acts.rounds import CloseRound, DateRound, ReopenRound, StartRound
from dalej.office.halls import halls_of
from dalej.office.paper.naming import round_day
from dalej.office.results import which
from dalej.office.roundclock import Asked, Moment, RoundTime, Watch
from dalej.office.rounds import at_work
from dalej.office.settings import DEFAULT
from dalej.views.phrases import duration
from dalej.words import N_, _, day_shown, ngettext, readable, said, who_said

LOOK_MS = 2_000  # how often to look whether somebody changed the event
ASK_MS = 20_000  # how often to tell boxes ahead that could not be told yet


def clock_command() -> click.Command:
    """`dalej round clock EVENT`."""
    return EventCommand(
        "clock", callback=clock,
        params=[
            click.Option(["--once"], is_flag=True, help=_("Say what is left and end.")),
            json_option(), who_option(),
        ],
        help=_("Count the round down; at its end ask the boxes for the final lap, and name the tables without one."),
        epilog=example("dalej round clock league.dalej", "dalej round clock league.dalej --once"),
    )  # fmt: skip


def clock(event: str, once: bool, as_json: bool, who: str) -> None:
    """Count down until the round is over, or say once what is left."""
    time = SystemClock()
    with opened(event, who) as held:
        if once or as_json:
            _say_once(held.state(), time.wall_ms(), as_json=as_json)
            return
        with suppress(asyncio.CancelledError):
            asyncio.run(Countdown(held, time, click.echo, rewrites=sys.stdout.isatty()).run())


def time_of(state: Tournament) -> tuple[Round, RoundTime]:
    """The round to work on and its time; Refused if it has not been started."""
    one = at_work(state)
    if one.clock is None:
        raise Refused(
            N_("{round} has no time running: dalej round start starts it"),
            round=round_said(*one.key),
        )  # fmt: skip
    return one, RoundTime(one.clock, state.ruleset.no_new_game_ms)


class Countdown:
    """Prints what is left each second (on a terminal, in one line) or each minute, and each moment once.

    Wall time is taken once: whoever sets the computer's clock meanwhile changes no round.
    """

    def __init__(self, event: Event, clock: Clock, echo: Callable[..., object], *, rewrites: bool) -> None:
        self._event = event
        self._clock = clock
        self._echo = echo
        self._rewrites = rewrites
        self._behind_ms = clock.wall_ms() - clock.now_ms()
        self._watch = Watch()
        self._ask_at_ms = 0
        self._ahead: set[tuple[int, int]] = set()  # ends, and tables whose boxes were asked ahead of them
        self._head = -1
        self._shown: int | None = None
        self._state = event.state()
        time_of(self._state)

    async def run(self) -> None:
        """Until the round is over or closed, or somebody stops it."""
        stop = asyncio.Event()
        with on_signal(stop.set):
            while not stop.is_set():
                wait_ms = self.step()
                if wait_ms is None:
                    return
                with suppress(TimeoutError):
                    await asyncio.wait_for(stop.wait(), wait_ms / 1000)
        if self._rewrites:
            self._echo("")

    def step(self) -> int | None:
        """Say what there is to say now; ms until there may be more, None: no more."""
        self._look()
        now_ms = self._behind_ms + self._clock.now_ms()
        current = self._state.current
        if current is None or current.clock is None:
            self._echo(_("The round is closed."))
            return None
        one, time = time_of(self._state)
        self._show(time, now_ms)
        self._tell_outdated(time)
        if time.is_near(now_ms) and now_ms >= self._ask_at_ms and not self._plays_on:
            self._ask_at_ms = now_ms + ASK_MS
            self._ask_ahead(one, time, now_ms)
        for moment in self._watch.news(time, now_ms):
            self._tell(moment, one, now_ms)
        return min(time.next_ms(now_ms), LOOK_MS) or None

    def _look(self) -> None:
        head = self._event.ledger.head()
        if head != self._head:
            self._head, self._state = head, self._event.state()

    def _show(self, time: RoundTime, now_ms: int) -> None:
        left = -(-time.remaining_ms(now_ms) // 1000)
        shown = left if self._rewrites else -(-left // 60)
        if shown == self._shown:
            return
        self._shown = shown
        if self._rewrites:
            self._echo("\r\x1b[K" + in_minutes(left * 1000), nl=False)
        else:
            self._echo(_("{time} left").format(time=in_minutes(left * 1000)))

    def _tell(self, moment: Moment, one: Round, now_ms: int) -> None:
        if self._rewrites:
            self._echo("")
        if moment == "no_new_game":
            self._echo(_("No new game may begin."))
            return
        self._echo(_("The time of the round is over."))
        if self._plays_on:
            self._echo(_("Games are played to their end."))
            return
        for line in lap_lines(self._ask(one, now_ms, None)):
            self._echo(line)

    @property
    def _plays_on(self) -> bool:
        return self._state.ruleset.on_round_time == roundclock.PLAY_ON

    def _tell_outdated(self, time: RoundTime) -> None:
        """What boxes were told ahead stays with them, whatever the round's clock says since."""
        tables = sorted({table for ends_ms, table in self._ahead if ends_ms != time.ends_ms})
        if not tables:
            return
        self._ahead.clear()
        self._ask_at_ms = 0
        said = _("The boxes at tables {tables} were told the end as it was before: their final lap begins then")
        self._echo(said.format(tables=", ".join(map(str, tables))))

    def _ask_ahead(self, one: Round, time: RoundTime, now_ms: int) -> None:
        """Tell the boxes the instant; one that had no link is asked again."""
        asked = self._ask(one, now_ms, time.ends_ms)
        new = [table for table in asked.now if (time.ends_ms, table) not in self._ahead]
        self._ahead.update((time.ends_ms, table) for table in new)
        if new:
            if self._rewrites:
                self._echo("")
            said = _("The boxes at tables {tables} are told when the final lap begins")
            self._echo(said.format(tables=", ".join(map(str, new))))

    def _ask(self, one: Round, now_ms: int, at_ms: int | None) -> Asked:
        boxes = eventlog.with_box(self._event.read())
        return roundclock.final_lap(self._event, one, boxes, now_ms, at_ms)


def lap_lines(asked: Asked) -> list[str]:
    """Who was told of the final lap, and who must be told by voice."""
    said = [
        (_("Final lap, asked of the boxes at tables {tables}"), asked.now),
        (_("Final lap, asked before of the boxes at tables {tables}"), asked.before),
        (_("Final lap, to be told by voice at tables {tables}"), asked.by_voice),
    ]
    return [line.format(tables=", ".join(map(str, tables))) for line, tables in said if tables]


def in_minutes(ms: int) -> str:
    """Minutes and seconds, 90:00."""
    return f"{ms // 60_000}:{ms // 1000 % 60:02d}"


def _say_once(state: Tournament, now_ms: int, *, as_json: bool) -> None:
    one, time = time_of(state)
    left = time.remaining_ms(now_ms)
    if as_json:
        json_line({
            "stage": one.key.stage, "round": one.key.round, "remaining_ms": left, "length_ms": time.clock.length_ms,
            "ends_ms": time.ends_ms, "no_new_game": "no_new_game" in time.passed(now_ms), "over": not left,
        })  # fmt: skip
        return
    if not left:
        click.echo(_("{round}: the time is over.").format(round=round_name(*one.key)))
        return
    said = _("{round}: {time} left.")
    if "no_new_game" in time.passed(now_ms):
        said = _("{round}: {time} left, no new game may begin.")
    click.echo(said.format(round=round_name(*one.key), time=in_minutes(left)))


def command() -> click.Group:
    """`dalej round show|date|start|clock|give|take|close|reopen`."""
    group = Group(
        "round", help=_("A round from its start to its end."), epilog=example("dalej round show league.dalej")
    )
    for part in (_show(), _date(), _start(), clock_command(), _give(), _take(), _close(), _reopen()):
        group.add_command(part)
    return group


def show(event: str, key: str | None, as_json: bool) -> None:
    """Print how far a round has come, table by table."""
    with opened(event, _("the organiser")) as held:
        state = held.state()
        one = [*state.rounds.values()][-1] if key is None and state.current is None else which(state, key)
        seating = rounds.seating_of(one)
        heard = {hall: held.ledger.heard(hall) for hall in halls_of(state, one)}
    if as_json:
        for at in seating.tables:
            json_line({**_fields(one, at), **({"hall": state.hall_of(at.table)} if state.halls else {})})
        return
    name, day = readable(state.name), day_shown(round_day(state, one.key))
    named = round_name(*one.key) if not day else f"{round_name(*one.key)}, {day}"
    click.echo(_("{event}: {round}").format(event=name, round=named))
    games = range(1, one.stage.games + 1)
    rows = [
        [
            str(at.table),
            *(_mark(one, GameAt(at.table, game)) for game in games),
            _confirmed(one, at.table),
            _players(state, at),
        ]
        for at in seating.tables
    ]
    headings = [_("table"), *(_("game {game}").format(game=game) for game in games), _("confirmed"), _("players")]
    table(headings, rows, numbers=(0,))
    click.echo(_stands(one))
    now_ms = SystemClock().wall_ms()
    for hall, last in heard.items():
        click.echo(_of_hall(one, hall, last, now_ms))


def date(event: str, day: str | None, key: str | None, as_json: bool, who: str) -> None:
    """Set the day of a round; without one list the schedule."""
    with opened(event, who) as held:
        if day is not None:
            do(held, DateRound(day, key or "").wish())
        state = held.state()
    days = [
        (RoundKey(stage.id, number), round_day(state, RoundKey(stage.id, number)))
        for stage in state.plan for number in range(1, stage.rounds + 1)
    ]  # fmt: skip
    if as_json:
        for at, found in days:
            json_line({"stage": at.stage, "round": at.round, "date": found or None, "own": at in state.dates})
        return
    table((_("round"), _("date")), [(round_name(*at), day_shown(found) or "–") for at, found in days])


def _is_closed(told: Told) -> None:
    say_next(told.held.state(), told.event)


def _is_open(told: Told) -> None:
    after = told.held.seen()
    key = next(key for key, one in told.before.rounds.items() if one.closed != after.state.rounds[key].closed)
    say_stands(after, key, told.event)


def _fields(one: Round, at: TableSeats) -> dict[str, object]:
    results = {game.game: result for game, result in one.results.items() if game.table == at.table}
    return {
        "stage": one.key.stage, "round": one.key.round, "table": at.table, "players": list(at.seated),
        "entered": sorted(results), "missing": [game.game for game in one.missing() if game.table == at.table],
        "not_played": sorted(game for game, result in results.items() if result.sheet is None),
        "confirmed": bool(results) and all(result.confirmed is not None for result in results.values()),
        "closed": one.closed is not None,
    }  # fmt: skip


def _mark(one: Round, at: GameAt) -> str:
    result = one.results.get(at)
    if result is None:
        return "–"
    if result.sheet is None:
        return _("not played")
    return ", ".join(score.seat for score in result.scores if score.place == 1)


def _confirmed(one: Round, at_table: int) -> str:
    marks = [result.confirmed for at, result in one.results.items() if at.table == at_table]
    if not marks or None in marks:
        return _("no")
    return readable(next(mark.who for mark in marks if mark is not None))


def _of_hall(one: Round, hall: str, heard: Heard | None, now_ms: int) -> str:
    """How far the centre knows it."""
    what = _("it plays") if one.given is not None else _("not complete yet") if hall in one.returns else _("complete")
    if heard is None:
        return _("{hall}: {what}, never heard").format(hall=readable(hall), what=what)
    return _("{hall}: {what}, told to #{through}, heard {age} ago").format(
        hall=readable(hall), what=what, through=heard.through, age=duration(max(0, now_ms - heard.at_ms))
    )


def _players(state: Tournament, at: TableSeats) -> str:
    return ", ".join(readable(state.players[player].name) for player in at.seated)


def _stands(one: Round) -> str:
    if one.closed is not None:
        return _("Closed by {who}.").format(who=who_said(one.closed.who))
    missing = one.missing()
    if not missing:
        return _("Every result is in.")
    return ngettext("{count} game is missing: {games}", "{count} games are missing: {games}", len(missing)).format(
        count=len(missing), games=said(rounds.games_by_table(missing))
    )


def _show() -> click.Command:
    return event_command(
        "show", show, _("Which games of a round are in, with the winner's seat, and which are missing."),
        "dalej round show league.dalej",
        params=[
            round_option(),
            json_option(),
        ],
    )  # fmt: skip


def _date() -> click.Command:
    return event_command(
        "date", date,
        _("Set the day of a round, also of one that is still to come; “{default}” takes it back. Without DATE the days "
          "of all rounds are listed.").format(default=_(DEFAULT)),
        "dalej round date league.dalej", "dalej round date league.dalej 2026-12-04 --round 2",
        params=[
            click.Argument(["day"], metavar=_("[DATE]"), required=False), round_option(), json_option(), who_option(),
        ],
    )  # fmt: skip


def _start() -> click.Command:
    return act_command(
        StartRound, "start", "dalej round start league.dalej --minutes 90", says=_("Start the time of the round."),
        params=[
            click.Option(["--minutes"], type=within(StartRound, "minutes"), metavar=_("N"),
                         help=_("How long the round is (default: as the ruleset or the event says).")),
        ],
    )  # fmt: skip


def _give() -> click.Command:
    return act_command(
        GiveRound, "give", "dalej round give cup.dalej",
        says=_("Give the round to the halls: each decides about its tables until it is taken back."),
    )  # fmt: skip


def _take() -> click.Command:
    return act_command(
        TakeRound, "take", "dalej round take cup.dalej",
        says=_("Take the round back from the halls; it can be closed, or seated anew, when each is complete."),
    )  # fmt: skip


def _close() -> click.Command:
    return act_command(
        CloseRound, "close", "dalej round close league.dalej", after=_is_closed,
        says=_("Close the round when every result is in; a copy of the event is kept beside it."),
        params=[anyway_option(_("Close it though results are missing or unconfirmed, for this reason."))],
    )  # fmt: skip


def _reopen() -> click.Command:
    return act_command(
        ReopenRound, "reopen",
        'dalej round reopen league.dalej league/2 --why "game 3 of table 5 was copied wrongly"', after=_is_open,
        says=_("Open a closed round again, as long as no later one is seated."),
        params=[click.Argument(["round"], metavar=_("[ROUND]"), required=False)],
    )  # fmt: skip
