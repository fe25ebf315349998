"""What the commands of the tournament office share: who decides, the open event, a question before something is done."""

from __future__ import annotations

import getpass
from collections.abc import Iterator
from contextlib import contextmanager

import click

from dalej.clock import SystemClock
from dalej.ledger import Ledger
from dalej.office.event import Event
from dalej.words import _

WHO_VARIABLE = "DALEJ_WHO"


def event_argument() -> click.Argument:
    """The event file."""
    return click.Argument(["event"], metavar=_("EVENT"))


def who_option() -> click.Option:
    """Who decides; the ledger keeps it with the decision."""
    return click.Option(
        ["--who"], envvar=WHO_VARIABLE, default=login, metavar=_("NAME"),
        help=_("Who decides (default: {variable}, else the login name).").format(variable=WHO_VARIABLE),
    )  # fmt: skip


def why_option(*, required: bool = False) -> click.Option:
    """The reason; `required` where there is no ordinary one."""
    return click.Option(["--why"], required=required, metavar=_("REASON"), help=_("The reason, kept with it."))


def yes_option() -> click.Option:
    """For whoever has read it already, and for scripts."""
    return click.Option(["--yes", "-y"], is_flag=True, help=_("Do it without asking."))


def json_option() -> click.Option:
    """For programs: names that never translate."""
    return click.Option(["--json", "as_json"], is_flag=True, help=_("JSON, for programs."))


def login() -> str:
    """The name this computer knows the person by."""
    try:
        return getpass.getuser()
    except (OSError, KeyError, ImportError):  # an account without a name; on Windows there is no such database
        return _("the organiser")


@contextmanager
def opened(event: str, who: str) -> Iterator[Event]:
    """The event, closed again when the block is left."""
    with Ledger.open(event) as ledger:
        yield Event(ledger, who=who, wall_ms=SystemClock().wall_ms)


def agreed(yes: bool, question: str) -> None:
    """Goes on if told so or answered so; `click.Abort` if not."""
    if not yes:
        click.confirm(question, abort=True, err=True)
