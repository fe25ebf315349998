"""`dalej event`: the event as a file, what it is, how it stands, what to do next, what is changed about it."""

from __future__ import annotations

import sys
import textwrap
from contextlib import suppress
from pathlib import Path

import click

from dalej.cli import terminal
from dalej.cli.actcommand import carry_out
from dalej.cli.decision import agreed, event_command, json_option, opened, who_option, why_option, yes_option
from dalej.cli.eventfile import EventCommand, event_argument, remember
from dalej.cli.terminal import Group, command_line, completed_by_files, example
from dalej.clock import SystemClock
from dalej.domain.game.sentences import instant
from dalej.domain.rules import options
from dalej.domain.rules import options as values
from dalej.domain.rules.clauses import Reason, cited
from dalej.domain.rules.rulesets import Rule, Stage
from dalej.domain.tournament import stages
from dalej.domain.tournament.stages import round_name, stage_name
from dalej.domain.tournament.tournament import RULESET, Round, Tournament
from dalej.errors import DalejError, WrongInput
from dalej.event.event import queue
from dalej.event.ledger import Ledger
from dalej.event.ledger.elsewhere import is_elsewhere
from dalej.event.reading import read
from dalej.hints import once_more
from dalej.office import settings
from dalej.office.acts.settings import SetOption
from dalej.office.advancing import left_open
from dalej.office.history import Told
from dalej.office.history import history as told
from dalej.office.nextstep import left_out, next_step
from dalej.office.opening import Opening, open_event
from dalej.office.players import listed
from dalej.office.reasons import reason
from dalej.office.seating import counted
from dalej.office.settingnames import key_meant, label
from dalej.office.settings import Setting, friendly, says_otherwise, setting
from dalej.views.settingwords import in_words, value_typed, value_words
from dalej.words import N_, _, day_shown, ngettext, readable, said, speaking, who_said

WIDTH = 80
STAGES = "stages"
_LABEL = 13  # columns


def say(state: Tournament, event: str) -> None:
    """For people, in 80 columns."""
    click.echo(readable(state.name or event))
    place = _("where, when") if state.town and state.date else _("where") if state.town else _("when")
    _line(place, ", ".join(readable(part) for part in (state.town, day_shown(state.date)) if part))
    _line(_("ruleset"), f"{state.ruleset.id}, {readable(state.ruleset.title)}")
    for rule in _changed(state):
        _line(_("changed"), _changed_words(rule))
    _line(_("players"), _players(state))
    for stage in state.plan:
        _line(_("stage"), _stage(state, stage))
        if stage.id not in state.entrants:
            _line("", _choice(state, stage))
    _line(_("now"), now_words(state))
    if state.current is not None:
        _line(_("absent"), listed([state.players[number] for number in sorted(state.current.absent)]))
    _line(_("dates"), ", ".join(f"{round_name(*key)}: {day_shown(day)}" for key, day in sorted(state.dates.items())))
    for remark in _remarks(state):
        _line(_("remark"), _remark(remark, state.ruleset.language))
    say_next(state, event)


def say_next(state: Tournament, event: str) -> None:
    """What to do next, with the command that does it."""
    step = next_step(state, event)
    click.echo()
    words = _("Next: {what}").format(what=said(step.said))
    click.echo(textwrap.fill(words, WIDTH, break_on_hyphens=False))
    for command in filter(None, (step.before, step.command)):
        click.echo(f"  {command_line(*command)}")


def fields(state: Tournament, event: str) -> dict[str, object]:
    """The same under JSON names; they never translate."""
    one = state.current
    with speaking("en"):
        following = next_step(state, event)
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
        "next": list(following.command),
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
        key=label(rule.key), value=value_words(friendly(rule.key), options.format_value(rule)),
        original=value_words(friendly(rule.key), options.value_text(rule.key, rule.original)),
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


