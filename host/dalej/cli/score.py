"""`dalej score`: what one game is worth, from a file and with no event."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Final

import click

from dalej.cli import terminal
from dalej.cli.decision import json_option
from dalej.cli.terminal import example
from dalej.domain.rules.clauses import Reason
from dalej.domain.rules.rulesets import Ruleset
from dalej.domain.scoring.points import Points, SeatScore, gained, score
from dalej.domain.scoring.sheets import json_object, sheet_from
from dalej.errors import WrongInput
from dalej.rulesets import rulebook
from dalej.words import N_, _, cause, readable

STDIN: Final = "-"
LARGEST: Final = 1024 * 1024  # bytes; a sheet has a few hundred


def command() -> click.Command:
    """`dalej score FILE`."""
    return click.Command(
        "score", callback=show,
        params=[click.Argument(["file"], metavar=_("FILE")), json_option()],
        help=_("Small and big points of one game, each with its clause; FILE is JSON, - reads standard input."),
        epilog=example("dalej score examples/score-went-out.json", "dalej score examples/score-went-out.json --json"),
    )  # fmt: skip


def show(file: str, as_json: bool) -> None:
    """Score the sheet and print it."""
    where = _("standard input") if file == STDIN else file
    data = json_object(_text(file, where), where)
    ruleset = _ruleset(data.get("ruleset"), where)
    scores = score(sheet_from(data, where), ruleset)
    if as_json:
        terminal.json_line({"players": [fields(one) for one in scores]})
    else:
        _for_people(scores, ruleset)


def fields(one: SeatScore) -> dict[str, object]:
    """A seat's score under its JSON names; they never translate."""
    return {
        "seat": one.seat, "name": one.name, "small": one.small, "big": one.big, "place": one.place,
        "reasons": [reason.sentence for reason in one.reasons],
    }  # fmt: skip


def told(reason: Reason) -> str:
    """The reason with its clause, in the reader's language."""
    data = {name: Points(value) if type(value) is int else value for name, value in reason.data.items()}
    return readable(f"{_(reason.template).format(**data)} [{reason.clause}]")


def _for_people(scores: Iterable[SeatScore], ruleset: Ruleset) -> None:
    best_first = sorted(scores, key=lambda one: (one.place, one.seat))
    terminal.table(
        (_("place"), _("seat"), _("player"), _("small points"), _("big points")),
        [
            (str(one.place), one.seat, readable(one.name), gained(one.small), "–" if one.big is None else str(one.big))
            for one in best_first
        ],
        numbers=(0, 3, 4),
    )
    click.echo()
    click.echo(readable(_("By {title}:").format(title=ruleset.title)))
    for one in best_first:
        click.echo(readable(f"{one.seat}  {one.name}".rstrip()))
        for reason in one.reasons:
            click.echo(f"   {told(reason)}")
    _quotes(reason for one in best_first for reason in one.reasons)


def _quotes(reasons: Iterable[Reason]) -> None:
    """Each passage once, in the regulation's own language; no part of one that is quoted whole."""
    quoted = dict.fromkeys((reason.clause, reason.quote) for reason in reasons if reason.quote)
    whole = [
        one for one in quoted if not any(one != other and one[0] == other[0] and one[1] in other[1] for other in quoted)
    ]
    if whole:
        click.echo()
    for clause, quote in whole:
        click.echo(readable(f"[{clause}]  {quote}"))


def _ruleset(asked: object, where: str) -> Ruleset:
    if not isinstance(asked, str) or not asked:
        raise WrongInput(
            N_("{where}: ruleset is missing, expected a file or one of {known}")
            if asked is None
            else N_("{where}: ruleset is no text, expected a file or one of {known}"),
            where=where, known=", ".join(rulebook.available()),
        )  # fmt: skip
    try:
        return rulebook.load(asked)
    except OSError as error:  # a name that no file can have
        raise WrongInput(N_("{file} cannot be read: {problem}"), file=asked[:80], problem=cause(error)) from error


def _text(file: str, where: str) -> str:
    try:
        if file == STDIN:
            found = sys.stdin.buffer.read(LARGEST + 1)
        else:
            with Path(file).open("rb") as opened:
                found = opened.read(LARGEST + 1)
    except (OSError, ValueError) as error:  # ValueError: a name that no file can have
        problem = cause(error) if isinstance(error, OSError) else error
        raise WrongInput(N_("{file} cannot be read: {problem}"), file=where, problem=problem) from error
    if len(found) > LARGEST:
        raise WrongInput(N_("{file} is larger than the {largest} bytes of a score sheet"), file=where, largest=LARGEST)
    try:
        return found.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise WrongInput(
            N_("{file}, line {line}: expected text in UTF-8"), file=where, line=found.count(b"\n", 0, error.start) + 1
        ) from error
