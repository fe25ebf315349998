"""`dalej round clock`: the round's time in a terminal; the boxes are told ahead when the final lap begins."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Callable
from contextlib import suppress

import click

from dalej import eventlog
from dalej.cli.office import event_argument, json_option, opened, who_option
from dalej.cli.output import example, json_line
from dalej.cli.stopping import on_signal
from dalej.clock import Clock, SystemClock
from dalej.domain.stagewords import round_name, round_said
from dalej.domain.tournament import Round, Tournament
from dalej.errors import Refused
from dalej.office import roundclock
from dalej.office.event import Event
from dalej.office.roundclock import Asked, Moment, RoundTime, Watch
from dalej.office.rounds import at_work
from dalej.words import N_, _

LOOK_MS = 2_000  # how often to look whether somebody changed the event
ASK_MS = 20_000  # how often to tell boxes ahead that could not be told yet


def command() -> click.Command:
    """`dalej round clock EVENT`."""
    return click.Command(
        "clock", callback=clock,
        params=[
            event_argument(),
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
            self._echo("\r\x1b[K" + minutes(left * 1000), nl=False)
        else:
            self._echo(_("{time} left").format(time=minutes(left * 1000)))

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
        ledger = self._event.ledger
        boxes = eventlog.with_box(ledger)
        return roundclock.final_lap(ledger, one, boxes, who=self._event.who, now_ms=now_ms, at_ms=at_ms)


def lap_lines(asked: Asked) -> list[str]:
    """Who was told of the final lap, and who must be told by voice."""
    said = [
        (_("Final lap, asked of the boxes at tables {tables}"), asked.now),
        (_("Final lap, asked before of the boxes at tables {tables}"), asked.before),
        (_("Final lap, to be told by voice at tables {tables}"), asked.by_voice),
    ]
    return [line.format(tables=", ".join(map(str, tables))) for line, tables in said if tables]


def minutes(ms: int) -> str:
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
    click.echo(said.format(round=round_name(*one.key), time=minutes(left)))
