"""`dalej undo`: shows what taking something back would change, asks, and does it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import click

from dalej.cli.actcommand import carry_out
from dalej.cli.decision import (
    agreed,
    json_option,
    opened,
    playing_option,
    who_option,
    why_option,
    yes_option,
)
from dalej.cli.eventfile import EventCommand
from dalej.cli.terminal import ask_until, example
from dalej.domain.game.sentences import instant
from dalej.event.ledger import Decision
from dalej.office.acts.act import expect_reason
from dalej.office.acts.undoing import Undo
from dalej.office.decisionwords import names_in, tell
from dalej.office.reasons import reason
from dalej.office.undo import Undoing, proposed
from dalej.words import _, ngettext, readable, who_said

SHOWN: Final = 20  # lines of each list; the rest is counted


def command() -> click.Command:
    """`dalej undo`."""
    return EventCommand(
        "undo", callback=run,
        params=[
            click.Argument(["number"], type=click.IntRange(1), required=False, metavar=_("[NUMBER]")),
            playing_option(), yes_option(), who_option(), why_option(Undo, required=False),
            json_option(),
        ],
        help=_(
            "Take back the last step, or the decision of that number in `dalej event history`: what changes is shown"
            " first, and the history is kept."
        ),
        epilog=example(
            'dalej undo league.dalej --why "entered twice"',
            'dalej undo league.dalej 41 --why "table 3 was read as table 2"',
        ),
    )  # fmt: skip


def run(event: str, number: int | None, playing: list[int], yes: bool, who: str, why: str | None, as_json: bool) -> int:
    """Show, ask, take back, say so."""
    if yes:
        expect_reason(Undo, why or "")
    with opened(event, who) as held:
        undoing = proposed(held, number)
        if not (as_json and yes):
            _show(undoing, names_in(held.read().decisions()), err=as_json)
        agreed(yes, _("Take it back in {event}?").format(event=readable(event)))
        reason = ask_until(_("Why? It is kept with the decision"), err=True) if why is None and not yes else why or ""
        expect_reason(Undo, reason)
        shown = tuple(one.cursor for one in undoing.decisions)
        return carry_out(held, event, Undo(number, tuple(playing), shown).wish(reason), as_json=as_json)


def _show(undoing: Undoing, names: dict[int, str], *, err: bool) -> None:
    click.echo(_("To be taken back:"), err=err)
    _lines([_line(one, names) for one in undoing.decisions], err=err)
    if undoing.effect:
        click.echo(_("What changes by it:"), err=err)
        _lines(undoing.effect, err=err)
    else:
        click.echo(_("Nothing else changes by it."), err=err)


def _line(decision: Decision, names: dict[int, str]) -> str:
    return _("{number}, {when}, {who}: {what} ({why})").format(
        number=decision.cursor, when=instant(decision.when_ms), who=who_said(decision.who),
        what=tell(decision, names), why=readable(reason(decision.why)),
    )  # fmt: skip


def _lines(lines: Sequence[str], *, err: bool) -> None:
    for line in lines[:SHOWN]:
        click.echo(f"  {line}", err=err)
    if len(lines) > SHOWN:
        rest = len(lines) - SHOWN
        click.echo("  " + ngettext("… and {count} more", "… and {count} more", rest).format(count=rest), err=err)
