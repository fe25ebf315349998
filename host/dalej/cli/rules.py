"""`dalej rules`: the regulations as data; listed, shown, checked, copied to make one's own."""

from __future__ import annotations

import shlex

import click

from dalej import rulebook
from dalej.cli import output
from dalej.cli.office import json_option
from dalej.cli.output import Group, example
from dalej.cli.rulesheet import Wanted, as_fields, print_sheet, same_clause, value_shown
from dalej.domain.rulesets import TOPICS, Ruleset
from dalej.domain.ruletext import faults
from dalej.words import _, ngettext, readable, said


def command() -> click.Group:
    """`dalej rules list|show|check|copy`."""
    group = Group(
        "rules",
        help=_("The regulations as data: five come with Dalej, and you can make your own."),
        epilog=example("dalej rules list", "dalej rules copy school-league our-league.toml"),
    )
    which = click.Argument(["ruleset"], metavar=_("RULESET"))
    group.add_command(
        click.Command(
            "list", callback=list_all, params=[json_option()],
            help=_("List the rulesets that come with Dalej."),
            epilog=example("dalej rules list"),
        )
    )  # fmt: skip
    group.add_command(
        click.Command(
            "show", callback=show,
            params=[
                which,
                click.Argument(["named"], metavar=_("[CLAUSE]"), required=False),
                click.Option(["--texts", "texts_only"], is_flag=True, help=_("Only the passages a referee may quote.")),
                click.Option(["--topic"], type=click.Choice(TOPICS), metavar=_("TOPIC"),
                             help=_("Only the passages about this: {topics}.").format(topics=", ".join(TOPICS))),
                click.Option(["--clause"], metavar=_("CLAUSE"), help=_("Only this clause, 6h for instance.")),
                json_option(),
            ],
            help=_("Show values with their clauses, and passages to quote; RULESET is an id or a file."),
            epilog=example("dalej rules show school-league", "dalej rules show school-league 6h",
                           "dalej rules show pl-eliminations --topic joker"),
        )
    )  # fmt: skip
    group.add_command(
        click.Command(
            "check", callback=check, params=[click.Argument(["file"], metavar=_("FILE")), json_option()],
            help=_("Say all that is wrong in a ruleset file."),
            epilog=example("dalej rules check our-league.toml"),
        )
    )  # fmt: skip
    group.add_command(
        click.Command(
            "copy", callback=copy, params=[which, click.Argument(["file"], metavar=_("FILE"))],
            help=_("Copy a ruleset to a new file, to change it."),
            epilog=example("dalej rules copy school-league our-league.toml"),
        )
    )  # fmt: skip
    return group


def list_all(as_json: bool) -> None:
    """One line a ruleset."""
    rulesets = [rulebook.load(name) for name in rulebook.available()]
    if as_json:
        for ruleset in rulesets:
            output.json_line({
                "id": ruleset.id, "title": ruleset.title, "language": ruleset.language, "shape": ruleset.shape,
                "limit_ms": ruleset.limit_ms, "seats_min": ruleset.seats_min, "seats_max": ruleset.seats_max,
                "games": ruleset.stages[0].games,
            })  # fmt: skip
        return
    output.table((_("id"), _("title"), _("shape"), _("limit"), _("seats"), _("games")), map(_row, rulesets), (5,))


def _row(ruleset: Ruleset) -> tuple[str, ...]:
    return (
        ruleset.id,
        ruleset.title,
        ruleset.shape,
        value_shown(ruleset.rule("limit_ms")),
        f"{ruleset.seats_min}–{ruleset.seats_max}",
        str(ruleset.stages[0].games),
    )


def show(
    ruleset: str, named: str | None, texts_only: bool, topic: str | None, clause: str | None, as_json: bool
) -> None:
    """All of it, or what was asked for."""
    if named and clause and not same_clause(named, clause):
        raise click.UsageError(_("the clause is told twice"))
    wanted = Wanted(values=not texts_only and topic is None, topic=topic, clause=clause or named)
    found = rulebook.load(ruleset)
    wanted.expect_something(found)
    if as_json:
        output.json_line(as_fields(found, wanted))
    else:
        print_sheet(found, wanted)


def check(file: str, as_json: bool) -> int:
    """Exit code 1 if something is wrong."""
    text, name = rulebook.source(file)
    found = faults(text, name)
    if as_json:
        told = [{"line": fault.data.get("line"), "sentence": str(fault)} for fault in found]
        output.json_line({"file": name, "clean": not found, "faults": told})
        return 1 if found else 0
    if not found:
        click.echo(_("{file} is clean").format(file=readable(name)))
        return 0
    for fault in found:
        click.echo(said(fault))
    count = len(found)
    click.echo(ngettext("{count} thing to mend", "{count} things to mend", count).format(count=count), err=True)
    return 1


def copy(ruleset: str, file: str) -> None:
    """Write it and say what to do next."""
    copied = rulebook.copy(ruleset, file)
    name = readable(file)
    click.echo(_("{file} is a copy of {ruleset} with the id {id}").format(file=name, ruleset=ruleset, id=copied.id))
    click.echo(_("Give it a title of its own and change what you want, limit_ms for instance; then:"))
    typed = readable(shlex.quote(file))
    click.echo(f"  dalej rules check {typed}\n  dalej event new our.dalej --ruleset {typed}")
