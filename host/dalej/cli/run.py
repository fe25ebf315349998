"""`dalej run`: the desk of an event with real boxes, until it is told to stop.

It serves on if nobody can be told of it: a full disk or a reader who has gone is a matter of its output alone.
"""

from __future__ import annotations

import asyncio
import os
import platform
from collections.abc import Coroutine, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import click

from dalej.boxes import desks
from dalej.boxes.folder import club_folder
from dalej.boxes.paired import OwnBoxes
from dalej.boxes.secret import ClubKeys
from dalej.cli import centre, gateway, phones
from dalej.cli.decision import event_command
from dalej.cli.logfile import LINKS as LINK_LOG
from dalej.cli.logfile import kept, programs
from dalej.cli.stopping import on_signal
from dalej.cli.terminal import command_line, name_commands
from dalej.clock import SystemClock
from dalej.desk.desk import LEASE_TTL_MS
from dalej.desk.evening.evening import RunningDesk, Telling, desk_id, go, lease
from dalej.desk.evening.linklog import LinkLog
from dalej.desk.feed.client import connect
from dalej.desk.feed.server import RealBoxes, Server
from dalej.domain.game.sentences import local
from dalej.errors import DalejError, Refused, Unreachable, WrongInput
from dalej.event import boxplaces
from dalej.event.event import Event
from dalej.event.ledger import Ledger
from dalej.event.reading import read
from dalej.link.adapters import adapters_here
from dalej.link.cable import BoxTold
from dalej.link.pool import LINKS
from dalej.link.serving import Serving
from dalej.link.usb import UsbCable
from dalej.office.nextstep import next_step
from dalej.words import N_, _, advised, cause, readable, said
from moveclock import cable

if TYPE_CHECKING:
    from dalej.centre.talk import HallKey
    from dalej.link.ble import BleAir

BUSY_MS: Final = 1_000  # screens take a desk that says nothing for five seconds for gone
PHONES_PORT: Final = 8643
WIRED_ONLY: Final = 0  # links: a box on a cable takes none


@dataclass(frozen=True, slots=True)
class Means:
    """By what boxes are reached. `ports` None: wherever one is found."""

    bluetooth: bool
    adapters: Sequence[str]
    links: int
    usb: bool
    ports: Sequence[str] | None

    def __str__(self) -> str:
        """For the log."""
        air = f"Bluetooth ({', '.join(self.adapters) or 'the system chooses'}, {self.links} links each)"
        cables = "USB" if self.ports is None else f"USB ({', '.join(self.ports)})"
        return readable(", ".join([air] * self.bluetooth + [cables] * self.usb))


def command() -> click.Command:
    """`dalej run EVENT`."""
    return event_command(
        "run", run,
        _("The desk of an event with real boxes: hears them, records every fact once, carries out what people decide. "
          "It runs until Ctrl-C; screens and all other commands are opened beside it."),
        "dalej run league.dalej", "dalej run league.dalej --adapter hci0 --adapter hci1 --links 4",
        "dalej run league.dalej --no-bluetooth --usb /dev/ttyUSB0",
        params=[
            click.Option(["--adapter", "adapters"], multiple=True, metavar=_("NAME"),
                         help=_("A Bluetooth adapter; several on Linux (default: the one that the system chooses).")),
            click.Option(["--links"], type=click.IntRange(1, 64), default=LINKS, show_default=True,
                         help=_("How many boxes one adapter holds at a time; dalej capacity measures it.")),
            click.Option(["--usb", "ports"], multiple=True, metavar="PORT",
                         help=_("A box on this cable (default: wherever one is plugged in).")),
            click.Option(["--no-usb"], is_flag=True, help=_("Look at no cables.")),
            click.Option(["--no-bluetooth"], is_flag=True, help=_("Cables alone.")),
            click.Option(["--name"], default=_own_name, metavar=_("NAME"),
                         help=_("What boxes and other desks call this one (default: the computer's name).")),
            click.Option(["--phones", "phones_at"], metavar=_("ADDRESS"),
                         help=_("Phones and tablets are boxes, too, over the network: 0.0.0.0 for all of it, or one of "
                                "this computer's addresses; dalej box phone invites them.")),
            click.Option(["--phones-port"], type=click.IntRange(0, 65_535), default=PHONES_PORT, show_default=True,
                         metavar=_("PORT"), help=_("The port for phones.")),
            click.Option(["--gateways", "gateways_at"], metavar=_("ADDRESS"),
                         help=_("Other computers of the building lend their Bluetooth, over the network: 0.0.0.0 for "
                                "all of it, or one of this computer's addresses; dalej gateway does it there.")),
            click.Option(["--gateways-port"], type=click.IntRange(0, 65_535), default=gateway.PORT, show_default=True,
                         metavar=_("PORT"), help=_("The port for gateways.")),
            click.Option(["--centre", "hall_file"], type=click.Path(path_type=Path), metavar=_("FILE"),
                         help=_("Tell a centre everything that is in the event, as it happens; the file is what dalej "
                                "centre hall has written.")),
            click.Option(["--tls"], is_flag=True,
                         help=_("Phones load their page sealed, by the certificate of dalej serve --tls: their screens "
                                "stay on by themselves.")),
            *LINK_LOG.options(),
        ],
    )  # fmt: skip


