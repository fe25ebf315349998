"""How a command reaches the one box that it is about: by its cable, by name over the air, or by the desk on this
computer that serves it.
"""

from __future__ import annotations

import asyncio
import os
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final, TypeVar

import click

from dalej.boxes import desks
from dalej.boxes.folder import club_folder
from dalej.boxes.paired import OwnBox, OwnBoxes, means_port
from dalej.boxes.secret import ClubKeys
from dalej.cli.decision import WHO_VARIABLE, login
from dalej.cli.requested import WITHIN_MS, NoDesk, answer
from dalej.cli.terminal import after_a_moment, begin, command_line, named
from dalej.clock import SystemClock
from dalej.desk.feed.client import connect
from dalej.desk.feed.messages import NoticeTold, Pulse, TableHeard, parted
from dalej.desk.notices import NO_SECRET_OF_OURS, TURNED_AWAY
from dalej.domain.game.heard import Heard
from dalej.domain.game.sentences import WORDS
from dalej.errors import DalejError, Refused, Sayable, Unreachable, WrongInput
from dalej.event.ledger import APPLIED, REFUSED, Ledger, Reported, Stream
from dalej.event.reading import read
from dalej.event.tables import Tables
from dalej.link.cable import BoxTold
from dalej.link.plug import NOTHING_ANSWERS, Plug, carry
from dalej.link.serving import Serving
from dalej.link.talk import Talk
from dalej.link.usb import IN_USE, SerialWire, open_wire, ports
from dalej.words import N_, _, readable
from moveclock import cable


@dataclass(frozen=True, slots=True)
class Served:
    """A box of an event on which a desk is live here. `desk`: its name; `heard`: what it knows, at `now_ms` of its
    clock; `refused`: why a box that it has never heard refuses the desk, None: it does not, as far as that is known.
    """

    own: OwnBox
    event: Path
    desk: str
    heard: Heard
    now_ms: int
    refused: DalejError | None = None

    @property
    def shares_secret(self) -> bool | None:
        """Whether the box has this club's secret, None: nobody knows."""
        if self.heard.seen_ms is not None:
            return True
        return False if self.refused is not None and self.refused.template == NO_SECRET_OF_OURS else None

    @property
    def shown(self) -> str:
        """The event."""
        return shown(self.event)

    @property
    def called(self) -> str:
        """The box."""
        return readable(self.own.name)

    @property
    def age_ms(self) -> int | None:
        """How long ago the desk heard the box, None: never yet."""
        return None if self.heard.seen_ms is None else max(0, self.now_ms - self.heard.seen_ms)


def shown(event: Path) -> str:
    """As whoever types here would name it."""
    here = Path.cwd()
    return readable(str(event.relative_to(here) if event.is_relative_to(here) else event))


def served(box: str) -> Served | None:
    """Who serves the box of that name or uid here, None: no desk does."""
    own = OwnBoxes(club_folder()).find(box)
    for event in desks.events(club_folder()):
        found = asyncio.run(_ask(event, own))
        if found is not None:
            return found
    return None


async def live_events() -> Sequence[Path]:
    """The events on which a desk is live here."""
    found = []
    for event in desks.events(club_folder()):
        try:
            await (await connect(event)).close()
        except Unreachable:
            continue
        found.append(event)
    return found


async def _ask(event: Path, own: OwnBox) -> Served | None:
    """A desk tells a screen that comes in of every box of its event, and what boxes said of it, before its second
    pulse.
    """
    try:
        desk = await connect(event)
    except Unreachable:
        return None
    pulse: Pulse | None = None
    found: Served | None = None
    refused: DalejError | None = None
    try:
        async for message in desk.messages():
            if isinstance(message, Pulse):
                if pulse is not None:
                    break
                pulse = message
            elif isinstance(message, TableHeard) and message.heard.box == own.uid and pulse is not None:
                found = Served(own, event, desk.welcome.name, message.heard, pulse.now_ms)
                if message.heard.seen_ms is not None:
                    break
            elif isinstance(message, NoticeTold) and (message.kind, message.box) == (TURNED_AWAY, own.uid):
                refused = DalejError(message.template, **{**parted(message.data), "box": readable(own.name)})
    except Unreachable:
        pass
    finally:
        await desk.close()
    return found if found is None else replace(found, refused=refused)


def expect_none(found: Served | None, needs: str) -> None:
    """Refused, and the ways out, if a desk serves the box; `needs`: template of what was to be done, with {box}."""
    if found is None:
        return
    raise Refused(
        N_("{needs}, and dalej run on {event} serves it at table {table}: end dalej run first, or take the box off its "
           "table with {command}"),
        needs=DalejError(needs, box=found.called), event=found.shown, table=found.heard.table,
        command=named("box", "assign", found.shown, found.own.name, _("none")),
    )  # fmt: skip


# --- what the event has of it -----


@dataclass(frozen=True, slots=True)
class Kept:
    """A box's present journal as far as the event has it. `stream` None: nothing yet."""

    stream: Stream | None
    facts: Sequence[Reported]


