"""How an event stands, as `dalej event show` tells it: what it is, who plays, where play is, what to do next."""

from __future__ import annotations

import textwrap

import click

from dalej.cli.itself import command_line
from dalej.domain import options, stages
from dalej.domain.format import Stage
from dalej.domain.reasons import Reason
from dalej.domain.rulesets import Rule
from dalej.domain.stagewords import round_name, stage_name
from dalej.domain.tournament import Round, Tournament
from dalej.errors import DalejError
from dalej.office.advancing import left_open
from dalej.office.nextstep import next_step
from dalej.office.options import friendly
from dalej.office.registering import cited
from dalej.office.seats import counted
from dalej.office.waiting import queue
from dalej.words import _, ngettext, readable, said

WIDTH = 80
STAGES = "stages"
_LABEL = 13  # columns


def say(state: Tournament, event: str) -> None:
    """For people, in 80 columns."""
    click.echo(readable(state.name or event))
    _line(_("where, when"), ", ".join(readable(part) for part in (state.town, state.date) if part))
    _line(_("ruleset"), f"{state.ruleset.id}, {readable(state.ruleset.title)}")
    for rule in _changed(state):
        _line(_("changed"), _changed_words(rule))
    _line(_("players"), _players(state))
    for stage in state.plan:
        _line(_("stage"), _stage(state, stage))
        if stage.id not in state.entrants:
            _line("", _choice(state, stage))
    _line(_("now"), _now(state))
    _line(_("dates"), ", ".join(f"{round_name(*key)}: {day}" for key, day in sorted(state.dates.items())))
    for remark in _remarks(state):
        _line(_("remark"), _remark(remark, state.ruleset.language))
    say_next(state, event)


def say_next(state: Tournament, event: str) -> None:
    """What to do next, with the command that does it."""
    step = next_step(state, event)
    click.echo()
    words = _("Next: {what}").format(what=said(DalejError(step.template, **step.data)))
    click.echo(textwrap.fill(words, WIDTH, break_on_hyphens=False))
    click.echo(f"  {command_line(*step.command)}")


def fields(state: Tournament, event: str) -> dict[str, object]:
    """The same under JSON names; they never translate."""
    one = state.current
    return {
        "name": state.name, "town": state.town, "date": state.date, "closed": state.closed,
        "ruleset": state.ruleset.id, "title": state.ruleset.title, "options": dict(state.options),
        "signed_up": len(state.players), "players": _playing(state), "waiting": len(queue(state)),
        "stages": [
            {"stage": stage.id, "rounds": stage.rounds, "games": stage.games, "takes": stage.takes}
            for stage in state.plan
        ],
        "current": None if one is None else _round_fields(one), "over": state.over,
        "dates": [{"stage": key.stage, "round": key.round, "date": day} for key, day in sorted(state.dates.items())],
        "remarks": [remark.sentence for remark in _remarks(state)],
        "next": list(next_step(state, event).command),
    }  # fmt: skip


def _round_fields(one: Round) -> dict[str, object]:
    return {
        "stage": one.key.stage, "round": one.key.round, "seated": one.seating is not None,
        "tables": 0 if one.seating is None else len(one.seating.tables),
        "absent": sorted(one.absent), "missing": [{"table": at.table, "game": at.game} for at in one.missing()],
    }  # fmt: skip


def _playing(state: Tournament) -> int:
    return sum(player.takes_part for player in state.players.values())


def _changed(state: Tournament) -> list[Rule]:
    return [rule for rule in state.ruleset.rules if rule.organiser]


def _changed_words(rule: Rule) -> str:
    if rule.key == STAGES:
        return _("the stages, otherwise than the ruleset says {citation}").format(citation=said(cited(rule.clause, "")))
    return _("{key} is {value} instead of {original} {citation}").format(
        key=friendly(rule.key), value=options.format_value(rule), original=options.value_text(rule.key, rule.original),
        citation=said(cited(rule.citation[0], "")),
    )  # fmt: skip


def _players(state: Tournament) -> str:
    playing, most = _playing(state), state.ruleset.players_max
    gone = sum(player.gone is not None for player in state.players.values())
    told = ngettext("{count} takes part", "{count} take part", playing).format(count=playing)
    if gone:
        left = ngettext("{count} has left", "{count} have left", gone).format(count=gone)
        told = f"{told}, {left}"
    if wait := len(queue(state)):
        waits = ngettext("{count} waits", "{count} wait", wait).format(count=wait)
        told = f"{told}, {waits}"
    return told if most is None else _("{told}, there are {most} places").format(told=told, most=most)


def _stage(state: Tournament, stage: Stage) -> str:
    rounds = ngettext("{count} round", "{count} rounds", stage.rounds).format(count=stage.rounds)
    games = ngettext("{count} game at a table", "{count} games at a table", stage.games).format(count=stage.games)
    if stage.takes is None:
        return _("{stage}: {rounds}, {games}, for everybody").format(
            stage=stage_name(stage.id), rounds=rounds, games=games
        )
    return _("{stage}: {rounds}, {games}, for {takes} players").format(
        stage=stage_name(stage.id),
        rounds=rounds,
        games=games,
        takes=len(state.entrants.get(stage.id, ())) or stage.takes,
    )


def _choice(state: Tournament, stage: Stage) -> str:
    """What else the organiser may choose, "" if nothing."""
    others = left_open(state, stage)
    if not others:
        return ""
    return _("or {others}, if the organiser chooses so {citation}: dalej advance --players {others}").format(
        others=" / ".join(map(str, others)),
        citation=said(cited(state.ruleset.clause("semifinal_large"), "")),
    )  # fmt: skip


def _now(state: Tournament) -> str:
    one = state.current
    if one is None:
        return _("everything is played") if state.over else _("a stage is played")
    where = round_name(*one.key)
    if one.seating is None:
        return _("{round}: not seated yet").format(round=where)
    count, missing = len(one.seating.tables), one.missing()
    tables = ngettext("{count} table", "{count} tables", count).format(count=count)
    if not missing:
        return _("{round}: {tables}, every result is in, not closed yet").format(round=where, tables=tables)
    which = ", ".join(map(str, dict.fromkeys(at.table for at in missing)))
    return ngettext(
        "{round}: {tables}, {count} result missing, of table {which}",
        "{round}: {tables}, {count} results missing, of tables {which}", len(missing),
    ).format(round=where, tables=tables, count=len(missing), which=which)  # fmt: skip


def _remarks(state: Tournament) -> list[Reason]:
    """Too few or too many, while something can still be done about it."""
    if any(one.seating is not None for one in state.rounds.values()):
        return []
    one = state.current
    return [] if one is None else stages.remarks(state.ruleset, counted(state, one), closed=state.closed)


def _remark(remark: Reason, language: str) -> str:
    citation = said(cited(remark.clause, remark.quote, language))
    return f"{said(DalejError(remark.template, **remark.data))} {citation}"


def _line(label: str, text: str) -> None:
    if text:
        width = max(_LABEL, len(label) + 1)
        wrapped = textwrap.wrap(text, WIDTH - width, break_on_hyphens=False) or [""]
        for number, part in enumerate(wrapped):
            click.echo(f"{label if number == 0 else '':<{width}}{part}")
