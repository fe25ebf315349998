"""`dalej centre`: several halls are told of in one place, on PostgreSQL; and how `dalej run` tells it."""

from __future__ import annotations

import asyncio
import json
import secrets
from collections.abc import Callable, Mapping
from contextlib import ExitStack, closing, suppress
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Final
from urllib.parse import urlsplit

import click

from dalej.boxes.folder import club_folder
from dalej.cli.decision import agreed, do, event_command, json_option, opened, who_option, yes_option
from dalej.cli.eventfile import COPY
from dalej.cli.stopping import on_signal
from dalej.cli.terminal import Group, example, json_line
from dalej.clock import SystemClock
from dalej.domain.tournament.tournament import HOME
from dalej.errors import DalejError, Refused, WrongInput
from dalej.event.event import Event
from dalej.event.ledger import PERSONAL_FIELDS, PERSONAL_TITLES, Ledger
from dalej.event.ledger.elsewhere import write_elsewhere
from dalej.office.acts.halls import SetHall
from dalej.office.rounds import tables_words
from dalej.views.phrases import duration
from dalej.words import N_, _, ngettext, readable, said

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
    dump = click.Argument(["file"], type=click.Path(path_type=Path), metavar=_("FILE"))
    commands: list[tuple[str, Callable[..., None], str, str, list[click.Parameter]]] = [
        ("init", init, _("Make the tables of a centre in an empty database."), "--database postgresql:///dalej",
         [database]),
        ("upgrade", upgrade, _("Bring the tables of an older centre up to date."), "", [database]),
        ("hall", hall, _("Write the file that makes a laptop a hall of this centre: hand it over as you would a key."),
         "North --url https://centre.example:8645 --tls", [name, database, url, out, own, fresh]),
        ("revoke", revoke, _("A hall's key is not taken any more; what it has told stays."), "North", [name, database]),
        ("status", status, _("Each hall: how far its centre knows it, and when it was heard last."), "",
         [database, click.Option(["--json", "as_json"], is_flag=True, help=_("As one JSON object."))]),
        ("join", join, _("Make the event file of a hall, with all that its centre has decided so far."),
         "north.dalej --centre North.centre", [
            file,
            click.Option(["--centre", "hall_file"], type=click.Path(path_type=Path), metavar=_("FILE"), required=True,
                         help=_("The file of the hall.")),
            who_option(),
        ]),
        ("serve", serve, _("Listen to the halls, until Ctrl-C."), "--host 0.0.0.0 --tls --event cup.dalej", [
            database,
            click.Option(["--event", "events"], type=click.Path(path_type=Path), multiple=True, metavar=_("EVENT"),
                         help=_("An event that is played in several of these halls: they are told what is decided in "
                                "it, and their results come into it.")),
            click.Option(["--host"], default="127.0.0.1", show_default=True, metavar=_("ADDRESS"),
                         help=_("The address to listen on; another one than this computer's own takes --tls.")),
            click.Option(["--port"], type=click.IntRange(0, 65_535), default=PORT, show_default=True,
                         metavar=_("NUMBER"), help=_("The port.")),
            click.Option(["--tls"], is_flag=True, help=_("Over TLS, with the club's own certificate.")),
            click.Option(["--metrics"], type=click.IntRange(0, 65_535), metavar=_("NUMBER"),
                         help=_("A port on this computer at which Prometheus reads how the halls are doing.")),
            click.Option(["--name", "names"], multiple=True, metavar=_("NAME"),
                         help=_("With --tls: a name under which halls reach this computer, beside its own.")),
        ]),
        ("backup", backup, _("Copy all that the centre holds into a file, with PostgreSQL's own pg_dump."),
         "centre.dump", [dump, database]),
        ("restore", restore, _("Put such a copy into an empty database, all of it or nothing."), "centre.dump",
         [dump, database]),
        ("events", events, _("The events that are kept on PostgreSQL there."), "", [
            database, click.Option(["--json", "as_json"], is_flag=True, help=_("As one JSON object.")),
        ]),
        ("open", open_, _("Write the file of an event that is kept there, for another computer."), "cup cup.dalej",
         [name, file, database]),
        ("drop", drop_, _("Delete an event that is kept there, for good; make a file of it before."), "cup",
         [name, database, yes_option()]),
        ("copy", copy, _("Make an event file of what a hall has told, for a laptop that takes over."),
         "North evening.dalej", [
            name, file, database,
            click.Option(["--epoch"], type=click.IntRange(1), metavar=_("NUMBER"),
                         help=_("Of an earlier file that the hall has told (default: the one of now).")),
        ]),
    ]  # fmt: skip
    for called, does, about, typed, params in commands:
        epilog = example(f"dalej centre {called} {typed}".rstrip())
        made.add_command(click.Command(called, callback=does, help=about, params=params, epilog=epilog))
    made.add_command(event_command(
        "tables", tables,
        _("Say which tables of an event stand in a hall that has an event file of its own; without any, list them."),
        "dalej centre tables cup.dalej North 1-20", "dalej centre tables cup.dalej",
        params=[click.Argument(["hall"], metavar=_("[HALL]"), required=False),
                click.Argument(["tables"], metavar=_("[TABLES]"), required=False),
                click.Option(["--out"], is_flag=True, help=_("The hall has no part in the event any more.")),
                json_option(), who_option()],
    ))  # fmt: skip
    made.add_command(event_command(
        "keep", keep,
        _("Keep an event that has outgrown its file on PostgreSQL from now on: its file says where, several computers "
          "may use it at once, and every command goes on as before."),
        "dalej centre keep cup.dalej",
        params=[
            click.Option(["--name"], metavar=_("NAME"), help=_("What it is called there (default: as its file).")),
            click.Option(["--personal", "fields"], type=click.Choice(PERSONAL_FIELDS), multiple=True,
                         help=_("Personal data that go there, too, each kind by its name; all others stay in the file "
                                "of before.")),
            database,
        ],
    ))  # fmt: skip
    return made


