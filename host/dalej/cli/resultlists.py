"""`dalej results import|template`: a list of results as a file, and an empty one to be filled in."""

from __future__ import annotations

from pathlib import Path

import click

from dalej.cli.decision import (
    agreed,
    do,
    event_command,
    opened,
    round_option,
    who_option,
    yes_option,
)
from dalej.cli.listfile import blank_file, save_blank, sheet_option
from dalej.cli.listfile import say_table as say_found
from dalej.cli.resultdialogue import (
    say_missing_of,
    say_remarks,
    say_result,
)
from dalej.cli.terminal import (
    is_terminal,
    typed_here,
)
from dalej.errors import Command, DalejError
from dalej.event.event import imagined
from dalej.event.roundgames import games_of_round
from dalej.office import results, spreadsheets
from dalej.office.acts.results import (
    EnterResults,
    FiledGame,
)
from dalej.office.listfiles import filed, of_game
from dalej.office.resultcolumns import heading
from dalej.office.resultfile import Game
from dalej.office.results import games_words
from dalej.office.rounds import seating_of, tables_words
from dalej.words import _, ngettext, readable


def import_command() -> click.Command:
    """`dalej results import`."""
    return event_command(
        "import", take,
        " ".join((
            _("Read results from a table (XLSX, ODS or CSV)."),
            _("A row for each game has the columns {columns}.").format(
                columns=_columns("table", "game", "a", "b", "c", "d", "ended")),
            _("Or a row for each seat has {columns}, and where they say something {more}.").format(
                columns=_columns("table", "game", "seat", "points", "ended"),
                more=_columns("tiles", "jokers", "opened", "never_opened", "could_have_opened", "announced",
                              "withdrawn")),
            _("{why}: why a game was not played; {checked} are checked.").format(
                why=_columns("why"), checked=_columns("players", "player", "small")),
            _("English headings are read, too. All of it or nothing."),
        )),
        "dalej results import league.dalej round-1.csv --dry-run",
        "dalej results import league.dalej round-1.csv",
        params=[
            click.Argument(["file"], metavar=_("FILE")),
            round_option(),
            click.Option(["--encoding"], type=click.Choice(spreadsheets.KNOWN), help=_("How the file is written, where "
                                                                                  "that is in doubt.")),
            sheet_option(),
            click.Option(["--dry-run"], is_flag=True, help=_("Check and show everything, and write nothing.")),
            click.Option(["--verbose", "-v"], is_flag=True, help=_("Show every game that is entered.")),
            yes_option(), who_option(),
        ],
    )  # fmt: skip


def template_command() -> click.Command:
    """`dalej results template`."""
    return event_command(
        "template", template,
        _("A list of the games that are missing, to be filled in and imported, as XLSX or CSV: a row for each game, "
          "with who sits there."),
        "dalej results template league.dalej round-1.xlsx", "dalej results template league.dalej round-1.csv --seats",
        params=[
            *blank_file(), round_option(),
            click.Option(["--seats"], is_flag=True, help=_("A row for each seat, with who sits there.")),
        ],
    )  # fmt: skip


def template(event: str, file: str, overwrite: bool, key: str | None, seats: bool) -> None:
    """The games of a round that is seated whose results are missing."""
    from dalej.office.paper.blanklists import results_list  # noqa: PLC0415 -- what draws PDF is slow to load

    with opened(event, who="") as held:
        state = held.state()
    one = results.which(state, key)
    seating_of(one)
    count = len(one.missing())
    if not count:
        click.echo(_("Every result is in."))
        return
    save_blank(file, results_list(state, one, by_seat=seats), overwrite=overwrite)
    click.echo(ngettext("{count} game is to be filled in.", "{count} games are to be filled in.", count).format(
        count=count))  # fmt: skip


def take(
    event: str, file: str, key: str | None, encoding: str | None, sheet: str | None, dry_run: bool, verbose: bool,
    yes: bool, who: str,
) -> None:  # fmt: skip
    """Read, check and enter."""
    data = spreadsheets.load(file)
    with opened(event, who) as held:
        state = held.state()
        one = results.which(state, key)
        found, entries, same, remarks, doubts = filed(
            data, Path(file).name, state, one, lambda tables: games_of_round(held.read(), state, one.key, tables),
            encoding, sheet, lambda game, problem: _corrected_by(game, problem, event),
        )  # fmt: skip
        seen = held.seen()
        after = imagined(seen, results.enter(seen.state, one.key, entries).drafts) if entries else seen.state
        say_remarks(doubts, event)
        if doubts and not dry_run:
            agreed(yes or not is_terminal(), _("Is that so?"))
        if entries and not dry_run:
            games = [FiledGame(at.table, at.game, entry) for at, entry in entries.items()]
            do(held, EnterResults(tuple(games), one.key.text).wish())
            after = held.state()
    one = after.rounds[one.key]
    say_remarks(remarks, event)
    for at in sorted(entries):
        if verbose or dry_run:
            say_result(one.results[at])
        say_remarks([of_game(at, told) for told in results.remarks(after, one, at)], event)
    if found.unread:
        click.echo(_("Columns passed over: {columns}").format(columns=readable(", ".join(found.unread))), err=True)
    say_found(found.table, err=True)
    if blank := [at for at in found.blank if at not in one.results]:
        click.echo(_("Not filled in: {games}").format(games=games_words(blank)), err=True)
    if same:
        click.echo(_("Unchanged: {count}").format(count=len(same)))
    if same and not entries:
        return
    count = len(entries)
    if dry_run:
        done = ngettext("{count} game could be entered; nothing was written.",
                        "{count} games could be entered; nothing was written.", count)  # fmt: skip
    else:
        done = ngettext("{count} game is entered.", "{count} games are entered.", count)
    click.echo(done.format(count=count))
    if not dry_run:
        click.echo(_("Tables: {tables}").format(tables=tables_words(sorted({at.table for at in entries}))))
        say_missing_of(one)


def _corrected_by(game: Game, problem: DalejError, event: str) -> DalejError:
    """What is wrong with a game of a file, and below it, to be copied, the command that corrects it, if one does."""
    hint, problem.hint = problem.hint, None
    command = None if hint is None else hint.data.get("command")
    if not isinstance(command, Command) or command.words[:2] != ("results", "correct"):
        problem.hint = hint
        return game.wrong(problem)
    told = game.wrong(problem)
    return type(told)("{at}: {problem}\n  {command}", **told.data, command=typed_here(command, event))


def _columns(*names: str) -> str:
    return ", ".join(map(heading, names))
