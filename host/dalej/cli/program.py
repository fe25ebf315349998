"""The command tree, the language, and what becomes of an error.

Exit codes: 0 done, 1 refused (one sentence on stderr), 2 wrong usage. Whoever reads only the beginning of what is
printed (`| head`) has read enough: what a command decides is written before it prints, so that is 0 too. What the
output's encoding does not have is escaped. A command is imported when it is asked for: most of them need neither the
simulated hall nor what typesets a sheet.
"""

from __future__ import annotations

import errno
import io
import os
import sys
from collections.abc import Callable, Iterator, Mapping, MutableMapping, Sequence
from contextlib import contextmanager, suppress
from importlib import import_module
from pathlib import Path
from typing import Any, Final, NamedTuple, cast

import click

from dalej import words
from dalej.cli import longlived
from dalej.cli.terminal import Group, example, name_commands, translated_files, write_commands
from dalej.errors import DalejError, Unreachable
from dalej.words import N_, _, cause

_FULL: Final = (errno.ENOSPC, errno.EFBIG, errno.EDQUOT)


class Part(NamedTuple):
    """A command before it is imported: the module of `dalej.cli` that makes it, the first sentence of its help, and the
    function that makes it there.
    """

    module: str
    says: str
    maker: str = "command"


# Every command, by what it is about.
GROUPS: Final[Mapping[str, Mapping[str, Part]]] = {
    N_("The tournament"): {
        "event": Part("event", N_("The event as a file: make one, see how it stands, change it.")),
        "players": Part("players", N_("Who takes part: sign up, withdraw, warn, exclude.")),
        "seat": Part("seat", N_("Who sits where.")),
        "round": Part("rounds", N_("A round from its start to its end.")),
        "r": Part("results", N_("Enter the result of a game: for every seat what lies on its rack."), "short_command"),
        "results": Part("results", N_(
            "Results of games. A table's number in place of a command enters its next game."
        )),
        "standings": Part("standings", N_("Who stands where, in big and small points.")),
        "season": Part("season", N_("Who stands where over several events, added up.")),
        "advance": Part("advance", N_("Settle who goes on, after the last round of a stage is closed.")),
        "paper": Part("paper", N_(
            "What is printed, hung up and handed out: score sheets, seating, standings, diplomas."
        )),
        "form": Part("form", N_("Personal data for the final form: of the finalists alone, erased by one command.")),
        "rules": Part("rules", N_("The regulations as data: five come with Dalej, and you can make your own.")),
        "score": Part("score", N_(
            "Small and big points of one game, each with its clause; FILE is JSON, - reads standard input."
        )),
        "undo": Part("undo", N_(
            "Take back the last step, or the decision of that number in `dalej event history`: what changes is "
            "shown first, and the history is kept."
        )),
    },
    N_("To look at"): {
        "screen": Part("screen", N_(
            "Show the hall of an event: every table, whose move it is, what is left, and what waits for a referee."
        )),
        "serve": Part("serve", N_("Show an event in browsers, on any phone, tablet or laptop, behind a log-in.")),
        "log": Part("log", N_("The turn log of an event.")),
    },
    N_("Boxes on the tables"): {
        "run": Part("run", N_(
            "The desk of an event with real boxes: hears them, records every fact once, carries out what people decide."
        )),
        "gateway": Part("gateway", N_(
            "This computer lends its Bluetooth to a desk elsewhere in the building, which was started with --gateways: "
            "boxes that the desk's own computer does not hear are linked all the same."
        )),
        "centre": Part("centre", N_(
            "Several halls are told of in one place, on PostgreSQL, while each plays on by itself."
        )),
        "box": Part("box", N_("The boxes themselves: install, pair, look after, give them to tables.")),
        "table": Part("table", N_(
            "What a referee does to a table: stop its clock, correct it, end its game; its box obeys."
        )),
        "hall": Part("hall", N_(
            "What is done to all tables at once: stop every clock, let them go on, send the settings."
        )),
        "ruling": Part("ruling", N_("What was ruled at the tables, and what a referee decides.")),
        "capacity": Part("capacity", N_(
            "Measure how many boxes this computer's Bluetooth can serve, and how fresh what it hears is."
        )),
        "latency": Part("latency", N_("Measure the time from a press at a box to its row in an event file.")),
        "demo": Part("demo", N_(
            "A hall of simulated tables: players of differing speed who also run out of time, click before drawing, "
            "quarrel, withdraw and empty their racks, on lossy links."
        )),
        "play": Part("play", N_("Play a written game on simulated boxes, and print every fact and ruling.")),
    },
}  # fmt: skip
PARTS: Final = {name: part for group in GROUPS.values() for name, part in group.items()}

