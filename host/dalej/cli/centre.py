"""`dalej centre`: several halls are told of in one place, on PostgreSQL; and how `dalej run` tells it."""

from __future__ import annotations

import asyncio
import json
import secrets
from collections.abc import Callable
from contextlib import closing, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Final
from urllib.parse import urlsplit

import click

from dalej.boxes.folder import club_folder
from dalej.cli.stopping import on_signal
from dalej.cli.terminal import Group, example
from dalej.clock import SystemClock
from dalej.errors import DalejError, Refused, WrongInput
from dalej.event.ledger import Ledger
from dalej.views.phrases import duration
from dalej.words import N_, _, readable, said

if TYPE_CHECKING:
    import ssl

    from dalej.centre.mirror import Mirror
    from dalej.centre.talk import HallKey

PORT: Final = 8645
DATABASE: Final = "DALEJ_CENTRE"  # in the environment, where it has a password that nobody shall see
_KEY_BYTES: Final = 32


def command() -> click.Group:
    """`dalej centre`."""
    made = Group(
        "centre",
        help=_(
            "Several halls are told of in one place, on PostgreSQL, while each plays on by itself. A hall's desk "
            "(dalej run EVENT --centre HALL.centre) tells a centre everything that is in its event file, and what it "
            "has missed afterwards. The centre makes an event file of it again for a laptop that takes over. "
            "DATABASE is what PostgreSQL calls a connection string, such as postgresql:///dalej; one with a password "
            "is better left to the variable DALEJ_CENTRE."
        ),
        epilog=example("dalej centre init --database postgresql:///dalej"),
    )
    database = click.Option(["--database"], metavar=_("DATABASE"), envvar=DATABASE, show_envvar=True, required=True,
                            help=_("Where the centre keeps what it is told."))  # fmt: skip
    name = click.Argument(["name"], metavar=_("NAME"))
    out = click.Option(["file", "-o", "--output"], type=click.Path(path_type=Path), metavar=_("FILE"),
                       help=_("The file (default: the name of the hall, with .centre)."))  # fmt: skip
    url = click.Option(["--url"], required=True, metavar=_("URL"),
                       help=_("Where the hall reaches the centre, such as https://centre.example:8645."))  # fmt: skip
    own = click.Option(["--tls"], is_flag=True,
                       help=_("The centre is served with --tls from this computer: the hall trusts its certificate and "
                              "no other."))  # fmt: skip
    fresh = click.Option(
        ["--fresh"], is_flag=True, help=_("Another key for a hall that is there; the one before is void.")
    )
    file = click.Argument(["event"], type=click.Path(path_type=Path), metavar=_("EVENT"))
    commands: list[tuple[str, Callable[..., None], str, str, list[click.Parameter]]] = [
        ("init", init, _("Make the tables of a centre in an empty database."), "--database postgresql:///dalej",
         [database]),
        ("hall", hall, _("Write the file that makes a laptop a hall of this centre: hand it over as you would a key."),
         "North --url https://centre.example:8645 --tls", [name, database, url, out, own, fresh]),
        ("revoke", revoke, _("A hall's key is not taken any more; what it has told stays."), "North", [name, database]),
        ("status", status, _("Each hall: how far its centre knows it, and when it was heard last."), "",
         [database, click.Option(["--json", "as_json"], is_flag=True, help=_("As one JSON object."))]),
        ("serve", serve, _("Listen to the halls, until Ctrl-C."), "--host 0.0.0.0 --tls", [
            database,
            click.Option(["--host"], default="127.0.0.1", show_default=True, metavar=_("ADDRESS"),
                         help=_("The address to listen on; another one than this computer's own takes --tls.")),
            click.Option(["--port"], type=click.IntRange(0, 65_535), default=PORT, show_default=True,
                         metavar=_("NUMBER"), help=_("The port.")),
            click.Option(["--tls"], is_flag=True, help=_("Over TLS, with the club's own certificate.")),
            click.Option(["--name", "names"], multiple=True, metavar=_("NAME"),
                         help=_("With --tls: a name under which halls reach this computer, beside its own.")),
        ]),
        ("copy", copy, _("Make an event file of what a hall has told, for a laptop that takes over."),
         "North evening.dalej", [name, file, database]),
        ("verify", verify, _("Compare a hall's event file with what its centre has."),
         "North evening.dalej", [name, file, database]),
    ]  # fmt: skip
    for called, does, about, typed, params in commands:
        epilog = example(f"dalej centre {called} {typed}".rstrip())
        made.add_command(click.Command(called, callback=does, help=about, params=params, epilog=epilog))
    return made


def init(database: str) -> None:
    """Make the tables."""
    with closing(_mirror(database)) as mirror:
        made = mirror.init()
    click.echo(
        _("The centre is made; it has no hall yet.") if made else _("There is a centre in this database already.")
    )


def hall(name: str, database: str, url: str, file: Path | None, *, tls: bool, fresh: bool) -> None:
    """A key, and the file that holds it."""
    from dalej.centre.talk import HallKey, expect_sealed, write_hall  # noqa: PLC0415 -- a web client is slow to load

    expect_sealed(url)
    file = file or Path(f"{name}.centre")
    if file.exists():
        raise WrongInput(N_("{file} already exists: expected a name that is free"), file=str(file))
    key = secrets.token_urlsafe(_KEY_BYTES)
    with closing(_mirror(database)) as mirror:
        if fresh:
            mirror.new_key(name, key)
        else:
            mirror.add_hall(name, key, SystemClock().wall_ms())
    write_hall(file, HallKey(name, url, key, _authority(url) if tls else ""))
    click.echo(_("{file} makes a laptop this hall: dalej run EVENT --centre {file}. Whoever has it can tell in the "
                 "hall's name; it is not shown again.").format(file=readable(str(file))))  # fmt: skip


