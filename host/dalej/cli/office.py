"""What the commands of the tournament office share: the event, who decides, a question before something is done."""

from __future__ import annotations

import getpass
import random
import unicodedata
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Final

import click

from dalej.cli.output import example
from dalej.clock import SystemClock
from dalej.ledger import Ledger
from dalej.office.event import Event
from dalej.words import _

WHO_VARIABLE = "DALEJ_WHO"
# Of desks that decide at one instant each waits for a random time before it tries again, the longer the more often.
_SHORT_MS: Final = 10
_LONG_MS: Final = 1_000


def event_command(
    name: str, callback: Callable[..., object], says: str, *uses: str, params: Sequence[click.Parameter] = (),
    no_args_is_help: bool = False,
) -> click.Command:  # fmt: skip
    """A command on an event, whose file is the first thing it is given; `uses` are its examples."""
    return click.Command(
        name, callback=callback, params=[event_argument(), *params], help=says, epilog=example(*uses),
        no_args_is_help=no_args_is_help,
    )  # fmt: skip


def event_argument() -> click.Argument:
    """The event file."""
    return click.Argument(["event"], metavar=_("EVENT"))


def table_argument() -> click.Argument:
    """A table's number."""
    return click.Argument(["table"], type=click.IntRange(1), metavar=_("TABLE"))


def round_option() -> click.Option:
    """Which round; the current one goes without saying."""
    return click.Option(
        ["--round", "key"], metavar=_("ROUND"), help=_("Which round, 2 or league/2 (default: the current one).")
    )


def anyway_option(says: str) -> click.Option:
    """The organiser's reason to go on where the rules would stop."""
    return click.Option(["--anyway"], default="", metavar=_("REASON"), help=says)


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
    clock = SystemClock()

    def pause(attempt: int) -> None:
        clock.sleep_ms(random.randrange(min(_SHORT_MS << attempt, _LONG_MS)))

    with Ledger.open(event) as ledger:
        yield Event(ledger, who=who, wall_ms=clock.wall_ms, pause=pause)


def agreed(yes: bool, question: str) -> None:
    """Goes on if told so or answered so; `click.Abort` if not."""
    if not yes and not _is_answered_yes(question):
        raise click.Abort


def _is_answered_yes(question: str) -> bool:
    """In the reader's language or in English, by the word or its first letter; nothing but Enter is a no."""
    yes, no = _("yes"), _("no")
    while True:
        answer = click.prompt(f"{question} [{yes[0]}/{no[0].upper()}]", default="", show_default=False, err=True)
        plain = _plain(answer)
        if plain in _forms(yes, "yes"):
            return True
        if not plain or plain in _forms(no, "no"):
            return False
        click.echo(_("Expected “{yes}” or “{no}”.").format(yes=yes, no=no), err=True)


def _forms(*words: str) -> set[str]:
    return {_plain(form) for word in words for form in (word, word[0])}


def _plain(answer: str) -> str:
    """Without accents, which not every keyboard has."""
    letters = unicodedata.normalize("NFD", answer.strip().casefold())
    return "".join(letter for letter in letters if not unicodedata.combining(letter))
