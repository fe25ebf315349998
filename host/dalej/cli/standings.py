"""`dalej standings`: who stands where, of a stage or of the whole event."""

from __future__ import annotations

from collections.abc import Sequence

import click

from dalej.cli.decision import event_command, json_option, opened
from dalej.cli.terminal import command_line, json_line, table
from dalej.domain.scoring.points import total
from dalej.domain.tournament.fold import standings
from dalej.domain.tournament.stages import corrections, stage_name
from dalej.domain.tournament.standings import Line
from dalej.domain.tournament.tournament import Player, Tournament
from dalej.words import _, readable


def command() -> click.Command:
    """`dalej standings EVENT`."""
    return event_command(
        "standings", show, _("Who stands where, in big and small points."),
        "dalej standings league.dalej", "dalej standings league.dalej --round 2",
        params=[
            click.Option(["--stage"], metavar=_("STAGE"), help=_("Of this stage alone (default: the whole event).")),
            click.Option(["--round", "through"], type=click.IntRange(1), metavar=_("N"),
                         help=_("As they were after this round of the stage.")),
            json_option(),
        ],
    )  # fmt: skip


def show(event: str, stage: str | None, through: int | None, as_json: bool) -> None:
    """Print the standings."""
    with opened(event, _("the organiser")) as held:
        state = held.state()
    lines = standings(state, stage, through=through)
    if as_json:
        for line in lines:
            json_line(fields(state, line))
        return
    if not any(line.games for line in lines):
        click.echo(_("Nobody has played yet."))
        return
    _print(state, lines, event)
    for correction in corrections(state, stage):
        click.echo(correction)


def fields(state: Tournament, line: Line) -> dict[str, object]:
    """A line under its JSON names; they never translate."""
    player = state.players[line.player]
    return {
        "place": line.place, "level": line.level, "player": line.player, "name": player.name, "group": player.group,
        "stage": line.stage, "big": line.big, "small": line.small, "games": line.games,
        "gone": None if player.gone is None else player.gone.how,
    }  # fmt: skip


def _print(state: Tournament, lines: Sequence[Line], event: str) -> None:
    """Columns that say nothing in this event are left out."""
    stages, big = len({line.stage for line in lines}) > 1, any(line.big is not None for line in lines)
    groups = any(state.players[line.player].group for line in lines)
    columns = [
        (_("place"), True, [f"{line.place}=" if line.level else f"{line.place} " for line in lines], True),
        (_("player"), False, [_named(state.players[line.player]) for line in lines], True),
        (_("group"), False, [readable(state.players[line.player].group) for line in lines], groups),
        (_("stage"), False, [stage_name(line.stage) for line in lines], stages),
        (_("big points"), True, ["–" if line.big is None else str(line.big) for line in lines], big),
        (_("small points"), True, [total(line.small) for line in lines], True),
        (_("games"), True, [str(line.games) for line in lines], True),
    ]
    shown = [(heading, number, cells) for heading, number, cells, wanted in columns if wanted]
    table(
        [heading for heading, _number, _cells in shown],
        zip(*(cells for _heading, _number, cells in shown), strict=True),
        numbers=[place for place, (_heading, number, _cells) in enumerate(shown) if number],
    )
    if any(line.level for line in lines):
        first = next(line for line in lines if line.level)
        level = [str(one.player) for one in lines if (one.stage, one.place) == (first.stage, first.place)]
        command = command_line("ruling", "tie", event, *level, "--why", _("REASON"))
        click.echo(_("= level; the head referee may decide, the best first: {command}").format(command=command))


def _named(player: Player) -> str:
    name = readable(player.name)
    if player.gone is None:
        return name
    left = _("{player} (excluded)") if player.gone.how == "excluded" else _("{player} (withdrawn)")
    return left.format(player=name)