def kept(found: Served) -> Kept:
    """Of the epoch that the desk has heard, else of the latest one."""
    with Ledger.open(found.event) as ledger:
        streams = ledger.boxes(found.own.uid)
        told = found.heard.told
        if told is not None:
            streams = [one for one in streams if one.epoch == told.epoch]
        if not streams:
            return Kept(None, ())
        journal = read(ledger).fold(Tables).journal(found.own.uid, streams[-1].epoch)
        return Kept(streams[-1], () if journal is None else journal.facts)


# --- what is asked of it -----


def ask(found: Served, command: str, *, within_ms: int = WITHIN_MS) -> None:
    """Have the desk have the box carry it out. Refused as by the box; Unreachable if the desk has no link to it."""
    _expect_not_refused(found)
    clock = SystemClock()
    who = os.environ.get(WHO_VARIABLE) or login()
    with Ledger.open(found.event) as ledger:
        request = ledger.request(
            found.heard.table, command, who=who, at_ms=clock.wall_ms(), why="dalej box", box=found.own.uid
        )
        said = _("dalej run on {event} waits for a link to box {box} …").format(event=found.shown, box=found.called)
        with after_a_moment(said):
            _until_answered(found, ledger, request.id, clock, within_ms)


def _expect_not_refused(found: Served) -> None:
    if found.refused is not None:
        raise Unreachable(
            N_("dalej run on {event} has no link to box {box}: {reason}"),
            event=found.shown, box=found.called, reason=found.refused,
        )  # fmt: skip


def _until_answered(found: Served, ledger: Ledger, number: int, clock: SystemClock, within_ms: int) -> None:
    try:
        last = answer(ledger, number, clock, within_ms)
    except NoDesk:
        if asyncio.run(_ask(found.event, found.own)) is not None:  # it lives, and cannot renew its hold on the links
            raise Unreachable(
                N_("dalej run on {event} cannot write its event file now, so box {box} was not told: see what it says, "
                   "such as that the disk is full"),
                event=found.shown, box=found.called,
            ) from None  # fmt: skip
        raise Unreachable(
            N_("dalej run on {event} has ended before box {box} was told: try again"),
            event=found.shown, box=found.called,
        ) from None  # fmt: skip
    if last is None or last.result not in (REFUSED, APPLIED):
        _expect_not_refused(asyncio.run(_ask(found.event, found.own)) or found)  # it may have happened only now
    if last is None:
        raise Unreachable(
            N_("dalej run on {event} got no answer of box {box} within {seconds} s"),
            event=found.shown, box=found.called, seconds=within_ms // 1_000,
        )  # fmt: skip
    if last.result == REFUSED:
        why: Sayable = DalejError(WORDS[last.reason]) if last.reason in WORDS else last.reason
        raise Refused(N_("box {box} refuses: {reason}"), box=found.called, reason=why)
    if last.result != APPLIED:
        raise Unreachable(
            N_("dalej run on {event} has no link to box {box}: switch the box on, or bring it nearer"),
            event=found.shown, box=found.called,
        )  # fmt: skip


AIR_MS: Final = 25_000  # to be heard, linked (1.5 to 2.5 s on a good day) and answered
TROUBLE_MS: Final = 4_000  # the system's Bluetooth is asked twice in this time
_LOOK_MS: Final = 200
SELF: Final = "dalej box"  # what a desk that is refused because of this program gets to hear

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
        events = await live_events() if why.template == IN_USE else ()
        if not events:
            raise
        raise Unreachable(
            N_("{port} is in use, perhaps by dalej run on {event}: name the box and not its port, or end that"),
            port=port, event=shown(events[0]),
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
    async with talk_at(plug, uid, _secret_for(told, called, plug.port), called, last=last) as talk:
        yield Reached(talk, told, own, called)


@asynccontextmanager
async def talk_at(plug: Plug, uid: bytes, secret: bytes, called: str, *, last: int | None = 0) -> AsyncIterator[Talk]:
    """A conversation with whoever at that port has this uid and this secret."""
    clock = SystemClock()
    talk = Talk(uid, secret, clock, os.urandom, called=called, name=SELF, last=last)
    serving = Serving(talk, clock)
    async with _carried(talk, serving, lambda: carry(serving, plug, uid)):
        yield talk


@asynccontextmanager
async def over_air(own: OwnBox, *, last: int | None = 0) -> AsyncIterator[Reached]:
    """A conversation with a box of the club that is in reach of this computer's Bluetooth."""
    from dalej.link.ble import BleAir  # noqa: PLC0415 -- the system's Bluetooth takes its time to load

    secret = club_keys().of_box(own.uid_bytes)
    clock = SystemClock()
    air = BleAir(clock, links=1, take_over=False)  # links that are up may be a running desk's
    talk = Talk(
        own.uid_bytes, secret, clock, os.urandom, called=own.name, name=SELF, last=last, quiet_ms=AIR_MS
    )  # fmt: skip
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
            N_("box {box} at {port} is in set-up mode: pair it, or unplug it and plug it in anew without "
               "holding buttons"),
            box=called, port=port,
        )  # fmt: skip
    if not told.paired:
        raise Refused(
            N_("box {box} at {port} is not paired: unplug it, then hold Już and Dalej "
               "(of seat A, if each seat has its own) while you plug "
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
