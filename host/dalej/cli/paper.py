"""`dalej paper`: what is printed, hung up, sent and published."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Final, get_args

import click

from dalej import drafts
from dalej.cli import log, terminal
from dalej.cli.decision import json_option, opened
from dalej.cli.eventfile import EventCommand
from dalej.cli.listfile import cut, delimiter_option
from dalej.cli.terminal import Group, example, json_line
from dalej.clock import SystemClock
from dalej.domain.game.sentences import local
from dalej.domain.tournament.fold import standings
from dalej.domain.tournament.tournament import Round, Seating, Tournament
from dalej.event import eventlog
from dalej.event.event import state_of
from dalej.event.ledger import Ledger
from dalej.event.reading import read
from dalej.office import numbers as typed_numbers
from dalej.office.finalists import finalists, lacking_consent
from dalej.office.paper import documents
from dalej.office.paper.diplomas import PLACES
from dalej.office.paper.formats import Formats, beside, diplomas_named, picture, save
from dalej.office.paper.naming import round_in_file_name
from dalej.office.paper.prizes import prizes_fields
from dalej.office.paper.roundresults import Order, latest
from dalej.office.paper.turnlog import turns_csv, turns_pdf, turns_xlsx
from dalej.office.publicnames import IN_FULL, published, shortened_in_public
from dalej.office.results import which
from dalej.office.rounds import seating_of
from dalej.web.site import file_of, write_site
from dalej.words import _, readable

_TABLES_MOST: Final = 999  # digits that a sheet has room for
_PLACES_MOST: Final = 9_999


def command() -> click.Group:
    """`dalej paper sheets|seating|numbers|results|standings|prizes|diplomas|turns|site|form`."""
    group = Group(
        "paper", help=_("What is printed, hung up and handed out: score sheets, seating, standings, diplomas."),
        epilog=example("dalej paper sheets league.dalej", "dalej paper standings league.dalej -o league.xlsx"),
    )  # fmt: skip
    of_round = click.Option(
        ["--round", "wanted"], metavar=_("STAGE/ROUND"), help=_("Which one (default: the current).")
    )
    groups = click.Option(["--groups"], is_flag=True, help=_("With each player's class, club or town."))
    stages = click.Option(["--stage"], metavar=_("STAGE"), help=_("Only this stage."))
    delimiter = delimiter_option()
    public = click.Option(["--public"], is_flag=True,
                          help=_("For publishing: names as public_names says, no groups."))  # fmt: skip
    group.add_command(_one(
        "sheets", sheets, _("Score sheets, a page for each table (PDF)."),
        "dalej paper sheets league.dalej --round league/2",
        of_round, click.Option(["--table"], type=click.IntRange(1), help=_("Only this table.")),
        click.Option(["--filled"], is_flag=True, help=_("With the results that are in.")),
    ))  # fmt: skip
    group.add_command(_one(
        "seating", seating, _("Who sits where, in large type for a wall (PDF), or as CSV."),
        "dalej paper seating league.dalej", of_round,
        click.Option(["--wall"], is_flag=True, help=_("By name, in letters that are read from two metres (PDF).")),
        public, delimiter,
    ))  # fmt: skip
    group.add_command(_one(
        "numbers", numbers, _("Table numbers to stand up: a sheet for each table, to be folded once (PDF)."),
        "dalej paper numbers league.dalej --tables 1-12",
        click.Option(["--tables"], metavar=_("NUMBERS"),
                     help=_("Which, such as 1-8 or 1,2,5 (default: those of the current round).")),
    ))  # fmt: skip
    group.add_command(_one(
        "results", results, _("The results of a round, to be hung up (PDF), or as CSV; says what is still missing."),
        "dalej paper results league.dalej --round 2 --by name",
        click.Option(["--round", "wanted"], metavar=_("STAGE/ROUND"),
                     help=_("Which one (default: the last that has results).")),
        click.Option(["--by"], type=click.Choice(get_args(Order)), default=get_args(Order)[0], show_default=True,
                     help=_("In which order.")),
        public, delimiter,
    ))  # fmt: skip
    group.add_command(_one(
        "standings", standings_list, _("Standings as PDF, CSV or XLSX, by the suffix of the file."),
        "dalej paper standings league.dalej -o league.xlsx", stages, groups, public, delimiter,
    ))  # fmt: skip
    group.add_command(_one(
        "prizes", prizes, _("The best of each class, club or town, to be read aloud: PDF, CSV or XLSX, by the suffix."),
        "dalej paper prizes league.dalej --best 3",
        click.Option(["--best"], type=click.IntRange(1), default=documents.BEST, show_default=True,
                     help=_("How many places of each.")),
        delimiter, json_option(),
    ))  # fmt: skip
    group.add_command(_one(
        "diplomas", diplomas, _("Diplomas, one a page, for the best or for everybody (PDF)."),
        "dalej paper diplomas league.dalej --places 1-3 --taking-part --logo school.png",
        click.Option(["--places"], metavar=_("NUMBERS"), help=_("For which places, such as 1-3 (default) or 1,2.")),
        click.Option(["--by-group"], is_flag=True, help=_("For these places in each class, club or town.")),
        click.Option(["--taking-part"], is_flag=True, help=_("One for everybody else, too, for taking part.")),
        click.Option(["--blank"], is_flag=True, help=_("A single one, to be filled in by hand.")),
        click.Option(["--logo"], metavar=_("FILE"), help=_("A picture between the signatures: PNG, JPEG or SVG.")),
    ))  # fmt: skip
    group.add_command(_one(
        "turns", turns, _("The turn log as CSV, XLSX or PDF, by the suffix of the file."),
        "dalej paper turns league.dalej -o turns.xlsx", delimiter,
    ))  # fmt: skip
    group.add_command(EventCommand(
        "site", callback=site,
        help=_("The public pages as a folder of files for a web site: seating, standings, everybody's games."),
        params=[click.Option(["--output", "-o", "target"], metavar=_("FOLDER"),
                             help=_("The folder (default: beside EVENT); pages of Dalej in it are replaced."))],
        epilog=example("dalej paper site league.dalej -o site"),
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
    params = [*options, target, overwrite]
    return EventCommand(name, callback=callback, params=params, help=words, epilog=example(use))


def sheets(
    event: str, wanted: str | None, table: int | None, filled: bool, target: str | None, overwrite: bool
) -> None:
    """Score sheets of one round."""
    state, of, seated = _seated(event, wanted)
    made = documents.sheets(state, of, seated, table, filled=filled)
    about = [round_in_file_name(state, of.key), *([] if table is None else [_("table"), str(table)])]
    _save(event, target, overwrite, "sheets", made, about="-".join(about))


def seating(
    event: str, wanted: str | None, wall: bool, public: bool, delimiter: str | None, target: str | None, overwrite: bool
) -> None:  # fmt: skip
    """The seating of one round."""
    state, of, seated = _seated(event, wanted)
    state = _for(state, public=public)
    made = documents.wall(state, of, seated) if wall else documents.seating(state, of, seated, cut(delimiter))
    what = "wall" if wall else "seating"
    _save(event, target, overwrite, what, made, about=round_in_file_name(state, of.key))


def numbers(event: str, tables: str | None, target: str | None, overwrite: bool) -> None:
    """Numbers to stand on the tables, those of the current round or others."""
    if tables is None:
        state, _of, seated = _seated(event, None)
        wanted = [one.table for one in seated.tables]
    else:
        wanted = typed_numbers.tables(tables, _TABLES_MOST)
        with Ledger.open(event) as ledger:
            state = _state(ledger)
    _save(event, target, overwrite, "numbers", documents.numbers(state, wanted))


def results(
    event: str, wanted: str | None, by: Order, public: bool, delimiter: str | None, target: str | None, overwrite: bool
) -> None:  # fmt: skip
    """The results of one round."""
    with opened(event, who="") as held:
        state = held.state()
        of = latest(state) if wanted is None else None
        of = of or which(state, wanted)
        seated = seating_of(of)
    made = documents.results(_for(state, public=public), of, seated, by, cut(delimiter))
    _save(event, target, overwrite, "results", made, about=round_in_file_name(state, of.key))


def standings_list(
    event: str, stage: str | None, groups: bool, public: bool, delimiter: str | None, target: str | None,
    overwrite: bool,
) -> None:  # fmt: skip
    """Standings of the whole event and of every stage."""
    if groups and public:
        raise click.UsageError(_("--public goes without --groups: the public reads no groups"))
    with Ledger.open(event) as ledger:
        state = _for(_state(ledger), public=public)
    made = documents.standings_of(state, stage, groups=groups, delimiter=cut(delimiter))
    _save(event, target, overwrite, "standings", made)


def prizes(
    event: str, best: int, delimiter: str | None, as_json: bool, target: str | None, overwrite: bool
) -> None:  # fmt: skip
    """Who gets a prize."""
    with Ledger.open(event) as ledger:
        state = _state(ledger)
    if as_json:
        for fields in prizes_fields(state, best):
            json_line(fields)
        return
    _save(event, target, overwrite, "prizes", documents.prizes(state, best, cut(delimiter)))


def diplomas(
    event: str, places: str | None, by_group: bool, taking_part: bool, blank: bool, logo: str | None,
    target: str | None, overwrite: bool,
) -> None:  # fmt: skip
    """Diplomas, or one to be filled in."""
    if blank and (places is not None or by_group or taking_part):
        raise click.UsageError(_("--blank goes without --places, --by-group and --taking-part"))
    shown = b"" if logo is None else picture(logo)
    with Ledger.open(event) as ledger:
        state = _state(ledger)
    if blank:
        _save(event, target, overwrite, "diploma", documents.blank(state, shown))
        return
    wanted = PLACES if places is None else typed_numbers.places(places, _PLACES_MOST)
    made = documents.diplomas(state, wanted, groups=by_group, taking_part=taking_part, logo=shown)
    _save(event, target, overwrite, diplomas_named(groups=by_group, taking_part=taking_part), made)


def turns(event: str, delimiter: str | None, target: str | None, overwrite: bool) -> None:
    """The turn log."""
    with Ledger.open(event) as ledger:
        reading = read(ledger)
        seen, state = eventlog.turns(reading), state_of(reading)
    rows = [log.fields(turn) for turn in seen]
    _save(event, target, overwrite, "turns", {
        ".csv": lambda: turns_csv(log.COLUMNS, rows, cut(delimiter)),
        ".xlsx": lambda: turns_xlsx(state, log.COLUMNS, rows),
        ".pdf": lambda: turns_pdf(state, log.headings(), [log.row(turn) for turn in seen]),
    })  # fmt: skip


def site(event: str, target: str | None) -> None:
    """The public pages; says where they begin, and who is not named in full though names were to be."""
    with Ledger.open(event) as ledger:
        state = _state(ledger)
    folder = Path(event).with_name(f"{Path(event).stem}-site") if target is None else Path(target)
    write_site(folder, state, local(SystemClock().wall_ms()))
    click.echo(_("{file} is written").format(file=folder / file_of("/find")))
    shortened = shortened_in_public(state, [line.player for line in standings(state)])
    if state.ruleset.public_names == IN_FULL and shortened:
        called = ", ".join(readable(state.players[one].name) for one in shortened)
        click.echo(
            _("No consent is on file, so first name and initial alone stand there: {players}").format(players=called),
            err=True,
        )


def form(event: str, target: str | None, overwrite: bool) -> None:
    """The final form; only its owner may read the file. Whose parent's consent is missing is said."""
    with Ledger.open(event) as ledger:
        state = _state(ledger)
        asked = ledger.personal()
    made = documents.form(state, asked)
    _save(event, target, overwrite, "form", made, mode=drafts.OWNER)
    if warning := lacking_consent(state, finalists(state, standings(state)), asked):
        terminal.say_wrapped(warning)


def _state(ledger: Ledger) -> Tournament:
    return state_of(read(ledger))


def _for(state: Tournament, *, public: bool) -> Tournament:
    return published(state) if public else state


def _seated(event: str, wanted: str | None) -> tuple[Tournament, Round, Seating]:
    """The round that is asked for, else the one to work on, and who sits where in it."""
    with opened(event, who="") as held:
        state = held.state()
        of = which(state, wanted)
        return state, of, seating_of(of)


def _save(
    event: str, target: str | None, overwrite: bool, what: str, formats: Formats, *, about: str = "",
    mode: int = drafts.OPEN,
) -> None:  # fmt: skip
    """Makes the document in the format that the name asks for, and says where it is. `about`: as of `beside`."""
    path = beside(Path(event), what, next(iter(formats)), about) if target is None else Path(target)
    save(path, formats, overwrite=overwrite, mode=mode)
    click.echo(_("{file} is written").format(file=path))
