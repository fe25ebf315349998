"""`dalej box measure`: the error of a box's times, measured by itself, with one wire between two of its contacts."""

from __future__ import annotations

import asyncio
import os
import sys
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Final

import click

from dalej.boxes import measuring
from dalej.boxes.firmware import programs
from dalej.boxes.firmware.copying import Prompt
from dalej.cli import terminal
from dalej.cli.boxreach import at_port, open_port, own_box, port_or_only, talk_at
from dalej.cli.decision import json_option
from dalej.cli.stopping import on_signal
from dalej.cli.terminal import example
from dalej.clock import SystemClock
from dalej.domain.game.facts import Fact
from dalej.domain.game.sentences import tell
from dalej.errors import DalejError, Refused, Unreachable
from dalej.link.capacity import share
from dalej.link.plug import Plug
from dalej.link.talk import Talk
from dalej.words import N_, _, ngettext
from moveclock import cable
from moveclock import facts as k
from moveclock.identity import SECRET, UID

MOVES: Final = 1_000
MOST: Final = 20_000  # half a day
GOAL_MS: Final = 10
_WIRE_MS: Final = 2 * measuring.PERIODS_MS[-1]  # the longest move, and once more
_START_MS: Final = 40_000
_LOOK_MS: Final = 500
_OWN: Final = (
    k.CONFIGURED, k.COMMAND_APPLIED, k.GAME_STARTED, k.MOVE_STARTED, k.MOVE_ENDED, k.BATTERY_LOW, k.RECORDS_LOST,
)  # fmt: skip


@dataclass(slots=True)
class Measured:
    """What all games said. `stopped`: somebody did not want to wait for the rest."""

    errors_ms: list[int] = field(default_factory=list)
    lost: int = 0
    doubled: int = 0
    faults: list[Fact] = field(default_factory=list)
    stopped: bool = False

    @property
    def off_ms(self) -> list[int]:
        """How far off, to whichever side."""
        return [abs(error) for error in self.errors_ms]


def measure_command() -> click.Command:
    """`dalej box measure`."""
    return click.Command(
        "measure", callback=measure,
        params=[
            click.Argument(["port"], metavar=_("[PORT]"), required=False),
            click.Option(["--moves"], type=click.IntRange(5, MOST), default=MOVES, show_default=True,
                         help=_("How many moves are measured.")),
            json_option(),
        ],
        help=_("Measure how far off the times are that a box records. Its own chip presses Już, just when it should: "
               "join the contacts of Już and Dalej (of seat A, if each seat has its own) by one wire, hold one of the "
               "two while you plug the box in, and begin. Its journal and the game that it may have stay as they are. "
               "Nobody has tried this on a real board yet."),
        epilog=example("dalej box measure /dev/ttyUSB0", "dalej box measure COM3 --moves 150 --json"),
    )  # fmt: skip


