"""`dalej event`: the event as a file, what it is, how it stands, what is changed about it."""

from __future__ import annotations

import sys

import click

from dalej.acts.wishes import cursors
from dalej.cli import output, standing
from dalej.cli.attending import say_moved_up
from dalej.cli.itself import command_line
from dalej.cli.office import agreed, event_command, json_option, opened, who_option, why_option, yes_option
from dalej.cli.output import Group, example
from dalej.clock import SystemClock
from dalej.domain import options as values
from dalej.domain.rulesets import Rule
from dalej.domain.tournament import RULESET, Tournament
from dalej.ledger import Ledger
from dalej.office import options
from dalej.office.chronicle import Told
from dalej.office.chronicle import history as told
from dalej.office.commands import once_more
from dalej.office.opening import Opening, open_event
from dalej.office.options import Setting, says_otherwise, set_as_seen, setting
from dalej.office.reasons import reason
from dalej.office.registering import cited
from dalej.telling import instant
from dalej.words import N_, _, readable, said


def command() -> click.Group:
    """`dalej event new|show|set|history|backup`."""
    group = Group(
        "event", help=_("The event as a file: make one, see how it stands, change it."),
        epilog=example("dalej event new league.dalej --ruleset school-league", "dalej event show league.dalej"),
    )  # fmt: skip
    for one in (_new(), _show(), _set(), _history(), _backup()):
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
            click.Option(["--date", "day"], default="", metavar="2026-11-21", help=_("The day, or the first one.")),
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
        "set", set_, _("Change the event or its ruleset. “default” is what the ruleset says; no KEY lists them all."),
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
    return click.Command(
        "backup", callback=backup,
        params=[
            click.Argument(["event"], metavar=_("EVENT")),
            click.Argument(["file"], metavar=_("FILE")),
            click.Option(["--overwrite"], is_flag=True, help=_("Replace FILE if it exists.")),
            click.Option(["--with-personal"], is_flag=True,
                         help=_("Personal data too: then erasing them from EVENT leaves them in FILE.")),
        ],
        help=_("Copy the event to one file, also while others write; personal data stay out of it."),
        epilog=example("dalej event backup league.dalej /media/stick/league-copy.dalej"),
    )  # fmt: skip


def new(file: str, ruleset: str, name: str, town: str, day: str, closed: bool, who: str) -> None:
    """Make the file and say what comes next."""
    wanted = Opening(ruleset=ruleset, name=name, town=town, date=day, closed=closed)
    called = open_event(file, wanted, who=who, wall_ms=SystemClock().wall_ms)
    click.echo(_("{file} holds the event {name}").format(file=readable(file), name=readable(called)))
    if not name:
        click.echo(_("It is called as its ruleset is; another name: {command}").format(
            command=command_line("event", "set", file, "name", _("NAME"))
        ))  # fmt: skip
    with opened(file, who) as office:
        standing.say_next(office.state(), file)


def show(event: str, as_json: bool) -> None:
    """How it stands."""
    with opened(event, who="") as office:
        state = office.state()
    if as_json:
        output.json_line(standing.fields(state, event))
    else:
        standing.say(state, event)


def set_(event: str, key: str | None, value: str | None, why: str | None, who: str, yes: bool) -> None:
    """Change one thing, or list what there is."""
    with opened(event, who) as office:
        if key is None:
            _list(office.state())
            return
        if value is None:
            raise click.UsageError(_("expected a value for {key}").format(key=readable(key)))
        seen = office.seen()
        wanted = setting(seen, key, value, why)
        if not wanted.change.drafts:
            click.echo(_("{key} is {value} already").format(key=wanted.key, value=readable(wanted.new)))
            return
        if wanted.against_the_text:
            _expect_knowingly(wanted, yes, office.state().ruleset.language)
        if wanted.touches_results and any(one.results for one in office.state().rounds.values()):
            agreed(yes, _("Results are in already; change {key} to {value}?").format(
                key=wanted.key, value=readable(wanted.new)
            ))  # fmt: skip
        _done, made = set_as_seen(office, key, value, why, seen.head, knowingly=True)
        _say_set(wanted, office.state().ruleset.language)
        say_moved_up(office, cursors(made), event)


def _expect_knowingly(wanted: Setting, yes: bool, language: str) -> None:
    """Asks in a terminal; without one Refused, unless it was said that it is meant."""
    if yes:
        return
    problem = says_otherwise(wanted, language)
    if not (sys.stdin.isatty() and sys.stderr.isatty()):
        raise problem.hinted(N_("{command} changes it knowingly"), command=once_more("--yes"))
    click.echo(said(problem), err=True)
    agreed(yes, _("Change {key} to {value} all the same?").format(key=wanted.key, value=readable(wanted.new)))


def _say_set(wanted: Setting, language: str) -> None:
    click.echo(_("{key}: {old} → {new}").format(
        key=wanted.key, old=readable(wanted.old) or _("nothing"), new=readable(wanted.new) or _("nothing")
    ))  # fmt: skip
    if wanted.becomes is not None:
        click.echo(click.wrap_text(_standing_of(wanted.becomes, language), standing.WIDTH))


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
    """Every key with its value as it is typed."""
    own = {"name": state.name, "town": state.town, "date": state.date, "closed": _("yes") if state.closed else _("no"),
           RULESET: state.ruleset.id}  # fmt: skip
    rows = [(key, readable(value), "") for key, value in own.items()]
    rules = {rule.key: rule for rule in state.ruleset.rules}
    known = options.keys()
    for key in known:
        rule = rules.get(key) or rules.get(f"{key}_ms")
        if rule is not None:
            mark = "*" if rule.organiser else ""
            rows.append((key, f"{values.format_value(rule)}{mark}", rule.clause))
    first = state.ruleset.stages[0]
    rows += [(values.ROUNDS, str(first.rounds), first.id), (values.GAMES, str(first.games), first.id)]
    output.table((_("key"), _("value (* otherwise than the ruleset)"), _("clause")), rows)


def history(event: str, as_json: bool) -> None:
    """Every decision, oldest first."""
    with Ledger.open(event) as ledger:
        decisions = told(ledger)
    if as_json:
        for one in decisions:
            output.json_line(one.fields())
        return
    output.table(
        (_("number"), _("when"), _("who"), _("what"), _("why")),
        [
            (
                "" if one.number is None else str(one.number), instant(one.when_ms),
                readable(one.who), _what(one), readable(reason(one.why)),
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
    if left_out:
        click.echo(_("The personal data are not in the copy; --with-personal copies them too."))