# What somebody without boxes does first, in this order; in a folder of one event its file goes without saying.
BEGINNING: Final = {
    "dalej": N_("the start page: events, new ones too"),
    "dalej event new league.dalej --ruleset school-league": N_("a new tournament: one file"),
    "dalej players import sign-ups.csv": N_("all players from a list"),
    "dalej seat draw": N_("the draw: who sits where"),
    "dalej paper sheets": N_("score sheets to print"),
    "dalej r": N_("type in results"),
    "dalej round close": N_("close the round"),
    "dalej standings": N_("who stands where"),
    "dalej paper diplomas": N_("diplomas to print"),
}
_WIDEST: Final = 36  # columns of a command that has its words beside it


HELP: Final = frozenset({"help", "pomoc", "aiuto"})  # whoever is lost types it without dashes, in any of our languages


class Commands(Mapping[str, click.Command]):
    """Names -> commands; each is imported and made when it is looked up."""

    def __getitem__(self, name: str) -> click.Command:
        part = PARTS[name]
        command: click.Command = getattr(import_module(f"dalej.cli.{part.module}"), part.maker)()
        return command

    def __iter__(self) -> Iterator[str]:
        return iter(PARTS)

    def __len__(self) -> int:
        return len(PARTS)


class Tree(Group):
    """The program; its list of commands is written from `PARTS` alone."""

    def make_context(self, *given: Any, **more: Any) -> click.Context:
        """It may print the help."""
        with _printing():
            return super().make_context(*given, **more)

    def invoke(self, ctx: click.Context) -> Any:
        """It carries out a command; what one refuses is told with the commands that help as they are typed here."""
        with _printing():
            try:
                return super().invoke(ctx)
            except DalejError as error:
                name_commands(error)
                raise

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """`dalej help` is `dalej --help`, and `dalej help round close` is `dalej round close --help`."""
        if args[0] not in HELP:
            return super().resolve_command(ctx, args)
        if not args[1:]:
            click.echo(ctx.get_help(), color=ctx.color)
            ctx.exit()
        return super().resolve_command(ctx, [*args[1:], "--help"])

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """First what somebody does first, then every command by its subject; the options come last."""
        with formatter.section(_("Where to begin")):
            rows = [(translated_files(line), _(says)) for line, says in BEGINNING.items()]
            formatter.write_dl(rows, col_max=_WIDEST)
        widest = max(map(len, PARTS))
        for heading, parts in GROUPS.items():
            listed = [(name.ljust(widest), click.Command(name, help=_(part.says))) for name, part in parts.items()]
            write_commands(formatter, _(heading), listed)
        click.Command.format_options(self, ctx, formatter)


def app() -> click.Group:
    """The whole command tree, in the language that is set now."""
    group = Tree(
        "dalej",
        options_metavar=_("[OPTIONS]"),
        subcommand_metavar=_("[COMMAND] [ARGS]..."),
        callback=_start,
        invoke_without_command=True,
        commands=cast("MutableMapping[str, click.Command]", Commands()),  # click only reads it
        help=_(
            "Runs a Rummikub tournament: players, seating, score sheets, results, standings and diplomas; with boxes "
            "on the tables it keeps the time of every move too."
        ),
        epilog=example("dalej {help} round close".format(help=_("help"))),
        context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
    )
    language = click.Option(
        ["--lang"], type=click.Choice(words.LANGUAGES), help=_("Language of all texts."), expose_value=False
    )
    version = click.Option(
        ["--version"], is_flag=True, is_eager=True, expose_value=False, callback=_tell_version,
        help=_("Which Dalej this is, and which firmware it brings onto boxes."),
    )  # fmt: skip
    group.params += [language, version]
    return group


