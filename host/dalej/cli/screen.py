"""`dalej screen`: the hall screen on an event, whether its desk is live or not."""

from __future__ import annotations

import asyncio
import codecs
import os
import sys
from collections.abc import Callable
from importlib import import_module
from threading import Lock
from typing import TYPE_CHECKING, Any, Final

import click

from dalej.cli.decision import opened, who_option
from dalej.cli.eventfile import EventCommand, is_left_out, usual
from dalej.cli.stopping import on_signal
from dalej.cli.terminal import command_line, example
from dalej.clock import Clock, SystemClock
from dalej.desk.feed import client
from dalej.errors import Refused, WrongInput
from dalej.event.event import Event
from dalej.event.eventlog import name_of, ruleset_of
from dalej.event.ledger import Ledger
from dalej.office.acts.hands import LocalHands, Performs
from dalej.office.acts.roles import Actor
from dalej.office.acts.wishes import Done, Wish
from dalej.views.book import EventBook
from dalej.words import N_, _

if TYPE_CHECKING:  # what it brings along is loaded with the screen
    from dalej.views.feed import Feed

LEISURE_S: Final = 1.0  # after which the first pictures are painted, and what may be wished is loaded
BARE: Final = frozenset({"", "dumb", "unknown"})


class _Screen(EventCommand):
    """Where no event goes without saying, a terminal gets the list of those that there are."""

    def invoke(self, ctx: click.Context) -> Any:
        if is_left_out(ctx.params["event"]) and is_terminal():
            try:
                usual()
            except WrongInput:
                return import_module("dalej.cli.program").start_page()
        return super().invoke(ctx)


def command() -> click.Command:
    """`dalej screen EVENT`."""
    return _Screen(
        "screen",
        callback=screen,
        params=[
            who_option(),
            click.Option(
                ["--public"],
                is_flag=True,
                help=_("The public view only, for a projector: the round's time, who sits and who stands where."),
            ),
        ],
        help=_(
            "Show the hall of an event: every table, whose move it is, what is left, and what waits for a referee. "
            "Any number of screens may be open; without a live desk it shows what the event holds."
        ),
        epilog=example("dalej screen league.dalej"),
    )


def screen(event: str, who: str, public: bool) -> None:
    """Show it until the person at it quits."""
    expect_terminal()
    with Ledger.open(event) as ledger:
        show(ledger, who, public=public)


def expect_terminal() -> None:
    """Refused where nobody could see or use a screen."""
    if not is_terminal():
        raise Refused(N_("a screen needs a terminal, and this is none"))
    expect_picture()


def expect_picture() -> None:
    """Refused on a terminal that cannot be painted on, or not with these marks."""
    if is_bare():
        kind = os.environ.get("TERM", "")
        raise Refused(N_("a screen cannot be painted on this terminal: TERM is {kind}"), kind=kind or '""')
    if codecs.lookup(encoding()).name != "utf-8":
        raise Refused(
            N_("a screen needs a terminal that speaks UTF-8, this one speaks {encoding}"), encoding=encoding()
        )


def is_terminal() -> bool:
    """Whether a person sits here; where stderr goes does not matter."""
    return all(stream is not None and stream.isatty() for stream in (sys.stdin, sys.stdout))


def is_bare() -> bool:
    """Whether this terminal only prints lines."""
    return os.name != "nt" and os.environ.get("TERM", "") in BARE


def encoding() -> str:
    """In which the terminal is written to."""
    return sys.stdout.encoding


def _paints_on_stdout() -> bool:
    """Textual paints on stderr, on Windows on stdout anyway; where stderr goes elsewhere, it has to be told."""
    return os.name != "nt" and not (sys.stderr is not None and sys.stderr.isatty())


def load() -> None:
    """Have the screen's modules ready; that takes longer than most commands do."""
    import_module("dalej.tui.app")


def show(ledger: Ledger, who: str, *, public: bool = False) -> None:
    """The screen in the foreground, with the organiser's hands, the public's with none; Ctrl-C and SIGTERM end it."""
    from dalej.tui.app import make_app  # noqa: PLC0415 -- Textual takes a second to load, and most commands show nothing

    # Two connections: one reads the tables along; the other is the tournament, whoever reads it or changes it.
    with opened(str(ledger.path), who) as held:
        one_at_a_time = asyncio.Lock()
        performer = Later(lambda: _performer(held.by))
        hands = LocalHands(Actor(who, "organiser"), performer, one_at_a_time)
        reading, book, clock = held.read(), EventBook(held, one_at_a_time), SystemClock()
        app = make_app(
            ledger, ruleset_of(reading), lambda: client.connect(ledger.path), clock,
            event_name=name_of(reading), book=book, hands=None if public else hands, public=public, sent=book,
            on_stdout=_paints_on_stdout(), starts=command_line("run", str(ledger.path)),
            clears=command_line("box", "assign", str(ledger.path), "--none"),
            folder=ledger.path.absolute().parent, hints=ledger,
        )  # fmt: skip
        held.wall_ms = decided_at(app.feed, clock)

        async def get_ready() -> None:
            await app.feed.caught_up.wait()
            await asyncio.sleep(LEISURE_S)
            await asyncio.to_thread(performer.load)

        async def run() -> None:
            ready = None if public else asyncio.create_task(get_ready())
            try:
                with on_signal(app.exit):
                    await app.run_async()
            finally:
                if ready is not None:
                    ready.cancel()

        asyncio.run(run())


def decided_at(feed: Feed, clock: Clock) -> Callable[[], int]:
    """Unix time of what is decided now: a simulated hall, which may run faster or slower than life, has its own, and
    all that is counted from a decision on, such as the time of a round, is counted by that.
    """
    return lambda: feed.wall_ms() if feed.simulated else clock.wall_ms()


class Later:
    """A performer that is made when something is wished for the first time, or before: what does the acts typesets
    sheets too, and takes as long to load as the hall does.
    """

    def __init__(self, make: Callable[[], Performs]) -> None:
        self._make = make
        self._made: Performs | None = None
        self._making = Lock()

    def load(self) -> Performs:
        """It; from any thread."""
        with self._making:
            if self._made is None:
                self._made = self._make()
            return self._made

    def do(self, actor: Actor, wish: Wish) -> Done:
        """As it says."""
        return self.load().do(actor, wish)


def _performer(event_for: Callable[[str], Event]) -> Performs:
    """At the desk itself the ledger says who did what; sessions over the web have an audit beside it."""
    from dalej.office.acts.performer import Performer  # noqa: PLC0415 -- see `Later`

    return Performer(event_for, lambda _line: None)
