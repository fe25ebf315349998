"""`dalej serve`: the screens of an event in browsers, behind a log-in; and the passwords for it."""

from __future__ import annotations

import asyncio
import os
import random
import sys
from collections.abc import Callable, Mapping
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Final

import click
import segno

from dalej.boxes.folder import club_folder
from dalej.cli.eventfile import event_argument, settled
from dalej.cli.logfile import BROWSERS, kept, programs
from dalej.cli.stopping import on_signal
from dalej.cli.terminal import command_line, example
from dalej.clock import Clock, SystemClock
from dalej.desk.feed.client import connect
from dalej.errors import DalejError, Refused
from dalej.event.event import Event
from dalej.event.eventlog import name_of, ruleset_of
from dalej.event.ledger import Ledger, Reported
from dalej.office.acts.performer import AuditFile, FileAudit, Handler, Performer
from dalej.office.acts.roles import ROLES, Role, role_of
from dalej.office.phonecodes import PhoneCodes
from dalej.views.book import EventBook
from dalej.views.feed import Connect, Feed
from dalej.views.following import LedgerReader
from dalej.views.hall import HallModel
from dalej.web.certificates import Identity
from dalej.web.passwords import SHORTEST, Passwords, expect_password
from dalej.web.server import Plan, WebServer, own_identity, own_names, reached_by
from dalej.web.sessions import Trail, is_loopback, trail_of
from dalej.web.watch import Watch
from dalej.words import N_, ROLE_WORDS, _, language, readable, said

HOST: Final = "127.0.0.1"
PORT: Final = 8642
_LONGEST: Final = 1_024
_FILES: Final = 8_192  # connections are files to the system: a flood of them is hung up on each second, not sooner
_SHORT_MS: Final = 10
_LONG_MS: Final = 1_000


def command() -> click.Command:
    """`dalej serve EVENT`."""
    return click.Command(
        "serve",
        callback=serve,
        params=[
            event_argument(may_lack=True),
            click.Option(["--set-password", "role"], type=click.Choice(ROLES), metavar=_("ROLE"),
                         help=_("Set the password of public, referee or organiser, and do nothing else. It is asked "
                                "for twice; where there is no terminal, it is the first line of standard input.")),
            click.Option(["--drop-password", "dropped"], type=click.Choice(ROLES), metavar=_("ROLE"),
                         help=_("Take the password of that role away, and do nothing else: nobody logs in with it.")),
            click.Option(["--public-open"], is_flag=True,
                         help=_("Whoever finds the address may look as the public, without a password.")),
            click.Option(["--host"], default=HOST, show_default=True, metavar=_("ADDRESS"),
                         help=_("Where to listen: this computer alone, or 0.0.0.0 for the whole network.")),
            click.Option(["--port"], type=click.IntRange(0, 65_535), default=PORT, show_default=True,
                         help=_("The port; 0: one that is free.")),
            click.Option(["--tls"], is_flag=True,
                         help=_("Seal what travels, with a certificate that Dalej makes; devices trust its authority "
                                "once.")),
            click.Option(["--plain"], is_flag=True,
                         help=_("Serve others in clear: the public's pages alone, without a password.")),
            click.Option(["--cert"], metavar=_("FILE"), help=_("A certificate (PEM): passwords travel sealed.")),
            click.Option(["--key"], metavar=_("FILE"), help=_("The certificate's key (PEM).")),
            click.Option(["--name", "names"], multiple=True, metavar=_("NAME"),
                         help=_("Another name by which browsers call this computer.")),
            *BROWSERS.options(),
        ],
        help=_(
            "Show an event in browsers, on any phone, tablet or laptop, behind a log-in. What somebody may do there is "
            "asked of the role that logged in: public, referee or organiser. It runs until Ctrl-C."
        ),
        epilog=example(
            "dalej serve --set-password referee", "dalej serve league.dalej",
            "dalej serve league.dalej --host 0.0.0.0 --tls",
            "dalej serve league.dalej --host 0.0.0.0 --plain --public-open",
        ),
    )  # fmt: skip


