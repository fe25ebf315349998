"""`dalej demo`: a hall of simulated tables, to look at and to prove the chain. It lives in this process, or in a
child of it, until told to stop.
"""

from __future__ import annotations

import asyncio
import os
import subprocess
import sys
from collections.abc import Callable, Collection, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from itertools import count
from math import isnan
from pathlib import Path
from typing import IO, Any, Final

import click
from click.core import ParameterSource

from dalej.boxes.folder import demo_folder, expect_made
from dalej.cli import log, screen, terminal
from dalej.cli.decision import agreed, opened, who_option, yes_option
from dalej.cli.stopping import on_end_of_input, on_signal
from dalej.cli.terminal import command_line, example
from dalej.clock import Clock, ManualClock, SystemClock
from dalej.desk.desk import POLL_MS
from dalej.desk.feed.client import connect
from dalej.desk.feed.server import Server
from dalej.domain.game.sentences import seconds
from dalej.domain.tournament.stages import round_said
from dalej.errors import DalejError, Refused, Unreachable
from dalej.event import eventlog
from dalej.event.boxplaces import BoxTables
from dalej.event.ledger import Ledger
from dalej.event.reading import read
from dalej.hints import once_more
from dalej.office import numbers as typed_numbers
from dalej.rulesets.rulebook import load
from dalej.simulator.hall import WHO, Hall, Played
from dalej.simulator.living import LIVELY, SPEEDS, WARM_UP_MS, Living
from dalej.simulator.roundplayed import expect_no_results_of_people, hall_of_round, round_of
from dalej.words import N_, _, said

END_WITHIN_S: Final = 15
BUSY_MS: Final = 1_000  # screens take a desk that says nothing for five seconds for gone


@dataclass(frozen=True, slots=True)
class Evening:
    """What was asked for: options of `dalej demo`. `seated`: at an event that has its own tables and rules; `boxes`: of
    which these have a simulated box, None: all.
    """

    event: Path
    tables: int
    seed: int
    ruleset: str
    links: int
    speed: float
    seated: bool = False
    boxes: str | None = None

    def arguments(self) -> list[str]:
        """The command that plays it without a screen."""
        boxes = [] if self.boxes is None else ["--boxes", self.boxes]
        invented = ["--yes", *boxes] if self.seated else ["--tables", str(self.tables), "--ruleset", self.ruleset]
        return [
            "demo", "--no-screen", "--until-eof", "--event", str(self.event), *invented, "--seed", str(self.seed),
            "--links", str(self.links), "--speed", str(self.speed),
        ]  # fmt: skip


def play(evening: Evening, *, until_eof: bool) -> None:
    """Play in real time; says in one line how to open a screen as soon as that is possible."""
    clock = SystemClock()
    if evening.seated:
        with Ledger.open(evening.event, busy_ms=BUSY_MS) as ledger:
            expect_no_hall(evening.event)
            played = round_of(ledger, with_boxes(evening.boxes))
            simulated = played.clock(clock.wall_ms())
            hall = hall_of_round(
                ledger, played, simulated, seed=evening.seed, habits=LIVELY, links=evening.links,
                poll_ms=POLL_MS,
            )  # fmt: skip
            _play(hall, ledger, evening, clock, simulated, until_eof)
        return
    load(evening.ruleset)  # before there is a file
    with Ledger.create(evening.event, busy_ms=BUSY_MS) as ledger:
        simulated = ManualClock(clock.wall_ms() - WARM_UP_MS)
        _play(hall_of(evening, ledger, simulated), ledger, evening, clock, simulated, until_eof)


def _play(hall: Hall, ledger: Ledger, evening: Evening, clock: Clock, simulated: ManualClock, until_eof: bool) -> None:
    living = Living(hall, clock, speed=evening.speed)
    server = Server(hall.desk, living, simulated, name=WHO, event=ledger.path, head=ledger.head, random=os.urandom)
    try:
        if not evening.seated:
            living.warm_up()
            # what a big hall has not played it makes up for here; the clock on the wall is never put back
            simulated.wall_start_ms += max(0, clock.wall_ms() - simulated.wall_ms())
        asyncio.run(_live(living, server, evening.event, until_eof=until_eof))
    finally:
        hall.desk.close()


def hall_of(evening: Evening, ledger: Ledger, simulated: ManualClock) -> Hall:
    """The hall of that evening, at its first instant, on a new ledger."""
    rules = eventlog.choose_ruleset(ledger, evening.ruleset, who=WHO, when_ms=simulated.wall_ms())
    return Hall(
        ledger, rules, simulated, tables=evening.tables, moves=None, seed=evening.seed, habits=LIVELY,
        links=evening.links, poll_ms=POLL_MS,
    )  # fmt: skip


