"""`dalej results import`: the results that somebody typed into a spreadsheet, all of them or none."""

from __future__ import annotations

from pathlib import Path

import click

from dalej.cli.office import event_command, opened, round_option, who_option
from dalej.cli.resultwords import say_remarks, say_result
from dalej.domain.facts import SEATS
from dalej.domain.tournament import GameAt, Player, Round, Tournament
from dalej.errors import DalejError, WrongInput
from dalej.office import encodings, resultfile, results
from dalej.office.boxes import games_of_round
from dalej.office.entry import Entry, with_box
from dalej.office.event import Change, Event, Seen, imagined
from dalej.office.players import find
from dalej.office.resultfile import Game
from dalej.words import N_, _, ngettext, readable


def command() -> click.Command:
    """`dalej results import`."""
    return event_command(
        "import", take,
        _("Read results from a table with the columns table, game, seat, points (or tiles), jokers, opened (or "
          "never_opened), could_have_opened, announced, withdrawn, ended, why (not played), or headed as a printed "
          "score sheet is; small and player are checked. All of it or nothing."),
        "dalej results import league.dalej round-1.csv --dry-run",
        "dalej results import league.dalej round-1.csv",
        params=[
            click.Argument(["file"], metavar="CSV"),
            round_option(),
            click.Option(["--encoding"], type=click.Choice(encodings.KNOWN), help=_("How the file is written, where "
                                                                                  "that is in doubt.")),
            click.Option(["--dry-run"], is_flag=True, help=_("Check and show everything, and write nothing.")),
            who_option(),
        ],
    )  # fmt: skip


def take(event: str, file: str, key: str | None, encoding: str | None, dry_run: bool, who: str) -> None:
    """Read, check and enter."""
    data = _bytes(file)
    with opened(event, who) as held:
        state = held.state()
        one = results.which(state, key)
        games, unread = _read(data, file, state, one, encoding)
        entries, remarks = _with_boxes(held, state, one, games)

        def plan(seen: Seen) -> Change:
            return _planned(seen.state, one, games, entries)

        seen = held.seen()
        after = imagined(seen, plan(seen).drafts)
        if not dry_run:
            held.change_seen(plan)
            after = held.state()
    say_remarks(remarks, event)
    for at in sorted(entries):
        result = after.rounds[one.key].results[at]
        say_result(result)
        say_remarks([_of_game(at, told) for told in results.remarks(after, after.rounds[one.key], at)], event)
    if unread:
        click.echo(_("Columns passed over: {columns}").format(columns=readable(", ".join(unread))), err=True)
    count = len(entries)
    if dry_run:
        done = ngettext("{count} game could be entered; nothing was written.",
                        "{count} games could be entered; nothing was written.", count)  # fmt: skip
    else:
        done = ngettext("{count} game is entered.", "{count} games are entered.", count)
    click.echo(done.format(count=count))


def _bytes(file: str) -> bytes:
    try:
        return Path(file).read_bytes()
    except OSError as error:
        raise WrongInput(N_("{file} cannot be read: {problem}"), file=file, problem=error.strerror) from error


def _read(
    data: bytes, file: str, state: Tournament, one: Round, encoding: str | None
) -> tuple[dict[GameAt, Game], tuple[str, ...]]:
    def seated(table: int, seat: str) -> Player | None:
        return state.players.get(results.table_of(one, table).players[SEATS.index(seat)])

    return resultfile.read(data, Path(file).name, seated, lambda text: find(state, text), encoding)


def _with_boxes(
    held: Event, state: Tournament, one: Round, games: dict[GameAt, Game]
) -> tuple[dict[GameAt, Entry], list[DalejError]]:
    boxes = games_of_round(held.ledger, state, one.key, sorted({at.table for at in games}))
    entries: dict[GameAt, Entry] = {}
    remarks: list[DalejError] = []
    for at, game in games.items():
        try:
            seats = results.seats_of(results.table_of(one, at.table))
            entries[at], found = with_box(game.entry, boxes.get(at), list(seats))
        except WrongInput as problem:
            raise game.wrong(problem) from problem
        remarks += [_of_game(at, remark) for remark in (*found, *results.left_out(state, one, at, entries[at]))]
    return entries, remarks


def _of_game(at: GameAt, remark: DalejError) -> DalejError:
    told = DalejError(N_("table {table}, game {game}: {remark}"), table=at.table, game=at.game, remark=remark)
    told.hint = remark.hint
    return told


def _planned(state: Tournament, one: Round, games: dict[GameAt, Game], entries: dict[GameAt, Entry]) -> Change:
    """All of them together, as each may rest on the ones before it; whatever is wrong is said with its line."""
    return results.enter(state, one.key, entries, blamed=lambda at, problem: games[at].wrong(problem))
