"""A simulated hall that lives in this process, or in a child of it, until told to stop."""

from __future__ import annotations

import asyncio
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any, Final

import click

from dalej import eventlog
from dalej.cli.itself import command_line
from dalej.cli.stopping import on_end_of_input, on_signal
from dalej.clock import Clock, ManualClock, SystemClock
from dalej.desk import POLL_MS
from dalej.errors import Refused, Unreachable
from dalej.ledger import Ledger
from dalej.live.client import connect
from dalej.live.server import Server
from dalej.rulebook import load
from dalej.simulated.hall import WHO, Hall
from dalej.simulated.living import LIVELY, WARM_UP_MS, Living
from dalej.simulated.roundplayed import hall_of_round, round_of
from dalej.words import N_, _

END_WITHIN_S: Final = 15
BUSY_MS: Final = 1_000  # screens take a desk that says nothing for five seconds for gone


@dataclass(frozen=True, slots=True)
class Evening:
    """What was asked for: options of `dalej demo`. `seated`: at an event that has its own tables and rules."""

    event: Path
    tables: int
    seed: int
    ruleset: str
    links: int
    speed: float
    seated: bool = False

    def arguments(self) -> list[str]:
        """The command that plays it without a screen."""
        invented = ["--yes"] if self.seated else ["--tables", str(self.tables), "--ruleset", self.ruleset]
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
            played = round_of(ledger)
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
    command = [sys.executable, "-m", "dalej", *evening.arguments()]
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