def expect_no_hall(event: Path) -> None:
    """Refused if a hall is live on the event: two would play at the same tables."""

    async def knock() -> None:
        await (await connect(event)).close()

    with suppress(Unreachable):
        asyncio.run(knock())
        raise Refused(N_("a hall is live on {event} already"), event=event)


async def _live(living: Living, server: Server, event: Path, *, until_eof: bool) -> None:
    stop = asyncio.Event()
    with on_signal(stop.set):
        if until_eof:
            on_end_of_input(stop.set)
        await server.open()
        goes_on = (asyncio.create_task(living.run()), asyncio.create_task(server.until_closed()))
        stopping = asyncio.create_task(stop.wait())
        try:
            click.echo(
                _("A hall is live; open a screen on it: {command}").format(command=command_line("screen", str(event)))
            )
            sys.stdout.flush()
            await asyncio.wait((*goes_on, stopping), return_when=asyncio.FIRST_COMPLETED)
            for task in goes_on:
                if task.done():
                    task.result()
        finally:
            for waiting in (*goes_on, stopping):
                waiting.cancel()
            await asyncio.wait((*goes_on, stopping))
            await server.close()


@contextmanager
def child(evening: Evening) -> Iterator[Callable[[], None]]:
    """The hall in a process of its own while the block runs; it ends when this process does, however that ends.

    The block gets a call that waits until the hall is live; Unreachable, with what it said, if it never is.
    """
    command = [sys.executable, *terminal.IN_UTF8, "-m", "dalej", *evening.arguments()]
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, encoding="utf-8",
        env={**os.environ, "PYTHONIOENCODING": "utf-8:backslashreplace"}, **_apart(),
    ) as process:  # fmt: skip

        def until_live() -> None:
            if not _stream(process.stdout).readline():
                said = _stream(process.stderr).read().strip()
                raise Unreachable(N_("the simulated hall did not start: {problem}"), problem=said)

        try:
            yield until_live
            if process.poll() is not None:
                click.echo(_stream(process.stderr).read().strip(), err=True)
        finally:
            _end(process)


def _apart() -> dict[str, Any]:
    """A Ctrl-C at this terminal is meant for the screen alone."""
    if sys.platform == "win32":
        return {"creationflags": subprocess.CREATE_NEW_PROCESS_GROUP}
    return {"start_new_session": True}


def _end(process: subprocess.Popen[str]) -> None:
    with suppress(OSError):  # it is gone
        _stream(process.stdin).close()
    try:
        process.wait(END_WITHIN_S)
    except subprocess.TimeoutExpired:
        process.kill()


def _stream(stream: IO[str] | None) -> IO[str]:
    """One of the three, which all are pipes."""
    assert stream is not None
    return stream


MOVES_A_TABLE = 40
LINKS = 6


def command() -> click.Command:
    """`dalej demo`."""
    return click.Command(
        "demo",
        callback=demo,
        help=_(
            "A hall of simulated tables: players of differing speed who also run out of time, click before "
            "drawing, quarrel, withdraw and empty their racks, on lossy links. In a terminal it opens the hall "
            "screen, and a key takes over a table; elsewhere an evening is played and summed up. At an event "
            "whose round is seated, simulated boxes play the games of that round; that is asked about before."
        ),
        epilog=example(
            "dalej demo", "dalej demo --tables 25 --speed 4", "dalej demo --headless --tables 25 --moves 5000 --seed 7",
            "dalej demo --no-screen --event rehearsal.dalej", "dalej demo --event rehearsal.dalej --boxes 1-3",
        ),
        params=[
            click.Option(["--tables"], type=click.IntRange(1, 1000), default=6, show_default=True,
                         help=_("How many tables.")),
            click.Option(["--moves"], type=click.IntRange(1),
                         help=_("Without a screen, so many moves over all tables (default: 40 a table; at an event "
                                "all of the round).")),
            click.Option(["--seed"], type=click.IntRange(0), default=1, show_default=True,
                         help=_("The same seed plays the same evening.")),
            click.Option(["--ruleset"], default="school-league", show_default=True, metavar="ID",
                         help=_("A ruleset's id, or a file of your own.")),
            click.Option(["--event"], metavar=_("FILE"),
                         help=_("A new file for the ledger, or an event whose round is seated (default: demo-1.dalej "
                                "or the next number, in {folder}).").format(folder=demo_folder())),
            click.Option(["--boxes"], metavar=_("TABLES"),
                         help=_("At an event: the tables that have a box, such as 1-3 or 1,2,5; results of the others "
                                "are entered by hand (default: all).")),
            click.Option(["--links"], type=click.IntRange(1),
                         help=_("How many boxes are linked at a time (default: 6; with --headless, all).")),
            click.Option(["--speed"], type=click.FloatRange(*SPEEDS), default=1.0, show_default=True,
                         help=_("So many times as fast as life.")),
            click.Option(["--no-screen"], is_flag=True,
                         help=_("The hall alone, in real time, until Ctrl-C; screens are opened elsewhere.")),
            click.Option(["--headless"], is_flag=True, help=_("No screen, as fast as it can, a summary at the end.")),
            click.Option(["--json", "as_json"], is_flag=True, help=_("The summary as one JSON object.")),
            yes_option(), who_option(),
            click.Option(["--until-eof"], is_flag=True, hidden=True),  # for the process that a screen starts
        ],
    )  # fmt: skip


