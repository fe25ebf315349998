"""How a command reaches the one box that it is about: by its cable, or by name over the air."""

from __future__ import annotations

import asyncio
import os
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from typing import Final, TypeVar

import click

from dalej.cli import boxdesk
from dalej.cli.boxwait import after_a_moment, begin
from dalej.cli.itself import command_line
from dalej.clock import SystemClock
from dalej.club.boxes import OwnBox, OwnBoxes, means_port
from dalej.club.folder import club_folder
from dalej.club.keys import ClubKeys
from dalej.errors import DalejError, Refused, Unreachable, WrongInput
from dalej.link.cable import BoxTold
from dalej.link.plug import NOTHING_ANSWERS, Plug, carry
from dalej.link.serving import Serving
from dalej.link.talk import Talk
from dalej.link.usb import IN_USE, SerialWire, open_wire, ports
from dalej.words import N_, _
from moveclock import cable

AIR_MS: Final = 25_000  # to be heard, linked (1.5 to 2.5 s on a good day) and answered
TROUBLE_MS: Final = 4_000  # the system's Bluetooth is asked twice in this time
_LOOK_MS: Final = 200

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Reached:
    """One box, ready to talk. `told`: what it said of itself over its cable, None over the air; `own`: its entry on
    the club's list, if it is there; `called`: what sentences call it; `mtu()`: bytes at a time over the air, if known.
    """

    talk: Talk
    told: BoxTold | None
    own: OwnBox | None
    called: str
    mtu: Callable[[], int | None] = lambda: None


def box_argument() -> click.Argument:
    """BOX or PORT."""
    return click.Argument(["box"], metavar=_("BOX|PORT"))


def is_port(text: str) -> bool:
    """Whether this names a serial port, and no box of the club."""
    return means_port(text)


def port_or_only(port: str | None) -> str:
    """The port that was named, else the only one at which a board may be."""
    if port is not None:
        return port
    found = ports()
    if not found:
        raise Unreachable(N_("no board is plugged in: use a cable that carries data, or name the port"))
    if len(found) > 1:
        listed = ", ".join(f"{device} ({description})" for device, description in found)
        raise WrongInput(N_("several ports may have a box, expected one of {ports}"), ports=listed)
    return found[0][0]


def own_box(uid: bytes) -> OwnBox | None:
    """The club's entry for a box."""
    return next((one for one in OwnBoxes(club_folder()) if one.uid_bytes == uid), None)


def club_keys() -> ClubKeys:
    """The club's secret as this computer has it."""
    return ClubKeys(club_folder(), os.urandom)


def reach(box: str, do: Callable[[Reached], Awaitable[T]], *, last: int | None = 0) -> T:
    """What `do` makes of the box, of which the `last` so many facts are wanted (None: all)."""

    async def talk() -> T:
        async with reached(box, last=last) as found:
            return await do(found)

    return asyncio.run(talk())


@asynccontextmanager
async def reached(box: str, *, last: int | None = 0) -> AsyncIterator[Reached]:
    """The box at a port, or the one of that name or uid over the air."""
    if is_port(box):
        async with at_port(box) as (plug, told), over_cable(plug, told, last=last) as found:
            yield found
    else:
        async with over_air(OwnBoxes(club_folder()).find(box), last=last) as found:
            yield found


@asynccontextmanager
async def at_port(port: str) -> AsyncIterator[tuple[Plug, BoxTold]]:
    """The port, and who is there; whoever waits at a terminal is told."""
    begin(_("Looking at {port} …").format(port=port))
    async with Plug(await open_port(port), port, SystemClock()) as plug:
        yield plug, await _who(plug)


async def open_port(port: str) -> SerialWire:
    """The port; Unreachable names the desk that may have it."""
    try:
        return await open_wire(port)
    except Unreachable as why:
        events = await boxdesk.live_events() if why.template == IN_USE else ()
        if not events:
            raise
        raise Unreachable(
            N_("{port} is in use, perhaps by dalej run on {event}: name the box and not its port, or end that"),
            port=port, event=boxdesk.shown(events[0]),
        ) from why  # fmt: skip


async def _who(plug: Plug) -> BoxTold:
    """Of a board that is no box it is said what makes it one."""
    try:
        with after_a_moment(nothing_yet(plug.port)):
            return await plug.who()
    except Unreachable as why:
        if why.template != NOTHING_ANSWERS:
            raise
        install = command_line("box", "install", plug.port)
        if plug.heard:
            raise Unreachable(
                N_("what is at {port} does not answer as a box does; if the firmware of Dalej is not on it yet: "
                   "{command}"),
                port=plug.port, command=install,
            ) from why  # fmt: skip
        raise silent(plug.port) from why