def run(
    event: str,
    adapters: tuple[str, ...],
    links: int,
    ports: tuple[str, ...],
    no_usb: bool,
    no_bluetooth: bool,
    name: str,
    phones_at: str | None,
    phones_port: int,
    gateways_at: str | None,
    gateways_port: int,
    hall_file: Path | None,
    tls: bool,
    log_file: str | None,
    verbose: bool,
) -> None:
    """Serve the boxes until somebody stops it."""
    if tls and phones_at is None:
        raise click.UsageError(_("--tls goes with --phones"))
    if no_bluetooth and no_usb and phones_at is None and gateways_at is None:
        raise click.UsageError(_("--no-bluetooth and --no-usb together leave nothing to reach a box by"))
    if no_bluetooth and adapters:
        raise click.UsageError(_("--adapter goes with Bluetooth, not with --no-bluetooth"))
    if no_usb and ports:
        raise click.UsageError(_("--usb names a cable, --no-usb looks at none"))
    if not name.strip():
        raise click.UsageError(_("--name: expected a name"))
    means = Means(not no_bluetooth, adapters, links, not no_usb, ports or None)
    answers = None if phones_at is None else phones.Answers(phones_at, phones_port, sealed=tls)
    takes = None if gateways_at is None else gateway.Takes(gateways_at, gateways_port)
    hall = centre.expect_hall(hall_file)
    _expect_adapters(adapters)
    with Ledger.open(event, busy_ms=BUSY_MS) as ledger:
        centre.expect_its_file(ledger, hall)
        _serve(ledger, event, means, answers, takes, hall, name, LINK_LOG.file(ledger.path, log_file), verbose=verbose)


def _serve(
    ledger: Ledger, event: str, means: Means, answers: phones.Answers | None, takes: gateway.Takes | None,
    hall: HallKey | None, name: str,
    file: Path, *, verbose: bool,
) -> None:  # fmt: skip
    clock = SystemClock()
    folder = club_folder()
    keys = ClubKeys(folder, os.urandom)
    if boxplaces.places(read(ledger)):
        keys.secret()  # a desk without it could serve none of them
    _expect_no_other(ledger, clock)
    held = lease(ledger, clock, name, ttl_ms=LEASE_TTL_MS, pause=clock.sleep_ms, waits=_say_waiting)
    ledger.lease.release(held)
    air = _air(means, clock, lent=takes is not None)
    running = RunningDesk(
        ledger, clock=clock, random=os.urandom, secret_of=keys.of_box, name=name,
        desk_id=desk_id(folder, ledger.path, os.urandom),
        links=WIRED_ONLY if air is None else lambda: air.links, connects=1 if air is None else lambda: air.connects,
    )  # fmt: skip
    telling = Telling(
        running, clock, lambda: None if air is None else air.trouble, partial(_names_of_boxes, OwnBoxes(folder)),
        lambda problem: advised(name_commands(problem, event)),
    )  # fmt: skip
    voice = _Voice()
    _greet(voice, running, event, name, file, phones=answers is not None)
    _say_nobody_sits(voice, Event(ledger, who=name, wall_ms=clock.wall_ms), event)
    with desks.noted(folder, ledger.path), kept(LINK_LOG, file, clock, _say_not_kept, aloud=verbose) as note:
        note(f"desk “{readable(name)}” begins with {readable(str(ledger.path))}; {means}; {programs()}")
        log = LinkLog(running.desk, note, names=running.names, air=air)
        asyncio.run(_live(ledger, running, telling, air, means, answers, takes, hall, clock, name, voice, keys, log))
        note(f"desk “{readable(name)}” ends")
    click.echo(_("The desk has left its boxes; they keep what happens from now on."))


def _air(means: Means, clock: SystemClock, *, lent: bool) -> BleAir | None:
    """`lent`: other computers may lend theirs, though this one's is not used."""
    if not (means.bluetooth or lent):
        return None
    from dalej.link.ble import BleAir  # noqa: PLC0415 -- the system's Bluetooth takes its time to load

    return BleAir(clock, links=means.links, adapters=means.adapters if means.bluetooth else None)


