"""`dalej table stop|resume|give-time|…`: what a referee does to a table's clock and game, typed. Each act of the
catalogue about a table is a command, done as screens do it; a box carries it out. Rulings and claims are decisions and
have their own command, `dalej ruling`.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

import click

from dalej.cli.actcommand import act_command, answers, args_of, expect_desk
from dalej.cli.decision import agreed, do, opened, table_argument
from dalej.cli.terminal import Group, example, json_line
from dalej.domain.game.facts import SEATS
from dalej.domain.game.sentences import seconds as in_seconds
from dalej.errors import DalejError
from dalej.event.event import Event
from dalej.office.acts.catalogue import ACTS, Act
from dalej.office.acts.tables import TableNow, table_now
from dalej.office.acts.wishes import Wish
from dalej.words import _, readable, said

_DECISIONS: Final = ("rule", "grant_claim", "deny_claim")


def command() -> click.Group:
    """`dalej table stop|resume|…`."""
    group = Group(
        "table", help=_("What a referee does to a table: stop its clock, correct it, end its game; its box obeys."),
        epilog=example('dalej table give-time league.dalej 3 20 --why "the box was passed on late"'),
    )  # fmt: skip
    for act in ACTS.values():
        if act.about == "table" and act.offered and act.name not in _DECISIONS:
            group.add_command(_command(act))
    return group


def _command(act: Act) -> click.Command:
    name = act.name.replace("_", "-")

    def callback(event: str, table: int, who: str, yes: bool = False, as_json: bool = False, **given: object) -> int:
        return _do(act, event, table, given, who, yes, as_json)

    return act_command(act, name, callback, f"dalej table {name} league.dalej 3", table_argument())


def _do(act: Act, event: str, table: int, given: Mapping[str, object], who: str, yes: bool, as_json: bool) -> int:
    """Ask the box, wait for its answer, say it; 1 with JSON if it was not carried out."""
    with opened(event, who) as held:
        expect_desk(held, event)
        now = table_now(held, table)
        if act.destroys:
            agreed(yes, _("{what} Do it?").format(what=_question(act, now, held)))
        args = {**args_of(act, given), "table": table, "game": now.at.game, "move": now.at.move}
        done = do(held, Wish(act.name, args, str(given.get("why") or "")))
        if not as_json:
            click.echo(readable(str(done)))
        found = []
        for one in answers(held, done, _("waits for the box of table {table} …").format(table=table)):
            if not as_json and not one.is_done:
                raise one.problem
            found.append(one)
    if as_json:
        json_line({"act": act.name, "table": table, "requests": [one.fields() for one in found]})
        return int(not all(one.is_done for one in found))
    click.echo(_("Table {table}: its box has done it.").format(table=table))
    return 0


def _question(act: Act, now: TableNow, held: Event) -> str:
    """What it touches, in words."""
    at = now.at
    letter = SEATS[at.seat] if at.seat < len(SEATS) else "–"
    current = held.state().current
    seating = None if current is None or current.seating is None else current.seating.at(now.table)
    number = 0 if seating is None or at.seat >= len(SEATS) else seating.players[at.seat]
    name = held.state().players[number].name if number else letter
    limit = in_seconds(at.limit_ms or 0)
    return readable(said(DalejError(
        act.confirm, table=now.table, name=name, seconds=limit, game=at.game, move=at.move
    )))  # fmt: skip