def measure(port: str | None, moves: int, as_json: bool) -> int:
    """Measure, then say it; 1 if a press was lost or doubled, or somebody stopped it."""
    programs.expect("mpremote")
    port = port_or_only(port)
    uid, secret = b"\x02" + os.urandom(UID - 1), os.urandom(SECRET)  # an address that no maker gives
    called = asyncio.run(_to_prompt(port))
    juz, dalej = _pins(port, Prompt(port).run(measuring.ready(uid, secret)))
    minutes = -(-measuring.takes_ms(moves) // 60_000)
    for sentence in (
        ngettext(
            "Box {box} is measured for {count} move; that takes about {minutes} min.",
            "Box {box} is measured for {count} moves; that takes about {minutes} min.", moves,
        ).format(box=called, count=moves, minutes=minutes),
        _("IO{dalej} (Dalej) presses IO{juz} (Już) over the wire between them: leave all buttons alone.").format(
            dalej=dalej, juz=juz
        ),
    ):  # fmt: skip
        click.echo(sentence, err=as_json)
    Prompt(port).begin(measuring.play(uid, moves))  # a new one clears the memory: the firmware begins with all of it
    found = asyncio.run(_measured(port, uid, secret, called, moves, (juz, dalej)))
    if not found.errors_ms:
        click.echo(_("Stopped; nothing was measured."), err=True)
    elif as_json:
        terminal.json_line({"box": called, **fields(found)})
    else:
        for line in in_words(found):
            click.echo(line)
    return 1 if found.stopped or found.lost or found.doubled else 0


async def _to_prompt(port: str) -> str:
    """Bring the box, which must be in set-up mode, to MicroPython's prompt; what it is called."""
    async with at_port(port) as (plug, told):
        own = own_box(told.info.uid)
        called = told.info.uid.hex() if own is None else own.name
        if not told.setup:
            raise Refused(
                N_("box {box} at {port} plays, and may be in a game: when none is on, unplug it, join the contacts of "
                   "Już and Dalej (of seat A, if each seat has its own) by one wire, hold one of the two while you "
                   "plug it in, and try again"),
                box=called, port=port,
            )  # fmt: skip
        await plug.to_python()
    return called


def _pins(port: str, lines: Sequence[str]) -> tuple[str, str]:
    """Those of Już and Dalej, as the board tells them."""
    for line in lines:
        kind, *rest = line.split(" ", 2)
        if kind == measuring.PINS and len(rest) == 2:
            return rest[0], rest[1]
        if kind == measuring.FAILED:
            raise Refused(N_("the box at {port} cannot be measured: {problem}"), port=port, problem=" ".join(rest))
    raise Unreachable(N_("the box at {port} does not tell its pins: install its firmware anew"), port=port)


async def _measured(port: str, uid: bytes, secret: bytes, called: str, moves: int, pins: tuple[str, str]) -> Measured:
    """Game after game, as the box records it. It starts as at power-on when the link ends."""
    clock = SystemClock()
    found = Measured()
    stop = asyncio.Event()
    async with Plug(await open_port(port), port, clock) as plug:
        told = await plug.who_starts(lambda _why, since_ms: clock.now_ms() - since_ms < _START_MS)
        if (told.info.uid, told.fingerprint) != (uid, cable.fingerprint(secret)):
            raise Unreachable(
                N_("box {box} has started as at power-on, and measures nothing: see what its displays say"), box=called
            )
        async with talk_at(plug, uid, secret, called) as talk:
            with on_signal(stop.set):
                for number, count in enumerate(measuring.games(moves), 1):
                    await _game(talk, number, count, found, stop, pins)
                    if found.stopped:
                        break
                    terminal.begin(_("Moves measured so far: {count} of {all}").format(
                        count=len(found.errors_ms), all=moves
                    ))  # fmt: skip
    return found


async def _game(
    talk: Talk, number: int, moves: int, found: Measured, stop: asyncio.Event, pins: tuple[str, str]
) -> None:  # fmt: skip
    """One game of so many moves; the box gets time to make folders for its facts before it."""
    await talk.until_state()
    clock = SystemClock()
    with suppress(TimeoutError):
        await asyncio.wait_for(stop.wait(), measuring.SETTLE_MS / 1_000)
    heard = len(talk.facts)
    await talk.command("configure", {"game": number, "settings": measuring.rules().pack().hex()})
    lengths_ms: list[int] = []
    strays = 0
    began = False
    quiet_ms = clock.now_ms() + _WIRE_MS
    while len(lengths_ms) < moves and not stop.is_set():
        came = await talk.until_more(heard, _LOOK_MS)
        heard += len(came)
        for fact in came[: _whole(came, moves - len(lengths_ms))]:
            if fact.kind in (k.MOVE_STARTED, k.MOVE_ENDED):
                began, quiet_ms = True, clock.now_ms() + _WIRE_MS
            if fact.kind == k.MOVE_ENDED:
                lengths_ms.append(fact.a)
            elif fact.kind == k.STRAY_TAP and fact.code == k.SHARED_JUZ:
                strays += began
            elif fact.kind == k.FAULT:
                found.faults.append(fact)
            elif began and fact.kind not in _OWN:
                raise Refused(N_("box {box} was disturbed: {fact}"), box=talk.called, fact=tell(fact))
        if clock.now_ms() >= quiet_ms:
            raise _nothing_came(pins, len(found.errors_ms) + len(lengths_ms))
    if lengths_ms:
        judged = measuring.judge(lengths_ms)
        found.errors_ms += judged.errors_ms
        found.lost += judged.lost
        found.doubled += judged.doubled + strays
    found.stopped = stop.is_set()
    if not found.stopped:  # the box ends with the link
        await talk.command("end_game")


def _whole(came: Sequence[Fact], moves: int) -> int:
    """How many of these facts belong to the next so many moves."""
    ends = [place for place, fact in enumerate(came, 1) if fact.kind == k.MOVE_ENDED]
    return ends[moves - 1] if len(ends) >= moves else len(came)


def _nothing_came(pins: tuple[str, str], moves: int) -> DalejError:
    juz, dalej = pins
    if not moves:
        return Refused(
            N_("nothing came over the wire between IO{dalej} and IO{juz}: does it join the contacts of Dalej and Już?"),
            dalej=dalej, juz=juz,
        )  # fmt: skip
    return Refused(
        N_("nothing more came over the wire between IO{dalej} and IO{juz} (moves before that: {count}): is it loose?"),
        dalej=dalej, juz=juz, count=moves,
    )  # fmt: skip


# --- what is said -----


def fields(found: Measured) -> dict[str, object]:
    """Under names that never translate."""
    off_ms = found.off_ms
    return {
        "moves": len(off_ms), "median_ms": share(off_ms, 50), "p99_ms": share(off_ms, 99), "worst_ms": max(off_ms),
        "goal_ms": GOAL_MS, "lost": found.lost, "doubled": found.doubled, "errors_ms": found.errors_ms,
        "faults": [fact.code for fact in found.faults], "stopped": found.stopped,
    }  # fmt: skip


def in_words(found: Measured) -> Sequence[str]:
    """What it means; something was measured."""
    off_ms = found.off_ms
    worst = max(off_ms)
    lines = [_("Stopped before the end:")] if found.stopped else []
    lines += [_("While it was measured: {fault}").format(fault=tell(fact)) for fact in found.faults]
    lines.append(
        ngettext(
            "{count} move: {median} ms off at the median, 99 % at most {most} ms, {worst} ms at worst.",
            "{count} moves: {median} ms off at the median, 99 % at most {most} ms, {worst} ms at worst.", len(off_ms),
        ).format(count=len(off_ms), median=share(off_ms, 50), most=share(off_ms, 99), worst=worst)
    )  # fmt: skip
    goal = _("The goal, {goal} ms at worst, is reached.") if worst <= GOAL_MS else _(
        "The goal, {goal} ms at worst, is not reached."
    )  # fmt: skip
    lines.append(goal.format(goal=GOAL_MS))
    lines.append(_("Presses lost: {lost}; presses that nobody made: {doubled}.").format(
        lost=found.lost, doubled=found.doubled
    ))  # fmt: skip
    lines.append(_("The crystal's own error is not in it: what presses and what counts have the same one."))
    sys.stdout.flush()
    return lines