def now_words(state: Tournament) -> str:
    """How far it is."""
    one = state.current
    if one is None and state.over and (left := left_out(state)):
        return ngettext(
            "the rounds are closed, {count} game has no result", "the rounds are closed, {count} games have no result",
            left,
        ).format(count=left)  # fmt: skip
    if one is None:
        return _("everything is played") if state.over else _("a stage is played")
    where = round_name(*one.key)
    if one.seating is None:
        return _("{round}: not seated yet").format(round=where)
    count, missing = len(one.tables()), one.missing()
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


def command() -> click.Group:
    """`dalej event new|show|set|history|backup|restore`."""
    group = Group(
        "event", help=_("The event as a file: make one, see how it stands, change it."),
        epilog=example("dalej event new league.dalej --ruleset school-league", "dalej event show league.dalej"),
    )  # fmt: skip
    for one in (_new(), _show(), _set(), _history(), _backup(), _restore()):
        group.add_command(one)
    return group


def _new() -> click.Command:
    return click.Command(
        "new", callback=new,
        params=[
            click.Argument(["file"], metavar=_("FILE")),
            click.Option(["--ruleset"], required=True, metavar="ID", help=_("A ruleset's id, or a file of your own.")),
            click.Option(["--name"], default="", metavar=_("NAME"),
                         help=_("What it is called (default: the ruleset's title).")),
            click.Option(["--town"], default="", metavar=_("TOWN"), help=_("Where it takes place.")),
            click.Option(["--date", "day"], default="", metavar=day_shown("2026-11-21"),
                         help=_("The day, or the first one.")),
            click.Option(["--closed"], is_flag=True, help=_("For invited players alone, such as one school's pupils.")),
            who_option(),
        ],
        help=_("A new event: one file that holds everything."),
        epilog=example('dalej event new league.dalej --ruleset school-league --name "Liga SP 3" --date 2026-11-21'),
    )  # fmt: skip


def _show() -> click.Command:
    return event_command(
        "show", show, _("How the event stands, and what to do next."),
        "dalej event show league.dalej",
        params=[json_option()],
    )  # fmt: skip


def _set() -> click.Command:
    return event_command(
        "set", set_,
        _("Change the event or its ruleset. “{default}” is what the ruleset says; no KEY lists them all.").format(
            default=_(settings.DEFAULT)
        ),
        'dalej event set league.dalej limit "45 s"', "dalej event set league.dalej limit default",
        "dalej event set league.dalej rounds 2", "dalej event set league.dalej",
        params=[
            click.Argument(["key"], metavar=_("[KEY"), required=False),
            click.Argument(["value"], metavar=_("VALUE]"), required=False), why_option(), who_option(), yes_option(),
        ],
    )  # fmt: skip


def _history() -> click.Command:
    return event_command(
        "history", history, _("Everything that was decided or done to a table's clock: number, when, who, what, why."),
        "dalej event history league.dalej",
        params=[json_option()],
    )  # fmt: skip


def _backup() -> click.Command:
    return EventCommand(
        "backup", callback=backup,
        params=[
            click.Argument(["file"], metavar=_("FILE"), shell_complete=completed_by_files),
            click.Option(["--overwrite"], is_flag=True, help=_("Replace FILE if it exists.")),
            click.Option(["--with-personal"], is_flag=True,
                         help=_("Personal data too: then erasing them from EVENT leaves them in FILE.")),
        ],
        help=_("Copy the event to one file, also while others write; personal data stay out of it."),
        epilog=example("dalej event backup league.dalej /media/stick/league-copy.dalej"),
    )  # fmt: skip


def _restore() -> click.Command:
    return click.Command(
        "restore", callback=restore,
        params=[
            click.Argument(["copy"], metavar=_("COPY"), shell_complete=completed_by_files),
            event_argument(),
        ],
        help=_(
            "Put a copy in the place of its event: the copy is checked first, what lies there is kept beside it, and "
            "nobody may have the event open. Boxes send again what the copy lacks."
        ),
        epilog=example("dalej event restore /media/stick/league-copy.dalej league.dalej"),
    )  # fmt: skip


