"""`dalej gateway DESK`: this computer lends its Bluetooth to a desk elsewhere in the building, until it is told to
stop; and how `dalej run` takes those that do.
"""

from __future__ import annotations

import asyncio
import os
import platform
import re
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Final

import click

from dalej.boxes.secret import ClubKeys
from dalej.cli.stopping import on_signal
from dalej.cli.terminal import example, is_terminal
from dalej.errors import DalejError, WrongInput
from dalej.link.pool import LINKS
from dalej.words import N_, _, said
from moveclock.secure import derive

if TYPE_CHECKING:
    from dalej.link.ble import BleAir
    from dalej.link.gateways import Joined
    from dalej.link.lent import Lent

PORT: Final = 8644
_DESK: Final = re.compile(r"(?:http://)?(?P<host>\[[0-9a-f:.%]+\]|[\w.-]+)(?::(?P<port>\d{1,5}))?/?", re.IGNORECASE)


def command() -> click.Command:
    """`dalej gateway DESK`."""
    return click.Command(
        "gateway", callback=gateway,
        help=_(
            "This computer lends its Bluetooth to a desk elsewhere in the building, which was started with --gateways: "
            "boxes that the desk's own computer does not hear are linked all the same. Nothing is kept here, and no "
            "secret of the club is needed. It runs until Ctrl-C."
        ),
        epilog=example("dalej gateway 192.168.1.5", "dalej gateway 192.168.1.5 abcd-efgh-ijkl-mnop --adapter hci1"),
        params=[
            click.Argument(["desk"], metavar=_("DESK")),
            click.Argument(["code"], required=False, metavar=_("CODE")),
            click.Option(["--adapter"], default="", metavar=_("NAME"),
                         help=_("The Bluetooth adapter (default: the one that the system chooses).")),
            click.Option(["--links"], type=click.IntRange(1, 64), default=LINKS, show_default=True,
                         help=_("How many boxes the adapter holds at a time; dalej capacity measures it.")),
            click.Option(["--name"], default=_own_name, metavar=_("NAME"),
                         help=_("What the desk calls this gateway (default: the computer's name).")),
        ],
    )  # fmt: skip


def gateway(desk: str, code: str | None, adapter: str, links: int, name: str) -> None:
    """Lend until somebody stops it."""
    from dalej.link.gateways import Lending, lend, typed_code  # noqa: PLC0415 -- a web client is slow to load
    from dalej.link.lent import Lender  # noqa: PLC0415 -- the system's Bluetooth as well

    url = _url(desk)
    if not name.strip():
        raise click.UsageError(_("--name: expected a name"))
    if code is None and not is_terminal():
        raise click.UsageError(_("expected the code that the desk shows, behind its address"))
    code = typed_code(code if code is not None else click.prompt(_("The code that the desk shows")))
    lending = Lending(url, code, name.strip(), adapter, links)

    async def live() -> None:
        stop = asyncio.Event()
        lends = asyncio.create_task(lend(lending, partial(Lender, adapter=adapter), os.urandom, _say))
        waits = asyncio.create_task(stop.wait())
        with on_signal(stop.set):
            await asyncio.wait([lends, waits], return_when=asyncio.FIRST_COMPLETED)
        waits.cancel()
        if not lends.done():
            lends.cancel()
        with suppress(asyncio.CancelledError):
            await lends

    asyncio.run(live())
    click.echo(_("Nothing is lent any more."))


def _say(what: DalejError) -> None:
    click.echo(said(what))


def _own_name() -> str:
    return platform.node()[:40] or "gateway"


def _url(desk: str) -> str:
    found = _DESK.fullmatch(desk.strip())
    if found is None or int(found["port"] or PORT) > 65_535:
        raise WrongInput(N_("“{desk}” is no address of a desk, expected one such as 192.168.1.5 or 192.168.1.5:8644"),
                         desk=desk)  # fmt: skip
    return f"http://{found['host']}:{found['port'] or PORT}"


# --- at the desk -----


@dataclass(frozen=True, slots=True)
class Takes:
    """Where `dalej run` takes gateways."""

    host: str
    port: int


async def taking(
    takes: Takes, air: BleAir, keys: ClubKeys, desk: str, said_to: Callable[[DalejError], None],
    say: Callable[[str], None],
) -> None:  # fmt: skip
    """Until cancelled. Unreachable if the address cannot be had."""
    from dalej.link.gateways import Gateways, code_of  # noqa: PLC0415 -- a web server is slow to load
    from dalej.web.server import reached_by  # noqa: PLC0415 -- likewise

    def join(joined: Joined, lent: Lent) -> None:
        air.join(joined.name, joined.links, lent.backend)

    code = code_of(derive(keys.make(), b"gateway"))
    server = Gateways(takes.host, takes.port, code, desk, random=os.urandom, join=join, leave=air.leave, said=said_to)
    await server.open()
    try:
        host = reached_by(takes.host)[0]
        shown = f"[{host}]" if ":" in host else host
        say(
            _("Another computer lends its Bluetooth with: {command}").format(
                command=f"dalej gateway {shown}:{server.port} {code}"
            )
        )
        await server.run()
    finally:
        await server.close()