def silent(port: str) -> Unreachable:
    """Not a byte has come from there."""
    return Unreachable(
        N_("nothing at {port} says a word: look whether the board has power and the cable carries data; if it is an "
           "empty board: {command}"),
        port=port, command=command_line("box", "install", port, "--micropython", _("FILE.bin")),
    )  # fmt: skip


def nothing_yet(port: str) -> str:
    """To whoever waits."""
    return _("Nothing at {port} has answered yet: does the board have power?").format(port=port)


@asynccontextmanager
async def over_cable(plug: Plug, told: BoxTold, *, last: int | None = 0) -> AsyncIterator[Reached]:
    """A conversation with the box at that port. Refused, and what to do, if it cannot have one with this club."""
    uid = told.info.uid
    own = own_box(uid)
    called = uid.hex() if own is None else own.name
    secret = _secret_for(told, called, plug.port)
    clock = SystemClock()
    talk = Talk(uid, secret, clock, os.urandom, called=called, last=last)
    serving = Serving(talk, clock)
    async with _carried(talk, serving, lambda: carry(serving, plug, uid)):
        yield Reached(talk, told, own, called)


@asynccontextmanager
async def over_air(own: OwnBox, *, last: int | None = 0) -> AsyncIterator[Reached]:
    """A conversation with a box of the club that is in reach of this computer's Bluetooth."""
    from dalej.link.ble import BleAir  # noqa: PLC0415 -- the system's Bluetooth takes its time to load

    secret = club_keys().of_box(own.uid_bytes)
    clock = SystemClock()
    air = BleAir(clock, links=1, take_over=False)  # links that are up may be a running desk's
    talk = Talk(own.uid_bytes, secret, clock, os.urandom, called=own.name, last=last, quiet_ms=AIR_MS)
    serving = Serving(talk, clock, air.connect)

    async def carrying() -> None:
        async with asyncio.TaskGroup() as group:
            group.create_task(air.run(serving))
            group.create_task(_give_up_without(talk, lambda: air.trouble))

    async with _carried(talk, serving, carrying):
        try:
            yield Reached(talk, None, own, own.name, lambda: air.mtu(own.uid_bytes))
        except Unreachable as why:
            raise _why_not_heard(talk, air.trouble, own.name) or why from why


async def _give_up_without(talk: Talk, trouble: Callable[[], Unreachable | None]) -> None:
    """Bluetooth that is off will not come by waiting."""
    since = 0
    while talk.backlog is None:
        await asyncio.sleep(_LOOK_MS / 1_000)
        why = trouble()
        since = 0 if why is None else since + _LOOK_MS
        if why is not None and since >= TROUBLE_MS:
            talk.fail(why)
            return


@asynccontextmanager
async def _carried(talk: Talk, serving: Serving, carrying: Callable[[], Awaitable[None]]) -> AsyncIterator[None]:
    """While the block runs, the talk has links; at its end goodbye is said."""
    talk.on_stir(serving.stir)

    async def carried() -> None:
        try:
            await carrying()
        except DalejError as why:
            talk.fail(why)

    serves, carries = asyncio.create_task(serving.run()), asyncio.create_task(carried())
    try:
        yield
    finally:
        talk.leave()
        for task in (serves, carries):  # what is still to be said is written before the link is taken away
            task.cancel()
            with suppress(asyncio.CancelledError):
                await task


def _secret_for(told: BoxTold, called: str, port: str) -> bytes:
    if told.setup:
        raise Refused(
            N_("box {box} at {port} is in set-up mode: pair it, or switch it off and plug it in anew without "
               "holding buttons"),
            box=called, port=port,
        )  # fmt: skip
    if not told.paired:
        raise Refused(
            N_("box {box} at {port} is not paired: switch it off, then hold Już and Dalej of seat A while you plug "
               "it in, then run dalej box pair {port}"),
            box=called, port=port,
        )  # fmt: skip
    secret = club_keys().of_box(told.info.uid)
    if told.fingerprint != cable.fingerprint(secret):
        raise Refused(
            N_("box {box} at {port} is paired with another club: pair it anew, or bring that club's secret with "
               "dalej box keys import FILE"),
            box=called, port=port,
        )  # fmt: skip
    return secret


def _why_not_heard(talk: Talk, trouble: Unreachable | None, called: str) -> Unreachable | None:
    if trouble is not None:
        return trouble
    if talk.backlog is None:
        return Unreachable(
            N_("box {box} is not heard: switch it on, come nearer, or plug it in and name its port"), box=called
        )
    return None
