"""What the commands of the tournament office share: the event, who decides, a question before something is done."""

from __future__ import annotations

import getpass
import random
import unicodedata
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, Final

import click
from click.core import ParameterSource

from dalej.cli.eventfile import EventCommand
from dalej.cli.terminal import ask, ask_until, example, is_terminal, name_commands
from dalej.clock import SystemClock
from dalej.errors import DalejError
from dalej.event.event import Event
from dalej.event.ledger import Ledger
from dalej.office.acts.roles import Actor
from dalej.office.acts.wishes import Done, Wish
from dalej.words import _

if TYPE_CHECKING:  # slow to load, and most commands only read
    from dalej.office.acts.act import Act

WHO_VARIABLE = "DALEJ_WHO"
# Accounts that say nothing about who sits there, as `_plain` has them.
_NOBODYS: Final = frozenset({
    "", "root", "admin", "administrator", "amministratore", "user", "uzytkownik", "utente", "owner",
    "guest", "gosc", "defaultuser0", "pi", "ubuntu", "debian",
})  # fmt: skip
# Of desks that decide at one instant each waits for a random time before it tries again, the longer the more often.
_SHORT_MS: Final = 10
_LONG_MS: Final = 1_000


def event_command(
    name: str, callback: Callable[..., object], says: str, *uses: str, params: Sequence[click.Parameter] = (),
    no_args_is_help: bool = False,
) -> click.Command:  # fmt: skip
    """A command on an event, whose file is the first thing it is given, if it is; `uses` are its examples."""
    return EventCommand(
        name, callback=callback, params=params, help=says, epilog=example(*uses), no_args_is_help=no_args_is_help
    )


def within(act: type[Act], field: str) -> click.IntRange:
    """What that field of the act takes."""
    ask = act.ask(field)
    return click.IntRange(ask.least, ask.most)


def table_argument(*, required: bool = True) -> click.Argument:
    """A table's number."""
    mark = _("TABLE")
    return click.Argument(
        ["table"], type=click.IntRange(1), required=required, metavar=mark if required else f"[{mark}]"
    )


def round_option(name: str = "key") -> click.Option:
    """Which round; the current one goes without saying."""
    return click.Option(
        ["--round", name], metavar=_("ROUND"), help=_("Which round, 2 or league/2 (default: the current one).")
    )


def anyway_option(says: str) -> click.Option:
    """The organiser's reason to go on where the rules would stop."""
    return click.Option(["--anyway"], default="", metavar=_("REASON"), help=says)


def who_option() -> click.Option:
    """Who decides; the ledger keeps it with the decision."""
    return click.Option(
        ["--who"], envvar=WHO_VARIABLE, default=login, metavar=_("NAME"),
        help=_(
            "Who decides (default: {variable}, else the login name; “the organiser” where that names nobody, such as "
            "root)."
        ).format(variable=WHO_VARIABLE),
    )  # fmt: skip


def why_option(act: type[Act] | None = None, *, required: bool | None = None) -> click.Option:
    """The reason, checked as of the `act` that the command does; it must be given where that needs one (`required`)."""

    def checked(_ctx: click.Context, _param: click.Parameter, value: str | None) -> str | None:
        from dalej.office.acts.act import expect_reason  # noqa: PLC0415 -- slow to load; most commands only read

        if value is not None:
            expect_reason(act, value)
        return value

    needed = act is not None and act.why if required is None else required
    return _Why(["--why"], required=needed, callback=checked, metavar=_("REASON"), help=_("The reason, kept with it."))


class _Why(click.Option):
    """Where it is needed and was left out, a terminal asks for it."""

    def consume_value(self, ctx: click.Context, opts: Mapping[str, Any]) -> tuple[Any, ParameterSource]:
        value, source = super().consume_value(ctx, opts)
        if self.required and self.value_is_missing(value) and is_terminal() and not ctx.resilient_parsing:
            return ask_until(_("Why? It is kept with the decision"), err=True), ParameterSource.PROMPT
        return value, source