def serve(
    event: str | None,
    role: str | None,
    dropped: str | None,
    public_open: bool,
    host: str,
    port: int,
    tls: bool,
    plain: bool,
    cert: str | None,
    key: str | None,
    names: tuple[str, ...],
    log_file: str | None,
    verbose: bool,
) -> None:
    """Set or drop a password, or serve until somebody stops it."""
    passwords = Passwords(club_folder(), os.urandom)
    if role is not None or dropped is not None:
        if event is not None:
            raise click.UsageError(_("passwords are the club's: they are set and dropped without an event"))
        if role is not None and dropped is not None:
            raise click.UsageError(_("--set-password and --drop-password: one at a time"))
        if role is not None:
            set_password(passwords, role_of(role))
        elif dropped is not None:
            drop_password(passwords, role_of(dropped))
        return
    if (cert is None) != (key is None):
        raise click.UsageError(_("--cert and --key go together"))
    if sum((tls, plain, cert is not None)) > 1:
        raise click.UsageError(_("--tls, --plain and --cert: one of them"))
    _expect_some(passwords, public_open=public_open)
    event = settled(event)
    told: dict[int, Reported] = {}
    with (
        Ledger.open(event, told=told) as ledger,
        Ledger.open(event, read_only=True, told=told) as of_tables,
        Ledger.open(event, read_only=True, told=told) as of_book,
    ):
        file, clock = BROWSERS.file(ledger.path, log_file), SystemClock()
        called, authority, made = [*own_names(), *names], None, None
        if tls:
            made = own_identity(club_folder(), host, clock.wall_ms(), names)
            cert = key = str(made.file)
            authority = made.authority
        plan = Plan(ledger.path, host, port, called, public_open, language(), cert, key, authority, plain)
        _make_room()
        with kept(BROWSERS, file, clock, _say_not_kept, aloud=verbose) as note:
            manner = "in clear" if cert is None else "sealed"
            note(f"{readable(str(ledger.path))} is served at {host}, {manner}; {programs()}")
            asyncio.run(_live(ledger, watching(of_tables, of_book, clock), plan, passwords, clock, note, file, made))
            note("nothing is served any more")
    click.echo(_("Nothing is served any more."))


def watching(of_tables: Ledger, of_book: Ledger, clock: Clock, desk: Connect | None = None) -> Watch:
    """The hall, read over two connections: tables follow each fact, the tournament each decision. `desk` None: the one
    that is live on the event.
    """
    event = Event(of_book, who="", wall_ms=clock.wall_ms)
    reading, book = event.read(), EventBook(event)
    ruleset = ruleset_of(reading)
    model = HallModel(ruleset)
    feed = Feed(model, clock, event_name=name_of(reading), ruleset=ruleset.title)
    feed.called = lambda: "" if book.page.state is None else book.page.state.name
    return Watch(feed, book, LedgerReader(of_tables, model, of_tables), desk or partial(connect, of_tables.path), clock)


def set_password(passwords: Passwords, role: Role) -> None:
    """Ask for it twice, or read it; running servers end that role's sessions within a second."""
    password = _asked() if sys.stdin.isatty() else sys.stdin.readline(_LONGEST).rstrip("\r\n")
    lost = passwords.set(role, password)
    click.echo(
        _("The role {role} has its password, in {file}; who is logged in with another one is logged out.").format(
            role=_(ROLE_WORDS[role]), file=readable(str(passwords.path))
        )
    )
    if lost:
        click.echo(
            _("The passwords of an older Dalej count no more. To be set anew as well: {roles}").format(
                roles=", ".join(lost)
            )
        )


def drop_password(passwords: Passwords, role: Role) -> None:
    """Take it away; running servers end that role's sessions within a second."""
    passwords.drop(role)
    click.echo(
        _("The role {role} has no password any more; who is logged in with it is logged out.").format(
            role=_(ROLE_WORDS[role])
        )
    )


def _asked() -> str:
    click.echo(
        _("A password of {shortest} characters or more, such as three words.").format(shortest=SHORTEST), err=True
    )
    while True:
        password: str = click.prompt(_("Password"), hide_input=True, err=True)
        try:
            expect_password(password)
        except DalejError as problem:
            click.echo(said(problem), err=True)
            continue
        if click.prompt(_("Once more"), hide_input=True, err=True) == password:
            return password
        click.echo(_("These were not the same; from the beginning."), err=True)