def revoke(name: str, database: str) -> None:
    """The key is void."""
    with closing(_mirror(database)) as mirror:
        mirror.revoke(name, SystemClock().wall_ms())
    click.echo(_("{hall}: its key is not taken any more.").format(hall=readable(name)))


def status(database: str, *, as_json: bool) -> None:
    """A line for each hall."""
    with closing(_mirror(database)) as mirror:
        halls = mirror.halls()
    if as_json:
        click.echo(json.dumps([
            {"hall": one.name, "epoch": one.epoch, "through": one.through, "digest": one.digest.hex(),
             "heard_ms": one.heard_ms, "revoked": one.revoked} for one in halls
        ], ensure_ascii=False))  # fmt: skip
        return
    now_ms = SystemClock().wall_ms()
    for one in halls:
        heard = (
            _("never heard")
            if one.heard_ms is None
            else _("heard {age} ago").format(age=duration(max(0, now_ms - one.heard_ms)))
        )
        void = " · " + _("its key is void") if one.revoked else ""
        line = _("{hall}: complete to #{through}, epoch {epoch}, {heard}").format(
            hall=readable(one.name), through=one.through, epoch=one.epoch, heard=heard
        )
        click.echo(line + void)
    if not halls:
        click.echo(_("No hall yet; dalej centre hall adds one."))


def copy(name: str, event: Path, database: str) -> None:
    """The event file once more."""
    from dalej.centre.copying import copy_hall  # noqa: PLC0415 -- PostgreSQL's library is not there everywhere

    with closing(_mirror(database)) as mirror:
        count = copy_hall(mirror, name, event, SystemClock().wall_ms())
    click.echo(_("{event} holds the {count} entries that {hall} has told.").format(
        event=readable(str(event)), count=count, hall=readable(name)))  # fmt: skip


def verify(name: str, event: Path, database: str) -> None:
    """Refused if they differ."""
    from dalej.centre.stream import digest_of  # noqa: PLC0415 -- nothing else needs it

    with closing(_mirror(database)) as mirror, Ledger.open(event, read_only=True) as ledger:
        known, head = mirror.hall(name), ledger.head()
        if known.through > head or digest_of(ledger, known.through) != known.digest:
            raise Refused(
                N_("{event} is not what {hall} has told: the centre has {through} entries, the file {head}"),
                event=str(event), hall=name, through=known.through, head=head,
            )  # fmt: skip
    click.echo(_("The same entries, up to #{through} of {head}.").format(through=known.through, head=head))


def serve(database: str, host: str, port: int, names: tuple[str, ...], *, tls: bool) -> None:
    """Listen until somebody stops it."""
    from dalej.centre.serving import CentreServer  # noqa: PLC0415 -- a web server is slow to load

    clock = SystemClock()
    if not tls and host not in ("127.0.0.1", "::1", "localhost"):
        raise click.UsageError(_("--host {host}: halls send their keys, so that takes --tls").format(host=host))

    async def live(mirror: Mirror) -> None:
        stop = asyncio.Event()
        server = CentreServer(mirror, clock, host, port, _seal(host, names, clock) if tls else None, _say)
        await server.open()
        try:
            click.echo(_("The centre listens to its halls at port {port}; Ctrl-C ends it.").format(port=server.port))
            with on_signal(stop.set):
                await stop.wait()
        finally:
            await server.close()

    with closing(_mirror(database)) as mirror:
        mirror.halls()  # what is wrong with the database is said before anybody calls
        asyncio.run(live(mirror))
    click.echo(_("The centre listens no more."))


def _mirror(database: str) -> Mirror:
    try:
        from dalej.centre.mirror import Mirror  # noqa: PLC0415 -- PostgreSQL's library is not there everywhere
    except ImportError:
        raise WrongInput(N_("PostgreSQL's library, psycopg, is not installed")) from None
    return Mirror(database)


def _say(what: DalejError) -> None:
    with suppress(OSError):
        click.echo(said(what), err=True)


def _seal(host: str, names: tuple[str, ...], clock: SystemClock) -> ssl.SSLContext:
    from dalej.web.server import own_identity, tls  # noqa: PLC0415 -- a web server is slow to load

    return tls(str(own_identity(club_folder(), host, clock.wall_ms(), names).file))


def _authority(url: str) -> str:
    """The club's own, as PEM."""
    from ssl import DER_cert_to_PEM_cert  # noqa: PLC0415 -- as above

    from dalej.web.server import own_identity  # noqa: PLC0415 -- as above

    host = urlsplit(url).hostname or ""
    return DER_cert_to_PEM_cert(own_identity(club_folder(), host, SystemClock().wall_ms()).authority)


# --- at the desk -----


def expect_hall(file: Path | None) -> HallKey | None:
    """What that file says, before anything begins."""
    if file is None:
        return None
    from dalej.centre.talk import read_hall  # noqa: PLC0415 -- a web client is slow to load

    return read_hall(file)


async def telling(event: Path, hall: HallKey, desk: str, say: Callable[[DalejError], None]) -> None:
    """Until cancelled, on a connection of its own. `desk`: another one for a copy of the event elsewhere."""
    from dalej.centre.forward import Forwarder  # noqa: PLC0415 -- a web client is slow to load

    with Ledger.open(event, read_only=True) as ledger:
        await Forwarder(ledger, hall, desk, say).run()