def demo(
    tables: int,
    moves: int | None,
    seed: int,
    ruleset: str,
    event: str | None,
    boxes: str | None,
    links: int | None,
    speed: float,
    no_screen: bool,
    headless: bool,
    as_json: bool,
    until_eof: bool,
    yes: bool,
    who: str,
) -> int:
    """Open the hall, or play it and say what the ledger holds; exit code 1 if that is not clean."""
    summed_up = headless or as_json or moves is not None
    if no_screen and summed_up:
        raise click.UsageError(_("--no-screen plays without an end: it goes with none of --headless, --moves, --json"))
    if isnan(speed):
        raise click.UsageError(_("--speed: expected a number"))
    file = Path(event) if event is not None else _new_file()
    seated = event is not None and file.exists()
    if seated:
        _expect_not_given("tables", "ruleset")
        _expect_agreed(file, boxes, who, yes)
    elif boxes is not None:
        raise click.UsageError(_("--boxes is for an event whose round is seated"))
    if not no_screen and (summed_up or not screen.is_terminal() or screen.is_bare()):
        if seated:
            return _sum_up_round(file, boxes, moves, seed, links, as_json=as_json, tells=not headless)
        return _sum_up(file, tables, moves, seed, ruleset, links, as_json=as_json, tells=not headless)
    evening = Evening(file, tables, seed, ruleset, LINKS if links is None else links, speed, seated, boxes)
    again = command_line("screen", str(file))
    if no_screen:
        play(evening, until_eof=until_eof)
        click.echo(_("The ledger: {event}; to see it again: {command}").format(event=file, command=again))
    else:
        screen.expect_picture()
        with child(evening) as until_live:
            screen.load()
            until_live()
            with Ledger.open(file) as ledger:
                screen.show(ledger, who)
        click.echo(
            _(
                "This hall has ended with its screen. The ledger: {event}; to see it again: {command}; "
                "a hall that outlives its screens: {lasting}"
            ).format(event=file, command=again, lasting=command_line("demo", "--no-screen"))
        )
    return 0


def with_boxes(boxes: str | None) -> Collection[int] | None:
    """The tables that `--boxes` names, None if it was not given."""
    return None if boxes is None else typed_numbers.tables(boxes)


def _expect_agreed(file: Path, boxes: str | None, who: str, yes: bool) -> None:
    """Before simulated boxes play at an event that people decide in: what they would write there is named and asked;
    without a terminal it is Refused, unless it was said that it is meant. Refused too where people's results are in.
    """
    with opened(str(file), who) as held:
        expect_no_hall(file)
        played = round_of(held.ledger, with_boxes(boxes))
        expect_no_results_of_people(held.ledger)
        if yes:
            return
        tables = [plan.number for plan in played.tables]
        told = DalejError(
            N_("{event} is an event that people play. Simulated boxes would play {games} games of {round} in it, at "
               "tables {tables}: every move is written into it, as if people had made it, and nothing takes that back"),
            event=str(file), games=sum(plan.games or 0 for plan in played.tables), round=round_said(*played.key),
            tables=", ".join(map(str, tables)),
        )  # fmt: skip
        if at := sorted(eventlog.with_box(held.read()).intersection(tables)):
            told = DalejError(
                N_("{told}; they take the place of the boxes of tables {tables}"), told=told,
                tables=", ".join(map(str, at)),
            )  # fmt: skip
        if not (sys.stdin.isatty() and sys.stderr.isatty()):
            raise Refused(N_("{told}: that is not done without being asked for"), told=told).hinted(
                N_("{command} asks for it"), command=once_more("--yes")
            )
        agreed(False, _("{told}. Play them?").format(told=said(told)))


