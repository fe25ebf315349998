"""`dalej screen`: the hall screen on an event, whether its desk is live or not."""

from __future__ import annotations

import asyncio
import codecs
import os
import sys
from importlib import import_module
from typing import Final

import click

from dalej.cli.output import example
from dalej.cli.stopping import on_signal
from dalej.clock import SystemClock
from dalej.errors import Refused
from dalej.eventlog import ruleset_of
from dalej.ledger import Ledger
from dalej.live import client
from dalej.words import N_, _

BARE: Final = frozenset({"", "dumb", "unknown"})


def command() -> click.Command:
    """`dalej screen EVENT`."""
    return click.Command(
        "screen",
        callback=screen,
        params=[click.Argument(["event"], metavar=_("EVENT"))],
        help=_(
            "Show the hall of an event: every table, whose move it is, what is left, and what waits for a referee. "
            "Any number of screens may be open; without a live desk it shows what the event holds."
        ),
        epilog=example("dalej screen run/demo-1.dalej"),
    )


def screen(event: str) -> None:
    """Show it until the person at it quits."""
    expect_terminal()
    with Ledger.open(event) as ledger:
        show(ledger)


def expect_terminal() -> None:
    """Refused where nobody could see or use a screen."""
    if not is_terminal():
        raise Refused(N_("a screen needs a terminal, and this is none"))
    expect_picture()


def expect_picture() -> None:
    """Refused on a terminal that cannot be painted on, or not with these marks."""
    kind = os.environ.get("TERM", "")
    if os.name != "nt" and kind in BARE:
        raise Refused(N_("a screen cannot be painted on this terminal: TERM is {kind}"), kind=kind or '""')
    if codecs.lookup(encoding()).name != "utf-8":
        raise Refused(
            N_("a screen needs a terminal that speaks UTF-8, this one speaks {encoding}"), encoding=encoding()
        )


def is_terminal() -> bool:
    """Whether a person sits here; a screen reads stdin and paints on stderr."""
    return all(stream.isatty() for stream in (sys.stdin, sys.stdout, sys.stderr))


def encoding() -> str:
    """In which the terminal is written to."""
    return sys.stderr.encoding


def load() -> None:
    """Have the screen's modules ready; that takes longer than most commands do."""
    import_module("dalej.tui.app")


def show(ledger: Ledger) -> None:
    """The screen in the foreground; Ctrl-C and SIGTERM end it like its own key."""
    from dalej.tui.app import make_app  # noqa: PLC0415 -- Textual takes a second to load, and most commands show nothing

    app = make_app(
        ledger, ruleset_of(ledger), lambda: client.connect(ledger.path), SystemClock(), event_name=ledger.path.stem
    )

    async def run() -> None:
        with on_signal(app.exit):
            await app.run_async()

    asyncio.run(run())
