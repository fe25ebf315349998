"""`dalej table stop|resume|give-time|…`: what a referee does to a table's clock and game, typed. Each act of the
catalogue about a table is a command, done as screens do it; a box carries it out. Rulings and claims are decisions and
have their own command, `dalej ruling`.
"""

from __future__ import annotations

import click

from dalej.cli.actcommand import commands_about
from dalej.cli.terminal import Group, example
from dalej.words import _


def command() -> click.Group:
    """`dalej table stop|resume|…`."""
    group = Group(
        "table", help=_("What a referee does to a table: stop its clock, correct it, end its game; its box obeys."),
        epilog=example('dalej table give-time league.dalej 3 20 --why "the box was passed on late"'),
    )  # fmt: skip
    for one in commands_about("table", "table"):
        group.add_command(one)
    return group