async def _live(
    ledger: Ledger,
    running: RunningDesk,
    telling: Telling,
    air: BleAir | None,
    means: Means,
    answers: phones.Answers | None,
    takes: gateway.Takes | None,
    hall: HallKey | None,
    clock: SystemClock,
    name: str,
    voice: _Voice,
    keys: ClubKeys,
    log: LinkLog,
) -> None:
    stop = asyncio.Event()

    def complained(_device: str, why: DalejError) -> None:
        telling.hear(why)
        log.complained(why)

    serving = Serving(log, clock, None if air is None else air.connect)
    server = Server(running.desk, RealBoxes(), clock, name=name, event=ledger.path, head=ledger.head, random=os.urandom)
    carriers: list[Coroutine[Any, Any, None]] = []
    if air is not None:
        carriers.append(air.run(serving))
    if means.usb:
        cables = UsbCable(
            serving, log, clock, wants=running.desk.lines.__contains__, is_ours=partial(_is_ours, keys),
            devices=None if means.ports is None else lambda: means.ports or (), said=complained,
        )  # fmt: skip
        log.port_of = cables.port_of
        carriers.append(cables.run())

    if answers is not None:
        office = Event(ledger, who=name, wall_ms=clock.wall_ms)
        carriers.append(phones.answering(answers, serving, log, running, office, keys, clock, complained, voice.say))

    def heard_of(what: DalejError) -> None:
        telling.hear(what)
        log.complained(what)

    if takes is not None and air is not None:
        carriers.append(gateway.taking(takes, air, keys, name, heard_of, voice.say))

    if hall is not None:
        carriers.append(
            centre.telling(ledger.path, hall, f"{name[:60]} {running.desk.desk_id}", lambda what: voice.say(said(what)))
        )

    def look() -> None:
        log.look(clock.now_ms())
        for line in telling.lines():
            voice.say(f"{local(clock.wall_ms()):%H:%M:%S}  {line}")

    with on_signal(stop.set):
        await go(running, serving, carriers, server, stop, look)


class _Voice:
    """What the desk says. Once it cannot be written, that is said on stderr, and again after it could be."""

    def __init__(self) -> None:
        self._works = True

    def say(self, line: str) -> None:
        worked = self._works
        try:
            click.echo(line)
            self._works = True
        except OSError as error:
            self._works = False
            if worked:
                sentence = _("What the desk says cannot be written ({problem}); it serves the boxes all the same.")
                _say_aside(sentence.format(problem=said(cause(error))))


def _say_not_kept(problem: str) -> None:
    sentence = _("What becomes of links cannot be written down ({problem}); the desk serves the boxes all the same.")
    _say_aside(sentence.format(problem=readable(problem)))


def _say_aside(sentence: str) -> None:
    with suppress(OSError):
        click.echo(sentence, err=True)


def _greet(voice: _Voice, running: RunningDesk, event: str, name: str, log: Path, *, phones: bool) -> None:
    voice.say(
        _("{name} serves {event}; the hall on a screen: {screen}; Ctrl-C ends it.").format(
            name=readable(name), event=readable(event), screen=command_line("screen", event)
        )
    )
    voice.say(_("What becomes of links, and of Bluetooth, is kept in {file}.").format(file=readable(str(log))))
    if not running.names():
        gives = ("box", "phone", event, "1") if phones else ("box", "assign", event, "--all")
        voice.say(
            _("No box stands on a table of this event yet; to give one: {command}").format(command=command_line(*gives))
        )


def _say_nobody_sits(voice: _Voice, office: Event, event: str) -> None:
    """Boxes stay dark until people sit at their tables: what the organiser does to get there."""
    try:
        state = office.state()
    except WrongInput:
        return  # it is played by no rules yet: an empty event that rebuilds a day
    if state.current is None or state.current.seating is None:
        step = next_step(state, event)
        voice.say(
            _("Nobody is seated at a table now, so no game is set up. Next: {what}: {command}").format(
                what=said(step.said), command=command_line(*step.command)
            )
        )


def _names_of_boxes(boxes: OwnBoxes) -> Mapping[str, str]:
    """What is written on them; a list that cannot be read names none."""
    with suppress(DalejError):
        return {box.uid: readable(box.name) for box in boxes}
    return {}


def _is_ours(keys: ClubKeys, told: BoxTold) -> bool:
    """Whether the box has this club's secret; where that cannot be read now, nothing is said against it."""
    try:
        return told.fingerprint == cable.fingerprint(keys.of_box(told.info.uid))
    except Refused:  # there is none
        return False
    except DalejError:
        return True


def _say_waiting(holder: str) -> None:
    _say_aside(
        _("The links of this event were held by {holder} a moment ago; waiting up to 10 s for them.").format(
            holder=readable(holder)
        )
    )


def _expect_no_other(ledger: Ledger, clock: SystemClock) -> None:
    """Refused, with its name, if a desk or a simulated hall is live on the event: nobody need wait for its lease."""

    async def knock() -> None:
        await (await connect(ledger.path)).close()

    with suppress(Unreachable):
        asyncio.run(knock())
        holder = ledger.lease.holder(clock.wall_ms())
        if holder is None:
            raise Refused(N_("a desk is live on {event} already: end it first"), event=str(ledger.path))
        raise Refused(N_("{name} is live on {event} already: end it first"), name=holder.holder, event=str(ledger.path))


def _expect_adapters(adapters: Sequence[str]) -> None:
    here = adapters_here()
    for adapter in adapters:
        if here and adapter not in here:
            raise WrongInput(
                N_("there is no Bluetooth adapter {adapter}: expected one of {known}"),
                adapter=adapter, known=", ".join(here),
            )  # fmt: skip


def _own_name() -> str:
    return platform.node().partition(".")[0] or _("desk")
