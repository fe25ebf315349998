"""`dalej capacity`: what this computer's Bluetooth can do, measured with the club's own boxes."""

from __future__ import annotations

import asyncio
import os
import platform
from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

import click

from dalej.boxes.folder import club_folder
from dalej.boxes.paired import OwnBoxes
from dalej.boxes.secret import ClubKeys
from dalej.cli import terminal
from dalej.cli.stopping import on_signal
from dalej.cli.terminal import command_line, example
from dalej.clock import Clock, SystemClock
from dalej.domain.game.sentences import seconds
from dalej.errors import Refused, Unreachable
from dalej.link.capacity import Found, Survey, share
from dalej.link.serving import Serving
from dalej.words import N_, _, ngettext

if TYPE_CHECKING:
    from dalej.link.ble import BleAir

TABLES: Final = 25  # the hall that the sentence speaks of
DEAF_MS: Final = 20_000  # nothing heard for so long: there is nothing to measure
LOOK_S: Final = 0.2


def command() -> click.Command:
    """`dalej capacity`."""
    return click.Command(
        "capacity", callback=capacity,
        help=_(
            "Measure how many boxes this computer's Bluetooth can serve, and how fresh what it hears is. Switch the "
            "club's boxes on and end dalej run before; nothing that a box has to tell is taken from it."
        ),
        epilog=example("dalej capacity", "dalej capacity --adapter hci1 --links-up-to 8 --seconds 120"),
        params=[
            click.Option(["--links-up-to"], type=click.IntRange(1, 64), default=12, show_default=True,
                         help=_("Try for no more boxes at a time than this.")),
            click.Option(["--seconds"], type=click.IntRange(5, 3600), default=60, show_default=True,
                         help=_("How long the links are held.")),
            click.Option(["--adapter"], default="", metavar=_("NAME"),
                         help=_("The Bluetooth adapter (default: the one that the system chooses).")),
            click.Option(["--json", "as_json"], is_flag=True, help=_("JSON, for programs.")),
        ],
    )  # fmt: skip


def capacity(links_up_to: int, seconds: int, adapter: str, as_json: bool) -> int:
    """Measure, then say what it means; of what was stopped before its end no verdict is given."""
    from dalej.link.ble import BleAir  # noqa: PLC0415 -- the system's Bluetooth takes its time to load

    clock = SystemClock()
    keys = ClubKeys(club_folder(), os.urandom)
    boxes = {box.uid_bytes: keys.of_box(box.uid_bytes) for box in OwnBoxes(club_folder())}
    if not boxes:
        raise Refused(N_("this club has no box yet: dalej box pair PORT pairs one"))
    survey = Survey(
        boxes, most=links_up_to, hold_ms=seconds * 1000, now_ms=clock.now_ms(), random=os.urandom,
        desk=(int.from_bytes(os.urandom(4), "little") | 1, f"{platform.node()[:16]} …"),
    )  # fmt: skip
    air = BleAir(clock, links=links_up_to, adapters=[adapter] if adapter else (), take_over=False)
    if not as_json:
        click.echo(
            ngettext(
                "Listening for {count} box, then linking it; this takes about {minutes} min.",
                "Listening for {count} boxes, then linking them one after the other; this takes about {minutes} min.",
                len(boxes),
            ).format(count=len(boxes), minutes=1 + (seconds + 5 * min(links_up_to, len(boxes))) // 60)
        )
    found = asyncio.run(measure(survey, air, clock, tells=not as_json))
    if not survey.over and not found.heard:
        click.echo(_("Stopped; nothing was measured."), err=True)
    elif as_json:
        terminal.json_line({**fields(found), "stopped": not survey.over})
    else:
        for line in in_words(found) if survey.over else so_far(found):
            click.echo(line)
    return 0 if survey.over else 1


async def measure(survey: Survey, air: BleAir, clock: Clock, *, tells: bool) -> Found:
    """What is found until it is over or somebody stops it. Unreachable if nothing can be heard."""
    stop = asyncio.Event()
    serving = Serving(survey, clock, air.connect)
    tasks = [asyncio.create_task(serving.run()), asyncio.create_task(air.run(serving))]
    began_ms, shown = clock.now_ms(), 0
    try:
        with on_signal(stop.set):
            while not survey.over and not stop.is_set():
                await asyncio.wait(tasks, timeout=LOOK_S)
                for task in tasks:
                    if task.done():
                        task.result()
                found = survey.found()
                if not found.heard and clock.now_ms() - began_ms >= DEAF_MS:
                    raise _deaf(air.trouble)
                if tells and found.most > shown:
                    shown = found.most
                    click.echo(ngettext("{count} box linked", "{count} boxes linked", shown).format(count=shown))
            return survey.found()
    finally:
        survey.close()
        for task in tasks:
            task.cancel()
            await asyncio.wait((task,))


def _deaf(trouble: Unreachable | None) -> Unreachable:
    if trouble is not None:
        return trouble
    return Unreachable(N_("none of the club's boxes is heard: switch some on, near this computer"))


def fields(found: Found) -> dict[str, object]:
    """Under names that never translate."""
    return {
        "boxes": found.boxes, "heard": found.heard, "linked_most": found.most, "held": found.held, "full": found.full,
        "connect_ms": list(found.connects_ms), "age_median_ms": share(found.ages_ms, 50),
        "age_95_ms": share(found.ages_ms, 95), "busy": list(found.busy),
    }  # fmt: skip


def so_far(found: Found) -> Sequence[str]:
    """What was seen before somebody stopped it."""
    linked = ngettext("{count} box linked", "{count} boxes linked", found.most).format(count=found.most)
    return [_("Stopped before the end, so this is no result; so far:"), *_heard(found), linked]


def in_words(found: Found, tables: int = TABLES) -> Sequence[str]:
    """What an organiser should know and do."""
    lines = _heard(found)
    served = _("Some boxes are served by {name}: end that first, and measure again.")
    lines += [served.format(name=name) for name in found.busy]
    if not found.held:
        lines.append(
            _("No box could be held: nothing is recorded over this Bluetooth. Use another adapter, or cables.")
        )
        return lines
    at_once = ngettext(
        "{count} box at once, a connect takes {connect} s.", "{count} boxes at once, a connect takes {connect} s.",
        found.held,
    )  # fmt: skip
    lines.append(at_once.format(count=found.held, connect=seconds(found.connect_ms())))
    if found.most > found.held:
        lines.append(
            ngettext("{count} link did not last.", "{count} links did not last.", found.most - found.held).format(
                count=found.most - found.held
            )
        )
    if not found.full:
        lines.append(_("It may hold more: there were no more boxes to try, or no more were asked for."))
    if found.round_ms(tables):
        lines.append(
            _("With {tables} tables every table is read at least every {seconds} s; an alarm is on the screen in about "
              "{alarm} s.").format(
                tables=tables, seconds=-(-found.round_ms(tables) // 1000), alarm=-(-share(found.ages_ms, 95) // 1000)
            )
        )  # fmt: skip
    lines.append(_("Use: {command}").format(command=command_line("run", _("EVENT"), "--links", str(found.held))))
    return lines


def _heard(found: Found) -> list[str]:
    return [
        _("Boxes heard: {heard} of the club's {boxes}.").format(heard=found.heard, boxes=found.boxes),
        _("What was heard last is {median} s old at the median, 19 of 20 times at most {worst} s.").format(
            median=seconds(share(found.ages_ms, 50)), worst=seconds(share(found.ages_ms, 95))
        ),
    ]