def new(file: str, ruleset: str, name: str, town: str, day: str, closed: bool, who: str) -> None:
    """Make the file and say what comes next."""
    wanted = Opening(ruleset=ruleset, name=name, town=town, date=day, closed=closed)
    called = open_event(file, wanted, who=who, wall_ms=SystemClock().wall_ms)
    remember(file)
    click.echo(_("{file} holds the event {name}").format(file=readable(file), name=readable(called)))
    if not name:
        click.echo(_("It is called as its ruleset is; another name: {command}").format(
            command=command_line("event", "set", file, "name", _("NAME"))
        ))  # fmt: skip
    with opened(file, who) as office:
        say_next(office.state(), file)


def show(event: str, as_json: bool) -> None:
    """How it stands."""
    with opened(event, who="") as office:
        state = office.state()
    if as_json:
        terminal.json_line(fields(state, event))
        return
    say(state, event)
    if is_elsewhere(Path(event)):
        click.echo()
        click.echo(_("It is kept on PostgreSQL; {file} only says where, and is no copy.").format(file=readable(event)))


def set_(event: str, key: str | None, value: str | None, why: str | None, who: str, yes: bool) -> None:
    """Change one thing, or list what there is; what is wrong is said of the setting as the reader calls it."""
    try:
        _set_or_list(event, key, value, why, who, yes)
    except DalejError as problem:
        in_words(problem)
        raise


def _set_or_list(event: str, key: str | None, value: str | None, why: str | None, who: str, yes: bool) -> None:
    with opened(event, who) as office:
        if key is None:
            _list(office.state())
            return
        key = key_meant(key)
        if value is None:
            raise click.UsageError(_("expected a value for {key}").format(key=readable(label(key))))
        value = value_typed(key, value)
        seen = office.seen()
        wanted = setting(seen, key, value, why)
        if not wanted.change.drafts:
            click.echo(_("{key} is {value} already").format(key=label(wanted.key), value=_value(wanted)))
            return
        there = wanted.touches_results and any(one.results for one in office.state().rounds.values())
        if wanted.against_the_text:
            _expect_knowingly(wanted, yes, office.state().ruleset.language, results_in=there)
        elif there:
            agreed(yes, _("Results are in already; change {key} to {value}?").format(
                key=label(wanted.key), value=_value(wanted)
            ))  # fmt: skip
        wish = SetOption(key, value, knowingly=True).wish(why or "", seen.head)
        carry_out(office, event, wish, after=lambda told: _say_standing(wanted, told.held.state().ruleset.language))


def _expect_knowingly(wanted: Setting, yes: bool, language: str, *, results_in: bool) -> None:
    """Asks once in a terminal, also that results are in; without one Refused, unless it was said that it is meant."""
    if yes:
        return
    problem = says_otherwise(wanted, language)
    if not (sys.stdin.isatty() and sys.stderr.isatty()):
        raise problem.hinted(N_("{command} changes it knowingly"), command=once_more("--yes"))
    told = in_words(problem)
    if not told.data["allowed"]:  # nothing is refused, it is asked
        told = DalejError(N_("the regulation says otherwise than {new} {citation}"), **told.data)
    click.echo(said(told), err=True)
    question = _("Change {key} to {value} all the same?")
    if results_in:
        question = _("Results are in already too. Change {key} to {value} all the same?")
    agreed(yes, question.format(key=label(wanted.key), value=_value(wanted)))


def _value(wanted: Setting) -> str:
    return day_shown(readable(value_words(wanted.key, wanted.new)))


def _say_standing(wanted: Setting, language: str) -> None:
    if wanted.becomes is not None:
        click.echo(click.wrap_text(_standing_of(wanted.becomes, language), WIDTH))