def _expect_some(passwords: Passwords, *, public_open: bool) -> None:
    """There is no default password: without any, nobody could log in."""
    if not passwords.roles() and not public_open:
        raise Refused(
            N_("no password is set, so nobody could log in; set one first: {command}"),
            command=command_line("serve", "--set-password", "referee"),
        )


def _make_room() -> None:
    """Many systems allow a program 1024 files though it may ask for more."""
    if sys.platform != "win32":
        import resource  # noqa: PLC0415 -- Windows has no such limit

        soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
        most = _FILES if hard == resource.RLIM_INFINITY else min(_FILES, hard)
        if 0 <= soft < most:
            with suppress(OSError, ValueError):
                resource.setrlimit(resource.RLIMIT_NOFILE, (most, hard))


async def _live(
    ledger: Ledger, watch: Watch, plan: Plan, passwords: Passwords, clock: SystemClock, note: Callable[[str], None],
    file: Path, made: Identity | None,
) -> None:  # fmt: skip
    written = AuditFile(trail_of(ledger.path), _complain)

    event = Event(
        ledger, who="", wall_ms=clock.wall_ms,
        pause=lambda attempt: clock.sleep_ms(random.randrange(min(_SHORT_MS << attempt, _LONG_MS))),
    )  # fmt: skip

    def performer(more: Mapping[str, Handler]) -> Performer:
        return Performer(event.by, FileAudit(written), more)

    server = WebServer(plan, watch, passwords, performer, Trail(written, clock.wall_ms, note), clock, os.urandom,
                       phones=PhoneCodes.of_club(club_folder(), os.urandom, event.by, clock.wall_ms))  # fmt: skip
    stop = asyncio.Event()
    with on_signal(stop.set):
        await server.open()
        try:
            _greet(server, plan, passwords, file)
            if made is not None:
                _tell_how_to_trust(made, plan, server.port)
            await stop.wait()
        finally:
            await server.close()


def _greet(server: WebServer, plan: Plan, passwords: Passwords, log: Path) -> None:
    here = is_loopback(plan.host)
    urls = [server.url(host) for host in reached_by(plan.host)]
    for url in urls:
        click.echo(url)
    kept = () if plan.plain else passwords.roles()
    roles = [said(DalejError(ROLE_WORDS[role])) for role in kept]
    click.echo(_("{event} is served; who can log in: {roles}. Ctrl-C ends it.").format(
        event=readable(plan.event.name),
        roles=", ".join([*roles, *([_("the public without a password")] if plan.public_open else [])]),
    ))  # fmt: skip
    click.echo(
        _("Only this computer reaches it; the whole network with --host 0.0.0.0.") if here
        else _("Whoever is in the same network reaches it.")
    )  # fmt: skip
    click.echo(_("Who comes and goes, and what fails, is kept in {file}.").format(file=readable(str(log))))
    if not here and not server.secure:
        click.echo(_("What is shown travels in clear: the public's pages alone are served."), err=True)
    sys.stdout.flush()


def _tell_how_to_trust(made: Identity, plan: Plan, port: int) -> None:
    """The page is asked for over http, before its certificate is trusted: so its file is compared with this."""
    host = reached_by(plan.host)[0]
    page = f"http://{f'[{host}]' if ':' in host else host}:{port}/trust"
    click.echo(_("Each device trusts this computer once: {page} says how.").format(page=page))
    click.echo(_("The authority's fingerprint (SHA-256), to be compared there: {fingerprint}").format(
        fingerprint=made.fingerprint
    ))  # fmt: skip
    if made.anew:
        click.echo(_("This authority is new: no device trusts it yet."))
    if sys.stdout.isatty():  # in a file it would be a riddle
        segno.make(page, error="m").terminal(compact=True)
    sys.stdout.flush()


def _complain(problem: str) -> None:
    click.echo(
        _("Who comes, goes and does what cannot be written down: {problem}").format(problem=readable(problem)), err=True
    )


def _say_not_kept(problem: str) -> None:
    click.echo(_("Who comes and goes cannot be kept in the log: {problem}").format(problem=readable(problem)), err=True)
