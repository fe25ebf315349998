"""`dalej season`: who stands where over several events."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import click

from dalej.cli.decision import json_option
from dalej.cli.listfile import cut, delimiter_option
from dalej.cli.terminal import completed_by_files, example, json_line, table
from dalej.domain.scoring.points import total
from dalej.domain.tournament.season import SeasonLine, season
from dalej.domain.tournament.tournament import Tournament
from dalej.errors import Refused
from dalej.event.event import state_of
from dalej.event.ledger import Ledger
from dalej.event.reading import read
from dalej.office.paper.formats import save
from dalej.office.paper.season import legend, names, points_at, season_list
from dalej.office.publicnames import published
from dalej.words import N_, _, readable


def command() -> click.Command:
    """`dalej season EVENT…`."""
    return click.Command(
        "season", callback=show,
        help=_(
            "Who stands where over several events, added up. Whoever has the same name is the same player; of two who "
            "are called alike in one event, who has the same class, club or town, too. All games of an event count."
        ),
        params=[
            click.Argument(["events"], nargs=-1, required=True, metavar=_("EVENT…"),
                           shell_complete=completed_by_files),
            click.Option(["--best"], type=click.IntRange(1), metavar=_("N"),
                         help=_("Of each player only the best N events count (default: all).")),
            click.Option(["--public"], is_flag=True, help=_("For publishing: names as public_names says.")),
            click.Option(["--output", "-o", "target"], metavar=_("FILE"),
                         help=_("Write it as PDF, CSV or XLSX, by the suffix of the file.")),
            click.Option(["--overwrite"], is_flag=True, help=_("Replace FILE if it exists.")),
            delimiter_option(), json_option(),
        ],
        epilog=example("dalej season autumn.dalej winter.dalej spring.dalej --best 2",
                       "dalej season autumn.dalej winter.dalej -o season.pdf"),
    )  # fmt: skip


def show(
    events: tuple[str, ...], best: int | None, public: bool, target: str | None, overwrite: bool,
    delimiter: str | None, as_json: bool,
) -> None:  # fmt: skip
    """Print it, or write it."""
    states = _read(events)
    lines = season(states, best)
    if public:
        states = [published(state) for state in states]
    if as_json:
        for line, name in zip(lines, names(states, lines), strict=True):
            json_line({
                "place": line.place, "level": line.level, "player": name, "big": line.big, "small": line.small,
                "games": line.games,
                "events": [
                    None if one is None else {"player": one.player, "big": one.big, "small": one.small,
                                              "games": one.games, "counts": counts}
                    for one, counts in zip(line.of, line.counts, strict=True)
                ],
            })  # fmt: skip
        return
    if target is not None:
        save(Path(target), season_list(states, lines, best, cut(delimiter)), overwrite=overwrite)
        click.echo(_("{file} is written").format(file=readable(target)))
        return
    if not lines:
        click.echo(_("Nobody has played yet."))
        return
    _print(events, states, lines, best)


def _read(events: Sequence[str]) -> list[Tournament]:
    """Refused if two of them are the same event: a copy of it, or another file that says where it is kept."""
    states: list[Tournament] = []
    known: dict[object, str] = {}
    for event in events:
        with Ledger.open(event) as ledger:
            reading = read(ledger)
        for first in reading.decisions()[:1]:
            begun = first.kind, str(first.body), first.who, first.when_ms
            if begun in known:
                raise Refused(
                    N_("{one} and {other} are the same event: expected it once"), one=known[begun], other=event
                )
            known[begun] = event
        states.append(state_of(reading))
    return states


def _print(events: Sequence[str], states: Sequence[Tournament], lines: Sequence[SeasonLine], best: int | None) -> None:
    for number, (event, state) in enumerate(zip(events, states, strict=True), start=1):
        click.echo(f"{number}  {readable(state.name)} ({readable(event)})")
    click.echo(legend(lines, best))
    click.echo()
    big = any(line.big is not None for line in lines)
    rows = [
        [
            f"{line.place}=" if line.level else f"{line.place} ", readable(name),
            *(points_at(line, number) for number in range(len(states))),
            *([str(line.big)] if big else []), total(line.small), str(line.games),
        ]
        for line, name in zip(lines, names(states, lines), strict=True)
    ]  # fmt: skip
    places = [str(number) for number in range(1, len(states) + 1)]
    headings = [_("place"), _("player"), *places, *([_("big points")] if big else []), _("small points"), _("games")]
    table(headings, rows, numbers=[number for number in range(len(headings)) if number != 1])