@click.pass_context
def _start(context: click.Context) -> object:
    """With no command: the start page in a terminal, elsewhere the help."""
    if context.invoked_subcommand is not None:
        return None
    if not all(stream is not None and stream.isatty() for stream in (sys.stdin, sys.stdout)):
        raise click.exceptions.NoArgsIsHelpError(context)
    return start_page()


def start_page() -> object:
    """The events of this folder; what is chosen is done as if it had been typed."""
    page: Callable[..., object] = import_module("dalej.cli.start").page
    return page(lambda given: app().main(list(given), "dalej", standalone_mode=False, obj=list(given)))


def _tell_version(context: click.Context, _parameter: click.Parameter, wanted: bool) -> None:
    if wanted and not context.resilient_parsing:
        click.echo(import_module("dalej.cli.version").version())
        context.exit()


def main(arguments: Sequence[str] | None = None) -> None:
    """Run `dalej`; ends the process with its exit code. `arguments`: None where the process is its own."""
    given = list(sys.argv[1:] if arguments is None else arguments)
    words.speak(_language(given))
    _make_streams_usable()
    if arguments is None:
        longlived.leave_out_what_stays()
    sys.exit(run(lambda: app().main(given, "dalej", standalone_mode=False, obj=given)))


def run(do: Callable[[], object]) -> int:
    """Exit code of a command; what it refuses is one sentence on stderr."""
    try:
        with _printing():
            code = do()
        return code if isinstance(code, int) else 0
    except DalejError as error:
        with suppress(OSError):  # the exit code says it too
            click.echo(words.advised(error), err=True)
        return 1
    except click.ClickException as error:
        with suppress(OSError):
            error.show()
        return error.exit_code
    except click.Abort as stop:
        with suppress(OSError):
            if stop.__cause__ is None and isinstance(stop.__context__, (KeyboardInterrupt, EOFError)):
                click.echo(err=True)  # the cursor stands behind a question
            click.echo(_("Stopped."), err=True)
        return 1
    except NobodyReads:
        return 0
    finally:
        _hush_what_cannot_be_written()


class NobodyReads(Exception):
    """Whoever read what is printed has gone. No OSError, which click would make exit code 1 of."""


@contextmanager
def _printing() -> Iterator[None]:
    try:
        yield
        if sys.stdout is not None:  # there is no console
            sys.stdout.flush()
    except OSError as error:
        if error.filename is not None:
            raise
        if error.errno == errno.EPIPE or (os.name == "nt" and error.errno == errno.EINVAL):
            raise NobodyReads from error
        if error.errno in _FULL:
            raise Unreachable(N_("the output cannot be written: {problem}"), problem=cause(error)) from error
        raise


def _make_streams_usable() -> None:
    """What an encoding does not have is escaped, and no error; an input that is closed (`<&-`) is an empty one."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")
    if sys.stdin is None:
        sys.stdin = Path(os.devnull).open(encoding="utf-8")  # noqa: SIM115 -- as long as the process


def _hush_what_cannot_be_written() -> None:
    """It goes nowhere, so that nothing complains when the interpreter ends."""
    try:
        if sys.stdout is not None:
            sys.stdout.flush()
    except (OSError, ValueError):
        nowhere = os.open(os.devnull, os.O_WRONLY)
        for stream in (sys.__stdout__, sys.__stderr__):
            with suppress(OSError, ValueError, AttributeError):
                os.dup2(nowhere, stream.fileno())  # type: ignore[union-attr]  # None where there is no console
        os.close(nowhere)


def _language(arguments: list[str]) -> str | None:
    """`--lang` must be known before the commands, whose help is in that language, are built."""
    for place, argument in enumerate(arguments):
        if argument.startswith("--lang="):
            language = argument.removeprefix("--lang=")
            return language if language in words.LANGUAGES else None
        if argument == "--lang" and place + 1 < len(arguments):
            return arguments[place + 1] if arguments[place + 1] in words.LANGUAGES else None
    return None