def init(database: str) -> None:
    """Make the tables."""
    with closing(_mirror(database)) as mirror:
        made = mirror.init()
    click.echo(
        _("The centre is made; it has no hall yet.") if made else _("There is a centre in this database already.")
    )


def upgrade(database: str) -> None:
    """Bring the tables up to date."""
    with closing(_mirror(database)) as mirror:
        made = mirror.upgrade()
    click.echo(_("The centre is brought up to date.") if made else _("The centre is up to date."))


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


def backup(file: Path, database: str) -> None:
    """One file."""
    _expect_library()
    from dalej.centre.dumps import back_up  # noqa: PLC0415 -- PostgreSQL's library is not there everywhere

    back_up(database, file)
    click.echo(_("The centre is copied to {file}, with the personal data of the events that are kept there.").format(
        file=readable(str(file))))  # fmt: skip


def restore(file: Path, database: str) -> None:
    """All of it, or nothing."""
    _expect_library()
    from dalej.centre.dumps import put_back  # noqa: PLC0415 -- PostgreSQL's library is not there everywhere

    with closing(_mirror(database)) as mirror:
        put_back(database, mirror, file)
    click.echo(_("The centre is as {file} holds it.").format(file=readable(str(file))))


def keep(event: str, name: str | None, fields: tuple[str, ...], database: str) -> None:
    """From its file to PostgreSQL."""
    _expect_library()
    from dalej.event.ledger.moving import move_in  # noqa: PLC0415 -- PostgreSQL's library is not there everywhere

    file = Path(event)
    if file.name.endswith(COPY):
        raise WrongInput(N_("{file} is a copy: expected the event itself"), file=event)
    name = name or file.stem
    with Ledger.open(event) as ledger:
        stay = {field for values in ledger.personal().values() for field in values} - {*fields}
    kept = move_in(file, database, name, fields)
    click.echo(_("{event} is kept on PostgreSQL from now on, as {name}; its file says where.").format(
        event=readable(event), name=readable(name)))  # fmt: skip
    click.echo(_("What was there before is kept in {kept}.").format(kept=readable(str(kept))))
    if stay:
        titles = ", ".join(_(PERSONAL_TITLES[field]) for field in PERSONAL_FIELDS if field in stay)
        click.echo(_("Personal data that are only in there: {fields}.").format(fields=titles))


def events(database: str, *, as_json: bool) -> None:
    """Their names."""
    _expect_library()
    from dalej.event.ledger.postgres import events_at  # noqa: PLC0415 -- PostgreSQL's library is not there everywhere

    found = events_at(database)
    if as_json:
        json_line({"events": {name: count for name, (_id, count) in sorted(found.items())}})
        return
    for name, (_id, count) in sorted(found.items()):
        click.echo(ngettext("{event}: {count} entry", "{event}: {count} entries", count).format(
            event=readable(name), count=count))  # fmt: skip
    if not found:
        click.echo(_("No event is kept there."))


