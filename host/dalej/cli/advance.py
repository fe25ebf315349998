"""`dalej advance`: who goes on to the next stage."""

from __future__ import annotations

import click

from dalej.cli.decision import anyway_option, do, event_command, json_option, opened, who_option, within
from dalej.cli.terminal import json_line, named, say_wrapped
from dalej.domain.rules.clauses import cited
from dalej.domain.tournament.stages import stage_name
from dalej.domain.tournament.tournament import Tournament
from dalej.office import advancing
from dalej.office.acts.rounds import Advance
from dalej.words import _, ngettext, readable, said


def command() -> click.Command:
    """`dalej advance EVENT`."""
    return event_command(
        "advance", advance, _("Settle who goes on, after the last round of a stage is closed."),
        "dalej advance elimination.dalej", "dalej advance elimination.dalej --players 16",
        params=[
            click.Option(["--players"], type=within(Advance, "players"), metavar=_("N"),
                         help=_("How many go on (default: as many as the ruleset says).")),
            anyway_option(_("Let another number go on than the ruleset allows, for this reason.")),
            json_option(), who_option(),
        ],
    )  # fmt: skip


def advance(event: str, players: int | None, anyway: str, as_json: bool, who: str) -> None:
    """Decide it and print who plays on, best first."""
    with opened(event, who) as held:
        before = held.state()
        done = do(held, Advance(players, anyway).wish())
        state = held.state()
    stage = list(state.entrants)[-1]
    on = state.entrants[stage]
    if as_json:
        json_line({"stage": stage, "players": [{"player": one, "name": state.players[one].name} for one in on]})
        return
    said = ngettext("{count} player goes on to {stage}:", "{count} players go on to {stage}:", len(on))
    click.echo(said.format(count=len(on), stage=stage_name(stage)))
    for place, one in enumerate(on, start=1):
        click.echo(f"{place:>4}  {readable(state.players[one].name)}")
    others = [] if players else advancing.left_open(before, next(one for one in before.plan if one.id == stage))
    for other in others:
        say_wrapped(
            _("The organiser may choose {other} as well {citation}: {undo}, then {again}").format(
                other=other, citation=_citation(before),
                undo=named("undo", event, str(done.decisions[0])),
                again=named("advance", event, "--players", str(other)),
            )
        )  # fmt: skip


def _citation(state: Tournament) -> str:
    rule = state.ruleset.rule("semifinal_large")
    return said(cited(rule.clause, rule.quote, state.ruleset.language))