def _standing_of(rule: Rule, language: str) -> str:
    """What the regulation says about the value as it is now, and whether it leaves it open."""
    citation = readable(said(cited(*rule.citation, language)))
    if rule.ours and rule.permitted:
        return _("The regulation leaves it open {citation}: {why}").format(citation=citation, why=_(rule.why))
    if not rule.organiser:
        return _("The regulation says so {citation}").format(citation=citation)
    if rule.granted:
        return _("The regulation lets the organiser choose {citation}").format(citation=citation)
    return _("The regulation says otherwise {citation}; the organiser answers for it").format(citation=citation)


def _list(state: Tournament) -> None:
    """Every value, as it is typed, by what it is called and by its key; either can be typed."""
    own = {
        "name": state.name, "town": state.town, "date": day_shown(state.date),
        "closed": _("yes") if state.closed else _("no"), RULESET: state.ruleset.id,
    }  # fmt: skip
    rows = [(label(key), key, readable(value), "") for key, value in own.items()]
    rules = {rule.key: rule for rule in state.ruleset.rules}
    known = settings.keys()
    for key in known:
        rule = rules.get(key) or rules.get(f"{key}_ms")
        if rule is not None:
            mark = "*" if rule.organiser else ""
            value = values.format_value(rule)
            shown = value if key == STAGES else value_words(key, value)
            rows.append((label(key), key, f"{shown}{mark}", rule.clause))
    first = state.ruleset.stages[0]
    rows += [
        (label(values.ROUNDS), values.ROUNDS, str(first.rounds), first.id),
        (label(values.GAMES), values.GAMES, str(first.games), first.id),
    ]
    terminal.table((_("what"), _("key"), _("value (* otherwise than the ruleset)"), _("clause")), rows, wraps=(0, 2))


def history(event: str, as_json: bool) -> None:
    """Every decision, oldest first."""
    with Ledger.open(event) as ledger:
        decisions = told(read(ledger))
    if as_json:
        for one in decisions:
            terminal.json_line(one.fields())
        return
    terminal.table(
        (_("number"), _("when"), _("who"), _("what"), _("why")),
        [
            (
                "" if one.number is None else str(one.number), instant(one.when_ms),
                who_said(one.who), _what(one), readable(reason(one.why)),
            )
            for one in decisions
        ],
        numbers=(0,), wraps=(3, 4),
    )  # fmt: skip


def _what(one: Told) -> str:
    return _("{what} (taken back)").format(what=one.what) if one.revoked_by else one.what


def backup(event: str, file: str, overwrite: bool, with_personal: bool) -> None:
    """Copy and say so, and what the copy lacks."""
    with Ledger.open(event) as ledger:
        ledger.backup(file, overwrite=overwrite, with_personal=with_personal)
        left_out = bool(ledger.personal()) and not with_personal
    click.echo(_("{event} is copied to {file}").format(event=readable(event), file=readable(file)))
    if not is_elsewhere(Path(event)):
        click.echo(_("To put it back: {command}").format(command=command_line("event", "restore", file, event)))
    if left_out:
        click.echo(_("The personal data are not in the copy; --with-personal copies them too."))


def restore(copy: str, event: str) -> None:
    """Put it back, and say what became of what was there, and what comes next."""
    kept = Ledger.restore(copy, event)
    remember(event)
    click.echo(_("{event} is as {copy} holds it; the copy is whole.").format(
        event=readable(event), copy=readable(copy)
    ))  # fmt: skip
    with opened(event, "") as office:
        if kept is not None:
            click.echo(_("What was there before is kept in {kept}.").format(kept=readable(str(kept))))
            if not office.ledger.personal() and kept.absolute() in office.ledger.copies_with_personal():
                click.echo(_("The personal data are only in there."))
        with suppress(WrongInput):  # it is played by no rules yet: an empty event that boxes rebuild
            say_next(office.state(), event)