def open_(name: str, event: Path, database: str) -> None:
    """A file that says where it is kept."""
    _expect_library()
    from dalej.event.ledger.postgres import events_at, hushed  # noqa: PLC0415 -- PostgreSQL's library is not there everywhere

    event_id, _count = _expect_kept(name, events_at(database))
    write_elsewhere(event, event_id, hushed(database))
    with Ledger.open(event):
        pass
    click.echo(_("{event} says where {name} is kept.").format(event=readable(str(event)), name=readable(name)))


def drop_(name: str, database: str, *, yes: bool) -> None:
    """Nothing of it is left."""
    _expect_library()
    from dalej.event.ledger.postgres import drop, events_at  # noqa: PLC0415 -- PostgreSQL's library is not there everywhere

    event_id, count = _expect_kept(name, events_at(database))
    agreed(yes, ngettext(
        "{event}, {count} entry, is deleted for good, also for everybody else who has its file; go on?",
        "{event}, {count} entries, is deleted for good, also for everybody else who has its file; go on?", count,
    ).format(event=readable(name), count=count))  # fmt: skip
    drop(database, event_id)
    click.echo(_("{event} is not kept there any more.").format(event=readable(name)))


def _expect_kept(name: str, found: Mapping[str, tuple[str, int]]) -> tuple[str, int]:
    if name not in found:
        known = ", ".join(sorted(found)) or "–"
        raise WrongInput(N_("no event called {name} is kept there: expected one of {known}"), name=name, known=known)
    return found[name]


def copy(name: str, event: Path, database: str, epoch: int | None) -> None:
    """The event file once more."""
    from dalej.centre.copying import copy_hall  # noqa: PLC0415 -- PostgreSQL's library is not there everywhere

    with closing(_mirror(database)) as mirror:
        count = copy_hall(mirror, name, event, SystemClock().wall_ms(), epoch)
    click.echo(_("{event} holds the {count} entries that {hall} has told.").format(
        event=readable(str(event)), count=count, hall=readable(name)))  # fmt: skip


def tables(event: str, hall: str | None, tables: str | None, out: bool, as_json: bool, who: str) -> None:
    """Which tables are whose."""
    if out and (hall is None or tables is not None):
        raise click.UsageError(_("--out goes with a hall, and without tables"))
    with opened(event, who) as held:
        made = do(held, SetHall(hall=hall, tables=tables or "").wish()) if hall and (tables or out) else None
        halls = held.state().halls
    if as_json:
        json_line({"act": SetHall.name, "decisions": [] if made is None else list(made.decisions),
                   "halls": {name: sorted(there) for name, there in halls.items()}})  # fmt: skip
        return
    if made is not None:
        click.echo(str(made))
        return
    for name, there in halls.items():
        if hall in (None, name):
            click.echo(f"{readable(name)}: {tables_words(there)}")
    if not halls:
        click.echo(_("No table stands in a hall with an event file of its own."))


def join(event: Path, hall_file: Path, who: str) -> None:
    """The hall's event file."""
    from dalej.centre.copying import join_hall  # noqa: PLC0415 -- a web client is slow to load
    from dalej.centre.talk import read_hall  # noqa: PLC0415 -- a web client is slow to load

    hall = read_hall(hall_file)
    name = join_hall(hall, event, who, SystemClock().wall_ms)
    click.echo(_("{file} is the event file of hall {hall}: {event}.").format(
        file=readable(str(event)), hall=readable(hall.hall), event=readable(name)))  # fmt: skip