def _sum_up(
    file: Path,
    tables: int,
    moves: int | None,
    seed: int,
    ruleset: str,
    links: int | None,
    *,
    as_json: bool,
    tells: bool,
) -> int:
    """Play an evening as fast as it goes."""
    rules = load(ruleset)
    clock = SystemClock()
    wall_ms = clock.wall_ms()
    with Ledger.create(file) as ledger:
        eventlog.choose_ruleset(ledger, ruleset, who=WHO, when_ms=wall_ms)
        hall = Hall(
            ledger, rules, ManualClock(wall_ms), tables=tables,
            moves=tables * MOVES_A_TABLE if moves is None else moves, seed=seed, links=links,
        )  # fmt: skip
        return _play_round(ledger, hall, clock, as_json=as_json, tells=tells)


def _sum_up_round(
    file: Path, boxes: str | None, moves: int | None, seed: int, links: int | None, *, as_json: bool, tells: bool
) -> int:  # fmt: skip
    """Play what is left of the event's round, as fast as it goes."""
    clock = SystemClock()
    with Ledger.open(file) as ledger:
        expect_no_hall(file)
        played = round_of(ledger, with_boxes(boxes))
        hall = hall_of_round(ledger, played, played.clock(clock.wall_ms()), seed=seed, moves=moves, links=links)
        code = _play_round(ledger, hall, clock, as_json=as_json, tells=tells)
    if not as_json:
        listing = command_line("results", "list", str(file))
        click.echo(_("What the boxes know of the round: {command}").format(command=listing))
    return code


def _play_round(ledger: Ledger, hall: Hall, clock: Clock, *, as_json: bool, tells: bool) -> int:
    """To its end; whoever breaks it off leaves an event that the next hall can take up."""
    shows = sys.stdout is not None and sys.stdout.isatty() and tells and not as_json
    started_ms = clock.now_ms()
    try:
        played = _watched(hall) if shows else hall.play()
    except BaseException:
        hall.desk.close()
        raise
    return _summary(ledger, hall, played, clock.now_ms() - started_ms, as_json=as_json)


def _expect_not_given(*options: str) -> None:
    """An event says itself how many tables play, and by which rules."""
    context = click.get_current_context()
    for option in options:
        if context.get_parameter_source(option) is not ParameterSource.DEFAULT:
            raise click.UsageError(
                _("--{option} is for a new file: an event has its own tables and rules").format(option=option)
            )


def _summary(ledger: Ledger, hall: Hall, played: Played, took_ms: int, *, as_json: bool) -> int:
    """What this hall has brought into the ledger, and whether all of the ledger is clean."""
    journals = hall.journals()
    reading = read(ledger)
    turns = [seen for seen in eventlog.turns(reading) if (seen.turn.box, seen.turn.epoch) in journals]
    counts = {
        "tables": played.tables,
        "moves": len(turns),
        "time_outs": sum(1 for seen in turns if seen.turn.how == "timeout"),
        "rulings": sum(1 for seen in turns if seen.turn.ruling is not None),
        "facts": sum((one.fact.box, one.fact.epoch) in journals for one in reading.facts()),
        "resends": played.resends,
        "lost_frames": played.lost_frames,
        "cuts": played.cuts,
        "power_cuts": played.power_cuts,
    }
    problems = list(eventlog.problems(reading))
    if as_json:
        terminal.json_line({
            **counts, "simulated_ms": played.simulated_ms, "took_ms": took_ms,
            "verify": "problems" if problems else "clean", "problems": len(problems), "event": str(ledger.path),
        })  # fmt: skip
        return 1 if problems else 0
    names = {
        "tables": _("tables"), "moves": _("moves"), "time_outs": _("time-outs"), "rulings": _("rulings"),
        "facts": _("facts in the ledger"), "resends": _("facts sent again"), "lost_frames": _("frames lost on the air"),
        "cuts": _("links cut"), "power_cuts": _("power cuts"),
    }  # fmt: skip
    terminal.table(
        (_("a simulated hall"), ""), [(names[key], str(count)) for key, count in counts.items()], numbers=(1,)
    )
    click.echo(
        _("{hours}:{minutes:02d} h of play in {seconds} s").format(
            hours=played.simulated_ms // 3_600_000, minutes=played.simulated_ms // 60_000 % 60,
            seconds=seconds(took_ms),
        )
    )  # fmt: skip
    click.echo(_("The ledger: {event}").format(event=ledger.path))
    return log.say_verdict(problems, BoxTables())


def _watched(hall: Hall) -> Played:
    """Played while a bar shows how far it has come."""
    with terminal.bar(stays=False) as show:

        def tell(moves: int, of: int) -> None:
            template = _("{moves} of {all} moves") if of else _("{moves} moves")
            show(template.format(moves=moves, all=of), moves, of)

        return hall.play(tell=tell)


def _new_file() -> Path:
    """One that there is not yet, in the folder of demos."""
    folder = expect_made(demo_folder())
    return next(file for file in (folder / f"demo-{number}.dalej" for number in count(1)) if not file.exists())
