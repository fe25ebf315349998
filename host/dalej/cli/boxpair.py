"""`dalej box pair`: a box gets its secret over the cable, and its name on the club's list."""

from __future__ import annotations

import asyncio
import os
from contextlib import suppress
from dataclasses import dataclass

import click

from dalej.boxes.folder import club_folder
from dalej.boxes.paired import NUMBER_BYTES, OwnBox, OwnBoxes, expect_name
from dalej.cli.boxreach import at_port, club_keys, own_box, port_or_only
from dalej.cli.decision import agreed, yes_option
from dalej.cli.terminal import command_line, example
from dalej.clock import SystemClock
from dalej.errors import Refused, Unreachable
from dalej.link.cable import BoxTold
from dalej.link.plug import Plug
from dalej.words import N_, _, readable
from moveclock import cable
from moveclock.identity import KOSTKA, SHARED


@dataclass(frozen=True, slots=True)
class _Paired:
    box: OwnBox
    before: OwnBox | None
    made_secret: bool
    started: bool


def pair_command() -> click.Command:
    """`dalej box pair`."""
    return click.Command(
        "pair", callback=pair,
        params=[
            click.Argument(["port"], metavar=_("[PORT]"), required=False),
            click.Option(["--name"], metavar=_("NAME"), help=_("What is written on the box (default: a free number).")),
            yes_option(),
        ],
        help=_("Make the box at PORT the club's own; first unplug it, then hold Już and Dalej "
               "(of seat A, if each seat has its own) while you "
               "plug it in."),
        epilog=example("dalej box pair /dev/ttyUSB0", "dalej box pair COM3 --name 7"),
    )  # fmt: skip


def pair(port: str | None, name: str | None, yes: bool) -> None:
    """Pair it and say what to write on it."""
    if name is not None:
        expect_name(name)
    port = port_or_only(port)
    done = asyncio.run(_pair(port, name, yes=yes))
    _say(done)


async def _pair(port: str, name: str | None, *, yes: bool) -> _Paired:
    async with at_port(port) as (plug, told):
        if not told.setup:
            raise Refused(
                N_("the box at {port} is not in set-up mode: unplug it, then hold Już and Dalej "
                   "(of seat A, if each seat has its own) "
                   "while you plug it in, and try again"),
                port=port,
            )  # fmt: skip
        before = own_box(told.info.uid)
        if name is not None:
            OwnBoxes(club_folder()).expect_free(name, told.info.uid.hex())
        if before is not None:
            _expect_the_same(before, port, yes=yes)
        box, made = await _made_own(plug, told, name)
        return _Paired(box, before, made, await _is_back(plug))


async def _made_own(plug: Plug, told: BoxTold, name: str | None) -> tuple[OwnBox, bool]:
    """The box gets its secret while the list keeps a place for it; whether the club's secret was made for it."""
    uid, keys, boxes = told.info.uid, club_keys(), OwnBoxes(club_folder())
    before = next((one.build for one in boxes if one.uid == uid.hex()), 0)  # it does not tell of its screen
    build = before & ~(KOSTKA | SHARED) | (KOSTKA if told.info.kostka else 0) | (SHARED if told.info.shared else 0)
    number = os.urandom(NUMBER_BYTES)
    with boxes.pairing(uid.hex(), name, build, SystemClock().wall_ms(), number) as box:
        made = not keys.exist()
        keys.make()
        secret = keys.of_box(uid)
        try:
            await plug.pair(uid, secret)
        except Refused:  # the box says that it did not take it
            raise
        except BaseException:
            boxes.reached(box)
            raise
        with suppress(Unreachable):  # it has said that it is paired
            kept = await plug.who()
            if kept.info.uid != uid or kept.fingerprint != cable.fingerprint(secret):
                raise Refused(
                    N_("the box at {port} did not keep its secret: install its firmware anew"), port=plug.port
                )
    return box, made


def _expect_the_same(before: OwnBox, port: str, *, yes: bool) -> None:
    """Ask: whatever says that it is a box of the club takes that box's place, and the real one is known no more."""
    agreed(
        yes,
        _("What is plugged in at {port} says that it is box {name} of this club. It gets a new secret, and the one "
          "that box {name} had counts no more. Is it box {name}?").format(port=port, name=readable(before.name)),
    )  # fmt: skip


async def _is_back(plug: Plug) -> bool:
    """Whether the box answers after a restart, ready to play; boards whose port vanishes with it do not."""
    try:
        await plug.restart()
        told = await plug.who()
    except Unreachable:
        return False
    return told.paired and not told.setup


def _say(done: _Paired) -> None:
    name = readable(done.box.name)
    again = _("Box {name} (uid {uid}) is paired with this club anew.")
    first = _("Box {name} (uid {uid}) is paired with this club: write “{name}” on it.")
    sentence = first if done.before is None or done.before.name != done.box.name else again
    click.echo(sentence.format(name=name, uid=done.box.uid))
    if not done.started:
        click.echo(_("It has not come back yet: plug it in anew, without holding buttons."))
    if done.made_secret:
        click.echo(_("The club's secret was made for it; {where} keeps it. For a spare laptop: {command}").format(
            where=club_keys().where(), command=command_line("box", "keys", "export", _("FILE"))
        ))  # fmt: skip