def serve(
    database: str, events: tuple[Path, ...], host: str, port: int, names: tuple[str, ...], metrics: int | None, *,
    tls: bool,
) -> None:  # fmt: skip
    """Listen until somebody stops it."""
    clock = SystemClock()
    if not tls and host not in ("127.0.0.1", "::1", "localhost"):
        raise click.UsageError(_("--host {host}: halls send their keys, so that takes --tls").format(host=host))

    async def live(mirror: Mirror, ledgers: list[Ledger]) -> None:
        from dalej.centre.serving import CentreServer  # noqa: PLC0415 -- a web server is slow to load
        from dalej.centre.whole import Whole  # noqa: PLC0415 -- PostgreSQL's library is not there everywhere

        stop = asyncio.Event()
        wholes = [Whole(Event(ledger, who=_("the centre"), wall_ms=clock.wall_ms)) for ledger in ledgers]
        for whole in wholes:
            whole.expect_whole()
        seal = _seal(host, names, clock) if tls else None
        server = CentreServer(mirror, clock, host, port, seal, _say, wholes, metrics)
        await server.open()
        try:
            click.echo(_("The centre listens to its halls at port {port}; Ctrl-C ends it.").format(port=server.port))
            if server.metrics_port:
                click.echo(_("Prometheus reads http://127.0.0.1:{port}/metrics").format(port=server.metrics_port))
            with on_signal(stop.set):
                await stop.wait()
        finally:
            await server.close()

    with closing(_mirror(database)) as mirror, ExitStack() as held:
        mirror.halls()  # what is wrong with the database is said before anybody calls
        asyncio.run(live(mirror, [held.enter_context(Ledger.open(one)) for one in events]))
    click.echo(_("The centre listens no more."))


def _mirror(database: str) -> Mirror:
    _expect_library()
    from dalej.centre.mirror import Mirror  # noqa: PLC0415 -- PostgreSQL's library is not there everywhere

    return Mirror(database)


def _expect_library() -> None:
    if find_spec("psycopg") is None:
        raise WrongInput(N_("PostgreSQL's library, psycopg, is not installed"))


def _say(what: DalejError) -> None:
    with suppress(OSError):
        click.echo(said(what), err=True)


def _seal(host: str, names: tuple[str, ...], clock: SystemClock) -> ssl.SSLContext:
    from dalej.web.server import own_identity, tls  # noqa: PLC0415 -- a web server is slow to load

    return tls(str(own_identity(club_folder(), host, clock.wall_ms(), names).file))


def _authority(url: str) -> str:
    """The club's own, as PEM."""
    from ssl import DER_cert_to_PEM_cert  # noqa: PLC0415 -- a web server is slow to load

    from dalej.web.server import own_identity  # noqa: PLC0415 -- a web server is slow to load

    host = urlsplit(url).hostname or ""
    return DER_cert_to_PEM_cert(own_identity(club_folder(), host, SystemClock().wall_ms()).authority)


# --- at the desk -----


def expect_hall(file: Path | None) -> HallKey | None:
    """What that file says, before anything begins."""
    if file is None:
        return None
    from dalej.centre.talk import read_hall  # noqa: PLC0415 -- a web client is slow to load

    return read_hall(file)


def expect_its_file(ledger: Ledger, hall: HallKey | None) -> None:
    """Refused if the event file is that of another hall than the key is."""
    home = "" if hall is None else _home(ledger)
    if hall is not None and home not in ("", hall.hall):
        raise Refused(
            N_("{event} is the event file of hall {home}, and the key is one of hall {hall}: expected the same"),
            event=str(ledger.path), home=home, hall=hall.hall,
        )  # fmt: skip


def _home(ledger: Ledger) -> str:
    first = ledger.decisions_between(0, 1)
    return str(first[0].body.get("hall", "")) if first and first[0].kind == HOME else ""


def same_entries(ledger: Ledger, file: Path) -> tuple[bool, int]:
    """Whether the centre has the beginning of this file, and how many entries of it. `file`: the hall's."""
    from dalej.centre.forward import Forwarder  # noqa: PLC0415 -- a web client is slow to load
    from dalej.centre.stream import digest_of  # noqa: PLC0415 -- a web client is slow to load
    from dalej.centre.talk import read_hall  # noqa: PLC0415 -- a web client is slow to load

    reached = asyncio.run(Forwarder(ledger, read_hall(file), "", _say).reached())
    same = reached.through <= ledger.head() and digest_of(ledger, reached.through).hex() == reached.digest
    return same, reached.through


async def telling(event: Path, hall: HallKey, desk: str, say: Callable[[DalejError], None]) -> None:
    """Until cancelled, on a connection of its own. `desk`: another one for a copy of the event elsewhere."""
    from dalej.centre.decided import Listening  # noqa: PLC0415 -- a web client is slow to load
    from dalej.centre.forward import Forwarder  # noqa: PLC0415 -- a web client is slow to load

    with Ledger.open(event) as ledger:
        listens = _home(ledger) == hall.hall
        own = Event(ledger, who=hall.hall, wall_ms=SystemClock().wall_ms)
        await Forwarder(ledger, hall, desk, say, Listening(own, hall.hall) if listens else None).run()
