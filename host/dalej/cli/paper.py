"""`dalej paper`: what is printed, hung up, sent and published."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Final

import click

from dalej import drafts
from dalej.cli import log, terminal
from dalej.cli.decision import event_argument, opened
from dalej.cli.terminal import Group, example
from dalej.clock import SystemClock
from dalej.domain.game.sentences import local
from dalej.domain.tournament.fold import standings
from dalej.domain.tournament.tournament import Round, Seating, Tournament
from dalej.event import eventlog
from dalej.event.event import state_of
from dalej.event.ledger import Ledger
from dalej.event.reading import read
from dalej.office.finalists import finalists, lacking_consent
from dalej.office.paper import documents
from dalej.office.paper.formats import Formats, beside, save
from dalej.office.paper.turnlog import turns_csv, turns_pdf, turns_xlsx
from dalej.office.results import which
from dalej.office.rounds import seating_of
from dalej.words import _

_DELIMITERS: Final = {",": ",", ";": ";", "tab": "\t"}


def command() -> click.Group:
    """`dalej paper sheets|seating|standings|turns|page|form`."""
    group = Group(
        "paper", help=_("Score sheets, seating, standings and the final form, as files."),
        epilog=example("dalej paper sheets league.dalej", "dalej paper standings league.dalej -o league.xlsx"),
    )  # fmt: skip
    of_round = click.Option(
        ["--round", "wanted"], metavar=_("STAGE/ROUND"), help=_("Which one (default: the current).")
    )
    groups = click.Option(["--groups"], is_flag=True, help=_("With each player's class, club or town."))
    stages = click.Option(["--stage"], metavar=_("STAGE"), help=_("Only this stage."))
    delimiter = click.Option(
        ["--delimiter"], type=click.Choice(list(_DELIMITERS)),
        help=_("What stands between the cells of a CSV (default: what spreadsheets in this language expect)."),
    )  # fmt: skip
    group.add_command(_one(
        "sheets", sheets, _("Score sheets, a page for each table (PDF)."),
        "dalej paper sheets league.dalej --round league/2",
        of_round, click.Option(["--table"], type=click.IntRange(1), help=_("Only this table.")),
        click.Option(["--filled"], is_flag=True, help=_("With the results that are in.")),
    ))  # fmt: skip
    group.add_command(_one(
        "seating", seating, _("Who sits where, in large type for a wall (PDF), or as CSV."),
        "dalej paper seating league.dalej", of_round, delimiter,
    ))  # fmt: skip
    group.add_command(_one(
        "standings", standings_list, _("Standings as PDF, CSV or XLSX, by the suffix of the file."),
        "dalej paper standings league.dalej -o league.xlsx", stages, groups, delimiter,
    ))  # fmt: skip
    group.add_command(_one(
        "turns", turns, _("The turn log as CSV, XLSX or PDF, by the suffix of the file."),
        "dalej paper turns league.dalej -o turns.xlsx", delimiter,
    ))  # fmt: skip
    group.add_command(_one(
        "page", page, _("The public standings as one HTML file that needs nothing else."),
        "dalej paper page league.dalej -o standings.html", groups,
    ))  # fmt: skip
    group.add_command(_one(
        "form", form, _("The final form in block capitals (PDF); it holds personal data."),
        "dalej paper form cup.dalej",
    ))  # fmt: skip
    return group


def _one(name: str, callback: Callable[..., None], words: str, use: str, *options: click.Option) -> click.Command:
    """A command that writes one file."""
    target = click.Option(["--output", "-o", "target"], metavar=_("FILE"), help=_("The file (default: beside EVENT)."))
    overwrite = click.Option(["--overwrite"], is_flag=True, help=_("Replace FILE if it exists."))
    params = [event_argument(), *options, target, overwrite]
    return click.Command(name, callback=callback, params=params, help=words, epilog=example(use))


def sheets(
    event: str, wanted: str | None, table: int | None, filled: bool, target: str | None, overwrite: bool
) -> None:
    """Score sheets of one round."""
    state, of, seated = _seated(event, wanted)
    _save(event, target, overwrite, "sheets", documents.sheets(state, of, seated, table, filled=filled))


def seating(event: str, wanted: str | None, delimiter: str | None, target: str | None, overwrite: bool) -> None:
    """The seating of one round."""
    state, of, seated = _seated(event, wanted)
    _save(event, target, overwrite, "seating", documents.seating(state, of, seated, _cut(delimiter)))


def standings_list(
    event: str, stage: str | None, groups: bool, delimiter: str | None, target: str | None, overwrite: bool
) -> None:
    """Standings of the whole event and of every stage."""
    with Ledger.open(event) as ledger:
        state = _state(ledger)
    made = documents.standings_of(state, stage, groups=groups, delimiter=_cut(delimiter))
    _save(event, target, overwrite, "standings", made)


def turns(event: str, delimiter: str | None, target: str | None, overwrite: bool) -> None:
    """The turn log."""
    with Ledger.open(event) as ledger:
        reading = read(ledger)
        seen, state = eventlog.turns(reading), state_of(reading)
    rows = [log.fields(turn) for turn in seen]
    _save(event, target, overwrite, "turns", {
        ".csv": lambda: turns_csv(log.COLUMNS, rows, _cut(delimiter)),
        ".xlsx": lambda: turns_xlsx(state, log.COLUMNS, rows),
        ".pdf": lambda: turns_pdf(state, log.headings(), [log.row(turn) for turn in seen]),
    })  # fmt: skip


def page(event: str, groups: bool, target: str | None, overwrite: bool) -> None:
    """The public page."""
    with Ledger.open(event) as ledger:
        state = _state(ledger)
    when = local(SystemClock().wall_ms())
    _save(event, target, overwrite, "page", documents.page(state, when, groups=groups))


def form(event: str, target: str | None, overwrite: bool) -> None:
    """The final form; only its owner may read the file. Whose parent's consent is missing is said."""
    with Ledger.open(event) as ledger:
        state = _state(ledger)
        asked = ledger.personal()
    made = documents.form(state, asked)
    _save(event, target, overwrite, "form", made, mode=drafts.OWNER)
    if warning := lacking_consent(state, finalists(state, standings(state)), asked):
        terminal.say_wrapped(warning)


def _cut(delimiter: str | None) -> str | None:
    return None if delimiter is None else _DELIMITERS[delimiter]


def _state(ledger: Ledger) -> Tournament:
    return state_of(read(ledger))


def _seated(event: str, wanted: str | None) -> tuple[Tournament, Round, Seating]:
    """The round that is asked for, else the one to work on, and who sits where in it."""
    with opened(event, who="") as held:
        state = held.state()
        of = which(state, wanted)
        return state, of, seating_of(of)


def _save(
    event: str, target: str | None, overwrite: bool, what: str, formats: Formats, mode: int = drafts.OPEN
) -> None:  # fmt: skip
    """Makes the document in the format that the name asks for, and says where it is."""
    path = beside(Path(event), what, next(iter(formats))) if target is None else Path(target)
    save(path, formats, overwrite=overwrite, mode=mode)
    click.echo(_("{file} is written").format(file=path))
