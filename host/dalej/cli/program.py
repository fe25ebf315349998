"""The command tree, the language, and what becomes of an error.

Exit codes: 0 done, 1 refused (one sentence on stderr), 2 wrong usage.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence

import click

from dalej import words
from dalej.cli import (
    advance,
    demo,
    event,
    form,
    log,
    paper,
    play,
    players,
    results,
    rounds,
    rules,
    ruling,
    score,
    screen,
    seat,
    standings,
    undo,
)
from dalej.cli.output import example
from dalej.errors import DalejError
from dalej.words import _


def app() -> click.Group:
    """The whole command tree, in the language that is set now."""
    group = click.Group(
        "dalej",
        help=_("The tournament clock for Rummikub: boxes on the tables, and the desk that logs, rules and scores."),
        epilog=example("dalej demo", "dalej play game.txt --ruleset school-league"),
        context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
    )
    language = click.Option(
        ["--lang"], type=click.Choice(words.LANGUAGES), help=_("Language of all texts."), expose_value=False
    )
    group.params.append(language)
    for part in (
        demo, screen, play, log, event, players, seat, results, rounds, advance, standings, ruling, undo, paper, form,
        score, rules,
    ):  # fmt: skip
        group.add_command(part.command())
    return group


def main(arguments: Sequence[str] | None = None) -> None:
    """Run `dalej`; ends the process with its exit code."""
    given = list(sys.argv[1:] if arguments is None else arguments)
    words.speak(_language(given))
    sys.exit(run(lambda: app().main(given, "dalej", standalone_mode=False)))


def run(do: Callable[[], object]) -> int:
    """Exit code of a command; what it refuses is one sentence on stderr."""
    try:
        code = do()
        return code if isinstance(code, int) else 0
    except DalejError as error:
        click.echo(words.said(error), err=True)
        return 1
    except click.ClickException as error:
        error.show()
        return error.exit_code
    except click.Abort:
        click.echo(_("Stopped."), err=True)
        return 1
    except BrokenPipeError:
        sys.stderr.close()
        return 1


def _language(arguments: list[str]) -> str | None:
    """`--lang` must be known before the commands, whose help is in that language, are built."""
    for place, argument in enumerate(arguments):
        if argument.startswith("--lang="):
            language = argument.removeprefix("--lang=")
            return language if language in words.LANGUAGES else None
        if argument == "--lang" and place + 1 < len(arguments):
            return arguments[place + 1] if arguments[place + 1] in words.LANGUAGES else None
    return None
