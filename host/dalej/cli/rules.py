"""`dalej rules`: the regulations as data; listed, shown, checked, copied to make one's own."""

from __future__ import annotations

import shlex
import textwrap
from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import groupby
from typing import Final

import click

from dalej.cli import terminal
from dalej.cli.decision import json_option
from dalej.cli.terminal import Group, example
from dalej.domain.rules.clauses import quoted
from dalej.domain.rules.options import format_value, value_text
from dalej.domain.rules.rulesets import TOPICS, Rule, Ruleset, Stage, Text, schema
from dalej.domain.rules.ruletext import faults
from dalej.domain.rules.values import plain, stage_text
from dalej.errors import WrongInput
from dalej.rulesets import rulebook
from dalej.words import N_, _, ngettext, readable, said

WIDTH: Final = 100
_YES_NO: Final = {"yes": N_("yes"), "no": N_("no")}


@dataclass(frozen=True, slots=True)
class Wanted:
    """Which part of a ruleset: its values or only its passages, about one topic, of one clause."""

    values: bool
    topic: str | None = None
    clause: str | None = None

    def rules(self, ruleset: Ruleset) -> list[Rule]:
        """The values asked for, those as well that another clause permits to be others."""
        return [
            rule
            for rule in ruleset.rules
            if self.values and (self._is_of(rule.clause) or (rule.allows_clause and self._is_of(rule.allows_clause)))
        ]

    def texts(self, ruleset: Ruleset) -> list[Text]:
        """The passages asked for."""
        return [
            text
            for text in ruleset.texts
            if self.topic in (None, text.topic) and self._is_of(text.clause)
        ]  # fmt: skip

    def _is_of(self, clause: str) -> bool:
        return self.clause is None or same_clause(self.clause, clause)

    def expect_something(self, ruleset: Ruleset) -> None:
        """WrongInput, with what there is, if the ruleset says nothing of the kind."""
        if self.rules(ruleset) or self.texts(ruleset):
            return
        clauses = dict.fromkeys([*(rule.clause for rule in ruleset.rules), *(text.clause for text in ruleset.texts)])
        if self.clause is not None and not any(map(self._is_of, clauses)):
            raise WrongInput(
                N_("{ruleset} has no clause {found}, expected one of {allowed}"),
                ruleset=ruleset.id, found=self.clause, allowed=", ".join(clauses),
            )  # fmt: skip
        topics = dict.fromkeys(text.topic for text in ruleset.texts if self._is_of(text.clause))
        raise WrongInput(
            N_("{ruleset} has no passage about that, expected one of {allowed}"),
            ruleset=ruleset.id, allowed=", ".join(topics) or "–",
        )  # fmt: skip


def same_clause(one: str, other: str) -> bool:
    """Whether two people mean one clause: 6H, 6 h, and 6h."""
    return "".join(one.split()).casefold() == "".join(other.split()).casefold()


def as_fields(ruleset: Ruleset, wanted: Wanted) -> dict[str, object]:
    """The part for programs: values as a file holds them."""
    shapes = schema()
    return {
        "id": ruleset.id, "title": ruleset.title, "language": ruleset.language, "source": ruleset.source,
        "values": [
            {
                "key": rule.key, "section": shapes[rule.key].section, "value": plain(rule.value, shapes[rule.key]),
                "clause": rule.clause, "ours": rule.ours, "why": rule.why, "quote": rule.quote,
                "allows": [plain(value, shapes[rule.key]) for value in rule.allows], "modifiable": rule.modifiable,
                "allows_clause": rule.allows_clause, "allows_quote": rule.allows_quote,
            }
            for rule in wanted.rules(ruleset)
        ],
        "texts": [
            {"clause": text.clause, "topic": text.topic, "quote": text.quote} for text in wanted.texts(ruleset)
        ],
    }  # fmt: skip


def print_sheet(ruleset: Ruleset, wanted: Wanted) -> None:
    """The part for people."""
    click.echo(readable(f"{ruleset.title} ({ruleset.id})"))
    click.echo(readable(ruleset.source))
    shapes = schema()
    for section, rules in groupby(wanted.rules(ruleset), key=lambda rule: shapes[rule.key].section):
        click.echo(f"\n[{section}]")
        for rule in rules:
            for line in _lines(rule, ruleset.language):
                click.echo(line)
    if texts := wanted.texts(ruleset):
        click.echo("\n" + _("Passages for the referee, by clause"))
    for clause, found in groupby(texts, key=lambda text: text.clause):
        click.echo("\n" + readable(clause))
        for text in found:
            click.echo(_wrapped(f"{text.topic}: {quoted(text.quote, ruleset.language)}", 2))


def value_shown(rule: Rule) -> str:
    """The value in a word or two."""
    text = format_value(rule)
    return _(_YES_NO[text]) if isinstance(rule.value, bool) else text


def _lines(rule: Rule, language: str) -> Iterator[str]:
    value, *more = _stages(rule) or [value_shown(rule)]
    clause = _("clause {clause}").format(clause=readable(rule.clause))
    yield f"  {rule.key:<25} {value:<16}  {clause}" if not more and len(value) <= 16 else f"  {rule.key:<25} {clause}"
    if more or len(value) > 16:
        for one in (value, *more):
            yield _wrapped(one, 4)
    if rule.quote:
        yield _wrapped(quoted(rule.quote, language), 6)
    if rule.ours:
        yield _wrapped(_("ours: {why}").format(why=_(rule.why)), 6)
    if rule.allows:
        others = ", ".join(value_text(rule.key, value) for value in rule.allows)
        yield _wrapped(_("the text permits as well: {values}").format(values=others), 6)
    if rule.allows_clause:
        yield _wrapped(_("clause {clause}").format(clause=readable(rule.allows_clause)), 8)
    if rule.allows_quote:
        yield _wrapped(quoted(rule.allows_quote, language), 8)
    if rule.modifiable:
        yield _wrapped(_("the text permits any other value"), 6)


def _stages(rule: Rule) -> list[str]:
    """One line a stage; of a single round nobody asks how the later ones are seated."""
    stages = [one for one in rule.value if isinstance(one, Stage)] if isinstance(rule.value, tuple) else []
    return [stage_text(one if one.rounds > 1 else replace(one, later=one.first)) for one in stages]


def _wrapped(text: str, indent: int) -> str:
    margin = " " * indent
    return textwrap.fill(readable(text), WIDTH, initial_indent=margin, subsequent_indent=margin)


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
            terminal.json_line({
                "id": ruleset.id, "title": ruleset.title, "language": ruleset.language, "shape": ruleset.shape,
                "limit_ms": ruleset.limit_ms, "seats_min": ruleset.seats_min, "seats_max": ruleset.seats_max,
                "games": ruleset.stages[0].games,
            })  # fmt: skip
        return
    terminal.table((_("id"), _("title"), _("shape"), _("limit"), _("seats"), _("games")), map(_row, rulesets), (5,))


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
        terminal.json_line(as_fields(found, wanted))
    else:
        print_sheet(found, wanted)


def check(file: str, as_json: bool) -> int:
    """Exit code 1 if something is wrong."""
    text, name = rulebook.source(file)
    found = faults(text, name)
    if as_json:
        told = [{"line": fault.data.get("line"), "sentence": str(fault)} for fault in found]
        terminal.json_line({"file": name, "clean": not found, "faults": told})
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
