"""`dalej results list`: every game of a round, what was entered, what a box says was played and nobody has entered."""

from __future__ import annotations

from collections.abc import Iterator

import click

from dalej.cli.office import event_command, json_option, opened, round_option
from dalej.cli.output import json_line, table
from dalej.cli.resultwords import how
from dalej.domain.boxgames import BoxGame
from dalej.domain.facts import SEATS
from dalej.domain.stagewords import round_name
from dalej.domain.tournament import NOT_PLAYED, GameAt, Result, Round
from dalej.office import results
from dalej.office.boxes import games_of_round
from dalej.points import gained
from dalej.telling import word
from dalej.words import _, ngettext, readable


def command() -> click.Command:
    """`dalej results list`."""
    return event_command(
        "list", show, _("Every game of a round: its scores, who entered and who confirmed it, and what is missing."),
        "dalej results list league.dalej", "dalej results list league.dalej --round 1 --json",
        params=[
            round_option(),
            click.Option(["--table", "only"], type=click.IntRange(1), help=_("Only this table.")),
            json_option(),
        ],
    )  # fmt: skip


def show(event: str, key: str | None, only: int | None, as_json: bool) -> None:
    """Print the games."""
    with opened(event, _("the organiser")) as held:
        state = held.state()
        one = results.which(state, key)
        if only is not None:
            results.table_of(one, only)
        boxes = games_of_round(held.ledger, state, one.key, None if only is None else [only])
    games = [at for at in _games(one) if only in (None, at.table)]
    if as_json:
        for at in games:
            json_line(_fields(one, at, boxes.get(at)))
        return
    click.echo(_("{event}: {round}").format(event=readable(state.name), round=round_name(*one.key)))
    click.echo()
    headings = (_("table"), _("game"), _("how it ended"), *SEATS, _("entered by"), _("confirmed by"))
    table(headings, (_row(one, at, boxes.get(at)) for at in games), numbers=(0, 1))
    click.echo()
    missing = len([at for at in one.missing() if at in games])
    click.echo(
        ngettext("{count} game is missing.", "{count} games are missing.", missing).format(count=missing)
        if missing
        else _("Every result is in.")
    )


def _games(one: Round) -> Iterator[GameAt]:
    """All games of the round, by table and game, also those of a table that is no longer part of the seating."""
    seated = () if one.seating is None else one.seating.tables
    wanted = {GameAt(at.table, game) for at in seated for game in range(1, one.stage.games + 1)}
    yield from sorted(wanted | set(one.results))


def _row(one: Round, at: GameAt, box: BoxGame | None) -> tuple[str, ...]:
    result = one.results.get(at)
    if result is None:
        blank = ("",) * (len(SEATS) + 2)
        return (str(at.table), str(at.game), _not_entered(box), *blank)
    cells = {
        score.seat: f"{readable(score.name)} {gained(score.small)}" + ("" if not score.big else f" ({score.big})")
        for score in result.scores
    }
    confirmed = "" if result.confirmed is None else readable(result.confirmed.who)
    seats = (cells.get(seat, "") for seat in SEATS)
    return (str(at.table), str(at.game), how(result), *seats, readable(result.mark.who), confirmed)


def _not_entered(box: BoxGame | None) -> str:
    if box is None:
        return _("missing")
    if box.ended is None:
        return _("under way")
    return _("played, not entered ({how}{seat})").format(
        how=word(box.ended), seat=f", {box.winner}" if box.winner else ""
    )


def _fields(one: Round, at: GameAt, box: BoxGame | None) -> dict[str, object]:
    """A game under its JSON names."""
    result = one.results.get(at)
    fields: dict[str, object] = {
        "stage": one.key.stage, "round": one.key.round, "table": at.table, "game": at.game,
        "state": _state(result, box),
    }  # fmt: skip
    if result is not None:
        fields |= {
            "ended": NOT_PLAYED if result.sheet is None else result.sheet.ended,
            "scores": [
                {
                    "seat": score.seat, "player": result.players[score.seat], "name": score.name,
                    "small": score.small, "big": score.big, "place": score.place,
                }
                for score in result.scores
            ],
            "number": result.mark.cursor, "who": result.mark.who, "when_ms": result.mark.when_ms,
            "confirmed_by": None if result.confirmed is None else result.confirmed.who,
        }  # fmt: skip
    if box is not None:
        fields["box"] = {
            "box": box.box, "game": box.game, "ended": box.ended, "winner": box.winner,
            "announced": {seat: list(moves) for seat, moves in box.announced.items()},
            "in_time": sorted(box.in_time), "withdrawn": list(box.withdrawn), "bank": box.bank,
        }  # fmt: skip
    return fields


def _state(result: Result | None, box: BoxGame | None) -> str:
    if result is not None:
        return "entered" if result.sheet is not None else NOT_PLAYED
    if box is None:
        return "missing"
    return "under_way" if box.ended is None else "played"
