"""`dalej latency BOX`: how long it takes from a finger on a button to a row on the disk of this computer."""

from __future__ import annotations

import asyncio
import os
import platform
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Final

import click

from dalej.boxes.folder import club_folder
from dalej.boxes.paired import OwnBoxes
from dalej.boxes.secret import ClubKeys
from dalej.cli import terminal
from dalej.cli.stopping import on_signal
from dalej.cli.terminal import example
from dalej.clock import Clock, SystemClock
from dalej.desk.evening.evening import RunningDesk, go
from dalej.desk.latency import Press, TimedLedger, presses
from dalej.errors import Unreachable
from dalej.event import boxplaces
from dalej.event.event import Event
from dalej.link.capacity import share
from dalej.link.serving import Serving
from dalej.words import N_, _, ngettext

if TYPE_CHECKING:
    from dalej.link.ble import BleAir

BUSY_MS: Final = 1_000
LINK_WITHIN_MS: Final = 60_000
GOAL_MS: Final = 500  # nobody at a screen sees that it is late


def command() -> click.Command:
    """`dalej latency BOX`."""
    return click.Command(
        "latency", callback=latency,
        help=_(
            "Measure the time from a press at a box to its row in an event file. End dalej run before; the rows go "
            "into a file of their own, which is gone afterwards."
        ),
        epilog=example("dalej latency 7", "dalej latency 7 --presses 30 --json"),
        params=[
            click.Argument(["box"], metavar=_("BOX")),
            click.Option(["--presses"], type=click.IntRange(1, 1000), default=10, show_default=True,
                         help=_("How many presses are measured.")),
            click.Option(["--adapter"], default="", metavar=_("NAME"),
                         help=_("The Bluetooth adapter (default: the one that the system chooses).")),
            click.Option(["--json", "as_json"], is_flag=True, help=_("JSON, for programs.")),
        ],
    )  # fmt: skip


def latency(box: str, presses: int, adapter: str, as_json: bool) -> int:
    """Wait for presses, then say what they took; of fewer than were asked for it is said that somebody stopped it."""
    from dalej.link.ble import BleAir  # noqa: PLC0415 -- the system's Bluetooth takes its time to load

    clock = SystemClock()
    keys = ClubKeys(club_folder(), os.urandom)
    own = OwnBoxes(club_folder()).find(box)
    keys.of_box(own.uid_bytes)  # refused now, or never
    air = BleAir(clock, links=1, adapters=[adapter] if adapter else (), take_over=False)

    def tell(text: str) -> None:
        if not as_json:
            click.echo(text)

    with tempfile.TemporaryDirectory(prefix="dalej-") as folder:
        path = Path(folder) / "latency.dalej"
        found = asyncio.run(
            measure(path, own.uid, own.name, air, clock, secret_of=keys.of_box, wanted=presses, tell=tell)
        )
    stopped = len(found) < presses
    if not found:
        click.echo(_("Stopped; nothing was measured."), err=True)
    elif as_json:
        terminal.json_line({"box": own.name, "took_ms": [one.took_ms for one in found],
                          "error_ms": [one.error_ms for one in found], "stopped": stopped})  # fmt: skip
    else:
        if stopped:
            click.echo(_("Stopped before the end, with {count} of {all} presses:").format(
                count=len(found), all=presses
            ))  # fmt: skip
        for line in in_words(found):
            click.echo(line)
    return 1 if stopped else 0


async def measure(
    path: Path,
    box: str,
    name: str,
    air: BleAir,
    clock: Clock,
    *,
    secret_of: Callable[[bytes], bytes],
    wanted: int,
    tell: Callable[[str], None],
) -> list[Press]:
    """So many presses, or as many as there were when somebody stopped it. Unreachable if the box cannot be linked."""
    stop = asyncio.Event()
    found: list[Press] = []
    with TimedLedger.make(path, clock, BUSY_MS) as ledger:
        measuring = Event(ledger, who="latency", wall_ms=clock.wall_ms)
        boxplaces.decide(measuring, lambda _: [boxplaces.Wish(box, 1, goes_on=False, name=name)], "to measure")
        running = RunningDesk(
            ledger, clock=clock, random=os.urandom, secret_of=secret_of, name=f"{platform.node()[:16]} …",
            desk_id=int.from_bytes(os.urandom(4), "little") | 1, links=air.links,
        )  # fmt: skip
        line = running.desk.lines[bytes.fromhex(box)]
        serving = Serving(running.desk, clock, air.connect)
        began_ms, linked = clock.now_ms(), False

        def look() -> None:
            nonlocal linked
            if line.live is not None and line.catch_up is None and not linked:
                linked = True
                tell(_("Box {box} is linked: press its buttons, one press a second.").format(box=name))
            if line.live is None and not linked and clock.now_ms() - began_ms >= LINK_WITHIN_MS:
                raise air.trouble or Unreachable(
                    N_("box {box} is not heard: switch it on, near this computer"), box=name
                )
            for one in presses(ledger, line):
                found.append(one)
                tell(_("{number}: {ms} ms").format(number=len(found), ms=one.took_ms))
            if len(found) >= wanted:
                stop.set()

        with on_signal(stop.set):
            await go(running, serving, [air.run(serving)], None, stop, look)
    return found[:wanted]


def in_words(found: Sequence[Press]) -> Sequence[str]:
    """What it means; `found` has one or more."""
    took = [one.took_ms for one in found]
    lines = [
        ngettext(
            "{count} press from the finger to the disk: {median} ms at the median, {worst} ms at worst (good to "
            "{error} ms).",
            "{count} presses from the finger to the disk: {median} ms at the median, {worst} ms at worst (good to "
            "{error} ms).", len(took),
        ).format(count=len(took), median=share(took, 50), worst=max(took), error=max(one.error_ms for one in found))
    ]  # fmt: skip
    if max(took) <= GOAL_MS:
        lines.append(_("A screen shows a press before anybody looks up."))
    else:
        lines.append(
            _("That is slow, though no time is lost: the box counts. Bring the computer nearer, or use a cable.")
        )
    return lines