def playing_option() -> click.Option:
    """Tables of which whoever seats people otherwise knows that they play."""

    def read(_ctx: click.Context, _param: click.Parameter, text: str) -> list[int]:
        parts = [part.strip() for part in text.split(",") if part.strip()]
        if not all(part.isascii() and part.isdigit() for part in parts):
            raise click.BadParameter(_("expected tables, such as 2,5"))
        return [int(part[:9]) for part in parts]

    return click.Option(
        ["--playing"], default="", callback=read, metavar=_("TABLES"),
        help=_("Tables that play, such as 2,5: do it all the same, knowing that."),
    )  # fmt: skip


def yes_option() -> click.Option:
    """For whoever has read it already, and for scripts."""
    return click.Option(["--yes", "-y"], is_flag=True, help=_("Do it without asking."))


def json_option() -> click.Option:
    """For programs: names that never translate."""
    return click.Option(["--json", "as_json"], is_flag=True, help=_("JSON, for programs."))


def login() -> str:
    """The name this computer knows the person by; "the organiser" where its account is nobody's own."""
    try:
        account = getpass.getuser()
    except (OSError, KeyError, ImportError):  # an account without a name; on Windows there is no such database
        account = ""
    return _("the organiser") if _plain(account) in _NOBODYS else account


@contextmanager
def opened(event: str, who: str) -> Iterator[Event]:
    """The event, closed again when the block is left."""
    clock = SystemClock()

    def pause(attempt: int) -> None:
        clock.sleep_ms(random.randrange(min(_SHORT_MS << attempt, _LONG_MS)))

    with Ledger.open(event) as ledger:
        try:
            yield Event(ledger, who=who, wall_ms=clock.wall_ms, pause=pause)
        except DalejError as problem:
            name_commands(problem, event)
            raise


def do(held: Event, wish: Wish) -> Done:
    """Done as a screen does it: by the performer, with the rights of whoever has the file."""
    from dalej.office.acts.act import read  # noqa: PLC0415 -- it loads every act; most commands only read
    from dalej.office.acts.performer import Performer  # noqa: PLC0415 -- the same
    from dalej.office.acts.settings import SetOption  # noqa: PLC0415 -- the same

    def set_option(event: Event, wished: Wish) -> Done:
        """Rulesets in files too: they are this person's own."""
        return read(SetOption, wished).set(event, wished)

    # The audit is of sessions over the web; here the ledger says who did what.
    performer = Performer(lambda _who: held, lambda _line: None, {SetOption.name: set_option})
    return performer.do(Actor(held.who, "organiser"), wish)


def agreed(yes: bool, question: str) -> None:
    """Goes on if told so or answered so; `click.Abort` if not."""
    if not yes and not _is_answered_yes(question):
        raise click.Abort


def _is_answered_yes(question: str) -> bool:
    """In the reader's language or in English, by the word or its first letter; nothing but Enter is a no."""
    yes, no = _("yes"), _("no")
    while True:
        answer = ask(f"{question} [{yes[0]}/{no[0].upper()}]", err=True)
        if says_yes(answer):
            return True
        plain = _plain(answer)
        if not plain or plain in _forms(no, "no"):
            return False
        click.echo(_("Expected “{yes}” or “{no}”.").format(yes=yes, no=no), err=True)


def says_yes(answer: str) -> bool:
    """In the reader's language or in English, by the word or its first letter."""
    return _plain(answer) in _forms(_("yes"), "yes")


def _forms(*words: str) -> set[str]:
    return {_plain(form) for word in words for form in (word, word[0])}


def _plain(answer: str) -> str:
    """Without accents, which not every keyboard has."""
    letters = unicodedata.normalize("NFD", answer.strip().casefold())
    return "".join(letter for letter in letters if not unicodedata.combining(letter))
