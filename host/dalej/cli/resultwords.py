"""Results as they are printed: the scores of a game, what is still missing, what the box says."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import click

from dalej.cli.office import name_commands, typed_here
from dalej.cli.output import table as print_table
from dalej.domain.scoring import SeatScore, Sheet
from dalej.domain.stagewords import round_name
from dalej.domain.tournament import NOT_PLAYED, Result, Round, RoundKey
from dalej.errors import DalejError
from dalej.office import results
from dalej.office.entry import written
from dalej.office.event import Seen
from dalej.office.oldnumbers import decided_from
from dalej.points import gained
from dalej.telling import instant, word
from dalej.words import _, advised, ngettext, readable, said


def say_result(result: Result) -> None:
    """One game with its scores."""
    click.echo(
        _("Table {table}, game {game}: {how}").format(table=result.at.table, game=result.at.game, how=how(result))
    )
    if result.sheet is not None:
        say_scores(result.sheet, result.scores)


def say_scores(sheet: Sheet, scores: Sequence[SeatScore]) -> None:
    """Rack, small and big points, place of every seat."""
    knows_big = any(one.big is not None for one in scores)
    headings = [_("seat"), _("player"), _("rack"), _("small"), *([_("big")] if knows_big else []), _("place")]
    rows = [
        [
            one.seat, readable(one.name), written(rack), gained(one.small), *([str(one.big)] if knows_big else []),
            str(one.place),
        ]
        for rack, one in zip(sheet.racks, scores, strict=True)
    ]  # fmt: skip
    print_table(headings, rows, numbers=range(2, len(headings)))
    if sheet.ruling:
        click.echo(_("The referee lets it stand: {why}").format(why=readable(sheet.ruling)))


def say_table(one: Round, table: int) -> None:
    """Everything that was entered for the table."""
    for result in results.of_table(one, table):
        say_result(result)
        entered = _("entered by {who}, {when}").format(who=readable(result.mark.who), when=instant(result.mark.when_ms))
        click.echo(entered)
        click.echo()


def say_missing(one: Round, table: int) -> None:
    """What is still to be entered, at the table and in the round."""
    games = results.missing_at(one, table)
    if games:
        here = ngettext(
            "Still missing at table {table}: game {games}.",
            "Still missing at table {table}: games {games}.",
            len(games),
        ).format(table=table, games=", ".join(map(str, games)))
    else:
        here = _("Table {table} is complete.").format(table=table)
    count = len(one.missing())
    if count:
        there = ngettext(
            "{round}: {count} game is missing.",
            "{round}: {count} games are missing.", count,
        ).format(round=round_name(*one.key), count=count)  # fmt: skip
    else:
        there = _("{round} is complete.").format(round=round_name(*one.key))
    click.echo(here)
    click.echo(there)


def say_remarks(remarks: Iterable[DalejError], event: str) -> None:
    """What was filled in from the box, and where box and paper say two things; on stderr."""
    for remark in remarks:
        click.echo(advised(name_commands(remark, event)), err=True)


def say_stands(seen: Seen, key: RoundKey, event: str) -> None:
    """What was decided from the old numbers of that round, and how it is decided anew."""
    for one in decided_from(seen, key):
        click.echo(f"{_capital(said(one.told))}.")
        if one.anew:
            steps = _(", then ").join(typed_here(command, event) for command in one.anew)
            click.echo(_("To decide that anew: {commands}").format(commands=steps))


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]


def how(result: Result) -> str:
    """How the game ended, in words."""
    return word(NOT_PLAYED) if result.sheet is None else word(result.sheet.ended)
